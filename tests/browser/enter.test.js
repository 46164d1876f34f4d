// The editor for the board of a real puzzle.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goalOf, isSolvable, exchanged, parse, shuffled } from '../../crates/tilebase-serve/page/board.js';
import { likelySwap } from '../../crates/tilebase-serve/page/views/likely-swap.js';
import { PHONE, assertLook, eventually, open, openPart, pageTest, screenshot, shownBoard } from './support.js';

/** @typedef {import('./support.js').Page} Page */

/** @param {Page} page */
function editor(page) {
  return page.getByRole('region', { name: 'Board as text' });
}

/** Opens the editor, whose module is loaded first. @param {Page} page */
async function begin(page) {
  await openPart(page, 'Board as text');
  await editor(page).getByRole('button', { name: 'Enter a real puzzle…' }).click();
  await editor(page).getByText('Press the cell of tile 1, or paste a board.').waitFor();
}

/** Presses the cells of the tiles from 1 on. @param {Page} page @param {string} board @param {number} [last] */
async function press(page, board, last) {
  const { cols, tiles } = parse(board);
  for (let tile = 1; tile <= (last ?? tiles.length - 1); tile += 1) {
    const cell = tiles.indexOf(tile);
    const name = `Free, row ${Math.floor(cell / cols) + 1} column ${(cell % cols) + 1}`;
    await editor(page).getByRole('button', { name, exact: true }).click();
  }
}

test('the named tiles make an unsolvable board solvable', () => {
  const cases = /** @type {[string, [number, number]][]} */ ([
    ['1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0', [14, 15]],
    ['2 1 3/4 5 6/7 8 0', [1, 2]],
    ['1 2 3/4 8 6/7 5 0', [5, 8]],
  ]);
  for (const [text, pair] of cases) assert.deepEqual(likelySwap(parse(text), goalOf('blank-last', ...shapeOf(text))), pair, text);
  for (let count = 0; count < 50; count += 1) {
    const goal = goalOf('snail', 4, 5);
    const board = exchanged(shuffled(goal), 3, 7);
    assert.equal(isSolvable(board, goal), false);
    assert.equal(isSolvable(exchanged(board, ...likelySwap(board, goal)), goal), true);
  }
});

/** @param {string} text @returns {[number, number]} */
function shapeOf(text) {
  const { rows, cols } = parse(text);
  return [rows, cols];
}

pageTest('a real puzzle is entered by pressing its cells in the order of the tiles', {}, async (page) => {
  await open(page, { board: '1,2,3/4,5,6/7,0,8' });
  await begin(page);
  assert.equal(await editor(page).getByRole('button', { name: 'Use this board' }).isDisabled(), true);
  await press(page, '8 6 7/2 5 4/3 0 1', 3);
  await editor(page).getByRole('button', { name: 'Tile 3, row 3 column 1' }).click();
  await editor(page).getByText('Tile 3 is there already. Undo takes back the last tile.').waitFor();
  await editor(page).getByRole('button', { name: 'Undo' }).click();
  await editor(page).getByText('Press the cell of tile 3, or paste a board.').waitFor();
  await editor(page).getByRole('button', { name: 'Start over' }).click();
  await press(page, '8 6 7/2 5 4/3 0 1');
  await screenshot(page, 'entered 1280 light');
  await editor(page).getByRole('button', { name: 'Use this board' }).click();
  await eventually(() => shownBoard(page), '8 6 7/2 5 4/3 0 1');
  assert.equal(await editor(page).getByRole('group', { name: 'Cells of the puzzle' }).count(), 0);
});

pageTest('a puzzle is entered without a mouse', {}, async (page) => {
  await open(page, { board: '1,2,3/4,5,6/7,0,8' });
  await openPart(page, 'Board as text');
  await editor(page).getByRole('button', { name: 'Enter a real puzzle…' }).focus();
  await page.keyboard.press('Enter');
  await editor(page).getByRole('combobox', { name: 'Rows of the puzzle' }).selectOption('2');
  await editor(page).getByRole('combobox', { name: 'Columns of the puzzle' }).selectOption('2');
  await page.keyboard.press('Tab');
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  assert.equal(await focused(), 'Free, row 1 column 1');
  for (const key of ['Enter', 'ArrowDown', 'Enter', 'Backspace', 'ArrowUp', 'ArrowRight', 'Enter', 'ArrowDown', 'ArrowLeft', 'Enter']) await page.keyboard.press(key);
  await editor(page).getByText('All tiles are there. The cell that is left is the blank.').waitFor();
  assert.equal(await focused(), 'Tile 3, row 2 column 1');
  await editor(page).getByRole('button', { name: 'Use this board' }).focus();
  await page.keyboard.press('Enter');
  await eventually(() => page.evaluate(() => location.hash), '#board=1,2/3,0');
});

pageTest('the editor names the two tiles to check on an unsolvable board', {}, async (page) => {
  await open(page, { board: '1,2,3/4,5,6/7,0,8' });
  await begin(page);
  await press(page, '1 2 3/4 5 6/8 7 0');
  await editor(page).getByRole('alert').getByText('Look at the tiles 7 and 8 again: if they are exchanged, the board can be solved.').waitFor();
  await editor(page).getByRole('button', { name: 'Exchange 7 and 8' }).click();
  await editor(page).getByRole('alert').waitFor({ state: 'hidden' });
  await editor(page).getByRole('button', { name: 'Use this board' }).click();
  await eventually(() => shownBoard(page), '1 2 3/4 5 6/7 8 0');
});

pageTest('a board is pasted into the editor', {}, async (page) => {
  await open(page, { board: '1,2,3/4,5,6/7,0,8' });
  await begin(page);
  await paste(page, '5 1 2 4\n9 6 3 8\n13 10 7 12\n14 0 11 15');
  await editor(page).getByText('All tiles are there. The cell that is left is the blank.').waitFor();
  await editor(page).getByRole('button', { name: 'Use this board' }).click();
  await eventually(() => shownBoard(page), '5 1 2 4/9 6 3 8/13 10 7 12/14 0 11 15');
});

/** Texts around boards that people copy from tasks, programs and messages, and the boards in them. */
const COPIED = [
  ['3 3\n1 2 3\n4 5 6\n7 0 8\n0 0', '1 2 3/4 5 6/7 0 8'],
  ['3\n8 6 7\n2 5 4\n3 0 1\n', '8 6 7/2 5 4/3 0 1'],
  ['int[][] board = new int[][]{\n  {8, 2, 0},\n  {4, 6, 1},\n  {3, 7, 5},\n};', '8 2 0/4 6 1/3 7 5'],
  ['```\n1 2 3\n4 0 6\n7 5 8\n```', '1 2 3/4 0 6/7 5 8'],
];

pageTest('in Solve, a board of one’s own is entered and solved', {}, async (page) => {
  await open(page, { view: 'solve' });
  await page.getByText('Your own board', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Board as text' }).fill('1 2 3/4 5 6/0 7 8');
  await page.keyboard.press('Enter');
  await eventually(() => shownBoard(page), '1 2 3/4 5 6/0 7 8');
  await page.getByRole('button', { name: 'Find a shortest solution' }).click();
  await page.getByRole('main').getByText('A shortest solution has 2 moves.').waitFor();
});

pageTest('a size above a board and code around it are pasted with it, into the text and into the editor', { refusals: [400] }, async (page) => {
  await open(page, { board: '1,2,3/4,5,6/7,0,8' });
  for (const [text, board] of COPIED) {
    await openPart(page, 'Board as text');
    await editor(page).getByRole('textbox', { name: 'Board as text' }).focus();
    await paste(page, text);
    await eventually(() => shownBoard(page), board);
  }
  for (const [text, board] of COPIED) {
    await begin(page);
    await paste(page, text);
    await editor(page).getByText('All tiles are there. The cell that is left is the blank.').waitFor();
    await editor(page).getByRole('button', { name: 'Use this board' }).click();
    await eventually(() => shownBoard(page), board);
  }
  await begin(page);
  await paste(page, '3 3\n1 2 3\n4 5 5\n7 0 8');
  await editor(page).getByText(/^Tile 5 stands at row 2, column 2 and again at row 2, column 3/).waitFor();
});

pageTest('moves in words are pasted, and scramble the goal', {}, async (page) => {
  await open(page, { board: '1,2,3/4,5,6/7,0,8' });
  for (const moves of ['Down, Right', '["Down", "Right"]', 'down right', '↓ →']) {
    await openPart(page, 'Board as text');
    await editor(page).getByRole('textbox', { name: 'Board as text' }).fill('1 2 3/4 5 6/7 0 8');
    await page.keyboard.press('Enter');
    await eventually(() => shownBoard(page), '1 2 3/4 5 6/7 0 8');
    await page.keyboard.press('Control+a');
    await paste(page, moves);
    await page.keyboard.press('Enter');
    await eventually(() => shownBoard(page), '1 2 3/4 0 5/7 8 6');
  }
});

/** @param {Page} page @param {string} text */
async function paste(page, text) {
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await page.keyboard.press('Control+v');
}

pageTest('the editor is accessible in both themes and fits a phone', PHONE, async (page) => {
  await open(page, { board: '1,2,3,4,5,6/7,8,9,10,11,12/13,14,15,16,17,18/19,20,21,22,23,24/25,26,27,28,29,30/31,32,33,34,0,35' });
  await begin(page);
  await press(page, '1 2 3 4 5 6/7 8 9 10 11 12/13 14 15 16 17 18/19 20 21 22 23 24/25 26 27 28 29 30/31 32 33 35 34 0');
  await editor(page).getByRole('alert').getByText(/34 and 35 again/).waitFor();
  await page.waitForLoadState('networkidle');
  await assertLook(page, 'entered');
});
