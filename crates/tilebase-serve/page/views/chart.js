// @ts-check
// Charts as wide as their place. They are drawn again when its width changes.

import { el, fill, svg } from '../dom.js';

/** Content of a chart. Without a label, the text beside the chart says the same. @typedef {{ label?: string, parts: import('../dom.js').Child[] }} Content */

/**
 * Creates a chart.
 * @param {number} height in pixels @param {(width: number) => Content} contentOf @param {import('../dom.js').Props} [props]
 */
export function createChart(height, contentOf, props = {}) {
  const picture = svg('svg', { height });
  const element = el('div', { ...props, class: `chart ${props.class ?? ''}` }, picture);
  const observer = new ResizeObserver(draw);
  observer.observe(element);

  function draw() {
    const width = element.clientWidth || 520;
    const { label, parts } = contentOf(width);
    const named = label === undefined ? { 'aria-hidden': 'true' } : { role: 'img', 'aria-label': label };
    for (const [name, value] of Object.entries({ viewBox: `0 0 ${width} ${height}`, width, ...named })) picture.setAttribute(name, String(value));
    fill(picture, parts);
  }

  return { element, draw, destroy: () => observer.disconnect() };
}

/**
 * Draws lines across a chart with their names, the base first.
 * @param {readonly { y: number, text: string | number }[]} levels @param {number} left @param {number} right
 */
export function levelLines(levels, left, right) {
  return levels.map(({ y, text }, at) => svg('g', { class: 'tick' },
    svg('line', { x1: left, x2: right, y1: y, y2: y, class: at === 0 ? 'base' : '' }),
    text === '' ? null : svg('text', { x: left - 7, y: y + 4, 'text-anchor': 'end' }, text)));
}
