// @ts-check
// Scales and their labels.

const WORDS = ['1', '10', '100', '1,000', '10,000', '100,000', '1 million', '10 million', '100 million', '1 billion', '10 billion', '100 billion', '1 trillion'];
const SHORT = ['1', '10', '100', '1 k', '10 k', '100 k', '1 M', '10 M', '100 M', '1 G', '10 G', '100 G', '1 T'];

const TICKS_MAX = 9;

/** Returns round values from 0 to the greatest one. @param {number} greatest @param {number} [most] limit of their number */
export function ticksTo(greatest, most = TICKS_MAX) {
  const steps = [1, 10, 100, 1000, 10_000].flatMap((power) => [power, 2 * power, 5 * power]);
  const step = steps.find((size) => greatest / size < most) ?? 100_000;
  return Array.from({ length: Math.floor(greatest / step) + 1 }, (_, at) => at * step);
}

/** Returns the number of decades that a logarithmic scale needs for a count. @param {number} count */
export function decadesFor(count) {
  return Math.max(3, Math.min(WORDS.length - 1, Math.ceil(Math.log10(Math.max(1, count)) + 0.02)));
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
  const names = isNarrow ? SHORT : WORDS;
  return Array.from({ length: decades + 1 }, (_, power) => ({
    share: power / decades,
    text: decades <= 5 || power % 3 === 0 ? names[power] : '',
  }));
}

/** @param {number} ratio */
export function formatRatio(ratio) {
  if (ratio >= 100) return Math.round(ratio).toLocaleString('en-US');
  return ratio.toFixed(ratio >= 10 ? 0 : 1);
}
