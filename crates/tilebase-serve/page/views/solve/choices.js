// @ts-check
// Heuristics that are available for boards of a shape.

import { shapeOf } from '../../board.js';

/** @typedef {{ names: string[], usual: string, usualText: string, toBuild: import('../table-offer.js').Tables | null }} Choices */

/** Heuristics that are too weak for searches; they are only for comparison. */
const WEAK = new Set(['misplaced', 'gaschnig']);

/** @type {Map<string, Promise<Choices>>} */
const asked = new Map();

/**
 * Requests the available heuristics. Because tables may be built meanwhile, an answer is shared only among
 * simultaneous requests.
 * @param {typeof import('../../api.js')} api @param {{ rows: number, cols: number }} shape @param {string} goal
 */
export function choicesFor(api, shape, goal) {
  const params = { shape: shapeOf(shape), goal };
  const key = JSON.stringify(params);
  const found = asked.get(key) ?? api.get('/v1/specs', params).then(read).finally(() => asked.delete(key));
  asked.set(key, found);
  return found;
}

/** @param {any} listing @returns {Choices} */
function read({ specs, heuristics, default: { spec: usual, is_fallback: isFallback, to_build: toBuild } }) {
  const built = specs.filter((/** @type {any} */ spec) => spec.built === 'there').map((/** @type {any} */ spec) => spec.name);
  const hasWalking = specs.some((/** @type {any} */ spec) => spec.kind === 'walking-distance' && spec.built === 'there');
  const names = [...new Set([...heuristics, ...built])].filter((name) => !WEAK.has(name) && (hasWalking || !name.startsWith('walking-')));
  // Without tables, the quickest heuristic is not the strongest one.
  return { names, usual, usualText: `${isFallback ? 'the default' : 'the best tables'}: ${usual}`, toBuild };
}
