// What the page costs before anything is done, and what it may not do.

import assert from 'node:assert/strict';
import { ORIGIN, open, person, screenshot } from './support.js';

const FIRST_VIEW_BYTES_MAX = 200_000;
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
  + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

person('the first view takes less than 200 kB', {}, async (page) => {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  let bytes = 0;
  let files = 0;
  session.on('Network.loadingFinished', (event) => {
    bytes += event.encodedDataLength;
    files += 1;
  });
  await open(page);
  await page.waitForLoadState('networkidle');
  const timing = await page.evaluate(() => {
    const [navigation] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType('navigation'));
    const paint = performance.getEntriesByName('first-contentful-paint')[0];
    return [navigation.domContentLoadedEventEnd, navigation.loadEventEnd, paint?.startTime ?? NaN].map(Math.round);
  });
  console.log(`first view: ${bytes} bytes in ${files} answers; content loaded after ${timing[0]} ms, `
    + `all after ${timing[1]} ms, painted after ${timing[2]} ms`);
  assert.ok(files > 3, `only ${files} files`);
  assert.ok(bytes < FIRST_VIEW_BYTES_MAX, `${bytes} bytes, not less than ${FIRST_VIEW_BYTES_MAX}`);
});

person('views are loaded when they are first opened', {}, async (page) => {
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

person('a view that cannot be loaded says so, and how to go on', { refusals: [502] }, async (page) => {
  await open(page);
  await page.route('**/views/learn.js', (route) => route.fulfill({ status: 502 }));
  await page.getByRole('link', { name: 'Learn' }).click();
  const alert = page.getByRole('alert').filter({ visible: true });
  await alert.getByText(/“Learn” cannot be loaded: the server does not answer/).waitFor();
  await screenshot(page, 'view that cannot be loaded');
  await page.unroute('**/views/learn.js');
  await alert.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Learn', exact: true }).waitFor();
});

person('every file says what it is and what it may do', {}, async (page) => {
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

person('a path that is not there is not found', { refusals: [404] }, async (page) => {
  const answer = await page.goto(`${ORIGIN}/nothing-here`);
  assert.equal(answer?.status(), 404);
});
