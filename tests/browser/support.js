// Tests in a browser: their setup, and the faults that fail each of them.

import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import test, { after } from 'node:test';
import { chromium } from 'playwright-core';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').Locator} Locator */
/**
 * Browser of a test.
 * @typedef {object} Setup
 * @property {number} [width] Width of the window.
 * @property {number} [height]
 * @property {boolean} [touch] Whether there is a touch screen and no mouse.
 * @property {'light' | 'dark'} [theme] Preferred theme.
 * @property {boolean} [reducedMotion] Whether the user prefers reduced motion.
 * @property {number[]} [refusals] Error statuses that the test expects.
 * @property {string} [serverOnly] Reason why an exported page skips the test.
 * @property {boolean} [noTables] Whether the browser has stored no tables.
 * @property {boolean} [offline] Whether the service worker of an exported page may start.
 */

export const PHONE = { width: 360, height: 740, touch: true };
export const VIEWS = ['play', 'solve', 'partition', 'learn'];
// Time limits that a busy machine meets.
const TEST_MS = 240_000;
const STEP_MS = 60_000;
/** Time for faults of the last step. */
const END_MS = 50;
/** Status of a busy server. The page repeats the request. */
const BUSY = 503;

const { TILEBASE_URL } = process.env;
if (!TILEBASE_URL) throw new Error('TILEBASE_URL is not set: start the tests with tests/browser/run');
/** Address of the page, without a slash at its end. An exported page is below a folder. */
export const ORIGIN = TILEBASE_URL.replace(/\/$/, '');
/** Whether the page was exported, and is served as a folder of files. */
const IS_STATIC = process.env.PLACE === 'static';

/** @type {import('playwright-core').Browser | undefined} */
let browser;
after(async () => browser?.close());

async function startedBrowser() {
  browser ??= await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] });
  return browser;
}

/**
 * Runs a test with a fresh browser. Errors in the console, failed requests, and requests to other hosts fail it.
 * @param {string} name @param {Setup} setup @param {(page: Page) => Promise<void>} body
 */
export function pageTest(name, setup, body) {
  const skip = IS_STATIC && setup.serverOnly;
  test(name, { timeout: TEST_MS, skip }, async () => {
    const context = await (await startedBrowser()).newContext(optionsOf(setup));
    context.setDefaultTimeout(STEP_MS);
    const page = await context.newPage();
    if (IS_STATIC && !setup.noTables) await giveTables(page);
    const faults = watched(page, [BUSY, ...(setup.refusals ?? [])]);
    try {
      await body(page);
      await page.waitForTimeout(END_MS);
      assert.deepEqual(faults, []);
    } catch (error) {
      await screenshot(page, `failed ${name}`);
      if (faults.length > 0) console.error(faults.join('\n'));
      throw error;
    } finally {
      await context.close();
    }
  });
}

/** @param {Setup} setup @returns {import('playwright-core').BrowserContextOptions} */
function optionsOf({ width = 1280, height = 800, touch = false, theme = 'light', reducedMotion = false, offline = false }) {
  return {
    viewport: { width, height },
    hasTouch: touch,
    isMobile: touch,
    colorScheme: theme,
    reducedMotion: reducedMotion ? 'reduce' : 'no-preference',
    permissions: ['clipboard-read', 'clipboard-write'],
    // Otherwise, it would answer requests for files that a test replaces.
    serviceWorkers: offline ? 'allow' : 'block',
  };
}

/**
 * Stores the tables of the tests in the browser, like a server's folder. Does not open the page, so that it has no
 * history.
 * @param {Page} page
 */
async function giveTables(page) {
  const { origin } = new URL(ORIGIN);
  const files = await (await fetch(`${origin}/tables.json`)).json();
  await page.goto(`${origin}/empty.html`);
  await page.evaluate(async ([address, names]) => {
    const { createBrowserBackend } = await import(`${address}/web/browser.js`);
    const { tables } = await createBrowserBackend(`${address}/tilebase.wasm`, `${address}/tilebase-rest.wasm`);
    for (const name of names) await tables.add(new File([await (await fetch(`tables/${name}`)).blob()], name));
  }, /** @type {[string, string[]]} */ ([ORIGIN, files]));
}

/** Collects the faults of a page. @param {Page} page @param {number[]} refusals */
function watched(page, refusals) {
  /** @type {string[]} */
  const faults = [];
  page.on('pageerror', (error) => faults.push(`error: ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    if (IS_STATIC && message.text().startsWith('Service Worker registration blocked')) return;
    const status = Number(/status of (\d+)/.exec(message.text())?.[1]);
    const isBad = message.type() === 'error' || message.type() === 'warning';
    if (isBad && !refusals.includes(status)) faults.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (/^https?:$/.test(protocol) && origin !== new URL(ORIGIN).origin) faults.push(`left the server: ${request.url()}`);
  });
  page.on('response', (response) => {
    const isRefusal = response.status() >= 400 && !refusals.includes(response.status());
    if (isRefusal) faults.push(`${response.status()}: ${response.url()}`);
  });
  page.on('requestfailed', (request) => {
    // The page aborts requests that it no longer needs.
    const reason = request.failure()?.errorText;
    if (reason !== 'net::ERR_ABORTED') faults.push(`failed: ${request.url()}: ${reason}`);
  });
  return faults;
}

/**
 * Sends a request from the page, and returns the record.
 * @param {Page} page @param {string} address @param {Record<string, string>} [params] @returns {Promise<any>}
 */
export function ask(page, address, params = {}) {
  return page.evaluate(async ([path, query]) => {
    const api = await import(new URL('api.js', document.baseURI).href);
    return api.get(path, query);
  }, /** @type {[string, Record<string, string>]} */ ([address, params]));
}

/**
 * Opens the page with a fragment in its address, and waits for the view.
 * @param {Page} page @param {Record<string, string>} [fragment]
 */
export async function open(page, fragment = {}) {
  const fields = Object.entries(fragment).map(([name, value]) => `${name}=${value}`);
  await page.goto(fields.length > 0 ? `${ORIGIN}/#${fields.join('&')}` : `${ORIGIN}/`);
  await page.locator('#panel > :not([hidden])').first().waitFor();
}

/** Opens the page as `open` does, and shows all hints. @param {Page} page @param {Record<string, string>} [fragment] */
export async function openWithHints(page, fragment = {}) {
  await open(page, fragment);
  await page.keyboard.press('h');
}

/**
 * Waits until `look` returns the expected value, and reports both values otherwise.
 * @template T
 * @param {() => Promise<T>} look @param {T} expected @param {number} [milliseconds]
 */
export async function eventually(look, expected, milliseconds = STEP_MS) {
  const end = performance.now() + milliseconds;
  let seen = await look();
  while (!isSame(seen, expected) && performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    seen = await look();
  }
  assert.deepEqual(seen, expected);
}

/** @param {unknown} a @param {unknown} b */
function isSame(a, b) {
  return JSON.stringify(a) === JSON.stringify(b);
}

/**
 * Takes a picture, if there is a folder SCREENSHOTS.
 * @param {Page} page @param {string} name
 */
export async function screenshot(page, name) {
  const folder = process.env.SCREENSHOTS;
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, `${name.replace(/[^a-z0-9]+/gi, '-')}.png`);
  await page.screenshot({ path: file, fullPage: true });
}

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/**
 * Asserts that the page is accessible in themes, and fits the window. Takes a picture of each.
 * @param {Page} page @param {string} name @param {readonly ('light' | 'dark')[]} [themes]
 */
export async function assertLook(page, name, themes = ['light', 'dark']) {
  const width = page.viewportSize()?.width ?? 0;
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme });
    // The longest transition of a colour.
    await page.waitForTimeout(150);
    await screenshot(page, `${name} ${width} ${theme}`);
    assert.deepEqual(await violations(page), []);
    assert.equal(await isDark(page), theme === 'dark');
  }
  const found = await page.evaluate(() => document.scrollingElement?.scrollWidth ?? 0);
  assert.ok(found <= width, `${found} pixels wide`);
}

/** Returns whether the background is dark. @param {Page} page */
function isDark(page) {
  return page.evaluate(() => {
    const parts = (getComputedStyle(document.body).backgroundColor.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);
    return parts.reduce((sum, part) => sum + part, 0) < 3 * 128;
  });
}

/**
 * Returns the violations that axe-core finds, each with rule, place and reason.
 * @param {Page} page @returns {Promise<string[]>}
 */
async function violations(page) {
  // A debugger's scripts are not bound by the page's Content-Security-Policy.
  await page.evaluate(await readFile(axe, 'utf8'));
  return page.evaluate(async () => {
    // @ts-ignore: the script above has defined it.
    const { violations: found } = await globalThis.axe.run(document);
    return found.flatMap((/** @type {any} */ rule) => rule.nodes.map((/** @type {any} */ node) =>
      `${rule.id}: ${node.target.join(' ')}: ${node.failureSummary.replace(/\s+/g, ' ')}`));
  });
}

/** Opens a part of Play that is closed at first. @param {Page} page @param {'Another board' | 'Board as text' | 'Options'} name */
export async function openPart(page, name) {
  const part = page.locator('details', { has: page.locator('summary').getByText(name, { exact: true }) });
  if (await part.getAttribute('open') === null) await part.locator('summary').click();
  await page.getByRole('region', { name }).locator('.stack').first().waitFor();
}

/** Returns the interactive board. @param {Page} page */
function boardOf(page) {
  return page.getByRole('group', { name: /^Board/ });
}

/** Returns the tiles of the interactive board. @param {Page} page */
export function tiles(page) {
  return boardOf(page).getByRole('button', { name: /^Tile \d+, row/ });
}

/** @param {Page} page @param {number} tile */
export function tile(page, tile) {
  return boardOf(page).getByRole('button', { name: new RegExp(`^Tile ${tile}, row`) });
}

/**
 * Reads the shown board from the names of its tiles.
 * @param {Page} page @returns {Promise<string>} `1 2 3/4 5 6/7 8 0`
 */
export async function shownBoard(page) {
  const labels = await tiles(page).evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label')));
  /** @type {number[][]} */
  const rows = [];
  for (const label of labels) {
    const [number, row, col] = (label ?? '').match(/\d+/g)?.map(Number) ?? [];
    (rows[row - 1] ??= [])[col - 1] = number;
  }
  const cols = Math.max(...rows.map((row) => row.length));
  return rows.map((row) => Array.from({ length: cols }, (_, col) => row[col] ?? 0).join(' ')).join('/');
}
