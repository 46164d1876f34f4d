// The view Solve.

import assert from 'node:assert/strict';
import { ORIGIN, ask, assertLook, eventually, open, openWithHints, pageTest, screenshot, shownBoard, tile } from './support.js';

/** @typedef {import('./support.js').Page} Page */

const EIGHT = '8,6,7/2,5,4/3,0,1';
const EIGHT_SHOWN = '8 6 7/2 5 4/3 0 1';
const EIGHT_GOAL = '1 2 3/4 5 6/7 8 0';
/** Boards that take more than minutes without tables. */
const LARGE = '14,5,9,2,18/8,23,19,12,17/15,0,10,20,4/6,11,21,1,7/24,3,16,22,13';
const LARGE_GOAL = '1 2 3 4 5/6 7 8 9 10/11 12 13 14 15/16 17 18 19 20/21 22 23 24 0';
const HARD = '15,14,8,12/10,11,9,13/2,6,5,1/3,7,4,0';

pageTest('a search shows its bounds and ends with a shortest solution', {}, async (page) => {
  await open(page, { board: '4,10,12,8/5,1,6,14/11,0,3,7/13,9,15,2', spec: '15/5-5-5', view: 'solve' });
  await search(page);
  await result(page).getByText('A shortest solution has 45 moves.').waitFor();
  await page.getByText('As a table').click();
  const rows = page.getByRole('table').getByRole('row');
  const bounds = (await rows.locator('th[scope=row]').allTextContents()).map((text) => parseInt(text, 10));
  assert.ok(bounds.length > 3, `only ${bounds.length} bounds`);
  assert.deepEqual(bounds, bounds.map((_, at) => bounds[0] + 2 * at));
  assert.equal(bounds.at(-1), 45);
  await screenshot(page, 'solved 1280 light');
});

pageTest('a running search counts nodes, and stops on request', {}, async (page) => {
  await open(page, { board: HARD, spec: 'manhattan', goal: 'blank-first', view: 'solve' });
  await search(page);
  const nodes = () => figure(page, 'Nodes');
  await eventually(async () => Number((await nodes()).replace(/\D/g, '')) > 0, true);
  const early = await nodes();
  await eventually(async () => await nodes() !== early, true);
  await screenshot(page, 'solving 1280 light');
  await button(page, 'Stop').click();
  await result(page).getByText(/^The search was stopped\. (The best known solution has \d+ moves\. )?No solution has fewer than \d+ moves\.$/).waitFor();
  const end = await nodes();
  await page.waitForTimeout(500);
  assert.equal(await nodes(), end);
});

pageTest('the solution is watched, stepped through and scrubbed', {}, async (page) => {
  await open(page, { board: EIGHT, view: 'solve' });
  await search(page);
  await player(page).getByText('At the start, 31 moves to go.').waitFor();
  await button(page, 'One move on').click();
  await player(page).getByText(/^Move 1 of 31: tile \d (up|right|down|left)\. 30 to go\.$/).waitFor();
  await eventually(async () => await shownBoard(page) !== EIGHT_SHOWN, true);
  await button(page, 'One move back').click();
  await eventually(() => shownBoard(page), EIGHT_SHOWN);
  await page.getByRole('slider', { name: 'Position in the solution' }).fill('31');
  await player(page).getByText(/This is the goal\.$/).waitFor();
  await eventually(() => shownBoard(page), EIGHT_GOAL);
  await button(page, 'To the start').click();
  await page.getByRole('combobox', { name: 'Moves a second' }).selectOption('12');
  await button(page, 'Play').click();
  await player(page).getByText(/^Move [3-9] of 31/).waitFor();
  await button(page, 'Pause').click();
  const paused = await shownBoard(page);
  await page.waitForTimeout(400);
  assert.equal(await shownBoard(page), paused);
  await button(page, 'Play').click();
  await eventually(() => shownBoard(page), EIGHT_GOAL);
  await button(page, 'Play').waitFor();
});

pageTest('the board is the same after the player is left', {}, async (page) => {
  await open(page, { board: EIGHT, view: 'solve' });
  await search(page);
  await button(page, 'To the end').click();
  await eventually(() => shownBoard(page), EIGHT_GOAL);
  await page.getByRole('link', { name: 'Play', exact: true }).click();
  await eventually(() => shownBoard(page), EIGHT_SHOWN);
});

pageTest('a move during a solution continues from its board', {}, async (page) => {
  await open(page, { board: EIGHT, view: 'solve' });
  await search(page);
  await button(page, 'To the end').click();
  await eventually(() => shownBoard(page), EIGHT_GOAL);
  await tile(page, 8).click();
  await eventually(() => shownBoard(page), '1 2 3/4 5 6/7 0 8');
  await result(page).getByText('The last search was about another board.').waitFor();
  await result(page).getByText('A shortest solution has 1 move.').waitFor();
  await button(page, 'Go back to that board').click();
  await eventually(() => shownBoard(page), EIGHT_SHOWN);
});

pageTest('moves are copied in the chosen notation, and solve the board', {}, async (page) => {
  await open(page, { board: EIGHT, view: 'solve' });
  await search(page);
  await button(page, 'Copy').click();
  const letters = await copied(page);
  assert.equal(letters.replace(/\s/g, '').length, 31);
  await assertSolves(page, letters, 'tile');
  await page.getByRole('combobox', { name: 'Notation' }).selectOption('blank');
  await button(page, /^(Copy|Copied)$/).click();
  await eventually(async () => (await copied(page)) !== letters, true);
  await assertSolves(page, await copied(page), 'blank');
  await page.getByRole('combobox', { name: 'Notation' }).selectOption('tiles');
  await button(page, /^(Copy|Copied)$/).click();
  await eventually(async () => /^\d/.test(await copied(page)), true);
  await assertSolves(page, await copied(page), 'tiles');
});

pageTest('moves are copied where the browser denies the clipboard, as on an address without HTTPS', {}, async (page) => {
  await page.addInitScript(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('no secure origin'));
  });
  await open(page, { board: EIGHT, view: 'solve' });
  await search(page);
  await button(page, 'Copy').click();
  await button(page, 'Copied').waitFor();
  await assertSolves(page, await copied(page), 'tile');
});

pageTest('the animation shows the moves', { serverOnly: 'without a server, an animation is an SVG file' }, async (page) => {
  await open(page, { board: EIGHT, view: 'solve' });
  await search(page);
  for (const [name, type] of [['SVG', 'image/svg+xml'], ['GIF', 'image/gif']]) {
    const address = await page.getByRole('link', { name: new RegExp(name) }).getAttribute('href');
    const animation = await page.request.get(new URL(address ?? '', ORIGIN).href);
    assert.equal(animation.status(), 200);
    assert.match(animation.headers()['content-type'], new RegExp(`^${type.replace('+', '\\+')}`));
    if (name === 'SVG') assert.match(await animation.text(), /31 moves lead from/);
  }
});

pageTest('the progress of an animation is shown, and its file is saved', { serverOnly: 'without a server, an animation is an SVG file' }, async (page) => {
  let end = () => {};
  const ended = new Promise((resolve) => { end = () => resolve(null); });
  await page.route(/\/v1\/animation\?/, async (route) => {
    await ended;
    await route.continue();
  });
  await open(page, { board: EIGHT, view: 'solve' });
  await search(page);
  const link = page.getByRole('link', { name: 'Save it as GIF' });
  const saved = page.waitForEvent('download');
  await link.click();
  await result(page).getByText(/^The GIF is being drawn: /).waitFor();
  assert.equal(await link.getAttribute('aria-busy'), 'true');
  end();
  assert.equal((await saved).suggestedFilename(), 'tilebase.gif');
  await result(page).getByText('The GIF is saved.').waitFor();
});

pageTest('after the time limit, a longer search is offered if the server allows it', { serverOnly: 'it replaces an answer on the network, which workers do not use' }, async (page) => {
  const limited = { board: EIGHT_SHOWN, goal: EIGHT_GOAL, spec: 'manhattan', status: 'limit', limit: 'time', lower_bound: 27, generated: 1000, expanded: 900, seconds: 60 };
  let more = {};
  await page.route(/\/v1\/solve\?/, async (route) => {
    if (route.request().url().includes('time_limit')) return route.continue();
    const body = `event: answer\ndata: ${JSON.stringify({ ...limited, ...more })}\n\n`;
    return route.fulfill({ contentType: 'text/event-stream', body });
  });
  await open(page, { board: EIGHT, view: 'solve' });
  await search(page);
  await result(page).getByText(/^The search ended early: the time limit of a search was reached\. No solution has fewer than 27 moves\.$/).waitFor();
  await result(page).getByText(/^The search took 1 min, and no longer one is allowed here\./).waitFor();
  await screenshot(page, 'limit without more');
  more = { next_time_limit: '600s' };
  await search(page);
  await button(page, 'Search again, for up to 10 min').click();
  await result(page).getByText('A shortest solution has 31 moves.').waitFor();
});

pageTest('the best solution of a time is asked for', { serverOnly: 'it reads the requests of the page' }, async (page) => {
  await open(page, { board: LARGE, spec: 'manhattan', view: 'solve' });
  await page.getByRole('combobox', { name: 'Search' }).first().selectOption('best of 2 s');
  const asked = page.waitForRequest(/\/v1\/solve\?/);
  await button(page, 'Find the best solution of 2 s').click();
  assert.equal(new URL((await asked).url()).searchParams.get('within'), '2s');
  await result(page).getByText(/^The best known solution has \d+ moves\. No solution has fewer than \d+ moves\.$/).waitFor();
  await eventually(() => button(page, 'Stop').count(), 0);
});

pageTest('a heuristic is called the best only if the server ranks its tables first', {}, async (page) => {
  const first = async () => (await page.getByRole('combobox', { name: 'Heuristic' }).first().locator('option').allTextContents())[0];
  await open(page, { board: LARGE, view: 'solve' });
  await eventually(first, 'the default: manhattan');
  await open(page, { board: HARD, view: 'solve' });
  const { default: { spec, is_fallback: isFallback } } = await ask(page, '/v1/specs', { shape: '4x4', goal: 'blank-last' });
  assert.equal(isFallback, false);
  await eventually(first, `the best tables: ${spec}`);
});

pageTest('a board that the solver does not take has one message, and no controls of a search', {}, async (page) => {
  const rows = Array.from({ length: 10 }, (_, row) => Array.from({ length: 10 }, (__, col) => (row * 10 + col + 1) % 100).join(','));
  await open(page, { board: rows.join('/').replace('98,99,0', '98,0,99'), view: 'solve' });
  const message = page.getByText('The solver takes boards of at most 64 cells, and one of 10 rows and 10 columns has 100.');
  await message.waitFor();
  assert.equal(await message.count(), 1);
  for (const control of ['Find a shortest solution', 'Start the race']) assert.equal(await button(page, control).count(), 0);
  assert.equal(await result(page).locator('#panel').getByRole('combobox').count(), 0);
});

pageTest('only available heuristics are offered, and errors are for readers', { refusals: [409] }, async (page) => {
  await open(page, { board: '1,2,3,4,5/6,7,8,9,10/11,12,13,14,15/16,17,18,19,20/21,22,23,0,24', spec: '24/6-6-6-6', view: 'solve' });
  const heuristics = page.getByRole('combobox', { name: 'Heuristic' }).first();
  await eventually(async () => (await heuristics.locator('option').allTextContents()).includes('pairwise'), true);
  const names = await heuristics.locator('option').allTextContents();
  assert.deepEqual(names.filter((name) => name.startsWith('walking')), []);
  await search(page);
  await result(page).getByText('The tables of this request are not built, or cannot be opened.', { exact: true }).waitFor();
  await screenshot(page, 'tables are missing');
  await button(page, 'Use the default').click();
  await result(page).getByText('A shortest solution has 1 move.').waitFor();
});

pageTest('errors on the page name no address, no command and no option', {}, async (page) => {
  await open(page);
  const texts = [
    'the tables are not built: GET /v1/specs lists tables; name another spec',
    'the work took too long: start the server with a longer limit, as in tilebase serve --time-limit 10min',
    'the request comes from a page of another server: start this one with --allow-origin for it',
    '5 cells make no board of at least 2 rows and 2 columns: for a board of one line, 1x5 or 5x1, give the size',
    '6 cells make 2x3 or 3x2: separate the rows with / or give the size',
  ];
  assert.deepEqual(await page.evaluate(async (told) => {
    const api = await import(new URL('api.js', document.baseURI).href);
    return told.map(api.sentence);
  }, texts), ['The tables are not built: name another spec.', 'The work took too long.', 'The request comes from a page of another server.',
    '5 cells make no board of at least 2 rows and 2 columns.', '6 cells make 2x3 or 3x2: separate the rows with /.']);
});

pageTest('two heuristics race, and the better one generates fewer nodes', {}, async (page) => {
  await open(page, { board: EIGHT, view: 'solve' });
  await page.getByRole('group', { name: 'A', exact: true }).getByRole('combobox', { name: 'Heuristic' }).selectOption('manhattan');
  await page.getByRole('group', { name: 'B', exact: true }).getByRole('combobox', { name: 'Heuristic' }).selectOption('8/whole');
  await button(page, 'Start the race').click();
  await result(page).getByText(/A generated [\d,.]+ times as many nodes\.$/).waitFor();
  await screenshot(page, 'raced 1280 light');
});

pageTest('an unsolvable board shows the reason and offers another goal', {}, async (page) => {
  await open(page, { board: '1,2,3,4/5,6,7,8/9,10,11,12/13,15,14,0', view: 'solve' });
  await search(page);
  await result(page).getByText(/leads? to th(e|is) goal.*parit/).waitFor();
  await button(page, 'Make blank first the goal').click();
  await page.waitForURL(/goal=blank-first/);
});

pageTest('a move ends the search of the old board', { serverOnly: 'it watches the connection of the search' }, async (page) => {
  await open(page, { board: HARD, spec: 'manhattan', goal: 'blank-first', view: 'solve' });
  const ended = page.waitForEvent('requestfailed', (request) => request.url().includes('/v1/solve'));
  await search(page);
  await eventually(async () => (await figure(page, 'Nodes')).length > 0, true);
  await tile(page, 4).click();
  await ended;
});

pageTest('a solution appears within a second, becomes shorter, and stays after a stop', {}, async (page) => {
  await open(page, { board: LARGE, spec: 'manhattan', view: 'solve' });
  const { moves, waited } = await page.evaluate(async (board) => {
    const api = await import(new URL('api.js', document.baseURI).href);
    const [stop, begun] = [new AbortController(), performance.now()];
    /** @type {number[]} */
    const lengths = [];
    const solution = (/** @type {{ length: number }} */ { length }) => {
      if (lengths.push(length) === 2) stop.abort();
    };
    await api.stream('/v1/solve', { board, spec: 'manhattan' }, { signal: stop.signal, on: { solution } }).catch(() => {});
    return { moves: lengths[1], waited: performance.now() - begun };
  }, LARGE);
  // The solution by lines is followed by that of a beam, whose boards a network chooses. By Manhattan distance, that one
  // has 191 moves.
  assert.ok(moves <= 130 && waited < 5000, `${moves} moves, ${waited} ms`);
  await search(page);
  await known(page).waitFor();
  await screenshot(page, 'improving first 1280 light');
  // The second solution may be there before the first one is looked at.
  await eventually(async () => (await knownNumbers(page))[0] <= moves, true);
  await screenshot(page, 'improving later 1280 light');
  await button(page, 'Stop').click();
  await result(page).getByText(/^The search was stopped\. The best known solution has \d+ moves\. No solution has fewer than \d+ moves\.$/).waitFor();
  const [length, bound] = await knownNumbers(page);
  assert.ok(bound <= length && length <= moves, `${bound} ${length} ${moves}`);
  await page.getByRole('img', { name: `The best known solution has ${length} moves. No solution has fewer than ${bound} moves.` }).waitFor();
  await button(page, 'To the end').click();
  await eventually(() => shownBoard(page), LARGE_GOAL);
  await button(page, 'To the start').click();
  await assertLook(page, 'improving stopped');
  await page.setViewportSize({ width: 360, height: 740 });
  await assertLook(page, 'improving stopped');
  await page.getByRole('link', { name: 'Play', exact: true }).click();
  await page.getByRole('radio', { name: 'No hints' }).waitFor({ state: 'attached' });
  await page.locator('body').press('h');
  await page.getByText(`${bound}–${length}`).waitFor();
  await assertLook(page, 'bounds in play');
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('link', { name: 'Solve', exact: true }).click();
  await known(page).waitFor();
  assert.equal((await knownNumbers(page))[0], length);
  await player(page).getByText(`At the start, ${length} moves to go.`).waitFor();
});

pageTest('a shorter solution does not replace the one that is watched', {}, async (page) => {
  await open(page, { board: LARGE, spec: 'manhattan', view: 'solve' });
  await page.evaluate(async ([text, goalText]) => {
    const [api, puzzle, { learn }] = await Promise.all(['api.js', 'board.js', 'bounds.js'].map((name) => import(new URL(name, document.baseURI).href)));
    const { moves } = await api.get('/v1/solve', { board: text, spec: 'manhattan', moves: 'tile', within: '100ms' });
    const [board, goal] = [text, goalText].map(puzzle.parse);
    // A solution that goes there and back first: every search finds a shorter one.
    learn({ board, goal }, { moves: puzzle.directionsOf(`${'RL'.repeat(20)}${moves}`) });
  }, [LARGE, LARGE_GOAL]);
  await button(page, 'One move on').click();
  const watched = await player(page).getByText(/^Move 1 of \d+/).innerText();
  await search(page);
  await result(page).getByText(/^A solution of \d+ moves is known now\.$/).waitFor();
  await player(page).getByText(watched, { exact: true }).waitFor();
  await button(page, 'Stop').click();
  await button(page, 'Show it').click();
  const [length] = await knownNumbers(page);
  await player(page).getByText(`At the start, ${length} moves to go.`).waitFor();
});

pageTest('what is known of a board survives a reload, and other windows of the page know it', {}, async (page) => {
  const other = await page.context().newPage();
  await open(other, { board: LARGE, spec: 'manhattan', view: 'solve' });
  await open(page, { board: LARGE, spec: 'manhattan', view: 'solve' });
  await search(page);
  await known(page).waitFor();
  await button(page, 'Stop').click();
  await result(page).getByText(/^The search was stopped\./).waitFor();
  const [length] = await knownNumbers(page);
  await player(other).getByText(`At the start, ${length} moves to go.`).waitFor();
  await page.reload();
  await player(page).getByText(`At the start, ${length} moves to go.`).waitFor();
  await button(page, 'To the end').click();
  await eventually(() => shownBoard(page), LARGE_GOAL);
  await other.close();
});

pageTest('what the browser keeps of the boards is bounded, and rubbish in its place does no harm', {}, async (page) => {
  await open(page, { board: '1,2,3/4,5,6/0,7,8' });
  await page.evaluate(() => localStorage.setItem('tilebase-bounds', '[{"key":"1,2 x","moves":"?"},3]'));
  await page.reload();
  await page.getByRole('radio', { name: 'No hints' }).waitFor({ state: 'attached' });
  await page.keyboard.press('h');
  await result(page).getByText('moves to go').waitFor();
  const count = await page.evaluate(async () => {
    const [puzzle, { learn }] = await Promise.all(['board.js', 'bounds.js'].map((name) => import(new URL(name, document.baseURI).href)));
    const goal = puzzle.goalOf('blank-last', 4, 4);
    for (let at = 0; at < 250; at += 1) learn({ board: puzzle.shuffled(goal), goal }, { lowerBound: 30 });
    window.dispatchEvent(new Event('pagehide'));
    return JSON.parse(localStorage.getItem('tilebase-bounds') ?? '[]').length;
  });
  assert.equal(count, 200);
});

pageTest('a search that finds nothing keeps the known solution', { serverOnly: 'it replaces an answer on the network, which workers do not use' }, async (page) => {
  /** @type {[string, object] | null} */
  let answer = null;
  await page.route(/\/v1\/solve\?/, (route) => (answer === null ? route.continue()
    : route.fulfill({ contentType: 'text/event-stream', body: `event: ${answer[0]}\ndata: ${JSON.stringify(answer[1])}\n\n` })));
  await open(page, { board: LARGE, spec: 'manhattan', view: 'solve' });
  await search(page);
  await known(page).waitFor();
  await button(page, 'Stop').click();
  await result(page).getByText(/^The search was stopped\./).waitFor();
  const [length] = await knownNumbers(page);
  const limited = { board: '', goal: '', spec: 'manhattan', status: 'limit', limit: 'memory', length: null, moves: null, lower_bound: 91, generated: 1000, expanded: 900, seconds: 7 };
  answer = ['answer', limited];
  await search(page);
  await result(page).getByText(`The search ended early: the memory was full. The best known solution has ${length} moves. No solution has fewer than 91 moves.`).waitFor();
  await player(page).getByText(`At the start, ${length} moves to go.`).waitFor();
  answer = ['problem', { status: 500, title: 'Internal Server Error', detail: 'the work panicked: see the server\'s log' }];
  await search(page);
  await result(page).getByText('The work panicked: see the server\'s log.').waitFor();
  await result(page).getByText(`The best known solution has ${length} moves. No solution has fewer than 91 moves.`, { exact: true }).waitFor();
  await player(page).getByText(`At the start, ${length} moves to go.`).waitFor();
});

pageTest('what Play has proved is known in Solve', { serverOnly: 'it replaces an answer on the network, which workers do not use' }, async (page) => {
  await page.route(/\/v1\/moves\?/, (route) => {
    const record = { board: '', goal: '', spec: 'manhattan', status: 'limit', limit: 'time', distance: null, lower_bound: 95, moves: [], generated: 1, seconds: 1 };
    return route.fulfill({ contentType: 'application/json', body: JSON.stringify(record) });
  });
  await openWithHints(page, { board: LARGE, spec: 'manhattan' });
  await page.getByText('≥ 95').waitFor();
  await page.getByRole('link', { name: 'Solve', exact: true }).click();
  await result(page).getByText('No solution has fewer than 95 moves.', { exact: true }).waitFor();
  await search(page);
  await known(page).waitFor();
  assert.equal((await knownNumbers(page))[1], 95);
});

pageTest('a distance of Play is known in Solve, and a solution of Solve in Play', {}, async (page) => {
  await openWithHints(page, { board: EIGHT });
  await page.getByText('31', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Solve', exact: true }).click();
  await result(page).getByText('A shortest solution has 31 moves.').waitFor();
  await search(page);
  await player(page).getByText('At the start, 31 moves to go.').waitFor();
});

/** @param {Page} page @param {string | RegExp} name */
function button(page, name) {
  return page.getByRole('button', { name, exact: typeof name === 'string' });
}

/** Returns the view, without the texts for screen readers. @param {Page} page */
function result(page) {
  return page.getByRole('main');
}

/** @param {Page} page */
async function search(page) {
  await button(page, 'Find a shortest solution').click();
}

/** @param {Page} page */
function player(page) {
  return page.getByRole('group', { name: 'Player of the solution' });
}

/** Returns the sentences about the best known solution. @param {Page} page */
function known(page) {
  return result(page).getByText(/The best known solution has \d+ moves\. No solution has fewer than \d+ moves\.$/);
}

/** Returns the length of the best known solution, and the lower bound. @param {Page} page @returns {Promise<number[]>} */
async function knownNumbers(page) {
  const [, ...numbers] = /has (\d+) moves\. .* than (\d+) moves/.exec(await known(page).innerText()) ?? [];
  return numbers.map(Number);
}

/** @param {Page} page */
function copied(page) {
  return page.evaluate(() => navigator.clipboard.readText());
}

/** @param {Page} page @param {string} name @returns {Promise<string>} */
async function figure(page, name) {
  const text = await page.locator('dl', { hasText: name }).first().innerText();
  return new RegExp(`^${name}\\s+(.*)$`, 'm').exec(text)?.[1] ?? '';
}

/** @param {Page} page @param {string} sequence @param {string} moves */
async function assertSolves(page, sequence, moves) {
  const params = { board: EIGHT_SHOWN, sequence, moves };
  const answer = await ask(page, '/v1/check', params);
  assert.deepEqual([answer.solves, answer.length, answer.optimal], [true, 31, true], `${sequence}: ${JSON.stringify(answer)}`);
}
