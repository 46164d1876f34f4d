// @ts-check
// Small pictures of partitions.

import { colourOf, inkOn, letterOf } from '../../colours.js';
import { svg } from '../../dom.js';
import { NONE, neighboursOf } from './spec.js';

/** @typedef {import('../../board.js').Board} Board */
/** @typedef {import('./spec.js').Drawing} Drawing */

const SIDE = 12;

/**
 * Draws a small picture of a partition. Screen readers skip it, because a text beside it says the same.
 * @param {Board} goal @param {Drawing} drawing
 * @param {(pattern: number) => boolean} [isShown] patterns with colour
 */
export function miniature(goal, drawing, isShown = () => true) {
  const { rows, cols } = goal;
  const cells = drawing.map((pattern, cell) => {
    const isPlain = pattern === NONE || !isShown(pattern);
    const [x, y] = [(cell % cols) * SIDE, Math.floor(cell / cols) * SIDE];
    if (goal.tiles[cell] === 0) return null;
    return svg('g', { class: isPlain ? 'pt-mini-none' : null },
      svg('rect', { ...joined(goal, drawing, cell, x, y), fill: isPlain ? null : colourOf(pattern) }),
      isPlain ? null : svg('text', { x: x + SIDE / 2, y: y + SIDE / 2 + 2.8, 'text-anchor': 'middle', 'font-size': 8,
        'font-weight': 600, fill: inkOn(colourOf(pattern)) }, letterOf(pattern)));
  });
  return svg('svg', { class: 'pt-mini', viewBox: `-0.5 -0.5 ${cols * SIDE + 1} ${rows * SIDE + 1}`, 'aria-hidden': 'true',
    width: cols * SIDE, height: rows * SIDE }, cells);
}

/** Returns the rectangle of a cell, which touches its neighbours of the same pattern. @param {Board} goal @param {Drawing} drawing @param {number} cell @param {number} x @param {number} y */
function joined(goal, drawing, cell, x, y) {
  const gap = 0.7;
  const near = neighboursOf(goal, cell).filter((next) => drawing[next] === drawing[cell] && drawing[cell] !== NONE);
  const [left, right] = [near.includes(cell - 1) ? 0 : gap, near.includes(cell + 1) ? 0 : gap];
  const [top, bottom] = [near.includes(cell - goal.cols) ? 0 : gap, near.includes(cell + goal.cols) ? 0 : gap];
  return { x: x + left, y: y + top, width: SIDE - left - right, height: SIDE - top - bottom };
}
