// @ts-check
// Counters of a search, while it runs and at its end.

import { el, formatCount, formatRough, formatSeconds } from '../../dom.js';
import { lowerBoundOf } from './search.js';

/** @typedef {import('./search.js').Search} Search */

/** Texts of the counters, by their names. @type {Record<string, (search: Search) => string>} */
const TEXTS = {
  Bound: (search) => String(lowerBoundOf(search) ?? '–'),
  Nodes: ({ phase, generated }) => (phase === 'running' || generated >= 1e8 ? formatRough(generated) : formatCount(generated)),
  'Nodes a second': ({ nodesPerSecond }) => (nodesPerSecond === null ? '–' : formatRough(nodesPerSecond)),
  Time: ({ phase, seconds }) => (phase === 'waiting' ? 'waits' : formatSeconds(seconds).replace('less than', '<')),
};

/** @param {readonly (keyof typeof TEXTS)[]} names */
export function createCounters(names) {
  const values = names.map(() => el('dd'));
  return {
    element: el('dl', { class: 'counters' }, names.map((name, at) => el('div', {}, el('dt', {}, name), values[at]))),
    /** @param {Search} search */
    show: (search) => names.forEach((name, at) => { values[at].textContent = TEXTS[name](search); }),
  };
}
