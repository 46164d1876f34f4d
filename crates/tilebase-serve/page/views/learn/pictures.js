// @ts-check
// Parts of an estimate, as pictures of the board and as facts in words. They are the parts of `tilebase explain`.

import { colourOf, letterOf } from '../../colours.js';
import { el, listed, plural } from '../../dom.js';
import { arc, arrow, badge, band, drawBoard, drawCycle, frame, lineColour, middleOf, middleOfTile, towards, CELL } from '../drawing.js';
import { inversionPictures, walkingPictures } from './line-pictures.js';

/** @typedef {import('../../board.js').Board} Board */
/** @typedef {import('../drawing.js').Drawing} Drawing */
/**
 * Fact about a picture. It belongs to the elements with its key in their `data-facts`. A press on the fact's tile
 * equals a press on the fact.
 * @typedef {{ text: string, key: string, colour?: string, tile?: number }} Fact
 */
/** @typedef {{ caption: string | null, element: Element, isWide?: boolean }} Figure */
/** @typedef {{ figures: Figure[], facts: Fact[], sum: string }} Picture */
/** @typedef {{ board: Board, goal: Board, everyPartition?: boolean }} Scene */

/** @type {Record<string, (parts: any, scene: Scene) => Picture>} */
const DRAWN = {
  misplaced, gaschnig, manhattan, 'linear-conflict': additions, 'corner-tiles': additions, 'last-moves': additions, pairwise, additive, plain,
  inversion: inversionPictures, walking: walkingPictures,
};

/** Largest number of ways home that are drawn at once. */
const WAYS_MAX = 6;

/** Returns whether parts of this kind can be drawn. @param {string} kind */
export function isDrawn(kind) {
  return kind in DRAWN;
}

/** @param {any} parts @param {Scene} scene @returns {Picture} */
export function pictureOf(parts, scene) {
  return DRAWN[parts.kind](parts, scene);
}

/** @param {number} piece */
function pieceName(piece) {
  return piece === 0 ? 'blank' : String(piece);
}

/** @param {readonly (number | string)[]} terms */
function summed(terms) {
  return terms.length === 0 ? '0' : terms.join(' + ');
}

/** @param {Element} element @param {string | null} [caption] @returns {Figure} */
function figure(element, caption = null) {
  return { element, caption };
}

/** @param {{ tiles: number[] }} parts @param {Scene} scene @returns {Picture} */
function misplaced({ tiles }, { board }) {
  const away = new Set(tiles);
  const drawing = drawBoard(board, `${tiles.length} tiles are not at home`, { classOf: (tile) => (away.has(tile) ? 'is-away' : 'is-home') });
  const text = tiles.length === 0 ? 'All tiles are at home.' : `Not at home: ${listed(tiles)}.`;
  return { figures: [figure(drawing.element)], facts: [{ key: 'all', text }], sum: `${tiles.length} of ${board.tiles.length - 1} tiles` };
}

/** @param {{ cycles: { tiles: number[], jumps: number }[] }} parts @param {Scene} scene @returns {Picture} */
function gaschnig({ cycles }, { board }) {
  const moving = new Set(cycles.flatMap((cycle) => cycle.tiles));
  const drawing = drawBoard(board, `${cycles.length} cycles of pieces`, { classOf: (tile) => (moving.has(tile) ? '' : 'is-home') });
  cycles.forEach((cycle, at) => drawCycle(drawing, cycle.tiles, at));
  const facts = cycles.map(({ tiles, jumps }, at) => ({
    key: String(at), colour: lineColour(at), text: `${[...tiles, tiles[0]].map(pieceName).join(' → ')}: ${plural(jumps, 'jump')}`,
  }));
  return { figures: [figure(drawing.element, 'An arrow leads from a piece to its home.')], facts, sum: summed(cycles.map((cycle) => cycle.jumps)) };
}

/** @param {{ tiles: { tile: number, vertical: number, horizontal: number, moves: number }[] }} parts @param {Scene} scene @returns {Picture} */
function manhattan({ tiles }, { board, goal }) {
  const away = new Set(tiles.map(({ tile }) => tile));
  // Many ways at once could not be distinguished.
  const isCrowded = tiles.length > WAYS_MAX;
  const drawing = drawBoard(board, `${tiles.length} tiles with their ways home`, { classOf: (tile) => (away.has(tile) ? '' : 'is-home') });
  tiles.forEach(({ tile, moves: count }, at) => {
    drawing.lines.append(wayHome(drawing, tile, goal, at, isCrowded));
    const { x, y } = middleOfTile(board, tile);
    drawing.over.append(badge({ x: x + CELL / 2 - 15, y: y + CELL / 2 - 14 }, String(count), { 'data-facts': tile }));
  });
  const facts = tiles.map((part) => ({ key: String(part.tile), tile: part.tile, text: `${part.tile}: ${wayInWords(part, board, goal)}` }));
  return { figures: [figure(drawing.element, isCrowded ? 'Press a tile: a line leads to its home.' : 'A line leads from each tile to its home.')], facts, sum: summed(tiles.map((part) => part.moves)) };
}

/** Draws the way of a tile: up or down, then to the side, beside the numbers and the ways of other tiles. @param {Drawing} drawing @param {number} tile @param {Board} goal @param {number} at @param {boolean} isHidden until the tile is picked */
function wayHome({ board }, tile, goal, at, isHidden) {
  const aside = 17 + (at % 4) * 3;
  const [from, to] = [middleOfTile(board, tile), middleOf(board, goal.tiles.indexOf(tile))];
  const turn = { x: from.x - aside, y: to.y - aside };
  const points = from.x === to.x ? [{ ...from, x: turn.x }, { x: turn.x, y: to.y }]
    : from.y === to.y ? [{ ...from, y: turn.y }, { x: to.x, y: turn.y }]
      : [{ x: turn.x, y: from.y }, turn, { x: to.x, y: turn.y }];
  return arrow(points, { 'data-facts': tile, class: isHidden ? 'only-picked' : '', style: { color: lineColour(at) } }, 14);
}

/** @param {{ tile: number, vertical: number, horizontal: number, moves: number }} part @param {Board} board @param {Board} goal */
function wayInWords({ tile, vertical, horizontal, moves: count }, board, goal) {
  const [from, to] = [board.tiles.indexOf(tile), goal.tiles.indexOf(tile)];
  const parts = [];
  if (vertical > 0) parts.push(`${vertical} ${to < from ? 'up' : 'down'}`);
  if (horizontal > 0) parts.push(`${horizontal} ${to % board.cols < from % board.cols ? 'left' : 'right'}`);
  return parts.length > 1 ? `${parts.join(', ')} = ${count}` : parts[0];
}

/**
 * Draws what is added to the Manhattan distance: conflicts, corners, endings.
 * @param {{ manhattan: number, lines: any[], corners?: any[], endings?: any[] }} parts @param {Scene} scene @returns {Picture}
 */
function additions({ manhattan: base, lines, corners = [], endings }, scene) {
  const busy = new Set([...lines.flatMap((line) => line.pairs.flat()), ...corners.flatMap((corner) => [corner.tile, ...corner.beside])]);
  const last = endings?.[0] ? [endings[0].last.tile, endings[0].before?.tile] : [];
  const drawing = drawBoard(scene.board, 'What Manhattan distance does not know', { classOf: (tile) => (busy.has(tile) || last.includes(tile) ? '' : 'is-home') });
  lines.forEach((line, at) => drawConflict(drawing, line, `line-${at}`, at));
  corners.forEach((corner, at) => drawCorner(drawing, corner, `corner-${at}`));
  (endings ?? []).forEach((ending, at) => drawEnding(drawing, ending, scene.goal, `ending-${at}`, at === 0));
  const facts = [
    { key: 'manhattan', text: `Manhattan distance: ${base}` },
    ...lines.map((line, at) => ({ key: `line-${at}`, text: conflictInWords(line) })),
    ...corners.map((corner, at) => ({ key: `corner-${at}`, text: cornerInWords(corner) })),
    ...(endings ?? []).map((ending, at) => ({ key: `ending-${at}`, text: endingInWords(ending, at === 0) })),
  ];
  if (facts.length === 1) facts.push({ key: 'none', text: 'Nothing is added on this board.' });
  const terms = [base, ...lines.map((line) => line.moves), ...corners.map((corner) => corner.moves), ...(endings?.[0] ? [endings[0].moves] : [])];
  return { figures: [figure(drawing.element)], facts, sum: summed(terms) };
}

/** @param {Drawing} drawing @param {{ line: any, pairs: number[][], leaving: number[] }} part @param {string} key @param {number} at */
function drawConflict({ board, under, over }, part, key, at) {
  const isRow = part.line.row !== undefined;
  under.append(band(board, part.line, { 'data-facts': key }));
  for (const [a, b] of part.pairs) {
    // Arcs begin beside the numbers and curve towards the middle of the board, where more space is.
    const side = (part.line.row ?? part.line.column) === 1 ? 1 : -1;
    const beside = (/** @type {number} */ tile) => {
      const { x, y } = middleOfTile(board, tile);
      return isRow ? { x, y: y + side * 15 } : { x: x + side * 17, y };
    };
    const length = Math.abs(board.tiles.indexOf(a) - board.tiles.indexOf(b)) / (isRow ? 1 : board.cols);
    over.append(arc(beside(a), beside(b), { 'data-facts': key, class: 'conflict' }, (isRow ? side : -side) * Math.min(0.3, 0.55 / length)));
  }
  for (const tile of part.leaving) {
    const place = middleOfTile(board, tile);
    over.append(badge({ x: place.x + CELL / 2 - 16, y: place.y - CELL / 2 + 13 + (at % 2) * 2 }, '+2', { 'data-facts': key }));
  }
}

/** @param {{ line: any, tiles: number[], leaving: number[], moves: number }} part */
function conflictInWords({ line, tiles, leaving, moves: count }) {
  const name = line.row === undefined ? `Column ${line.column}` : `Row ${line.row}`;
  return `${name}: ${tiles.join(' ')} are not in order. ${listed(leaving)} ${leaving.length === 1 ? 'leaves and comes back' : 'leave and come back'}: ${plural(count, 'move')}`;
}

/** @param {Drawing} drawing @param {{ row: number, column: number, tile: number, beside: number[] }} corner @param {string} key */
function drawCorner({ board, over }, corner, key) {
  const cell = (corner.row - 1) * board.cols + corner.column - 1;
  const place = middleOf(board, cell);
  over.append(frame(board, cell, { 'data-facts': key, class: 'is-wrong' }));
  for (const tile of corner.beside) {
    const beside = middleOfTile(board, tile);
    const away = towards(beside, place, -CELL * 0.42);
    over.append(arrow([towards(beside, place, -CELL * 0.16), away], { 'data-facts': key, class: 'strong' }),
      badge({ x: beside.x + CELL / 2 - 16, y: beside.y - CELL / 2 + 13 }, '+2', { 'data-facts': key }));
  }
}

/** @param {{ row: number, column: number, tile: number, beside: number[], moves: number }} corner */
function cornerInWords({ row, column, tile, beside, moves: count }) {
  const rule = beside.length === 1 ? 'is at home beside it, lets it out and comes back' : 'are at home beside it, let it out and come back';
  return `Corner in row ${row}, column ${column}: ${tile} is wrong there. ${listed(beside)} ${rule}: ${plural(count, 'move')}`;
}

/** Draws an ending: the last tile moves from the blank's home, the one before it from the last tile's home. @param {Drawing} drawing @param {any} ending @param {Board} goal @param {string} key @param {boolean} counts */
function drawEnding({ board, over, under }, { last, before }, goal, key, counts) {
  const hidden = counts ? '' : 'only-picked';
  const blankHome = middleOf(board, goal.tiles.indexOf(0));
  const lastHome = middleOf(board, goal.tiles.indexOf(last.tile));
  under.append(frame(board, goal.tiles.indexOf(0), { 'data-facts': key, class: `is-goal ${hidden}` }));
  over.append(arrow([towards(blankHome, lastHome, 6), towards(lastHome, blankHome, CELL * 0.28)], { 'data-facts': key, class: `strong ${hidden}` }),
    ...detour(board, last, key, hidden));
  if (!before) return;
  const beforeHome = middleOf(board, goal.tiles.indexOf(before.tile));
  over.append(arrow([towards(lastHome, beforeHome, CELL * 0.28), towards(beforeHome, lastHome, CELL * 0.28)], { 'data-facts': key, class: `strong is-before ${hidden}` }),
    ...detour(board, before, key, hidden));
}

/** @param {Board} board @param {{ tile: number, moves: number }} part @param {string} key @param {string} hidden */
function detour(board, { tile, moves: count }, key, hidden) {
  const place = middleOfTile(board, tile);
  return [frame(board, board.tiles.indexOf(tile), { 'data-facts': key, class: `is-about ${hidden}` }),
    badge({ x: place.x + CELL / 2 - 16, y: place.y - CELL / 2 + 13 }, `+${count}`, { 'data-facts': key, class: hidden })];
}

/** @param {{ last: any, before: any, moves: number }} ending @param {boolean} counts */
function endingInWords({ last, before, moves: count }, counts) {
  const first = `Last move ${last.tile} (+${last.moves})`;
  const second = before ? `, before it ${before.tile} (+${before.moves})` : '';
  return `${first}${second}: ${plural(count, 'move')}${counts ? ', the cheapest ending: it counts' : ''}`;
}

/** @param {{ manhattan: number, pairs: { tiles: number[], moves: number }[] }} parts @param {Scene} scene @returns {Picture} */
function pairwise({ manhattan: base, pairs }, { board }) {
  const busy = new Set(pairs.flatMap((pair) => pair.tiles));
  const drawing = drawBoard(board, `${pairs.length} pairs of tiles in each other’s way`, { classOf: (tile) => (busy.has(tile) ? '' : 'is-home') });
  pairs.forEach(({ tiles, moves: count }, at) => {
    const [a, b] = tiles.map((tile) => middleOfTile(board, tile));
    for (const tile of tiles) drawing.under.append(frame(board, board.tiles.indexOf(tile), { 'data-facts': at, style: { color: lineColour(at) } }));
    drawing.lines.append(arc(a, b, { 'data-facts': at, class: 'match', style: { color: lineColour(at) } }, 0.12));
    drawing.over.append(badge({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }, `+${count}`, { 'data-facts': at }));
  });
  const facts = [{ key: 'manhattan', text: `Manhattan distance: ${base}` },
    ...pairs.map(({ tiles, moves: count }, at) => ({ key: String(at), colour: lineColour(at), text: `${listed(tiles)}: ${count} more together than apart` }))];
  if (pairs.length === 0) facts.push({ key: 'none', text: 'No pair is in each other’s way on this board.' });
  return { figures: [figure(drawing.element)], facts, sum: summed([base, ...pairs.map((pair) => pair.moves)]) };
}

/** @typedef {{ tiles: number[], moves: number, manhattan: number, mirror_of?: number | null, counts?: boolean }} Pattern */
/** @typedef {{ patterns: Pattern[], moves: number, mirror_of: number | null, counts: boolean }} Partition */

/** @param {{ partitions: Partition[] }} parts @param {Scene} scene @returns {Picture} */
function additive({ partitions }, { board, everyPartition = false }) {
  const shown = partitions.map((partition, at) => ({ partition, at })).filter(({ partition }) => everyPartition || partition.counts);
  const figures = shown.map(({ partition, at }) => figure(drawPatterns(board, partition.patterns, at),
    `${partName('Partition', partition, at)}: ${summed(partition.patterns.map((pattern) => pattern.moves))} = ${partition.moves}${everyPartition && partition.counts && partitions.length > 1 ? ', the largest: it counts' : ''}`));
  const facts = shown.flatMap(({ partition, at }) => partition.patterns.map((pattern, index) => ({
    key: `${at}-${index}`, colour: colourOf(index), text: `${everyPartition && shown.length > 1 ? `${partName('Partition', partition, at)}, ` : ''}${patternInWords(pattern, index)}`,
  })));
  const counting = partitions.find((partition) => partition.counts) ?? partitions[0];
  return { figures, facts, sum: summed(counting.patterns.map((pattern) => pattern.moves)) };
}

/** @param {{ patterns: Pattern[] }} parts @param {Scene} scene @returns {Picture} */
function plain({ patterns }, { board }) {
  const figures = patterns.map((pattern, at) => figure(drawPatterns(board, [pattern], at), `${partName('Pattern', pattern, at)}: ${plural(pattern.moves, 'move')}${pattern.counts && patterns.length > 1 ? ', the largest: it counts' : ''}`));
  const facts = patterns.map((pattern, at) => ({ key: `${at}-0`, colour: colourOf(0), text: `Tiles ${listed(pattern.tiles)} and the blank: ${plural(pattern.moves, 'move')} of any tiles` }));
  return { figures, facts, sum: String(Math.max(...patterns.map((pattern) => pattern.moves))) };
}

/** @param {Board} board @param {Pattern[]} patterns @param {number} at */
function drawPatterns(board, patterns, at) {
  const patternOf = (/** @type {number} */ tile) => patterns.findIndex((pattern) => pattern.tiles.includes(tile));
  const drawing = drawBoard(board, `Tiles in the colours of ${patterns.length} patterns`, {
    colourOf: (tile) => (patternOf(tile) < 0 ? null : colourOf(patternOf(tile))),
    classOf: (tile) => (patternOf(tile) < 0 ? 'is-home' : ''),
    letterOf: (tile) => (patternOf(tile) < 0 ? '' : letterOf(patternOf(tile))),
  });
  for (const marked of drawing.element.querySelectorAll('[data-tile]')) {
    marked.setAttribute('data-facts', `${at}-${patternOf(Number(marked.getAttribute('data-tile')))}`);
  }
  return drawing.element;
}

/** @param {string} what @param {{ mirror_of?: number | null }} part @param {number} at */
function partName(what, part, at) {
  return part.mirror_of ? `Mirror image of ${part.mirror_of}` : `${what} ${at + 1}`;
}

/** @param {Pattern} pattern @param {number} index */
function patternInWords({ tiles, moves: count, manhattan: base }, index) {
  return `${letterOf(index)}: tiles ${listed(tiles)}: ${plural(count, 'move')}, ${count - base} more than Manhattan distance`;
}

/** Creates the figures of a picture. @param {Picture} picture */
export function figuresOf({ figures }) {
  return el('div', { class: 'figures-of-lesson' }, figures.map(({ element, caption, isWide }) =>
    el('figure', { class: isWide ? 'is-wide' : '' }, element, caption === null ? null : el('figcaption', {}, caption))));
}
