// @ts-check
// Two heuristics or searches on one board, with their node counts side by side.

import { button, el, field, fill, formatSeconds, optionsOf, select } from '../../dom.js';
import * as puzzle from '../../board.js';
import { goalParameter, isSameQuestion, queryOf } from '../../store.js';
import { detailOf } from '../../api.js';
import { choicesFor } from './choices.js';
import { createCounters } from './counters.js';
import { createGrowthChart } from './growth-chart.js';
import { sentenceOf } from '../length.js';
import { formatRatio } from '../scale.js';
import { lowerBoundOf, startSearch } from './search.js';

/** @typedef {import('../../main.js').Context} Context */
/** @typedef {import('../../store.js').State} State */
/** @typedef {import('./search.js').Search} Search */
/** @typedef {{ name: string, spec: string, search: string }} Entrant */

const NAMES = ['A', 'B'];
const SEARCHES = [{ value: 'idastar', text: 'one thread, plain IDA*' }, { value: 'all', text: 'all threads' }];

/** @param {HTMLElement} container @param {Context} ctx */
export function mountRace(container, ctx) {
  const lanes = NAMES.map((name) => createLane(name));
  const start = button('Start the race', begin, { class: 'primary' });
  const stop = button('Stop', halt, { hidden: true });
  const chart = createGrowthChart(NAMES);
  const verdict = el('p', { class: 'headline' });
  const track = el('div', { class: 'stack', hidden: true }, chart.element);
  /** @type {import('./search.js').Running[]} */
  let running = [];
  fill(container, el('div', { class: 'stack' },
    el('h2', {}, 'Race'),
    el('p', { class: 'muted' }, 'Two searches begin at once on the board at hand. A better estimate reaches the goal with fewer nodes.'),
    el('div', { class: 'lanes' }, lanes.map((lane) => lane.element)),
    el('div', { class: 'row' }, start, stop), verdict, track));
  offer();

  async function offer() {
    const { state } = ctx.store;
    start.disabled = !puzzle.isForSolver(state.board);
    verdict.textContent = '';
    if (start.disabled) return;
    try {
      const { names, usual } = await choicesFor(ctx.api, state.board, goalParameter(state));
      lanes[0].offer(names, 'manhattan');
      lanes[1].offer(names, usual === 'manhattan' ? 'linear-conflict' : usual);
    } catch (error) {
      verdict.textContent = detailOf(error);
    }
  }

  function begin() {
    halt();
    const entrants = lanes.map((lane) => lane.entrant());
    verdict.textContent = '';
    track.hidden = false;
    const race = entrants.map((entrant) => startSearch(ctx.api, ctx.store.state, paramsOf(ctx.store.state, entrant), () => { if (race === running) progress(); }));
    running = race;
    Promise.all(race.map(({ finished }) => finished)).then(() => { if (race === running) ended(entrants); });
    stop.hidden = false;
    progress();
    ctx.announce(`The race has begun: ${entrants.map(describe).join(' against ')}.`);
  }

  function halt() {
    for (const { stop: end } of running) end();
  }

  function progress() {
    const searches = running.map(({ search }) => search);
    searches.forEach((search, at) => lanes[at].show(search));
    chart.update(searches);
  }

  /** @param {Entrant[]} entrants */
  function ended(entrants) {
    const hadFocus = document.activeElement === stop;
    stop.hidden = true;
    if (hadFocus) start.focus();
    progress();
    verdict.textContent = verdictOf(entrants, running.map(({ search }) => search));
    ctx.announce(verdict.textContent);
  }

  return {
    /** @param {State} state @param {State} before */
    update(state, before) {
      if (isSameQuestion(state, before)) return;
      if (running.length > 0) clear();
      if (!puzzle.isSameShape(state.board, before.board) || state.goalName !== before.goalName) offer();
    },
    unmount() {
      halt();
      chart.destroy();
    },
  };

  function clear() {
    halt();
    running = [];
    stop.hidden = true;
    track.hidden = true;
    verdict.textContent = '';
    for (const lane of lanes) lane.clear();
  }
}

/** @param {State} state @param {Entrant} entrant */
function paramsOf(state, entrant) {
  return { ...queryOf(state), spec: entrant.spec, moves: 'tile', search: entrant.search === 'idastar' ? 'idastar' : null };
}

/** @param {Entrant} entrant */
function describe(entrant) {
  return `${entrant.spec}, ${entrant.search === 'idastar' ? 'one thread' : 'all threads'}`;
}

/** Creates the choices and counters of an entrant. @param {string} name */
function createLane(name) {
  const heuristics = select(['manhattan'], 'manhattan');
  const searches = select(SEARCHES, 'idastar');
  const status = el('p', { class: 'lane-status muted' });
  const counters = createCounters(['Nodes', 'Bound', 'Time']);
  counters.element.hidden = true;
  let isOffered = false;
  const element = el('fieldset', { class: `lane series-${NAMES.indexOf(name)}` },
    el('legend', {}, el('span', { class: 'swatch', 'aria-hidden': 'true' }), ` ${name}`),
    el('div', { class: 'row' },
      field('Heuristic', heuristics), field('Search', searches)), counters.element, status);
  return {
    element,
    /** @returns {Entrant} */
    entrant: () => ({ name, spec: heuristics.value, search: searches.value }),
    /** @param {string[]} names @param {string} first */
    offer(names, first) {
      const isKept = isOffered && names.includes(heuristics.value);
      isOffered = true;
      fill(heuristics, optionsOf(names, isKept ? heuristics.value : first));
    },
    /** @param {Search} search */
    show(search) {
      counters.element.hidden = false;
      counters.show(search);
      status.textContent = statusOf(search);
    },
    clear() {
      counters.element.hidden = true;
      status.textContent = '';
    },
  };
}

/** @param {Search} search */
function statusOf(search) {
  if (search.phase === 'waiting') return 'Waits for its turn.';
  if (search.phase === 'running') return 'Searches.';
  if (search.phase === 'stopped') return 'Stopped.';
  if (search.phase === 'failed') return search.problem ?? 'Failed.';
  if (search.record?.status === 'optimal') return `Found ${search.record.length} moves.`;
  if (search.record?.status === 'unsolvable') return 'No moves lead to this goal.';
  return `A limit was reached. ${sentenceOf({ lowerBound: lowerBoundOf(search) ?? 0, length: null })}`;
}

/** Returns the result of the race: the first entrant, with times and nodes. @param {Entrant[]} entrants @param {Search[]} searches */
export function verdictOf(entrants, searches) {
  const isSolved = searches.map((search) => search.record?.status === 'optimal');
  if (searches.some((search) => search.phase === 'stopped')) return 'The race was stopped.';
  if (searches.some((search) => search.record?.status === 'unsolvable')) return 'No moves lead to this goal, so there is nothing to race for.';
  if (!isSolved[0] && !isSolved[1]) return 'Neither search found a solution within the limits.';
  if (isSolved[0] !== isSolved[1]) {
    const winner = isSolved[0] ? 0 : 1;
    return `${NAMES[winner]} (${entrants[winner].spec}) found a solution in ${formatSeconds(searches[winner].seconds)}. ${NAMES[1 - winner]} (${entrants[1 - winner].spec}) found none within its limits.`;
  }
  return `${timeVerdict(entrants, searches)} ${nodeVerdict(searches)}`;
}

// Compares the times that the server measured, without the transport.
/** @param {Entrant[]} entrants @param {Search[]} searches */
function timeVerdict(entrants, searches) {
  const [a, b] = searches.map((search) => search.seconds);
  if (a === b) return 'Both took the same time.';
  const winner = a < b ? 0 : 1;
  return `${NAMES[winner]} (${entrants[winner].spec}) was first: ${formatSeconds(searches[winner].seconds)} against ${formatSeconds(searches[1 - winner].seconds)}.`;
}

/** @param {Search[]} searches */
function nodeVerdict(searches) {
  const [a, b] = searches.map((search) => search.generated);
  if (a === b) return 'Both generated the same number of nodes.';
  const more = a > b ? 0 : 1;
  return `${NAMES[more]} generated ${formatRatio(Math.max(a, b) / Math.max(1, Math.min(a, b)))} times as many nodes.`;
}
