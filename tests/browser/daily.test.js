// The daily board.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dateOf, seedOf, streakOf, writtenDate } from '../../crates/tilebase-serve/page/daily.js';
import { ORIGIN, PHONE, ask, assertLook, eventually, open, pageTest, screenshot, shownBoard } from './support.js';

/** @typedef {import('./support.js').Page} Page */

const GOAL = '1 2 3/4 5 6/7 8 0';

/** @param {Page} page */
function daily(page) {
  return page.getByRole('region', { name: 'Daily board' });
}

/** @param {Page} page @param {string} date */
async function setDate(page, date) {
  await page.clock.setFixedTime(new Date(`${date}T12:00:00Z`));
}

/** Plays a shortest solution, and returns its length. @param {Page} page */
async function solve(page) {
  const { moves } = await ask(page, '/v1/solve', { board: await shownBoard(page) });
  /** @type {Record<string, string>} */
  const keys = { L: 'ArrowLeft', R: 'ArrowRight', U: 'ArrowUp', D: 'ArrowDown' };
  for (const move of moves) await page.keyboard.press(keys[move]);
  await eventually(() => shownBoard(page), GOAL);
  return moves.length;
}

test('days and seeds are those of UTC', () => {
  const date = dateOf(Date.UTC(2026, 10, 24, 23, 59));
  assert.deepEqual([date, seedOf(date), writtenDate(date)], ['2026-11-24', 20261124, '24 November 2026']);
  assert.equal(dateOf(Date.UTC(2026, 10, 25)), '2026-11-25');
});

test('consecutive days are counted up to today or yesterday', () => {
  const result = { milliseconds: 1, moves: 1, optimum: 1 };
  const entries = ['2026-02-27', '2026-02-28', '2026-03-01'].map((date) => ({ date, difficulty: /** @type {const} */ ('easy'), board: '', result }));
  assert.deepEqual(['2026-03-01', '2026-03-02', '2026-03-03', '2026-02-28'].map((date) => streakOf(entries, date)), [3, 3, 0, 2]);
  assert.equal(streakOf(entries.map((entry) => ({ ...entry, result: null })), '2026-03-01'), 0);
});

pageTest('the daily boards of a date are the same for everybody', {}, async (page) => {
  await setDate(page, '2026-11-24');
  await open(page);
  await daily(page).getByText('24 November 2026 (UTC)').waitFor();
  const sets = { Easy: ['3x3', 'random'], Medium: ['4x4', 'walk:60'], Hard: ['4x4', 'random'] };
  for (const [name, [shape, set]] of Object.entries(sets)) {
    await daily(page).getByRole('button', { name: `Play the daily board: ${name}, ${shape}` }).click();
    const params = { shape, set, seed: '20261124', goal: 'blank-last' };
    const { board } = await ask(page, '/v1/scramble', params);
    await eventually(() => shownBoard(page), board);
  }
});

pageTest('the first result of a daily board is kept, and can be copied', {}, async (page) => {
  await setDate(page, '2026-11-24');
  await open(page, { board: '1,2,3/4,5,6/7,8,0' });
  const easy = daily(page).getByRole('button', { name: 'Play the daily board: Easy, 3x3' });
  await easy.click();
  await eventually(async () => await shownBoard(page) !== GOAL, true);
  assert.equal(await page.getByRole('radio', { name: 'No hints' }).isChecked(), true);
  const board = (await shownBoard(page)).replaceAll(' ', ',');
  const count = await solve(page);
  const result = daily(page).getByText(new RegExp(`^✓ ${count} moves \\(optimum ${count}\\) in 0:\\d\\d\\.\\d{3}$`));
  await result.waitFor();
  const first = await result.textContent();
  await daily(page).getByRole('button', { name: 'Copy result: Easy, 3x3' }).click();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(text, `Tilebase daily board of 24 November 2026, easy (3x3): ${first?.slice(2)}\n${ORIGIN}/#board=${board}&daily=2026-11-24-easy`);
  // Again, and slower: the first result stays.
  await easy.click();
  await eventually(async () => await shownBoard(page) !== GOAL, true);
  for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'ArrowRight', 'ArrowLeft']) await page.keyboard.press(key);
  await solve(page);
  await page.reload();
  await eventually(() => result.textContent(), first);
  await screenshot(page, 'daily 1280 light');
});

pageTest('the result of a daily board says that hints were shown and moves undone', {}, async (page) => {
  await open(page, { board: '1,2,3/4,5,6/7,8,0' });
  await daily(page).getByRole('button', { name: /Easy/ }).click();
  await eventually(async () => await shownBoard(page) !== GOAL, true);
  const board = await shownBoard(page);
  // One of these moves is possible, and is undone.
  for (const key of ['ArrowLeft', 'ArrowRight']) {
    await page.keyboard.press(key);
    while (await shownBoard(page) !== board) await page.keyboard.press('u');
    if (await page.getByRole('button', { name: 'Redo (R)' }).isEnabled()) break;
  }
  await page.getByRole('radio', { name: 'Distance' }).check({ force: true });
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Tile/ }).first().focus();
  const count = await solve(page);
  await daily(page).getByText(new RegExp(`^✓ ${count} moves \\(optimum ${count}\\) in [\\d:.]+, with hints, 1 move undone$`)).waitFor();
});

pageTest('a link to a daily board names its day, and the first result counts', {}, async (page) => {
  await setDate(page, '2026-11-25');
  const { board } = await ask(await opened(page), '/v1/scramble', { shape: '3x3', set: 'random', seed: '20261124', goal: 'blank-last' });
  await page.goto('about:blank');
  await open(page, { board: board.replaceAll(' ', ','), daily: '2026-11-24-easy' });
  await daily(page).getByText('This is the daily board of 24 November 2026: Easy, 3x3.').waitFor();
  await solve(page);
  await eventually(() => page.evaluate(() => JSON.parse(localStorage.getItem('tilebase-daily') ?? '[]').map((/** @type {any} */ { date, result }) => [date, result !== null])), [['2026-11-24', true]]);
  // Another board with this day in its link is not that of the day.
  await page.goto('about:blank');
  await open(page, { board: '1,2,3/4,5,6/0,7,8', daily: '2026-11-24-easy' });
  await page.waitForLoadState('networkidle');
  assert.equal(await daily(page).getByText('This is the daily board').isVisible(), false);
});

/** @param {Page} page */
async function opened(page) {
  await open(page);
  return page;
}

pageTest('consecutive days are shown, and each day has its own board', {}, async (page) => {
  await setDate(page, '2026-11-24');
  await open(page, { board: '1,2,3/4,5,6/7,8,0' });
  await daily(page).getByRole('button', { name: /Easy/ }).click();
  await eventually(async () => await shownBoard(page) !== GOAL, true);
  const first = await shownBoard(page);
  await solve(page);
  await setDate(page, '2026-11-25');
  await page.reload();
  await daily(page).getByText('25 November 2026 (UTC)', { exact: true }).waitFor();
  await daily(page).getByRole('button', { name: /^Play .* Easy/ }).click();
  await eventually(async () => ![GOAL, first].includes(await shownBoard(page)), true);
  await solve(page);
  await daily(page).getByText('25 November 2026 (UTC) · 2 days in a row').waitFor();
});

pageTest('the daily board is accessible and fits a phone', { ...PHONE, theme: 'dark' }, async (page) => {
  await setDate(page, '2026-11-24');
  await open(page, { board: '1,2,3/4,5,6/7,8,0' });
  await daily(page).getByRole('button', { name: /Easy/ }).click();
  await eventually(async () => await shownBoard(page) !== GOAL, true);
  await solve(page);
  await daily(page).getByText(/optimum/).waitFor();
  await assertLook(page, 'daily', ['dark']);
});
