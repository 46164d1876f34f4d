// @ts-check
// Boards that were solved by hand, kept in this browser, and their averages.

import * as puzzle from './board.js';
import { elapsedOf } from './store.js';

/** @typedef {ReturnType<typeof createSessions>} Sessions */
/**
 * A solve by hand.
 * @typedef {object} Solve
 * @property {number} at when it ended, in milliseconds since 1970; its name, too
 * @property {string} shape such as `4x4`
 * @property {string} start
 * @property {string} goal
 * @property {string} moves letters of the tiles' directions
 * @property {number} milliseconds from the first move to the last
 * @property {number | null} optimum null if unknown
 * @property {string} hints what was shown: `all`, `distance` or `nothing`
 */

const KEPT = 'tilebase-solves';
const SOLVES_MAX = 1000;

/**
 * Records every solve of the store that was made by hand.
 * @param {import('./store.js').Store} store @param {() => string} hints
 */
export function createSessions(store, hints) {
  /** Where storage is forbidden, solves last as long as the page. @type {Solve[]} */
  let solves = read() ?? [];
  /** @type {Set<() => void>} */
  const subscribers = new Set();

  // Another tab may have written meanwhile.
  function refresh() {
    solves = read() ?? solves;
  }

  /** @param {Solve[]} next */
  function keep(next) {
    solves = next.slice(-SOLVES_MAX);
    try {
      localStorage.setItem(KEPT, JSON.stringify(solves));
    } catch { /* see solves */ }
    for (const subscriber of [...subscribers]) subscriber();
  }

  store.subscribe((state, before) => {
    // To look back over a game and forth again is no solve: then the clock has stopped before.
    const isSolve = state.isFinished && !before.isFinished && state.isTimed && before.clock.isOn;
    if (!isSolve) return;
    refresh();
    const at = Math.max(Date.now(), (solves.at(-1)?.at ?? 0) + 1);
    keep([...solves, {
      at, shape: puzzle.shapeOf(state.board), start: puzzle.format(state.start), goal: puzzle.format(state.goal),
      moves: puzzle.lettersOf(state.done), milliseconds: Math.floor(elapsedOf(state)), optimum: null, hints: hints(),
    }]);
  });

  return {
    /** All solves, or those of a shape, the oldest first. @param {string} [shape] */
    list(shape) {
      refresh();
      return shape === undefined ? solves : solves.filter((solve) => solve.shape === shape);
    },
    /** Notes the optimum of all solves of a board. @param {string} start @param {string} goal @param {number} optimum */
    setOptimum(start, goal, optimum) {
      refresh();
      const isOfIt = (/** @type {Solve} */ solve) => solve.start === start && solve.goal === goal && solve.optimum !== optimum;
      if (solves.some(isOfIt)) keep(solves.map((solve) => (isOfIt(solve) ? { ...solve, optimum } : solve)));
    },
    /** Forgets the solves of a shape. @param {string} shape */
    clear(shape) {
      refresh();
      keep(solves.filter((solve) => solve.shape !== shape));
    },
    /** Forgets one solve. @param {number} at */
    remove(at) {
      refresh();
      keep(solves.filter((solve) => solve.at !== at));
    },
    /** @param {() => void} subscriber @returns {() => void} */
    subscribe(subscriber) {
      subscribers.add(subscriber);
      return () => { subscribers.delete(subscriber); };
    },
  };
}

/** @returns {Solve[] | null} */
function read() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isSolve) : [];
  } catch {
    return null;
  }
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
 * The average of speed-solvers: without the best and the worst, the mean of the others. Null if there are fewer.
 * @param {readonly number[]} times @param {number} count such as 5: of the last five
 */
export function averageOf(times, count) {
  if (times.length < count) return null;
  const sorted = times.slice(-count).sort((a, b) => a - b);
  return meanOf(sorted.slice(1, -1));
}

/** The best average of so many solves in a row. @param {readonly number[]} times @param {number} count */
export function bestAverageOf(times, count) {
  const averages = times.map((_, at) => averageOf(times.slice(0, at + 1), count)).filter((average) => average !== null);
  return averages.length === 0 ? null : Math.min(...averages);
}

/** Moves a second. @param {Solve} solve */
export function rateOf({ moves, milliseconds }) {
  return milliseconds === 0 ? null : moves.length / (milliseconds / 1000);
}

/** Moves above the optimum; null if it is unknown. @param {Solve} solve */
export function aboveOf({ moves, optimum }) {
  return optimum === null ? null : moves.length - optimum;
}

const COLUMNS = ['ended', 'shape', 'time_seconds', 'moves', 'optimum', 'above_optimum', 'moves_per_second', 'hints', 'board', 'goal', 'solution'];

/** Solves as comma-separated values, a line each. No field contains a comma. @param {readonly Solve[]} solves */
export function csvOf(solves) {
  const lines = solves.map((solve) => [
    new Date(solve.at).toISOString(), solve.shape, (solve.milliseconds / 1000).toFixed(3), solve.moves.length, solve.optimum ?? '',
    aboveOf(solve) ?? '', rateOf(solve)?.toFixed(2) ?? '', solve.hints, solve.start, solve.goal, solve.moves,
  ].join(','));
  return `${[COLUMNS.join(','), ...lines].join('\r\n')}\r\n`;
}
