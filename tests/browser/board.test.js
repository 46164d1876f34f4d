// The puzzle as the page knows it, in the browser that it runs in.

import assert from 'node:assert/strict';
import { ORIGIN, person } from './support.js';

/** @typedef {import('./support.js').Page} Page */
/** @typedef {typeof import('../../crates/tilebase-serve/page/board.js')} Puzzle */

/**
 * What `look` sees of the module.
 * @template T, A
 * @param {Page} page @param {(puzzle: Puzzle, argument: A) => T} look @param {A} argument @returns {Promise<T>}
 */
async function seen(page, look, argument) {
  await page.goto(`${ORIGIN}/`);
  return page.evaluate(`import('./board.js').then((puzzle) => (${look})(puzzle, ${JSON.stringify(argument)}))`);
}

person('exactly the boards that moves reach from the goal are called solvable', {}, async (page) => {
  const counts = await seen(page, (puzzle, shapes) => shapes.map(([rows, cols]) => {
    const goal = puzzle.goalOf('snail', rows, cols);
    /** @type {Map<string, import('../../crates/tilebase-serve/page/board.js').Board>} */
    const reached = new Map([[puzzle.format(goal), goal]]);
    for (const board of reached.values()) {
      for (const direction of puzzle.legal(board)) {
        const next = puzzle.apply(board, direction);
        if (next) reached.set(puzzle.format(next), next);
      }
    }
    const wrong = [...reached.values()].filter((board) => !puzzle.isSolvable(board, goal)
      || puzzle.isSolvable(puzzle.exchanged(board, 1, 2), goal));
    return [reached.size, wrong.length];
  }), [[2, 2], [2, 3], [3, 2]]);
  assert.deepEqual(counts, [[12, 0], [360, 0], [360, 0]]);
});

person('boards are read in the notations that people have them in', {}, async (page) => {
  const notations = [
    '8 6 7/2 5 4/3 0 1', '8,6,7/2,5,4/3,0,1', '8 6 7 2 5 4 3 0 1', '867254301', '867/254/3.1',
    '[[8,6,7],[2,5,4],[3,0,1]]', '8 6 7\n2 5 4\n3 _ 1\n', '8 6 7 | 2 5 4 | 3 0 1',
  ];
  const read = await seen(page, (puzzle, texts) => texts.map((text) => puzzle.format(puzzle.parse(text))), notations);
  assert.deepEqual(read, notations.map(() => '8 6 7/2 5 4/3 0 1'));
});

person('what is no board is refused with a sentence', {}, async (page) => {
  const texts = ['', '1 2 3', '1 2/3 3', '1 2/3', '1 2 3/4 5 x', '1 2 3 4 5 6 0', '1/2/3/0', '1 2/3 4'];
  const errors = await seen(page, (puzzle, list) => list.map((text) => {
    try {
      return puzzle.format(puzzle.parse(text));
    } catch (error) {
      return /** @type {Error} */ (error).message;
    }
  }), texts);
  for (const [at, error] of errors.entries()) assert.match(error, /^[“A-Z0-9].* .*\.$/, texts[at]);
});

person('a pressed tile takes those between it and the blank with it', {}, async (page) => {
  const slides = await seen(page, (puzzle, text) => {
    const board = puzzle.parse(text);
    return board.tiles.map((_, cell) => puzzle.slidesTo(board, cell).join(''));
  }, '1 2 3 4/5 6 7 8/9 0 10 11/12 13 14 15');
  assert.deepEqual(slides, ['', 'DD', '', '', '', 'D', '', '', 'R', '', 'L', 'LL', '', 'U', '', '']);
});

person('the snail winds inwards and ends at its blank', {}, async (page) => {
  const goals = await seen(page, (puzzle, shapes) =>
    shapes.map(([rows, cols]) => puzzle.format(puzzle.goalOf('snail', rows, cols))), [[4, 4], [2, 3], [3, 2]]);
  assert.deepEqual(goals, ['1 2 3 4/12 13 14 5/11 0 15 6/10 9 8 7', '1 2 3/0 5 4', '1 2/0 3/5 4']);
});

person('moves are read and written by the tile or by the blank', {}, async (page) => {
  const letters = await seen(page, (puzzle, text) => {
    const moves = puzzle.directionsOf(text);
    return [moves.join(''), puzzle.lettersOf(moves, 'blank'), puzzle.directionsOf('R2 u', 'blank').join('')];
  }, 'L2 d R');
  assert.deepEqual(letters, ['LLDR', 'RRUL', 'LLD']);
});

person('times are rounded as a whole', {}, async (page) => {
  await page.goto(`${ORIGIN}/`);
  const written = await page.evaluate("import('./dom.js').then(({ formatSeconds }) => [0.0123, 9.94, 59.4, 59.7, 119.6, 3599.8].map(formatSeconds))");
  assert.deepEqual(written, ['12 ms', '9.9 s', '59 s', '1 min', '2 min', '1 h 0 min']);
});
