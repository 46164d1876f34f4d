// @ts-check
// Colours of patterns, and small pictures of partitions. Each colour has a letter, because not everybody can
// distinguish all colours.

import { COLOURS } from '../colours.js';
import { svg } from '../dom.js';
import { NONE, letterOf, neighboursOf } from './spec.js';

/** @typedef {import('../board.js').Board} Board */
/** @typedef {import('./spec.js').Drawing} Drawing */

const INKS = ['#ffffff', '#111111'];
const SIDE = 12;

/** @param {number} pattern */
export function colourOf(pattern) {
  return COLOURS[pattern % COLOURS.length];
}

/** Returns the colour of letters with the larger contrast. @param {string} colour */
export function inkOn(colour) {
  const contrast = (/** @type {string} */ ink) => {
    const [light, dark] = [luminance(ink), luminance(colour)].sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  };
  return contrast(INKS[0]) >= contrast(INKS[1]) ? INKS[0] : INKS[1];
}

/** Returns the relative luminance, as WCAG defines it. @param {string} colour #rrggbb */
function luminance(colour) {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

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
