// @ts-check
// Picture of the parity argument: the cycles of pieces as arrows on the board, and the two numbers whose parities
// have to agree.

import { el, plural, svg } from './dom.js';

/** @typedef {import('./board.js').Board} Board */
/**
 * `solvable` of GET /v1/explain.
 * @typedef {object} Solvable
 * @property {boolean} is_solvable
 * @property {number[][]} cycles
 * @property {number} transpositions
 * @property {'even' | 'odd'} permutation
 * @property {number} blank_rows
 * @property {number} blank_columns
 * @property {number} blank_distance
 */

const CELL = 52;
const COLOUR_COUNT = 7;
const HEAD = 7;

/** @param {Board} board @param {Board} goal @param {Solvable} solvable @returns {HTMLElement} */
export function parityFigure(board, goal, solvable) {
  const { transpositions, blank_distance: distance } = solvable;
  const verdict = solvable.is_solvable
    ? 'Here they agree, so moves lead to the goal.'
    : 'Here they differ, so no moves lead to the goal.';
  return el('div', { class: 'parity' },
    el('h3', null, solvable.is_solvable ? 'Why it can be solved' : 'Why it cannot be solved'),
    drawing(board, goal, solvable.cycles),
    el('div', { class: 'parity-scales' },
      scale('Exchanges that bring all pieces home', transpositions, cyclesText(solvable.cycles)),
      scale('Moves of the blank to its home', distance,
        `${plural(solvable.blank_rows, 'row')} and ${plural(solvable.blank_columns, 'column')}.`)),
    el('p', null, 'Each move exchanges the blank with a tile and takes it one cell on. So it changes both parities. '
      + 'At the goal both are even. ', el('strong', null, verdict)));
}

/** @param {number} number */
function parityOf(number) {
  return number % 2 === 0 ? 'even' : 'odd';
}

/** Draws a number as dots in pairs. The single dot of an odd number has another colour. @param {string} title @param {number} number @param {string} text */
function scale(title, number, text) {
  return el('div', null,
    el('p', { class: 'small muted' }, title),
    el('p', null, el('strong', null, `${number}, ${parityOf(number)}`)),
    pairs(number),
    el('p', { class: 'small muted' }, text));
}

/** @param {number} number */
function pairs(number) {
  const columns = Math.max(1, Math.ceil(number / 2));
  const dots = Array.from({ length: number }, (_, at) => {
    const isLeftOver = at === number - 1 && number % 2 === 1;
    return svg('circle', {
      cx: 7 + Math.floor(at / 2) * 14, cy: 7 + (at % 2) * 14, r: 5,
      fill: isLeftOver ? 'var(--bad)' : 'var(--accent)',
    });
  });
  return svg('svg', {
    class: 'drawing', viewBox: `0 0 ${columns * 14} 28`, width: columns * 14, height: 28, 'aria-hidden': 'true',
  }, dots);
}

/** @param {number[][]} cycles */
function cyclesText(cycles) {
  if (cycles.length === 0) return 'All pieces are at home.';
  const each = cycles.map((cycle) => cycle.length - 1).join(' + ');
  if (cycles.length === 1) return `One cycle of ${cycles[0].length} pieces takes one exchange fewer: ${each}.`;
  return `${cycles.length} cycles of ${cycles.map((cycle) => cycle.length).join(', ')} pieces. Each takes one exchange fewer: ${each}.`;
}

/** Draws arrows from the cells of pieces to their homes, with a colour for each cycle. @param {Board} board @param {Board} goal @param {number[][]} cycles */
function drawing(board, goal, cycles) {
  const [width, height] = [board.cols * CELL, board.rows * CELL];
  const cells = board.tiles.map((tile, cell) => pieceAt(board, tile, cell));
  const arrows = cycles.flatMap((cycle, at) => cycle.map((piece) =>
    arrow(centre(board, board.tiles.indexOf(piece)), centre(board, goal.tiles.indexOf(piece)), colourAt(at))));
  const text = cycles.map((cycle) => cycle.map((piece) => (piece === 0 ? 'blank' : piece)).join(' to ')).join('; ');
  return svg('svg', {
    class: 'drawing', viewBox: `-2 -2 ${width + 4} ${height + 4}`, width: width + 4, height: height + 4, role: 'img',
    'aria-label': text === '' ? 'All pieces are at home' : `Each piece points to its home. Cycles: ${text}`,
  }, cells, arrows);
}

/** @param {number} at */
function colourAt(at) {
  return `var(--c${(at % COLOUR_COUNT) + 1})`;
}

/** @param {Board} board @param {number} cell @returns {[number, number]} */
function centre(board, cell) {
  return [(cell % board.cols + 0.5) * CELL, (Math.floor(cell / board.cols) + 0.5) * CELL];
}

/** @param {Board} board @param {number} tile @param {number} cell */
function pieceAt(board, tile, cell) {
  const [x, y] = centre(board, cell);
  const half = CELL / 2 - 2;
  const frame = svg('rect', {
    x: x - half, y: y - half, width: 2 * half, height: 2 * half, rx: 7,
    fill: tile === 0 ? 'none' : 'var(--tile)', stroke: 'var(--line-strong)', 'stroke-dasharray': tile === 0 ? '4 4' : null,
  });
  // In a corner, because arrows go from centre to centre.
  return svg('g', null, frame, tile === 0 ? null : svg('text', { x: x - half + 12, y: y - half + 12 }, tile));
}

/** Draws a curved arrow, so that the two arrows of an exchange do not overlap. @param {[number, number]} from @param {[number, number]} to @param {string} colour */
function arrow(from, to, colour) {
  const [across, down] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(across, down);
  const bend = Math.min(18, length * 0.2) / length;
  const middle = [(from[0] + to[0]) / 2 - down * bend * 1.6, (from[1] + to[1]) / 2 + across * bend * 1.6];
  const tangent = Math.atan2(to[1] - middle[1], to[0] - middle[0]);
  const wing = (/** @type {number} */ turn) =>
    `${to[0] - HEAD * 1.5 * Math.cos(tangent + turn)} ${to[1] - HEAD * 1.5 * Math.sin(tangent + turn)}`;
  return svg('g', { stroke: colour, fill: 'none', 'stroke-width': 2.5, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' },
    svg('circle', { cx: from[0], cy: from[1], r: 3, fill: colour }),
    svg('path', { d: `M${from.join(' ')} Q${middle.join(' ')} ${to.join(' ')}` }),
    svg('path', { d: `M${wing(0.45)} L${to.join(' ')} L${wing(-0.45)}` }));
}
