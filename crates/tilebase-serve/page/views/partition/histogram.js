// @ts-check
// Histogram of the values of a table, and its numbers.

import { el, figureTable, fill, formatCount, plural, svg } from '../../dom.js';
import { ticksTo } from '../scale.js';

/** @typedef {{ file: string, description: string, entry_count: number, file_bytes: number, histogram: number[] }} Table */

const TOP = 8;
const BASE = 132;
const HEIGHT = 156;

/** @param {Table} table @param {string} colour @param {Node} head element above the bars @param {number} manhattan mean distance of its tiles */
export function histogramOf(table, colour, head, manhattan) {
  const counts = table.histogram;
  const total = counts.reduce((sum, count) => sum + count, 0);
  const mean = counts.reduce((sum, count, value) => sum + count * value, 0) / total;
  return el('figure', { class: 'pt-histogram card' }, head, chartOf(counts, total, colour, mean, manhattan),
    el('figcaption', { class: 'legend-line' }, captionOf(counts, mean, manhattan)), asTable(counts, total));
}

/** @param {readonly number[]} counts @param {number} mean @param {number} manhattan */
function captionOf(counts, mean, manhattan) {
  return [
    el('span', {}, el('span', { class: 'pt-key is-mean' }), `mean value ${mean.toFixed(2)}`),
    el('span', {}, el('span', { class: 'pt-key is-manhattan' }), `mean Manhattan distance ${manhattan.toFixed(2)}`),
    el('span', {}, `greatest value ${counts.length - 1}`),
  ];
}

/**
 * @param {readonly number[]} counts @param {number} total @param {string} colour @param {number} mean
 * @param {number} manhattan
 */
function chartOf(counts, total, colour, mean, manhattan) {
  const most = Math.max(...counts);
  const percent = (/** @type {number} */ value) => `${((value + 0.5) / counts.length) * 100}%`;
  const tall = (/** @type {number} */ count) => (count === 0 ? 0 : Math.max(1, (count / most) * (BASE - TOP)));
  const width = 100 / counts.length;
  const bars = counts.map((count, value) => svg('rect', { class: 'pt-bar', x: `${value * width + width * 0.08}%`,
    width: `${width * 0.84}%`, y: BASE - tall(count), height: tall(count), fill: colour },
    svg('title', {}, `Value ${value}: ${plural(count, 'entry', 'entries')}, ${shareOf(count, total)}`)));
  const mark = (/** @type {number} */ at, /** @type {string} */ kind) =>
    svg('line', { class: `pt-mark ${kind}`, x1: percent(at), x2: percent(at), y1: TOP, y2: BASE });
  return svg('svg', { class: 'pt-bars', width: '100%', height: HEIGHT, 'aria-hidden': 'true' },
    shareLines(most / total), bars, svg('line', { class: 'pt-axis', x1: '0', x2: '100%', y1: BASE, y2: BASE }),
    mark(mean, 'is-mean'), mark(manhattan, 'is-manhattan'),
    ticksTo(counts.length - 1).map((value) => svg('text', { class: 'pt-tick', x: percent(value), y: BASE + 16,
      'text-anchor': 'middle' }, value)));
}

/** @param {number} count @param {number} total */
function shareOf(count, total) {
  return `${((count / total) * 100).toFixed(2)} %`;
}

/** Draws lines at round shares of all entries. @param {number} most share of the longest bar */
function shareLines(most) {
  const step = [0.5, 0.2, 0.1, 0.05, 0.02, 0.01].find((size) => most / size >= 2) ?? 0.01;
  const lines = [];
  for (let share = step; share <= most; share += step) {
    const y = BASE - (share / most) * (BASE - TOP);
    lines.push(svg('line', { class: 'pt-line', x1: '0', x2: '100%', y1: y, y2: y }),
      svg('text', { class: 'pt-tick', x: 0, y: y - 3 }, `${Math.round(share * 100)} %`));
  }
  return lines;
}

/** Creates the counts as a table, which is filled when it is opened. @param {readonly number[]} counts @param {number} total */
function asTable(counts, total) {
  const place = el('div', { class: 'pt-scroll', tabindex: 0, role: 'region', 'aria-label': 'Entries of each value' });
  const details = el('details', {}, el('summary', {}, 'As numbers'), place);
  details.addEventListener('toggle', () => {
    if (!details.open || place.firstChild) return;
    const rows = counts.map((count, value) => [value, formatCount(count), shareOf(count, total)]);
    fill(place, figureTable(['Value', 'Entries', 'Share'], rows));
  });
  return details;
}
