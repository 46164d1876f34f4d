// @ts-check
// Figures of solves: times with penalties, means, averages; and solves as comma-separated values and JSON.

import * as puzzle from '../../board.js';
import { readSolve } from '../../sessions.js';

/** @typedef {import('../../sessions.js').Solve} Solve */

const PENALTY_MS = 2000;
/** Averages leave out this share of the best and of the worst times. */
const TRIMMED_SHARE = 0.05;

/** Returns the time of a solve in milliseconds; infinite if it was not finished. @param {Pick<Solve, 'milliseconds' | 'penalty'>} solve */
export function timeOf({ milliseconds, penalty }) {
  if (penalty === 'DNF') return Infinity;
  return milliseconds + (penalty === '+2' ? PENALTY_MS : 0);
}

/** @param {readonly number[]} numbers */
export function meanOf(numbers) {
  return numbers.length === 0 ? null : numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

/**
 * Returns the average that speed-solvers use: the mean without the best and the worst times, a twentieth of each and
 * at least one. Infinite if more solves than that were not finished; null for too few times.
 * @param {readonly number[]} times @param {number} count such as 5: of the last five
 */
export function averageOf(times, count) {
  if (times.length < count) return null;
  const trimmed = Math.ceil(count * TRIMMED_SHARE);
  const sorted = times.slice(-count).sort((a, b) => a - b);
  return meanOf(sorted.slice(trimmed, count - trimmed));
}

/** Returns the best average of `count` consecutive solves. @param {readonly number[]} times @param {number} count */
export function bestAverageOf(times, count) {
  const averages = times.map((_, at) => averageOf(times.slice(Math.max(0, at + 1 - count), at + 1), count)).filter((average) => average !== null);
  return averages.length === 0 ? null : Math.min(...averages);
}

/** Returns a number of moves or slides per second, null if no time has passed. @param {number} count @param {number} milliseconds */
export function rateOf(count, milliseconds) {
  return milliseconds === 0 ? null : count / (milliseconds / 1000);
}

/** Returns the number of moves above the optimum, null if it is unknown. @param {Solve} solve */
export function aboveOf({ moves, optimum }) {
  return optimum === null ? null : moves.length - optimum;
}

/** Columns that a file is read from; the others follow from them. */
const READ = ['ended', 'session', 'time_seconds', 'penalty', 'optimum', 'hints', 'moves_undone', 'board', 'goal', 'solution'];
const COLUMNS = ['ended', 'session', 'shape', 'time_seconds', 'penalty', 'moves', 'slides', 'optimum', 'above_optimum', 'moves_per_second', 'slides_per_second', 'hints', 'moves_undone', 'board', 'goal', 'solution'];

/** Writes solves as comma-separated values, one per line. @param {readonly Solve[]} solves */
export function csvOf(solves) {
  const lines = solves.map((solve) => {
    const slides = puzzle.slidesOf(solve.moves);
    return [new Date(solve.at).toISOString(), solve.session, solve.shape, (solve.milliseconds / 1000).toFixed(3), solve.penalty, solve.moves.length, slides,
      solve.optimum ?? '', aboveOf(solve) ?? '', rateOf(solve.moves.length, solve.milliseconds)?.toFixed(2) ?? '', rateOf(slides, solve.milliseconds)?.toFixed(2) ?? '',
      solve.isHinted, solve.takenBack, solve.start, solve.goal, solve.moves].map(quoted).join(',');
  });
  return `${[COLUMNS.join(','), ...lines].join('\r\n')}\r\n`;
}

/** @param {string | number | boolean} value */
function quoted(value) {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Writes solves as JSON. @param {readonly Solve[]} solves */
export function jsonOf(solves) {
  return `${JSON.stringify({ tilebase_solves: solves }, null, 1)}\n`;
}

/** Reads the solves of a file, CSV or JSON. Each must end at its goal. @param {string} text @returns {Solve[]} */
export function solvesIn(text) {
  const isJson = /^\s*[[{]/.test(text);
  const read = isJson ? JSON.parse(text).tilebase_solves : rowsOf(text);
  const solves = Array.isArray(read) ? read.map(readSolve) : [null];
  return solves.map((solve, at) => {
    if (solve === null || !isWhole(solve)) throw new Error(`Solve ${at + 1} of the file is none: expected a time, and moves that lead from a board to its goal.`);
    return { ...solve, shape: puzzle.shapeOf(puzzle.parse(solve.start)) };
  });
}

/** @param {Solve} solve */
function isWhole({ start, goal, moves }) {
  try {
    return puzzle.equal(puzzle.applyAll(puzzle.parse(start), puzzle.directionsOf(moves)), puzzle.parse(goal));
  } catch {
    return false;
  }
}

/** Reads comma-separated values as solves. @param {string} text @returns {any[]} */
function rowsOf(text) {
  const lines = text.split(/\r?\n/).filter((line) => line !== '').map(fieldsOf);
  const names = lines.shift() ?? [];
  const missing = READ.filter((name) => !names.includes(name));
  if (missing.length > 0) throw new Error(`The file has no column ${missing[0]}: choose one that this page has saved.`);
  return lines.map((line) => {
    const of = (/** @type {string} */ name) => line[names.indexOf(name)] ?? '';
    return {
      at: Date.parse(of('ended')), session: of('session'), shape: '', start: of('board'), goal: of('goal'), moves: of('solution'),
      milliseconds: of('time_seconds') === '' ? NaN : Math.round(Number(of('time_seconds')) * 1000), penalty: of('penalty'),
      optimum: of('optimum') === '' ? null : Number(of('optimum')), isHinted: of('hints') === 'true', takenBack: Number(of('moves_undone')),
    };
  });
}

/** @param {string} line */
function fieldsOf(line) {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, inQuotes, plain]) => inQuotes?.replaceAll('""', '"') ?? plain);
}
