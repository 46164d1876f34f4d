// Features of an exported page: tables in the browser's storage, and use without a network.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { ORIGIN, VIEWS, ask, assertLook, eventually, open, pageTest } from './support.js';

/** @typedef {import('./support.js').Page} Page */

const TABLE = '3x3-0ff-r8-aware.pdb';

pageTest('every view of an exported page is accessible', {}, async (page) => {
  for (const view of VIEWS) {
    await open(page, { board: '8,6,7/2,5,4/3,0,1', view });
    await page.locator(`#panel[data-view=${view}] > :not([hidden])`).first().waitFor();
    await assertLook(page, `exported ${view}`, ['light']);
  }
});

pageTest('the button “This browser” leads to its tables', {}, async (page) => {
  await open(page);
  const sign = page.getByRole('button', { name: 'This browser' });
  assert.match(await sign.getAttribute('title') ?? '', /no server is needed/);
  await sign.click();
  const view = tablesOf(page);
  await view.getByRole('row', { name: new RegExp(TABLE) }).waitFor();
  await view.getByText(/has room for [\d.]+ GB more\.$/).waitFor();
  await assertLook(page, 'tables in this browser', ['light']);
  await page.keyboard.press('Escape');
  await eventually(() => view.count(), 0);
});

pageTest('a table is saved as a file, deleted, and added again', {}, async (page) => {
  await open(page);
  await page.getByRole('button', { name: 'This browser' }).click();
  const view = tablesOf(page);
  const saving = page.waitForEvent('download');
  await view.getByRole('button', { name: `Save ${TABLE}` }).click();
  const saved = await saving;
  assert.equal(saved.suggestedFilename(), TABLE);
  const bytes = await readFile(await saved.path());
  await view.getByRole('button', { name: `Delete ${TABLE}` }).click();
  await view.getByText(`${TABLE} is deleted.`).waitFor();
  assert.equal(await view.getByRole('row', { name: new RegExp(TABLE) }).count(), 0);
  await view.getByLabel('Table files').setInputFiles({ name: `3x3-0ff-r8-aware (1).pdb`, mimeType: 'application/octet-stream', buffer: bytes });
  await view.getByText('3x3-0ff-r8-aware (1).pdb is added.').waitFor();
  await view.getByRole('row', { name: new RegExp(TABLE) }).waitFor();
});

pageTest('incomplete and wrong files are refused with a reason', {}, async (page) => {
  await open(page);
  await page.getByRole('button', { name: 'This browser' }).click();
  const view = tablesOf(page);
  const add = (/** @type {string} */ name, /** @type {Buffer} */ buffer) => view.getByLabel('Table files')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
  await add('notes.pdb', Buffer.from('no table'));
  await view.getByRole('alert').getByText('“notes.pdb” is no table.').waitFor();
  const whole = await tableFile(TABLE);
  await add(TABLE, whole.subarray(0, 8000));
  await view.getByRole('alert').getByText(`“${TABLE}” is not complete: it has 8000 of ${whole.length} bytes.`).waitFor();
  await add('3x3-00f-r4-aware.pdb', whole);
  await view.getByRole('alert').getByText('“3x3-00f-r4-aware.pdb” cannot be read as a table of this name.').waitFor();
  assert.equal(await view.getByRole('row', { name: /3x3-00f-r4/ }).count(), 0);
});

pageTest('a dropped table file is added', {}, async (page) => {
  await open(page);
  await page.evaluate(async (name) => {
    const { backend } = await import(new URL('backend.js', document.baseURI).href);
    const { tables } = await backend();
    const file = await tables.file(name);
    const bytes = await file.arrayBuffer();
    await tables.remove([name]);
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([bytes], name));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  }, TABLE);
  await tablesOf(page).getByText(`${TABLE} is added.`).waitFor();
});

pageTest('built tables are there after a reload and in another window', {}, async (page) => {
  await open(page, { board: '1,2,3/4,5,6/7,8,9/10,0,11' });
  const region = page.getByRole('region', { name: 'Tables' });
  await region.getByText(/^This browser builds and keeps them: nothing is downloaded\. It has room for /).waitFor();
  await region.getByRole('button', { name: /build / }).click();
  await region.getByText(/^✓ Boards of 4x3 are now searched with/).waitFor();
  const other = await page.context().newPage();
  for (const one of [page, other]) {
    await one.goto(`${ORIGIN}/`);
    await one.reload();
    await one.getByRole('button', { name: 'This browser' }).click();
    await tablesOf(one).getByRole('row', { name: /^3x4-/ }).first().waitFor();
  }
  // The other window is notified.
  await tablesOf(other).getByRole('button', { name: 'Delete all' }).click();
  await tablesOf(page).getByText('No tables are stored yet.').waitFor();
});

pageTest('the page works without a network after the first visit', { offline: true }, async (page) => {
  await open(page);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await eventually(() => page.evaluate(() => navigator.serviceWorker.controller !== null), true);
  await page.context().setOffline(true);
  await open(page, { board: '1,2,3/4,5,6/0,7,8', view: 'learn' });
  await page.reload();
  await page.getByRole('heading', { name: 'Learn', exact: true }).waitFor();
  await page.getByRole('link', { name: 'Solve', exact: true }).click();
  await page.getByRole('button', { name: 'Find a shortest solution' }).click();
  await page.getByRole('main').getByText('A shortest solution has 2 moves.').waitFor();
});

pageTest('a game is played and a solution found before the rest of the solver is loaded', { noTables: true, refusals: [404] }, async (page) => {
  await page.route(({ pathname }) => pathname.endsWith('/'), async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(/tilebase-rest\.wasm[^"]*/, 'nowhere.wasm');
    assert.match(body, /nowhere\.wasm/);
    await route.fulfill({ response, body });
  });
  await open(page, { board: '1,2,3/4,5,6/0,7,8' });
  await page.keyboard.press('h');
  const known = page.getByRole('region', { name: 'What is known of the board' });
  await known.getByText('moves to go').waitFor();
  await eventually(() => known.locator('.big-figure').textContent(), '2');
  await page.keyboard.press('ArrowLeft');
  await eventually(() => known.locator('.big-figure').textContent(), '1');
  await page.keyboard.press('ArrowLeft');
  await page.getByRole('region', { name: 'Finish' }).getByText('2 is the optimum. No solution is shorter.').waitFor();
  await open(page, { board: '8,6,7/2,5,4/3,0,1', view: 'solve' });
  await page.getByRole('button', { name: 'Find a shortest solution' }).click();
  await page.getByRole('main').getByText('A shortest solution has 31 moves.').waitFor();
  // All other requests need the rest, and fail with the reason.
  await assert.rejects(ask(page, 'v1/specs', { shape: '3x3' }), /A part of this page cannot be loaded: is there a network\?/);
});

pageTest('a hard search without the rest of the solver ends with an error, and works when it can be loaded', { noTables: true, refusals: [404] }, async (page) => {
  await page.route(/tilebase-rest\.wasm/, (route) => route.fulfill({ status: 404 }));
  await open(page, { board: '15,14,8,12/10,11,9,13/2,6,5,1/3,7,4,0', goal: 'blank-first', spec: 'manhattan', view: 'solve' });
  await page.getByRole('button', { name: 'Find a shortest solution' }).click();
  // Beside it, the list of heuristics says the same of itself.
  const problem = page.locator('.solve > .card > .problem');
  await problem.getByText('A part of this page cannot be loaded: is there a network?', { exact: true }).waitFor();
  await eventually(() => page.getByRole('button', { name: 'Stop' }).isVisible(), false);
  await page.unroute(/tilebase-rest\.wasm/);
  await page.getByRole('button', { name: 'Find a shortest solution' }).click();
  await page.getByRole('main').getByText(/No solution has fewer than \d+ moves\./).waitFor();
  await eventually(() => problem.isVisible(), false);
  await page.getByRole('button', { name: 'Stop' }).click();
});

pageTest('an animation of the solution is saved as SVG', {}, async (page) => {
  await open(page, { board: '1,2,3/4,5,6/0,7,8', view: 'solve' });
  await page.getByRole('button', { name: 'Find a shortest solution' }).click();
  const saving = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Save it as SVG' }).click();
  const saved = await saving;
  assert.equal(saved.suggestedFilename(), 'tilebase.svg');
  assert.match(await readFile(await saved.path(), 'utf8'), /^<svg [^]*<\/svg>\s*$/);
  assert.equal(await page.getByRole('link', { name: 'Save it as GIF' }).count(), 0);
});

/** @param {Page} page */
function tablesOf(page) {
  return page.getByRole('dialog', { name: 'Tables in this browser' });
}

/** @param {string} name */
async function tableFile(name) {
  return Buffer.from(await (await fetch(`${new URL(ORIGIN).origin}/tables/${name}`)).arrayBuffer());
}

pageTest('other sites find a title and a picture of the page', {}, async (page) => {
  await open(page);
  const of = (/** @type {string} */ property) => page.locator(`meta[property="og:${property}"]`).getAttribute('content');
  assert.match(await of('title') ?? '', /^Tilebase/);
  const picture = await fetch(new URL(await of('image') ?? '', `${ORIGIN}/`));
  assert.equal(picture.headers.get('content-type'), 'image/png');
});
