// @ts-check
// Words for the length of a solution.

import assert from 'node:assert/strict';
import { test } from 'node:test';

/** What the browser has, for a module that asks for it when it is loaded. */
Object.assign(globalThis, { window: { addEventListener() {} }, localStorage: { getItem: () => null, setItem() {} } });
const { sentenceOf } = await import('../../crates/tilebase-serve/page/bounds.js');

test('a solution that is not proved is never called a shortest one', () => {
  assert.equal(sentenceOf({ lowerBound: 94, length: 124 }), 'The best known solution has 124 moves. No solution has fewer than 94 moves.');
  assert.equal(sentenceOf({ lowerBound: 94, length: null }), 'No solution has fewer than 94 moves.');
  assert.equal(sentenceOf({ lowerBound: 1, length: 1 }), 'A shortest solution has 1 move.');
});
