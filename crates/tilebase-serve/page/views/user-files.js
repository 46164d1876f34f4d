// @ts-check
// Files for the user.

import { button, el } from '../dom.js';

/** Time after which the address of a saved file is no longer needed. */
const SAVE_MS = 60_000;

/** Saves a file for the user. @param {Blob} blob @param {string} name */
export function saveFile(blob, name) {
  const url = URL.createObjectURL(blob);
  el('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), SAVE_MS);
}

/**
 * Creates a button that asks for files, and its hidden input.
 * @param {string} text @param {import('../dom.js').Props} props of the input @param {(files: File[]) => unknown} onFiles
 */
export function fileButton(text, props, onFiles) {
  const input = el('input', { type: 'file', class: 'hidden-text', tabindex: -1, ...props, on: { change: onChange } });
  async function onChange() {
    const files = [...input.files ?? []];
    if (files.length > 0) await onFiles(files);
    // The same file can be chosen again, after it was changed.
    input.value = '';
  }
  return [input, button(text, () => input.click())];
}
