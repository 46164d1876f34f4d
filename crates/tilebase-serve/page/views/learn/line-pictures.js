// @ts-check
// Pictures of estimates by rows and columns: inversions as arcs over a line of tiles, and the tables of Walking
// Distance.

import { el, plural, svg } from '../../dom.js';
import { colourOf } from '../../colours.js';
import { drawBoard } from '../drawing.js';

/** @typedef {import('../../board.js').Board} Board */
/** @typedef {import('./pictures.js').Picture} Picture */
/** @typedef {import('./pictures.js').Figure} Figure */
/** @typedef {import('./pictures.js').Fact} Fact */
/** @typedef {'vertical' | 'horizontal'} Axis */
/** @typedef {{ lines: { tile: number, inversions: number }[][], inversions: number, passed: number, moves: number }} AxisInversions */
/** @typedef {{ lines: number[][], blank: number, blank_home: number, moves: number }} AxisWalking */

const STEP = 22;
const LINE_GAP = 8;
const SIDE = 20;
/** Smallest scale of a line of tiles; in less space it scrolls. */
const SHRUNK_MIN = 0.72;
const GROWN_MAX = 1.4;

/** @type {Record<Axis, { from: string, line: string, direction: string }>} */
const WORDS = {
  vertical: { from: 'From row to row', line: 'row', direction: 'up or down' },
  horizontal: { from: 'From column to column', line: 'column', direction: 'left or right' },
};

/** @type {readonly Axis[]} */
const AXES = ['vertical', 'horizontal'];

/** @param {{ vertical: AxisInversions, horizontal: AxisInversions }} parts @param {{ goal: Board }} scene @returns {Picture} */
export function inversionPictures(parts, { goal }) {
  return {
    figures: AXES.map((axis) => inversionFigure(parts[axis], axis, goal)),
    facts: AXES.flatMap((axis) => inversionFacts(parts[axis], axis)),
    sum: `${parts.vertical.moves} + ${parts.horizontal.moves}`,
  };
}

/** @param {AxisInversions} part @param {Axis} axis @param {Board} goal @returns {Figure} */
function inversionFigure(part, axis, goal) {
  const read = placed(part);
  const order = goalOrder(goal, axis);
  const width = read[read.length - 1].x + STEP;
  const pairs = read.flatMap((a, at) => read.slice(at + 1).filter((b) => order.indexOf(b.tile) < order.indexOf(a.tile)).map((b) => ({ a, b })));
  const joined = new Set(pairs.flatMap(({ a, b }) => [a.tile, b.tile]));
  const top = 8 + Math.max(24, ...pairs.map(({ a, b }) => rise(a.x, b.x)));
  const label = `${WORDS[axis].from}: ${part.inversions} arcs join tiles in the wrong order`;
  const picture = svg('svg', { class: 'sketch', viewBox: `0 0 ${width} ${top + SIDE + 8}`, role: 'img', 'aria-label': label,
    style: { 'min-width': `${Math.round(width * SHRUNK_MIN)}px`, 'max-width': `${Math.round(width * GROWN_MAX)}px` } },
    pairs.map(({ a, b }) => svg('path', { class: 'arc inversion', 'data-facts': `${axis} ${axis}-${a.tile}`, d: `M${a.x} ${top} C${a.x} ${top - rise(a.x, b.x) * 1.33} ${b.x} ${top - rise(a.x, b.x) * 1.33} ${b.x} ${top}` })),
    read.map(({ tile, x }) => svg('g', { 'data-facts': `${axis} ${axis}-${tile}` },
      svg('rect', { class: `sketch-tile ${joined.has(tile) ? 'is-away' : 'is-home'}`, x: x - SIDE / 2, y: top + 2, width: SIDE, height: SIDE, rx: 5 }),
      svg('text', { class: 'sketch-number small', x, y: top + 2 + SIDE / 2 }, tile))));
  const caption = `${WORDS[axis].from}: read by ${WORDS[axis].line}s. ${plural(part.inversions, 'inversion')}, a move undoes ${part.passed} at most: ${plural(part.moves, 'move')} ${WORDS[axis].direction}.`;
  return { element: el('div', { class: 'scrolls', tabindex: 0, role: 'group', 'aria-label': WORDS[axis].from, data: { ownKeys: '' } }, picture), caption, isWide: true };
}

/** Returns the height of an arc. Long arcs are flatter, so that all fit. @param {number} from @param {number} to */
function rise(from, to) {
  return 8 + Math.sqrt(to - from) * 6;
}

/** Returns the tiles in the order of reading, with their places along the line. @param {AxisInversions} part */
function placed(part) {
  let x = STEP / 2 + 2;
  return part.lines.flatMap((line) => {
    const tiles = line.map((read) => {
      const here = { ...read, x };
      x += STEP;
      return here;
    });
    x += LINE_GAP;
    return tiles;
  });
}

/** Returns the tiles of the goal in the order of reading along an axis. @param {Board} goal @param {Axis} axis */
function goalOrder(goal, axis) {
  if (axis === 'vertical') return [...goal.tiles];
  return Array.from({ length: goal.tiles.length }, (_, at) => goal.tiles[(at % goal.rows) * goal.cols + Math.floor(at / goal.rows)]);
}

/** @param {AxisInversions} part @param {Axis} axis @returns {Fact[]} */
function inversionFacts(part, axis) {
  const early = part.lines.flat().filter(({ inversions }) => inversions > 0);
  return [{ key: axis, text: `${WORDS[axis].from}: ${plural(part.inversions, 'inversion')}, ${plural(part.moves, 'move')}${early.length > 0 ? '. Of these begin at' : ''}` },
    ...early.map(({ tile, inversions }) => ({ key: `${axis}-${tile}`, text: `tile ${tile}: ${inversions}` }))];
}

/** @param {{ vertical: AxisWalking, horizontal: AxisWalking }} parts @param {{ board: Board, goal: Board }} scene @returns {Picture} */
export function walkingPictures(parts, { board, goal }) {
  return {
    figures: AXES.map((axis) => walkingFigure(parts[axis], axis, board, goal)),
    facts: AXES.map((axis) => ({ key: axis, text: `${WORDS[axis].from}: ${plural(parts[axis].moves, 'move')}` })),
    sum: `${parts.vertical.moves} + ${parts.horizontal.moves}`,
  };
}

/** @param {AxisWalking} part @param {Axis} axis @param {Board} board @param {Board} goal @returns {Figure} */
function walkingFigure(part, axis, board, goal) {
  const homeLine = (/** @type {number} */ tile) => {
    const home = goal.tiles.indexOf(tile);
    return axis === 'vertical' ? Math.floor(home / goal.cols) : home % goal.cols;
  };
  const drawing = drawBoard(board, `Tiles in the colour of their home ${WORDS[axis].line}`, { colourOf: (tile) => colourOf(homeLine(tile)) });
  drawing.element.setAttribute('data-facts', axis);
  return { element: el('div', { class: 'walking', data: { facts: axis } }, drawing.element, walkingTable(part, axis)), caption: `${WORDS[axis].from}: ${plural(part.moves, 'move')}. A colour is a home ${WORDS[axis].line}.` };
}

/** @param {AxisWalking} part @param {Axis} axis */
function walkingTable(part, axis) {
  const { line } = WORDS[axis];
  const heads = part.lines.map((_, at) => el('th', { scope: 'col', style: { 'border-bottom-color': colourOf(at) } }, at + 1));
  const rows = part.lines.map((counts, at) => el('tr', {}, el('th', { scope: 'row' }, `in ${line} ${at + 1}`),
    counts.map((tiles, home) => el('td', { class: cellClass(tiles, at === home) }, tiles === 0 ? '·' : tiles)),
    el('td', { class: 'blank' }, blankSign(part, at + 1))));
  return el('table', { class: 'counts' }, el('caption', {}, `Tiles from home ${line}`),
    el('thead', {}, el('tr', {}, el('td'), heads, el('th', { scope: 'col' }, 'blank'))), el('tbody', {}, rows));
}

/** @param {number} tiles @param {boolean} isHome */
function cellClass(tiles, isHome) {
  return tiles === 0 ? 'is-none' : isHome ? 'is-home' : 'is-away';
}

/** @param {AxisWalking} part @param {number} line */
function blankSign({ blank, blank_home: home }, line) {
  if (line === blank) return line === home ? 'at home' : 'here';
  return line === home ? 'home' : '';
}
