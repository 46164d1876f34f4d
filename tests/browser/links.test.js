// Links with a game.

import assert from 'node:assert/strict';
import { ORIGIN, VIEWS, eventually, open, openPart, pageTest, shownBoard, tile } from './support.js';

/** @typedef {import('./support.js').Page} Page */

const NEAR = '1,2,3/4,5,6/0,7,8';
const BOARD = '5,1,2,4/9,6,3,8/13,10,7,12/14,0,11,15';
const GOAL = '1 2 3/4 5 6/7 8 0';

pageTest('the address contains the first board, the moves and the step', {}, async (page) => {
  await open(page, { board: BOARD });
  for (const key of ['ArrowLeft', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(key);
  await page.waitForURL(`${ORIGIN}/#board=${BOARD}&moves=LDR`);
  await page.keyboard.press('u');
  await page.waitForURL(`${ORIGIN}/#board=${BOARD}&moves=LDR&step=2`);
  await page.keyboard.press('ArrowUp');
  await page.waitForURL(`${ORIGIN}/#board=${BOARD}&moves=LDU`);
});

pageTest('a link opens a game at its step, and its moves can be undone and redone', {}, async (page) => {
  await open(page, { board: NEAR, moves: 'LRLL', step: '3' });
  await eventually(() => shownBoard(page), '1 2 3/4 5 6/7 0 8');
  await page.keyboard.press('r');
  await eventually(() => shownBoard(page), GOAL);
  await page.getByRole('region', { name: 'Finish' }).getByText('4 moves, 3 slides.', { exact: true }).waitFor();
  for (let step = 0; step < 4; step += 1) await page.keyboard.press('u');
  await eventually(() => shownBoard(page), '1 2 3/4 5 6/0 7 8');
  // A game of a link is no solve by hand.
  await page.getByRole('region', { name: 'Your solves' }).getByText(/^Solve a board by hand/).waitFor();
});

pageTest('no view has a link to another host, because the page needs no network', {}, async (page) => {
  for (const view of VIEWS) {
    await open(page, { board: BOARD, view });
    await page.waitForLoadState('networkidle');
    const hosts = await page.locator('a[href]').evaluateAll((links) => links.map((link) => /** @type {HTMLAnchorElement} */ (link).host));
    assert.deepEqual([...new Set(hosts)], [new URL(ORIGIN).host], view);
  }
  await page.getByRole('button', { name: 'About', exact: true }).click();
  await page.getByRole('link', { name: 'Source, documentation and licence, on the web' }).waitFor();
});

pageTest('a link without a step opens a game at its end', {}, async (page) => {
  await open(page, { board: NEAR, moves: 'LRLL' });
  await page.getByRole('region', { name: 'Game review' }).getByText(/^3 of 4 moves led nearer/).waitFor();
  await eventually(() => shownBoard(page), GOAL);
});

pageTest('a link to another game in the same window opens it too', {}, async (page) => {
  await open(page, { board: BOARD });
  await page.evaluate(() => { location.hash = '#board=1,2,3/4,5,6/0,7,8&moves=LL&step=1'; });
  await eventually(() => shownBoard(page), '1 2 3/4 5 6/7 0 8');
  await page.goBack();
  await eventually(() => shownBoard(page), '5 1 2 4/9 6 3 8/13 10 7 12/14 0 11 15');
});

pageTest('a link with an impossible move names it, and opens the board', {}, async (page) => {
  await open(page, { board: NEAR, moves: 'LLL' });
  await page.getByRole('alert').getByText('The moves in the link cannot be used. Move 3, L, is impossible.').waitFor();
  await eventually(() => shownBoard(page), '1 2 3/4 5 6/0 7 8');
  await page.goto('about:blank');
  await open(page, { board: NEAR, moves: 'L999999999999' });
  await page.getByRole('alert').getByText(/^The moves in the link cannot be used\. Moves are the letters/).waitFor();
});

pageTest('a link to an unknown view or lesson leads to the list, with a sentence', {}, async (page) => {
  await open(page, { view: 'foo' });
  await page.getByRole('alert').getByText('The link names the view “foo”, which does not exist. Choose one of the views above.').waitFor();
  await page.getByRole('link', { name: 'Solve', exact: true }).click();
  await eventually(() => page.getByText(/^The link names the view/).count(), 0);
  for (const lesson of ['99', '0', 'last']) {
    await open(page, { view: 'learn', lesson });
    await page.getByRole('alert').getByText('The link names a lesson that does not exist. These are the 13 lessons:').waitFor();
  }
  assert.equal(await page.getByRole('tab', { selected: true }).count(), 0);
  await page.getByRole('tabpanel').getByRole('button').nth(1).click();
  await page.getByText('Lesson 2 of 13', { exact: true }).waitFor();
});

pageTest('moves where boards are pasted scramble the goal, and name the piece that can make them', {}, async (page) => {
  await open(page, { board: NEAR });
  await openPart(page, 'Board as text');
  const text = page.getByRole('textbox', { name: 'Board as text' });
  for (const moves of ['D R2', 'U L2', 'drr']) {
    await text.fill('123456078');
    await text.press('Enter');
    await eventually(() => shownBoard(page), '1 2 3/4 5 6/0 7 8');
    await text.fill(moves);
    await text.press('Enter');
    await eventually(() => shownBoard(page), '1 2 3/0 4 5/7 8 6');
  }
  await text.fill('D D D');
  await text.press('Enter');
  await page.getByRole('alert').getByText(/^Move 3 is impossible/).waitFor();
});

pageTest('a board is copied as the moves that scramble it', {}, async (page) => {
  await open(page, { board: '1,2,3/0,4,5/7,8,6' });
  await openPart(page, 'Board as text');
  await page.getByRole('button', { name: 'Copy as moves' }).click();
  await eventually(() => copied(page), 'D R2');
});

pageTest('the link to a board has no moves, the link to a game has them', {}, async (page) => {
  await open(page, { board: NEAR });
  await openPart(page, 'Board as text');
  for (const key of ['ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
  const text = page.getByRole('region', { name: 'Board as text' });
  await text.getByRole('button', { name: 'Copy link to this game' }).click();
  assert.equal(await copied(page), `${ORIGIN}/#board=${NEAR}&moves=LL`);
  await text.getByRole('button', { name: 'Copy link to the first board' }).click();
  await eventually(() => copied(page), `${ORIGIN}/#board=${NEAR}`);
});

pageTest('a solution is copied as a link, which opens it at its start', {}, async (page) => {
  await open(page, { board: '8,6,7/2,5,4/3,0,1', view: 'solve' });
  await page.getByRole('button', { name: 'Find a shortest solution' }).click();
  await page.getByRole('button', { name: 'Copy link to this solution' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const link = await copied(page);
  assert.match(link, /#board=8,6,7\/2,5,4\/3,0,1&moves=[URDL]{31}&step=0$/);
  await page.goto('about:blank');
  await page.goto(link);
  await tile(page, 8).waitFor();
  await eventually(() => shownBoard(page), '8 6 7/2 5 4/3 0 1');
  const review = page.getByRole('region', { name: 'Game review' });
  await review.getByText('Every move led nearer to the goal. No solution is shorter.').waitFor();
  await review.getByRole('button', { name: 'To the end' }).click();
  await eventually(() => shownBoard(page), GOAL);
});

/** @param {Page} page */
function copied(page) {
  return page.evaluate(() => navigator.clipboard.readText());
}
