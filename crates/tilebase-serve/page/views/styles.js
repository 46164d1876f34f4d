// @ts-check
// Styles that a view brings along.

import { el } from '../dom.js';

/** Adds a stylesheet to the page, once. @param {string} href */
export function useStyles(href) {
  if (document.head.querySelector(`link[href="${href}"]`) === null) {
    document.head.append(el('link', { rel: 'stylesheet', href }));
  }
}
