// @ts-check
// View for solving: bounds, nodes and the best solution during a search, to watch and to copy.

import { button, el, field, figureTable, fill, formatCount, formatSeconds, optionsOf, plural, say, select } from '../../dom.js';
import * as puzzle from '../../board.js';
import { goalParameter, isSameQuestion, queryOf } from '../../store.js';
import { createNewest, detailOf, sentence } from '../../api.js';
import { boundsOf, isExact, onLearned } from '../../bounds.js';
import { createBoundsBar } from './bounds-bar.js';
import { choicesFor } from './choices.js';
import { createDrawer } from '../drawer.js';
import { sentenceOf } from '../length.js';
import { useStyles } from '../styles.js';
import { createGrowthChart, barsOf } from './growth-chart.js';
import { createAnimationLinks, createMovesText } from './moves-text.js';
import { createPlayer } from '../player.js';
import { mountRace } from './race.js';
import { createCounters } from './counters.js';
import { startSearch } from './search.js';
import { createTableOffer, leadFor, worthwhile } from '../table-offer.js';

/** @typedef {import('../../main.js').Context} Context */
/** @typedef {import('../../bounds.js').Bounds} Bounds */
/** @typedef {import('../../store.js').State} State */
/** @typedef {import('./search.js').Search} Search */
/** Search with its question. @typedef {{ state: State, running: import('./search.js').Running }} Run */
/** @typedef {import('../../board.js').Direction} Direction */
/** Solution on the page. @typedef {{ state: State, moves: readonly Direction[], player: ReturnType<typeof createPlayer> | null }} Shown */

/** Last search. It stays while other views are open. @type {Run | null} */
let kept = null;
/** View that shows the search, null while it is closed. @type {{ progress: (run: Run) => void, ended: (run: Run) => void } | null} */
let screen = null;
/** Choices of the search: for a shortest solution, or for the best one of a time. */
const WAYS = [{ value: 'all', text: 'all threads' }, { value: 'idastar', text: 'one thread, plain IDA*' },
  { value: '2s', text: 'best of 2 s' }, { value: '10s', text: 'best of 10 s' }, { value: '60s', text: 'best of 1 min' }];
let way = 'all';

/** @param {HTMLElement} container @param {Context} ctx */
export function mount(container, ctx) {
  useStyles('views/solve.css');
  const heuristics = select([{ value: ctx.store.state.spec ?? '', text: ctx.store.state.spec ?? 'the default' }], '',
    { on: { change: () => ctx.store.set({ spec: heuristics.value === '' ? null : heuristics.value }) } });
  const searches = select(WAYS, way, { on: { change: () => {
    way = searches.value;
    solve.textContent = nameOfSearch();
  } } });
  const solve = button(nameOfSearch(), () => begin(), { class: 'primary' });
  const stop = button('Stop', () => kept?.running.stop(), { hidden: true });
  const advice = el('div', { hidden: true });
  const advising = createNewest();
  const live = createLive();
  const problem = el('p', { class: 'problem', hidden: true });
  const headline = el('p', { class: 'headline', hidden: true });
  const bar = createBoundsBar();
  const actions = el('div', { class: 'stack', hidden: true });
  const newer = el('div', { class: 'note row', hidden: true });
  const solution = el('div', { class: 'stack', hidden: true });
  const race = el('section', { class: 'race card' });
  const own = createDrawer(ctx, 'Your own board', () => import('../board-text.js'));
  /** @type {Shown | null} */
  let shown = null;
  let usual = '';
  const form = el('div', { class: 'stack' },
    el('div', { class: 'row' }, field('Heuristic', heuristics), field('Search', searches)), el('div', { class: 'row' }, solve, stop));
  fill(container, el('div', { class: 'solve stack' },
    el('section', { class: 'card stack' },
      el('h2', {}, 'Solve'), own.element, form, advice, problem, headline, bar.element, actions, newer, solution, live.element),
    race));
  const raceView = mountRace(race, ctx);
  screen = { progress, ended };
  offer();
  const forget = onLearned(refresh);
  if (kept) progress(kept);
  refresh();

  /** @param {string | null} [time] time limit; null: the server's default */
  function begin(time = null) {
    kept?.running.stop();
    const state = ctx.store.state;
    const within = isTimed() && time === null ? way : null;
    const params = { ...queryOf(state), moves: 'tile', search: way === 'idastar' ? way : null, within, time_limit: time };
    /** @type {Run} */
    const run = { state, running: startSearch(ctx.api, state, params, () => { if (kept === run) screen?.progress(run); }) };
    kept = run;
    progress(run);
    refresh();
    ctx.announce('The search has begun.');
    run.running.finished.then(() => { if (kept === run) screen?.ended(run); });
  }

  /** @param {Run} run */
  function progress(run) {
    stop.hidden = isOver(run.running.search);
    live.update(run.running.search);
  }

  /** @param {Run} run */
  function ended(run) {
    const hadFocus = document.activeElement === stop;
    const isNew = shown === null;
    progress(run);
    if (hadFocus) solve.focus();
    refresh();
    // On a phone, the answer would be out of sight.
    if (isNew) (solution.querySelector('.player') ?? headline).scrollIntoView({ block: 'nearest' });
    ctx.announce(`${problem.textContent} ${headline.textContent}`.trim());
  }

  /** Returns the board whose solution is shown: the page's, unless only that of the last search has a solution. */
  function shownState() {
    const { state } = ctx.store;
    if (kept === null || isSameQuestion(kept.state, state) || boundsOf(state)?.moves) return state;
    return boundsOf(kept.state)?.moves || kept.running.search.record?.status === 'unsolvable' ? kept.state : state;
  }

  /** Shows what is known of the board. */
  function refresh() {
    const state = shownState();
    const bounds = boundsOf(state);
    const run = kept !== null && isSameQuestion(kept.state, state) ? kept : null;
    const search = run?.running.search ?? null;
    say(problem, search?.phase === 'failed' ? search.problem ?? 'The search failed.' : '');
    say(headline, headlineOf(search, bounds));
    bar.update(search?.record?.status === 'unsolvable' ? null : bounds);
    fill(actions, stale(), run !== null && search !== null && actionsOf(run, search));
    actions.hidden = actions.childElementCount === 0;
    showSolution(state, bounds?.moves ?? null);
  }

  /** @param {Run} run @param {Search} search */
  function actionsOf(run, { phase, record }) {
    return [
      record?.status === 'unsolvable' ? otherGoals(run) : null,
      record?.limit ? goOn(record) : null,
      phase === 'failed' && ctx.store.state.spec !== null ? otherSpec() : null,
    ];
  }

  /** Shows a solution. While the user watches another one of the same board, only offers it. @param {State} state @param {readonly Direction[] | null} moves */
  function showSolution(state, moves) {
    newer.hidden = true;
    const isSame = shown !== null && isSameQuestion(shown.state, state) && (shown.player !== null) === isSameQuestion(ctx.store.state, state);
    if (isSame && moves !== null && shown?.moves.length === moves.length) return;
    if (isSame && moves !== null && isWatched()) {
      fill(newer, el('span', {}, `A solution of ${plural(moves.length, 'move')} is known now.`), button('Show it', () => replaceSolution(state, moves)));
      newer.hidden = false;
      return;
    }
    replaceSolution(state, moves);
  }

  function isWatched() {
    const { player } = shown ?? {};
    return player?.isPlaying || (player?.position ?? 0) > 0 || solution.contains(document.activeElement);
  }

  /** @param {State} state @param {readonly Direction[] | null} moves */
  function replaceSolution(state, moves) {
    shown?.player?.stop();
    newer.hidden = true;
    solution.hidden = moves === null || moves.length === 0;
    if (moves === null || moves.length === 0) {
      shown = null;
      fill(solution);
      return;
    }
    const { board, goal, goalName, spec } = state;
    const text = createMovesText(board, moves, ctx, { goal, goalName });
    const isHere = isSameQuestion(ctx.store.state, state);
    const player = isHere ? createPlayer({ start: board, goal, moves, ctx, onStep: (at) => text.setPosition(at) }) : null;
    const pictured = { board: puzzle.format(board), goal: goalParameter(state), spec, sequence: puzzle.lettersOf(moves) };
    if (isHere) ctx.store.noteHelp();
    const isFirst = shown === null || !isSameQuestion(shown.state, state);
    shown = { state, moves, player };
    fill(solution, player?.element, text.element, createAnimationLinks(pictured, (spec ?? usual).includes('/'), ctx));
    if (isFirst && kept !== null && !isOver(kept.running.search)) ctx.announce(`A solution of ${plural(moves.length, 'move')} is known.`);
  }

  // The board has changed since the search, and the user can go back to it.
  function stale() {
    if (kept === null || isSameQuestion(kept.state, ctx.store.state)) return null;
    const { state } = kept;
    return el('div', { class: 'note row' }, el('span', {}, shownState() === state ? 'This is about another board.' : 'The last search was about another board.'),
      button('Go back to that board', () => ctx.store.setBoard(state.board, { goal: state.goal, goalName: state.goalName })));
  }

  /** Explains how to continue after a limit has ended the search. @param {{ limit: string, seconds: number, next_time_limit?: string }} record */
  function goOn({ limit, seconds, next_time_limit: time }) {
    if (time) {
      return el('div', { class: 'row' }, el('span', {}, `The search took ${formatSeconds(seconds)}.`),
        button(`Search again, for up to ${formatSeconds(parseFloat(time))}`, () => begin(time)));
    }
    return limit !== 'time' && limit !== 'nodes' ? null : el('p', { class: 'note small' },
      `The search took ${formatSeconds(seconds)}, and no longer one is allowed here. Better tables help most. If a server answers this page, whoever runs it can raise the limit.`);
  }

  function otherSpec() {
    return el('div', { class: 'row' }, el('span', {}, 'Choose another heuristic above, or'),
      button('Use the default', () => {
        ctx.store.set({ spec: null });
        begin();
      }));
  }

  /** @param {Run} run */
  function otherGoals(run) {
    const { rows, cols } = run.state.board;
    const goals = (run.running.search.record.solvable_with ?? []).filter(puzzle.isGoalName);
    return goals.length === 0 || !isSameQuestion(run.state, ctx.store.state) ? null : el('div', { class: 'row' }, el('span', {}, 'Moves lead to another goal:'),
      goals.map((/** @type {string} */ name) => button(`Make ${name.replace('-', ' ')} the goal`, () => ctx.store.setGoal(puzzle.goalOf(name, rows, cols), name))));
  }

  async function offer() {
    const { state } = ctx.store;
    const signal = advising.next();
    form.hidden = race.hidden = !puzzle.isForSolver(state.board);
    try {
      const choices = await choicesFor(ctx.api, state.board, goalParameter(state));
      if (signal.aborted) return;
      const { names, toBuild } = choices;
      usual = choices.usual;
      const own = state.spec !== null && !names.includes(state.spec) ? [state.spec] : [];
      fill(heuristics, optionsOf([{ value: '', text: choices.usualText }, ...names, ...own], ctx.store.state.spec ?? ''));
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
      if (state.spec !== before.spec) heuristics.value = state.spec ?? '';
      const isOther = !isSameQuestion(state, before);
      if (isOther && (!puzzle.isSameShape(state.board, before.board) || state.goalName !== before.goalName)) offer();
      if (isOther && kept && !isOver(kept.running.search)) kept.running.stop();
      if (isOther) refresh();
      raceView.update(state, before);
      own.update?.(state, before);
    },
    unmount() {
      screen = null;
      forget();
      advising.stop();
      shown?.player?.stop();
      raceView.unmount();
      live.destroy();
    },
  };
}

/** Returns whether the best solution of a time is wanted, not a shortest one. */
function isTimed() {
  return /^\d/.test(way);
}

function nameOfSearch() {
  const { text } = WAYS.find(({ value }) => value === way) ?? WAYS[0];
  return isTimed() ? `Find the ${text.replace('best', 'best solution')}` : 'Find a shortest solution';
}

/** @param {Search} search */
function isOver(search) {
  return search.phase !== 'waiting' && search.phase !== 'running';
}

/** Texts for the limits of a search. @type {Record<string, string>} */
const LIMITS = {
  time: 'the time limit of a search was reached',
  nodes: 'the node limit of a search was reached',
  memory: 'the memory was full',
  interrupted: 'it was interrupted',
};

/** Returns the result of a search and what is known of its board, in a few sentences. @param {Search | null} search @param {Bounds | null} bounds */
function headlineOf(search, bounds) {
  const record = search?.record;
  if (record?.status === 'unsolvable') return sentence(record.reason ?? 'no moves lead to this goal');
  const shown = bounds?.moves?.length ?? 0;
  const longer = isExact(bounds) && shown > bounds.length ? ` The one below has ${shown}.` : '';
  const known = bounds === null ? '' : `${sentenceOf(bounds)}${longer}`;
  if (search?.phase === 'stopped') return `The search was stopped. ${known}`.trim();
  if (record?.limit) return `The search ended early: ${LIMITS[record.limit] ?? 'a limit was reached'}. ${known}`.trim();
  return record?.length === 0 ? 'The board is the goal.' : known;
}

/** Creates the counters, the chart and its table. */
function createLive() {
  const counters = createCounters(['Bound', 'Nodes', 'Nodes a second', 'Time']);
  const chart = createGrowthChart(['nodes']);
  const place = el('div', { class: 'scrolls', tabindex: 0, role: 'region', 'aria-label': 'Table of bounds' });
  const table = el('details', {}, el('summary', {}, 'Bounds as a table'), place);
  const element = el('div', { class: 'stack', hidden: true },
    counters.element, chart.element, table);
  return {
    element,
    destroy: chart.destroy,
    /** @param {Search} search */
    update(search) {
      element.hidden = false;
      counters.show(search);
      chart.update([search]);
      table.hidden = chart.element.hidden;
      const rows = barsOf(search).map((bar, at, bars) => boundRow(bar, bars[at - 1]));
      fill(place, figureTable(['Bound', 'Nodes generated', 'Growth'], rows));
    },
  };
}

/** @param {import('./growth-chart.js').Bar} bar @param {import('./growth-chart.js').Bar | undefined} before */
function boundRow(bar, before) {
  const growth = before && bar.kind === 'done' ? `× ${(bar.generated / before.generated).toFixed(2)}` : '';
  const what = { done: '', running: ' (runs)', found: ' (solution found)', ended: ' (ended)' }[bar.kind];
  return [`${bar.bound}${what}`, formatCount(bar.generated), growth];
}
