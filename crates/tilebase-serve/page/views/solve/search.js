// @ts-check
// State of a search that the server runs. What it finds becomes known to all views.

import { ApiError, detailOf, isAbort, sentence } from '../../api.js';
import { directionsOf } from '../../board.js';
import { learn } from '../../bounds.js';

/** @typedef {{ bound: number, generated: number, growth: number | null, seconds: number }} BoundDone */
/**
 * State of a search.
 * @typedef {object} Search
 * @property {'waiting' | 'running' | 'done' | 'stopped' | 'failed'} phase
 * @property {BoundDone[]} bounds finished bounds, which had no solution
 * @property {number | null} bound current bound
 * @property {number} generated nodes of all bounds
 * @property {number | null} nodesPerSecond
 * @property {number} seconds
 * @property {any} record answer, null while the search runs
 * @property {string | null} problem
 */
/** @typedef {{ search: Search, stop: () => void, finished: Promise<Search> }} Running */

/**
 * Returns the number of nodes that were generated in finished bounds.
 * @param {Search} search
 */
export function generatedBefore(search) {
  return search.bounds.reduce((sum, bound) => sum + bound.generated, 0);
}

/** Returns the known lower bound of the moves of a solution, null if there is none. @param {Search} search @returns {number | null} */
export function lowerBoundOf(search) {
  if (search.record) return search.record.lower_bound ?? search.record.length ?? null;
  const last = search.bounds.at(-1);
  return search.bound ?? (last ? last.bound + 2 : null);
}

/**
 * Starts a search. Calls `onChange` at most once per frame.
 * @param {typeof import('../../api.js')} api @param {import('../../bounds.js').Question} question
 * @param {import('../../api.js').Params} params with the same question, and moves as directions of the tiles
 * @param {(search: Search) => void} onChange @returns {Running}
 */
export function startSearch(api, question, params, onChange) {
  const controller = new AbortController();
  /** @type {Search} */
  const search = {
    phase: 'waiting', bounds: [], bound: null, generated: 0, nodesPerSecond: null, seconds: 0, record: null, problem: null,
  };
  const tell = oncePerFrame(() => onChange(search));
  const on = handlersFor(search, question, tell);
  const finished = api.stream('/v1/solve', params, { signal: controller.signal, on })
    .catch((error) => failed(search, error))
    .then(() => {
      if (search.phase === 'waiting' || search.phase === 'running') failed(search, new ApiError(0, 'The search ended without an answer. Search again.'));
      tell();
      return search;
    });
  return { search, stop: () => controller.abort(), finished };
}

/** @param {Search} search @param {import('../../bounds.js').Question} question @param {() => void} tell @returns {import('../../api.js').Handlers} */
function handlersFor(search, question, tell) {
  return {
    bound(data) {
      search.phase = 'running';
      search.bounds.push(data);
      search.seconds = data.seconds;
      search.bound = null;
      search.generated = Math.max(search.generated, generatedBefore(search));
      learn(question, { lowerBound: data.bound + 2 });
      tell();
    },
    solution(data) {
      search.phase = 'running';
      search.seconds = data.seconds;
      learn(question, { lowerBound: data.lower_bound, moves: directionsOf(data.moves) });
      tell();
    },
    progress(data) {
      search.phase = 'running';
      search.bound = data.bound ?? search.bound;
      search.generated = Math.max(search.generated, data.generated);
      search.nodesPerSecond = data.nodes_per_second;
      search.seconds = data.seconds;
      tell();
    },
    answer(record) {
      search.phase = 'done';
      search.record = record;
      search.generated = record.generated ?? search.generated;
      search.seconds = record.seconds ?? search.seconds;
      search.nodesPerSecond = search.seconds > 0 ? search.generated / search.seconds : null;
      if (record.status !== 'unsolvable') {
        const lowerBound = record.status === 'optimal' ? record.length : record.lower_bound;
        learn(question, { lowerBound, moves: typeof record.moves === 'string' ? directionsOf(record.moves) : null });
      }
      tell();
    },
    problem(data) {
      failed(search, new ApiError(data.status, sentence(data.detail ?? data.title)));
      tell();
    },
  };
}

/** @param {Search} search @param {unknown} error */
function failed(search, error) {
  search.phase = isAbort(error) ? 'stopped' : 'failed';
  search.problem = isAbort(error) ? null : detailOf(error);
}

/** @param {() => void} work */
function oncePerFrame(work) {
  let isAsked = false;
  return () => {
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(() => {
      isAsked = false;
      work();
    });
  };
}
