// Measures an exported page in Chromium, and prints a table for docs/benchmarks.md:
//
//   PLACE=static tests/browser/run speed.bench.js
//
// TILEBASE names the program for comparison, with one thread, such as target/release/tilebase.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { ask, open, pageTest } from './support.js';

/** @typedef {import('./support.js').Page} Page */

const KORF = new URL('../../crates/tilebase/data/korf100_15puzzle.txt', import.meta.url);
const BOARDS = readFileSync(KORF, 'utf8').split('\n').filter((line) => /^\d/.test(line))
  .map((line) => line.trim().split(/\s+/).slice(1, 17));
/** Board with the greatest distance, 80 moves. */
const HARDEST = '0,12,9,13/15,11,10,14/3,7,2,5/4,8,6,1';
const ROUNDS = 3;

/** @param {number[]} numbers */
function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

/** @param {string} what @param {string} result */
function row(what, result) {
  console.log(`| ${what} | ${result} |`);
}

/** Builds tables as the page does, and returns the seconds until they are stored. @param {Page} page @param {string} spec */
function built(page, spec) {
  return page.evaluate(async (name) => {
    const api = await import(new URL('api.js', document.baseURI).href);
    const begun = performance.now();
    const { id } = await api.post('v1/builds', JSON.stringify({ spec: name }), 'application/json');
    let last = { status: '' };
    await api.stream(`v1/builds/${id}`, {}, { on: { build: (/** @type {any} */ state) => { last = state; } } });
    if (last.status !== 'done') throw new Error(JSON.stringify(last));
    return (performance.now() - begun) / 1000;
  }, spec);
}

/** @param {string[]} cells */
function rows(cells) {
  return [0, 4, 8, 12].map((at) => cells.slice(at, at + 4).join(',')).join('/');
}

/** Returns the nodes per second of Korf's hundred boards in the page. @param {Page} page @param {string} spec */
async function speedOfPage(page, spec) {
  let [generated, seconds] = [0, 0];
  for (const cells of BOARDS) {
    const record = await ask(page, 'v1/solve', { board: rows(cells), goal: 'blank-first', spec });
    assert.equal(record.status, 'optimal');
    generated += record.generated;
    seconds += record.seconds;
  }
  return generated / seconds;
}

/** Returns the same of the program with one thread. @param {string} spec */
function speedOfProgram(spec) {
  const args = ['solve', 'korf100', '--spec', spec, '--threads', '1', '--mode', 'latency', '--format', 'ndjson', '--quiet'];
  const text = execFileSync(process.env.TILEBASE ?? 'tilebase', args, { encoding: 'utf8' });
  const records = text.trim().split('\n').map((line) => JSON.parse(line));
  assert.equal(records.length, BOARDS.length);
  const sum = (/** @type {string} */ name) => records.reduce((all, record) => all + record[name], 0);
  return sum('generated') / sum('seconds');
}

pageTest('the exported page is measured', {}, async (page) => {
  await open(page, { board: '8,6,7/2,5,4/3,0,1' });
  await built(page, '8/whole');
  await page.reload();
  await page.locator('#panel > :not([hidden])').first().waitFor();
  console.log('| in Chromium | result |\n|---|---:|');

  // From a request of the page to the record with the distance after each move.
  await ask(page, 'v1/moves', { board: '8,6,7/2,5,4/3,0,1', spec: '8/whole' });
  const times = await page.evaluate(async () => {
    const api = await import(new URL('api.js', document.baseURI).href);
    const found = [];
    for (const board of ['8,6,7/2,5,4/0,3,1', '8,6,7/0,5,4/2,3,1', '0,6,7/8,5,4/2,3,1', '6,0,7/8,5,4/2,3,1', '6,7,0/8,5,4/2,3,1']) {
      const begun = performance.now();
      await api.get('v1/moves', { board });
      found.push(performance.now() - begun);
    }
    return found;
  });
  row('8-puzzle: distances after each move', `${median(times).toFixed(1)} ms`);

  for (const spec of ['15/5-5-5', '15/6-6-3', '15/7-8']) row(`\`${spec}\` built and stored`, `${(await built(page, spec)).toFixed(2)} s`);

  speedOfProgram('15/6-6-3');
  const ratios = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [here, there] = [await speedOfPage(page, '15/6-6-3'), speedOfProgram('15/6-6-3')];
    row(`Korf's hundred, \`15/6-6-3\`, generated nodes per second, and of the program's one thread`, `${(here / 1e6).toFixed(1)} M, ${(there / 1e6).toFixed(1)} M`);
    ratios.push(here / there);
  }
  row('the same, ratio', median(ratios).toFixed(2));

  const begun = performance.now();
  const hardest = await ask(page, 'v1/solve', { board: HARDEST, spec: '15/7-8' });
  assert.equal(hardest.length, 80);
  row('a board at 80 moves, `15/7-8`, first use of its tables', `${((performance.now() - begun) / 1000).toFixed(2)} s, of it the search ${hardest.seconds.toFixed(2)} s`);

  // From the abort of a search to the answer of the next request.
  const stops = await page.evaluate(async () => {
    const api = await import(new URL('api.js', document.baseURI).href);
    const found = [];
    for (let round = 0; round < 5; round += 1) {
      const stop = new AbortController();
      const search = api.get('v1/solve', { board: '0,12,9,13/15,11,10,14/3,7,2,5/4,8,6,1', spec: 'manhattan' }, { signal: stop.signal }).catch(() => null);
      await new Promise((resolve) => setTimeout(resolve, 500));
      const begun = performance.now();
      stop.abort();
      await search;
      await api.get('v1/moves', { board: '1,2,3/4,5,6/0,7,8', spec: 'manhattan' });
      found.push(performance.now() - begun);
    }
    return found;
  });
  row('stop, and the next answer', `${median(stops).toFixed(0)} ms`);
});
