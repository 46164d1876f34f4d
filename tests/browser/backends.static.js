// Comparison of both back ends: a server over HTTP, and the workers of an exported page.

import assert from 'node:assert/strict';
import { open, pageTest } from './support.js';

const { TILEBASE_SERVER } = process.env;
const QUESTIONS = 500;
const SEED = 20_240_601;
const BATCH = 50;

/** Fields that depend on the machine, the time, or the limits of the place. */
const OF_PLACE = ['seconds', 'memory_bytes', 'fits', 'refusal', 'to_build', 'next_time_limit', 'advice'];
/** Fields that depend on the threads of a search, and on whether it lasts until an improvement begins. */
const OF_THREADS = ['generated', 'expanded', 'moves', 'solutions'];

/** @typedef {{ method: 'GET' | 'POST', url: string, body?: string, isThreaded?: boolean }} Question */

pageTest('a server and this browser give the same answers to 500 requests', { refusals: [400, 404, 409] }, async (page) => {
  await open(page);
  const questions = made(SEED, QUESTIONS);
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (let at = 0; at < questions.length; at += BATCH) {
    const batch = questions.slice(at, at + BATCH);
    const [ofServer, ofBrowser] = await Promise.all([asked(batch), page.evaluate(askWorkers, batch)]);
    batch.forEach((question, nth) => {
      const kind = question.url.split('?')[0];
      const [server, browser] = [ofServer[nth], ofBrowser[nth]];
      assert.deepEqual([browser.status, browser.type], [server.status, server.type], `status and content type of ${question.method} ${question.url}\n${browser.text}\n${server.text}`);
      assert.deepEqual(comparable(browser.text, question), comparable(server.text, question), `${question.method} ${question.url}`);
      counts.set(`${kind} ${server.status}`, (counts.get(`${kind} ${server.status}`) ?? 0) + 1);
    });
  }
  console.log([...counts].sort().map(([kind, count]) => `${kind}: ${count}`).join(', '));
  assert.equal([...counts.values()].reduce((sum, count) => sum + count, 0), QUESTIONS);
  assert.ok([...counts.keys()].filter((kind) => / [45]\d\d$/.test(kind)).length >= 5, 'there are too few errors');
});

pageTest('a server and this browser send the same events of a search', {}, async (page) => {
  await open(page);
  const url = '/v1/solve?board=8,6,7/2,5,4/3,0,1&spec=manhattan&search=idastar';
  const ofServer = await (await fetch(`${TILEBASE_SERVER}${url}`, { headers: { accept: 'text/event-stream' } })).text();
  const ofBrowser = await page.evaluate(async (address) => {
    const { backend } = await import(new URL('backend.js', document.baseURI).href);
    const response = await (await backend()).fetch(address, { headers: { accept: 'text/event-stream' } });
    return [response.headers.get('content-type'), await response.text()];
  }, url);
  assert.equal(ofBrowser[0], 'text/event-stream');
  const events = (/** @type {string} */ text) => text.split('\n\n').map((block) => block.split('\n'))
    .filter(([name]) => name === 'event: bound' || name === 'event: answer')
    .map(([name, data]) => [name, comparable(data.slice('data: '.length), { method: 'GET', url })]);
  assert.ok(events(ofServer).length > 4);
  assert.deepEqual(events(ofBrowser[1]), events(ofServer));
});

pageTest('a search stops within a tenth of a second, and the next request is answered', {}, async (page) => {
  await open(page);
  const [stopped, next] = await page.evaluate(async () => {
    const api = await import(new URL('api.js', document.baseURI).href);
    const hard = { board: '15,14,8,12/10,11,9,13/2,6,5,1/3,7,4,0', goal: 'blank-first', spec: 'manhattan' };
    const controller = new AbortController();
    let [stop, isRunning] = [0, false];
    const on = { progress: () => {
      if (isRunning) return;
      isRunning = true;
      setTimeout(() => { stop = performance.now(); controller.abort(); }, 300);
    } };
    const name = await api.stream('/v1/solve', hard, { signal: controller.signal, on }).then(() => 'ended', (/** @type {Error} */ error) => error.name);
    const waited = performance.now() - stop;
    const record = await api.get('/v1/moves', { board: '1,2,3/4,5,6/0,7,8' });
    return [[name, waited], [record.distance, performance.now() - stop]];
  });
  assert.equal(stopped[0], 'AbortError');
  assert.ok(stopped[1] < 100, `${stopped[1]} ms`);
  assert.equal(next[0], 2);
  assert.ok(next[1] < 5000, `${next[1]} ms`);
  console.log(`stopped after ${Math.round(Number(stopped[1]))} ms, next answer after ${Math.round(Number(next[1]))} ms`);
});

pageTest('a long search does not delay a request about another board', {}, async (page) => {
  await open(page);
  const waited = await page.evaluate(async () => {
    const api = await import(new URL('api.js', document.baseURI).href);
    const controller = new AbortController();
    const hard = { board: '15,14,8,12/10,11,9,13/2,6,5,1/3,7,4,0', goal: 'blank-first', spec: 'manhattan' };
    const ended = api.stream('/v1/solve', hard, { signal: controller.signal, on: {} }).catch(() => {});
    const begun = performance.now();
    await api.get('/v1/moves', { board: '1,2,3/4,5,6/0,7,8' });
    const took = performance.now() - begun;
    controller.abort();
    await ended;
    return took;
  });
  assert.ok(waited < 5000, `${waited} ms`);
});

pageTest('a cancelled build ends at once, leaves no table, and can be started again', {}, async (page) => {
  await open(page);
  const seen = await page.evaluate(async () => {
    const [api, { backend }] = await Promise.all(['api.js', 'backend.js'].map((file) => import(new URL(file, document.baseURI).href)));
    const names = async () => (await (await backend()).tables.list()).map((/** @type {{ name: string }} */ { name }) => name);
    const before = await names();
    const request = JSON.stringify({ spec: '11/whole' });
    const build = await api.post('/v1/builds', request, 'application/json');
    const again = await api.post('/v1/builds', request, 'application/json');
    /** @type {string[]} */
    const states = [];
    /** @type {Promise<{ status: string }>[]} */
    const cancels = [];
    await api.stream(`/v1/builds/${build.id}`, {}, { on: { build: (/** @type {{ status: string, share: number }} */ { status, share }) => {
      states.push(status);
      if (status === 'running' && share > 0 && cancels.length === 0) cancels.push(api.remove(`/v1/builds/${build.id}`));
    } } });
    const { status } = await cancels[0];
    return { same: again.id === build.id, last: states.at(-1), status, isLeft: JSON.stringify(await names()) !== JSON.stringify(before) };
  });
  assert.deepEqual(seen, { same: true, last: 'cancelled', status: 'cancelled', isLeft: false });
});

pageTest('a drawn partition is built and used, also by a worker that starts later', {}, async (page) => {
  await open(page);
  const seen = await page.evaluate(async () => {
    const api = await import(new URL('api.js', document.baseURI).href);
    const toml = 'title = "mine"\ngoal = "1 2 3/4 5 6/7 8 ."\npartition = "A A A/B B B/B B ."';
    const { spec, missing_count: missing } = await api.post('/v1/specs', toml, 'application/toml');
    const build = await api.post('/v1/builds', JSON.stringify({ spec }), 'application/json');
    /** @type {string[]} */
    const states = [];
    await api.stream(`/v1/builds/${build.id}`, {}, { on: { build: (/** @type {{ status: string }} */ { status }) => states.push(status) } });
    const solve = async () => {
      const record = await api.get('/v1/solve', { board: '8,6,7/2,5,4/3,0,1', spec });
      return [record.length, record.spec === spec];
    };
    const first = await solve();
    // The worker ends with the search that it runs.
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 300);
    await api.get('/v1/solve', { board: '15,14,8,12/10,11,9,13/2,6,5,1/3,7,4,0', goal: 'blank-first', spec: 'manhattan' }, { signal: controller.signal }).catch(() => {});
    return { missing, last: states.at(-1), first, second: await solve() };
  });
  assert.deepEqual(seen, { missing: 2, last: 'done', first: [31, true], second: [31, true] });
});

/** @param {Question[]} questions */
function asked(questions) {
  return Promise.all(questions.map(async ({ method, url, body }) => {
    /** @type {Record<string, string>} */
    const headers = { accept: 'application/json' };
    if (body !== undefined) headers['content-type'] = 'application/toml';
    const response = await fetch(`${TILEBASE_SERVER}${url}`, { method, body, headers });
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
  }));
}

/** Sends requests in the page. @param {Question[]} questions */
async function askWorkers(questions) {
  const { backend } = await import(new URL('backend.js', document.baseURI).href);
  const chosen = await backend();
  const answers = [];
  for (const { method, url, body } of questions) {
    const response = await chosen.fetch(url, { method, body, headers: { accept: 'application/json' } });
    answers.push({ status: response.status, type: response.headers.get('content-type'), text: await response.text() });
  }
  return answers;
}

/** Parses a record, without fields that depend on the place. @param {string} text @param {Question} question */
function comparable(text, { isThreaded }) {
  const left = isThreaded ? [...OF_PLACE, ...OF_THREADS] : OF_PLACE;
  return JSON.parse(text, function without(name, value) {
    // The moves of /v1/moves are a list, those of a solution a text.
    const isLeft = left.includes(name) && !(name === 'moves' && typeof value !== 'string');
    return isLeft ? undefined : value;
  });
}

/** @param {number} seed @param {number} count @returns {Question[]} */
function made(seed, count) {
  const random = createRandom(seed);
  const below = (/** @type {number} */ limit) => Math.floor(random() * limit);
  /** @template T @param {readonly T[]} list */
  const one = (list) => list[below(list.length)];
  const shape = () => one([[2, 2], [2, 3], [3, 2], [3, 3], [3, 3], [3, 3], [2, 5], [3, 4], [4, 4], [4, 4]]);
  const board = (/** @type {number} */ rows, /** @type {number} */ cols, /** @type {number} */ steps) =>
    text(walked(rows, cols, steps, below), cols);
  const anyBoard = () => {
    const [rows, cols] = shape();
    return board(rows, cols, rows * cols > 9 ? 5 + below(20) : below(200));
  };
  const letters = () => Array.from({ length: 1 + below(6) }, () => one(['L', 'R', 'U', 'D'])).join('');
  const heuristic = () => one(['manhattan', 'linear-conflict', 'inversion', 'misplaced', 'max(linear-conflict,inversion)']);
  /** @type {(() => Question)[]} */
  const kinds = [
    () => ({ ...get('moves', { board: anyBoard() }), isThreaded: true }),
    () => ({ ...get('moves', { board: anyBoard(), spec: heuristic(), moves: one(['tile', 'blank', 'tiles']) }), isThreaded: true }),
    () => ({ ...get('solve', { board: anyBoard() }), isThreaded: true }),
    () => get('solve', { board: anyBoard(), search: 'idastar', spec: heuristic() }),
    () => get('solve', { board: board(3, 3, 100), search: 'idastar', spec: '8/whole' }),
    () => ({ ...get('solutions', { board: board(3, 3, 60), list: String(below(5)) }), isThreaded: true }),
    () => get('check', { board: anyBoard(), sequence: letters() }),
    () => get('explain', { board: anyBoard() }),
    () => get('explain', { board: board(4, 4, 20), spec: '15/5-5-5' }),
    () => get('scramble', { shape: one(['2x3', '3x3', '4x4', '5x5']), set: one(['random', 'walk:20']), seed: String(below(1e6)) }),
    () => get('scramble', { shape: '3x3', set: `optimum:${5 + below(10)}..${16 + below(9)}`, seed: String(below(1e6)) }),
    () => get('specs', { shape: shape().join('x') }),
    () => get('estimate', { spec: one(['8/whole', '8/4-4', '15/7-8', '15/5-5-5', '15/walking-distance', '11/whole', '24/6-6-6-6']) }),
    () => get('rate', { specs: '8/whole,manhattan', boards: String(1 + below(200)), seed: String(below(1e6)) }),
    () => get('rate', { specs: 'manhattan,linear-conflict', shape: '4x4', boards: String(1 + below(200)) }),
    () => get('tables', {}),
    () => drawn(`title = "${below(1e6)}"\ngoal = "1 2 3/4 5 6/7 8 ."\npartition = "A A A/A ${one(['A', 'B'])} B/B B ."`),
    () => get(one(['moves', 'solve', 'explain', 'check']), { board: one(['1,2', '1,2,3/4,4,6/7,8,0', 'x', '', '1,2,3/4,5,6/7,8,9']) }),
    () => get('moves', { board: anyBoard(), [one(['bord', 'seed', 'speck'])]: '1' }),
    () => get('solve', { board: board(4, 4, 10), spec: one(['24/6-6-6-6', '15/7-8', 'nothing', 'drawn/0123456789abcdef', '8/whole']) }),
    () => get('moves', { board: '1 2 3/4 5 6/8 7 0' }),
    () => get('scramble', { shape: one(['1x1', '9x9', 'x']), set: 'random' }),
    () => get('estimate', { spec: one(['', 'nothing', 'generated/none']) }),
    () => get(one(['nothing', 'moves/1', 'specs/8']), {}),
    () => drawn(one(['', 'title', 'goal = "1 2"', 'goal = "1 2 3/4 5 6/7 8 ."\npartition = "A A A/A B B/B B"'])),
  ];
  return Array.from({ length: count }, (_, at) => kinds[at % kinds.length]());
}

/** @param {string} path @param {Record<string, string>} params @returns {Question} */
function get(path, params) {
  const query = String(new URLSearchParams(params));
  return { method: 'GET', url: `/v1/${path}${query === '' ? '' : `?${query}`}` };
}

/** @param {string} body @returns {Question} */
function drawn(body) {
  return { method: 'POST', url: '/v1/specs', body };
}

/** Returns the end of a random walk from the default goal. @param {number} rows @param {number} cols @param {number} steps @param {(limit: number) => number} below */
function walked(rows, cols, steps, below) {
  const cells = Array.from({ length: rows * cols }, (_, at) => (at + 1) % (rows * cols));
  let blank = cells.length - 1;
  for (let step = 0; step < steps; step += 1) {
    const [row, col] = [Math.floor(blank / cols), blank % cols];
    const next = [row > 0 && blank - cols, row + 1 < rows && blank + cols, col > 0 && blank - 1, col + 1 < cols && blank + 1]
      .filter((cell) => typeof cell === 'number');
    const cell = next[below(next.length)];
    [cells[blank], cells[cell]] = [cells[cell], cells[blank]];
    blank = cell;
  }
  return cells;
}

/** @param {number[]} cells @param {number} cols */
function text(cells, cols) {
  return cells.map((tile, at) => `${at === 0 ? '' : at % cols === 0 ? '/' : ','}${tile}`).join('');
}

/** Creates a generator of numbers from 0 to 1: a mixed Weyl sequence. @param {number} seed */
function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
  };
}
