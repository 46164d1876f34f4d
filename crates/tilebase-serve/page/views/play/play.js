// @ts-check
// View for playing: the result, facts about the board, times, the moves made, and parts that are loaded later.

import * as puzzle from '../../board.js';
import { button, copied, el, indexOfKey } from '../../dom.js';
import { lineOf } from '../../store.js';
import { dailyPart } from './daily.js';
import { createDrawer, createLater } from '../drawer.js';
import { knowPart } from './know.js';
import { sessionsPart } from './sessions.js';

/** @typedef {import('../../main.js').Context} Context */
/** @typedef {import('../../store.js').State} State */
/** @typedef {import('../drawer.js').Part} Part */

/** @param {HTMLElement} container @param {Context} ctx */
export function mount(container, ctx) {
  const known = knowPart(ctx);
  const moves = movesPart(ctx);
  const finish = createLater(ctx, ({ isFinished }) => isFinished, () => import('./finish.js').then(({ createFinish }) => createFinish));
  const on = { onLeaving: moves.showLeaving, onBoardBack: known.refresh };
  const review = createLater(ctx, isOver, () => import('./review.js').then(({ createReview }) => () => createReview(ctx, on)));
  const drawers = [
    createDrawer(ctx, 'Another board', () => import('./another-board.js')),
    createDrawer(ctx, 'Board as text', () => import('../board-text.js')),
    createDrawer(ctx, 'Options', () => import('./options.js')),
  ];
  const others = [sessionsPart(ctx), moves, dailyPart(ctx)];
  // The review comes last, because it marks moves in the list.
  const parts = [known, finish, ...others, ...drawers, review];
  // The result comes first, because on a phone it would be out of sight below.
  container.append(finish.element, review.element, known.element, ...others.map((part) => part.element),
    el('div', { class: 'card drawers' }, drawers.map((part) => part.element)));
  return {
    /** @param {State} state @param {State} before */
    update(state, before) {
      for (const part of parts) part.update?.(state, before);
    },
    unmount() {
      for (const part of parts) part.unmount?.();
    },
  };
}

/** Returns whether the moves, also the undone ones, end at the goal. @param {State} state */
function isOver(state) {
  if (state.isFinished) return true;
  return state.undone.length > 0 && puzzle.equal(puzzle.applyAll(state.start, lineOf(state)), state.goal);
}

/** @param {Context} ctx @returns {Part & { showLeaving: (moves: ReadonlySet<number>) => void }} */
function movesPart({ store }) {
  // The list is one tab stop, from which the arrows step through the moves.
  const list = el('ol', {
    class: 'moves', 'aria-label': 'Moves made; left and right step through them', tabindex: 0, 'data-own-keys': true,
    on: { keydown: onKey },
  });
  const naming = el('input', { type: 'checkbox', on: { change: () => store.prefer({ naming: naming.checked ? 'blank' : 'tile' }) } });
  const copy = button('Copy', onCopy, { class: 'quiet', 'aria-label': 'Copy the moves' });
  const element = el('section', { class: 'card', 'aria-label': 'Moves' },
    el('div', { class: 'row is-spread' }, el('h2', null, 'Moves'), copy), list,
    el('label', { class: 'toggle small' }, naming, 'Letters name the blank’s direction'));

  function onCopy() {
    void copied(puzzle.lettersOf(store.state.done, store.state.naming), copy);
  }

  /** @param {State} state */
  function show(state) {
    const line = lineOf(state);
    naming.checked = state.naming === 'blank';
    element.hidden = line.length === 0;
    copy.hidden = state.done.length === 0;
    while (list.children.length > line.length) list.lastElementChild?.remove();
    puzzle.tilesOf(state.start, line).forEach((tile, at) => {
      const entry = list.children[at] ?? list.appendChild(moveEntry(at));
      showEntry(entry, puzzle.lettersOf([line[at]], state.naming), tile, at, state.done.length);
    });
    const current = list.querySelector('[aria-current]');
    if (current instanceof HTMLElement) scrollInside(list, current);
  }

  /** @param {number} at */
  function moveEntry(at) {
    return el('li', null, button('', () => store.goTo(at + 1), { tabindex: -1 }));
  }

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    const { done, undone } = store.state;
    const place = indexOfKey(event, done.length, done.length + undone.length);
    if (place !== null) store.goTo(place);
  }

  /** Marks moves that led farther from the goal. @param {ReadonlySet<number>} leaving */
  function showLeaving(leaving) {
    [...list.children].forEach((entry, at) => {
      entry.classList.toggle('is-leaving', leaving.has(at));
      const made = /** @type {HTMLElement} */ (entry.firstElementChild);
      const name = (made.getAttribute('aria-label') ?? '').replace(/, led farther$/, '');
      made.setAttribute('aria-label', leaving.has(at) ? `${name}, led farther` : name);
    });
  }

  show(store.state);
  return {
    element, showLeaving,
    update(state, before) {
      const isSame = state.done === before.done && state.undone === before.undone
        && state.start === before.start && state.naming === before.naming;
      if (!isSame) show(state);
    },
  };
}

/** @param {Element} entry @param {string} letter @param {number} tile @param {number} at @param {number} count */
function showEntry(entry, letter, tile, at, count) {
  const made = /** @type {HTMLElement} */ (entry.firstElementChild);
  if (made.textContent !== letter) made.textContent = letter;
  made.title = `Move ${at + 1}: tile ${tile}`;
  made.setAttribute('aria-label', `Move ${at + 1}: ${letter}, tile ${tile}`);
  entry.classList.toggle('is-undone', at >= count);
  if (at === count - 1) made.setAttribute('aria-current', 'step');
  else made.removeAttribute('aria-current');
}

/** Scrolls a list without moving the page. @param {HTMLElement} list @param {HTMLElement} child */
function scrollInside(list, child) {
  const [outer, inner] = [list.getBoundingClientRect(), child.getBoundingClientRect()];
  if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom;
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top;
}
