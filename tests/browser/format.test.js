// @ts-check
// Formats of numbers. These tests need no browser.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { formatBytes, formatClock, formatCount, formatRough, formatSeconds, plural } from '../../crates/tilebase-serve/page/dom.js';

test('times are rounded before they are split into units', () => {
  for (const [seconds, text] of /** @type {[number, string][]} */ ([
    [0.0004, 'less than 1 ms'], [0.012, '12 ms'], [0.31, '0.31 s'], [4.26, '4.3 s'], [59.4, '59 s'], [59.6, '1 min'],
    [119.4, '1 min 59 s'], [119.6, '2 min'], [250, '4 min 10 s'], [3599.6, '1 h 0 min'], [7260, '2 h 1 min'],
  ])) assert.equal(formatSeconds(seconds), text);
});

test('sizes and counts have units', () => {
  assert.deepEqual([0, 999, 1500, 196e6].map(formatBytes), ['0 bytes', '999 bytes', '1.5 kB', '196 MB']);
  assert.deepEqual([1234567, '98765432109876543210'].map(formatCount), ['1,234,567', '98,765,432,109,876,543,210']);
  assert.deepEqual([17_400, 1_740_000, 17e9].map(formatRough), ['17,000', '1.7 million', '17 billion']);
  assert.deepEqual([plural(1, 'move'), plural(3, 'move')], ['1 move', '3 moves']);
  assert.equal(formatClock(65_320), '1:05.320');
});
