// @ts-check
// Scales and their labels.

import { formatCount, formatRough } from '../dom.js';

/** Length of the longest scale, which ends at a trillion. */
const DECADES_MAX = 12;
/** Names of powers of ten where there is little room, such as `10K`. */
const SHORT = new Intl.NumberFormat('en-US', { notation: 'compact' });

const TICKS_MAX = 9;

/** Returns round values from 0 to the greatest one. @param {number} greatest @param {number} [most] limit of their number */
export function ticksTo(greatest, most = TICKS_MAX) {
  const steps = [1, 10, 100, 1000, 10_000].flatMap((power) => [power, 2 * power, 5 * power]);
  const step = steps.find((size) => greatest / size < most) ?? 100_000;
  return Array.from({ length: Math.floor(greatest / step) + 1 }, (_, at) => at * step);
}

/** Returns the number of decades that a logarithmic scale needs for a count. @param {number} count */
export function decadesFor(count) {
  return Math.max(3, Math.min(DECADES_MAX, Math.ceil(Math.log10(Math.max(1, count)) + 0.02)));
}

/** Returns the place of a count on a logarithmic scale, from 0 to 1. @param {number} count @param {number} decades */
export function shareOf(count, decades) {
  return Math.min(1, Math.log10(Math.max(1, count)) / decades);
}

/**
 * Returns the powers of ten along a scale. If they are many, every third one has a label.
 * @param {number} decades @param {boolean} isNarrow
 */
export function ticksOf(decades, isNarrow) {
  return Array.from({ length: decades + 1 }, (_, power) => ({
    share: power / decades,
    text: decades <= 5 || power % 3 === 0 ? (isNarrow ? SHORT.format(10 ** power) : formatRough(10 ** power)) : '',
  }));
}

/** @param {number} ratio */
export function formatRatio(ratio) {
  return ratio >= 10 ? formatCount(ratio) : ratio.toFixed(1);
}
