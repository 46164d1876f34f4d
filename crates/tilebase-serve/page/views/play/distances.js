// @ts-check
// The distance to the goal after each move of a game.

import * as puzzle from '../../board.js';
import { lineOf, queryOf } from '../../store.js';
import { boundsOf, learn } from '../../bounds.js';
import { knownMoves, rememberMoves } from './know.js';

/** @typedef {import('../../board.js').Board} Board */
/** @typedef {import('../../store.js').State} State */
/** @typedef {import('./know.js').MovesRecord} MovesRecord */
/**
 * Game that ends at the goal.
 * @typedef {object} Line
 * @property {readonly import('../../board.js').Direction[]} moves
 * @property {readonly Board[]} boards before the first move, after it, and so on
 * @property {(number | null)[]} distances of these boards; null if unknown
 * @property {readonly number[]} bounds lower bounds of these distances
 */

/** Time limit for one board, and for a solution to compare the game with. */
const TIME_LIMIT = '2s';

/** Returns the game of a state, null if its moves (also the undone ones) do not end at the goal. @param {State} state @returns {Line | null} */
export function solvedLine(state) {
  const moves = lineOf(state);
  if (moves.length === 0) return null;
  const boards = puzzle.boardsOf(state.start, moves);
  if (!puzzle.equal(boards[moves.length], state.goal)) return null;
  return { moves, boards, distances: boards.map((_, at) => (at === moves.length ? 0 : null)), bounds: boards.map((board) => puzzle.manhattan(board, state.goal)) };
}

/**
 * Finds a solution of the first board within a short time, and adds it to what is known of the board.
 * @param {typeof import('../../api.js')} api @param {State} state @param {AbortSignal} signal
 */
export async function findSolution(api, state, signal) {
  const question = { board: state.start, goal: state.goal };
  if (boundsOf(question)?.moves) return;
  const { status, length, moves, lower_bound: least } = await api.get('/v1/solve', { ...queryOf(state, state.start), moves: 'tile', within: TIME_LIMIT }, { signal });
  learn(question, { lowerBound: status === 'optimal' ? length : least, moves: typeof moves === 'string' ? puzzle.directionsOf(moves) : null });
}

/**
 * Finds the distances of a game, the last ones first, and stops at a board whose search takes too long.
 * A record about a board also has the distances of the boards before and after it.
 * @param {typeof import('../../api.js')} api @param {State} state @param {Line} line @param {AbortSignal} signal
 * @param {() => void} onChange @returns {Promise<boolean>} whether all distances are known
 */
export async function findDistances(api, state, line, signal, onChange) {
  const { boards, distances } = line;
  const about = (/** @type {number} */ at) => ({ ...state, board: boards[at] });
  boards.forEach((_, at) => {
    const known = knownMoves(about(at));
    if (known) enter(line, at, known);
  });
  onChange();
  for (let at = boards.length - 1; at >= 0; at -= 1) {
    if (distances[at] !== null) continue;
    const middle = Math.max(0, at - 1);
    const query = { ...queryOf(about(middle)), moves: 'tile', time_limit: TIME_LIMIT };
    /** @type {MovesRecord} */
    const record = await api.get('/v1/moves', query, { signal });
    if (signal.aborted) return false;
    rememberMoves(about(middle), record);
    enter(line, middle, record);
    onChange();
    if (distances[at] === null) return false;
  }
  return true;
}

/** @param {Line} line @param {number} at @param {MovesRecord} record */
function enter({ moves, distances }, at, record) {
  if (record.distance === null) return;
  distances[at] = record.distance;
  const after = (/** @type {import('../../board.js').Direction} */ move) => record.moves.find((one) => one.move === move)?.distance ?? null;
  if (at > 0) distances[at - 1] ??= after(puzzle.inverse(moves[at - 1]));
  if (at < moves.length) distances[at + 1] ??= after(moves[at]);
}

/** Returns the indices of the known moves that led farther from the goal. @param {Line} line @returns {number[]} */
export function leavingMoves({ moves, distances }) {
  return moves.flatMap((_, at) => {
    const [before, after] = [distances[at], distances[at + 1]];
    return before !== null && after !== null && after > before ? [at] : [];
  });
}
