// @ts-check
// Parts of views that are loaded when they are needed.

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

/**
 * Creates a part without a title, which is loaded when a state first needs it.
 * @param {Context} ctx @param {(state: State) => boolean} isNeeded @param {() => Promise<(ctx: Context) => Part>} load @returns {Part}
 */
export function createLater(ctx, isNeeded, load) {
  const element = el('div', { hidden: true, style: { display: 'contents' } });
  /** @type {Part | null} */
  let part = null;
  let isOpen = true;

  /** @param {State} state */
  async function show(state) {
    if (!isNeeded(state)) return;
    const create = await load().catch(() => null);
    if (create === null || part !== null || !isOpen) return;
    part = create(ctx);
    fill(element, part.element);
    element.hidden = false;
  }

  void show(ctx.store.state);
  return {
    element,
    update(state, before) {
      if (part === null) void show(state);
      else part.update?.(state, before);
    },
    unmount() {
      isOpen = false;
      part?.unmount?.();
    },
  };
}
