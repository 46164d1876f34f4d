// @ts-check
// Keys that move tiles. The user can choose them; the browser stores them.

import { DIRECTIONS } from './board.js';
import { keep, load } from './storage.js';

/** @typedef {import('./board.js').Direction} Direction */
/** Two keys for each direction, as codes of keyboard events. An empty code means no key. @typedef {Record<Direction, [string, string]>} Keys */

const KEPT = 'tilebase-keys';
const ARROWS = /^Arrow(Up|Right|Down|Left)$/;
/** Keys with a fixed meaning in browsers. */
const RESERVED = /^(Tab|Enter|NumpadEnter|Space|Escape|F\d+|(Shift|Control|Alt|Meta)(Left|Right)|CapsLock|ContextMenu)$/;

/** @returns {Keys} */
function usualKeys() {
  return { U: ['ArrowUp', 'KeyW'], R: ['ArrowRight', 'KeyD'], D: ['ArrowDown', 'KeyS'], L: ['ArrowLeft', 'KeyA'] };
}

let keys = read();

/** @returns {Readonly<Keys>} */
export function chosenKeys() {
  return keys;
}

/** Returns the direction in which a key moves a tile. @param {KeyboardEvent} event @returns {Direction | null} */
export function directionOfKey(event) {
  // Arrows of the number pad have codes of their own.
  return directionOf(event.code) ?? (ARROWS.test(event.key) ? directionOf(event.key) : null);
}

/** @param {string} code @returns {Direction | null} */
function directionOf(code) {
  return DIRECTIONS.find((direction) => code !== '' && keys[direction].includes(code)) ?? null;
}

/** Returns whether a key can be chosen. @param {string} code */
export function isFree(code) {
  return code !== '' && !RESERVED.test(code);
}

/** Assigns a key to a direction. It loses its earlier direction. @param {Direction} direction @param {0 | 1} nth @param {string} code */
export function chooseKey(direction, nth, code) {
  const next = structuredClone(keys);
  for (const pair of Object.values(next)) {
    if (pair.includes(code)) pair[pair.indexOf(code)] = '';
  }
  next[direction][nth] = code;
  use(next);
}

export function resetKeys() {
  use(usualKeys());
}

/** Returns the name of a key: `W`, `↑`, `7`. @param {string} code */
export function nameOfKey(code) {
  const arrows = { ArrowUp: '↑', ArrowRight: '→', ArrowDown: '↓', ArrowLeft: '←' };
  if (code === '') return '–';
  if (code in arrows) return arrows[/** @type {keyof typeof arrows} */ (code)];
  return code.replace(/^(Key|Digit)/, '').replace(/^Numpad/, 'Num ');
}

/** @param {Keys} next */
function use(next) {
  keys = next;
  keep(KEPT, keys);
}

/** @returns {Keys} */
function read() {
  const kept = load(KEPT);
  const isWhole = kept !== null && DIRECTIONS.every((name) => Array.isArray(kept[name]) && kept[name].length === 2
    && kept[name].every((/** @type {unknown} */ code) => typeof code === 'string'));
  return isWhole ? { U: kept.U, R: kept.R, D: kept.D, L: kept.L } : usualKeys();
}
