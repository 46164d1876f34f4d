// @ts-check
// Editor for the board of a real puzzle: the user presses the cells in the order of the tiles.

import { detailOf } from '../api.js';
import * as puzzle from '../board.js';
import { announce, button, el, fill } from '../dom.js';
import { likelySwap } from './likely-swap.js';
import { shapeField } from './shape-field.js';
import { useStyles } from './styles.js';

/** @typedef {import('../board.js').Board} Board */

/**
 * Creates an editor in which the user presses the cells of the tiles in order.
 * @param {Board} shown its shape is the first choice
 * @param {{ goalFor: (shape: puzzle.Shape) => Board, read: (written: string) => Promise<Board>, onDone: (board: Board) => void, onCancel: () => void }} on
 */
export function createBoardEditor(shown, on) {
  useStyles('views/later.css');
  let { rows, cols } = shown;
  /** Cells in the order of the tiles 1, 2, 3 and so on. @type {number[]} */
  let pressed = [];
  /** @type {HTMLButtonElement[]} */
  let cells = [];
  const shape = shapeField(' of the puzzle', build);
  const next = el('p', { role: 'status' });
  const grid = el('div', { class: 'goal-grid board-grid', role: 'group', 'aria-label': 'Cells of the puzzle', 'data-own-keys': true, on: { keydown: onKey } });
  const doubt = el('div', { class: 'problem stack', role: 'alert', hidden: true });
  const back = button('Undo', onUndo);
  const again = button('Start over', () => { pressed = []; show(); cells[0].focus(); }, { class: 'quiet' });
  const use = button('Use this board', () => on.onDone(boardNow()), { class: 'primary' });
  const cancel = button('Cancel', on.onCancel, { class: 'quiet' });
  const element = el('div', { class: 'stack', on: { paste: onPaste } },
    shape.element, next, grid, doubt, el('div', { class: 'row' }, use, back, again, cancel));
  build(shown);

  /** @param {puzzle.Shape} next */
  function build(next) {
    ({ rows, cols } = next);
    shape.show(next);
    pressed = [];
    cells = Array.from({ length: rows * cols }, (_, cell) => button('', () => onPress(cell), { data: { cell }, tabindex: cell === 0 ? 0 : -1 }));
    grid.style.setProperty('--cols', String(cols));
    fill(grid, cells);
    show();
  }

  function count() {
    return rows * cols - 1;
  }

  /** @returns {Board} */
  function boardNow() {
    const tiles = new Array(rows * cols).fill(0);
    pressed.forEach((cell, at) => { tiles[cell] = at + 1; });
    return { rows, cols, tiles };
  }

  /** @param {number} cell */
  function onPress(cell) {
    const tile = pressed.indexOf(cell) + 1;
    if (tile > 0) {
      announce(`Tile ${tile} is there already.`);
      next.textContent = `Tile ${tile} is there already. Undo takes back the last tile.`;
      return;
    }
    if (pressed.length < count()) pressed = [...pressed, cell];
    show();
    focusOn(cell);
  }

  function onUndo() {
    const last = pressed.at(-1);
    pressed = pressed.slice(0, -1);
    show();
    if (last !== undefined) announce(`Tile ${pressed.length + 1} is taken back.`);
  }

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    const from = event.target instanceof HTMLElement ? Number(event.target.dataset.cell ?? -1) : -1;
    if (event.key === 'Backspace' || (event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey))) {
      event.preventDefault();
      onUndo();
      return;
    }
    const direction = puzzle.ARROWS[event.key];
    if (!direction || from < 0) return;
    event.preventDefault();
    const cell = puzzle.cellBeside({ rows, cols }, from, direction);
    if (cell >= 0) focusOn(cell);
  }

  /** Moves the focus to a cell, which becomes the only tab stop. @param {number} cell */
  function focusOn(cell) {
    cells.forEach((made, at) => { made.tabIndex = at === cell ? 0 : -1; });
    cells[cell].focus();
  }

  /** @param {ClipboardEvent} event */
  async function onPaste(event) {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    event.preventDefault();
    try {
      take(await on.read(text));
    } catch (error) {
      next.textContent = detailOf(error);
    }
  }

  /** @param {Board} board */
  function take(board) {
    build(board);
    pressed = Array.from({ length: count() }, (_, at) => board.tiles.indexOf(at + 1));
    show();
  }

  function show() {
    const isWhole = pressed.length === count();
    cells.forEach((cell, at) => {
      const tile = pressed.indexOf(at) + 1;
      cell.textContent = tile === 0 ? '' : String(tile);
      cell.classList.remove('is-doubtful');
      cell.setAttribute('aria-label', `${tile > 0 ? `Tile ${tile}` : isWhole ? 'Blank' : 'Free'}, ${puzzle.cellName({ rows, cols }, at)}`);
    });
    back.disabled = pressed.length === 0;
    again.disabled = pressed.length === 0;
    use.disabled = !isWhole;
    next.textContent = isWhole ? 'All tiles are there. The cell that is left is the blank.' : `Press the cell of tile ${pressed.length + 1}, or paste a board.`;
    doubt.hidden = true;
    if (isWhole) check();
  }

  // A misread pair of tiles makes a solvable board unsolvable.
  function check() {
    const board = boardNow();
    const goal = on.goalFor(board);
    if (puzzle.isSolvable(board, goal)) return;
    const [a, b] = likelySwap(board, goal);
    for (const tile of [a, b]) cells[board.tiles.indexOf(tile)].classList.add('is-doubtful');
    fill(doubt,
      el('p', null, `No moves lead from this board to the goal. Look at the tiles ${a} and ${b} again: if they are exchanged, the board can be solved.`),
      el('div', { class: 'row' }, button(`Exchange ${a} and ${b}`, () => {
        take(puzzle.exchanged(board, a, b));
        use.focus();
      })));
    doubt.hidden = false;
  }

  return { element, focus: () => cells[0].focus() };
}
