// Accessibility and size of every view: wide and narrow, light and dark; and reduced motion.

import assert from 'node:assert/strict';
import { PHONE, VIEWS, assertLook, eventually, open, openPart, pageTest, shownBoard, tile } from './support.js';

/** @typedef {import('./support.js').Page} Page */

const BOARD = '5,1,2,4/9,6,3,8/13,10,7,12/14,0,11,15';
const SIZES = [{ width: 1280, height: 800 }, PHONE];
/** @type {readonly ('light' | 'dark')[]} */
const THEMES = ['light', 'dark'];

for (const size of SIZES) {
  for (const view of VIEWS) {
    pageTest(`${view} at ${size.width} pixels is accessible in both themes and fits`, size, async (page) => {
      await open(page, { board: BOARD, view });
      await page.waitForLoadState('networkidle');
      await assertLook(page, view);
    });
  }
}

/**
 * Views after actions of the user.
 * @type {Record<string, { fragment: Record<string, string>, arrive: (page: Page) => Promise<void>, refusals?: number[] }>}
 */
const STATES = {
  'a finished game': {
    fragment: { board: '1,2,3/4,5,6/0,7,8' },
    async arrive(page) {
      for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
      await page.getByRole('button', { name: 'Show the board before it' }).waitFor();
    },
  },
  'an unsolvable board': {
    fragment: { board: '1,2,3,4/5,6,7,8/9,10,11,12/13,15,14,0' },
    async arrive(page) {
      await page.getByRole('button', { name: /^Exchange/ }).waitFor();
    },
  },
  'a goal that is drawn': {
    fragment: { board: BOARD },
    async arrive(page) {
      await openPart(page, 'Another board');
      await page.getByRole('combobox', { name: 'Goal' }).selectOption('drawn');
      await page.getByRole('group', { name: 'Goal', exact: true }).waitFor();
    },
  },
  'the largest board': {
    fragment: { board: puzzleOf(6, 6) },
    async arrive(page) {
      await tile(page, 35).waitFor();
    },
  },
  'a text that is refused': {
    fragment: { board: BOARD },
    refusals: [400],
    async arrive(page) {
      await openPart(page, 'Board as text');
      await page.getByRole('textbox', { name: 'Board as text' }).fill('1 2 3 4 5 6 7 7 8');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').filter({ hasText: /\w/ }).first().waitFor();
    },
  },
  'a solution and a race': {
    fragment: { board: '8,6,7/2,5,4/3,0,1', view: 'solve' },
    async arrive(page) {
      await page.getByRole('button', { name: 'Find a shortest solution' }).click();
      await page.getByRole('button', { name: 'One move on' }).click();
      await page.getByRole('button', { name: 'Start the race' }).click();
      await page.getByRole('main').getByText(/as many nodes\.$|same number of nodes\.$/).waitFor();
    },
  },
  'tables and what they are worth': {
    fragment: { board: '8,6,7/2,5,4/3,0,1', view: 'partition' },
    async arrive(page) {
      await page.getByRole('button', { name: /8\/whole/ }).click();
      await page.getByText(/mean value \d/).first().waitFor();
      await page.getByText('yours', { exact: true }).waitFor();
    },
  },
  'an offer of tables, a chosen heuristic and a game before this one': {
    fragment: { board: puzzleOf(5, 5), spec: 'manhattan' },
    async arrive(page) {
      await openPart(page, 'Another board');
      await page.getByRole('button', { name: 'New board' }).click();
      await page.getByRole('button', { name: 'Previous board (P)' }).click();
      await page.getByRole('combobox', { name: 'How it is made' }).selectOption('optimum');
      await page.getByText(/^Boards of 5x5 that need more than/).waitFor();
      await page.getByRole('button', { name: /^Make it faster: build 24/ }).waitFor();
      await page.getByText('Searched with manhattan', { exact: true }).waitFor();
    },
  },
  'a lesson that asks': {
    fragment: { board: BOARD, view: 'learn', lesson: '2' },
    async arrive(page) {
      await page.getByRole('group', { name: 'Guess first' }).waitFor();
    },
  },
  'a search tree': {
    fragment: { board: BOARD, view: 'learn', lesson: '12' },
    async arrive(page) {
      await page.getByRole('button', { name: /^No, this board/ }).click();
      await page.getByRole('button', { name: /^Next bound/ }).click();
      await page.getByText(/The goal is reached/).first().waitFor();
    },
  },
  'the last lesson': {
    fragment: { board: BOARD, view: 'learn' },
    async arrive(page) {
      await page.getByRole('tablist', { name: 'Lessons' }).getByRole('tab').last().click();
      await page.getByRole('button', { name: 'No, none of them' }).click();
      await page.getByText(/^True distance|^The true distance is not known/).waitFor();
    },
  },
};

for (const [name, { fragment, arrive, refusals }] of Object.entries(STATES)) {
  for (const [at, size] of SIZES.entries()) {
    pageTest(`${name} at ${size.width} pixels is accessible and fits`, { ...size, theme: THEMES[at], refusals }, async (page) => {
      await open(page, fragment);
      await arrive(page);
      await page.waitForLoadState('networkidle');
      await assertLook(page, name, [THEMES[at]]);
    });
  }
}

/** Returns a goal with its last tile moved. @param {number} rows @param {number} cols */
function puzzleOf(rows, cols) {
  const numbers = Array.from({ length: rows * cols }, (_, cell) => (cell + 1) % (rows * cols));
  numbers.push(...numbers.splice(-2).reverse());
  return Array.from({ length: rows }, (_, row) => numbers.slice(row * cols, (row + 1) * cols).join(',')).join('/');
}

pageTest('tiles slide quickly, and at once with reduced motion', { reducedMotion: true }, async (page) => {
  await open(page, { board: BOARD });
  await tile(page, 11).click();
  await eventually(() => shownBoard(page), '5 1 2 4/9 6 3 8/13 10 7 12/14 11 0 15');
  assert.equal(await motionOf(page), 0);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  const motion = await motionOf(page);
  assert.ok(motion > 0 && motion < 0.4, `a tile takes ${motion} s`);
});

/** Returns the time of a tile's move, in seconds. @param {Page} page */
function motionOf(page) {
  return tile(page, 11).evaluate((element) => Math.max(...getComputedStyle(element).transitionDuration.split(',')
    .map((duration) => parseFloat(duration) * (duration.trim().endsWith('ms') ? 0.001 : 1))));
}
