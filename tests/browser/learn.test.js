// The view Learn.

import assert from 'node:assert/strict';
import { ORIGIN, PHONE, ask, eventually, open, pageTest, screenshot, shownBoard } from './support.js';

/** @typedef {import('./support.js').Page} Page */

const BOARD = '5,1,2,4/9,6,3,8/13,10,7,12/14,0,11,15';

pageTest('every lesson shows its text, a picture and the true distance', {}, async (page) => {
  await open(page, { board: BOARD, view: 'learn' });
  const lessons = page.getByRole('tablist', { name: 'Lessons' }).getByRole('tab');
  await lessons.first().waitFor();
  const names = await lessons.evaluateAll((tabs) => tabs.map((tab) => tab.getAttribute('aria-label') ?? ''));
  assert.ok(names.length >= 8, `only ${names.length} lessons`);
  for (const [at, name] of names.entries()) {
    await lessons.nth(at).click();
    const lesson = page.getByRole('tabpanel');
    await lesson.getByRole('heading', { name: name.replace(/^\d+: /, ''), exact: true }).waitFor();
    await answer(page);
    await lesson.getByText(/^True distance: \d+ moves?\./).waitFor();
    assert.ok(await isDrawn(page), `${name} has no picture`);
    await screenshot(page, `lesson ${at + 1}`);
    await lesson.getByText('Why it is never too large.').waitFor();
  }
});

pageTest('lessons about the user’s board follow its moves', {}, async (page) => {
  await open(page, { board: '1,2,3/4,5,6/0,7,8', view: 'learn' });
  await page.getByRole('radio', { name: 'My board' }).check({ force: true });
  const lesson = page.getByRole('tabpanel');
  await lesson.getByText('True distance: 2 moves.').waitFor();
  await page.keyboard.press('Escape');
  await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement).blur());
  await page.keyboard.press('ArrowLeft');
  await lesson.getByText('True distance: 1 move.').waitFor();
});

pageTest('a lesson’s board is played', {}, async (page) => {
  await open(page, { board: '1,2,3/4,5,6/0,7,8', view: 'learn' });
  await page.getByRole('button', { name: 'Play this board' }).click();
  await eventually(() => shownBoard(page), '5 1 2 3/9 6 7 4/13 10 11 8/14 15 0 12');
  assert.equal(await page.title(), 'Play · Tilebase');
});

pageTest('buttons and arrows lead from lesson to lesson', {}, async (page) => {
  await open(page, { board: BOARD, view: 'learn' });
  await page.getByRole('main').getByText('Lesson 1 of').waitFor();
  await page.getByRole('navigation', { name: 'Neighbouring lessons' }).getByRole('button').last().click();
  await page.getByRole('main').getByText(/^Lesson 2 of/).waitFor();
  await page.getByRole('tab', { selected: true }).focus();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('main').getByText(/^Lesson 3 of/).waitFor();
  await page.keyboard.press('Home');
  await page.getByRole('main').getByText(/^Lesson 1 of/).waitFor();
});

pageTest('an unsolvable board shows the reason in place of a lesson', {}, async (page) => {
  await open(page, { board: '1,2,3,4/5,6,7,8/9,10,11,12/13,15,14,0', view: 'learn' });
  await page.getByRole('radio', { name: 'My board' }).check({ force: true });
  await page.getByRole('tabpanel').getByText(/^No moves lead from this board/).waitFor();
});

pageTest('the address contains the lesson', {}, async (page) => {
  await open(page, { board: BOARD, view: 'learn', lesson: '5' });
  await page.getByRole('main').getByText(/^Lesson 5 of/).waitFor();
  await page.getByRole('tab', { name: /^7:/ }).click();
  await page.waitForURL(/view=learn&lesson=7$/);
  await page.reload();
  await page.getByRole('main').getByText(/^Lesson 7 of/).waitFor();
  await page.evaluate(() => { location.hash = '#lesson=2'; });
  await page.getByRole('main').getByText(/^Lesson 2 of/).waitFor();
});

pageTest('the distances of lessons’ boards are true', {}, async (page) => {
  await page.goto(`${ORIGIN}/`);
  const lessons = await page.evaluate("import('./views/learn/lessons.js').then(({ LESSONS }) => LESSONS.map(({ board, distance }) => ({ board, distance })))");
  assert.ok(lessons.length >= 13);
  for (const { board, distance } of lessons) {
    const answer = await ask(page, '/v1/moves', { board });
    assert.deepEqual([answer.status, answer.distance], ['optimal', distance], board);
  }
});

pageTest('a lesson asks first, and then shows the answer and the distance', {}, async (page) => {
  await open(page, { board: BOARD, view: 'learn', lesson: '3' });
  const question = page.getByRole('group', { name: 'Guess first' });
  await question.getByText(/^How many moves do the four tiles need together/).waitFor();
  const distance = page.getByText('True distance: 36 moves.');
  assert.equal(await distance.isVisible(), false);
  assert.equal(await page.locator('.sketch .arrow:visible').count(), 4);
  await question.getByRole('button', { name: '8', exact: true }).click();
  await question.getByText(/^Not quite/).waitFor();
  assert.equal(await distance.isVisible(), false);
  await question.getByRole('button', { name: '12', exact: true }).click();
  await question.getByText('Right: 12.').waitFor();
  await distance.waitFor();
});

pageTest('no lesson answers its question before the guess, and the last one shows the estimates that it asks about', {}, async (page) => {
  await page.goto(`${ORIGIN}/`);
  /** @type {{ id: string, text: string[], question: { right?: string } }[]} */
  const lessons = await page.evaluate("import('./views/learn/lessons.js').then(({ LESSONS }) => LESSONS.map(({ id, text, question }) => ({ id, text, question })))");
  /** Words that tell an answer. @type {Record<string, RegExp>} */
  const telling = { 'walking-distance': /\b11\b/, databases: /one pattern/, mirror: /larger|greater|maximum/, search: /(more|7) moves/, all: /none|crosses|never/i };
  for (const { id, text, question } of lessons) {
    assert.equal(question.right !== undefined, id in telling, id);
    if (id in telling) assert.doesNotMatch(text.join(' '), telling[id], id);
  }
  await open(page, { board: BOARD, view: 'learn', lesson: '13' });
  await page.getByRole('group', { name: 'Guess first' }).waitFor();
  assert.ok(await page.locator('.comparison-bar:visible').count() > 5);
  assert.equal(await page.getByText(/True distance/).count(), 0);
});

pageTest('many ways home are shown one at a time, by a press on a tile', {}, async (page) => {
  await open(page, { board: '7,12,1,2/5,10,0,8/14,11,6,4/3,15,13,9', view: 'learn', lesson: '3' });
  await page.getByRole('radio', { name: 'My board' }).check({ force: true });
  await page.getByText('Press a tile: a line leads to its home.').waitFor();
  const lines = () => page.locator('.sketch .arrow').evaluateAll((arrows) => arrows.filter((one) => getComputedStyle(one).visibility === 'visible').length);
  assert.equal(await lines(), 0);
  await page.locator('.sketch .numbers [data-tile="9"]').click();
  await eventually(lines, 1);
  assert.equal(await page.getByRole('button', { name: /^9:/ }).getAttribute('aria-pressed'), 'true');
});

pageTest('a lesson draws the tree of a search, bound by bound, until the goal is found', PHONE, async (page) => {
  await open(page, { board: BOARD, view: 'learn', lesson: '12' });
  const lesson = page.getByRole('tabpanel');
  await answer(page);
  await lesson.getByText(/^Bound 5: 5 boards looked at, 3 of them cut off\. No solution has 5 moves\./).waitFor();
  await lesson.getByRole('button', { name: 'Next bound: 7' }).click();
  await lesson.getByText(/^Bound 7: 13 boards looked at, .* The goal is reached/).waitFor();
  assert.equal(await page.locator('.tree-node').count(), 13);
  await screenshot(page, 'tree on a phone');
});

pageTest('estimates have readable names', {}, async (page) => {
  await open(page, { board: BOARD, view: 'learn', lesson: '13' });
  await answer(page);
  await page.locator('.comparison-name').first().waitFor();
  const names = await page.locator('.comparison-name').allTextContents();
  assert.ok(names.includes('Cycles of jumps') && names.includes('Tables 15/5-5-5'), names.join());
  assert.deepEqual(names.filter((name) => /^[a-z]/.test(name)), []);
});

pageTest('where builds are refused, a lesson says whom to ask for the missing tables', { serverOnly: 'it replaces an answer on the network, which workers do not use' }, async (page) => {
  await page.route('**/v1/builds', (route) => route.fulfill({ json: { allowed: false, builds: [] } }));
  await open(page, { board: '1,2,3,4,5/6,7,8,9,10/11,12,13,14,15/16,17,18,19,20/21,22,23,0,24', view: 'learn', lesson: '10' });
  await page.getByRole('radio', { name: 'My board' }).check({ force: true });
  const lesson = page.getByRole('tabpanel');
  await lesson.getByText('The tables of 24/6-6-6-6-dual are missing, and this server builds no tables. Whoever runs it can build them, or allow it.', { exact: true }).waitFor();
  assert.equal(await lesson.getByText('Partition').count(), 0);
  await screenshot(page, 'lesson without tables');
});

pageTest('the lesson’s board is the one large board, also in the large view', { width: 1920, height: 1080 }, async (page) => {
  await open(page, { board: BOARD, view: 'learn', lesson: '3' });
  const picture = page.locator('.lesson-picture svg');
  await picture.waitFor();
  assert.equal(await page.locator('#board').isVisible(), false);
  const size = async () => (await picture.boundingBox())?.height ?? 0;
  assert.ok(await size() > 0.7 * 1080, `${await size()} pixels`);
  await page.locator('body').press('f');
  await eventually(() => page.getByRole('navigation', { name: 'Views' }).count(), 0);
  assert.ok(await size() > 0.75 * 1080, `${await size()} pixels`);
  await page.getByRole('group', { name: 'Guess first' }).getByRole('button', { name: '12', exact: true }).click();
  await page.getByText('True distance: 36 moves.').waitFor();
  await screenshot(page, 'lesson large 1920');
});

pageTest('a lesson begins at the top of a phone, and tells nothing before the guess', PHONE, async (page) => {
  await open(page, { board: BOARD, view: 'learn', lesson: '10' });
  const question = page.getByRole('group', { name: 'Guess first' });
  await question.waitFor();
  const head = await page.getByRole('heading', { name: 'Pattern databases' }).boundingBox();
  assert.ok(head && head.y < 250, JSON.stringify(head));
  const told = await page.getByRole('tabpanel').innerText();
  assert.doesNotMatch(told.replace(await question.innerText(), ''), /one pattern|= \d+|counted once/);
  await question.getByRole('button', { name: /^Each move moves one tile/ }).click();
  await page.getByText('Why it is never too large.').waitFor();
});

/** Returns whether the lesson shows a drawing or bars. @param {Page} page */
function isDrawn(page) {
  return page.getByRole('tabpanel').evaluate((panel) =>
    [...panel.querySelectorAll('svg, .comparison-bar')].some((drawing) => drawing.getBoundingClientRect().width > 0));
}

/** Tries the answers to the question of a lesson until one is right. @param {import('./support.js').Page} page */
async function answer(page) {
  const question = page.getByRole('group', { name: 'Guess first' });
  await question.waitFor();
  for (const choice of await question.getByRole('button').all()) {
    await choice.click();
    if (/Right:/.test(await question.innerText())) return;
  }
  throw new Error(`no answer is right: ${await question.innerText()}`);
}
