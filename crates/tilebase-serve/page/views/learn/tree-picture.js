// @ts-check
// Search tree of IDA* below a board: moves made plus estimate at each node, and the nodes that a bound cuts off.

import { button, el, fill, plural, svg } from '../../dom.js';
import * as puzzle from '../../board.js';

/** @typedef {import('../../board.js').Board} Board */
/** @typedef {import('../../board.js').Direction} Direction */
/** @typedef {{ board: Board, by: Direction | null, made: number, estimate: number, children: Node[], isWay: boolean, place: number }} Node node with its `place`, in leaves from the left */
/** @typedef {{ root: Node, bound: number, levels: number, nodes: number, cut: number, leaves: number, next: number | null, isSolved: boolean, isWhole: boolean }} Tree */

const LEAVES_MAX = 8;
const LEVELS_MAX = 12;
const GAP = 10;
const FALL = 52;

/**
 * Returns the tree of a search with a bound, with as many levels as fit.
 * @param {Board} board @param {Board} goal @param {number} bound @returns {Tree}
 */
function treeOf(board, goal, bound) {
  for (let levels = Math.min(bound, LEVELS_MAX); ; levels -= 1) {
    const tree = grown(board, goal, bound, levels);
    if (tree.leaves <= LEAVES_MAX || levels <= 1) return tree;
  }
}

/** @param {Board} board @param {Board} goal @param {number} bound @param {number} levels @returns {Tree} */
function grown(board, goal, bound, levels) {
  /** @type {Tree} */
  const tree = { root: nodeOf(board, goal, null, 0), bound, levels: 0, nodes: 0, cut: 0, leaves: 0, next: null, isSolved: false, isWhole: true };
  visit(tree.root);
  return tree;

  /** @param {Node} node */
  function visit(node) {
    tree.nodes += 1;
    tree.levels = Math.max(tree.levels, node.made);
    const sum = node.made + node.estimate;
    node.isWay = tree.isSolved = node.estimate === 0;
    const isCut = sum > bound;
    if (isCut) tree.cut += 1;
    if (isCut) tree.next = Math.min(tree.next ?? sum, sum);
    else if (node.made === levels && !node.isWay) tree.isWhole = false;
    else if (!node.isWay) expand(node);
    const [first, last] = [node.children.at(0), node.children.at(-1)];
    node.place = first && last ? (first.place + last.place) / 2 : tree.leaves;
    if (!first) tree.leaves += 1;
  }

  // Skips everything after a solution, and moves that undo the one before.
  /** @param {Node} node */
  function expand(node) {
    for (const by of puzzle.legal(node.board)) {
      if (tree.isSolved || tree.leaves > LEAVES_MAX) return;
      if (node.by !== null && by === puzzle.inverse(node.by)) continue;
      const child = nodeOf(puzzle.applyAll(node.board, [by]), goal, by, node.made + 1);
      node.children.push(child);
      visit(child);
      node.isWay ||= child.isWay;
    }
  }
}

/** @param {Board} board @param {Board} goal @param {Direction | null} by @param {number} made @returns {Node} */
function nodeOf(board, goal, by, made) {
  return { board, by, made, estimate: puzzle.manhattan(board, goal), children: [], isWay: false, place: 0 };
}

/** Creates the tree, with buttons for the bounds. @param {Board} board @param {Board} goal */
export function createTree(board, goal) {
  const first = puzzle.manhattan(board, goal);
  const picture = el('div', { class: 'scrolls', tabindex: 0, role: 'region', 'aria-label': 'Search tree' });
  const words = el('p', { role: 'status' });
  const steps = el('div', { class: 'row' });
  show(first);

  /** @param {number} bound */
  function show(bound) {
    const tree = treeOf(board, goal, bound);
    fill(picture, drawTree(tree));
    words.textContent = wordsOf(tree);
    const { next } = tree;
    const again = bound === first ? null : button(`Bound ${first} again`, () => show(first));
    // If only the first levels fit, the next bound is unknown.
    fill(steps, !tree.isSolved && tree.isWhole && next !== null ? button(`Next bound: ${next}`, () => show(next), { class: 'primary' }) : null, again);
  }

  return el('div', { class: 'stack' }, words, steps, picture);
}

/** @param {Tree} tree */
function wordsOf({ bound, nodes, cut, isSolved, isWhole, levels, next }) {
  const counted = `Bound ${bound}: ${plural(nodes, 'board')} looked at, ${cut} of them cut off.`;
  if (isSolved) return `${counted} The goal is reached, and no solution is shorter.`;
  if (!isWhole) return `${counted} Only the first ${plural(levels, 'level')} of the tree fit here.`;
  return `${counted} No solution has ${plural(bound, 'move')}. The least sum that was cut off is ${next}, so that is the next bound.`;
}

/** @param {Tree} tree */
function drawTree(tree) {
  const { rows, cols } = tree.root.board;
  const cell = cols > 4 ? 14 : 20;
  const [wide, high] = [cols * cell, rows * cell];
  const pitch = Math.max(wide, 66) + GAP;
  const [width, height] = [tree.leaves * pitch, tree.levels * (high + FALL) + high + 26];
  const [edges, nodes] = [svg('g'), svg('g')];
  draw(tree.root);
  return svg('svg', { class: 'sketch tree', viewBox: `0 0 ${width} ${height}`, role: 'img', style: { width: `max(${width}px, min(${width * 1.8}px, 100%))` },
    'aria-label': `The tree below ${puzzle.format(tree.root.board)}. ${wordsOf(tree)}` }, edges, nodes);

  /** @param {Node} node */
  function placeOf(node) {
    return { x: (node.place + 0.5) * pitch, y: node.made * (high + FALL) + 2 };
  }

  /** @param {Node} node */
  function draw(node) {
    const { x, y } = placeOf(node);
    const sum = node.made + node.estimate;
    const kind = sum > tree.bound ? 'is-cut' : node.isWay ? 'is-way' : '';
    node.children.forEach((child) => {
      const to = placeOf(child);
      const isCut = child.made + child.estimate > tree.bound;
      edges.append(svg('line', { class: `tree-edge ${isCut ? 'is-cut' : child.isWay ? 'is-way' : ''}`, x1: x, y1: y + high + 22, x2: to.x, y2: to.y - 1 }));
      draw(child);
    });
    nodes.append(svg('g', { class: `tree-node ${kind}` },
      svg('rect', { class: 'tray', x: x - wide / 2 - 1, y: y - 1, width: wide + 2, height: high + 2, rx: 3 }),
      node.board.tiles.map((tile, at) => (tile === 0 ? null : tileAt(tile, x - wide / 2 + (at % cols) * cell, y + Math.floor(at / cols) * cell))),
      svg('text', { class: 'tree-sum', x, y: y + high + 12 }, `${node.made} + ${node.estimate} = ${sum}`)));
  }

  /** @param {number} tile @param {number} x @param {number} y */
  function tileAt(tile, x, y) {
    return svg('g', {}, svg('rect', { class: 'sketch-tile', x: x + 0.5, y: y + 0.5, width: cell - 1, height: cell - 1, rx: 2 }),
      svg('text', { class: 'tree-number', x: x + cell / 2, y: y + cell / 2, style: { 'font-size': `${cell * 0.62}px` } }, tile));
  }
}
