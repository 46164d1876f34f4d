// @ts-check
// Chart of the distance to the goal after each move of a game. A press or a key selects a position.

import { indexOfKey, svg } from '../../dom.js';
import { createChart, levelLines } from '../chart.js';
import { leavingMoves } from './distances.js';
import { ticksTo } from '../scale.js';

/** @typedef {import('./distances.js').Line} Line */
/** @typedef {{ width: number, x: (move: number) => number, y: (distance: number) => number, most: number }} Frame */

const HEIGHT = 180;
const MARGIN = { top: 24, right: 12, bottom: 36, left: 34 };
const NARROW = 440;

/**
 * @param {Line} line
 * @param {{ goTo: (position: number) => void, describe: (position: number) => string }} on
 */
export function createDistanceChart(line, on) {
  let at = 0;
  const { element, draw, destroy } = createChart(HEIGHT, contentOf, {
    class: 'distance-chart', role: 'slider', tabindex: 0, 'aria-label': 'Distance to the goal after each move',
    'aria-valuemin': 0, 'aria-valuemax': line.moves.length,
    on: { keydown: onKey, pointerdown: onPoint, pointermove: (/** @type {PointerEvent} */ event) => { if (event.buttons > 0) onPoint(event); } },
  });

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    const position = indexOfKey(event, at, line.moves.length, true);
    if (position !== null) on.goTo(position);
  }

  /** @param {PointerEvent} event */
  function onPoint(event) {
    const { width, x } = frameOf(line, element.clientWidth || 520);
    const across = ((event.clientX - element.getBoundingClientRect().left) / (element.clientWidth || 1)) * width;
    const step = x(1) - x(0);
    on.goTo(Math.max(0, Math.min(line.moves.length, Math.round((across - x(0)) / step))));
  }

  /** @param {number} width */
  function contentOf(width) {
    const frame = frameOf(line, width);
    element.setAttribute('aria-valuenow', String(at));
    element.setAttribute('aria-valuetext', on.describe(at));
    return { parts: [axes(frame, line), best(frame, line), least(frame, line), path(frame, line), marks(frame, line), cursor(frame, line, at)] };
  }

  return {
    element,
    /** Draws the known distances and a position. @param {number} position */
    update(position) {
      at = position;
      draw();
    },
    destroy,
  };
}

/** @param {Line} line @param {number} width @returns {Frame} */
function frameOf(line, width) {
  const most = Math.max(1, ...line.bounds.map((bound, at) => line.distances[at] ?? bound)) * 1.05;
  const [across, down] = [width - MARGIN.left - MARGIN.right, HEIGHT - MARGIN.top - MARGIN.bottom];
  return {
    width, most,
    x: (move) => MARGIN.left + (move / line.moves.length) * across,
    y: (distance) => MARGIN.top + (1 - distance / most) * down,
  };
}

/** @param {Frame} frame @param {Line} line */
function axes({ width, x, y, most }, line) {
  const levels = levelLines(ticksTo(Math.floor(most), 6).map((value) => ({ y: y(value), text: value })), MARGIN.left, width - MARGIN.right);
  const moves = ticksTo(line.moves.length, width < NARROW ? 6 : 10).map((value) =>
    svg('text', { x: x(value), y: HEIGHT - MARGIN.bottom + 16, 'text-anchor': 'middle' }, value));
  return svg('g', {}, levels, moves,
    svg('text', { x: width - MARGIN.right, y: HEIGHT - 4, 'text-anchor': 'end' }, 'moves made'),
    svg('text', { x: 0, y: 11 }, 'moves to go'));
}

/** Draws a shortest solution, as a straight line. @param {Frame} frame @param {Line} line */
function best({ x, y }, { distances: [first] }) {
  if (first === null) return null;
  return svg('line', { class: 'best', x1: x(0), y1: y(first), x2: x(first), y2: y(0) });
}

/** Draws the lower bounds where distances are unknown. @param {Frame} frame @param {Line} line */
function least({ x, y }, { distances, bounds }) {
  const last = distances.findLastIndex((distance) => distance === null);
  const points = bounds.slice(0, last + 1).map((bound, at) => `${x(at).toFixed(1)} ${y(bound).toFixed(1)}`);
  return points.length === 0 ? null : svg('path', { class: 'least', d: `M${points.join('L')}` });
}

/** @param {Frame} frame @param {Line} line */
function path({ x, y }, { distances }) {
  const points = distances.flatMap((distance, at) => (distance === null ? [] : [`${x(at).toFixed(1)} ${y(distance).toFixed(1)}`]));
  return points.length === 0 ? null : svg('path', { class: 'line', d: `M${points.join('L')}` });
}

/** @param {Frame} frame @param {Line} line */
function marks({ x, y }, line) {
  return svg('g', { class: 'leaving' }, leavingMoves(line).map((at) =>
    svg('circle', { cx: x(at + 1), cy: y(line.distances[at + 1] ?? 0), r: 4 })));
}

/** @param {Frame} frame @param {Line} line @param {number} at */
function cursor({ x, y }, line, at) {
  const distance = line.distances[at] ?? line.bounds[at];
  return svg('g', { class: 'cursor' },
    svg('line', { x1: x(at), x2: x(at), y1: MARGIN.top, y2: HEIGHT - MARGIN.bottom }),
    svg('circle', { cx: x(at), cy: y(distance), r: 5.5 }));
}
