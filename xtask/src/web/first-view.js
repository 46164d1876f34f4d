// Runs an instrumented solver as the page does when it opens and while a person plays, and writes which of its
// functions that took:
//
//   node first-view.js PAGE/web/worker.js INSTRUMENTED.wasm PROFILE
//
// The first part of the solver answers these questions. All others load the rest.

import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [script, instrumented, profile] = process.argv.slice(2);
const SOLVED = ['1 2/3 0', '1 2 3/4 5 6/7 8 0', '1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0'];
const NEAR = ['1 2/0 3', '1 2 3/4 5 0', '1 2 3/4 5 6/7 0 8', '1 2 3 4/5 6 7 8/9 10 11 12/13 0 14 15',
  '1 2 3 4 5/6 7 8 9 10/11 12 13 14 15/16 17 18 19 20/21 22 23 0 24'];
const HARD = ['8 6 7/2 5 4/3 0 1', '0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1'];
const UNSOLVABLE = ['2 1 3/4 5 6/7 8 0', '2 1 3 4/5 6 7 8/9 10 11 12/13 14 15 0'];
const BOARDS = [...SOLVED, ...NEAR, ...HARD, ...UNSOLVABLE];
const [RECORD, EVENTS] = ['application/json', 'text/event-stream'];
/** Parameters that the page sends with every question about a board. */
const COMMON = { goal: 'blank-last', moves: 'tile' };
// A search must report its progress, and then reach its time limit: some functions run only then. After 250 ms it also
// looks for solutions before the shortest one, with functions of the rest, so it ends before.
const SHORT = { time_limit: '150ms' };
/** Ends a search after the same nodes in every run. */
const NODES = { node_limit: 50_000 };

// The questions have the page's own form: another one may need other functions.
const questions = [
  // The distance after each move, and the marks of the moves.
  ...BOARDS.flatMap((board) => [SHORT, NODES].map((limit) => ['moves', { board, ...COMMON, ...limit }])),
  ...['blank-first', 'snail', '8 7 6/5 4 3/2 1 0'].map((goal) => ['moves', { board: HARD[0], ...COMMON, goal, time_limit: '10s' }]),
  // The end of a game, and its review.
  ...['L', 'RLL', ''].map((sequence) => ['check', { board: NEAR[2], sequence, ...COMMON }]),
  ['check', { board: HARD[1], sequence: 'RL', ...COMMON, ...NODES }],
  ...BOARDS.map((board) => ['solve', { board, ...COMMON, ...NODES }]),
  // A shortest solution, with the events of its search.
  ...BOARDS.flatMap((board) => [SHORT, NODES].map((limit) => ['solve', { board, ...COMMON, ...limit }, EVENTS])),
  // New boards, and the daily ones.
  ...['3x3', '4x4', '5x5'].map((shape) => ['scramble', { shape, goal: 'blank-last', set: 'random', seed: 20261124 }]),
  ...[{}, { seed: 20261124 }].map((seed) => ['scramble', { shape: '4x4', goal: 'blank-last', set: 'walk:60', ...seed }]),
];

/** The exports of the solver, which the worker keeps to itself. */
let solver;
const Instance = WebAssembly.Instance;
WebAssembly.Instance = class extends Instance {
  constructor(module, imports) {
    super(module, imports);
    solver = this.exports;
  }
};

const statuses = [];
/** Called when the worker has performed a message. */
let performed = () => {};
globalThis.postMessage = (message) => {
  if (message.type === 'head') statuses.push(message.status);
  if (message.type === 'fault') throw new Error(message.detail);
  if (message.type === 'ready' || message.type === 'done') performed();
};
await import(pathToFileURL(script).href);

function perform(data) {
  return new Promise((resolve) => {
    performed = resolve;
    globalThis.onmessage({ data });
  });
}

const first = new WebAssembly.Module(readFileSync(instrumented));
await perform({ type: 'start', solver: { first, rest: null, restAddress: null }, store: 'memory', room: 2 ** 40, tables: [], specs: [] });
for (const [path, params, accept = RECORD] of questions) {
  const request = { method: 'GET', url: `/v1/${path}?${new URLSearchParams(params)}`, accept, body: '' };
  await perform({ type: 'ask', request });
  if (statuses.at(-1) !== 200) throw new Error(`${request.url}: status ${statuses.at(-1)}`);
}

const length = solver.__write_profile(0, 0);
const pointer = solver.allocate(length);
solver.__write_profile(pointer, length);
writeFileSync(profile, new Uint8Array(solver.memory.buffer, pointer, length));
