// @ts-check
// Drawings of boards: tiles, arrows, bands and badges.

import { colourOf, inkOn } from '../colours.js';
import { svg } from '../dom.js';

/** @typedef {import('../board.js').Board} Board */
/** @typedef {{ x: number, y: number }} Point */
/**
 * @typedef {object} Look
 * @property {(tile: number) => string} [classOf]
 * @property {(tile: number) => string | null} [colourOf]
 * @property {(tile: number) => string} [letterOf] letter of the colour, for colour-blind users
 */
/**
 * @typedef {object} Drawing
 * @property {SVGSVGElement} element
 * @property {SVGGElement} under behind the tiles
 * @property {SVGGElement} lines on the tiles, behind their numbers
 * @property {SVGGElement} over in front of everything
 * @property {Board} board
 */

export const CELL = 60;
const PAD = 8;
const GAP = 2;
const HEAD = 9;

/** Returns the colour of a line on tiles, which are dark in the dark theme. @param {number} at */
export function lineColour(at) {
  return `light-dark(${colourOf(at)}, color-mix(in oklab, ${colourOf(at)} 60%, white))`;
}

/** Returns the middle of a cell. @param {Board} board @param {number} cell @returns {Point} */
export function middleOf(board, cell) {
  return { x: PAD + ((cell % board.cols) + 0.5) * CELL, y: PAD + (Math.floor(cell / board.cols) + 0.5) * CELL };
}

/** Returns the middle of a tile's cell. @param {Board} board @param {number} tile */
export function middleOfTile(board, tile) {
  return middleOf(board, board.tiles.indexOf(tile));
}

/**
 * Draws a board. The label describes the drawing for screen readers; the facts beside it have the details.
 * @param {Board} board @param {string} label @param {Look} [look] @returns {Drawing}
 */
export function drawBoard(board, label, look = {}) {
  const [width, height] = [board.cols * CELL + 2 * PAD, board.rows * CELL + 2 * PAD];
  const [under, lines, over] = [svg('g'), svg('g'), svg('g')];
  const cells = board.tiles.map((tile, cell) => ({ tile, cell })).filter(({ tile }) => tile !== 0);
  const element = svg('svg', { class: 'sketch', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label, style: { 'max-width': `${board.cols * 84}px` } },
    svg('rect', { class: 'tray', width, height, rx: 12 }),
    svg('g', {}, cells.map(({ tile, cell }) => drawTile(board, tile, cell, look))),
    under, lines,
    svg('g', { class: 'numbers' }, cells.map(({ tile, cell }) => drawNumber(board, tile, cell, look))), over);
  return { element, under, lines, over, board };
}

/** @param {Board} board @param {number} tile @param {number} cell @param {Look} look */
function drawTile(board, tile, cell, look) {
  const { x, y } = middleOf(board, cell);
  const side = CELL - 2 * GAP;
  const colour = look.colourOf?.(tile) ?? null;
  return svg('rect', {
    class: `sketch-tile ${look.classOf?.(tile) ?? ''}`, 'data-tile': tile, x: x - side / 2, y: y - side / 2, width: side, height: side, rx: 8, style: colour === null ? {} : { fill: colour },
  });
}

/** @param {Board} board @param {number} tile @param {number} cell @param {Look} look */
function drawNumber(board, tile, cell, look) {
  const { x, y } = middleOf(board, cell);
  const colour = look.colourOf?.(tile) ?? null;
  const ink = colour === null ? null : inkOn(colour);
  const letter = look.letterOf?.(tile) ?? '';
  return svg('g', { 'data-tile': tile, style: ink === null ? {} : { '--ink-on': ink } },
    svg('text', { class: `sketch-number ${look.classOf?.(tile) ?? ''} ${ink === null ? '' : 'on-colour'}`, x, y }, tile),
    letter === '' ? null : svg('text', { class: 'sketch-letter', x: x - CELL / 2 + 12, y: y - CELL / 2 + 14 }, letter));
}

/**
 * Draws an arrow along points. It can stop short of the last point, so that a number there stays readable.
 * @param {readonly Point[]} points @param {import('../dom.js').Props} [props] @param {number} [short]
 */
export function arrow(points, props = {}, short = 0) {
  const [from, to] = [points[points.length - 2], points[points.length - 1]];
  const end = towards(to, from, short);
  const neck = towards(end, from, HEAD * 0.8);
  const path = [...points.slice(0, -1), neck].map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join(' ');
  return svg('g', { ...props, class: `arrow ${props.class ?? ''}` }, svg('path', { class: 'shaft', d: path }), head(from, end));
}

/** Draws an arrow that is curved to the right of its direction. @param {Point} from @param {Point} to @param {import('../dom.js').Props} props */
function curvedArrow(from, to, props) {
  const control = bulge(from, to, 0.22);
  const start = towards(from, control, CELL * 0.3);
  const end = towards(to, control, CELL * 0.34);
  const neck = towards(end, control, HEAD * 0.8);
  return svg('g', { ...props, class: `arrow ${props.class ?? ''}` },
    svg('path', { class: 'shaft', d: `M${round(start.x)} ${round(start.y)} Q${round(control.x)} ${round(control.y)} ${round(neck.x)} ${round(neck.y)}` }), head(control, end));
}

/** Draws an arrow from each piece of a cycle to its home, where the next piece is. @param {Drawing} drawing @param {number[]} pieces @param {number} at index of the cycle */
export function drawCycle({ board, over }, pieces, at) {
  pieces.forEach((piece, index) => {
    const next = pieces[(index + 1) % pieces.length];
    over.append(curvedArrow(middleOfTile(board, piece), middleOfTile(board, next), { 'data-facts': at, style: { color: lineColour(at) }, class: piece === 0 ? 'is-blank' : '' }));
  });
}

/** Draws a line that is curved around the cells between its ends. @param {Point} from @param {Point} to @param {import('../dom.js').Props} [props] @param {number} [bend] */
export function arc(from, to, props = {}, bend = 0.3) {
  const control = bulge(from, to, bend);
  return svg('path', { ...props, class: `arc ${props.class ?? ''}`, d: `M${round(from.x)} ${round(from.y)} Q${round(control.x)} ${round(control.y)} ${round(to.x)} ${round(to.y)}` });
}

/** Draws a short text on a coloured background. @param {Point} at @param {string} text @param {import('../dom.js').Props} [props] */
export function badge(at, text, props = {}) {
  const width = 12 + text.length * 8;
  return svg('g', { ...props, class: `badge ${props.class ?? ''}` },
    svg('rect', { x: at.x - width / 2, y: at.y - 9, width, height: 18, rx: 9 }), svg('text', { x: at.x, y: at.y }, text));
}

/** Draws a band over a row or column. @param {Board} board @param {{ row?: number, column?: number }} line counted from 1 @param {import('../dom.js').Props} [props] */
export function band(board, line, props = {}) {
  const isRow = line.row !== undefined;
  const at = PAD + ((line.row ?? line.column ?? 1) - 1) * CELL;
  const length = (isRow ? board.cols : board.rows) * CELL;
  return svg('rect', {
    ...props, class: 'band', rx: 10, x: isRow ? PAD : at, y: isRow ? at : PAD, width: isRow ? length : CELL, height: isRow ? CELL : length,
  });
}

/** Draws a frame around a cell. @param {Board} board @param {number} cell @param {import('../dom.js').Props} [props] */
export function frame(board, cell, props = {}) {
  const { x, y } = middleOf(board, cell);
  return svg('rect', { ...props, class: `cell-frame ${props.class ?? ''}`, x: x - CELL / 2 + 3, y: y - CELL / 2 + 3, width: CELL - 6, height: CELL - 6, rx: 8 });
}

/** @param {Point} from @param {Point} to @param {number} share */
function bulge(from, to, share) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  return { x: (from.x + to.x) / 2 - dy * share, y: (from.y + to.y) / 2 + dx * share };
}

/** Returns the point at a distance from one point towards another. @param {Point} from @param {Point} to @param {number} distance @returns {Point} */
export function towards(from, to, distance) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  return { x: from.x + ((to.x - from.x) / length) * distance, y: from.y + ((to.y - from.y) / length) * distance };
}

/** @param {Point} from @param {Point} tip */
function head(from, tip) {
  const base = towards(tip, from, HEAD);
  const [dx, dy] = [(tip.x - base.x) * 0.5, (tip.y - base.y) * 0.5];
  const corners = [tip, { x: base.x - dy, y: base.y + dx }, { x: base.x + dy, y: base.y - dx }];
  return svg('polygon', { class: 'head', points: corners.map(({ x, y }) => `${round(x)},${round(y)}`).join(' ') });
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 10) / 10;
}
