// @ts-check
// New boards: random ones are drawn here, others are asked for.

import * as api from './api.js';
import * as puzzle from './board.js';
import { goalParameter } from './store.js';

/** @typedef {import('./board.js').Board} Board */
/** @typedef {'random' | 'walk' | 'optimum' | 'hardest'} Kind */

/** What a person chose last; the button below the board uses it too. */
export const chosen = {
  /** @type {Kind} */
  kind: 'random',
  walk: 30,
  low: 20,
  high: 24,
};

/** @type {AbortController | null} */
let running = null;

export function cancelScramble() {
  running?.abort();
  running = null;
}

/** The set's name for the server. */
function setName() {
  if (chosen.kind === 'walk') return `walk:${chosen.walk}`;
  return chosen.kind === 'optimum' ? `optimum:${chosen.low}..${chosen.high}` : chosen.kind;
}

/**
 * Makes a board as chosen, and begins with it. Rejects with an abort if another one was wanted
 * meanwhile.
 * @param {import('./store.js').Store} store @returns {Promise<void>}
 */
export async function scramble(store) {
  cancelScramble();
  const { goal } = store.state;
  if (chosen.kind === 'random') {
    store.setBoard(another(goal));
    return;
  }
  const mine = new AbortController();
  running = mine;
  try {
    const query = { shape: puzzle.shapeOf(goal), goal: goalParameter(store.state), set: setName() };
    const answer = await api.get('/v1/scramble', query, { signal: mine.signal });
    if (!mine.signal.aborted) store.setBoard(puzzle.parse(answer.board));
  } finally {
    if (running === mine) running = null;
  }
}

/** A random board that is not solved already. @param {Board} goal @returns {Board} */
export function another(goal) {
  const board = puzzle.shuffled(goal);
  return puzzle.equal(board, goal) ? another(goal) : board;
}
