// The view Play.

import assert from 'node:assert/strict';
import { ORIGIN, ask, eventually, open, openPart, pageTest, screenshot, shownBoard, tile, tiles } from './support.js';

/** @typedef {import('./support.js').Page} Page */

const BOARD = '5,1,2,4/9,6,3,8/13,10,7,12/14,0,11,15';
const SHOWN = '5 1 2 4/9 6 3 8/13 10 7 12/14 0 11 15';

pageTest('the first board is not solved', {}, async (page) => {
  await open(page);
  assert.equal(await tiles(page).count(), 15);
  assert.notEqual(await shownBoard(page), '1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0');
  assert.equal(await page.title(), 'Play · Tilebase');
});

pageTest('a pressed tile beside the blank moves', {}, async (page) => {
  await open(page, { board: BOARD });
  await tile(page, 11).click();
  await eventually(() => shownBoard(page), '5 1 2 4/9 6 3 8/13 10 7 12/14 11 0 15');
  await eventually(() => counted(page, 'moves'), '1');
  await tile(page, 5).click();
  await eventually(() => shownBoard(page), '5 1 2 4/9 6 3 8/13 10 7 12/14 11 0 15');
});

pageTest('after a new board, all controls are still in the window', {}, async (page) => {
  await open(page, { board: BOARD });
  await button(page, 'New board').click();
  await button(page, 'Previous board (P)').waitFor();
  const box = await button(page, 'New board').boundingBox();
  assert.ok(box && box.y + box.height <= 800, `${box && box.y + box.height}`);
});

pageTest('what to do is said until the first move', {}, async (page) => {
  await open(page, { board: BOARD });
  const advice = page.getByText('The clock starts with the first move.');
  await advice.waitFor();
  await tile(page, 11).click();
  await advice.waitFor({ state: 'hidden' });
});

pageTest('a press moves a whole row or column', {}, async (page) => {
  await open(page, { board: BOARD });
  await tile(page, 15).click();
  await eventually(() => shownBoard(page), '5 1 2 4/9 6 3 8/13 10 7 12/14 11 15 0');
  await tile(page, 4).click();
  await eventually(() => shownBoard(page), '5 1 2 0/9 6 3 4/13 10 7 8/14 11 15 12');
  await eventually(() => counted(page, 'moves'), '5');
});

pageTest('a dragged tile follows the mouse, and returns if it is released too soon', {}, async (page) => {
  await open(page, { board: BOARD });
  const place = await placeOf(page, 11);
  await page.mouse.move(place.x, place.y);
  await page.mouse.down();
  await page.mouse.move(place.x - place.side * 0.2, place.y, { steps: 4 });
  const dragged = await placeOf(page, 11);
  assert.ok(Math.abs(dragged.x - (place.x - place.side * 0.2)) < place.side * 0.05, 'the tile is not below the mouse');
  await page.waitForTimeout(300);
  await page.mouse.up();
  await eventually(() => shownBoard(page), SHOWN);
  await page.waitForTimeout(300);
  await page.mouse.move(place.x, place.y);
  await page.mouse.down();
  await page.mouse.move(place.x - place.side * 0.7, place.y, { steps: 4 });
  await page.mouse.up();
  await eventually(() => shownBoard(page), '5 1 2 4/9 6 3 8/13 10 7 12/14 11 0 15');
});

pageTest('arrows and letters move a tile in their direction', {}, async (page) => {
  await open(page, { board: BOARD });
  for (const key of ['ArrowLeft', 's', 'ArrowRight', 'w', 'ArrowUp']) await page.keyboard.press(key);
  await eventually(() => shownBoard(page), '5 1 2 4/9 6 3 8/13 11 10 12/14 0 7 15');
  // The last key had no tile to move.
  await eventually(() => counted(page, 'moves'), '4');
});

pageTest('keys in a text field move no tiles', {}, async (page) => {
  await open(page, { board: BOARD });
  await openPart(page, 'Board as text');
  await page.getByRole('textbox', { name: 'Board as text' }).focus();
  for (const key of ['ArrowLeft', 's', 'a', 'd']) await page.keyboard.press(key);
  assert.equal(await shownBoard(page), SHOWN);
});

pageTest('moves are undone and redone by buttons and keys', {}, async (page) => {
  await open(page, { board: BOARD });
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowDown');
  const after = '5 1 2 4/9 6 3 8/13 10 0 12/14 11 7 15';
  await eventually(() => shownBoard(page), after);
  await button(page, /^Undo/).click();
  await eventually(() => shownBoard(page), '5 1 2 4/9 6 3 8/13 10 7 12/14 11 0 15');
  await page.keyboard.press('Control+z');
  await eventually(() => shownBoard(page), SHOWN);
  assert.equal(await button(page, /^Undo/).isDisabled(), true);
  await page.keyboard.press('Control+y');
  await button(page, /^Redo/).click();
  await eventually(() => shownBoard(page), after);
  assert.equal(await button(page, /^Redo/).isDisabled(), true);
  await button(page, /^Back to the start/).click();
  await eventually(() => shownBoard(page), SHOWN);
});

pageTest('the list of moves shows them, and leads back to each', {}, async (page) => {
  await open(page, { board: BOARD });
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  const list = page.getByRole('list', { name: 'Moves made' });
  await eventually(() => list.getByRole('button').allTextContents(), ['L', 'D', 'R']);
  await page.getByRole('checkbox', { name: /blank/ }).check();
  await eventually(() => list.getByRole('button').allTextContents(), ['R', 'U', 'L']);
  await list.getByRole('button', { name: /^Move 1:/ }).click();
  await eventually(() => shownBoard(page), '5 1 2 4/9 6 3 8/13 10 7 12/14 11 0 15');
});

pageTest('the clock runs from the first move to the last', {}, async (page) => {
  await open(page, { board: '1,2,3/4,5,6/0,7,8' });
  await page.waitForTimeout(300);
  assert.equal(await counted(page, 'time'), '0:00.000');
  await page.keyboard.press('ArrowLeft');
  await page.waitForTimeout(400);
  assert.match(await counted(page, 'time') ?? '', /^0:0\d\.\d$/);
  assert.notEqual(await counted(page, 'time'), '0:00.0');
  await page.keyboard.press('ArrowLeft');
  const end = await counted(page, 'time');
  assert.match(end ?? '', /^0:0\d\.\d{3}$/);
  await page.waitForTimeout(300);
  assert.equal(await counted(page, 'time'), end);
});

pageTest('the clock runs only while Play is shown', {}, async (page) => {
  await open(page, { board: BOARD });
  await page.keyboard.press('ArrowLeft');
  await eventually(async () => !['0:00.0', '0:00.000'].includes(await counted(page, 'time') ?? ''), true);
  await page.getByRole('link', { name: 'Learn' }).click();
  await page.getByRole('heading', { name: 'Learn', exact: true }).waitFor();
  const time = await counted(page, 'time');
  await page.waitForTimeout(500);
  assert.equal(await counted(page, 'time'), time);
  await page.getByRole('link', { name: 'Play', exact: true }).click();
  await eventually(async () => await counted(page, 'time') !== time, true);
});

pageTest('stepping back in a finished game does not change its time', {}, async (page) => {
  await open(page, { board: '1,2,3/4,5,6/0,7,8' });
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.getByRole('region', { name: 'Finish' }).waitFor();
  const time = await counted(page, 'time');
  await page.keyboard.press('u');
  await page.waitForTimeout(300);
  assert.equal(await counted(page, 'time'), time);
  await page.keyboard.press('r');
  await page.getByRole('region', { name: 'Finish' }).waitFor();
  assert.equal(await counted(page, 'time'), time);
});

pageTest('a finished game shows its length, the optimum and the first move that was not optimal', {}, async (page) => {
  await open(page, { board: '1,2,3/4,5,6/0,7,8' });
  for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
  const finish = page.getByRole('region', { name: 'Finish' });
  await finish.getByRole('heading', { name: 'Solved' }).waitFor();
  await finish.getByText(/^4 moves, 3 slides in 0:0\d\.\d{3}\. A second: \d+\.\d moves, \d+\.\d slides\.$/).waitFor();
  await finish.getByText(/^The optimum is 2: .*\b2( moves)? more\.$/).waitFor();
  await finish.getByText('Move 2 left the optimum.').waitFor();
  await finish.getByRole('button', { name: 'Compare slides' }).click();
  await finish.getByText('In slides: The optimum is 1: you made 2 more.').waitFor();
  await finish.getByRole('button', { name: 'Show the board before it' }).click();
  await eventually(() => shownBoard(page), '1 2 3/4 5 6/7 0 8');
});

pageTest('an optimal game is called optimal', {}, async (page) => {
  await open(page, { board: '1,2,3/4,5,6/0,7,8' });
  await tile(page, 8).click();
  await page.getByRole('region', { name: 'Finish' }).getByText('2 is the optimum. No solution is shorter.').waitFor();
});

pageTest('a link opens its board, and the address follows the moves', {}, async (page) => {
  await open(page, { board: BOARD, goal: 'snail' });
  await openPart(page, 'Another board');
  assert.equal(await shownBoard(page), SHOWN);
  assert.equal(await page.getByRole('combobox', { name: 'Goal' }).inputValue(), 'snail');
  await page.keyboard.press('ArrowLeft');
  await page.waitForURL(`${ORIGIN}/#board=${BOARD}&moves=L&goal=snail`);
  await page.reload();
  await tile(page, 1).waitFor();
  assert.equal(await shownBoard(page), '5 1 2 4/9 6 3 8/13 10 7 12/14 11 0 15');
});

pageTest('another link in the same window opens its board', {}, async (page) => {
  await open(page, { board: BOARD });
  await page.evaluate(() => { location.hash = '#board=1,2,3/4,0,5/7,8,6'; });
  await eventually(() => shownBoard(page), '1 2 3/4 0 5/7 8 6');
});

pageTest('an invalid link reports the error, and opens the first board', { refusals: [400] }, async (page) => {
  await open(page, { board: '1,2,3/4,4,6', goal: 'nowhere', view: 'nothing', spec: '../../etc' });
  assert.equal(await tiles(page).count(), 15);
  await page.getByRole('alert').getByText(/^The link cannot be read\. The blank is missing/).waitFor();
  await button(page, 'New board').click();
  await eventually(() => page.getByRole('alert').filter({ visible: true }).count(), 0);
});

pageTest('a link with a wrong goal reports the error', {}, async (page) => {
  await open(page, { board: BOARD, goal: '1,2,3' });
  await page.getByRole('alert').getByText(/^The goal in the link cannot be used, .* There are 3 cells, which fill no square board/).waitFor();
  await page.goto('about:blank');
  await open(page, { board: BOARD, goal: '1,2,3/4,5,6/7,8,0' });
  await page.getByRole('alert').getByText(/It has 3 rows and 3 columns, but the board has 4 and 4\.$/).waitFor();
});

pageTest('a reload resumes the game with its moves', {}, async (page) => {
  await open(page, { board: BOARD });
  for (const key of ['ArrowLeft', 'ArrowDown', 'ArrowUp', 'u']) await page.keyboard.press(key);
  await eventually(() => counted(page, 'moves'), '2');
  await page.reload();
  await tile(page, 1).waitFor();
  assert.equal(await counted(page, 'moves'), '2');
  await page.keyboard.press('r');
  await eventually(() => counted(page, 'moves'), '3');
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('u');
  await eventually(() => shownBoard(page), SHOWN);
});

pageTest('a step back in the browser leads to the view before, and undoes no move', {}, async (page) => {
  await open(page, { board: BOARD });
  const tab = (/** @type {string} */ name) => page.getByRole('link', { name, exact: true });
  await page.keyboard.press('ArrowLeft');
  await tab('Solve').click();
  await page.keyboard.press('ArrowDown');
  await tab('Learn').click();
  await page.goBack();
  await page.waitForURL(/view=solve/);
  await page.goBack();
  await page.getByRole('region', { name: 'What is known of the board' }).waitFor();
  assert.equal(await counted(page, 'moves'), '2');
  await page.goForward();
  await page.waitForURL(/view=solve/);
  // A link starts another game: one step back leads to the board before it.
  const shown = await shownBoard(page);
  await page.evaluate(() => { location.hash = '#board=1,2,3/4,0,5/7,8,6'; });
  await eventually(() => shownBoard(page), '1 2 3/4 0 5/7 8 6');
  await page.goBack();
  await eventually(() => shownBoard(page), shown);
});

pageTest('a button, a key and a step back lead to the game before, with its moves', {}, async (page) => {
  await open(page, { board: BOARD });
  await openPart(page, 'Another board');
  await page.keyboard.press('ArrowLeft');
  const left = await shownBoard(page);
  const back = button(page, 'Previous board (P)');
  assert.equal(await back.count(), 0);
  const isBack = async () => {
    await eventually(() => shownBoard(page), left);
    await eventually(() => counted(page, 'moves'), '1');
  };
  await button(page, 'New board').click();
  await eventually(async () => await shownBoard(page) !== left, true);
  await screenshot(page, 'previous board');
  await back.click();
  await isBack();
  await page.getByRole('combobox', { name: 'Rows' }).selectOption('3');
  await eventually(() => shapeOf(page), [3, 4]);
  await page.goBack();
  await isBack();
  await page.getByRole('combobox', { name: 'Goal' }).selectOption('snail');
  await page.waitForURL(/goal=snail/);
  await page.goBack();
  await page.waitForURL((url) => !url.hash.includes('goal='));
  await isBack();
  await button(page, /^Back to the start/).click();
  await eventually(() => counted(page, 'moves'), '0');
  await page.keyboard.press('p');
  await isBack();
  await page.getByRole('link', { name: 'Learn' }).click();
  await button(page, 'Play this board').click();
  await page.getByRole('radio', { name: 'No hints' }).waitFor({ state: 'attached' });
  await page.goBack();
  await page.getByRole('link', { name: 'Play', exact: true }).click();
  await isBack();
});

pageTest('a step back leads to the game before, also after a reload', {}, async (page) => {
  await open(page, { board: BOARD });
  await page.keyboard.press('ArrowLeft');
  const left = await shownBoard(page);
  await button(page, 'New board').click();
  await eventually(async () => await shownBoard(page) !== left, true);
  await page.reload();
  await tile(page, 1).waitFor();
  await page.goBack();
  await eventually(() => shownBoard(page), left);
  await eventually(() => counted(page, 'moves'), '1');
});

pageTest('a tall board fits the window, and its numbers are large', {}, async (page) => {
  await open(page, { board: '1,2/3,4/5,6/7,8/9,10/11,0' });
  const box = await page.locator('#board .board').boundingBox();
  const window = page.viewportSize();
  assert.ok(box !== null && window !== null && box.y + box.height < window.height, JSON.stringify(box));
  const size = await tile(page, 1).locator('.number').evaluate((number) => parseFloat(getComputedStyle(number).fontSize));
  assert.ok(size > box.width / 2 / 4, `${size} pixels in tiles of ${box.width / 2}`);
});

pageTest('the link is copied', {}, async (page) => {
  await open(page, { board: BOARD });
  await openPart(page, 'Board as text');
  await button(page, 'Copy link').click();
  await button(page, 'Copied').waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(link, `${ORIGIN}/#board=${BOARD}`);
});

pageTest('a board in text is used, in the notations of the page and of the server', {}, async (page) => {
  await open(page);
  await useText(page, '867254301');
  await eventually(() => shownBoard(page), '8 6 7/2 5 4/3 0 1');
  await useText(page, '+---+---+---+\n| 1 | 2 | 3 |\n+---+---+---+\n| 4 | 5 | 6 |\n+---+---+---+\n| 7 |   | 8 |\n+---+---+---+');
  await eventually(() => shownBoard(page), '1 2 3/4 5 6/7 0 8');
});

pageTest('a text that is no board is refused with a reason, and the board stays', { refusals: [400] }, async (page) => {
  await open(page, { board: BOARD });
  await openPart(page, 'Board as text');
  await useText(page, '1 2 3/4 5 5/7 8 0');
  const alert = page.getByRole('region', { name: 'Board as text' }).getByRole('alert');
  await alert.waitFor();
  assert.match(await alert.innerText(), /\w+ \w+ \w+/);
  assert.equal(await shownBoard(page), SHOWN);
  await useText(page, '1 2 3/4 5 6/7 0 8');
  await eventually(() => shownBoard(page), '1 2 3/4 5 6/7 0 8');
  assert.equal(await alert.isVisible(), false);
});

pageTest('a board of 10x10 is played, timed and shared, and the end of the solver is said without a request', {}, async (page) => {
  const rows = Array.from({ length: 10 }, (_, row) => Array.from({ length: 10 }, (_, col) => (row * 10 + col + 1) % 100));
  rows[9].splice(7, 3, 0, 98, 99);
  const board = rows.map((row) => row.join(',')).join('/');
  await open(page, { board });
  await page.getByText('You can play, time and share a board of this size. The solver takes boards of at most 64 cells, so there are no hints.').waitFor();
  await page.keyboard.press('h');
  assert.equal(await page.getByRole('group', { name: 'Hints' }).isVisible(), false);
  await page.keyboard.press('h');
  await tile(page, 98).click();
  await tile(page, 99).click();
  await page.getByRole('region', { name: 'Finish' }).getByText(/^2 moves, 1 slide in 0:0/).waitFor();
  await page.getByRole('region', { name: 'Game review' }).getByText(/^You made 2 moves: no solution is shorter\./).waitFor();
  await page.getByRole('combobox', { name: 'Penalty of solve 1' }).waitFor();
  await page.waitForURL(`${ORIGIN}/#board=${board}&moves=LL`);
  await button(page, 'New board').click();
  await eventually(() => shapeOf(page), [10, 10]);
  await page.getByRole('combobox', { name: 'Size' }).selectOption('9x9');
  await eventually(() => shapeOf(page), [9, 9]);
  await page.getByRole('link', { name: 'Solve', exact: true }).click();
  await page.getByText('The solver takes boards of at most 64 cells, and one of 9 rows and 9 columns has 81.').first().waitFor();
  assert.equal(await button(page, 'Find a shortest solution').count(), 0);
  await page.getByRole('combobox', { name: 'Size' }).selectOption('3x3');
  await button(page, 'Find a shortest solution').waitFor();
  await page.getByRole('combobox', { name: 'Size' }).selectOption('9x9');
  for (const view of ['Partition', 'Learn']) {
    await page.getByRole('link', { name: view, exact: true }).click();
    await page.waitForTimeout(300);
  }
});

pageTest('the page knows the largest board of the solver', { refusals: [400] }, async (page) => {
  await open(page);
  await ask(page, '/v1/specs', { shape: '8x8' });
  await assert.rejects(ask(page, '/v1/specs', { shape: '5x13' }), /with 2 to 64 cells/);
});

pageTest('boards have from 2 to 10 rows and columns', { refusals: [400] }, async (page) => {
  await open(page, { board: BOARD });
  await openPart(page, 'Another board');
  const shape = (/** @type {string} */ name) => page.getByRole('combobox', { name });
  await shape('Rows').selectOption('2');
  await shape('Columns').selectOption('6');
  await eventually(() => shapeOf(page), [2, 6]);
  await shape('Rows').selectOption('6');
  await eventually(() => shapeOf(page), [6, 6]);
  await shape('Rows').selectOption('2');
  await shape('Columns').selectOption('2');
  await eventually(() => shapeOf(page), [2, 2]);
});

pageTest('a chosen goal can be reached', {}, async (page) => {
  await open(page, { board: '1,2,3/8,4,5/7,0,6' });
  await openPart(page, 'Another board');
  await page.getByRole('combobox', { name: 'Goal' }).selectOption('snail');
  await page.waitForURL(/goal=snail/);
  await useText(page, '1 2 3/0 8 4/7 6 5');
  await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement).blur());
  await page.keyboard.press('ArrowLeft');
  await page.getByRole('region', { name: 'Finish' }).getByText(/1 is the optimum/).waitFor();
});

pageTest('a goal is drawn by exchanging two pieces', {}, async (page) => {
  await open(page, { board: '1,2,3/4,5,6/7,0,8' });
  await openPart(page, 'Another board');
  await page.getByRole('combobox', { name: 'Goal' }).selectOption('drawn');
  const editor = page.getByRole('group', { name: 'Goal', exact: true });
  await editor.getByRole('button').nth(0).click();
  await editor.getByRole('button').nth(8).click();
  await button(page, /^(Use|Take|Done)/, page.getByRole('region', { name: 'Another board' })).click();
  await page.waitForURL(/goal=0,2,3\/4,5,6\/7,8,1/);
});

pageTest('boards are made in the chosen way', {}, async (page) => {
  await open(page, { board: '1,2,3/4,5,6/7,0,8' });
  await openPart(page, 'Another board');
  const made = page.getByRole('combobox', { name: 'How it is made' });
  const makeWithHints = async () => {
    const before = await shownBoard(page);
    await button(page, 'Make the board').click();
    await eventually(async () => await shownBoard(page) !== before, true);
    await page.locator('body').press('h');
  };
  await made.selectOption('hardest');
  await button(page, 'Make the board').click();
  await eventually(async () => ['8 6 7/2 5 4/3 0 1', '6 4 7/8 5 0/3 2 1'].includes(await shownBoard(page)), true);
  await made.selectOption('optimum');
  await page.getByRole('spinbutton', { name: 'From' }).fill('12');
  await page.getByRole('spinbutton', { name: 'To' }).fill('12');
  await makeWithHints();
  await page.getByText(/^12 (moves )?to go$/).waitFor();
  await made.selectOption('walk');
  await page.getByRole('spinbutton', { name: 'Random moves' }).fill('2');
  await makeWithHints();
  await page.getByText(/^2 (moves )?to go$/).waitFor();
});

pageTest('an optimum that takes too long to find is refused with the largest possible one', {}, async (page) => {
  await open(page, { board: '1,2,3,4,5/6,7,8,9,10/11,12,13,14,15/16,17,18,19,20/21,22,23,0,24' });
  await openPart(page, 'Another board');
  const part = page.getByRole('region', { name: 'Another board' });
  await page.getByRole('combobox', { name: 'How it is made' }).selectOption('optimum');
  await part.getByText('Boards of 5x5 that need more than 55 moves take too long to find without tables.', { exact: true }).waitFor();
  await page.getByRole('spinbutton', { name: 'From' }).fill('100');
  await page.getByRole('spinbutton', { name: 'To' }).fill('110');
  await button(page, 'Make the board').click();
  await part.getByText(/more than 55 moves take too long .* Choose fewer\.$/).waitFor({ timeout: 10_000 });
  await screenshot(page, 'too far');
  await page.getByRole('spinbutton', { name: 'To' }).fill('90');
  await button(page, 'Make the board').click();
  await part.getByText('No number of moves is from 100 to 90: the first must not be the larger one.').waitFor();
});

pageTest('each new board is another one', {}, async (page) => {
  await open(page, { board: BOARD });
  const seen = new Set([SHOWN]);
  for (let count = 0; count < 3; count += 1) {
    await button(page, 'New board').click();
    await eventually(async () => seen.has(await shownBoard(page)), false);
    seen.add(await shownBoard(page));
  }
});

pageTest('tiles show the user’s picture, also after a reload', {}, async (page) => {
  await open(page, { board: BOARD });
  await openPart(page, 'Options');
  await page.locator('input[type=file]').setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') });
  await page.getByText('“notes.txt” is no picture').waitFor();
  const drawn = await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = 400;
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    for (let at = 0; at < 400; at += 1) {
      context.fillStyle = `hsl(${at} 70% ${30 + at / 10}%)`;
      context.fillRect(at, 0, 1, 400 - at);
    }
    return canvas.toDataURL('image/png');
  });
  const buffer = Buffer.from(drawn.slice(drawn.indexOf(',') + 1), 'base64');
  await page.locator('input[type=file]').setInputFiles({ name: 'picture.png', mimeType: 'image/png', buffer });
  await eventually(() => tile(page, 5).evaluate((element) =>
    [...element.querySelectorAll('*')].some((part) => getComputedStyle(part).backgroundImage.startsWith('url("blob:'))), true);
  // It survives a reload, and the goal shows it, too.
  await page.reload();
  await tile(page, 1).waitFor();
  await eventually(() => tile(page, 5).evaluate((element) =>
    [...element.querySelectorAll('*')].some((part) => getComputedStyle(part).backgroundImage.startsWith('url("blob:'))), true);
  const goal = page.getByRole('img', { name: /^Goal: 1 2 3 4;/ });
  await eventually(() => goal.evaluate((figure) =>
    [...figure.children].filter((piece) => getComputedStyle(piece).backgroundImage.startsWith('url("blob:')).length), 15);
  await screenshot(page, 'picture');
  await openPart(page, 'Options');
  await button(page, 'Numbers only').click();
  await eventually(() => tile(page, 5).evaluate((element) =>
    [...element.querySelectorAll('*')].some((part) => getComputedStyle(part).backgroundImage.startsWith('url('))), false);
  await page.reload();
  await tile(page, 1).waitFor();
  await goal.getByText('15').waitFor();
});

pageTest('the theme follows the system until the user chooses one', { theme: 'dark' }, async (page) => {
  await open(page, { board: BOARD });
  await button(page, /^Colours: as the system/).click();
  await button(page, /^Colours: light/).waitFor();
  const light = await paperOf(page);
  await page.reload();
  await button(page, /^Colours: light/).click();
  await button(page, /^Colours: dark/).waitFor();
  assert.notEqual(await paperOf(page), light);
});

/** @param {Page} page */
function paperOf(page) {
  return page.evaluate(() => getComputedStyle(document.body).backgroundColor);
}

/** @param {Page} page @param {string | RegExp} name @param {import('./support.js').Locator | Page} [within] */
function button(page, name, within = page) {
  return within.getByRole('button', { name, exact: typeof name === 'string' });
}

/** Reads a figure below the board. @param {Page} page @param {'moves' | 'time'} name */
async function counted(page, name) {
  const text = await page.locator('#bar').innerText();
  return new RegExp(`(\\S+)\\s+${name === 'moves' ? 'moves?' : name}`).exec(text)?.[1];
}

/** @param {Page} page @param {number} number */
async function placeOf(page, number) {
  const box = await tile(page, number).boundingBox();
  assert.ok(box);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2, side: box.width };
}

/** @param {Page} page @returns {Promise<number[]>} */
async function shapeOf(page) {
  const rows = (await shownBoard(page)).split('/');
  return [rows.length, rows[0].split(' ').length];
}

/** @param {Page} page @param {string} text */
async function useText(page, text) {
  await openPart(page, 'Board as text');
  const field = page.getByRole('textbox', { name: 'Board as text' });
  if (text.includes('\n')) {
    await page.evaluate((content) => navigator.clipboard.writeText(content), text);
    await field.focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+v');
    return;
  }
  await field.fill(text);
  await button(page, 'Use', page.getByRole('region', { name: 'Board as text' })).click();
}
