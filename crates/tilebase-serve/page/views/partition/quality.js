// @ts-check
// Quality of tables: histograms of values, and mean estimates beside those of other partitions.

import { createNewest, pause } from '../../api.js';
import * as puzzle from '../../board.js';
import { colourOf } from '../../colours.js';
import { button, el, fill, formatCount, select } from '../../dom.js';
import { histogramOf } from './histogram.js';
import { miniature } from './miniature.js';
import { section } from './plan-panel.js';
import { ratingOf } from './rating.js';
import { draftOf, isAlike, meanManhattan, patternsOf, sharedTables } from './spec.js';

/** @typedef {import('./spec.js').Draft} Draft */
/** @typedef {import('./spec.js').Listing} Listing */
/** @typedef {import('./spec.js').SharedTable} SharedTable */
/** @typedef {import('./plan-panel.js').Estimate} Estimate */
/** @typedef {import('./rating.js').Candidate} Candidate */
/**
 * @typedef {object} Drawn
 * @property {() => { draft: Draft, estimate: Estimate | null, shipped: readonly Listing[] }} now
 * @property {() => string | null} nameOfDrawing
 * @property {(file: string) => string} nameOfTable
 * @property {(spec: string) => string} labelOf
 */

const RATE_DELAY_MS = 400;
const EARLIER_MAX = 5;
const BOARDS = [100, 1000, 10000];

/** Titles of earlier drawings with tables, by name, for comparison. @type {Map<string, string>} */
const earlier = new Map();

/** @param {typeof import('../../api.js')} api @param {Drawn} drawn */
export function createQuality(api, { now, nameOfDrawing, nameOfTable, labelOf }) {
  const bars = el('div', { class: 'pt-histograms' });
  const dots = el('div', {}, el('p', { class: 'muted' }, '…'));
  let boards = 1000;
  let seed = 1;
  const [listing, rated] = [createNewest(), createNewest()];

  const sizes = BOARDS.map((count) => ({ value: String(count), text: formatCount(count) }));
  const choice = select(sizes, String(boards), { on: { change: () => { boards = Number(choice.value); void rate(0); } } });
  const histograms = section('pt-values-title', 'Values of the tables', bars);
  const rating = section('pt-rating-title', 'Mean estimate beside other partitions',
    el('div', { class: 'row' }, el('label', { class: 'toggle' }, 'Random boards ', choice),
      button('Other boards', () => { seed += 1; void rate(0); })), dots);

  // Cancels requests of the drawing before.
  function stop() {
    listing.stop();
    rated.stop();
  }

  function show() {
    stop();
    void showHistograms();
    void rate(RATE_DELAY_MS);
  }

  /** @param {string} text */
  function wait(text) {
    fill(bars, el('p', { class: 'muted' }, text));
  }

  async function showHistograms() {
    const signal = listing.next();
    const { draft, estimate } = now();
    const there = new Set(estimate?.tables.filter((table) => table.is_there).map((table) => table.file));
    if (estimate === null || there.size === 0) {
      wait('None of the tables is built yet. Build them to see how many entries have each value.');
      return;
    }
    try {
      const { tables } = await api.get('/v1/tables', {}, { signal });
      const shared = sharedTables(draft, estimate.listing).filter(({ file }) => there.has(file));
      if (!signal.aborted) fill(bars, shared.map((table) => chartOf(draft, table, tables)));
    } catch (error) {
      if (!signal.aborted) fill(bars, el('p', { class: 'problem' }, api.detailOf(error)));
    }
  }

  /** @param {Draft} draft @param {SharedTable} shared @param {import('./histogram.js').Table[]} tables */
  function chartOf(draft, shared, tables) {
    const table = tables.find(({ file }) => file === shared.file);
    if (!table || table.histogram.length === 0) return null;
    const { drawing, pattern } = shared.patterns[0];
    const isOf = (/** @type {number} */ other) => shared.patterns.some((one) => one.drawing === drawing && one.pattern === other);
    const head = el('div', { class: 'pt-histogram-head' }, miniature(draft.goal, draft.drawings[drawing], isOf), el('h4', {}, nameOfTable(shared.file)));
    return histogramOf(table, colourOf(pattern), head, meanManhattan(draft.goal, patternsOf(draft.drawings[drawing])[pattern]));
  }

  /** @returns {Candidate[]} */
  function candidates() {
    const { estimate, shipped } = now();
    const own = estimate?.missing_count === 0 ? nameOfDrawing() : null;
    const there = shipped.filter((listing) => listing.built === 'there' && isComparable(listing))
      .filter((listing, at, all) => !all.slice(0, at).some((other) => areAlike(listing, other)))
      .map(({ name }) => ({ name, label: name, isOwn: name === own }));
    const before = [...earlier].filter(([name]) => name !== own && name !== estimate?.spec)
      .map(([name, label]) => ({ name, label, isOwn: false }));
    const isListed = there.some(({ isOwn }) => isOwn);
    return [...(own && !isListed ? [{ name: own, label: labelOf(own), isOwn: true }] : []), ...there, ...before,
      { name: 'manhattan', label: 'manhattan', isOwn: false }];
  }

  /** Returns whether two specs give the same estimates. Then only one is compared. @param {Listing} a @param {Listing} b */
  function areAlike(a, b) {
    const { goal } = now().draft;
    return isAlike(draftOf(a, goal), draftOf(b, goal));
  }

  /** Returns whether a spec suits the goal and is not the drawing under another name. @param {Listing} listing */
  function isComparable(listing) {
    if (listing.drawings.length === 0) return true;
    const { draft } = now();
    const other = draftOf(listing, draft.goal);
    return other?.goal === draft.goal && (listing.name === nameOfDrawing() || !isAlike(other, draft));
  }

  /** @param {number} delay */
  async function rate(delay) {
    const signal = rated.next();
    try {
      await pause(delay, signal);
      const compared = candidates();
      dots.setAttribute('aria-busy', 'true');
      const answer = await api.get('/v1/rate', { specs: compared.map(({ name }) => name).join(','), boards, seed,
        goal: puzzle.format(now().draft.goal) }, { signal });
      if (signal.aborted) return;
      fill(dots, ratingOf(answer, compared), compared.some(({ isOwn }) => isOwn) ? null
        : el('p', { class: 'muted' }, 'Your drawing is shown as soon as its tables are built.'));
    } catch (error) {
      if (signal.aborted) return;
      if (earlier.size > 0) {
        // The server forgets old drawings. The request is repeated without them.
        earlier.clear();
        void rate(0);
      } else {
        fill(dots, el('p', { class: 'problem' }, api.detailOf(error)));
      }
    }
    dots.removeAttribute('aria-busy');
  }

  /** Keeps a drawing whose tables are built, for comparison. @param {string} name */
  function remember(name) {
    if (!name.startsWith('drawn/')) return;
    earlier.delete(name);
    earlier.set(name, labelOf(name));
    for (const oldest of [...earlier.keys()].slice(0, -EARLIER_MAX)) earlier.delete(oldest);
  }

  return { histograms, rating, show, wait, stop, rate, remember };
}
