// Solves by hand, which the browser stores.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { averageOf, bestAverageOf, csvOf } from '../../crates/tilebase-serve/page/views/solve-figures.js';
import { PHONE, assertLook, eventually, open, pageTest, screenshot, shownBoard, tile } from './support.js';

/** @typedef {import('./support.js').Page} Page */

const NEAR = '1,2,3/4,5,6/0,7,8';
const GOAL = '1 2 3/4 5 6/7 8 0';

/** @param {Page} page */
function solves(page) {
  return page.getByRole('region', { name: 'Your solves' });
}

/** @param {Page} page */
function rows(page) {
  return solves(page).getByRole('region', { name: 'Solves' }).getByRole('row').filter({ has: page.getByRole('link') });
}

/** @param {Page} page @param {string} moves */
async function play(page, moves) {
  /** @type {Record<string, string>} */
  const keys = { L: 'ArrowLeft', R: 'ArrowRight', U: 'ArrowUp', D: 'ArrowDown' };
  for (const move of moves) {
    await page.keyboard.press(keys[move]);
    // A move of a user takes some milliseconds.
    await page.waitForTimeout(20);
  }
  await eventually(() => shownBoard(page), GOAL);
}

test('an average leaves out the best and the worst time', () => {
  const times = [30, 10, 20, 50, 40, 60];
  assert.equal(averageOf(times, 5), (20 + 40 + 50) / 3);
  assert.equal(bestAverageOf(times, 5), (20 + 30 + 40) / 3);
  assert.equal(averageOf(times, 12), null);
  assert.equal(bestAverageOf(times, 12), null);
  assert.equal(averageOf([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 120], 12), 6.5);
});

test('solves are written as comma-separated values', () => {
  const solve = {
    at: Date.UTC(2026, 10, 24, 9), shape: '3x3', start: '1 2 3/4 5 6/0 7 8', goal: GOAL, moves: 'LRLL', milliseconds: 2500, optimum: 2, hints: 'all',
  };
  const [head, first, second, end] = csvOf([solve, { ...solve, optimum: null }]).split('\r\n');
  assert.equal(head, 'ended,shape,time_seconds,moves,optimum,above_optimum,moves_per_second,hints,board,goal,solution');
  assert.equal(first, '2026-11-24T09:00:00.000Z,3x3,2.500,4,2,2,1.60,all,1 2 3/4 5 6/0 7 8,1 2 3/4 5 6/7 8 0,LRLL');
  assert.equal(second, '2026-11-24T09:00:00.000Z,3x3,2.500,4,,,1.60,all,1 2 3/4 5 6/0 7 8,1 2 3/4 5 6/7 8 0,LRLL');
  assert.equal(end, '');
});

pageTest('a solve is stored with its time, moves and optimum', {}, async (page) => {
  await open(page, { board: NEAR });
  await solves(page).getByText(/^Solve a board by hand/).waitFor();
  await play(page, 'LRLL');
  const cells = async () => (await rows(page).getByRole('cell').allTextContents()).map((text) => text.replace(/^[\d:]+\.\d+$/, '#'));
  await eventually(cells, ['#', '4', '2', '2', '#', 'Review']);
  await page.reload();
  await eventually(() => rows(page).count(), 1);
  await rows(page).getByText(/^0:0\d\.\d{3}$/).waitFor();
});

pageTest('five solves have an average, and stepping back and forth is no solve', {}, async (page) => {
  await open(page, { board: NEAR });
  for (let count = 1; count <= 5; count += 1) {
    await play(page, 'LL');
    await eventually(() => rows(page).count(), count);
    await page.keyboard.press('u');
    await page.keyboard.press('r');
    await eventually(() => shownBoard(page), GOAL);
    await page.getByRole('button', { name: 'Back to the start' }).click();
  }
  assert.equal(await rows(page).count(), 5);
  const times = await rows(page).evaluateAll((found) => found.map((row) => {
    const [minutes, seconds] = (row.querySelector('td')?.textContent ?? '').split(':').map(Number);
    return Math.round(minutes * 60_000 + seconds * 1000);
  }));
  const [average] = await solves(page).getByRole('row', { name: /^Average of 5/ }).getByRole('cell').allTextContents();
  const expected = averageOf(times, 5) ?? 0;
  assert.equal(average, `0:${String(Math.floor(expected / 1000)).padStart(2, '0')}.${String(Math.floor(expected) % 1000).padStart(3, '0')}`);
  await screenshot(page, 'sessions 1280 light');
});

pageTest('a followed solution and moves outside Play are no solve', {}, async (page) => {
  await open(page, { board: NEAR, view: 'solve' });
  await page.getByRole('button', { name: 'Find a shortest solution' }).click();
  await page.getByRole('button', { name: 'One move on' }).click();
  await tile(page, 8).click();
  await eventually(() => shownBoard(page), GOAL);
  await page.getByRole('link', { name: 'Play', exact: true }).click();
  await page.getByRole('region', { name: 'Finish' }).waitFor();
  await solves(page).getByText(/^Solve a board by hand/).waitFor();
});

pageTest('solves are saved as a file, reviewed, and cleared by a second press', {}, async (page) => {
  await open(page, { board: NEAR });
  await play(page, 'LRLL');
  await eventually(async () => (await rows(page).getByRole('cell').allTextContents()).slice(1, 4).join(), '4,2,2');
  const saved = page.waitForEvent('download');
  await solves(page).getByRole('button', { name: 'Save as CSV' }).click();
  const file = await saved;
  assert.equal(file.suggestedFilename(), 'tilebase-solves.csv');
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
  assert.equal(lines.length, 2);
  assert.match(lines[1], /^\d{4}-\d\d-\d\dT[\d:.]+Z,3x3,\d\.\d{3},4,2,2,\d+\.\d\d,all,1 2 3\/4 5 6\/0 7 8,1 2 3\/4 5 6\/7 8 0,LRLL$/);
  await page.getByRole('button', { name: 'New board' }).click();
  await eventually(async () => await shownBoard(page) !== GOAL, true);
  await rows(page).getByRole('link', { name: 'Review solve 1' }).click();
  await page.getByRole('region', { name: 'Game review' }).getByText(/^3 of 4 moves led nearer/).waitFor();
  await eventually(() => shownBoard(page), GOAL);
  assert.equal(await rows(page).count(), 1);
  await solves(page).getByRole('button', { name: 'Clear' }).click();
  assert.equal(await rows(page).count(), 1);
  await solves(page).getByRole('button', { name: 'Press again to clear 1 solve' }).click();
  await eventually(() => rows(page).count(), 0);
  await page.reload();
  await solves(page).getByText(/^Solve a board by hand/).waitFor();
});

pageTest('solves are accessible and fit a phone', { ...PHONE, theme: 'dark' }, async (page) => {
  await open(page, { board: NEAR });
  await play(page, 'LL');
  await eventually(() => rows(page).count(), 1);
  await page.waitForLoadState('networkidle');
  await assertLook(page, 'sessions', ['dark']);
});
