// @ts-check
// View for solving: bounds and nodes during a search, then the solution to watch and to copy.

import { button, el, field, fill, formatCount, formatRough, formatSeconds, optionsOf, plural, select } from '../dom.js';
import * as puzzle from '../board.js';
import { goalParameter, queryOf } from '../store.js';
import { detailOf, sentence } from '../api.js';
import { choicesFor } from './choices.js';
import { useStyles } from './styles.js';
import { createGrowthChart, barsOf } from './growth-chart.js';
import { createAnimationLinks, createMovesText } from './moves-text.js';
import { createPlayer } from './player.js';
import { mountRace } from './race.js';
import { lowerBoundOf, startSearch } from './search.js';
import { createTableOffer, leadFor, worthwhile } from './table-offer.js';

/** @typedef {import('../main.js').Context} Context */
/** @typedef {import('../store.js').State} State */
/** @typedef {import('./search.js').Search} Search */
/**
 * Search with its request.
 * @typedef {object} Run
 * @property {State} state
 * @property {string | null} weight of a quick search; null: search for a shortest solution
 * @property {import('./search.js').Running} running
 */

/** Last search. It stays while other views are open. @type {Run | null} */
let kept = null;
/** View that shows the search, null while it is closed. @type {{ progress: (run: Run) => void, ended: (run: Run, search: Search) => void } | null} */
let screen = null;
let threads = 'all';

/** Smallest number of cells for which a quick solution is offered, because a shortest one may take long. */
const QUICK_CELLS_MIN = 16;
/** Weights of quick searches, the quickest first. A solution has at most `weight` times the moves of a shortest one. */
const WEIGHTS = ['5', '3', '2', '3/2', '5/4'];
/** Returns the first weight. The largest shape needs more memory for the boards that quick searches keep. */
const firstWeight = (/** @type {puzzle.Board} */ { tiles }) => (tiles.length > 25 ? '5' : '3');

/** @param {HTMLElement} container @param {Context} ctx */
export function mount(container, ctx) {
  useStyles('views/solve.css');
  const heuristics = select([{ value: ctx.store.state.spec ?? '', text: ctx.store.state.spec ?? 'the best' }], '',
    { on: { change: () => ctx.store.setSpec(heuristics.value === '' ? null : heuristics.value) } });
  const searches = select([{ value: 'all', text: 'all threads' }, { value: 'idastar', text: 'one thread, plain IDA*' }], threads, { on: { change: () => { threads = searches.value; } } });
  const solve = button('Find a shortest solution', () => begin(), { class: 'primary' });
  const quick = button('Find a quick solution', () => begin(null, firstWeight(ctx.store.state.board)), { title: 'It may have more moves than a shortest one, and says how many more at most' });
  const stop = button('Stop', () => kept?.running.stop(), { hidden: true });
  const advice = el('div', { hidden: true });
  let advising = new AbortController();
  const live = createLive();
  const result = el('div', { class: 'stack' });
  const race = el('section', { class: 'race card' });
  /** @type {ReturnType<typeof createPlayer> | null} */
  let player = null;
  fill(container, el('div', { class: 'solve stack' },
    el('section', { class: 'card stack' },
      el('h2', {}, 'Solve'),
      el('div', { class: 'row' }, field('Heuristic', heuristics), field('Search', searches)),
      el('div', { class: 'row' }, solve, quick, stop), advice, result, live.element),
    race));
  const raceView = mountRace(race, ctx);
  screen = { progress, ended };
  showQuick(ctx.store.state);
  offer();
  if (kept) show(kept);

  /**
   * @param {string | null} [time] time limit; null: the server's default
   * @param {string | null} [weight] of a quick search
   */
  function begin(time = null, weight = null) {
    player?.stop();
    kept?.running.stop();
    const state = ctx.store.state;
    const search = weight !== null ? `weighted-astar:${weight}` : threads === 'idastar' ? threads : null;
    const params = { ...queryOf(state), moves: 'tile', search, time_limit: time };
    /** @type {Run} */
    const run = { state, weight, running: startSearch(ctx.api, params, () => { if (kept === run) screen?.progress(run); }) };
    kept = run;
    show(run);
    ctx.announce('The search has begun.');
    run.running.finished.then((search) => { if (kept === run) screen?.ended(run, search); });
  }

  /** @param {Run} run */
  function show(run) {
    fill(result);
    player = null;
    progress(run);
    if (isOver(run.running.search)) showResult(run);
  }

  /** @param {Run} run */
  function progress(run) {
    stop.hidden = isOver(run.running.search);
    live.update(run.running.search);
  }

  /** @param {Run} run @param {Search} search */
  function ended(run, search) {
    const hadFocus = document.activeElement === stop;
    progress(run);
    if (hadFocus) solve.focus();
    showResult(run);
    // On a phone, the answer would be out of sight.
    (result.querySelector('.player') ?? result.firstElementChild)?.scrollIntoView({ block: 'nearest' });
    ctx.announce(headlineOf(search));
  }

  /** @param {Run} run */
  function showResult(run) {
    const { search } = run.running;
    /** @type {(HTMLElement | null)[]} */
    const parts = [el('p', { class: search.phase === 'failed' ? 'problem' : 'headline' }, headlineOf(search)), stale(run)];
    if (search.record?.status === 'solved') parts.push(shorter(run));
    if (['optimal', 'solved'].includes(search.record?.status)) parts.push(...solutionOf(run));
    if (search.record?.status === 'unsolvable') parts.push(otherGoals(run));
    if (search.record?.status === 'limit') parts.push(run.weight === null ? goOn(search.record) : longer(run));
    if (search.phase === 'failed' && ctx.store.state.spec !== null) parts.push(otherSpec());
    fill(result, parts);
  }

  /** @param {Run} run */
  function solutionOf(run) {
    const moves = puzzle.directionsOf(run.running.search.record.moves ?? '');
    const text = createMovesText(run.state.board, moves, ctx, { goal: run.state.goal, goalName: run.state.goalName });
    const shown = { board: puzzle.format(run.state.board), goal: goalParameter(run.state), spec: run.state.spec, sequence: puzzle.lettersOf(moves) };
    const isHere = puzzle.equal(ctx.store.state.board, run.state.board);
    player = isHere ? createPlayer({ start: run.state.board, goal: run.state.goal, moves, ctx, onStep: (at) => text.setPosition(at) }) : null;
    if (moves.length === 0) return [];
    return [player?.element ?? null, text.element, createAnimationLinks(shown, run.running.search.record.spec.includes('/'), ctx)];
  }

  /** Offers a search with a smaller weight, for a shorter solution. @param {Run} run */
  function shorter(run) {
    const next = WEIGHTS[WEIGHTS.indexOf(run.weight ?? '') + 1];
    return next === undefined || !isAbout(run, ctx.store.state) ? null
      : el('div', { class: 'row' }, button('Look for a shorter one', () => begin(null, next)));
  }

  /** Offers a search with a larger weight, which takes less time and memory. @param {Run} run */
  function longer(run) {
    const next = WEIGHTS[WEIGHTS.indexOf(run.weight ?? '') - 1];
    return next === undefined || !isAbout(run, ctx.store.state) ? null
      : el('div', { class: 'row' }, button('Accept a longer one', () => begin(null, next)));
  }

  // The board has changed since the search. Its solution stays readable, and the user can go back to it.
  /** @param {Run} run */
  function stale(run) {
    if (isAbout(run, ctx.store.state)) return null;
    return el('div', { class: 'note row' }, el('span', {}, 'This is about another board.'),
      button('Go back to that board', () => ctx.store.setBoard(run.state.board, { goal: run.state.goal, goalName: run.state.goalName })));
  }

  /** Explains how to continue after a limit of the server has ended the search. @param {{ limit: string, seconds: number, next_time_limit?: string }} record */
  function goOn({ limit, seconds, next_time_limit: time }) {
    if (time) {
      return el('div', { class: 'row' }, el('span', {}, `The search took ${formatSeconds(seconds)}.`),
        button(`Search again, for up to ${formatSeconds(parseFloat(time))}`, () => begin(time)));
    }
    const option = { time: '--time-limit 10min', nodes: '--node-limit 200000000000' }[limit];
    return option === undefined ? null : el('p', { class: 'note small' },
      `This is the server's limit for a search. After ${formatSeconds(seconds)}, better tables help most. To raise the limit, the owner of the server can start it with `,
      el('code', {}, `tilebase serve ${option}`), '.');
  }

  function otherSpec() {
    return el('div', { class: 'row' }, el('span', {}, 'Choose another heuristic above, or'),
      button('Use the best tables', () => {
        ctx.store.setSpec(null);
        begin();
      }));
  }

  /** @param {Run} run */
  function otherGoals(run) {
    const { rows, cols } = run.state.board;
    const goals = (run.running.search.record.solvable_with ?? []).filter(puzzle.isGoalName);
    return goals.length === 0 || !isAbout(run, ctx.store.state) ? null : el('div', { class: 'row' }, el('span', {}, 'Moves lead to another goal:'),
      goals.map((/** @type {string} */ name) => button(`Make ${name.replace('-', ' ')} the goal`, () => ctx.store.setGoal(puzzle.goalOf(name, rows, cols), name))));
  }

  /** @param {State} state */
  function showQuick(state) {
    quick.hidden = state.board.tiles.length < QUICK_CELLS_MIN;
  }

  async function offer() {
    const { state } = ctx.store;
    advising.abort();
    const { signal } = advising = new AbortController();
    try {
      const { names, best, toBuild } = await choicesFor(ctx.api, state.board, goalParameter(state));
      if (signal.aborted) return;
      const own = state.spec !== null && !names.includes(state.spec) ? [state.spec] : [];
      fill(heuristics, optionsOf([{ value: '', text: `the best: ${best}` }, ...names, ...own], ctx.store.state.spec ?? ''));
      const tables = worthwhile(state.board, toBuild);
      fill(advice, tables && createTableOffer(ctx.api, tables, {
        goal: goalParameter(state), lead: leadFor(state.board), onBuilt: () => void offer(), announce: ctx.announce, signal,
      }));
      advice.hidden = tables === null;
    } catch (error) {
      fill(advice, el('p', { class: 'problem' }, detailOf(error)));
      advice.hidden = false;
    }
  }

  return {
    /** @param {State} state @param {State} before */
    update(state, before) {
      showQuick(state);
      if (state.spec !== before.spec) heuristics.value = state.spec ?? '';
      const isOther = !puzzle.equal(state.board, before.board) || !puzzle.equal(state.goal, before.goal);
      if (isOther && (!puzzle.isSameShape(state.board, before.board) || state.goalName !== before.goalName)) offer();
      if (isOther && kept) {
        if (!isOver(kept.running.search)) kept.running.stop();
        else refresh(kept);
      }
      raceView.update(state, before);
    },
    unmount() {
      screen = null;
      advising.abort();
      player?.stop();
      raceView.unmount();
      live.destroy();
    },
  };

  /** @param {Run} run */
  function refresh(run) {
    player?.stop();
    showResult(run);
  }
}

/** @param {Search} search */
function isOver(search) {
  return search.phase !== 'waiting' && search.phase !== 'running';
}

/** @param {Run} run @param {State} state */
function isAbout(run, state) {
  return puzzle.equal(run.state.board, state.board) && puzzle.equal(run.state.goal, state.goal);
}

/** Texts for the limits of a search. @type {Record<string, string>} */
const LIMITS = {
  time: 'the time limit of a search was reached',
  nodes: 'the node limit of a search was reached',
  memory: 'the memory was full',
  interrupted: 'it was interrupted',
};

/** Returns the result of a search, in one or two sentences. @param {Search} search */
function headlineOf(search) {
  const { record } = search;
  if (search.phase === 'failed') return search.problem ?? 'The search failed.';
  if (search.phase === 'stopped') return `The search was stopped.${boundSentence(lowerBoundOf(search))}`;
  if (!record) return '';
  if (record.status === 'optimal') return record.length === 0 ? 'The board is the goal.' : `A shortest solution has ${plural(record.length, 'move')}.`;
  if (record.status === 'solved') return quickHeadline(record);
  if (record.status === 'unsolvable') return sentence(record.reason ?? 'no moves lead to this goal');
  return `The search ended early: ${LIMITS[record.limit] ?? 'a limit was reached'}.${boundSentence(lowerBoundOf(search))}`;
}

/** Returns the sentence about a quick solution with its proved bound. @param {{ length: number, lower_bound: number }} record */
function quickHeadline({ length, lower_bound: bound }) {
  const ratio = (Math.ceil((length / bound) * 100) / 100).toFixed(2);
  return `A quick solution has ${plural(length, 'move')}. It is proved that none has fewer than ${bound}, so it is at most ${ratio} times the shortest.`;
}

/** @param {number | null} bound */
function boundSentence(bound) {
  return bound === null ? '' : ` No solution has fewer than ${plural(bound, 'move')}.`;
}

/** Creates the counters, the chart and its table. */
function createLive() {
  const values = { bound: el('dd'), nodes: el('dd'), rate: el('dd'), time: el('dd') };
  const chart = createGrowthChart(['nodes']);
  const rows = el('tbody');
  const table = el('details', {}, el('summary', {}, 'Bounds as a table'),
    el('div', { class: 'scrolling', tabindex: 0, role: 'region', 'aria-label': 'Table of bounds' }, el('table', { class: 'figure-table' },
      el('thead', {}, el('tr', {}, ['Bound', 'Nodes generated', 'Growth'].map((name) => el('th', { scope: 'col' }, name)))), rows)));
  const element = el('div', { class: 'stack', hidden: true },
    el('dl', { class: 'counters' },
      counter('Bound', values.bound), counter('Nodes', values.nodes), counter('Nodes a second', values.rate), counter('Time', values.time)),
    chart.element, table);
  return {
    element,
    destroy: chart.destroy,
    /** @param {Search} search */
    update(search) {
      element.hidden = false;
      values.bound.textContent = boundText(search);
      values.nodes.textContent = search.phase === 'running' ? formatRough(search.generated) : formatCount(search.generated);
      values.rate.textContent = search.nodesPerSecond === null ? '–' : formatRough(search.nodesPerSecond);
      values.time.textContent = search.phase === 'waiting' ? 'waits' : formatSeconds(search.seconds).replace('less than', '<');
      chart.update([search]);
      table.hidden = chart.element.hidden;
      fill(rows, barsOf(search).map((bar, at, bars) => boundRow(bar, bars[at - 1])));
    },
  };
}

/** @param {string} name @param {HTMLElement} value */
function counter(name, value) {
  return el('div', {}, el('dt', {}, name), value);
}

/** @param {Search} search */
function boundText(search) {
  if (search.record?.status === 'optimal') return String(search.record.length);
  return String(lowerBoundOf(search) ?? '–');
}

/** @param {import('./growth-chart.js').Bar} bar @param {import('./growth-chart.js').Bar | undefined} before */
function boundRow(bar, before) {
  const growth = before && bar.kind === 'done' ? `× ${(bar.generated / before.generated).toFixed(2)}` : '';
  const what = { done: '', running: ' (runs)', found: ' (solution found)', ended: ' (ended)' }[bar.kind];
  return el('tr', {}, el('th', { scope: 'row' }, `${bar.bound}${what}`), el('td', {}, formatCount(bar.generated)), el('td', {}, growth));
}
