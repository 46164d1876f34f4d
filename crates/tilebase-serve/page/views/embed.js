// @ts-check
// View in a frame of another site: the board, and a player of the moves in the address.

import { button, el, fill } from '../dom.js';
import * as puzzle from '../board.js';
import { lineOf } from '../store.js';
import { createPlayer } from './player.js';
import { useStyles } from './styles.js';

/** @typedef {import('../main.js').Context} Context */
/** @typedef {import('../store.js').State} State */

/** @param {HTMLElement} container @param {Context} ctx */
export function mount(container, ctx) {
  useStyles('views/solve.css');
  const { store } = ctx;
  const { start, goal, done } = store.state;
  const moves = lineOf(store.state);
  const again = button('Back to these moves', () => restore(), { hidden: true });
  const open = el('a', { target: '_blank', rel: 'noopener' }, 'Open in Tilebase');
  const player = moves.length === 0 ? null : createPlayer({
    start, goal, moves, ctx, name: 'game', isInPlace: true, goTo: (position) => store.goTo(position),
  });
  const place = el('div', null, player?.element);
  fill(container, place, el('div', { class: 'row is-spread' }, open, again));
  show(store.state);

  // Returns whether the user has moved tiles, so that the player's moves no longer apply.
  function isOther() {
    const { state } = store;
    return !puzzle.equal(state.start, start) || puzzle.lettersOf(lineOf(state)) !== puzzle.lettersOf(moves);
  }

  function restore() {
    store.setBoard(start, { goal });
    store.follow(moves);
    store.goTo(done.length);
  }

  /** @param {State} state */
  function show(state) {
    const isOwn = isOther();
    open.href = store.linkTo({ start: state.start, board: state.board, done: state.done, undone: state.undone, view: 'play' });
    again.hidden = player === null || !isOwn;
    place.hidden = isOwn;
    document.documentElement.dataset.embed = player === null || isOwn ? 'board' : 'player';
    if (!isOwn) player?.sync(state.done.length);
  }

  return {
    /** @param {State} state */
    update: show,
    unmount: () => player?.stop(),
  };
}
