// @ts-check
// Tables of the solves in this browser, with averages.

import * as puzzle from '../board.js';
import { button, el, fill, formatClock, plural, saveFile } from '../dom.js';
import { nameOfGoal } from '../store.js';
import { aboveOf, averageOf, bestAverageOf, csvOf, meanOf, rateOf } from './solve-figures.js';

/** @typedef {import('../main.js').Context} Context */
/** @typedef {import('../sessions.js').Solve} Solve */

const SHOWN_FIRST = 5;
/** Index of the column of the optimum. */
const OPTIMUM_AT = 3;

/** @param {Context} ctx @returns {{ element: HTMLElement, show: () => void }} */
export function createSolves({ store, sessions, announce }) {
  const averages = el('div', { class: 'scrolls', tabindex: 0, role: 'region', 'aria-label': 'Times' });
  const note = el('p', { class: 'muted small' }, 'An average leaves out the best and the worst time, and is the mean of the others. A mean leaves out nothing.');
  const table = el('div', { class: 'scrolls', tabindex: 0, role: 'region', 'aria-label': 'Solves' });
  const all = button('', () => { isWhole = !isWhole; show(); }, { class: 'quiet' });
  const save = button('Save as CSV', onSave);
  const clear = button('Clear', onClear, { class: 'quiet' });
  const row = el('div', { class: 'row' }, all, save, clear);
  const element = el('div', { class: 'stack' }, averages, note, table, row);
  let shape = '';
  let isWhole = false;
  let isSure = false;

  function onSave() {
    saveFile(new Blob([csvOf(sessions.list())], { type: 'text/csv' }), 'tilebase-solves.csv');
  }

  // Needs a second press, because clearing cannot be undone.
  function onClear() {
    if (isSure) {
      sessions.clear(shape);
      announce('The solves are cleared.');
    }
    isSure = !isSure;
    show();
  }

  /** Shows the solves of the board's shape. */
  function show() {
    const now = puzzle.shapeOf(store.state.board);
    if (now !== shape) isWhole = isSure = false;
    shape = now;
    const solves = sessions.list(shape);
    const isEmpty = solves.length === 0;
    for (const part of [averages, note, table, clear]) part.hidden = isEmpty;
    element.hidden = sessions.list().length === 0;
    all.hidden = solves.length <= SHOWN_FIRST;
    all.textContent = isWhole ? 'Show the last ones' : `Show all ${solves.length}`;
    clear.textContent = isSure && !isEmpty ? `Press again to clear ${plural(solves.length, 'solve')}` : 'Clear';
    if (isEmpty) isSure = false;
    else fill(averages, averageTable(solves));
    if (!isEmpty) fill(table, solveTable(solves, isWhole ? solves.length : SHOWN_FIRST, linkOf));
  }

  /** @param {Solve} solve */
  function linkOf(solve) {
    const [start, goal] = [puzzle.parse(solve.start), puzzle.parse(solve.goal)];
    const game = { start, board: start, goal, goalName: nameOfGoal(goal), done: puzzle.directionsOf(solve.moves) };
    return new URL(store.linkTo({ ...game, view: 'play' })).hash;
  }

  return { element, show };
}

/** @param {number | null} milliseconds */
function time(milliseconds) {
  return milliseconds === null ? '–' : formatClock(milliseconds);
}

/** @param {number | null} number @param {number} digits */
function fixed(number, digits) {
  return number === null ? '–' : number.toFixed(digits);
}

/** @param {readonly Solve[]} solves */
function averageTable(solves) {
  const times = solves.map(({ milliseconds }) => milliseconds);
  const above = solves.map(aboveOf).filter((number) => number !== null);
  const rows = [
    ['Time', time(times.at(-1) ?? null), time(Math.min(...times))],
    ['Average of 5', time(averageOf(times, 5)), time(bestAverageOf(times, 5))],
    ['Average of 12', time(averageOf(times, 12)), time(bestAverageOf(times, 12))],
  ];
  const rates = solves.map(rateOf).filter((rate) => rate !== null);
  return [
    el('table', { class: 'figure-table' },
      el('thead', null, el('tr', null, ['', 'Last', 'Best'].map((name, at) =>
        el('th', { scope: 'col', class: at > 0 ? 'is-number' : null }, name === '' ? el('span', { class: 'hidden-text' }, 'Figure') : name)))),
      el('tbody', null, rows.map(([name, last, best]) => el('tr', null, el('th', { scope: 'row' }, name),
        el('td', { class: 'is-number' }, last), el('td', { class: 'is-number' }, best))))),
    el('p', { class: 'small means' }, `Means of ${plural(solves.length, 'solve')}: ${time(meanOf(times))}, `
      + `${fixed(meanOf(solves.map(({ moves }) => moves.length)), 1)} moves, ${fixed(meanOf(above), 1)} above the optimum, `
      + `${fixed(meanOf(rates), 2)} moves a second.`),
  ];
}

/** Returns the class of a column of solves. @param {number} at */
function classOf(at) {
  if (at === 0) return null;
  return at === OPTIMUM_AT ? 'is-number of-optimum' : 'is-number';
}

/** Creates the table of the last solves, the newest first. @param {readonly Solve[]} solves @param {number} count @param {(solve: Solve) => string} linkOf */
function solveTable(solves, count, linkOf) {
  const names = ['', 'Time', 'Moves', 'Optimum', 'Above', 'Moves / s', ''];
  const shown = solves.map((solve, at) => ({ solve, number: at + 1 })).slice(-count).reverse();
  return el('table', { class: 'figure-table' },
    el('thead', null, el('tr', null, names.map((name, at) =>
      el('th', { scope: 'col', class: classOf(at) }, name !== '' ? name : el('span', { class: 'hidden-text' }, at === 0 ? 'Number' : 'Game'))))),
    el('tbody', null, shown.map(({ solve, number }) => el('tr', null, el('th', { scope: 'row' }, number),
      [time(solve.milliseconds), solve.moves.length, solve.optimum ?? '–', aboveOf(solve) ?? '–', fixed(rateOf(solve), 2)]
        .map((text, at) => el('td', { class: classOf(at + 1) }, text)),
      el('td', { class: 'is-number' }, el('a', { href: linkOf(solve), 'aria-label': `Review solve ${number}` }, 'Review'))))));
}
