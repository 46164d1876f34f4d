// @ts-check
// Part of a view that is closed at first, and loaded when it is opened.

import { el, fill } from '../dom.js';

/** @typedef {import('../main.js').Context} Context */
/** @typedef {import('../store.js').State} State */
/** @typedef {{ element: HTMLElement, update?: (state: State, before: State) => void, unmount?: () => void }} Part */

/**
 * Creates a part of a view that is loaded when it is opened.
 * @param {Context} ctx @param {string} title @param {() => Promise<{ createPart: (ctx: Context) => Part }>} load @returns {Part}
 */
export function createDrawer(ctx, title, load) {
  const place = el('section', { 'aria-label': title });
  const element = el('details', { on: { toggle: () => void open() } }, el('summary', null, title), place);
  /** @type {Part | null} */
  let part = null;

  async function open() {
    if (!element.open || place.firstChild !== null) return;
    fill(place, el('p', { class: 'muted' }, 'Loading…'));
    try {
      part = (await load()).createPart(ctx);
      fill(place, part.element);
    } catch {
      fill(place, el('p', { class: 'problem' }, 'This part cannot be loaded: is there a network?'));
    }
  }

  return { element, update: (state, before) => part?.update?.(state, before) };
}
