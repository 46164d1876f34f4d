// The page in a frame of another site.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { ORIGIN, PHONE, assertLook, eventually, open, openPart, pageTest, screenshot, shownBoard, tile } from './support.js';

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

pageTest('a frame has the colours that its address names', { theme: 'light' }, async (page) => {
  await page.goto(`${ORIGIN}/?embed=1&theme=dark#board=${NEAR}`);
  await page.getByRole('link', { name: 'Open in Tilebase' }).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
});

for (const [name, board, moves] of [['a board', NEAR, ''], ['a game', NEAR, 'LL'], ['a wide board', '1,2,3,4,5/6,7,8,0,9', 'L'], ['a tall board', '1,2/3,4/5,6/7,8/0,9', 'L']]) {
  pageTest(`the copied frame of ${name} is as large as what it shows`, {}, async (page) => {
    await open(page, moves === '' ? { board } : { board, moves });
    await openPart(page, 'Board as text');
    await page.getByRole('button', { name: 'Copy frame for a web page' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const html = await page.evaluate(() => navigator.clipboard.readText());
    const [, address, width, height] = /^<iframe src="([^"]+)" width="(\d+)" height="(\d+)" title="[^"]+" style="border: 0"><\/iframe>$/.exec(html) ?? [];
    await page.setViewportSize({ width: Number(width), height: Number(height) });
    await page.goto('about:blank');
    await page.goto(address.replaceAll('&amp;', '&'));
    await page.getByRole('link', { name: 'Open in Tilebase' }).waitFor();
    const { beyond, board: wide } = await page.evaluate(() => ({
      beyond: document.documentElement.scrollHeight - innerHeight, board: document.querySelector('#board .board')?.clientWidth ?? 0,
    }));
    assert.ok(beyond <= 0, `${beyond} pixels are below the frame`);
    assert.ok(wide > 0.85 * Number(width), `the board has ${wide} of ${width} pixels`);
    const end = await page.locator('.row.is-spread').boundingBox();
    assert.ok(end && Number(height) - end.y - end.height < 80, `${height} pixels for ${end && end.y + end.height}`);
  });
}

pageTest('one script puts boards on any page', {}, async (page) => {
  const script = await (await fetch(`${ORIGIN}/tilebase-board.js`)).text();
  const server = createServer((request, response) => {
    const isScript = request.url === '/tilebase-board.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.setHeader('content-security-policy', "default-src 'none'; script-src 'self'");
    response.end(isScript ? script : `<!doctype html><html lang="en"><title>Blog</title><link rel="icon" href="data:,"><script src="tilebase-board.js"></script><main><h1>Blog</h1>
      <tilebase-board id="played" board="${NEAR}" play></tilebase-board><tilebase-board id="watched" board="${NEAR}" moves="LL" theme="dark"></tilebase-board>
      <tilebase-board id="wrong" board="1 2 3"></tilebase-board><tilebase-board id="twice" board="1 2 3/4 5 6/7 7 0"></tilebase-board>
      <tilebase-board id="beyond" board="1 2 3/4 5 x/7 8 0"></tilebase-board></main></html>`);
  });
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', () => resolve(null)); });
  const address = server.address();
  try {
    const reader = await page.context().newPage();
    await reader.goto(`http://localhost:${typeof address === 'object' ? address?.port : ''}/`);
    await reader.evaluate(() => {
      document.addEventListener('tilebase-solved', (event) => { document.title = `solved ${/** @type {CustomEvent} */ (event).detail.moves}`; });
    });
    const played = reader.locator('#played');
    await played.getByRole('group', { name: 'Board: 1 2 3; 4 5 6; blank 7 8' }).waitFor();
    // A place that is as wide as what it contains gets a board of the usual width.
    await reader.evaluate(() => { /** @type {HTMLElement} */ (document.querySelector('main')).style.cssFloat = 'left'; });
    assert.equal((await played.boundingBox())?.width, 384);
    await played.getByRole('button', { name: 'Tile 8, row 3 column 3, can move left' }).click();
    await played.getByText('2 moves · solved').waitFor();
    assert.equal(await reader.title(), 'solved LL');
    await played.getByRole('button', { name: 'One move back' }).click();
    await reader.keyboard.press('ArrowDown');
    await played.getByRole('group', { name: 'Board: 1 2 3; 4 blank 6; 7 5 8' }).waitFor();
    const watched = reader.locator('#watched');
    await watched.getByRole('button', { name: 'One move on' }).click();
    await watched.getByText('Move 1 of 2').waitFor();
    await watched.getByRole('button', { name: 'Play' }).click();
    await watched.getByText('Move 2 of 2 · solved').waitFor();
    await reader.locator('#wrong').getByRole('alert').getByText('“1 2 3” is no board: its rows, with / between them,').waitFor();
    await reader.locator('#twice').getByRole('alert').getByText('“1 2 3/4 5 6/7 7 0” is no board: 7 is there twice.').waitFor();
    await reader.locator('#beyond').getByRole('alert').getByText('is no board: expected the numbers from 0, the blank, to 8.').waitFor();
    await screenshot(reader, 'element');
  } finally {
    server.close();
  }
});

pageTest('the page of the element shows its boards', {}, async (page) => {
  await page.goto(`${ORIGIN}/element.html`);
  await page.getByRole('img', { name: 'Board: 5 1 2 4; 9 6 3 8; 13 10 7 12; blank 14 11 15' }).waitFor();
  await page.getByRole('button', { name: /^Tile 7, .*can move left$/ }).click();
  await page.getByText('1 move', { exact: true }).waitFor();
  await assertLook(page, 'element page');
});

pageTest('another site may frame the embedded page, and no other', { serverOnly: 'a static host sends no header that forbids frames' }, async (page) => {
  const guide = readFileSync(new URL('../../docs/page.md', import.meta.url), 'utf8');
  const size = guide.match(/width="\d+" height="\d+"/)?.[0];
  const html = (/** @type {string} */ address) => `<!doctype html><title>Blog</title><iframe src="${ORIGIN}${address}" ${size}></iframe>`;
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
    const beyond = await frame.locator('html').evaluate((page) => page.scrollHeight - page.clientHeight);
    assert.equal(beyond, 0, `${beyond} pixels are below the frame of docs/page.md`);
    // The back button of the blog belongs to the blog.
    assert.equal(await reader.evaluate(() => history.length), 2);
    await reader.goto(`${blog}/whole`);
    await reader.waitForTimeout(500);
    assert.equal(await reader.frameLocator('iframe').getByRole('button', { name: 'New board' }).count(), 0);
  } finally {
    server.close();
  }
});
