// @ts-check
// Player of moves on the main board: play, pause, step, scrub, speed.

import { announce, button, el, indexOfKey, plural, select, svg } from '../dom.js';
import * as puzzle from '../board.js';

/** @typedef {import('../board.js').Board} Board */
/** @typedef {import('../board.js').Direction} Direction */
/**
 * @typedef {object} PlayerOptions
 * @property {Board} start
 * @property {Board} goal
 * @property {readonly Direction[]} moves
 * @property {import('../main.js').Context} ctx
 * @property {(position: number) => void} [onStep]
 * @property {string} [name] Name of the moves, `solution` by default.
 * @property {(position: number) => void} [goTo]
 *   Moves the page's game to a position. Without it, the main board only shows the moves.
 * @property {boolean} [isInPlace] Whether the page does not scroll to the main board.
 */

const SPEEDS = [0.5, 1, 2, 3, 5, 8, 12];
const SPEED_FIRST = 3;

/** Paths of the icons, which differ between fonts. @type {Record<string, string>} */
const ICONS = {
  first: 'M3 3h2v10H3zM13 3v10L6 8z', back: 'M12 3v10L4 8z', next: 'M4 3v10l8-5z', last: 'M11 3h2v10h-2zM3 3v10l7-5z',
};

/** @param {string} icon @param {() => void} onClick @param {import('../dom.js').Props} props */
function iconButton(icon, onClick, props) {
  const made = button('', onClick, props);
  made.append(svg('svg', { viewBox: '0 0 16 16', width: 16, height: 16, fill: 'currentcolor', 'aria-hidden': 'true' }, svg('path', { d: ICONS[icon] })));
  return made;
}

/** @param {PlayerOptions} options */
export function createPlayer({ start, goal, moves, ctx, onStep, name = 'solution', goTo, isInPlace = false }) {
  const boards = puzzle.boardsOf(start, moves);
  let position = 0;
  let speed = SPEED_FIRST;
  /** @type {ReturnType<typeof setInterval> | null} */
  let timer = null;
  /** @type {(() => void) | null} */
  let release = null;

  const play = button('Play', toggle, { class: 'primary play' });
  const first = iconButton('first', () => go(0), { 'aria-label': 'To the start', title: 'To the start (Home)' });
  const back = iconButton('back', () => go(position - 1), { 'aria-label': 'One move back', title: 'One move back (←)' });
  const next = iconButton('next', () => go(position + 1), { 'aria-label': 'One move on', title: 'One move on (→)' });
  const last = iconButton('last', () => go(moves.length), { 'aria-label': 'To the end', title: 'To the end (End)' });
  const scrub = el('input', {
    type: 'range', min: 0, max: moves.length, value: 0, step: 1, 'aria-label': `Position in the ${name}`,
    on: { input: () => scrubTo(Number(scrub.value)) },
  });
  const status = el('p', { class: 'player-status' });
  const panel = el('div', { class: 'player', role: 'group', 'aria-label': `Player of the ${name}`, data: { ownKeys: '' } },
    el('div', { class: 'player-buttons' }, first, back, play, next, last),
    el('div', { class: 'player-line' }, scrub, speedField()), status);
  // On a phone, the player docks below the board during play. The place keeps its height.
  const element = el('div', { class: 'player-place' }, panel);
  panel.addEventListener('keydown', onKey);
  render();

  function speedField() {
    const choices = SPEEDS.map((value) => ({ value: String(value), text: `${value} / s` }));
    const list = select(choices, String(speed), { on: { change: () => setSpeed(Number(list.value)) } });
    return el('label', { class: 'field speed' }, el('span', { class: 'hidden-text' }, 'Moves a second'), list);
  }

  /** @param {number} value */
  function setSpeed(value) {
    speed = value;
    if (timer !== null) begin();
  }

  function toggle() {
    if (timer !== null) {
      pause();
      return;
    }
    if (position === moves.length) show(0);
    bringBoard();
    begin();
  }

  function bringBoard() {
    if (isInPlace) return;
    const { top } = ctx.boardView.element.getBoundingClientRect();
    if (top >= 0 && top < innerHeight / 2) return;
    ctx.boardView.element.style.scrollMarginTop = '14px';
    ctx.boardView.element.scrollIntoView({ block: 'start', behavior: prefersReducedMotion() ? 'auto' : 'smooth' });
  }

  function begin() {
    if (timer !== null) clearInterval(timer);
    timer = setInterval(tick, 1000 / speed);
    render();
  }

  function tick() {
    show(position + 1);
    if (position !== moves.length) return;
    pause();
    announce('The goal is reached.');
  }

  function pause() {
    if (timer !== null) clearInterval(timer);
    timer = null;
    render();
  }

  // The value is an argument, because pausing resets the slider to the position of the player.
  /** @param {number} to */
  function scrubTo(to) {
    pause();
    show(to);
  }

  /** Goes to a position on request of the user. @param {number} to */
  function go(to) {
    pause();
    show(to);
    announce(status.textContent ?? '');
  }

  /** @param {number} to */
  function show(to) {
    position = Math.max(0, Math.min(moves.length, to));
    if (goTo) goTo(position);
    else if (position === 0) giveBack();
    else {
      release ??= ctx.takeBoard({ onSlide: takeOver, onRelease: released });
      ctx.boardView.update(boards[position], { label: `Board after move ${position} of the ${name}` });
    }
    render();
    onStep?.(position);
  }

  // The user has moved a tile of the shown board, and continues from there.
  /** @param {number} cell */
  function takeOver(cell) {
    const moved = puzzle.slidesTo(boards[position], cell);
    const played = [...moves.slice(0, position), ...moved];
    stop();
    ctx.store.follow(played);
  }

  function giveBack() {
    const giving = release;
    release = null;
    giving?.();
  }

  // The view was closed, or another view has reserved the board.
  function released() {
    release = null;
    position = 0;
    pause();
  }

  function stop() {
    pause();
    if (goTo) return;
    position = 0;
    giveBack();
    render();
  }

  /** Shows the position of the page's game. @param {number} to */
  function sync(to) {
    if (to === position) return;
    position = to;
    render();
  }

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    if (event.target instanceof HTMLSelectElement || event.target === scrub) return;
    const to = indexOfKey(event, position, moves.length);
    if (to !== null) go(to);
  }

  function render() {
    // A game at its end is not in the way; a solution at its start is not.
    const isActive = !isInPlace && (timer !== null || position !== (goTo ? moves.length : 0));
    if (isActive) element.style.minHeight ||= `${panel.offsetHeight}px`;
    else element.style.minHeight = '';
    element.classList.toggle('is-active', isActive);
    play.textContent = timer === null ? 'Play' : 'Pause';
    scrub.value = String(position);
    scrub.setAttribute('aria-valuetext', `move ${position} of ${moves.length}`);
    status.textContent = sentence();
    // A disabled button loses the focus, which would leave the keyboard nowhere.
    for (const [control, isIdle] of /** @type {[HTMLElement, boolean][]} */ ([[first, position === 0], [back, position === 0], [next, position === moves.length], [last, position === moves.length]])) {
      control.setAttribute('aria-disabled', String(isIdle));
    }
  }

  function sentence() {
    if (moves.length === 0) return 'The board is the goal.';
    if (position === 0) return `At the start, ${plural(moves.length, 'move')} to go.`;
    const move = moves[position - 1];
    const tile = puzzle.tileOf(boards[position - 1], move);
    const rest = moves.length - position;
    const what = `Move ${position} of ${moves.length}: tile ${tile} ${puzzle.DIRECTION_WORDS[move]}.`;
    return rest === 0 && puzzle.equal(boards[position], goal) ? `${what} This is the goal.` : `${what} ${rest} to go.`;
  }

  return { element, stop, sync, play: toggle, get position() { return position; }, get isPlaying() { return timer !== null; } };
}

/** Returns whether the user prefers reduced motion. */
function prefersReducedMotion() {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}
