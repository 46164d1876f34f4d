// Size of the first view, loading of other views, and headers.

import assert from 'node:assert/strict';
import { ORIGIN, open, pageTest, screenshot } from './support.js';

const FIRST_VIEW_BYTES_MAX = 200_000;
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
  + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

pageTest('the first view has less than 200 kB', { serverOnly: 'an exported page also loads the solver' }, async (page) => {
  await open(page);
  await page.waitForLoadState('networkidle');
  const sizes = await page.evaluate(() => {
    const entries = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
    return /** @type {PerformanceResourceTiming[]} */ (entries).map(({ decodedBodySize }) => decodedBodySize);
  });
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  assert.ok(sizes.length > 20, `only ${sizes.length} files`);
  assert.ok(bytes < FIRST_VIEW_BYTES_MAX, `${bytes} bytes, not less than ${FIRST_VIEW_BYTES_MAX}`);
});

pageTest('views are loaded when they are first opened', {}, async (page) => {
  /** @type {string[]} */
  const asked = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await open(page);
  await page.waitForLoadState('networkidle');
  const isLater = (/** @type {string} */ file) => /solve|race|partition|learn|lesson/.test(file) && file.endsWith('.js');
  assert.deepEqual(asked.filter(isLater), []);
  await page.getByRole('link', { name: 'Learn' }).click();
  await page.getByRole('heading', { name: 'Learn', exact: true }).waitFor();
  assert.ok(asked.some(isLater), 'the view came from nowhere');
});

pageTest('a view that cannot be loaded explains how to continue', { refusals: [502] }, async (page) => {
  await open(page);
  await page.route('**/views/learn/learn.js', (route) => route.fulfill({ status: 502 }));
  await page.getByRole('link', { name: 'Learn' }).click();
  const alert = page.getByRole('alert').filter({ visible: true });
  await alert.getByText(/“Learn” cannot be loaded: the server does not answer/).waitFor();
  await screenshot(page, 'view that cannot be loaded');
  await page.unroute('**/views/learn/learn.js');
  await alert.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Learn', exact: true }).waitFor();
});

pageTest('every file has its type and a content security policy', { serverOnly: 'a static host sends no headers of ours' }, async (page) => {
  /** @type {import('playwright-core').Response[]} */
  const answers = [];
  page.on('response', (response) => answers.push(response));
  await open(page);
  for (const answer of answers.filter((response) => !new URL(response.url()).pathname.startsWith('/v1/'))) {
    const headers = answer.headers();
    assert.equal(headers['content-security-policy'], POLICY, answer.url());
    assert.equal(headers['x-content-type-options'], 'nosniff', answer.url());
    assert.match(headers['content-type'], typeOf(answer.url()), answer.url());
  }
});

/** @param {string} url */
function typeOf(url) {
  const { pathname } = new URL(url);
  if (pathname.endsWith('.js')) return /^text\/javascript/;
  if (pathname.endsWith('.css')) return /^text\/css/;
  return pathname.endsWith('.svg') ? /^image\/svg\+xml/ : /^text\/html/;
}

pageTest('an unknown path is not found', { refusals: [404] }, async (page) => {
  const answer = await page.goto(`${ORIGIN}/nothing-here`);
  assert.equal(answer?.status(), 404);
});
