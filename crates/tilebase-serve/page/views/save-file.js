// @ts-check
// Files for the user.

import { el } from '../dom.js';

/** Time after which the address of a saved file is no longer needed. */
const SAVE_MS = 60_000;

/** Saves a file for the user. @param {Blob} blob @param {string} name */
export function saveFile(blob, name) {
  const url = URL.createObjectURL(blob);
  el('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), SAVE_MS);
}
