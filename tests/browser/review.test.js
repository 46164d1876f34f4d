// Review of a finished game.

import assert from 'node:assert/strict';
import { PHONE, assertLook, eventually, open, pageTest, screenshot, shownBoard, tile } from './support.js';

/** @typedef {import('./support.js').Page} Page */

const NEAR = '1,2,3/4,5,6/0,7,8';
const GOAL = '1 2 3/4 5 6/7 8 0';
/** Game of four moves, two above the optimum. The second one leads back. */
const PLAYED = ['ArrowLeft', 'ArrowRight', 'ArrowLeft', 'ArrowLeft'];

/** @param {Page} page */
function review(page) {
  return page.getByRole('region', { name: 'Game review' });
}

/** @param {Page} page */
async function finish(page) {
  await open(page, { board: NEAR });
  for (const key of PLAYED) await page.keyboard.press(key);
  await review(page).waitFor();
}

/** @param {Page} page */
function chart(page) {
  return review(page).getByRole('slider', { name: 'Distance to the goal after each move' });
}

pageTest('the review names the moves that led farther, and their cost', {}, async (page) => {
  await finish(page);
  await review(page).getByText('3 of 4 moves led nearer (75 %). One led farther, which costs two moves: 4 in place of 2.').waitFor();
  const farther = review(page).getByRole('list', { name: 'Moves that led farther from the goal' });
  assert.deepEqual(await farther.getByRole('button').allTextContents(), ['Move 2: tile 7 right']);
  await page.getByRole('list', { name: 'Moves made' }).getByRole('button', { name: 'Move 2: R, tile 7, led farther' }).waitFor();
  await screenshot(page, 'review 1280 light');
});

pageTest('shares of moves are rounded', {}, async (page) => {
  await open(page, { board: NEAR });
  for (const key of ['ArrowLeft', 'ArrowRight', ...PLAYED]) await page.keyboard.press(key);
  await review(page).getByText('4 of 6 moves led nearer (67 %).').waitFor();
});

pageTest('the review of an optimal game says that no solution is shorter', {}, async (page) => {
  await open(page, { board: NEAR });
  for (const key of ['ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
  await review(page).getByText('Every move led nearer to the goal. No solution is shorter.').waitFor();
  assert.equal(await review(page).getByRole('list').count(), 0);
});

pageTest('a move of the review shows the board before it, and the review stays', {}, async (page) => {
  await finish(page);
  await review(page).getByRole('button', { name: 'Move 2: tile 7 right' }).click();
  await eventually(() => shownBoard(page), '1 2 3/4 5 6/7 0 8');
  await review(page).getByText('After move 1: 1 to go. Move 2, tile 7 right, led farther.').waitFor();
  await page.waitForURL(/&moves=LRLL&step=1$/);
  await page.keyboard.press('r');
  await review(page).getByText('After move 2: 2 to go. Move 3, tile 7 left, led nearer.').waitFor();
  await eventually(() => shownBoard(page), '1 2 3/4 5 6/0 7 8');
});

pageTest('keys and presses select positions of the chart', {}, async (page) => {
  await finish(page);
  await review(page).getByText('3 of 4 moves').waitFor();
  await chart(page).focus();
  await page.keyboard.press('ArrowLeft');
  await eventually(() => chart(page).getAttribute('aria-valuetext'), 'After move 3: 1 to go. Move 4, tile 8 left, led nearer.');
  await page.keyboard.press('Home');
  await eventually(() => shownBoard(page), '1 2 3/4 5 6/0 7 8');
  await eventually(() => chart(page).getAttribute('aria-valuenow'), '0');
  const box = await chart(page).boundingBox();
  assert.ok(box);
  await page.mouse.click(box.x + box.width - 14, box.y + box.height / 2);
  await eventually(() => shownBoard(page), GOAL);
});

pageTest('a better way plays on the board, and a button leads back to the game', {}, async (page) => {
  await finish(page);
  const better = review(page).getByRole('button', { name: 'Play what was better' });
  assert.equal(await better.count(), 0);
  await review(page).getByRole('button', { name: 'Move 2: tile 7 right' }).click();
  await better.click();
  await review(page).getByText('From here the goal is 1 move away: 8 left.').waitFor();
  await eventually(() => shownBoard(page), GOAL);
  await review(page).getByRole('button', { name: 'Back to the game' }).click();
  await eventually(() => shownBoard(page), '1 2 3/4 5 6/7 0 8');
  await page.locator('body').press('h');
  await tile(page, 8).getByText('8', { exact: true }).waitFor();
  // The hints on the tiles are those of the game again.
  await eventually(() => tile(page, 8).getAttribute('aria-label'), 'Tile 8, row 3 column 3, can move left, nearer, 0 to go');
});

pageTest('the game plays from its start to its end', {}, async (page) => {
  await finish(page);
  const player = review(page).getByRole('group', { name: 'Player of the game' });
  await player.getByRole('combobox', { name: 'Moves a second' }).selectOption('2');
  await player.getByRole('button', { name: 'Play' }).click();
  await player.getByRole('button', { name: 'Pause' }).waitFor();
  await player.getByRole('button', { name: 'Play' }).waitFor();
  await eventually(() => shownBoard(page), GOAL);
  await eventually(() => chart(page).getAttribute('aria-valuenow'), '4');
});

pageTest('a review requests a third of the boards, and no known ones', {}, async (page) => {
  let asked = 0;
  page.on('request', (request) => { if (request.url().includes('/v1/moves')) asked += 1; });
  // Three times around a square, which ends where it began.
  await open(page, { board: '1,2,3/4,5,6/7,8,0', moves: 'DRULDRULDRUL' });
  await review(page).getByText('6 of 12 moves led nearer (50 %). 6 led farther, and each of these costs two moves: 12 in place of 0.').waitFor();
  assert.equal(asked, 4);
});

pageTest('distances whose search takes too long are unknown', {}, async (page) => {
  await page.route(/\/v1\/moves\?/, async (route) => {
    const board = new URL(route.request().url()).searchParams.get('board');
    const record = { status: 'limit', distance: null, moves: [], lower_bound: 1, seconds: 10, board };
    await route.fulfill({ json: record });
  });
  await finish(page);
  await review(page).getByText(/^You made 4 moves: 2 more than the best known solution\. A shortest solution has 2 moves\./).waitFor();
  await review(page).getByText('The first 4 distances are not known: the searches take too long. Tables make them faster.').waitFor();
});

pageTest('the review of a large game compares it at once with the bound, and then with the best known solution', {}, async (page) => {
  const began = performance.now();
  await open(page, {
    board: '20,9,4,25,5,6/3,13,10,15,23,11/14,7,2,18,16,12/1,19,0,31,17,30/21,35,8,22,27,24/32,28,26,33,34,29',
    moves: 'RRUULDDRUULLDDRUULLDRURDRDLLDDLUULLURULDDDRDRRUURDRULDLLDRDRRUULUULULLLDRDRRUULLLDRULDDDDRRRDLULDRURRRULLDDRRULLDRRUUUULDLULURRDLDRDLUUURRDDLDDRULLDRUUULURRDDDLLDLUUURURRDDLLLURDRDLLDLLUUURRULDRDRDLLLUURRDDLDRDLULURURULLU',
  });
  await review(page).getByText(/^You made 221 moves[,:] /).waitFor();
  assert.ok(performance.now() - began < 5000, `${performance.now() - began} ms`);
  await review(page).getByText(/^You made 221 moves: \d+ more than the best known solution\. (A shortest|The best known) solution has \d+ moves\./).waitFor();
  await chart(page).focus();
  await page.keyboard.press('Home');
  await eventually(async () => /^At the start: (at least )?\d+ to go\./.test(await chart(page).getAttribute('aria-valuetext') ?? ''), true);
  await screenshot(page, 'review large');
});

pageTest('a move of the user ends the review', {}, async (page) => {
  await finish(page);
  await review(page).getByRole('button', { name: 'Move 2: tile 7 right' }).click();
  await tile(page, 5).click();
  await eventually(() => review(page).count(), 0);
});

pageTest('a review is accessible in both themes and fits a phone', PHONE, async (page) => {
  await open(page, { board: NEAR, moves: 'LRLL', step: '1' });
  await review(page).getByRole('button', { name: 'Play what was better' }).click();
  await review(page).getByText('From here the goal is 1 move away: 8 left.').waitFor();
  await page.waitForLoadState('networkidle');
  await assertLook(page, 'review');
});
