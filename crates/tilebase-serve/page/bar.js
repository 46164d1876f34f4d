// @ts-check
// The bar below the board: moves, time, undo, redo, restart, size and new board.

import { attempt } from './api.js';
import { SIDES, shapeOf, slidesOf } from './board.js';
import { button, el, fill, formatClock, optionsOf, say } from './dom.js';
import { chosen, scramble, setShape } from './scramble.js';
import { penaltyOf } from './sessions.js';
import { elapsedOf } from './store.js';

const TICK_MS = 100;

/** @param {HTMLElement} container @param {import('./main.js').Context} ctx */
export function createBar(container, { store, sessions, announce }) {
  const [moves, slides, clock] = [createFigure(), createFigure(), createFigure()];
  const undo = iconButton('↶', 'Undo (U)', () => store.undo());
  const redo = iconButton('↷', 'Redo (R)', () => store.redo());
  const again = iconButton('⟲', 'Back to the start', () => store.restart());
  const previous = iconButton('⇤', 'Previous board (P)', onPrevious);
  const another = button('New', onAnother, { class: 'primary', 'aria-label': 'New board', title: 'New board' });
  const size = el('select', { 'aria-label': 'Size', title: 'Size of the board', on: { change: onSize } });
  const solved = el('strong', { class: 'solved good', hidden: true }, 'Solved');
  const problem = el('p', { class: 'problem', role: 'alert', hidden: true });
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let ticking;

  function onSize() {
    const [rows, cols] = size.value.split('x').map(Number);
    setShape(store, { rows, cols });
  }

  function onAnother() {
    void attempt(problem, async () => {
      await scramble(store);
      announce(chosen.kind === 'random' ? 'A random board.' : 'A new board.');
    }, another);
  }

  function onPrevious() {
    store.previous();
    announce('The previous board.');
    if (previous.hidden) another.focus();
  }

  function show() {
    const { state } = store;
    const shape = shapeOf(state.board);
    const squares = SIDES.map((side) => `${side}x${side}`);
    fill(size, optionsOf([...squares, ...squares.includes(shape) ? [] : [shape]].map((value) => ({ value, text: value.replace('x', ' × ') })), shape));
    solved.hidden = !state.isFinished;
    const made = slidesOf(state.done);
    moves.show(String(state.done.length), state.done.length === 1 ? 'move' : 'moves');
    slides.show(String(made), made === 1 ? 'slide' : 'slides');
    undo.disabled = state.done.length === 0;
    redo.disabled = state.undone.length === 0;
    again.disabled = state.done.length === 0 && state.undone.length === 0;
    previous.hidden = !store.hasPrevious;
    clearInterval(ticking);
    if (state.clock.since !== null || sessions.inspectionLeft() !== null) ticking = setInterval(tick, TICK_MS);
    tick();
  }

  function tick() {
    const { state } = store;
    const left = sessions.inspectionLeft();
    if (left === null) clock.show(formatClock(elapsedOf(state), state.clock.since === null ? 3 : 1), 'time');
    else clock.show(penaltyOf(left) || `${Math.ceil(left / 1000)} s`, 'inspection');
  }

  container.append(
    el('div', { class: 'figures' }, moves.element, slides.element, clock.element, solved),
    el('div', { class: 'row' }, undo, redo, again, previous), el('div', { class: 'row of-new' }, size, another), problem);
  store.subscribe((state, before) => {
    if (state.start !== before.start || state.view !== before.view) say(problem, '');
    show();
  });
  sessions.subscribe(show);
  show();
  return { renew: onAnother, complain: (/** @type {string} */ text) => say(problem, text) };
}

/** Creates a number with its name below it. */
function createFigure() {
  const [figure, caption] = [el('span', { class: 'figure' }), el('span', { class: 'muted' })];
  return {
    element: el('div', { class: 'named-figure' }, figure, caption),
    /** @param {string} value @param {string} name */
    show(value, name) {
      [figure.textContent, caption.textContent] = [value, name];
    },
  };
}

/** @param {string} sign @param {string} name @param {() => void} onClick */
function iconButton(sign, name, onClick) {
  return button(sign, onClick, { class: 'icon-button', 'aria-label': name, title: name });
}
