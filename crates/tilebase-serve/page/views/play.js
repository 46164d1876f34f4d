// @ts-check
// View for playing: the result, facts about the board, times, the moves made, and parts that are loaded later.

import { detailOf, isAbort } from '../api.js';
import * as puzzle from '../board.js';
import { button, copied, el, fill, formatClock, indexOfKey, plural } from '../dom.js';
import { helpOf } from '../sessions.js';
import { elapsedOf, lineOf, queryOf } from '../store.js';
import { dailyPart } from './daily.js';
import { createDrawer } from './drawer.js';
import * as know from './know.js';
import { sessionsPart } from './sessions.js';

/** @typedef {import('../main.js').Context} Context */
/** @typedef {import('../store.js').State} State */
/** @typedef {import('./drawer.js').Part} Part */

/** @param {HTMLElement} container @param {Context} ctx */
export function mount(container, ctx) {
  const known = el('div', { class: 'stack' });
  const knowing = know.mount(known, ctx);
  const moves = movesPart(ctx);
  const finish = finishPart(ctx);
  const review = reviewPart(ctx, { onLeaving: moves.showLeaving, onBoardBack: knowing.refresh });
  const drawers = [
    createDrawer(ctx, 'Another board', () => import('./another-board.js')),
    createDrawer(ctx, 'Board as text', () => import('./board-text.js')),
    createDrawer(ctx, 'Options', () => import('./options.js')),
  ];
  const others = [sessionsPart(ctx), moves, dailyPart(ctx)];
  // The review comes last, because it marks moves in the list.
  const parts = [finish, ...others, ...drawers, review];
  // The result comes first, because on a phone it would be out of sight below.
  container.append(finish.element, review.element, known, ...others.map((part) => part.element),
    el('div', { class: 'card drawers' }, drawers.map((part) => part.element)));
  return {
    /** @param {State} state @param {State} before */
    update(state, before) {
      knowing.update(state, before);
      for (const part of parts) part.update?.(state, before);
    },
    unmount() {
      knowing.unmount();
      for (const part of parts) part.unmount?.();
    },
  };
}

/** Creates the result: the number of moves beside the optimum. @param {Context} ctx @returns {Part} */
function finishPart({ store, api, announce, sessions }) {
  const element = el('section', { class: 'card finish', 'aria-label': 'Finish', hidden: true });
  /** @type {AbortController | null} */
  let asking = null;

  /** @param {State} state */
  async function show(state) {
    // Moves of a link have no time.
    const time = elapsedOf(state) > 0 ? ` in ${formatClock(elapsedOf(state))}` : '';
    const slides = puzzle.slidesOf(state.done);
    const rates = [[state.done.length, 'moves'], [slides, 'slides']].map(([count, name]) => `${(Number(count) / (elapsedOf(state) / 1000)).toFixed(1)} ${name}`);
    const made = el('p', null, `${plural(state.done.length, 'move')}, ${plural(slides, 'slide')}${time}.${time === '' ? '' : ` A second: ${rates.join(', ')}.`}`);
    const verdict = el('p', { class: 'muted' }, 'Searching for the optimum…');
    const help = helpOf(state);
    fill(element, el('h2', { class: 'good' }, 'Solved'), made,
      state.isTimed && help !== '' ? el('p', null, `${help[0].toUpperCase()}${help.slice(1)}.`) : null, verdict);
    element.hidden = false;
    asking = new AbortController();
    try {
      const query = { ...queryOf(state, state.start), sequence: puzzle.lettersOf(state.done), moves: 'tile' };
      const answer = await api.get('/v1/check', query, { signal: asking.signal });
      const { optimum } = answer;
      if (typeof optimum === 'number') sessions.setOptimum(puzzle.format(state.start), puzzle.format(state.goal), optimum);
      const text = verdictOf(answer);
      fill(verdict, text);
      verdict.classList.remove('muted');
      announce(text);
      if (answer.leaves_optimum_at !== null && answer.leaves_optimum_at !== undefined) {
        element.append(leavingRow(answer.leaves_optimum_at));
      }
    } catch (error) {
      if (!isAbort(error)) fill(verdict, detailOf(error));
    }
  }

  /** @param {number} at number of the first move that is not optimal */
  function leavingRow(at) {
    return el('div', { class: 'row' },
      el('span', null, at === 1 ? 'The first move already left the optimum.' : `Move ${at} left the optimum.`),
      button('Show the board before it', () => store.goTo(at - 1)));
  }

  // The result stays visible after a reload or a visit of another view.
  if (store.state.isFinished) void show(store.state);
  return {
    element,
    update(state, before) {
      if (state.isFinished === before.isFinished && state.done === before.done) return;
      asking?.abort();
      element.hidden = true;
      if (state.isFinished) void show(state);
    },
    unmount: () => asking?.abort(),
  };
}

/** @param {{ length: number, optimum?: number | null, optimal?: boolean | null, lower_bound?: number | null }} answer */
function verdictOf({ length, optimum, optimal, lower_bound: bound }) {
  if (optimal) return `${length} is the optimum. No solution is shorter.`;
  if (optimum !== null && optimum !== undefined) {
    return `The optimum is ${optimum}: you made ${length - optimum} more.`;
  }
  return bound ? `The optimum is not known: it is at least ${bound}.` : 'The optimum is not known: the search took too long.';
}

/**
 * Creates the review of a finished game, also while the user steps through it.
 * @param {Context} ctx @param {{ onLeaving: (moves: ReadonlySet<number>) => void, onBoardBack: () => void }} on
 * @returns {Part}
 */
function reviewPart(ctx, on) {
  const element = el('div', { class: 'stack', hidden: true });
  /** @type {import('./review.js').Review | null} */
  let review = null;
  let isWanted = true;

  /** @param {State} state */
  async function show(state) {
    element.hidden = !isOver(state);
    if (review !== null) return review.update(state);
    if (element.hidden) return;
    const loaded = await import('./review.js').catch(() => null);
    if (loaded === null || review !== null || !isWanted) return;
    review = loaded.createReview(ctx, on);
    fill(element, review.element);
  }

  void show(ctx.store.state);
  return {
    element,
    update(state, before) {
      const isSame = state.done === before.done && state.undone === before.undone && state.start === before.start && state.spec === before.spec;
      if (!isSame) void show(state);
    },
    unmount() {
      isWanted = false;
      review?.destroy();
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
  const naming = el('label', { class: 'toggle small' },
    el('input', { type: 'checkbox', on: { change: onNaming } }), 'Letters name the blank’s direction');
  const title = el('h2', null, 'Moves');
  const copy = button('Copy', onCopy, { class: 'quiet', 'aria-label': 'Copy the moves' });
  const element = el('section', { class: 'card', 'aria-label': 'Moves' },
    el('div', { class: 'row is-spread' }, title, copy), list, naming);
  const box = /** @type {HTMLInputElement} */ (naming.querySelector('input'));

  /** @param {Event} event */
  function onNaming(event) {
    store.prefer({ naming: /** @type {HTMLInputElement} */ (event.target).checked ? 'blank' : 'tile' });
  }

  async function onCopy() {
    const { done, naming: named } = store.state;
    await copied(puzzle.lettersOf(done, named), copy);
  }

  /** @param {State} state */
  function show(state) {
    const line = lineOf(state);
    box.checked = state.naming === 'blank';
    element.hidden = line.length === 0;
    copy.hidden = state.done.length === 0;
    while (list.children.length > line.length) list.lastElementChild?.remove();
    let board = state.start;
    line.forEach((direction, at) => {
      const entry = list.children[at] ?? list.appendChild(moveEntry(at));
      const letter = puzzle.lettersOf([direction], state.naming);
      const tile = puzzle.tileOf(board, direction);
      board = puzzle.applyAll(board, [direction]);
      showEntry(entry, letter, tile, at, state.done.length);
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
