// @ts-check
// Solves in this browser. Their tables are loaded when there is a solve, or on request.

import * as puzzle from '../../board.js';
import { button, el } from '../../dom.js';

/** @typedef {import('../../main.js').Context} Context */

/** @param {Context} ctx @returns {import('./play.js').Part} */
export function sessionsPart(ctx) {
  const { store, sessions } = ctx;
  const title = el('h2', null);
  const none = el('p', { class: 'muted' }, 'Solve a board by hand, and its time and moves are kept here, in this browser.');
  const open = button('Sessions', () => void load(), { class: 'quiet', title: 'Names, inspection, and files of solves' });
  const place = el('div', { class: 'stack' });
  const element = el('section', { class: 'card sessions', 'aria-label': 'Your solves' }, el('div', { class: 'row is-spread' }, title, open), none, place);
  /** @type {ReturnType<typeof import('./solves.js').createSolves> | null} */
  let solves = null;
  const stop = sessions.subscribe(show);

  async function load() {
    const loaded = await import('./solves.js').catch(() => null);
    if (loaded === null || solves !== null) return;
    solves = loaded.createSolves(ctx);
    place.append(solves.element);
    show();
  }

  function show() {
    const shape = puzzle.shapeOf(store.state.board);
    title.textContent = `Your solves of ${shape}`;
    none.hidden = sessions.list(shape).length > 0;
    open.hidden = solves !== null;
    if (solves !== null) solves.show();
    else if (sessions.all().length > 0) void load();
  }

  show();
  return {
    element,
    update(state, before) {
      if (!puzzle.isSameShape(state.board, before.board)) show();
    },
    unmount: stop,
  };
}
