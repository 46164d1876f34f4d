// @ts-check
// Boards that were solved by hand, kept in this browser, and their averages.

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

/** @param {readonly number[]} numbers */
export function meanOf(numbers) {
  return numbers.length === 0 ? null : numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

/**
 * Returns the average that speed-solvers use: the mean without the best and the worst time. Null for too few times.
 * @param {readonly number[]} times @param {number} count such as 5: of the last five
 */
export function averageOf(times, count) {
  if (times.length < count) return null;
  const sorted = times.slice(-count).sort((a, b) => a - b);
  return meanOf(sorted.slice(1, -1));
}

/** Returns the best average of `count` consecutive solves. @param {readonly number[]} times @param {number} count */
export function bestAverageOf(times, count) {
  const averages = times.map((_, at) => averageOf(times.slice(0, at + 1), count)).filter((average) => average !== null);
  return averages.length === 0 ? null : Math.min(...averages);
}

/** Returns the moves per second. @param {Solve} solve */
export function rateOf({ moves, milliseconds }) {
  return milliseconds === 0 ? null : moves.length / (milliseconds / 1000);
}

/** Returns the number of moves above the optimum, null if it is unknown. @param {Solve} solve */
export function aboveOf({ moves, optimum }) {
  return optimum === null ? null : moves.length - optimum;
}

const COLUMNS = ['ended', 'shape', 'time_seconds', 'moves', 'optimum', 'above_optimum', 'moves_per_second', 'hints', 'board', 'goal', 'solution'];

/** Writes solves as comma-separated values, one per line. No field contains a comma. @param {readonly Solve[]} solves */
export function csvOf(solves) {
  const lines = solves.map((solve) => [
    new Date(solve.at).toISOString(), solve.shape, (solve.milliseconds / 1000).toFixed(3), solve.moves.length, solve.optimum ?? '',
    aboveOf(solve) ?? '', rateOf(solve)?.toFixed(2) ?? '', solve.hints, solve.start, solve.goal, solve.moves,
  ].join(','));
  return `${[COLUMNS.join(','), ...lines].join('\r\n')}\r\n`;
}
