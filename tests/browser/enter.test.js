// The editor for the board of a real puzzle.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goalOf, isSolvable, exchanged, likelySwap, parse, shuffled } from '../../crates/tilebase-serve/page/board.js';
import { PHONE, assertLook, eventually, open, pageTest, screenshot, shownBoard } from './support.js';

/** @typedef {import('./support.js').Page} Page */

/** @param {Page} page */
function editor(page) {
  return page.getByRole('region', { name: 'Board as text' });
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
  await editor(page).getByRole('button', { name: 'Enter a real puzzle…' }).click();
  await editor(page).getByText('Press the cell of tile 1, or paste a board.').waitFor();
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
  await editor(page).getByRole('button', { name: 'Enter a real puzzle…' }).click();
  await press(page, '1 2 3/4 5 6/8 7 0');
  await editor(page).getByRole('alert').getByText('Look at the tiles 7 and 8 again: if they are exchanged, the board can be solved.').waitFor();
  await editor(page).getByRole('button', { name: 'Exchange 7 and 8' }).click();
  await editor(page).getByRole('alert').waitFor({ state: 'hidden' });
  await editor(page).getByRole('button', { name: 'Use this board' }).click();
  await eventually(() => shownBoard(page), '1 2 3/4 5 6/7 8 0');
});

pageTest('a board is pasted into the editor', {}, async (page) => {
  await open(page, { board: '1,2,3/4,5,6/7,0,8' });
  await editor(page).getByRole('button', { name: 'Enter a real puzzle…' }).click();
  await page.evaluate(() => navigator.clipboard.writeText('5 1 2 4\n9 6 3 8\n13 10 7 12\n14 0 11 15'));
  await page.keyboard.press('Control+v');
  await editor(page).getByText('All tiles are there. The cell that is left is the blank.').waitFor();
  await editor(page).getByRole('button', { name: 'Use this board' }).click();
  await eventually(() => shownBoard(page), '5 1 2 4/9 6 3 8/13 10 7 12/14 0 11 15');
});

pageTest('the editor is accessible in both themes and fits a phone', PHONE, async (page) => {
  await open(page, { board: '1,2,3,4,5,6/7,8,9,10,11,12/13,14,15,16,17,18/19,20,21,22,23,24/25,26,27,28,29,30/31,32,33,34,0,35' });
  await editor(page).getByRole('button', { name: 'Enter a real puzzle…' }).click();
  await press(page, '1 2 3 4 5 6/7 8 9 10 11 12/13 14 15 16 17 18/19 20 21 22 23 24/25 26 27 28 29 30/31 32 33 35 34 0');
  await editor(page).getByRole('alert').getByText(/34 and 35 again/).waitFor();
  await page.waitForLoadState('networkidle');
  await assertLook(page, 'entered');
});
