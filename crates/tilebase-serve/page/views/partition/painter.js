// @ts-check
// The board on which the user paints a partition, by mouse, pen, touch or keys. It shows the drawing that it gets and
// reports the strokes of the user.

import { ARROWS, DIRECTIONS, cellBeside, cellName, isSameShape, rowsOf } from '../../board.js';
import { colourOf, inkOn, letterOf } from '../../colours.js';
import { cellBelow, el, fill } from '../../dom.js';
import { NONE, PATTERNS_MAX, patternsOf } from './spec.js';

/** @typedef {import('../../board.js').Board} Board */
/** @typedef {import('../../board.js').Direction} Direction */
/** @typedef {import('./spec.js').Drawing} Drawing */
/** @typedef {{ goal: Board, drawing: Drawing, brush: number, label: string }} Shown */
/**
 * @typedef {object} Wishes
 * @property {() => void} onBegin a stroke begins
 * @property {(cells: number[], pattern: number) => void} onPaint
 * @property {() => void} onEnd
 * @property {(pattern: number) => void} onBrush
 * @property {(step: 'undo' | 'redo') => void} onHistory
 * @property {(text: string) => void} announce
 */

/** Returns the first pattern without a tile. @param {Drawing} drawing */
export function nextPattern(drawing) {
  const patterns = patternsOf(drawing);
  const gap = patterns.findIndex((cells) => cells.length === 0);
  return Math.min(gap < 0 ? patterns.length : gap, PATTERNS_MAX - 1);
}

/** @param {Wishes} wishes */
export function createPainter(wishes) {
  const element = el('div', { class: 'pt-grid', role: 'grid', 'data-own-keys': '' });
  /** @type {HTMLElement[]} */
  let cells = [];
  /** @type {Shown | null} */
  let shown = null;
  let focused = 0;
  /** @type {{ pointer: number, last: number } | null} */
  let stroke = null;

  element.addEventListener('pointerdown', onDown);
  element.addEventListener('pointermove', onMove);
  element.addEventListener('pointerup', onUp);
  element.addEventListener('pointercancel', onUp);
  element.addEventListener('keydown', onKey);
  // A long press starts a stroke.
  element.addEventListener('contextmenu', (event) => event.preventDefault());

  function build() {
    const { goal } = current();
    element.style.setProperty('--cols', String(goal.cols));
    element.style.setProperty('--rows', String(goal.rows));
    cells = goal.tiles.map((_, cell) => el('div', { class: 'pt-cell', role: 'gridcell', tabindex: -1,
      on: { focus: () => { rove(cell); } } }));
    fill(element, rowsOf(goal, cells).map((row) => el('div', { class: 'pt-row', role: 'row' }, row)));
    focused = Math.min(focused, cells.length - 1);
  }

  function current() {
    if (shown === null) throw new Error('nothing is shown yet');
    return shown;
  }

  /** @param {Shown} next */
  function update(next) {
    const isOther = shown === null || !isSameShape(shown.goal, next.goal);
    shown = next;
    if (isOther) build();
    element.setAttribute('aria-label', next.label);
    cells.forEach(showCell);
  }

  /** @param {HTMLElement} element @param {number} cell */
  function showCell(element, cell) {
    const { goal, drawing } = current();
    const [pattern, tile] = [drawing[cell], goal.tiles[cell]];
    const colour = pattern === NONE ? null : colourOf(pattern);
    element.tabIndex = cell === focused ? 0 : -1;
    element.classList.toggle('is-blank', tile === 0);
    element.classList.toggle('is-empty', tile !== 0 && pattern === NONE);
    element.style.setProperty('--colour', colour ?? 'transparent');
    element.style.setProperty('--on-colour', colour ? inkOn(colour) : 'inherit');
    join(element, cell);
    fill(element, wordsOf(cell));
  }

  /** Returns the contents of a cell, with hidden words for screen readers. @param {number} cell */
  function wordsOf(cell) {
    const { goal, drawing } = current();
    const said = (/** @type {string} */ text) => el('span', { class: 'hidden-text' }, text);
    const place = said(`, ${cellName(goal, cell)}`);
    const tile = el('span', { class: 'pt-tile' }, goal.tiles[cell]);
    if (goal.tiles[cell] === 0) return [el('span', { class: 'pt-tile' }, 'blank'), said("'s home"), place];
    if (drawing[cell] === NONE) return [said('No pattern, tile '), tile, place];
    return [said('Pattern '), el('span', { class: 'pt-letter' }, letterOf(drawing[cell])), said(', tile '), tile, place];
  }

  /** Joins cells of the same pattern. @param {HTMLElement} element @param {number} cell */
  function join(element, cell) {
    const { goal, drawing } = current();
    const isSame = (/** @type {Direction[]} */ ...way) => {
      const other = way.reduce((at, direction) => (at < 0 ? at : cellBeside(goal, at, direction)), cell);
      return other >= 0 && drawing[cell] !== NONE && drawing[other] === drawing[cell];
    };
    const [up, right, below, left] = DIRECTIONS.map((direction) => isSame(direction));
    element.classList.toggle('joins-right', right);
    element.classList.toggle('joins-below', below);
    element.classList.toggle('joins-corner', right && below && isSame('D', 'R'));
    const round = (/** @type {boolean} */ isJoined) => (isJoined ? '0' : 'var(--round)');
    element.style.borderRadius = [round(up || left), round(up || right), round(below || right), round(below || left)].join(' ');
  }

  /** @param {number} cell */
  function rove(cell) {
    cells[focused].tabIndex = -1;
    focused = cell;
    cells[cell].tabIndex = 0;
  }

  // --- Pointers ---

  /** @param {PointerEvent} event */
  function onDown(event) {
    const cell = cellBelow(element, current().goal, event);
    if (event.button !== 0 || stroke !== null || cell < 0) return;
    event.preventDefault();
    element.setPointerCapture(event.pointerId);
    cells[cell].focus({ preventScroll: true });
    stroke = { pointer: event.pointerId, last: NONE };
    wishes.onBegin();
    strokeTo([cell]);
  }

  /** @param {PointerEvent} event */
  function onMove(event) {
    if (stroke?.pointer !== event.pointerId) return;
    const events = event.getCoalescedEvents?.() ?? [];
    strokeTo([...events, event].map((at) => cellBelow(element, current().goal, at)).filter((cell) => cell >= 0));
  }

  /** Paints cells, also those that a quick pointer skipped. @param {number[]} path */
  function strokeTo(path) {
    if (stroke === null) return;
    /** @type {Set<number>} */
    const painted = new Set();
    for (const cell of path) {
      for (const between of line(stroke.last === NONE ? cell : stroke.last, cell)) painted.add(between);
      stroke.last = cell;
    }
    if (painted.size > 0) wishes.onPaint([...painted], current().brush);
  }

  /** @param {number} from @param {number} to */
  function line(from, to) {
    const { goal: { cols } } = current();
    const [down, right] = [Math.floor(to / cols) - Math.floor(from / cols), (to % cols) - (from % cols)];
    const steps = Math.max(Math.abs(down), Math.abs(right));
    return Array.from({ length: steps + 1 }, (_, step) => {
      const part = steps === 0 ? 0 : step / steps;
      return (Math.floor(from / cols) + Math.round(down * part)) * cols + (from % cols) + Math.round(right * part);
    });
  }

  /** @param {PointerEvent} event */
  function onUp(event) {
    if (stroke?.pointer !== event.pointerId) return;
    stroke = null;
    wishes.onEnd();
  }

  // --- Keys ---

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    if (!isHandled(event)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {KeyboardEvent} event @returns {boolean} */
  function isHandled(event) {
    const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
    if (event.ctrlKey || event.metaKey) {
      if (key !== 'Z' && key !== 'Y') return false;
      wishes.onHistory(key === 'Y' || event.shiftKey ? 'redo' : 'undo');
      return true;
    }
    if (event.altKey) return false;
    if (key in ARROWS) return stepped(ARROWS[key], event.shiftKey);
    const { brush, drawing } = current();
    if (key === ' ' || key === 'Enter') return painted(brush);
    if (['0', '-', 'Delete', 'Backspace'].includes(key)) return painted(NONE);
    const pattern = /^[1-9]$/.test(key) ? Number(key) - 1 : /^[A-Z]$/.test(key) ? key.charCodeAt(0) - 65 : NONE;
    if (pattern === NONE) return false;
    // Letters have no gaps, so a letter beyond the next one means the next one.
    const known = patternsOf(drawing)[pattern]?.length > 0;
    const meant = known ? pattern : Math.min(pattern, nextPattern(drawing));
    wishes.onBrush(meant);
    return painted(meant);
  }

  /** @param {Direction} direction @param {boolean} paints */
  function stepped(direction, paints) {
    const { goal, brush } = current();
    const cell = cellBeside(goal, focused, direction);
    if (cell < 0) return true;
    cells[cell].focus();
    if (paints) painted(brush);
    return true;
  }

  /** @param {number} pattern */
  function painted(pattern) {
    const { goal } = current();
    if (goal.tiles[focused] === 0) {
      wishes.announce("This is the blank's home. It is in no pattern.");
      return true;
    }
    wishes.onBegin();
    wishes.onPaint([focused], pattern);
    wishes.onEnd();
    wishes.announce(`Tile ${goal.tiles[focused]}: ${pattern === NONE ? 'no pattern' : `pattern ${letterOf(pattern)}`}.`);
    return true;
  }

  return { element, update, focus: () => cells[focused].focus() };
}
