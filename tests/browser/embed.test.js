// The page in a frame of another site.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { ORIGIN, PHONE, assertLook, eventually, pageTest, screenshot, shownBoard, tile } from './support.js';

/** @typedef {import('./support.js').Page} Page */

const NEAR = '1,2,3/4,5,6/0,7,8';
const GOAL = '1 2 3/4 5 6/7 8 0';

/** @param {Page} page @param {string} fragment */
async function embedded(page, fragment) {
  await page.goto(`${ORIGIN}/?embed=1#${fragment}`);
  await page.getByRole('link', { name: 'Open in Tilebase' }).waitFor();
}

pageTest('an embedded game shows a board and a player only', {}, async (page) => {
  await embedded(page, `board=${NEAR}&moves=LL&step=0`);
  assert.equal(await page.getByRole('navigation').count(), 0);
  assert.equal(await page.getByRole('button', { name: 'New board' }).count(), 0);
  const player = page.getByRole('group', { name: 'Player of the game' });
  await player.getByText('At the start, 2 moves to go.').waitFor();
  await player.getByRole('button', { name: 'To the end' }).click();
  await eventually(() => shownBoard(page), GOAL);
  const link = await page.getByRole('link', { name: 'Open in Tilebase' }).getAttribute('href');
  assert.equal(link, `${ORIGIN}/#board=${NEAR}&moves=LL`);
});

pageTest('after own moves on an embedded board, a button leads back to its moves', {}, async (page) => {
  await embedded(page, `board=${NEAR}&moves=LL&step=0`);
  await tile(page, 4).click();
  await eventually(() => shownBoard(page), '1 2 3/0 5 6/4 7 8');
  assert.equal(await page.getByRole('group', { name: 'Player of the game' }).count(), 0);
  await page.getByRole('button', { name: 'Undo (U)' }).waitFor();
  await page.getByRole('button', { name: 'Back to these moves' }).click();
  await page.getByRole('group', { name: 'Player of the game' }).getByText('At the start, 2 moves to go.').waitFor();
  await eventually(() => shownBoard(page), '1 2 3/4 5 6/0 7 8');
});

pageTest('an embedded board without moves can be played', { ...PHONE, theme: 'dark' }, async (page) => {
  await embedded(page, `board=${NEAR}`);
  await tile(page, 7).tap();
  await tile(page, 8).tap();
  await eventually(() => shownBoard(page), GOAL);
  await assertLook(page, 'embedded', ['dark']);
});

pageTest('another site may frame the embedded page, and no other', { serverOnly: 'a static host sends no header that forbids frames' }, async (page) => {
  const html = (/** @type {string} */ address) => `<!doctype html><title>Blog</title><iframe src="${ORIGIN}${address}" width="360" height="520"></iframe>`;
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(html(request.url === '/embedded' ? `/?embed=1#board=${NEAR}&moves=LL&step=0` : `/#board=${NEAR}`));
  });
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', () => resolve(null)); });
  const address = server.address();
  const blog = `http://localhost:${typeof address === 'object' ? address?.port : ''}`;
  try {
    const context = page.context();
    const reader = await context.newPage();
    await reader.goto(`${blog}/embedded`);
    const frame = reader.frameLocator('iframe');
    await frame.getByRole('button', { name: 'One move on' }).click();
    const player = frame.getByRole('group', { name: 'Player of the game' });
    await player.getByText(/^Move 1 of 2: tile 7 left\. 1 to go\.$/).waitFor();
    await screenshot(reader, 'framed');
    // The back button of the blog belongs to the blog.
    assert.equal(await reader.evaluate(() => history.length), 2);
    await reader.goto(`${blog}/whole`);
    await reader.waitForTimeout(500);
    assert.equal(await reader.frameLocator('iframe').getByRole('button', { name: 'New board' }).count(), 0);
  } finally {
    server.close();
  }
});
