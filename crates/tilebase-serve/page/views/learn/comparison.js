// @ts-check
// Estimates beside the true distance, as bars on the same scale.

import { el, fill, plural } from '../../dom.js';
import { sentenceOf } from '../length.js';
import { plainName } from './lessons.js';

/** @typedef {{ name: string, estimate: number }} Estimate */

/** @typedef {{ element: HTMLElement, tell: (record: any) => void, wait: () => void, fail: (text: string) => void }} Comparison */

/** @param {Estimate[]} estimates the smallest first @returns {Comparison} */
export function createComparison(estimates) {
  const rows = estimates.map(createRow);
  const truth = el('p', { class: 'truth', role: 'status' });
  const element = el('div', { class: 'comparison' }, rows.map((row) => row.element), truth);
  scaleTo(Math.max(1, ...estimates.map(({ estimate }) => estimate)), false);

  /** @param {number} whole @param {boolean} isTrue */
  function scaleTo(whole, isTrue) {
    element.classList.toggle('has-truth', isTrue);
    for (const row of rows) row.scaleTo(whole);
  }

  return {
    element,
    /** @param {any} record of /v1/moves */
    tell(record) {
      const best = Math.max(0, ...estimates.map(({ estimate }) => estimate));
      if (typeof record.distance === 'number' && record.status === 'optimal') {
        scaleTo(Math.max(1, record.distance), true);
        fill(truth, el('strong', {}, `True distance: ${plural(record.distance, 'move')}.`), estimates.length === 0 ? '' : ` ${shortBy(record.distance - best, estimates.length > 1)}`);
      } else {
        const bound = record.lower_bound ?? best;
        scaleTo(Math.max(1, bound, best), false);
        fill(truth, `The true distance is not known: the search took too long for this server. ${sentenceOf({ lowerBound: bound, length: null })}`);
      }
    },
    wait() { truth.textContent = 'Searching for the true distance…'; },
    /** @param {string} text */
    fail(text) { truth.textContent = `The true distance is not known: ${text}`; },
  };
}

/** @param {number} short @param {boolean} isMany */
function shortBy(short, isMany) {
  const who = isMany ? 'The best estimate' : 'The estimate';
  return short === 0 ? `${who} is exact.` : `${who} is short of it by ${short}.`;
}

/** @param {Estimate} estimate */
function createRow({ name, estimate }) {
  const bar = el('span', { class: 'comparison-bar' });
  const element = el('div', { class: 'comparison-row' },
    el('span', { class: 'comparison-name', title: name }, plainName(name)), el('span', { class: 'comparison-track', 'aria-hidden': 'true' }, bar), el('span', { class: 'comparison-value' }, estimate));
  return {
    element,
    /** @param {number} whole */
    scaleTo(whole) { bar.style.inlineSize = `${(estimate / whole) * 100}%`; },
  };
}
