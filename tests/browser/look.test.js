// What every view has to be, however it is looked at: wide or narrow, light or dark, with little motion.

import assert from 'node:assert/strict';
import { PHONE, VIEWS, eventually, open, person, screenshot, shownBoard, tile, violations } from './support.js';

/** @typedef {import('./support.js').Page} Page */

const BOARD = '5,1,2,4/9,6,3,8/13,10,7,12/14,0,11,15';
const SIZES = [{ width: 1280, height: 800 }, PHONE];
/** @type {readonly ('light' | 'dark')[]} */
const THEMES = ['light', 'dark'];

for (const size of SIZES) {
  for (const theme of THEMES) {
    for (const view of VIEWS) {
      const sentence = `${view} at ${size.width} pixels on ${theme} paper hinders nobody and fits`;
      person(sentence, { ...size, theme }, async (page) => {
        await open(page, { board: BOARD, view });
        await page.waitForLoadState('networkidle');
        await screenshot(page, `${view} ${size.width} ${theme}`);
        assert.deepEqual(await violations(page), []);
        assert.ok(await widthOf(page) <= size.width, `${await widthOf(page)} pixels wide`);
        assert.equal(await isDark(page), theme === 'dark');
      });
    }
  }
}

/** @param {Page} page */
function widthOf(page) {
  return page.evaluate(() => document.scrollingElement?.scrollWidth ?? 0);
}

/** @param {Page} page */
function isDark(page) {
  return page.evaluate(() => {
    const paper = [document.body, document.documentElement].map((element) => getComputedStyle(element).backgroundColor)
      .find((colour) => colour !== 'rgba(0, 0, 0, 0)') ?? 'rgb(255, 255, 255)';
    const parts = (paper.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);
    return parts.reduce((sum, part) => sum + part, 0) < 3 * 128;
  });
}

person('tiles slide in a moment, and at once where little motion is wanted', { reducedMotion: true }, async (page) => {
  await open(page, { board: BOARD });
  await tile(page, 11).click();
  await eventually(() => shownBoard(page), '5 1 2 4/9 6 3 8/13 10 7 12/14 11 0 15');
  assert.equal(await motionOf(page), 0);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  const motion = await motionOf(page);
  assert.ok(motion > 0 && motion < 0.4, `a tile takes ${motion} s`);
});

/** Seconds that a tile takes for a move. @param {Page} page */
function motionOf(page) {
  return tile(page, 11).evaluate((element) => Math.max(...getComputedStyle(element).transitionDuration.split(',')
    .map((duration) => parseFloat(duration) * (duration.trim().endsWith('ms') ? 0.001 : 1))));
}
