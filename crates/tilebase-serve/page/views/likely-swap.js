// @ts-check
// The two tiles that a person has probably confused on an unsolvable board.

import { stepsBetween } from '../board.js';

/** @typedef {import('../board.js').Board} Board */

/** Tiles that are easily confused. @type {readonly (readonly [number, number])[]} */
const LOOK_ALIKES = [[1, 7], [6, 9], [3, 8], [5, 6], [12, 21], [13, 31], [16, 19], [23, 32], [6, 8], [11, 17], [26, 29]];

/**
 * Returns the two tiles of an unsolvable board that were most likely confused. Candidates are adjacent tiles,
 * consecutive or similar numbers, and pairs that are nearer to their homes after an exchange.
 * @param {Board} board @param {Board} goal @returns {[number, number]}
 */
export function likelySwap(board, goal) {
  const { tiles } = board;
  const between = (/** @type {number} */ a, /** @type {number} */ b) => stepsBetween(board, a, b);
  const home = (/** @type {number} */ tile) => goal.tiles.indexOf(tile);
  const at = (/** @type {number} */ tile) => tiles.indexOf(tile);
  let [best, score] = [/** @type {[number, number]} */ ([1, 2]), -Infinity];
  for (let a = 1; a < tiles.length; a += 1) {
    for (let b = a + 1; b < tiles.length; b += 1) {
      const gain = between(at(a), home(a)) + between(at(b), home(b)) - between(at(a), home(b)) - between(at(b), home(a));
      const isAlike = LOOK_ALIKES.some(([one, other]) => one === a && other === b);
      const likely = (between(at(a), at(b)) === 1 ? 3 : 0) + (b - a === 1 ? 3 : 0) + (isAlike ? 2 : 0) + Math.sign(gain) * 2 + gain / 100;
      if (likely > score) [best, score] = [[a, b], likely];
    }
  }
  return best;
}
