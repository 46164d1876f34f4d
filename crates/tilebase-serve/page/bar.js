// @ts-check
// The bar below the board: moves, time, undo, redo, restart, new board.

import { detailOf, isAbort } from './api.js';
import { button, el, formatClock, say } from './dom.js';
import { chosen, scramble } from './scramble.js';
import { elapsedOf } from './store.js';

const TICK_MS = 100;

/** @param {HTMLElement} container @param {import('./main.js').Context} ctx */
export function createBar(container, { store, announce }) {
  const moves = el('span', { class: 'figure' });
  const movesName = el('span', { class: 'muted' });
  const clock = el('span', { class: 'figure' });
  const undo = iconButton('↶', 'Undo (U)', () => store.undo());
  const redo = iconButton('↷', 'Redo (R)', () => store.redo());
  const again = iconButton('⟲', 'Back to the start', () => store.restart());
  const previous = iconButton('⇤', 'Previous board (P)', onPrevious);
  const another = button('New', onAnother, { class: 'primary', 'aria-label': 'New board', title: 'New board' });
  const problem = el('p', { class: 'problem', role: 'alert', hidden: true });
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let ticking;

  async function onAnother() {
    say(problem, '');
    another.setAttribute('aria-busy', 'true');
    try {
      await scramble(store);
      announce(chosen.kind === 'random' ? 'A random board.' : 'A new board.');
    } catch (error) {
      if (!isAbort(error)) say(problem, detailOf(error));
    } finally {
      another.removeAttribute('aria-busy');
    }
  }

  function onPrevious() {
    store.previous();
    announce('The previous board.');
    if (previous.hidden) another.focus();
  }

  function show() {
    const { state } = store;
    moves.textContent = String(state.done.length);
    movesName.textContent = state.done.length === 1 ? 'move' : 'moves';
    clock.textContent = formatClock(elapsedOf(state), state.clock.since === null ? 3 : 1);
    undo.disabled = state.done.length === 0;
    redo.disabled = state.undone.length === 0;
    again.disabled = state.done.length === 0 && state.undone.length === 0;
    previous.hidden = !store.hasPrevious;
    clearInterval(ticking);
    if (state.clock.since !== null) ticking = setInterval(tick, TICK_MS);
  }

  function tick() {
    clock.textContent = formatClock(elapsedOf(store.state), 1);
  }

  container.append(
    el('div', { class: 'figures' }, figure(movesName, moves), figure(el('span', { class: 'muted' }, 'time'), clock)),
    el('div', { class: 'row' }, undo, redo, again, previous, another), problem);
  store.subscribe((state, before) => {
    if (state.start !== before.start) say(problem, '');
    show();
  });
  show();
  return { complain: (/** @type {string} */ text) => say(problem, text) };
}

/** @param {HTMLElement} name @param {HTMLElement} value */
function figure(name, value) {
  return el('div', { class: 'named-figure' }, value, name);
}

/** @param {string} sign @param {string} name @param {() => void} onClick */
function iconButton(sign, name, onClick) {
  return button(sign, onClick, { class: 'icon-button', 'aria-label': name, title: name });
}
