// Options of play: colours, the mouse without presses, keys, the large view.

import assert from 'node:assert/strict';
import { PHONE, assertLook, eventually, open, openPart, pageTest, screenshot, shownBoard, tile } from './support.js';

/** @typedef {import('./support.js').Page} Page */

const BOARD = '5,1,2,4/9,6,3,8/13,10,7,12/14,0,11,15';
const SHOWN = '5 1 2 4/9 6 3 8/13 10 7 12/14 0 11 15';

/** @param {Page} page */
async function openOptions(page) {
  await openPart(page, 'Options');
  await page.getByRole('group', { name: 'Keys' }).waitFor();
}

/** @param {Page} page @param {number} number */
function colourOf(page, number) {
  return tile(page, number).locator('.face').evaluate((face) => getComputedStyle(face).backgroundColor);
}

/** @param {Page} page @param {number} number */
async function middleOf(page, number) {
  const box = await tile(page, number).boundingBox();
  assert.ok(box);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

pageTest('chosen keys move tiles, also after a reload, and can be reset', {}, async (page) => {
  await open(page, { board: BOARD });
  await openOptions(page);
  const key = (/** @type {string} */ name) => page.getByRole('button', { name });
  await key('Key 2 for tile left: A').click();
  await page.keyboard.press('j');
  await key('Key 2 for tile left: J').waitFor();
  // A key has one meaning: this one is taken from tile right.
  await key('Key 2 for tile up: W').click();
  await page.keyboard.press('d');
  await key('Key 2 for tile right: –').waitFor();
  await page.reload();
  await tile(page, 1).waitFor();
  await page.keyboard.press('j');
  await eventually(() => shownBoard(page), '5 1 2 4/9 6 3 8/13 10 7 12/14 11 0 15');
  await page.keyboard.press('a');
  await page.keyboard.press('ArrowDown');
  await eventually(() => shownBoard(page), '5 1 2 4/9 6 3 8/13 10 0 12/14 11 7 15');
  await page.keyboard.press('d');
  await eventually(() => shownBoard(page), '5 1 2 4/9 6 3 8/13 10 7 12/14 11 0 15');
  await openOptions(page);
  await key('Usual keys').click();
  await key('Key 2 for tile left: A').waitFor();
  await page.locator('body').press('d');
  await eventually(() => shownBoard(page), SHOWN);
});

pageTest('Escape keeps a key, and reserved keys cannot be chosen', {}, async (page) => {
  await open(page, { board: BOARD });
  await openOptions(page);
  const made = page.getByRole('button', { name: 'Key 1 for tile up: ↑' });
  await made.click();
  await page.keyboard.press('Enter');
  assert.equal(await made.textContent(), 'Press a key…');
  await page.keyboard.press('Escape');
  await eventually(() => made.textContent(), '↑');
  assert.equal(await made.evaluate((element) => element === document.activeElement), true);
});

pageTest('with the option, the mouse moves tiles without a press', {}, async (page) => {
  await open(page, { board: BOARD });
  const { x, y } = await middleOf(page, 11);
  await page.mouse.move(x, y + 5);
  await page.mouse.move(x, y);
  await page.waitForTimeout(100);
  assert.equal(await shownBoard(page), SHOWN);
  await openOptions(page);
  await page.getByRole('checkbox', { name: /^The mouse moves tiles/ }).check();
  // The page has scrolled to the options.
  const now = await middleOf(page, 11);
  await page.mouse.move(now.x, now.y);
  await eventually(() => shownBoard(page), '5 1 2 4/9 6 3 8/13 10 7 12/14 11 0 15');
  const above = await middleOf(page, 7);
  await page.mouse.move(above.x, above.y, { steps: 3 });
  await eventually(() => shownBoard(page), '5 1 2 4/9 6 3 8/13 10 0 12/14 11 7 15');
  // A tile that is not beside the blank stays.
  const far = await middleOf(page, 4);
  await page.mouse.move(0, 0);
  await page.mouse.move(far.x, far.y);
  await page.waitForTimeout(100);
  assert.equal(await shownBoard(page), '5 1 2 4/9 6 3 8/13 10 0 12/14 11 7 15');
});

pageTest('a finished game stays finished under the mouse', {}, async (page) => {
  await page.addInitScript(() => localStorage.setItem('tilebase', JSON.stringify({ isHoverPlay: true })));
  await open(page, { board: '1,2,3/4,5,6/7,0,8' });
  const eight = await middleOf(page, 8);
  await page.mouse.move(eight.x, eight.y);
  await eventually(() => shownBoard(page), '1 2 3/4 5 6/7 8 0');
  const six = await middleOf(page, 6);
  await page.mouse.move(six.x, six.y, { steps: 5 });
  await page.waitForTimeout(150);
  assert.equal(await shownBoard(page), '1 2 3/4 5 6/7 8 0');
});

pageTest('tiles have the colours of rows or columns, also after a visit of Partition', {}, async (page) => {
  await open(page, { board: BOARD });
  const plain = await colourOf(page, 1);
  await openOptions(page);
  const colours = page.getByRole('combobox', { name: 'Colours of the tiles' });
  await colours.selectOption('rows');
  const [one, four, five] = [await colourOf(page, 1), await colourOf(page, 4), await colourOf(page, 5)];
  assert.notEqual(one, plain);
  assert.equal(one, four);
  assert.notEqual(one, five);
  await colours.selectOption('columns');
  assert.equal(await colourOf(page, 1), await colourOf(page, 5));
  await screenshot(page, 'columns 1280 light');
  await page.getByRole('link', { name: 'Partition' }).click();
  await page.getByRole('grid').waitFor();
  await page.getByRole('link', { name: 'Play', exact: true }).click();
  await eventually(() => colourOf(page, 5), one);
  await page.reload();
  await tile(page, 1).waitFor();
  assert.equal(await colourOf(page, 1), await colourOf(page, 5));
});

pageTest('a button and a key open the large view, which shows only the board', { width: 1600, height: 900 }, async (page) => {
  await open(page, { board: BOARD });
  const small = await tile(page, 1).boundingBox();
  const toggle = page.getByRole('button', { name: 'Large view' });
  await toggle.click();
  await eventually(() => page.getByRole('navigation').count(), 0);
  await page.waitForTimeout(300);
  const [large, board] = [await tile(page, 1).boundingBox(), await page.locator('#board .board').boundingBox()];
  const window = page.viewportSize();
  assert.ok(small && large && large.width > small.width, `${small?.width} and ${large?.width} pixels`);
  assert.ok(board && window && board.y + board.height <= window.height, JSON.stringify(board));
  await page.keyboard.press('ArrowLeft');
  await eventually(() => shownBoard(page), '5 1 2 4/9 6 3 8/13 10 7 12/14 11 0 15');
  await assertLook(page, 'large', ['light']);
  await page.keyboard.press('f');
  await page.getByRole('navigation').waitFor();
  await page.keyboard.press('f');
  await eventually(() => page.getByRole('navigation').count(), 0);
  await page.keyboard.press('Escape');
  await page.getByRole('navigation').waitFor();
});

pageTest('a solution plays in the large view', { width: 1600, height: 900, theme: 'dark' }, async (page) => {
  await open(page, { board: '8,6,7/2,5,4/3,0,1', view: 'solve' });
  await page.getByRole('button', { name: 'Find a shortest solution' }).click();
  // Screen readers get the same text elsewhere.
  const solution = page.getByRole('group', { name: 'Player of the solution' });
  await solution.waitFor();
  await page.locator('body').press('f');
  await page.getByRole('button', { name: 'Find a shortest solution' }).waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'One move on' }).click();
  await solution.getByText(/^Move 1 of 31/).waitFor();
  await page.waitForTimeout(300);
  const [board, player] = [await page.locator('#board .board').boundingBox(), await page.locator('.player').boundingBox()];
  assert.ok(board && player && board.y + board.height <= player.y, `${JSON.stringify(board)} ${JSON.stringify(player)}`);
  await assertLook(page, 'large solution', ['dark']);
});

pageTest('boards with more rows than colours have a colour for each row', {}, async (page) => {
  await page.addInitScript(() => localStorage.setItem('tilebase', JSON.stringify({ colours: 'rows' })));
  await open(page, { board: Array.from({ length: 8 }, (_, row) => `${row * 2 + 1},${(row * 2 + 2) % 16}`).join('/') });
  assert.equal(await colourOf(page, 15), await colourOf(page, 1));
  assert.notEqual(await colourOf(page, 3), await colourOf(page, 1));
});

pageTest('options are accessible in both themes and fit a phone', PHONE, async (page) => {
  await page.addInitScript(() => localStorage.setItem('tilebase', JSON.stringify({ colours: 'rows' })));
  await open(page, { board: '1,2,3,4,5,6/7,8,9,10,11,12/13,14,15,16,17,18/19,20,21,22,23,24/25,26,27,28,29,30/31,32,33,34,0,35' });
  await openOptions(page);
  await page.waitForLoadState('networkidle');
  await assertLook(page, 'options');
});

pageTest('in the large view of a phone, the button to leave it covers no tile, and the end is said', PHONE, async (page) => {
  // A window on the full screen cannot be resized.
  await page.addInitScript(() => { Element.prototype.requestFullscreen = () => Promise.reject(new Error('refused')); });
  await open(page, { board: '1,2,3/4,5,6/0,7,8' });
  await page.keyboard.press('f');
  await eventually(() => page.getByRole('navigation').count(), 0);
  for (const size of [{ width: 360, height: 740 }, { width: 740, height: 360 }]) {
    await page.setViewportSize(size);
    await page.waitForTimeout(200);
    const [board, leave] = [await page.locator('#board .board').boundingBox(), await page.getByRole('button', { name: 'Large view' }).boundingBox()];
    assert.ok(board && leave && (leave.y + leave.height <= board.y || leave.x >= board.x + board.width), `${JSON.stringify(board)} ${JSON.stringify(leave)}`);
    assert.ok(board.y + board.height <= size.height, `${board.y + board.height} in ${size.height}`);
  }
  const solved = page.locator('#bar').getByText('Solved');
  assert.equal(await solved.isVisible(), false);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await solved.waitFor();
});
