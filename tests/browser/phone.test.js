// Use of the page on a phone: 360 pixels wide, with fingers, without a keyboard.

import assert from 'node:assert/strict';
import { PHONE, eventually, open, pageTest, shownBoard, tile } from './support.js';

/** @typedef {import('./support.js').Page} Page */

const BOARD = '5,1,2,4/9,6,3,8/13,10,7,12/14,0,11,15';
const SHOWN = '5 1 2 4/9 6 3 8/13 10 7 12/14 0 11 15';
/** Smallest size of a control for a finger, in pixels. */
const FINGER = 24;

pageTest('a tap moves a tile, and a whole row', PHONE, async (page) => {
  await open(page, { board: BOARD });
  await tile(page, 15).tap();
  await eventually(() => shownBoard(page), '5 1 2 4/9 6 3 8/13 10 7 12/14 11 15 0');
  await tile(page, 12).tap();
  await eventually(() => shownBoard(page), '5 1 2 4/9 6 3 8/13 10 7 0/14 11 15 12');
});

pageTest('a swipe moves a tile, and does not scroll the page', PHONE, async (page) => {
  await open(page, { board: BOARD });
  await swipe(page, 5, 0, 60);
  await eventually(() => shownBoard(page), '5 1 2 4/9 6 3 8/13 0 7 12/14 10 11 15');
  await swipe(page, 4, -60, 0);
  await eventually(() => shownBoard(page), '5 1 2 4/9 6 3 8/13 7 0 12/14 10 11 15');
  assert.equal(await page.evaluate(() => scrollY), 0);
});

pageTest('board and tabs are visible without scrolling, and controls are large enough for fingers', PHONE, async (page) => {
  await open(page, { board: BOARD });
  for (const number of [5, 15]) {
    const box = await tile(page, number).boundingBox();
    assert.ok(box && box.x >= 0 && box.x + box.width <= PHONE.width && box.y + box.height <= PHONE.height);
    assert.ok(box.width >= 60, `a tile is ${box.width} pixels wide`);
  }
  const small = await page.evaluate((least) => [...document.querySelectorAll('button, nav a, select')]
    .filter((control) => control.checkVisibility())
    .map((control) => ({ name: control.getAttribute('aria-label') ?? control.textContent, box: control.getBoundingClientRect() }))
    .filter(({ box }) => box.width < least || box.height < least)
    .map(({ name, box }) => `${name}: ${Math.round(box.width)} x ${Math.round(box.height)}`), FINGER);
  assert.deepEqual(small, []);
});

pageTest('on a phone that lies on its side, the panel is beside the board, and all controls of a game are visible', { width: 740, height: 360, touch: true }, async (page) => {
  await open(page, { board: BOARD });
  await page.getByRole('button', { name: 'New board' }).tap();
  await page.getByRole('button', { name: 'Previous board (P)' }).waitFor();
  const [bar, board, panel] = await Promise.all(['#bar', '#board .board', '#panel'].map((part) => page.locator(part).boundingBox()));
  assert.ok(bar && board && panel && bar.y + bar.height <= 360, `the bar ends at ${bar && bar.y + bar.height}`);
  assert.ok(board.height >= 160 && panel.x >= board.x + board.width && panel.y < 80, `${board.height} ${panel.x} ${panel.y}`);
});

pageTest('the help begins with its heading', PHONE, async (page) => {
  await open(page);
  await page.getByRole('banner').getByRole('button', { name: 'Help and keys (?)' }).tap();
  const heading = await page.getByRole('heading', { name: 'Help and keys' }).boundingBox();
  assert.ok(heading && heading.y > 0, `${heading?.y}`);
});

pageTest('a game is played with fingers', PHONE, async (page) => {
  await open(page, { board: '1,2,3/4,5,6/0,7,8' });
  await tile(page, 7).tap();
  await tile(page, 8).tap();
  await page.getByRole('region', { name: 'Finish' }).getByText('2 is the optimum. No solution is shorter.').waitFor();
  await page.getByRole('button', { name: 'New board' }).tap();
  await eventually(async () => await shownBoard(page) !== '1 2 3/4 5 6/7 8 0', true);
});

pageTest('a partition is painted with a finger', PHONE, async (page) => {
  await open(page, { board: '8,6,7/2,5,4/3,0,1', view: 'partition' });
  await page.getByRole('grid').waitFor();
  await page.waitForLoadState('networkidle');
  await page.getByRole('radio', { name: 'No pattern, none' }).check({ force: true });
  const first = page.getByRole('gridcell').first();
  await first.tap();
  await eventually(async () => (await first.textContent())?.startsWith('No pattern'), true);
});

pageTest('two fingers on two tiles move one tile at most', PHONE, async (page) => {
  await open(page, { board: BOARD });
  const session = await page.context().newCDPSession(page);
  const [a, b] = [await middleOf(page, 11), await middleOf(page, 14)];
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ ...a, id: 1 }, { ...b, id: 2 }] });
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await eventually(async () => /^5 1 2 4\/9 6 3 8\/13 10 7 12\/[\d ]+$/.test(await shownBoard(page)), true);
  await tile(page, 5).tap();
  const numbers = (await shownBoard(page)).split(/[ /]/).map(Number).sort((x, y) => x - y);
  assert.deepEqual(numbers, Array.from({ length: 16 }, (_, number) => number));
  assert.notEqual(await shownBoard(page), SHOWN);
});

/** Moves a finger over the board, from a tile. @param {Page} page @param {number} from @param {number} right @param {number} down */
async function swipe(page, from, right, down) {
  const session = await page.context().newCDPSession(page);
  const { x, y } = await middleOf(page, from);
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
  for (const share of [0.25, 0.5, 0.75, 1]) {
    await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x: x + right * share, y: y + down * share }] });
  }
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

/** @param {Page} page @param {number} number */
async function middleOf(page, number) {
  const box = await tile(page, number).boundingBox();
  assert.ok(box);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
