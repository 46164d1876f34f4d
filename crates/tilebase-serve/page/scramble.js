// @ts-check
// New boards: the page draws random ones, and requests all others from the server.

import * as api from './api.js';
import * as puzzle from './board.js';
import { goalParameter } from './store.js';

/** @typedef {import('./board.js').Board} Board */
/** @typedef {'random' | 'walk' | 'optimum' | 'hardest'} Kind */

/** Choice of the user in Play, which the button below the board uses, too. */
export const chosen = {
  /** @type {Kind} */
  kind: 'random',
  walk: 30,
  low: 20,
  high: 24,
};

/** Largest number of cells for which the server lists all boards, and answers any request at once. */
const LISTED_CELLS_MAX = 10;
/**
 * Largest optimum that can be requested, by cells. The server solves many boards to find one of a given length.
 * Beyond these optima, that exceeds its time limit (measured on two cores).
 */
const FARTHEST = [{ cells: 16, alone: 45, withTables: 80 }, { cells: Infinity, alone: 55, withTables: 80 }];

const running = api.createNewest();
export const cancelScramble = running.stop;

/**
 * Returns the largest optimum that can be requested, and the reason; null if there is no limit.
 * @param {import('./store.js').State} state @param {AbortSignal} [signal] @returns {Promise<{ moves: number, why: string } | null>}
 */
export async function farthest(state, signal) {
  const { goal } = state;
  const shape = puzzle.shapeOf(goal);
  const limit = FARTHEST.find(({ cells }) => goal.tiles.length <= cells);
  if (!limit || goal.tiles.length <= LISTED_CELLS_MAX) return null;
  const { default: best } = await api.get('/v1/specs', { shape, goal: goalParameter(state) }, { signal });
  const moves = best.is_fallback ? limit.alone : limit.withTables;
  if (!best.is_fallback && goal.tiles.length <= 16) return { moves, why: `The page does not search for boards of ${shape} that need more than ${moves} moves.` };
  return { moves, why: `Boards of ${shape} that need more than ${moves} moves take too long to find${best.is_fallback ? ' without tables' : ''}.` };
}

/** Returns the name of the chosen set for the server. @param {import('./store.js').State} state @param {AbortSignal} signal */
async function setName(state, signal) {
  const { kind, walk, low, high } = chosen;
  if (kind === 'walk') return `walk:${walk}`;
  if (kind !== 'optimum') return kind;
  if (low > high) throw new Error(`No number of moves is from ${low} to ${high}: the first must not be the larger one.`);
  const limit = await farthest(state, signal);
  if (limit && low > limit.moves) throw new Error(`${limit.why} Choose fewer.`);
  return `optimum:${low}..${Math.min(high, limit?.moves ?? high)}`;
}

/**
 * Starts a game with a new board of the chosen kind. Rejects with an abort if another one is requested meanwhile.
 * @param {import('./store.js').Store} store @returns {Promise<void>}
 */
export async function scramble(store) {
  cancelScramble();
  const { goal } = store.state;
  if (chosen.kind === 'random') {
    store.setBoard(another(goal));
    return;
  }
  const signal = running.next();
  const query = { shape: puzzle.shapeOf(goal), goal: goalParameter(store.state), set: await setName(store.state, signal) };
  const answer = await api.get('/v1/scramble', query, { signal });
  if (!signal.aborted) store.setBoard(puzzle.parse(answer.board));
}

/** Starts a game of another shape, with a preset goal. @param {import('./store.js').Store} store @param {puzzle.Shape} shape */
export function setShape(store, { rows, cols }) {
  const { goalName: now } = store.state;
  const goalName = puzzle.isGoalName(now) ? now : 'blank-last';
  const goal = puzzle.goalOf(goalName, rows, cols);
  store.setBoard(another(goal), { goal, goalName });
}

/** Returns a random board other than the goal. @param {Board} goal @returns {Board} */
export function another(goal) {
  const board = puzzle.shuffled(goal);
  return puzzle.equal(board, goal) ? another(goal) : board;
}
