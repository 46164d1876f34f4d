// Use of the page without a mouse.

import assert from 'node:assert/strict';
import { VIEWS, ask, eventually, open, pageTest, shownBoard, tile } from './support.js';

/** @typedef {import('./support.js').Page} Page */

const BOARD = '5,1,2,4/9,6,3,8/13,10,7,12/14,0,11,15';
const STOPS_MAX = 200;

for (const view of VIEWS) {
  pageTest(`Tab reaches all controls of ${view} in order, and leaves the page`, {}, async (page) => {
    await open(page, { board: BOARD, view });
    await page.waitForLoadState('networkidle');
    const expected = await settledStopsOf(page);
    assert.ok(expected.length > 10, `only ${expected.length} places to stop at`);
    const forwards = await visited(page, 'Tab');
    assert.deepEqual(forwards, expected);
    assert.deepEqual(await visited(page, 'Shift+Tab'), [...expected].reverse());
  });
}

/**
 * Returns the tab stops once none has come for half a second: some controls wait for an answer of the server.
 * @param {Page} page @returns {Promise<string[]>}
 */
async function settledStopsOf(page) {
  for (let before = -1; ; ) {
    const stops = await stopsOf(page);
    if (stops.length === before) return stops;
    before = stops.length;
    await page.waitForTimeout(500);
  }
}

/**
 * Returns the tab stops in the order of the document, each with a number. Of radios with a name, only the chosen one
 * is a stop.
 * @param {Page} page @returns {Promise<string[]>}
 */
function stopsOf(page) {
  return page.evaluate(() => {
    const stops = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')];
    const usable = stops.filter((stop) => {
      if (!(stop instanceof HTMLElement) || stop.tabIndex < 0 || stop.matches(':disabled')) return false;
      if (!stop.checkVisibility({ visibilityProperty: true })) return false;
      if (!(stop instanceof HTMLInputElement) || stop.type !== 'radio') return true;
      const isChosen = document.querySelector(`input[type=radio][name="${stop.name}"]:checked`) !== null;
      return stop.checked || !isChosen;
    });
    return usable.map((stop, at) => {
      stop.setAttribute('data-stop', String(at));
      return `${at} ${stop.tagName} ${stop.getAttribute('aria-label') ?? stop.textContent?.trim().slice(0, 30)}`;
    });
  });
}

/**
 * Returns the stops of a key, from the window's edge back to it.
 * @param {Page} page @param {'Tab' | 'Shift+Tab'} key @returns {Promise<string[]>}
 */
async function visited(page, key) {
  await page.evaluate(() => /** @type {HTMLElement | null} */ (document.activeElement)?.blur());
  // Otherwise, the browser would continue from the last focus.
  await page.evaluate((isBackwards) => {
    const edge = isBackwards ? document.body.lastElementChild : document.body.firstElementChild;
    getSelection()?.collapse(edge, 0);
  }, key === 'Shift+Tab');
  /** @type {string[]} */
  const stops = [];
  for (let count = 0; count < STOPS_MAX; count += 1) {
    await page.keyboard.press(key);
    const stop = await page.evaluate(() => {
      const at = document.activeElement;
      if (!at || at === document.body) return null;
      return `${at.getAttribute('data-stop')} ${at.tagName} ${at.getAttribute('aria-label') ?? at.textContent?.trim().slice(0, 30)}`;
    });
    if (stop === null || stop === stops[0]) return stops;
    stops.push(stop);
  }
  throw new Error(`${key} never comes to an end`);
}

pageTest('a game is played without a mouse', {}, async (page) => {
  await open(page, { board: '1,2,3/4,5,6/7,8,0' });
  await focusOn(page, 'New board');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => !location.hash.includes('board=1,2,3/4,5,6/7,8,0'));
  const { moves } = await solution(page, await shownBoard(page));
  /** @type {Record<string, string>} */
  const keys = { U: 'ArrowUp', R: 'd', D: 'ArrowDown', L: 'a' };
  for (const move of moves) await page.keyboard.press(keys[move]);
  await eventually(() => shownBoard(page), '1 2 3/4 5 6/7 8 0');
  await page.getByRole('heading', { name: 'Solved' }).waitFor();
});

pageTest('a board is solved and its solution stepped through without a mouse', {}, async (page) => {
  await open(page, { board: '8,6,7/2,5,4/3,0,1' });
  await focusOn(page, 'Solve', 'link');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Find a shortest solution' }).waitFor();
  await focusOn(page, 'Find a shortest solution');
  await page.keyboard.press('Enter');
  await page.getByRole('group', { name: 'Player of the solution' }).waitFor();
  await focusOn(page, 'One move on');
  await page.keyboard.press('Enter');
  await page.getByRole('main').getByText(/Move 1 of 31/).waitFor();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('main').getByText(/Move 2 of 31/).waitFor();
  await page.keyboard.press('End');
  await eventually(() => shownBoard(page), '1 2 3/4 5 6/7 8 0');
});

pageTest('Shift and arrows move the focus between tiles, and Enter moves the focused one', {}, async (page) => {
  await open(page, { board: BOARD });
  await tile(page, 11).focus();
  await page.keyboard.press('Shift+ArrowUp');
  assert.match(await focusedName(page), /^Tile 7,/);
  await page.keyboard.press('Shift+ArrowLeft');
  assert.match(await focusedName(page), /^Tile 10,/);
  await page.keyboard.press('Enter');
  await eventually(() => shownBoard(page), '5 1 2 4/9 6 3 8/13 0 7 12/14 10 11 15');
  assert.match(await focusedName(page), /^Tile 10,/);
});

pageTest('the skip link leads to the board', {}, async (page) => {
  await open(page, { board: BOARD });
  await page.keyboard.press('Tab');
  assert.equal(await focusedName(page), 'Skip to the board');
  await page.keyboard.press('Enter');
  assert.match(await focusedName(page), /^Tile /);
});

/**
 * Presses Tab until the element with this name has the focus.
 * @param {Page} page @param {string} name @param {'button' | 'link'} [role]
 */
async function focusOn(page, name, role = 'button') {
  for (let count = 0; count < STOPS_MAX; count += 1) {
    await page.keyboard.press('Tab');
    const isIt = await page.getByRole(role, { name, exact: true }).evaluateAll((found) => found.some((one) => one === document.activeElement));
    if (isIt) return;
  }
  throw new Error(`Tab does not lead to ${name}`);
}

/** @param {Page} page */
function focusedName(page) {
  return page.evaluate(() => {
    const at = document.activeElement;
    return at?.getAttribute('aria-label') ?? at?.textContent ?? '';
  });
}

/** @param {Page} page @param {string} board @returns {Promise<{ length: number, moves: string }>} */
function solution(page, board) {
  return ask(page, '/v1/solve', { board });
}

pageTest('N and Space make new boards, Shift and an arrow lead to the board, and ? names the keys', {}, async (page) => {
  await open(page, { board: '1,2,3/4,5,6/0,7,8' });
  const board = () => shownBoard(page);
  for (const key of ['n', ' ']) {
    const before = await board();
    await page.keyboard.press(key);
    await eventually(async () => await board() !== before, true);
  }
  await page.keyboard.press('p');
  await page.keyboard.press('p');
  await eventually(board, '1 2 3/4 5 6/0 7 8');
  await page.keyboard.press('ArrowLeft');
  // Space discards no game that has begun.
  await page.keyboard.press(' ');
  assert.equal(await board(), '1 2 3/4 5 6/7 0 8');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press(' ');
  await eventually(async () => await board() !== '1 2 3/4 5 6/7 8 0', true);
  await page.keyboard.press('Shift+ArrowDown');
  assert.match(await focusedName(page), /^Tile /);
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Help and keys' });
  await help.getByRole('row', { name: /^N New board/ }).waitFor();
  await page.keyboard.press('Escape');
  await eventually(() => help.isVisible(), false);
  await page.getByRole('button', { name: 'About', exact: true }).click();
  await page.getByRole('dialog', { name: 'About Tilebase' }).waitFor();
});

pageTest('the board is as large as the window is high, and size and new board are together', { width: 1920, height: 1080 }, async (page) => {
  await open(page, { board: BOARD });
  const board = await page.locator('#board .board').boundingBox();
  assert.ok(board && board.height > 0.75 * 1080, JSON.stringify(board));
  const [size, make] = [await page.getByRole('combobox', { name: 'Size' }).boundingBox(), await page.getByRole('button', { name: 'New board' }).boundingBox()];
  assert.ok(size && make && make.x - size.x - size.width < 2, `${JSON.stringify(size)} ${JSON.stringify(make)}`);
  await page.getByRole('combobox', { name: 'Size' }).selectOption('3x3');
  await eventually(async () => (await shownBoard(page)).split('/').length, 3);
});
