// Facts about the board in Play.

import assert from 'node:assert/strict';
import { ORIGIN, eventually, open, openWithHints, pageTest, screenshot, shownBoard, tile, tiles } from './support.js';

/** @typedef {import('./support.js').Page} Page */

const BOARD = '5,1,2,4/9,6,3,8/13,10,7,12/0,14,11,15';
const UNSOLVABLE = '1,2,3,4/5,6,7,8/9,10,11,12/13,15,14,0';

pageTest('the distance is shown, and each move changes it by one', {}, async (page) => {
  await openWithHints(page, { board: BOARD });
  await eventually(() => toGo(page), '9');
  await page.keyboard.press('ArrowDown');
  await eventually(() => toGo(page), '8');
  await page.keyboard.press('ArrowUp');
  await eventually(() => toGo(page), '9');
  await page.keyboard.press('ArrowLeft');
  await eventually(() => toGo(page), '10');
});

pageTest('a board that is the goal asks for no moves', {}, async (page) => {
  await open(page, { board: '1,2,3/4,5,6/7,8,0' });
  await page.getByText('This board is the goal. “New” makes another one.').waitFor();
  await page.keyboard.press('ArrowRight');
  await page.getByText(/^This board is the goal/).waitFor({ state: 'hidden' });
  await open(page, { board: BOARD });
  await page.getByText(/^Make the goal: press a tile/).waitFor();
});

pageTest('movable tiles show whether they lead nearer, as words, marks and numbers', {}, async (page) => {
  await openWithHints(page, { board: BOARD });
  await page.getByRole('button', { name: /^Tile 13, .*nearer, 8 to go$/ }).waitFor();
  await page.getByRole('button', { name: /^Tile 14, .*farther, 10 to go$/ }).waitFor();
  assert.deepEqual(await marksOf(page), ['✓ 8', '✕ 10']);
});

pageTest('a game begins without hints, which a key and a choice show, also after a reload', {}, async (page) => {
  await open(page, { board: BOARD });
  await page.waitForLoadState('networkidle');
  assert.equal(await toGo(page), null);
  assert.deepEqual(await marksOf(page), []);
  await page.keyboard.press('h');
  await eventually(() => marksOf(page), ['✓ 8', '✕ 10']);
  await choose(page, 'Distance');
  await eventually(() => marksOf(page), []);
  assert.equal(await toGo(page), '9');
  await tile(page, 14).click();
  await page.reload();
  await eventually(() => toGo(page), '10');
  await page.keyboard.press('h');
  await eventually(() => toGo(page), null);
  await page.getByText('All hints', { exact: true }).click();
  await eventually(() => toGo(page), '10');
  // After a press with the mouse, keys move tiles.
  await page.keyboard.press('ArrowRight');
  await eventually(() => toGo(page), '9');
  await page.getByRole('button', { name: 'New board' }).click();
  await eventually(() => toGo(page), null);
  assert.equal(await page.getByRole('radio', { name: 'No hints' }).isChecked(), true);
});

pageTest('a board without a solution says so without hints', {}, async (page) => {
  await open(page, { board: UNSOLVABLE });
  await page.getByRole('region', { name: 'What is known of the board' }).getByText('No way').waitFor();
  await page.getByRole('button', { name: /^Exchange/ }).waitFor();
});

pageTest('the goal has no hints on its tiles', {}, async (page) => {
  await openWithHints(page, { board: '1,2,3/4,5,6/7,0,8' });
  await eventually(() => marksOf(page), ['✕ 2', '✕ 2', '✓ 0']);
  await page.keyboard.press('ArrowLeft');
  await page.getByText('moves to go: this is the goal').waitFor();
  assert.deepEqual(await marksOf(page), []);
});

pageTest('the number of shortest solutions is shown', {}, async (page) => {
  await openWithHints(page, { board: '8,6,7/2,5,4/3,0,1' });
  await page.getByRole('button', { name: 'How many shortest solutions?' }).click();
  const said = page.getByRole('main').getByText('40 shortest solutions of 31 moves.', { exact: true });
  await said.waitFor();
  // The count of one board does not stay beside another.
  await page.keyboard.press('ArrowLeft');
  await eventually(() => said.count(), 0);
});

pageTest('an unsolvable board shows the reason and two ways out', {}, async (page) => {
  await openWithHints(page, { board: UNSOLVABLE });
  const known = page.getByRole('region', { name: 'What is known of the board' });
  await known.getByText('No way').waitFor();
  await known.getByText(/parit|odd|even/).first().waitFor();
  assert.ok(await known.locator('svg').count() > 0, 'the parity is not drawn');
  await known.getByRole('button', { name: 'Make blank first the goal' }).click();
  await page.waitForURL(/goal=blank-first/);
  await page.keyboard.press('h');
  await eventually(async () => Number(await toGo(page)) > 0, true, 30_000);
  await page.goto(`${ORIGIN}/#board=${UNSOLVABLE}`);
  await known.getByRole('button', { name: /^Exchange \d+ and \d+$/ }).click();
  await eventually(async () => page.url().includes('15,14'), false);
  await page.locator('body').press('h');
  await eventually(async () => Number(await toGo(page)) >= 0, true);
  assert.notEqual(await shownBoard(page), '1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0');
});

pageTest('after quick moves, the distance of the last board is shown', {}, async (page) => {
  await openWithHints(page, { board: '8,6,7/2,5,4/3,0,1' });
  for (const key of 'adadadadada') await page.keyboard.press(key);
  await eventually(() => shownBoard(page), '8 6 7/2 5 4/3 1 0');
  await eventually(() => toGo(page), '30');
});

pageTest('one press builds the missing tables of a shape, and searches use them', { serverOnly: 'it reads the request of the build' }, async (page) => {
  await open(page, { board: '1,2,3/4,5,6/7,8,9/10,0,11' });
  const tables = page.getByRole('region', { name: 'Tables' });
  const asked = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/v1/builds'));
  await tables.getByRole('button', { name: /^Make it instant: build 11\/whole, 60 MB, about / }).click();
  assert.equal(JSON.parse((await asked).postData() ?? '').spec, '11/whole');
  await tables.getByRole('progressbar', { name: 'Build of 11/whole' }).waitFor();
  await screenshot(page, 'building in play');
  await tables.getByText('✓ Boards of 4x3 are now searched with the tables of 11/whole.').waitFor();
  assert.equal(new URL(page.url()).hash.includes('view='), false);
});

pageTest('without tables, Play and Solve offer the best ones of the 15-puzzle with size and time', { serverOnly: 'it replaces an answer on the network, which workers do not use' }, async (page) => {
  await lackTables(page);
  await open(page, { board: BOARD });
  const offer = page.getByRole('button', { name: 'Make it instant: build 15/7-8, 196 MB, about 4 s' });
  await offer.waitFor();
  await screenshot(page, 'offer in play');
  await page.getByRole('link', { name: 'Solve' }).click();
  await page.getByRole('heading', { name: 'Solve', exact: true }).waitFor();
  await offer.waitFor();
  await screenshot(page, 'offer in solve');
});

pageTest('no tables are offered for boards that are solved at once', {}, async (page) => {
  await open(page, { board: '1,2/3,0' });
  await page.waitForLoadState('networkidle');
  assert.equal(await page.getByRole('button', { name: /^Make it|^Build/ }).count(), 0);
});

pageTest('where builds are refused, Play says whom to ask', { serverOnly: 'it replaces an answer on the network, which workers do not use' }, async (page) => {
  await page.route('**/v1/builds', (route) => route.fulfill({ json: { allowed: false, builds: [] } }));
  await lackTables(page);
  await open(page, { board: BOARD });
  await page.getByRole('region', { name: 'Tables' }).getByText('The tables of 15/7-8 are missing, and this server builds no tables. Whoever runs it can build them, or allow it.', { exact: true }).waitFor();
});

pageTest('the message about a search disappears when the distance is known', { serverOnly: 'it replaces an answer on the network, which workers do not use' }, async (page) => {
  let end = () => {};
  const ended = new Promise((resolve) => { end = () => resolve(null); });
  await page.route(/\/v1\/moves\?/, async (route) => {
    const response = await route.fetch();
    const record = await response.json();
    const isFirst = route.request().url().includes('300ms');
    if (!isFirst) await ended;
    const unknown = { status: 'limit', distance: null, lower_bound: 7, moves: [] };
    await route.fulfill({ response, json: isFirst ? { ...record, ...unknown } : record });
  });
  await openWithHints(page, { board: BOARD });
  const words = page.getByText('Searching for the distance…');
  await words.waitFor();
  end();
  await eventually(() => toGo(page), '9');
  await eventually(() => words.isVisible(), false, 5000);
});

pageTest('a link with an unknown partition offers the default', { refusals: [404] }, async (page) => {
  await openWithHints(page, { board: BOARD, spec: 'drawn/0123456789abcdef' });
  await page.getByText(/^This server does not know the partition/).waitFor();
  await page.getByRole('button', { name: 'Use the default' }).click();
  await eventually(() => toGo(page), '9');
});

pageTest('a heuristic that was chosen in Solve is shown in Play, and can be removed there', {}, async (page) => {
  await open(page, { board: BOARD, view: 'solve' });
  await page.getByRole('combobox', { name: 'Heuristic' }).first().selectOption('manhattan');
  await page.getByRole('link', { name: 'Play', exact: true }).click();
  await page.getByText('Searched with manhattan').waitFor();
  await screenshot(page, 'heuristic in play');
  await page.getByRole('button', { name: 'Search with the default instead' }).click();
  await eventually(() => page.getByText('Searched with manhattan').isVisible(), false);
  await page.waitForURL((url) => !url.hash.includes('spec='));
});

pageTest('the goal is shown beside the distance', {}, async (page) => {
  await open(page, { board: BOARD, goal: 'snail' });
  await page.getByRole('img', { name: 'Goal: 1 2 3 4; 12 13 14 5; 11 blank 15 6; 10 9 8 7' }).waitFor();
});

/** Simulates a server without tables of the 15-puzzle. @param {Page} page */
async function lackTables(page) {
  await page.route(/\/v1\/specs\?/, async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    const to_build = { name: '15/7-8', table_count: 2, disk_bytes: 195650600, seconds: 4.386096 };
    await route.fulfill({ response, json: { ...json, default: { spec: 'manhattan', is_fallback: true, to_build } } });
  });
}

/** Reads the marks on the tiles, which the style sheet writes. @param {Page} page @returns {Promise<string[]>} */
function marksOf(page) {
  return tiles(page).locator('.mark').filter({ visible: true }).evaluateAll((marks) => marks.map((mark) => {
    const text = ['::before', '::after'].map((part) => getComputedStyle(mark, part).content.replaceAll('"', ''));
    return text.filter((content) => !/^attr|^none|^normal/.test(content)).join(' ');
  }));
}

/** Reads the shown distance, null if there is none. @param {Page} page */
async function toGo(page) {
  const text = await page.getByRole('region', { name: 'What is known of the board' }).innerText();
  return /(\d+)\s+(?:moves? )?to go/.exec(text)?.[1] ?? null;
}

/** @param {Page} page @param {string} name */
async function choose(page, name) {
  await page.getByRole('radio', { name, exact: true }).check({ force: true });
}
