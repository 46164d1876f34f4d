// @ts-check
// Words for the length of a solution.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sentenceOf } from '../../crates/tilebase-serve/page/views/length.js';

test('a solution that is not proved is never called a shortest one', () => {
  assert.equal(sentenceOf({ lowerBound: 94, length: 124 }), 'The best known solution has 124 moves. No solution has fewer than 94 moves.');
  assert.equal(sentenceOf({ lowerBound: 94, length: null }), 'No solution has fewer than 94 moves.');
  assert.equal(sentenceOf({ lowerBound: 1, length: 1 }), 'A shortest solution has 1 move.');
});
