// @ts-check
// Picture of the parity argument: the cycles of pieces as arrows on the board, and the two numbers whose parities
// have to agree.

import { el, plural } from '../dom.js';
import { drawBoard, drawCycle } from './drawing.js';
import { useStyles } from './styles.js';

/** @typedef {import('../board.js').Board} Board */
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

/** Creates the argument for a board. @param {Board} board @param {Solvable} solvable @returns {HTMLElement} */
export function parityFigure(board, solvable) {
  useStyles('views/later.css');
  useStyles('views/learn.css');
  const { transpositions, blank_distance: distance } = solvable;
  const verdict = solvable.is_solvable
    ? 'Here they agree, so moves lead to the goal.'
    : 'Here they differ, so no moves lead to the goal.';
  return el('div', { class: 'parity' },
    el('h3', null, solvable.is_solvable ? 'Why it can be solved' : 'Why it cannot be solved'),
    picture(board, solvable.cycles),
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

/** @param {string} title @param {number} number @param {string} text */
function scale(title, number, text) {
  return el('div', null, el('p', { class: 'small muted' }, title), el('p', null, el('strong', null, `${number}, ${parityOf(number)}`)), el('p', { class: 'small muted' }, text));
}

/** @param {number[][]} cycles */
function cyclesText(cycles) {
  if (cycles.length === 0) return 'All pieces are at home.';
  const each = cycles.map((cycle) => cycle.length - 1).join(' + ');
  if (cycles.length === 1) return `One cycle of ${cycles[0].length} pieces takes one exchange fewer: ${each}.`;
  return `${cycles.length} cycles of ${cycles.map((cycle) => cycle.length).join(', ')} pieces. Each takes one exchange fewer: ${each}.`;
}

/** Draws arrows from the cells of pieces to their homes, with a colour for each cycle. @param {Board} board @param {number[][]} cycles */
function picture(board, cycles) {
  const text = cycles.map((cycle) => cycle.map((piece) => (piece === 0 ? 'blank' : piece)).join(' to ')).join('; ');
  const drawing = drawBoard(board, text === '' ? 'All pieces are at home' : `Each piece points to its home. Cycles: ${text}`);
  cycles.forEach((cycle, at) => drawCycle(drawing, cycle, at));
  return drawing.element;
}
