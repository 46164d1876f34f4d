// @ts-check
// Boards that were solved by hand, kept in this browser.

import * as puzzle from './board.js';
import { keep, load } from './storage.js';
import { elapsedOf } from './store.js';

/** @typedef {ReturnType<typeof createSessions>} Sessions */
/**
 * A solve by hand.
 * @typedef {object} Solve
 * @property {number} at End time, in milliseconds since 1970; it identifies the solve.
 * @property {string} shape Such as `4x4`.
 * @property {string} start
 * @property {string} goal
 * @property {string} moves Letters of the tiles' directions.
 * @property {number} milliseconds From the first move to the last.
 * @property {number | null} optimum Null if unknown.
 * @property {string} hints Shown hints: `all`, `distance` or `nothing`.
 */

const KEPT = 'tilebase-solves';
const SOLVES_MAX = 1000;

/**
 * Records every solve of the store that was made by hand.
 * @param {import('./store.js').Store} store @param {() => string} hints
 */
export function createSessions(store, hints) {
  /** @type {Set<() => void>} */
  const subscribers = new Set();

  /** Replaces the solves, which another tab may have changed meanwhile. @param {(solves: Solve[]) => Solve[]} next */
  function change(next) {
    keep(KEPT, next(solvesNow()).slice(-SOLVES_MAX));
    for (const subscriber of [...subscribers]) subscriber();
  }

  store.subscribe((state, before) => {
    // Stepping back and forth in a finished game is no solve: its clock has stopped before.
    const isSolve = state.isFinished && !before.isFinished && state.isTimed && before.clock.isOn;
    if (!isSolve) return;
    change((solves) => [...solves, {
      at: Math.max(Date.now(), (solves.at(-1)?.at ?? 0) + 1),
      shape: puzzle.shapeOf(state.board), start: puzzle.format(state.start), goal: puzzle.format(state.goal),
      moves: puzzle.lettersOf(state.done), milliseconds: Math.floor(elapsedOf(state)), optimum: null, hints: hints(),
    }]);
  });

  return {
    /** Returns all solves, or those of a shape, the oldest first. @param {string} [shape] */
    list(shape) {
      return solvesNow().filter((solve) => shape === undefined || solve.shape === shape);
    },
    /** Stores the optimum of a board in its solves. @param {string} start @param {string} goal @param {number} optimum */
    setOptimum(start, goal, optimum) {
      const isOfIt = (/** @type {Solve} */ solve) => solve.start === start && solve.goal === goal && solve.optimum !== optimum;
      if (solvesNow().some(isOfIt)) change((solves) => solves.map((solve) => (isOfIt(solve) ? { ...solve, optimum } : solve)));
    },
    /** Removes the solves of a shape. @param {string} shape */
    clear(shape) {
      change((solves) => solves.filter((solve) => solve.shape !== shape));
    },
    /** @param {() => void} subscriber @returns {() => void} */
    subscribe(subscriber) {
      subscribers.add(subscriber);
      return () => { subscribers.delete(subscriber); };
    },
  };
}

/** @returns {Solve[]} */
function solvesNow() {
  const solves = load(KEPT);
  return Array.isArray(solves) ? solves.filter(isSolve) : [];
}

/** @param {any} solve @returns {solve is Solve} */
function isSolve(solve) {
  return typeof solve === 'object' && solve !== null && Number.isFinite(solve.at) && Number.isFinite(solve.milliseconds)
    && [solve.shape, solve.start, solve.goal, solve.moves, solve.hints].every((text) => typeof text === 'string')
    && (solve.optimum === null || Number.isFinite(solve.optimum));
}
