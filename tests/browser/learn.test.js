// What people do in Learn.

import assert from 'node:assert/strict';
import { eventually, open, person, shownBoard } from './support.js';

/** @typedef {import('./support.js').Page} Page */

const BOARD = '5,1,2,4/9,6,3,8/13,10,7,12/14,0,11,15';

person('every lesson opens, explains itself, draws a picture and tells the true distance', {}, async (page) => {
  await open(page, { board: BOARD, view: 'learn' });
  const lessons = page.getByRole('tablist', { name: 'Lessons' }).getByRole('tab');
  await lessons.first().waitFor();
  const names = await lessons.evaluateAll((tabs) => tabs.map((tab) => tab.getAttribute('aria-label') ?? ''));
  assert.ok(names.length >= 8, `only ${names.length} lessons`);
  for (const [at, name] of names.entries()) {
    await lessons.nth(at).click();
    const lesson = page.getByRole('tabpanel');
    await lesson.getByRole('heading', { name: name.replace(/^\d+: /, ''), exact: true }).waitFor();
    await lesson.getByText(/^The true distance is not known|^True distance: \d+ moves?\./).waitFor();
    assert.ok(await isDrawn(page), `${name} has no picture`);
    await lesson.getByText('Why it is never too large.').waitFor();
  }
});

person('lessons are drawn for the board at hand, and follow its moves', {}, async (page) => {
  await open(page, { board: '1,2,3/4,5,6/0,7,8', view: 'learn' });
  await page.getByRole('radio', { name: 'My board' }).check({ force: true });
  const lesson = page.getByRole('tabpanel');
  await lesson.getByText('True distance: 2 moves.').waitFor();
  await page.keyboard.press('Escape');
  await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement).blur());
  await page.keyboard.press('ArrowLeft');
  await lesson.getByText('True distance: 1 move.').waitFor();
});

person('the board of a lesson goes onto the big board', {}, async (page) => {
  await open(page, { board: '1,2,3/4,5,6/0,7,8', view: 'learn' });
  await page.getByRole('button', { name: 'Show on the big board' }).click();
  await eventually(async () => (await shownBoard(page)).split('/').length, 4);
});

person('one goes from lesson to lesson by buttons and by arrows', {}, async (page) => {
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

person('an unsolvable board has no lesson, and that is said', {}, async (page) => {
  await open(page, { board: '1,2,3,4/5,6,7,8/9,10,11,12/13,15,14,0', view: 'learn' });
  await page.getByRole('radio', { name: 'My board' }).check({ force: true });
  await page.getByRole('tabpanel').getByText(/^No moves lead from this board/).waitFor();
});

/** Whether the lesson shows more than text: a drawing, or bars. @param {Page} page */
function isDrawn(page) {
  return page.getByRole('tabpanel').evaluate((panel) =>
    [...panel.querySelectorAll('svg, .comparison-bar')].some((drawing) => drawing.getBoundingClientRect().width > 0));
}
