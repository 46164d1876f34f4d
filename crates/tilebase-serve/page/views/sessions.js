// @ts-check
// Solves in this browser. Their tables are loaded when there is a solve.

import * as puzzle from '../board.js';
import { el } from '../dom.js';

/** @typedef {import('../main.js').Context} Context */

/** @param {Context} ctx @returns {import('./play.js').Part} */
export function sessionsPart(ctx) {
  const { store, sessions } = ctx;
  const title = el('h2', null);
  const none = el('p', { class: 'muted' }, 'Solve a board by hand, and its time and moves are kept here. They stay in this browser.');
  const place = el('div', { class: 'stack' });
  const element = el('section', { class: 'card sessions', 'aria-label': 'Your solves' }, title, none, place);
  /** @type {ReturnType<typeof import('./solves.js').createSolves> | null} */
  let solves = null;
  const stop = sessions.subscribe(() => void show());

  async function show() {
    const shape = puzzle.shapeOf(store.state.board);
    title.textContent = `Your solves of ${shape}`;
    none.hidden = sessions.list(shape).length > 0;
    if (solves === null && sessions.list().length > 0) {
      const loaded = await import('./solves.js').catch(() => null);
      if (loaded === null) return;
      if (solves === null) {
        solves = loaded.createSolves(ctx);
        place.append(solves.element);
      }
    }
    solves?.show();
  }

  void show();
  return {
    element,
    update(state, before) {
      if (!puzzle.isSameShape(state.board, before.board)) void show();
    },
    unmount: stop,
  };
}
