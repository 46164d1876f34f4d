// @ts-check
// Style sheets of views.

import { el } from '../dom.js';

/** Adds a style sheet to the page, once. @param {string} href */
export function useStyles(href) {
  if (document.head.querySelector(`link[href="${href}"]`) === null) {
    document.head.append(el('link', { rel: 'stylesheet', href }));
  }
}
