// @ts-check
// Words for the length of a shortest solution.

import { plural } from '../dom.js';

/**
 * Returns what is known of the length of a shortest solution, in sentences that claim no more than is proved. All views
 * take their words from here.
 * @param {{ lowerBound: number, length: number | null }} bounds
 */
export function sentenceOf({ lowerBound, length }) {
  if (length !== null && length <= lowerBound) return `A shortest solution has ${plural(length, 'move')}.`;
  const least = `No solution has fewer than ${plural(lowerBound, 'move')}.`;
  return length === null ? least : `The best known solution has ${plural(length, 'move')}. ${least}`;
}
