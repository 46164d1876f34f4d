// A client that is generated from /openapi.json: it compiles, and reads what the server sends.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import openapiTS, { astToString } from 'openapi-typescript';

const HERE = path.dirname(fileURLToPath(import.meta.url));
const { TILEBASE_URL } = process.env;
const skip = process.env.PLACE === 'static' && 'an exported page has no server';
const run = promisify(execFile);

async function description() {
  return (await fetch(`${TILEBASE_URL}/openapi.json`)).text();
}

test('a generated client solves, follows, explains and draws', { skip, timeout: 120_000 }, async () => {
  // Below this folder, where the compiler and the program find the packages.
  const folder = await mkdtemp(path.join(HERE, 'client-'));
  try {
    await writeFile(path.join(folder, 'api.d.ts'), astToString(await openapiTS(await description())));
    await copyFile(path.join(HERE, 'client', 'program.ts'), path.join(folder, 'program.ts'));
    await writeFile(path.join(folder, 'package.json'), '{"type": "module"}');
    const tsc = path.join(HERE, 'node_modules', 'typescript', 'bin', 'tsc');
    const options = ['--strict', '--skipLibCheck', '--target', 'es2022', '--module', 'nodenext', '--types', 'node'];
    await run(process.execPath, [tsc, ...options, 'program.ts'], { cwd: folder }).catch((error) => assert.fail(error.stdout));
    const { stdout } = await run(process.execPath, ['program.js', String(TILEBASE_URL)], { cwd: folder });
    const { solution, ...found } = JSON.parse(stdout);
    assert.equal(solution.length, 31);
    assert.deepEqual(found, {
      length: 31, bounds: [21, 23, 25, 27, 29], last: 31, best: ['R', 'D', 'L'], svg: '<svg', gif: 'GIF', status: 400,
      sums: { manhattan: 21, 'linear-conflict': 23 },
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('the description passes a linter, and lists JSON first', { skip }, async () => {
  const source = await description();
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source, config });
  assert.deepEqual(problems.map(({ ruleId, message, location }) => `${location[0].pointer}: ${ruleId}: ${message}`), []);
  const { paths } = JSON.parse(source);
  for (const kind of ['/v1/solve', '/v1/builds/{id}']) {
    assert.deepEqual(Object.keys(paths[kind].get.responses[200].content), ['application/json', 'text/event-stream']);
  }
});

test('patterns of the description fit the longest moves', { skip }, async () => {
  const { paths, components } = JSON.parse(await description());
  /** @type {{ name: string, schema: { pattern?: string, maxLength: number } }[]} */
  const ofFilm = paths['/v1/animation'].get.parameters;
  const schemas = [components.parameters.sequence, ofFilm.find(({ name }) => name === 'sequence')].map(({ schema }) => schema);
  // A slide along a line of 64 cells, the last tile of 64 cells, and as many tiles as an animation takes.
  for (const text of ['L63', 'R63L63', '63 62', Array(1000).fill('63').join(' ')]) {
    for (const { pattern = '', maxLength } of schemas) {
      assert.match(text, new RegExp(pattern));
      assert.ok(text.length <= maxLength, `${maxLength}`);
    }
  }
  // The longest solutions known of 64 cells have 2,628 moves.
  assert.ok(schemas[0].maxLength >= 2628 * '63 '.length);
});
