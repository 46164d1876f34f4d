// @ts-check
// Figures of solves: means, averages, and comma-separated values.

/** @typedef {import('../sessions.js').Solve} Solve */

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
