// Texts in their columns: no text of a view is wider than its box, in all views, at three sizes.

import assert from 'node:assert/strict';
import { PHONE, eventually, open, pageTest, screenshot } from './support.js';

/** @typedef {import('./support.js').Page} Page */

const SIZES = [{ width: 1280, height: 800 }, { width: 1920, height: 1080 }, PHONE];
const BOARD = '15,14,8,12/10,11,9,13/2,6,5,1/3,7,4,0';
const TEN = Array.from({ length: 10 }, (_, row) => Array.from({ length: 10 }, (__, col) => (row * 10 + col + 1) % 100).join(',')).join('/').replace('98,99,0', '98,0,99');
const NEAR = '1,2,3/4,5,6/0,7,8';
/** A search of minutes with long numbers. */
const LONG = {
  board: '', goal: '', spec: 'manhattan', status: 'limit', limit: 'time', length: null, moves: null, lower_bound: 64, initial_estimate: 60, generated: 987_654_321_098, expanded: 400_000_000_000, seconds: 5999,
};
const EVENTS = [['bound', { bound: 60, generated: 112_763_720, growth: null, seconds: 2 }], ['bound', { bound: 62, generated: 86_112_763_720, growth: 763.1, seconds: 99 }], ['answer', LONG]]
  .map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`).join('');

/** Views, and actions that fill them with texts. @type {Record<string, { fragment: Record<string, string>, arrive?: (page: Page) => Promise<void> }>} */
const WALK = {
  play: { fragment: { board: BOARD }, arrive: (page) => page.keyboard.press('h') },
  'a board without the solver': { fragment: { board: TEN } },
  'a finished game': {
    fragment: { board: NEAR },
    async arrive(page) {
      for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowLeft', 'ArrowRight', 'ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
      await page.getByRole('region', { name: 'Game review' }).getByText(/led nearer \(/).waitFor();
    },
  },
  solve: { fragment: { board: BOARD, spec: 'manhattan', view: 'solve' } },
  'a stopped search and a race': {
    fragment: { board: BOARD, view: 'solve' },
    async arrive(page) {
      await page.route(/\/v1\/solve\?/, (route) => route.fulfill({ contentType: 'text/event-stream', body: EVENTS }));
      await page.getByRole('button', { name: 'Find a shortest solution' }).click();
      await page.getByText('Bounds as a table').click();
      await page.getByRole('button', { name: 'Start the race' }).click();
      await page.getByRole('main').getByText('Neither search found a solution within the limits.').waitFor();
    },
  },
  partition: { fragment: { board: BOARD, view: 'partition' }, arrive: async (page) => { await page.getByText(/^Table 1/).first().waitFor(); } },
  ...Object.fromEntries(Array.from({ length: 13 }, (_, at) => [`lesson ${at + 1}`, {
    fragment: { board: BOARD, view: 'learn', lesson: String(at + 1) },
    arrive: async (/** @type {Page} */ page) => {
      await answer(page);
      await page.getByText('Why it is never too large.').waitFor();
    },
  }])),
};

for (const size of SIZES) {
  pageTest(`no text leaves its column at ${size.width} pixels`, { ...size, serverOnly: 'it replaces an answer on the network, which workers do not use' }, async (page) => {
    for (const [name, { fragment, arrive }] of Object.entries(WALK)) {
      await page.goto('about:blank');
      await open(page, fragment);
      await arrive?.(page);
      await page.waitForLoadState('networkidle');
      await screenshot(page, `columns ${size.width} ${name}`);
      assert.deepEqual(await leaving(page), [], name);
    }
  });
}

/** Returns the texts that are wider than the box around them, unless it scrolls or hides them. @param {Page} page */
function leaving(page) {
  return page.evaluate(() => {
    const isBlock = (/** @type {Element} */ element) => !['inline', 'contents'].includes(getComputedStyle(element).display);
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    while (texts.nextNode()) {
      const text = /** @type {Text} */ (texts.currentNode);
      const parent = text.parentElement;
      if (!parent || text.data.trim() === '' || !parent.checkVisibility({ visibilityProperty: true }) || parent.closest('svg, option, .hidden-text, .skip')) continue;
      let box = parent;
      while (!isBlock(box) && box.parentElement) box = box.parentElement;
      if (getComputedStyle(box).overflowX !== 'visible') continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      const [inner, outer] = [range.getBoundingClientRect(), box.getBoundingClientRect()];
      if (inner.right > outer.right + 1 || inner.left < outer.left - 1) found.push(`${text.data.trim()}: ${Math.round(inner.width)} pixels in ${Math.round(outer.width)}`);
    }
    return found;
  });
}

for (const size of [{ width: 1920, height: 1080 }, { width: 1280, height: 800 }]) {
  pageTest(`a lesson with its answer fits a projector of ${size.width} pixels, and is read from far away`, size, async (page) => {
    for (let lesson = 1; lesson <= 13; lesson += 1) {
      await open(page, { board: BOARD, view: 'learn', lesson: String(lesson) });
      await answer(page);
      if (lesson === 1) await page.locator('body').press('f');
      await page.getByText('Why it is never too large.').waitFor();
      const seen = await page.evaluate(() => ({
        height: document.scrollingElement?.scrollHeight,
        small: [...document.querySelectorAll('.lesson :not(svg *)')].filter((element) => element.checkVisibility() && [...element.childNodes].some(({ nodeType, textContent }) => nodeType === Node.TEXT_NODE && textContent?.trim()))
          .filter((element) => parseFloat(getComputedStyle(element).fontSize) < window.innerHeight / 60).map(({ textContent }) => textContent),
      }));
      await screenshot(page, `projector ${size.width} lesson ${lesson}`);
      assert.deepEqual(seen, { height: size.height, small: [] }, `lesson ${lesson}`);
    }
  });
}

/** Answers the question of a lesson, if it is not answered yet. @param {Page} page */
async function answer(page) {
  const question = page.getByRole('group', { name: 'Guess first' });
  await question.waitFor({ state: 'attached' });
  await eventually(async () => {
    if (/Right:/.test(await question.innerText())) return true;
    for (const choice of await question.getByRole('button').all()) {
      await choice.click();
      if (/Right:/.test(await question.innerText())) return true;
    }
    return false;
  }, true);
}
