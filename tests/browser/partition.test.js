// The view Partition.

import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { ask, eventually, open, pageTest, screenshot } from './support.js';

/** @typedef {import('./support.js').Page} Page */

const EIGHT = '8,6,7/2,5,4/3,0,1';
const FIFTEEN = '5,1,2,4/9,6,3,8/13,10,7,12/14,0,11,15';

pageTest('the first drawing is a shipped partition, and another one can be chosen', {}, async (page) => {
  await open(page, { board: FIFTEEN, view: 'partition' });
  await eventually(async () => new Set((await drawn(page)).replace(/[^A-Z]/g, '')).size > 1, true);
  await page.getByRole('button', { name: /15\/6-6-3(?!-)/ }).click();
  await eventually(() => drawn(page), 'ABBB/AACC/AACC/ACC.');
});

pageTest('a partition is painted with the mouse, and its sizes are shown', {}, async (page) => {
  await open(page, { board: EIGHT, view: 'partition' });
  await begin(page);
  await choose(page, 'A');
  await drag(page, 0, 2);
  await eventually(() => drawn(page), 'AAA/---/--.');
  await page.getByText(/not in (a|any) pattern|no pattern/i).first().waitFor();
  await choose(page, 'B');
  await drag(page, 3, 5);
  await drag(page, 6, 8);
  await eventually(() => drawn(page), 'AAA/BBB/BB.');
  const plan = page.getByRole('region', { name: 'Cost of the tables' });
  await plan.getByText('3 tiles').waitFor();
  await plan.getByText('5 tiles').waitFor();
  // 3 of 8 tiles on 9 cells, and the regions of the blank: 528 entries; 5 tiles: 5 times as many ways and more.
  await plan.getByText(/^[\d,]+ entries · \d+(\.\d)? kB/).first().waitFor();
  await button(page, 'Undo').click();
  await eventually(() => drawn(page), 'AAA/BBB/--.');
  await button(page, 'Redo').click();
  await eventually(() => drawn(page), 'AAA/BBB/BB.');
});

pageTest('a partition is painted with the keyboard', {}, async (page) => {
  await open(page, { board: EIGHT, view: 'partition' });
  await begin(page);
  await cell(page, 0).focus();
  await page.keyboard.press('a');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Space');
  await page.keyboard.press('Shift+ArrowRight');
  await eventually(() => drawn(page), 'AAA/---/--.');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('2');
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('b');
  await eventually(() => drawn(page), 'AAA/BBB/B-.');
  await page.keyboard.press('Delete');
  await eventually(() => drawn(page), 'AAA/BBB/--.');
  await page.keyboard.press('Control+z');
  await eventually(() => drawn(page), 'AAA/BBB/B-.');
});

pageTest('a spec is saved as TOML and loaded as the same drawing', {}, async (page) => {
  await open(page, { board: EIGHT, view: 'partition' });
  await paint(page);
  const area = page.getByRole('textbox', { name: 'Spec as TOML' });
  await eventually(async () => /partition = """\s*A A A\s*B B B\s*B B \.\s*"""/.test(await area.inputValue()), true);
  const toml = await area.inputValue();
  const download = page.waitForEvent('download');
  await button(page, 'Save as a file').click();
  assert.match((await download).suggestedFilename(), /\.toml$/);
  await button(page, 'Clear').click();
  await eventually(() => drawn(page), '---/---/--.');
  await page.locator('#pt-file').setInputFiles({ name: 'mine.toml', mimeType: 'application/toml', buffer: Buffer.from(toml) });
  await eventually(() => drawn(page), 'AAA/BBB/BB.');
  await area.fill(toml.replace('A A A', 'A A B'));
  await button(page, 'Draw this text').click();
  await eventually(() => drawn(page), 'AAB/BBB/BB.');
});

pageTest('a text that is no spec is refused with a reason, and the drawing stays', { refusals: [400] }, async (page) => {
  await open(page, { board: EIGHT, view: 'partition' });
  await paint(page);
  await page.getByRole('textbox', { name: 'Spec as TOML' }).fill('goal = 3');
  await button(page, 'Draw this text').click();
  const alert = page.getByRole('alert').filter({ hasText: /\w/ });
  await alert.first().waitFor();
  assert.match(await alert.first().innerText(), /\w+ \w+ \w+/);
  assert.equal(await drawn(page), 'AAA/BBB/BB.');
});

pageTest('a build shows its progress, and the page searches with the tables', { serverOnly: 'it reads the request of the search' }, async (page) => {
  await open(page, { board: EIGHT, view: 'partition' });
  await paint(page);
  await button(page, /^Build 2 tables, /).click();
  const build = page.getByRole('region', { name: 'Build' }).first();
  await build.getByRole('progressbar').first().waitFor();
  await build.getByText(/ is built$/).first().waitFor();
  await page.getByText(/mean value \d+\.\d\d/).first().waitFor();
  await page.getByText('yours', { exact: true }).waitFor();
  await screenshot(page, 'built 1280 light');
  await button(page, 'Use it for this page').click();
  await page.waitForURL(/spec=drawn\/[0-9a-f]+/);
  await page.getByRole('link', { name: 'Solve', exact: true }).click();
  const answered = page.waitForResponse((response) => response.url().includes('/v1/solve'));
  await button(page, 'Find a shortest solution').click();
  assert.match((await answered).url(), /spec=drawn%2F[0-9a-f]+/);
  await page.getByRole('main').getByText('A shortest solution has 31 moves.').waitFor();
});

pageTest('where builds are refused, a drawing says whom to ask', { serverOnly: 'it replaces an answer on the network, which workers do not use' }, async (page) => {
  await page.route('**/v1/builds', (route) => route.fulfill({ json: { allowed: false, builds: [] } }));
  await open(page, { board: EIGHT, view: 'partition' });
  await begin(page);
  // No test builds these tables.
  await choose(page, 'A');
  for (const [from, to] of [[0, 2], [3, 4]]) await drag(page, from, to);
  await choose(page, 'B');
  await button(page, 'Fill the rest with B').click();
  await eventually(() => drawn(page), 'AAA/AAB/BB.');
  await page.getByText('This server builds no tables. Whoever runs it can allow it, or build these from the file of your drawing.', { exact: true }).waitFor();
});

pageTest('a cancelled build leaves no files', { serverOnly: 'it replaces an answer on the network, which workers do not use' }, async (page) => {
  await open(page, { board: FIFTEEN, view: 'partition' });
  await begin(page);
  await choose(page, 'A');
  for (const [from, to] of [[0, 3], [0, 12], [5, 5]]) await drag(page, from, to);
  await button(page, /^Fill the rest with/).waitFor();
  await choose(page, 'B');
  await button(page, 'Fill the rest with B').click();
  await eventually(() => drawn(page), 'AAAA/AABB/ABBB/ABB.');
  const before = await files();
  await button(page, /^Build \d tables?, /).click();
  const build = page.getByRole('region', { name: 'Build' }).first();
  await build.getByText(/[1-9][\d,]* of [\d,]+\s+entries/).first().waitFor();
  // The answer to the cancellation may come after the last event, but is older.
  const answered = delayAnswers(page, '**/v1/builds/*', 'DELETE', 3000);
  await button(page, 'Cancel').click();
  await build.getByText(/was cancelled$/).waitFor();
  await answered;
  await build.getByText(/was cancelled$/).waitFor();
  await button(page, /^Build \d tables?, /).waitFor();
  const { builds } = await ask(page, '/v1/builds');
  assert.equal(builds.findLast((/** @type {{ spec: string }} */ { spec }) => spec.startsWith('drawn/')).status, 'cancelled');
  assert.deepEqual(await files(), before);
});

pageTest('a drawing survives a visit of another view and a reload', {}, async (page) => {
  await open(page, { board: EIGHT, view: 'partition' });
  await paint(page);
  await page.getByRole('link', { name: 'Play', exact: true }).click();
  await page.getByRole('region', { name: 'What is known of the board' }).waitFor();
  await page.getByRole('link', { name: 'Partition', exact: true }).click();
  await eventually(() => drawn(page), 'AAA/BBB/BB.');
  await page.reload();
  await eventually(() => drawn(page), 'AAA/BBB/BB.');
});

/**
 * Delays the next answer to a request. The promise resolves when the page has the answer.
 * @param {Page} page @param {string} address @param {string} method @param {number} milliseconds
 */
function delayAnswers(page, address, method, milliseconds) {
  return new Promise((resolve) => {
    void page.route(address, async (route) => {
      if (route.request().method() !== method) return route.fallback();
      const response = await route.fetch();
      await page.waitForTimeout(milliseconds);
      await route.fulfill({ response });
      await page.waitForTimeout(200);
      resolve(undefined);
    });
  });
}

/** Returns the files of 4x4 tables on the server, without records of checks. Tests of other files may build other tables. */
async function files() {
  return (await readdir(process.env.TILEBASE_DB ?? '')).filter((name) => name.includes('4x4-') && !name.endsWith('.checked')).sort();
}

/** @param {Page} page @param {string | RegExp} name */
function button(page, name) {
  return page.getByRole('button', { name, exact: typeof name === 'string' });
}

/** @param {Page} page @param {number} at */
function cell(page, at) {
  return page.getByRole('gridcell').nth(at);
}

/** Waits for the first drawing, and clears it. @param {Page} page */
async function begin(page) {
  // When the shipped partitions are listed, the view has replaced its first drawing.
  await page.locator('.pt-start').first().waitFor();
  if (await button(page, 'Clear').isEnabled()) await button(page, 'Clear').click();
  await eventually(async () => /^[-./]+$/.test(await drawn(page)), true);
}

/** Paints the first row as one pattern, and the others as another. @param {Page} page */
async function paint(page) {
  await begin(page);
  await choose(page, 'A');
  await drag(page, 0, 2);
  await choose(page, 'B');
  await button(page, 'Fill the rest with B').click();
  await eventually(() => drawn(page), 'AAA/BBB/BB.');
}

/** Chooses the brush of a pattern. @param {Page} page @param {string} letter */
async function choose(page, letter) {
  await page.getByRole('radio', { name: new RegExp(`^Pattern ${letter},`) }).check({ force: true });
}

/** Draws a stroke from one cell to another. @param {Page} page @param {number} from @param {number} to */
async function drag(page, from, to) {
  const [begins, ends] = [await cell(page, from).boundingBox(), await cell(page, to).boundingBox()];
  assert.ok(begins && ends);
  await page.mouse.move(begins.x + begins.width / 2, begins.y + begins.height / 2);
  await page.mouse.down();
  await page.mouse.move(ends.x + ends.width / 2, ends.y + ends.height / 2, { steps: 3 });
  await page.mouse.up();
}

/** Reads the drawing from its cells: letters, `-` for no pattern, `.` for the blank. @param {Page} page @returns {Promise<string>} */
async function drawn(page) {
  const rows = await page.getByRole('grid').getByRole('row').all();
  const lines = await Promise.all(rows.map(async (row) => {
    const cells = await row.getByRole('gridcell').allTextContents();
    return cells.map((text) => /^Pattern ([A-Z])/.exec(text)?.[1] ?? (text.startsWith('blank') ? '.' : '-')).join('');
  }));
  return lines.join('/');
}
