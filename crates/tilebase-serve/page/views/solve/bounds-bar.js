// @ts-check
// Bar between the proved lower bound and the known solution of a board, which move towards each other.

import { el, plural } from '../../dom.js';
import { isExact } from '../../bounds.js';
import { sentenceOf } from '../length.js';

/** @typedef {import('../../bounds.js').Bounds} Bounds */

/** Shares of the bar before the first lower bound, and after the first solution. */
const MARGIN = 0.14;

/** Creates the bar, hidden until something is known. */
export function createBoundsBar() {
  const proved = el('div', { class: 'bounds-proved' });
  const found = el('div', { class: 'bounds-found' });
  const track = el('div', { class: 'bounds-track', role: 'img' }, proved, found);
  const [low, high] = [el('span'), el('span')];
  const element = el('div', { class: 'bounds', hidden: true }, track, el('p', { class: 'bounds-labels small', 'aria-hidden': 'true' }, low, high));
  return {
    element,
    /** @param {Bounds | null} bounds */
    update(bounds) {
      element.hidden = bounds === null || bounds.length === 0;
      if (bounds === null) return;
      const [lower, upper] = placesOf(bounds);
      proved.style.setProperty('--share', String(lower));
      found.style.setProperty('--share', String(1 - upper));
      track.classList.toggle('is-exact', isExact(bounds));
      low.textContent = isExact(bounds) ? '' : `at least ${bounds.lowerBound}`;
      high.textContent = isExact(bounds) ? `${plural(bounds.length, 'move')}, proved` : bounds.length === null ? 'no solution known' : `${bounds.length} found`;
      track.setAttribute('aria-label', sentenceOf(bounds));
    },
  };
}

/**
 * Returns the places of both bounds, from 0 to 1. Those that were known first are at the margins.
 * @param {Bounds} bounds @returns {[number, number]}
 */
function placesOf({ lowerBound, length, first }) {
  if (length === null || first.length === null) return [MARGIN, 1];
  const span = first.length - first.lowerBound;
  if (span <= 0) return [0.5, 0.5];
  const placeOf = (/** @type {number} */ moves) => MARGIN + (1 - 2 * MARGIN) * ((moves - first.lowerBound) / span);
  return [placeOf(Math.min(lowerBound, length)), placeOf(length)];
}
