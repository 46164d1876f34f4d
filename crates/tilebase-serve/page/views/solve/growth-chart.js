// @ts-check
// Nodes of each bound on a logarithmic axis, while searches run.

import { el, formatRough, svg } from '../../dom.js';
import { createChart, levelLines } from '../chart.js';
import { generatedBefore } from './search.js';
import { decadesFor, shareOf, ticksOf } from '../scale.js';

/** @typedef {import('./search.js').Search} Search */
/** @typedef {{ bound: number, generated: number, kind: 'done' | 'running' | 'found' | 'ended' }} Bar */
/** @typedef {{ bars: Bar[][], names: readonly string[] }} Content */

const HEIGHT = 210;
const MARGIN = { top: 18, right: 6, bottom: 40, left: 62 };
const NARROW = 440;
const BAR_WIDTH_MAX = 44;

/**
 * Creates a chart of one or more searches.
 * @param {readonly string[]} names of the searches
 */
export function createGrowthChart(names) {
  /** @type {Content} */
  let content = { bars: names.map(() => []), names };
  const chart = createChart(HEIGHT, (width) => contentOf(content, width));
  const element = el('div', { class: 'stack', hidden: true }, el('h3', { class: 'chart-title' }, 'Nodes of each bound'),
    names.length > 1 ? legend(names) : null, chart.element);
  return {
    element,
    /** @param {readonly (Search | null)[]} searches */
    update(searches) {
      content = { ...content, bars: searches.map((search) => (search ? barsOf(search) : [])) };
      element.hidden = content.bars.every((list) => list.length === 0);
      chart.draw();
    },
    destroy: chart.destroy,
  };
}

/** @param {readonly string[]} names */
function legend(names) {
  return el('p', { class: 'legend-line', 'aria-hidden': 'true' }, names.map((name, at) =>
    el('span', { class: `series-${at}` }, el('span', { class: 'swatch' }), ` ${name}`)));
}

/** Returns the finished bounds, and the current or last one. @param {Search} search @returns {Bar[]} */
export function barsOf(search) {
  const { bounds, record } = search;
  // If the server has skipped a bound, none is drawn: the next one would contain its nodes.
  if (record && isGap(record.initial_estimate, bounds[0]?.bound ?? record.length)) return [];
  /** @type {Bar[]} */
  const bars = bounds.map(({ bound, generated }) => ({ bound, generated, kind: 'done' }));
  const last = bars.at(-1);
  const isFound = record?.status === 'optimal';
  if (isFound && last && last.bound === record.length) return [...bars.slice(0, -1), { ...last, kind: 'found' }];
  const generated = search.generated - generatedBefore(search);
  const bound = isFound ? record.length : search.bound ?? (last ? last.bound + 2 : null);
  if (bound === null || generated <= 0 || (!last && !isFound)) return bars;
  return [...bars, { bound, generated, kind: isFound ? 'found' : search.phase === 'running' ? 'running' : 'ended' }];
}

/** Returns whether a bound is missing between the initial estimate and another bound. @param {number | undefined} estimate @param {number} bound */
function isGap(estimate, bound) {
  return estimate !== undefined && bound - estimate > 1;
}

/** @param {Content} content @param {number} width */
function contentOf({ bars, names }, width) {
  const all = bars.flat();
  const decades = decadesFor(Math.max(...all.map((bar) => bar.generated), 1));
  const bounds = [...new Set(all.map((bar) => bar.bound))].sort((a, b) => a - b);
  const frame = frameOf(width, bounds, bars.length, decades);
  const levels = ticksOf(frame.decades, frame.width < NARROW).map(({ share, text }) => ({ y: yOf(share), text }));
  return {
    label: labelOf(bars, names),
    parts: [...levelLines(levels, frame.left, frame.width - MARGIN.right),
      ...bars.flatMap((list, series) => list.map((bar) => drawnBar(bar, series, frame))), boundNames(frame)],
  };
}

/** @typedef {{ width: number, bounds: number[], seriesCount: number, band: number, bar: number, decades: number, left: number }} Frame */

/** @param {number} width @param {number[]} bounds @param {number} seriesCount @param {number} decades @returns {Frame} */
function frameOf(width, bounds, seriesCount, decades) {
  const left = width < NARROW ? 46 : MARGIN.left + 12;
  const band = Math.min(72, (width - left - MARGIN.right) / Math.max(bounds.length, 6));
  return { width, bounds, seriesCount, band, bar: Math.min(BAR_WIDTH_MAX, band * 0.8) / seriesCount, decades, left };
}

/** @param {number} share */
function yOf(share) {
  return HEIGHT - MARGIN.bottom - share * (HEIGHT - MARGIN.top - MARGIN.bottom);
}

/** @param {Bar} bar @param {number} series @param {Frame} frame */
function drawnBar(bar, series, frame) {
  const middle = frame.left + (frame.bounds.indexOf(bar.bound) + 0.5) * frame.band;
  const x = middle + (series - frame.seriesCount / 2) * frame.bar;
  // A bound with a single node stays visible on a scale that begins at one.
  const y = Math.min(yOf(shareOf(bar.generated, frame.decades)), yOf(0) - 2);
  return svg('g', { class: `bar series-${series} is-${bar.kind}` },
    svg('rect', { x: x + 1, y, width: Math.max(2, frame.bar - 2), height: yOf(0) - y, rx: 3 }),
    bar.kind === 'found' ? svg('text', { x: x + frame.bar / 2, y: y - 5, 'text-anchor': 'middle' }, '✓') : null,
    svg('title', {}, `Bound ${bar.bound}: ${formatRough(bar.generated)} nodes`));
}

/** @param {Frame} frame */
function boundNames(frame) {
  const each = Math.ceil(24 / frame.band);
  const names = frame.bounds.map((bound, at) => (at % each === 0
    ? svg('text', { x: frame.left + (at + 0.5) * frame.band, y: HEIGHT - MARGIN.bottom + 16, 'text-anchor': 'middle' }, bound)
    : null));
  return svg('g', {}, names, svg('text', { x: frame.left, y: HEIGHT - 6 }, 'bound on the number of moves'));
}

/** @param {Bar[][]} bars @param {readonly string[]} names */
function labelOf(bars, names) {
  const said = bars.map((list, series) => {
    const last = list.at(-1);
    const name = bars.length > 1 ? `${names[series]}: ` : '';
    return last ? `${name}${list.length} bounds, the last one ${last.bound} with ${formatRough(last.generated)} nodes` : `${name}no bounds yet`;
  });
  return `Nodes of each bound on a logarithmic axis. ${said.join('. ')}.`;
}
