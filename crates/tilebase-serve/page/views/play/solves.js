// @ts-check
// The sessions of this browser: averages, trend, and the list of solves.

import { detailOf } from '../../api.js';
import * as puzzle from '../../board.js';
import { button, el, field, figureTable, fill, formatClock, optionsOf, plural, say, select, svg } from '../../dom.js';
import { PENALTIES, helpOf } from '../../sessions.js';
import { nameOfGoal } from '../../store.js';
import { createChart, levelLines } from '../chart.js';
import { fileButton, saveFile } from '../user-files.js';
import { ticksTo } from '../scale.js';
import { aboveOf, averageOf, bestAverageOf, csvOf, jsonOf, meanOf, rateOf, solvesIn, timeOf } from './solve-figures.js';
import { useStyles } from '../styles.js';

/** @typedef {import('../../main.js').Context} Context */
/** @typedef {import('../../sessions.js').Solve} Solve */

const SHOWN_FIRST = 5;
const AVERAGES = [5, 12, 50, 100];
/** Value of the choice of another session. No name begins with a space. */
const ANOTHER = ' another';
const CHART = { height: 160, top: 22, right: 10, bottom: 36, left: 40 };

/** @param {Context} ctx @returns {{ element: HTMLElement, show: () => void }} */
export function createSolves({ store, sessions, announce }) {
  useStyles('views/later.css');
  useStyles('views/solve.css');
  const names = el('select', { on: { change: onSession } });
  const name = el('input', { type: 'text', 'aria-label': 'Name of the session', maxlength: 60, required: true, autocomplete: 'off' });
  const naming = el('form', { class: 'row', hidden: true, on: { submit: onName } }, name, el('button', { type: 'submit' }, 'Use this name'));
  const inspection = el('input', { type: 'checkbox', on: { change: () => sessions.choose({ hasInspection: inspection.checked }) } });
  const averages = el('div', { class: 'scrolls', tabindex: 0, role: 'region', 'aria-label': 'Times' });
  /** Solves of the session and the board's shape. @type {readonly Solve[]} */
  let solves = [];
  const trend = createChart(CHART.height, (width) => trendOf(solves, width), { class: 'trend' });
  const caption = el('figcaption', { class: 'muted small' });
  const chart = el('figure', null, trend.element, caption);
  const table = el('div', { class: 'scrolls', tabindex: 0, role: 'region', 'aria-label': 'Solves' });
  const all = button('', () => { isWhole = !isWhole; show(); }, { class: 'quiet' });
  const clear = button('Clear', onClear, { class: 'quiet' });
  const files = fileButton('Load a file', { accept: '.csv,.json', 'aria-label': 'File of solves' }, onFile);
  const problem = el('p', { class: 'problem', role: 'alert', hidden: true });
  const element = el('div', { class: 'stack' },
    el('div', { class: 'row' }, field('Session', names, { class: 'field grow' }), button('Rename', () => ask(sessions.name), { class: 'quiet' })), naming,
    averages, chart, table,
    el('div', { class: 'row' }, all, button('Save as CSV', () => save('csv', csvOf)), button('Save as JSON', () => save('json', jsonOf)),
      files, clear), problem,
    el('label', { class: 'toggle small' }, inspection, '15 seconds to inspect a new board'),
    el('p', { class: 'muted small' }, 'An average leaves out the best and the worst twentieth of its times. A slide is a tile, or a line of tiles, in one direction. A star marks hints or undone moves.'));
  let shape = '';
  let isWhole = false;
  let isSure = false;
  let isNew = false;

  function onSession() {
    if (names.value === ANOTHER) return ask('');
    sessions.choose({ name: names.value });
  }

  /** Asks for a name: of another session if it is empty, or of this one. @param {string} now */
  function ask(now) {
    isNew = now === '';
    naming.hidden = false;
    name.value = now;
    name.focus();
  }

  /** @param {Event} event */
  function onName(event) {
    event.preventDefault();
    const wanted = name.value.trim();
    if (wanted === '') return;
    naming.hidden = true;
    if (isNew) sessions.choose({ name: wanted });
    else sessions.rename(wanted);
    names.focus();
  }

  /** @param {string} ending @param {(solves: readonly Solve[]) => string} write */
  function save(ending, write) {
    saveFile(new Blob([write(sessions.all())], { type: ending === 'csv' ? 'text/csv' : 'application/json' }), `tilebase-solves.${ending}`);
  }

  /** @param {File[]} files */
  async function onFile([chosen]) {
    say(problem, '');
    try {
      const solves = solvesIn(await chosen.text());
      announce(`${plural(sessions.add(solves), 'solve')} added.`);
    } catch (error) {
      say(problem, `“${chosen.name}” cannot be read. ${detailOf(error)}`);
    }
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

  /** Shows the solves of the session and the board's shape. */
  function show() {
    const now = puzzle.shapeOf(store.state.board);
    if (now !== shape) isWhole = isSure = false;
    shape = now;
    solves = sessions.list(shape);
    const isEmpty = solves.length === 0;
    fill(names, optionsOf([...sessions.names(), { value: ANOTHER, text: 'Another session…' }], sessions.name));
    inspection.checked = sessions.hasInspection;
    for (const part of [averages, table, clear]) part.hidden = isEmpty;
    chart.hidden = solves.length < 2;
    say(caption, solves.length > AVERAGES[0] ? 'The line is the average of five.' : '');
    all.hidden = solves.length <= SHOWN_FIRST;
    all.textContent = isWhole ? 'Show the last ones' : `Show all ${solves.length}`;
    clear.textContent = isSure && !isEmpty ? `Press again to clear ${plural(solves.length, 'solve')}` : 'Clear';
    if (isEmpty) isSure = false;
    else fill(averages, averageTable(solves));
    if (!chart.hidden) trend.draw();
    if (!isEmpty) fill(table, solveTable(solves, isWhole ? solves.length : SHOWN_FIRST));
  }

  /** Creates the table of the last solves, the newest first. @param {readonly Solve[]} solves @param {number} count */
  function solveTable(solves, count) {
    const heads = [hidden('Number'), 'Time', 'Moves / slides', 'Optimum', 'Above', 'A second', hidden('Actions')];
    const shown = solves.map((solve, at) => ({ solve, number: at + 1 })).slice(-count).reverse();
    return figureTable(heads, shown.map(({ solve, number }) => {
      const slides = puzzle.slidesOf(solve.moves);
      const rates = [solve.moves.length, slides].map((made) => fixed(rateOf(made, solve.milliseconds), 1)).join(' / ');
      const named = el('span', { title: helpOf(solve) }, `${number}${helpOf(solve) === '' ? '' : '*'}`);
      return [named, penalized(solve), `${solve.moves.length} / ${slides}`, solve.optimum ?? '–', aboveOf(solve) ?? '–', rates, actions(solve, number)];
    }));
  }

  /** @param {Solve} solve @param {number} number */
  function actions(solve, number) {
    return el('div', { class: 'row of-solve' }, penaltyChoice(sessions, solve, { 'aria-label': `Penalty of solve ${number}` }), el('a', { href: linkOf(solve), 'aria-label': `Review solve ${number}` }, 'Review'),
      button('✕', () => sessions.remove(solve.at), { class: 'quiet icon-button', 'aria-label': `Delete solve ${number}`, title: 'Delete' }));
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
  if (milliseconds === Infinity) return 'DNF';
  return milliseconds === null ? '–' : formatClock(milliseconds);
}

/** @param {Solve} solve */
function penalized(solve) {
  return solve.penalty === 'DNF' ? `DNF (${time(solve.milliseconds)})` : `${time(timeOf(solve))}${solve.penalty === '+2' ? '+' : ''}`;
}

/** @param {number | null} number @param {number} digits */
function fixed(number, digits) {
  return number === null ? '–' : number.toFixed(digits);
}

/** @param {readonly Solve[]} solves */
function averageTable(solves) {
  const times = solves.map(timeOf);
  const finished = solves.filter(({ penalty }) => penalty !== 'DNF');
  const above = solves.map(aboveOf).filter((number) => number !== null);
  const rows = [
    ['Time', time(times.at(-1) ?? null), time(Math.min(...times))],
    ...AVERAGES.filter((count) => count <= Math.max(AVERAGES[1], times.length))
      .map((count) => [`Average of ${count}`, time(averageOf(times, count)), time(bestAverageOf(times, count))]),
  ];
  const mean = (/** @type {(solve: Solve) => number | null} */ figureOf) => meanOf(finished.map(figureOf).filter((number) => number !== null));
  return [
    figureTable([hidden('Figure'), 'Last', 'Best'], rows),
    el('p', { class: 'small means' }, `Means of ${plural(finished.length, 'finished solve')}: ${time(mean(timeOf))}, `
      + `${fixed(mean(({ moves }) => moves.length), 1)} moves, ${fixed(mean(({ moves }) => puzzle.slidesOf(moves)), 1)} slides, ${fixed(meanOf(above), 1)} above the optimum; a second `
      + `${fixed(mean(({ moves, milliseconds }) => rateOf(moves.length, milliseconds)), 2)} moves and ${fixed(mean(({ moves, milliseconds }) => rateOf(puzzle.slidesOf(moves), milliseconds)), 2)} slides.`),
  ];
}

/** Creates the head of a column that shows by itself what it is. @param {string} text */
function hidden(text) {
  return el('span', { class: 'hidden-text' }, text);
}

/** Draws the times, and the average of five, in the order of the solves. @param {readonly Solve[]} solves @param {number} width */
function trendOf(solves, width) {
  const times = solves.map(timeOf);
  const most = Math.max(1, ...times.filter(Number.isFinite));
  const { height, top, right, bottom, left } = CHART;
  const x = (/** @type {number} */ at) => left + 6 + (at / Math.max(1, times.length - 1)) * (width - left - right - 6);
  const y = (/** @type {number} */ value) => height - bottom - (value / most) * (height - top - bottom);
  const averages = times.map((_, at) => averageOf(times.slice(Math.max(0, at - 4), at + 1), 5));
  const points = averages.flatMap((value, at) => (value === null || !Number.isFinite(value) ? [] : [`${x(at).toFixed(1)} ${y(value).toFixed(1)}`]));
  // Tenths of a second, where whole ones would be too few.
  const unit = most < 4000 ? 100 : 1000;
  const levels = ticksTo(Math.floor(most / unit), 5).map((value) => ({ y: y(value * unit), text: (value * unit) / 1000 }));
  const numbers = ticksTo(times.length, width < 440 ? 6 : 10).filter((number) => number > 0);
  return {
    label: `Times of ${plural(solves.length, 'solve')}, from ${time(Math.min(...times))} to ${time(most)}`,
    parts: [...levelLines(levels, left, width - right), svg('text', { x: 0, y: 11 }, 'seconds'),
      ...numbers.map((number) => svg('text', { x: x(number - 1), y: height - bottom + 16, 'text-anchor': 'middle' }, number)),
      svg('text', { x: width - right, y: height - 4, 'text-anchor': 'end' }, 'solve'),
      ...times.map((value, at) => (Number.isFinite(value) ? svg('circle', { cx: x(at), cy: y(value), r: 3 }) : null)),
      points.length > 1 ? svg('path', { d: `M${points.join('L')}` }) : null],
  };
}

/** @typedef {import('../../sessions.js').Sessions} Sessions */

/** Creates the choice of a solve's penalty. @param {Sessions} sessions @param {Solve} solve @param {import('../../dom.js').Props} [props] */
function penaltyChoice(sessions, solve, props) {
  const choice = select(PENALTIES.map((value) => ({ value, text: value === '' ? 'OK' : value })), solve.penalty, {
    ...props, on: { change: () => sessions.setPenalty(solve.at, /** @type {Solve['penalty']} */ (choice.value)) },
  });
  return choice;
}

/** Creates the standing of the last solve in its session: its penalty, and the averages. @param {Sessions} sessions @param {Solve} solve */
export function createStanding(sessions, solve) {
  const said = el('span');
  const choice = penaltyChoice(sessions, solve);
  function show() {
    const solves = sessions.list(solve.shape);
    choice.value = solves.at(-1)?.penalty ?? '';
    const times = solves.map(timeOf);
    const averages = AVERAGES.filter((count) => count <= times.length).map((count) => `average of ${count} ${time(averageOf(times, count))}`);
    said.textContent = `Solve ${times.length} of ${sessions.name}: ${[`best ${time(Math.min(...times))}`, ...averages].join(', ')}.`;
  }
  show();
  return { element: el('div', { class: 'row' }, field('Penalty', choice, { class: 'row' }), said), show };
}
