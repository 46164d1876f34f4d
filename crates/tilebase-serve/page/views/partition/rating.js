// @ts-check
// Mean estimates of several partitions over the same random boards: dots with intervals.

import { el, formatCount, svg } from '../../dom.js';

/** @typedef {{ spec: string, mean: number, low: number, high: number, least: number, greatest: number }} Rated */
/** @typedef {{ boards: number, seed: number, specs: Rated[] }} Rating */
/** @typedef {{ name: string, label: string, isOwn: boolean }} Candidate */

/** @param {Rating} rating @param {readonly Candidate[]} candidates */
export function ratingOf(rating, candidates) {
  const sorted = [...rating.specs].sort((a, b) => b.mean - a.mean);
  const scale = scaleOf(sorted);
  const rows = sorted.map((rated) => {
    const candidate = candidates.find(({ name }) => name === rated.spec);
    return rowOf(rated, candidate?.label ?? rated.spec, candidate?.isOwn ?? false, scale);
  });
  return el('div', { class: 'pt-rating' },
    el('ol', { class: 'pt-lanes', 'aria-label': 'Mean estimates, the largest first' }, rows),
    axisOf(scale),
    el('p', { class: 'muted' }, `Moves, the mean of ${formatCount(rating.boards)} random boards (seed ${rating.seed}). `
      + 'A line is the 95 % interval. No estimate is larger than the length of a shortest solution, so more is better.'));
}

/** @typedef {{ from: number, to: number, step: number }} Scale */

/** @param {readonly Rated[]} rated @returns {Scale} */
function scaleOf(rated) {
  const low = Math.min(...rated.map((one) => one.low));
  const high = Math.max(...rated.map((one) => one.high));
  const step = [0.2, 0.5, 1, 2, 5, 10, 20, 50].find((size) => (high - low) / size <= 5) ?? 100;
  return { from: Math.floor(low / step) * step, to: Math.max(Math.ceil(high / step) * step, Math.floor(low / step) * step + step), step };
}

/** @param {number} value @param {Scale} scale */
function placeOf(value, { from, to }) {
  return `${3 + ((value - from) / (to - from)) * 94}%`;
}

/** @param {Rated} rated @param {string} label @param {boolean} isOwn @param {Scale} scale */
function rowOf(rated, label, isOwn, scale) {
  const half = (rated.high - rated.low) / 2;
  const place = (/** @type {number} */ value) => placeOf(value, scale);
  return el('li', { class: `pt-lane${isOwn ? ' is-own' : ''}` },
    el('span', { class: 'pt-lane-name' }, label, isOwn ? el('span', { class: 'pt-own' }, 'yours') : null),
    svg('svg', { width: '100%', height: 24, 'aria-hidden': 'true' },
      ticks(scale).map((tick) => svg('line', { class: 'pt-line', x1: place(tick), x2: place(tick), y1: 0, y2: 24 })),
      svg('line', { class: 'pt-interval', x1: place(rated.low), x2: place(rated.high), y1: 12, y2: 12 }),
      svg('circle', { class: 'pt-dot', cx: place(rated.mean), cy: 12, r: isOwn ? 6 : 4.5 })),
    el('span', { class: 'pt-lane-value' }, `${rated.mean.toFixed(2)} `, el('span', { class: 'muted' }, `± ${half.toFixed(2)}`)));
}

/** @param {Scale} scale */
function axisOf(scale) {
  return el('div', { class: 'pt-lane pt-lane-axis', 'aria-hidden': 'true' }, el('span', {}),
    svg('svg', { width: '100%', height: 18 }, ticks(scale).map((tick) =>
      svg('text', { class: 'pt-tick', x: placeOf(tick, scale), y: 13, 'text-anchor': 'middle' },
        scale.step < 1 ? tick.toFixed(1) : tick))), el('span', {}));
}

/** @param {Scale} scale */
function ticks({ from, to, step }) {
  return Array.from({ length: Math.round((to - from) / step) + 1 }, (_, at) => from + at * step);
}
