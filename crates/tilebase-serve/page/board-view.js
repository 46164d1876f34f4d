// @ts-check
// The interactive board: tiles slide by click, tap, drag, swipe and keys. It shows the board that it
// gets and reports the moves of the user; it never moves a tile by itself.

import { inkOn } from './colours.js';
import { cellBelow, el } from './dom.js';
import { pieceOf } from './picture.js';
import { STEPS, DIRECTION_WORDS, blankOf, cellBeside, cellName, cellOf, isSameShape, slidesTo } from './board.js';
import { directionOfKey } from './keys.js';

/** @typedef {import('./board.js').Board} Board */
/** @typedef {import('./board.js').Direction} Direction */
/** @typedef {{ text: string, kind: 'nearer' | 'farther', label?: string }} Mark */
/** @typedef {Map<number, Mark>} Marks by tile */
/**
 * @typedef {object} BoardViewOptions
 * @property {Board} board
 * @property {(cell: number) => void} [onSlide] The user wants the tile in this cell to slide.
 * @property {(cell: number) => void} [onHover] The mouse entered this cell, which is beside the blank.
 * @property {(tile: number) => string | null} [colourOf] Background of a tile, as #rrggbb.
 * @property {boolean} [interactive] Whether tiles and keys of the page move tiles, as by default; otherwise, the board is one picture.
 * @property {Board | null} [goal] Board on which the picture is complete.
 */
/** @typedef {{ instant?: boolean, image?: string | null, goal?: Board | null, label?: string }} UpdateOptions */
/** @typedef {ReturnType<typeof createBoardView>} BoardView */
/**
 * @typedef {object} Gesture a pointer that is down
 * @property {number} x
 * @property {number} y
 * @property {number} at when it went down
 * @property {number} cell cell below the pointer, or -1
 * @property {Direction[]} slides moves of a tap there
 * @property {boolean} isDrag whether tiles follow the pointer
 */

const TAP_PX = 9;
const SWIPE_PX = 22;
const FLICK_MS = 220;
/** Smallest share of a cell for which a drag counts. */
const DRAG_SHARE = 0.35;

let boardCount = 0;

/** @param {HTMLElement} container @param {BoardViewOptions} options */
export function createBoardView(container, options) {
  const isInteractive = options.interactive ?? true;
  const id = `board-${boardCount += 1}`;
  let board = options.board;
  let label = 'Board';
  /** Address of the picture on the tiles. @type {string | null} */
  let image = null;
  let goal = options.goal ?? null;
  let colourOf = options.colourOf ?? (() => null);
  /** @type {Marks} */
  let marks = new Map();
  let focused = 0;
  /** Cell below the mouse, -1 if none. */
  let hovered = -1;
  /** @type {Map<number, HTMLElement>} */
  const tiles = new Map();
  /** @type {Map<number, Gesture>} */
  const gestures = new Map();

  const element = el('div', { class: 'board', role: isInteractive ? 'group' : 'img' });
  if (isInteractive) element.classList.add('is-interactive');
  container.append(element);

  function build() {
    element.replaceChildren();
    tiles.clear();
    element.style.setProperty('--rows', String(board.rows));
    element.style.setProperty('--cols', String(board.cols));
    const order = [...board.tiles].filter((tile) => tile !== 0).sort((a, b) => a - b);
    for (const tile of order) {
      const made = buildTile(tile);
      tiles.set(tile, made);
      element.append(made);
    }
  }

  /** @param {number} tile */
  function buildTile(tile) {
    const face = el('span', { class: 'face' },
      el('span', { class: 'number', text: tile }), el('span', { class: 'mark', hidden: true }));
    const properties = { class: 'tile', id: `${id}-${tile}`, data: { tile } };
    return isInteractive
      ? el('button', { type: 'button', tabindex: -1, ...properties }, face)
      : el('span', properties, face);
  }

  /** @param {number} tile */
  function place(tile) {
    const made = tiles.get(tile);
    if (!made) return;
    const cell = board.tiles.indexOf(tile);
    made.style.transform = placeOf(cell);
    made.classList.toggle('is-movable', isInteractive && slidesTo(board, cell).length > 0);
    paint(made, tile);
    drawMark(made, marks.get(tile));
    if (isInteractive) made.setAttribute('aria-label', labelOf(tile, cell));
  }

  /** @param {number} cell @param {number} [down] shares of a cell @param {number} [right] */
  function placeOf(cell, down = 0, right = 0) {
    const row = Math.floor(cell / board.cols) + down;
    const col = (cell % board.cols) + right;
    return `translate(${col * 100}%, ${row * 100}%)`;
  }

  /** @param {number} tile @param {number} cell */
  function labelOf(tile, cell) {
    const where = `Tile ${tile}, ${cellName(board, cell)}${goal?.tiles[cell] === tile ? ', at home' : ''}`;
    const slides = slidesTo(board, cell);
    const mark = marks.get(tile);
    const moves = slides.length === 0 ? '' : `, ${slides.length === 1 ? 'can move' : 'the line can move'} ${DIRECTION_WORDS[slides[0]]}`;
    return where + moves + (mark ? `, ${mark.label ?? mark.text}` : '');
  }

  /** @param {HTMLElement} made @param {number} tile */
  function paint(made, tile) {
    const colour = colourOf(tile);
    made.classList.toggle('is-home', goal !== null && goal.tiles[board.tiles.indexOf(tile)] === tile);
    made.classList.toggle('has-colour', colour !== null);
    made.style.setProperty('--tile-colour', colour ?? '');
    made.style.setProperty('--on-colour', colour === null ? '' : inkOn(colour));
    const face = /** @type {HTMLElement} */ (made.firstElementChild);
    made.classList.toggle('has-image', image !== null);
    const home = goal ? goal.tiles.indexOf(tile) : tile - 1;
    const piece = image === null ? { 'background-image': '' } : pieceOf(image, board, home);
    for (const [property, content] of Object.entries(piece)) face.style.setProperty(property, content);
  }

  /** @param {HTMLElement} made @param {Mark | undefined} mark */
  function drawMark(made, mark) {
    const badge = /** @type {HTMLElement} */ (made.querySelector('.mark'));
    badge.hidden = mark === undefined;
    badge.className = `mark ${mark ? `is-${mark.kind}` : ''}`;
    // The style sheet shows it; the tile's name has it in words.
    badge.dataset.sign = mark === undefined ? '' : mark.kind === 'nearer' ? '✓' : '✕';
    if (mark?.text) badge.dataset.text = mark.text;
    else delete badge.dataset.text;
  }

  function placeAll() {
    for (const tile of tiles.keys()) place(tile);
    if (isInteractive) {
      // The order of the elements stays, so that tiles can slide. This is the reading order.
      element.setAttribute('aria-owns', board.tiles.filter((tile) => tile !== 0).map((tile) => `${id}-${tile}`).join(' '));
      rove();
    }
    const text = isInteractive ? label : `${label}: ${spoken()}`;
    element.setAttribute('aria-label', text);
  }

  function spoken() {
    return board.tiles.map((tile, cell) =>
      `${tile === 0 ? 'blank' : tile}${(cell + 1) % board.cols === 0 ? ';' : ''}`).join(' ');
  }

  // One tile is the tab stop: the one that had the focus last.
  function rove() {
    const isThere = tiles.has(focused);
    const first = board.tiles.find((tile, cell) => tile !== 0 && slidesTo(board, cell).length > 0) ?? 1;
    for (const [tile, made] of tiles) made.tabIndex = tile === (isThere ? focused : first) ? 0 : -1;
  }

  /** @param {Direction} direction */
  function moveFocus(direction) {
    // From elsewhere, the first press only leads to the board.
    if (!element.contains(document.activeElement)) return [...tiles.values()].find((made) => made.tabIndex === 0)?.focus();
    const beside = cellBeside(board, board.tiles.indexOf(focused), direction);
    const cell = beside === blankOf(board) ? cellBeside(board, beside, direction) : beside;
    tiles.get(board.tiles[cell])?.focus();
  }

  /** @param {number} cell */
  function slide(cell) {
    if (cell >= 0) options.onSlide?.(cell);
  }

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    const direction = directionOfKey(event);
    if (!direction || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!element.isConnected || ownsKeys(event.target)) return;
    event.preventDefault();
    if (event.shiftKey) moveFocus(direction);
    else slide(cellOf(board, direction));
  }

  /** @param {PointerEvent} event */
  function onDown(event) {
    if (event.pointerType === 'mouse' && event.button !== 0) return;
    const cell = cellBelow(element, board, event);
    const slides = cell < 0 ? [] : slidesTo(board, cell);
    gestures.set(event.pointerId, { x: event.clientX, y: event.clientY, at: event.timeStamp, cell, slides, isDrag: false });
    // Otherwise, a press on the gap between tiles would take the focus from its tile.
    if (!(event.target instanceof Element && event.target.closest('.tile'))) event.preventDefault();
    element.setPointerCapture(event.pointerId);
  }

  /** Returns the distance of a drag along its line, in cells from 0 to 1. @param {Gesture} gesture @param {PointerEvent} event */
  function shareOf(gesture, event) {
    const [down, right] = STEPS[gesture.slides[0]];
    const along = (event.clientX - gesture.x) * right + (event.clientY - gesture.y) * down;
    return Math.max(0, Math.min(1, along / (element.clientWidth / board.cols)));
  }

  /** @param {PointerEvent} event */
  function onMove(event) {
    const gesture = gestures.get(event.pointerId);
    if (!gesture) hoverOver(event);
    if (!gesture || gesture.slides.length === 0) return;
    const share = shareOf(gesture, event);
    const isFar = Math.hypot(event.clientX - gesture.x, event.clientY - gesture.y) > TAP_PX;
    gesture.isDrag ||= isFar && share > 0;
    if (gesture.isDrag) follow(gesture, share);
  }

  // A quick mouse crosses several cells between two events.
  /** @param {PointerEvent} event */
  function hoverOver(event) {
    if (event.pointerType !== 'mouse' || event.buttons !== 0) return;
    const passed = event.getCoalescedEvents?.() ?? [];
    for (const one of passed.length > 0 ? passed : [event]) {
      const cell = cellBelow(element, board, one);
      if (cell === hovered) continue;
      hovered = cell;
      if (cell >= 0 && slidesTo(board, cell).length === 1) options.onHover?.(cell);
    }
  }

  /** @param {Gesture} gesture @param {number} share */
  function follow(gesture, share) {
    const [down, right] = STEPS[gesture.slides[0]];
    element.classList.add('is-dragging');
    for (let step = 0; step < gesture.slides.length; step += 1) {
      const cell = gesture.cell + step * (down * board.cols + right);
      const made = tiles.get(board.tiles[cell]);
      if (made) made.style.transform = placeOf(cell, down * share, right * share);
    }
  }

  /** @param {PointerEvent} event */
  function onUp(event) {
    const gesture = gestures.get(event.pointerId);
    if (!gesture) return;
    settle(event.pointerId);
    const cell = meant(gesture, event);
    if (cell < 0) return;
    focused = board.tiles[cell];
    slide(cell);
  }

  /** Returns the cell whose tile a gesture slides, -1 if none. @param {Gesture} gesture @param {PointerEvent} event */
  function meant(gesture, event) {
    const [right, down] = [event.clientX - gesture.x, event.clientY - gesture.y];
    const distance = Math.hypot(right, down);
    if (gesture.isDrag) {
      const isFlick = event.timeStamp - gesture.at < FLICK_MS && shareOf(gesture, event) > 0.1;
      return isFlick || shareOf(gesture, event) > DRAG_SHARE ? gesture.cell : -1;
    }
    if (distance >= SWIPE_PX) {
      const isAcross = Math.abs(right) > Math.abs(down);
      return cellOf(board, isAcross ? (right > 0 ? 'R' : 'L') : down > 0 ? 'D' : 'U');
    }
    return gesture.slides.length > 0 ? gesture.cell : -1;
  }

  /** @param {number} pointerId */
  function settle(pointerId) {
    const wasDrag = gestures.get(pointerId)?.isDrag;
    gestures.delete(pointerId);
    element.classList.remove('is-dragging');
    if (wasDrag) placeAll();
  }

  // Clicks of pointers were handled when they went up. The others come from keys and assistive
  // technology.
  /** @param {MouseEvent} event */
  function onClick(event) {
    if (event.detail !== 0) return;
    const made = event.target instanceof Element ? event.target.closest('.tile') : null;
    if (made instanceof HTMLElement) slide(board.tiles.indexOf(Number(made.dataset.tile)));
  }

  /** @param {FocusEvent} event */
  function onFocus(event) {
    const made = event.target instanceof Element ? event.target.closest('.tile') : null;
    if (!(made instanceof HTMLElement)) return;
    focused = Number(made.dataset.tile);
    rove();
  }

  if (isInteractive) {
    element.addEventListener('pointerdown', onDown);
    element.addEventListener('pointermove', onMove);
    element.addEventListener('pointerup', onUp);
    element.addEventListener('pointerleave', () => { hovered = -1; });
    element.addEventListener('pointercancel', (event) => settle(event.pointerId));
    element.addEventListener('click', onClick);
    element.addEventListener('focusin', onFocus);
    document.addEventListener('keydown', onKey);
  }
  build();
  placeAll();

  return {
    element,
    /** Shows a board. Tiles slide there if its shape is the same. @param {Board} next @param {UpdateOptions} [changes] */
    update(next, changes = {}) {
      for (const pointer of [...gestures.keys()]) settle(pointer);
      const isOtherShape = !isSameShape(next, board);
      board = next;
      if (changes.image !== undefined) image = changes.image;
      if (changes.goal !== undefined) goal = changes.goal;
      if (changes.label !== undefined) label = changes.label;
      if (isOtherShape) build();
      element.classList.toggle('is-instant', changes.instant ?? false);
      placeAll();
    },
    /** @param {(tile: number) => string | null} fn */
    setColours(fn) {
      colourOf = fn;
      placeAll();
    },
    /** @param {Marks} map */
    setMarks(map) {
      marks = map;
      placeAll();
    },
  };
}

/** Returns whether keys belong to the focused element: a text field, a list, a slider. @param {EventTarget | null} target */
function ownsKeys(target) {
  if (!(target instanceof Element)) return false;
  return target.closest('input:not([type=checkbox]):not([type=button]), textarea, select, [contenteditable=true], '
    + '[role=slider], [role=tab], [role=radio], [role=grid], [role=listbox], [data-own-keys]') !== null;
}
