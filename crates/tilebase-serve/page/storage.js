// @ts-check
// Storage of the browser. If it is forbidden or full, values last as long as the page.

/** @typedef {'localStorage' | 'sessionStorage'} Place */

/** Texts that could not be stored, by key. @type {Map<string, string>} */
const unstored = new Map();

/** Reads a text, null if there is none. @param {string} key @param {Place} [place] */
export function loadText(key, place = 'localStorage') {
  try {
    return unstored.get(key) ?? window[place].getItem(key);
  } catch {
    return null;
  }
}

/** Stores a text. @param {string} key @param {string} text @param {Place} [place] */
export function keepText(key, text, place = 'localStorage') {
  try {
    window[place].setItem(key, text);
    unstored.delete(key);
  } catch {
    unstored.set(key, text);
  }
}

/** Reads a value, null if there is none. @param {string} key @param {Place} [place] @returns {any} */
export function load(key, place) {
  try {
    return JSON.parse(loadText(key, place) ?? 'null');
  } catch {
    return null;
  }
}

/** Stores a value. @param {string} key @param {unknown} value @param {Place} [place] */
export function keep(key, value, place) {
  keepText(key, JSON.stringify(value), place);
}
