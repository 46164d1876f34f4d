// The puzzle of the page: boards, goals, notations and moves. These tests need no browser.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as puzzle from '../../crates/tilebase-serve/page/board.js';

/** @typedef {import('../../crates/tilebase-serve/page/board.js').Board} Board */

test('boards that moves reach from the goal are solvable, and no others', () => {
  for (const [rows, cols, count] of [[2, 2, 12], [2, 3, 360], [3, 2, 360]]) {
    const goal = puzzle.goalOf('snail', rows, cols);
    /** @type {Map<string, Board>} */
    const reached = new Map([[puzzle.format(goal), goal]]);
    for (const board of reached.values()) {
      assert.ok(puzzle.isSolvable(board, goal), puzzle.format(board));
      assert.ok(!puzzle.isSolvable(puzzle.exchanged(board, 1, 2), goal), puzzle.format(board));
      for (const direction of puzzle.legal(board)) {
        const next = puzzle.apply(board, direction);
        if (next) reached.set(puzzle.format(next), next);
      }
    }
    assert.equal(reached.size, count);
  }
});

test('boards are read in common notations', () => {
  for (const text of [
    '8 6 7/2 5 4/3 0 1', '8,6,7/2,5,4/3,0,1', '8 6 7 2 5 4 3 0 1', '867254301', '867/254/3.1',
    '[[8,6,7],[2,5,4],[3,0,1]]', '8 6 7\n2 5 4\n3 _ 1\n', '8 6 7 | 2 5 4 | 3 0 1',
  ]) assert.equal(puzzle.format(puzzle.parse(text)), '8 6 7/2 5 4/3 0 1', text);
});

test('texts that are no boards are refused with a sentence', () => {
  for (const text of ['', '1 2 3', '1 2/3 3', '1 2/3', '1 2 3/4 5 x', '1 2 3 4 5 6 0', '1/2/3/0', '1 2/3 4']) {
    assert.throws(() => puzzle.parse(text), /^Error: [“A-Z0-9].* .*\.$/, text);
  }
});

test('a pressed tile takes the tiles between it and the blank along', () => {
  const board = puzzle.parse('1 2 3 4/5 6 7 8/9 0 10 11/12 13 14 15');
  const slides = board.tiles.map((_, cell) => puzzle.slidesTo(board, cell).join(''));
  assert.deepEqual(slides, ['', 'DD', '', '', '', 'D', '', '', 'R', '', 'L', 'LL', '', 'U', '', '']);
});

test('the snail winds inwards and ends at its blank', () => {
  for (const [rows, cols, goal] of /** @type {[number, number, string][]} */ ([
    [4, 4, '1 2 3 4/12 13 14 5/11 0 15 6/10 9 8 7'], [2, 3, '1 2 3/0 5 4'], [3, 2, '1 2/0 3/5 4'],
  ])) assert.equal(puzzle.format(puzzle.goalOf('snail', rows, cols)), goal);
});

test('moves are read and written by the tile or by the blank', () => {
  const moves = puzzle.directionsOf('L2 d R');
  assert.deepEqual([moves.join(''), puzzle.lettersOf(moves, 'blank'), puzzle.directionsOf('R2 u', 'blank').join('')], ['LLDR', 'RRUL', 'LLD']);
});
