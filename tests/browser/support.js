// A person at a browser: what every test here begins with, and what none of them may leave behind.

import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import test, { after } from 'node:test';
import { chromium } from 'playwright-core';
import { SERVER_ONLY } from './server-only.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').Locator} Locator */
/**
 * How a person comes to the page.
 * @typedef {object} Circumstances
 * @property {number} [width] of the window
 * @property {number} [height]
 * @property {boolean} [touch] a phone: fingers, no mouse
 * @property {'light' | 'dark'} [theme] what the person prefers
 * @property {boolean} [reducedMotion] the person asks for little motion
 * @property {number[]} [refusals] statuses that the server answers with in this test, as it should
 * @property {boolean} [noTables] the browser of an exported page has stored no tables
 * @property {boolean} [offline] the browser may keep an exported page for times without a network
 */

export const PHONE = { width: 360, height: 740, touch: true };
export const VIEWS = ['play', 'solve', 'partition', 'learn'];
// What never ends fails; a busy machine does not.
const TEST_MS = 240_000;
const STEP_MS = 60_000;
// The server has too much to do, says so, and the page asks again.
const BUSY = 503;

const { TILEBASE_URL } = process.env;
if (!TILEBASE_URL) throw new Error('TILEBASE_URL is not set: start the tests with tests/browser/run');
/** The address of the page, without a slash at its end. An exported page is below a folder. */
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
 * A test: a person opens a fresh browser and does what `body` says. However it goes, the console
 * stays empty, no request fails, and none leaves the server.
 * @param {string} sentence @param {Circumstances} circumstances @param {(page: Page) => Promise<void>} body
 */
export function person(sentence, circumstances, body) {
  const skip = IS_STATIC && SERVER_ONLY[sentence];
  test(sentence, { timeout: TEST_MS, skip }, async () => {
    const context = await (await startedBrowser()).newContext(optionsOf(circumstances));
    context.setDefaultTimeout(STEP_MS);
    const page = await context.newPage();
    if (IS_STATIC && !circumstances.noTables) await giveTables(page);
    const faults = watched(page, [BUSY, ...(circumstances.refusals ?? [])]);
    try {
      await body(page);
      // What the last step set off has a moment to fail.
      await page.waitForTimeout(100);
      assert.deepEqual(faults, []);
    } catch (error) {
      await screenshot(page, `failed ${sentence}`);
      if (faults.length > 0) console.error(faults.join('\n'));
      throw error;
    } finally {
      await context.close();
    }
  });
}

/** @param {Circumstances} circumstances @returns {import('playwright-core').BrowserContextOptions} */
function optionsOf({ width = 1280, height = 800, touch = false, theme = 'light', reducedMotion = false, offline = false }) {
  return {
    viewport: { width, height },
    hasTouch: touch,
    isMobile: touch,
    colorScheme: theme,
    reducedMotion: reducedMotion ? 'reduce' : 'no-preference',
    permissions: ['clipboard-read', 'clipboard-write'],
    // Otherwise it answers for files that a test replaces.
    serviceWorkers: offline ? 'allow' : 'block',
  };
}

/**
 * Stores the tables of the tests in the browser, as a server has them in its folder. The page is not opened, so
 * that it has no history yet.
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

/** The faults of a page, as they come. @param {Page} page @param {number[]} refusals */
function watched(page, refusals) {
  /** @type {string[]} */
  const faults = [];
  page.on('pageerror', (error) => faults.push(`error: ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    if (isAboutPlace(message.location().url, message.text())) return;
    const status = Number(/status of (\d+)/.exec(message.text())?.[1]);
    const isBad = message.type() === 'error' || message.type() === 'warning';
    if (isBad && !refusals.includes(status)) faults.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (/^https?:$/.test(protocol) && origin !== new URL(ORIGIN).origin) faults.push(`left the server: ${request.url()}`);
  });
  page.on('response', (response) => {
    if (isAboutPlace(response.url(), '')) return;
    const isRefusal = response.status() >= 400 && !refusals.includes(response.status());
    if (isRefusal) faults.push(`${response.status()}: ${response.url()}`);
  });
  page.on('requestfailed', (request) => {
    // The page gives up requests whose answer nobody waits for any more: that is no failure.
    const reason = request.failure()?.errorText;
    if (reason !== 'net::ERR_ABORTED') faults.push(`failed: ${request.url()}: ${reason}`);
  });
  return faults;
}

/** An exported page asks once whether there is a server, and Playwright tells that it blocks a service worker. @param {string} url @param {string} text */
function isAboutPlace(url, text) {
  return IS_STATIC && (url === `${ORIGIN}/healthz` || text.startsWith('Service Worker registration blocked'));
}

/**
 * The record that the page gets for a question.
 * @param {Page} page @param {string} address @param {Record<string, string>} [params] @returns {Promise<any>}
 */
export function ask(page, address, params = {}) {
  return page.evaluate(async ([path, query]) => {
    const api = await import(new URL('api.js', document.baseURI).href);
    return api.get(path, query);
  }, /** @type {[string, Record<string, string>]} */ ([address, params]));
}

/**
 * Opens the page with what its address says after the `#`, and waits until it can be played.
 * @param {Page} page @param {Record<string, string>} [fragment]
 */
export async function open(page, fragment = {}) {
  const fields = Object.entries(fragment).map(([name, value]) => `${name}=${value}`);
  await page.goto(fields.length > 0 ? `${ORIGIN}/#${fields.join('&')}` : `${ORIGIN}/`);
  await page.locator('#panel > :not([hidden])').first().waitFor();
}

/**
 * Waits until what `look` sees is `expected`, and shows both if that never comes.
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
 * A picture into the folder SCREENSHOTS, if there is one.
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
 * What axe-core finds against the page as it stands.
 * @param {Page} page @returns {Promise<string[]>} a rule, a place and a reason each
 */
export async function violations(page) {
  // A debugger's scripts are not bound by the page's Content-Security-Policy.
  await page.evaluate(await readFile(axe, 'utf8'));
  return page.evaluate(async () => {
    // @ts-ignore: the script above has defined it.
    const { violations: found } = await globalThis.axe.run(document);
    return found.flatMap((/** @type {any} */ rule) => rule.nodes.map((/** @type {any} */ node) =>
      `${rule.id}: ${node.target.join(' ')}: ${node.failureSummary.replace(/\s+/g, ' ')}`));
  });
}

/** The board that people touch. @param {Page} page */
function boardOf(page) {
  return page.getByRole('group', { name: /^Board/ });
}

/** The tiles that can be touched. @param {Page} page */
export function tiles(page) {
  return boardOf(page).getByRole('button', { name: /^Tile \d+, row/ });
}

/** @param {Page} page @param {number} tile */
export function tile(page, tile) {
  return boardOf(page).getByRole('button', { name: new RegExp(`^Tile ${tile}, row`) });
}

/**
 * The board that the page shows, from what its tiles say of themselves.
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
