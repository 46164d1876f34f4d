// Solves by hand, which the browser stores.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { averageOf, bestAverageOf, csvOf, jsonOf, solvesIn, timeOf } from '../../crates/tilebase-serve/page/views/play/solve-figures.js';
import { countedLetters, slidesOf } from '../../crates/tilebase-serve/page/board.js';
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
  // Of a hundred, five are left out at each end.
  assert.equal(averageOf([...Array.from({ length: 95 }, () => 10), 1, 1, 1, 1, 1], 100), 10);
  assert.equal(averageOf([...Array.from({ length: 94 }, () => 10), 1, 1, 1, 1, 1, 1], 100), 10 - 9 / 90);
});

test('two seconds are added, and an average with two unfinished solves of five is unfinished', () => {
  assert.deepEqual(/** @type {const} */ (['', '+2', 'DNF']).map((penalty) => timeOf({ milliseconds: 1500, penalty })), [1500, 3500, Infinity]);
  assert.equal(averageOf([10, 20, 30, Infinity, 40], 5), 30);
  assert.equal(averageOf([10, Infinity, 30, Infinity, 40], 5), Infinity);
});

test('slides are runs in one direction, and moves are written with counts', () => {
  assert.deepEqual([slidesOf('LLLUR'), slidesOf(''), slidesOf(['L', 'R', 'R'])], [3, 0, 2]);
  assert.equal(countedLetters(['L', 'L', 'L', 'U', 'R']), 'L3 U R');
});

test('solves are written as comma-separated values and JSON, and read again', () => {
  const solve = {
    at: Date.UTC(2026, 10, 24, 9), session: 'Club, "A"', shape: '3x3', start: '1 2 3/4 5 6/0 7 8', goal: GOAL, moves: 'LRLL', milliseconds: 2500,
    penalty: /** @type {const} */ ('+2'), optimum: 2, isHinted: true, takenBack: 3,
  };
  const solves = [solve, { ...solve, at: solve.at + 1, session: 'B', optimum: null, isHinted: false }];
  for (const write of [csvOf, jsonOf]) assert.deepEqual(solvesIn(write(solves)), solves);
  for (const text of ['', '[]', 'a,b\r\n1,2', jsonOf([{ ...solve, moves: 'LL R' }]), jsonOf([{ ...solve, moves: 'L' }]), csvOf([{ ...solve, milliseconds: NaN }])]) assert.throws(() => solvesIn(text));
  const [head, first, second, end] = csvOf([solve, { ...solve, optimum: null }]).split('\r\n');
  assert.equal(head, 'ended,session,shape,time_seconds,penalty,moves,slides,optimum,above_optimum,moves_per_second,slides_per_second,hints,moves_undone,board,goal,solution');
  assert.equal(first, '2026-11-24T09:00:00.000Z,"Club, ""A""",3x3,2.500,+2,4,3,2,2,1.60,1.20,true,3,1 2 3/4 5 6/0 7 8,1 2 3/4 5 6/7 8 0,LRLL');
  assert.equal(second, '2026-11-24T09:00:00.000Z,"Club, ""A""",3x3,2.500,+2,4,3,,,1.60,1.20,true,3,1 2 3/4 5 6/0 7 8,1 2 3/4 5 6/7 8 0,LRLL');
  assert.equal(end, '');
});

pageTest('a solve is stored with its time, moves and optimum', {}, async (page) => {
  await open(page, { board: NEAR });
  await solves(page).getByText(/^Solve a board by hand/).waitFor();
  await play(page, 'LRLL');
  const cells = async () => (await rows(page).getByRole('cell').allTextContents()).slice(0, 5).map((text) => text.replace(/^[\d:]+\.\d+( \/ [\d.]+)?$/, '#'));
  await eventually(cells, ['#', '4 / 3', '2', '2', '#']);
  assert.equal(await rows(page).getByRole('rowheader').textContent(), '1');
  await page.reload();
  await eventually(() => rows(page).count(), 1);
  await rows(page).getByText(/^0:0\d\.\d{3}$/).waitFor();
});

pageTest('a solve is marked that hints, undone moves or a solution helped', {}, async (page) => {
  const finish = page.getByRole('region', { name: 'Finish' });
  await open(page, { board: NEAR });
  await page.keyboard.press('h');
  await play(page, 'LL');
  await finish.getByText('With hints.', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Back to the start' }).click();
  for (const key of ['ArrowLeft', 'u']) await page.keyboard.press(key);
  await play(page, 'LL');
  await finish.getByText('1 move undone.', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Back to the start' }).click();
  await page.getByRole('link', { name: 'Solve', exact: true }).click();
  await page.getByRole('button', { name: 'Find a shortest solution' }).click();
  await page.getByRole('button', { name: 'One move on' }).waitFor();
  await page.getByRole('link', { name: 'Play', exact: true }).click();
  await page.getByRole('radio', { name: 'No hints' }).waitFor({ state: 'attached' });
  await play(page, 'LL');
  await finish.getByText('With hints.', { exact: true }).waitFor();
  await eventually(() => rows(page).getByRole('rowheader').allTextContents(), ['3*', '2*', '1*']);
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
  await eventually(async () => (await rows(page).getByRole('cell').allTextContents()).slice(1, 4).join(), '4 / 3,2,2');
  const saved = page.waitForEvent('download');
  await solves(page).getByRole('button', { name: 'Save as CSV' }).click();
  const file = await saved;
  assert.equal(file.suggestedFilename(), 'tilebase-solves.csv');
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
  assert.equal(lines.length, 2);
  assert.match(lines[1], /^\d{4}-\d\d-\d\dT[\d:.]+Z,Session 1,3x3,\d\.\d{3},,4,3,2,2,\d+\.\d\d,\d+\.\d\d,false,0,1 2 3\/4 5 6\/0 7 8,1 2 3\/4 5 6\/7 8 0,LRLL$/);
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

pageTest('a solve gets a penalty and is deleted, and sessions have names', {}, async (page) => {
  await open(page, { board: NEAR });
  for (let count = 1; count <= 2; count += 1) {
    await play(page, 'LL');
    await eventually(() => rows(page).count(), count);
    await page.getByRole('button', { name: 'Back to the start' }).click();
  }
  await solves(page).getByRole('img', { name: /^Times of 2 solves, from / }).waitFor();
  await solves(page).getByRole('combobox', { name: 'Penalty of solve 2' }).selectOption('+2');
  await rows(page).first().getByText(/^0:02\.\d{3}\+$/).waitFor();
  await solves(page).getByRole('combobox', { name: 'Penalty of solve 1' }).selectOption('DNF');
  await rows(page).last().getByText(/^DNF \(0:00\.\d{3}\)$/).waitFor();
  await page.reload();
  await solves(page).getByRole('button', { name: 'Delete solve 1' }).click();
  await eventually(() => rows(page).count(), 1);
  await solves(page).getByRole('button', { name: 'Rename' }).click();
  await solves(page).getByRole('textbox', { name: 'Name of the session' }).fill('Mornings');
  await page.keyboard.press('Enter');
  const sessions = solves(page).getByRole('combobox', { name: 'Session' });
  await eventually(() => sessions.inputValue(), 'Mornings');
  await sessions.selectOption('Another session…');
  await solves(page).getByRole('textbox', { name: 'Name of the session' }).fill('Evenings');
  await page.keyboard.press('Enter');
  await eventually(() => rows(page).count(), 0);
  await sessions.selectOption('Mornings');
  await eventually(() => rows(page).count(), 1);
});

pageTest('saved solves are loaded in another browser, and wrong files are refused', {}, async (page) => {
  await open(page, { board: NEAR });
  await solves(page).getByRole('button', { name: 'Sessions' }).click();
  const file = solves(page).getByLabel('File of solves');
  const solve = { at: 1, session: 'Club', shape: '3x3', start: '1 2 3/4 5 6/0 7 8', goal: GOAL, moves: 'LL', milliseconds: 900, penalty: /** @type {const} */ (''), optimum: 2, isHinted: false, takenBack: 0 };
  for (const [name, text] of [['a.csv', csvOf([solve])], ['a.json', jsonOf([solve, { ...solve, at: 2 }])]]) await file.setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
  await solves(page).getByRole('combobox', { name: 'Session' }).selectOption('Club');
  await eventually(() => rows(page).count(), 2);
  await file.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('nothing') });
  await solves(page).getByRole('alert').getByText('“notes.txt” cannot be read. The file has no column ended').waitFor();
});

pageTest('a new board is inspected for fifteen seconds, and a late first move costs two', {}, async (page) => {
  await page.clock.install();
  await open(page, { board: NEAR });
  await solves(page).getByRole('button', { name: 'Sessions' }).click();
  await solves(page).getByRole('checkbox', { name: '15 seconds to inspect a new board' }).check();
  await play(page, 'L'.repeat(1) + 'L');
  const bar = page.locator('#bar');
  await page.getByRole('button', { name: 'Back to the start' }).click();
  await bar.getByText('15 s').waitFor();
  await bar.getByText('inspection').waitFor();
  await page.clock.runFor(16_000);
  await bar.getByText('+2', { exact: true }).waitFor();
  await page.clock.runFor(1500);
  await bar.getByText('DNF', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'New board' }).click();
  await bar.getByText('15 s').waitFor();
  await page.getByRole('button', { name: 'Previous board (P)' }).click();
  await page.keyboard.press('ArrowLeft');
  await page.getByRole('button', { name: 'Back to the start' }).click();
  await bar.getByText('15 s').waitFor();
  await page.clock.runFor(16_000);
  await play(page, 'LL');
  await eventually(() => solves(page).getByRole('combobox', { name: 'Penalty of solve 2' }).inputValue(), '+2');
});

pageTest('the result has the averages and the penalty of the solve, without scrolling', {}, async (page) => {
  await open(page, { board: NEAR });
  const finish = page.getByRole('region', { name: 'Finish' });
  for (let count = 1; count <= 5; count += 1) {
    await play(page, 'LL');
    await finish.getByText(new RegExp(`^Solve ${count} of Session 1: best 0:0\\d\\.\\d{3}${count < 5 ? '' : ', average of 5 0:0\\d\\.\\d{3}'}\\.$`)).waitFor();
    if (count < 5) await page.getByRole('button', { name: 'Back to the start' }).click();
  }
  const penalty = finish.getByRole('combobox', { name: 'Penalty' });
  const box = await penalty.boundingBox();
  assert.ok(box && box.y + box.height < 800, JSON.stringify(box));
  await penalty.selectOption('DNF');
  await eventually(() => solves(page).getByRole('combobox', { name: 'Penalty of solve 5' }).inputValue(), 'DNF');
  await solves(page).getByRole('combobox', { name: 'Penalty of solve 5' }).selectOption('+2');
  await eventually(() => penalty.inputValue(), '+2');
});

pageTest('the chart of times has axes', {}, async (page) => {
  await page.addInitScript(([solve]) => {
    const solves = [4200, 9100, 12_000, 3000].map((milliseconds, at) => ({ ...solve, at, milliseconds }));
    localStorage.setItem('tilebase-solves', JSON.stringify(solves));
  }, [{ session: 'Session 1', shape: '3x3', start: '1 2 3/4 5 6/0 7 8', goal: GOAL, moves: 'LL', penalty: '', optimum: 2, isHinted: false, takenBack: 0 }]);
  await open(page, { board: NEAR });
  const chart = solves(page).getByRole('img', { name: 'Times of 4 solves, from 0:03.000 to 0:12.000' });
  await eventually(() => chart.locator('text').allTextContents(), ['0', '5', '10', 'seconds', '1', '2', '3', '4', 'solve']);
});

pageTest('solves are accessible and fit a phone', { ...PHONE, theme: 'dark' }, async (page) => {
  await open(page, { board: NEAR });
  await play(page, 'LL');
  await eventually(() => rows(page).count(), 1);
  await page.waitForLoadState('networkidle');
  await assertLook(page, 'sessions', ['dark']);
});
