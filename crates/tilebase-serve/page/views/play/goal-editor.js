// @ts-check
// Editor for a goal: the user exchanges any two pieces, by presses or by a drag.

import { button, el } from '../../dom.js';
import { ARROWS, cellBeside, cellName, exchanged } from '../../board.js';
import { useStyles } from '../styles.js';

/** @typedef {import('../../board.js').Board} Board */

/**
 * @param {Board} goal @param {{ onDone: (goal: Board) => void, onCancel: () => void }} on
 * @returns {HTMLElement}
 */
export function createGoalEditor(goal, on) {
  useStyles('views/later.css');
  let board = goal;
  let picked = -1;
  let downAt = -1;

  const cells = board.tiles.map((_, cell) => button('', () => onPress(cell), { data: { cell } }));
  const grid = el('div', {
    class: 'goal-grid', role: 'group', 'aria-label': 'Goal', 'data-own-keys': true, style: { '--cols': board.cols },
    on: { keydown: onKey, pointerdown: onDown, pointerup: onUp },
  }, cells);

  /** @param {number} cell */
  function onPress(cell) {
    if (picked < 0) picked = cell;
    else exchange(picked, cell);
    show();
  }

  /** @param {number} from @param {number} to */
  function exchange(from, to) {
    board = exchanged(board, board.tiles[from], board.tiles[to]);
    picked = -1;
    show();
  }

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    const direction = ARROWS[event.key];
    const from = cellFrom(event.target);
    if (!direction || from < 0) return;
    event.preventDefault();
    cells[cellBeside(board, from, direction)]?.focus();
  }

  /** @param {EventTarget | null} target */
  function cellFrom(target) {
    const cell = target instanceof Element ? target.closest('[data-cell]') : null;
    return cell instanceof HTMLElement ? Number(cell.dataset.cell) : -1;
  }

  /** @param {PointerEvent} event */
  function onDown(event) {
    downAt = cellFrom(event.target);
    // Otherwise, a touch would stay captured by its first cell.
    if (event.target instanceof Element) event.target.releasePointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  function onUp(event) {
    const to = cellFrom(document.elementFromPoint(event.clientX, event.clientY));
    if (downAt < 0 || to < 0 || to === downAt) return;
    // The browser sends a click only if both ends are the same cell.
    exchange(downAt, to);
    downAt = -1;
  }

  function show() {
    cells.forEach((cell, at) => {
      const tile = board.tiles[at];
      cell.textContent = tile === 0 ? '' : String(tile);
      cell.setAttribute('aria-pressed', String(at === picked));
      cell.setAttribute('aria-label', `${tile === 0 ? 'Blank' : `Tile ${tile}`}, ${cellName(board, at)}`);
    });
  }

  show();
  return el('div', { class: 'stack' },
    el('p', { class: 'muted small' }, 'Press two pieces, and they change places. Or drag one onto the other.'),
    grid,
    el('div', { class: 'row' },
      button('Use this goal', () => on.onDone(board), { class: 'primary' }),
      button('Cancel', on.onCancel, { class: 'quiet' })));
}
