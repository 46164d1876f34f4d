// @ts-check
// What is known of boards: proved lower bounds and solutions. All views add to it and read it, so that a solution
// stays known after its search has failed or was stopped. The browser keeps it for a reload, and for other windows.

import * as puzzle from './board.js';
import { createListeners } from './listeners.js';
import { keepText, loadText } from './storage.js';

/** @typedef {import('./board.js').Board} Board */
/** @typedef {import('./board.js').Direction} Direction */
/** Board with its goal. @typedef {{ board: Board, goal: Board }} Question */
/**
 * What is known of a board.
 * @typedef {object} Bounds
 * @property {number} lowerBound No solution has fewer moves.
 * @property {number | null} length Moves of the shortest solution that is known to exist.
 * @property {readonly Direction[] | null} moves Shortest known solution. The moves of a known length may be unknown.
 * @property {{ lowerBound: number, length: number | null }} first What was known first.
 */
/** @typedef {{ lowerBound?: number | null, length?: number | null, moves?: readonly Direction[] | null }} News */

/** What the browser keeps of a board. @typedef {{ key: string, lowerBound: number, length: number | null, moves: string | null }} Kept */

/** A solution adds each of its boards. */
const KNOWN_MAX = 10_000;
const KEPT = 'tilebase-bounds';
/** The browser keeps what it knows of the boards that were learned last. Those of a solution are found from its start. */
const KEPT_MAX = 200;
/** A search learns often. */
const KEEP_DELAY_MS = 500;

/** Bounds by board and goal, those that were used last at the end. @type {Map<string, Bounds>} */
const known = new Map();
/** Boards that the browser keeps, as keys of `known`, the last ones at the end. @type {Set<string>} */
const toKeep = new Set();
/** Listeners to what is learned. */
const { add: onLearned, tell } = createListeners();
export { onLearned };
/** What the browser keeps, as it was read or written last. @type {string | null} */
let kept = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let keeping;

takeKept();
window.addEventListener('pagehide', keepNow);
window.addEventListener('storage', ({ key }) => {
  if (key === KEPT && takeKept()) tell();
});

/** @param {Question} question */
function keyOf({ board, goal }) {
  return `${puzzle.compact(board)} ${puzzle.compact(goal)}`;
}

/** Returns what is known of a board, null if nothing is. @param {Question} question @returns {Bounds | null} */
export function boundsOf(question) {
  return known.get(keyOf(question)) ?? null;
}

/** Returns whether the length of a shortest solution is known. @param {Bounds | null} bounds @returns {bounds is Bounds & { length: number }} */
export function isExact(bounds) {
  return bounds !== null && bounds.length !== null && bounds.length <= bounds.lowerBound;
}

/**
 * Adds to what is known of a board. Worse bounds change nothing.
 * @param {Question} question @param {News} news @param {boolean} [isKept] whether the browser keeps it
 */
export function learn(question, news, isKept = true) {
  const isNew = add(question, news);
  if (isKept) keepSoon(keyOf(question));
  if (isNew) tell();
}

/** @param {Question} question @param {News} news @returns {boolean} whether something was new */
function add(question, { lowerBound, length, moves }) {
  const isFollowed = moves ? follow(question, lowerBound ?? 0, moves) : false;
  return enter(question, { lowerBound, length }) || isFollowed;
}

/** @param {string} key */
function keepSoon(key) {
  toKeep.delete(key);
  toKeep.add(key);
  keeping ??= setTimeout(keepNow, KEEP_DELAY_MS);
}

function keepNow() {
  if (keeping === undefined) return;
  clearTimeout(keeping);
  keeping = undefined;
  // Another window may have kept something meanwhile.
  if (takeKept()) tell();
  for (const key of [...toKeep].slice(0, -KEPT_MAX)) toKeep.delete(key);
  kept = JSON.stringify([...toKeep].flatMap((key) => {
    const bounds = known.get(key);
    return bounds ? [{ key, lowerBound: bounds.lowerBound, length: bounds.length, moves: bounds.moves && puzzle.lettersOf(bounds.moves) }] : [];
  }));
  keepText(KEPT, kept);
}

/** Adds what the browser keeps. @returns {boolean} whether something was new */
function takeKept() {
  const now = loadText(KEPT);
  if (now === null || now === kept) return false;
  kept = now;
  try {
    return JSON.parse(now).map(takeOne).some(Boolean);
  } catch {
    // Another release may have kept it in another form.
    return false;
  }
}

/** @param {Kept} one @returns {boolean} */
function takeOne({ key, lowerBound, length, moves }) {
  const [board, goal] = key.split(' ').map(puzzle.parse);
  const isNew = add({ board, goal }, { lowerBound, length, moves: moves === null ? null : puzzle.directionsOf(moves) });
  toKeep.add(key);
  return isNew;
}

/** Adds a solution of a board and of all boards on its way. @param {Question} question @param {number} lowerBound @param {readonly Direction[]} moves */
function follow({ board, goal }, lowerBound, moves) {
  const boards = puzzle.boardsOf(board, moves);
  if (!puzzle.equal(boards[moves.length], goal)) return false;
  const changes = moves.map((_, done) => enter({ board: boards[done], goal }, { lowerBound: lowerBound - done, length: moves.length - done, moves: moves.slice(done) }));
  return changes.some(Boolean);
}

/** @param {Question} question @param {News} news @returns {boolean} whether something was new */
function enter(question, { lowerBound, length = null, moves = null }) {
  const key = keyOf(question);
  const before = known.get(key);
  const found = {
    lowerBound: Math.max(lowerBound ?? 0, before?.lowerBound ?? 0),
    length: smaller(length, before?.length ?? null),
    moves: moves !== null && (before?.moves?.length ?? Infinity) > moves.length ? moves : before?.moves ?? null,
  };
  if (found.lowerBound <= 0 && found.length === null) return false;
  known.delete(key);
  const first = { lowerBound: before?.first.lowerBound || found.lowerBound, length: before?.first.length ?? found.length };
  known.set(key, { ...found, first });
  if (known.size > KNOWN_MAX) known.delete(/** @type {string} */ (known.keys().next().value));
  return found.lowerBound !== before?.lowerBound || found.length !== before.length || found.moves !== before.moves;
}

/** @param {number | null} a @param {number | null} b */
function smaller(a, b) {
  return a === null || b === null ? a ?? b : Math.min(a, b);
}
