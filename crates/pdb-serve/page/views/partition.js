// @ts-check
// Draw a partition, see what it takes, build its tables, and see what they are worth.

import * as puzzle from '../board.js';
import { button, el, fill, formatBytes, plural, select } from '../dom.js';
import { createBuilds } from './build.js';
import { histogramOf } from './histogram.js';
import { createPainter, nextPattern } from './painter.js';
import { colourOf, miniature } from './pattern-colours.js';
import { chip, createPlanPanel, listed, patternNames } from './plan-panel.js';
import { ratingOf, sayInstead } from './rating.js';
import { createSpecText } from './spec-text.js';
import * as spec from './spec.js';
import { useStyles } from './styles.js';

/** @typedef {import('../board.js').Board} Board */
/** @typedef {import('../store.js').State} State */
/** @typedef {import('../main.js').Context} Context */
/** @typedef {import('./spec.js').Draft} Draft */
/** @typedef {import('./spec.js').Listing} Listing */
/** @typedef {import('./plan-panel.js').Estimate} Estimate */
/** @typedef {import('./rating.js').Candidate} Candidate */
/** @typedef {{ draft: Draft, past: Draft[], future: Draft[], at: number, brush: number }} Sheet a drawing and how it came about */

const ASK_DELAY_MS = 200;
const RATE_DELAY_MS = 400;
const PAST_MAX = 200;
const EARLIER_MAX = 5;
const KEPT = 'tilebase-drawings';

/** Drawings by goal: they are there again when the view is opened again. @type {Map<string, Sheet>} */
const sheets = new Map();
/** Drawings whose tables were built, for comparison. @type {Map<string, string>} */
const earlier = new Map();
/** What specs are called on the page. @type {Map<string, string>} */
const labels = new Map();

/** @param {Board} goal */
function keyOf(goal) {
  return puzzle.compact(goal);
}

// A reload keeps the drawing, where the browser allows that.
/** @param {Draft} draft */
function keep(draft) {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? '{}');
    sessionStorage.setItem(KEPT, JSON.stringify({ ...kept, [keyOf(draft.goal)]: draft }));
  } catch { /* nothing to do about it */ }
}

/** @param {Board} goal @returns {Draft | null} */
function kept(goal) {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT) ?? '{}')[keyOf(goal)] ?? null;
  } catch {
    return null;
  }
}

/** @param {Draft} draft @returns {Sheet} */
function newSheet(draft) {
  return { draft, past: [], future: [], at: 0, brush: 0 };
}

/** @param {HTMLElement} container @param {Context} ctx */
export function mount(container, ctx) {
  useStyles('views/partition.css');
  return createView(container, ctx);
}

/** @param {HTMLElement} container @param {Context} ctx */
function createView(container, { store, api, announce, boardView }) {
  let sheet = newSheet(blankDraft(store.state.goal));
  /** @type {Draft | null} */
  let strokeFrom = null;
  /** @type {Listing[]} */
  let shipped = [];
  /** @type {Estimate | null} */
  let estimate = null;
  let isAllowed = true;
  let boards = 1000;
  let seed = 1;
  let isMounted = true;
  /** The newest question of each kind; those before it are cancelled. @type {Map<string, AbortController>} */
  const asked = new Map();

  const painter = createPainter({
    announce,
    onBegin: () => { strokeFrom = sheet.draft; },
    onPaint: paint,
    onEnd: () => endStroke(),
    onBrush: (pattern) => { sheet.brush = pattern; showPalette(); },
    onHistory: (step) => travel(step),
  });
  const plan = createPlanPanel();
  const builds = createBuilds(api, {
    announce, nameOf: nameOfTable, labelOf,
    onEnd: (build) => {
      if (build.status === 'done') remember(build.spec);
      ask(0);
    },
    onAllowed: (allowed) => { isAllowed = allowed; showActions(); },
  });
  const text = createSpecText({ announce, onText: load, fileName: () => `${slugOf(spec.titleOf(sheet.draft))}.toml` });

  const starts = el('div', { class: 'pt-starts' });
  const tabs = el('div', { class: 'pt-tabs', role: 'tablist', 'aria-label': 'Drawings', on: { keydown: onTabKey } });
  const tabTools = el('div', { class: 'pt-tab-tools' });
  const palette = el('fieldset', { class: 'pt-palette' });
  const tools = el('div', { class: 'pt-actions' });
  const options = el('div', { class: 'pt-options' });
  const lack = el('p', { class: 'note', role: 'status' });
  const refusal = el('p', { class: 'problem pt-says', role: 'alert', hidden: true });
  const actions = el('div', { class: 'pt-actions pt-build-actions' });
  const histograms = el('div', { class: 'pt-histograms' });
  const rating = el('div', {}, el('p', { class: 'muted' }, '…'));
  const canvas = el('div', { class: 'pt-canvas', id: 'pt-canvas', role: 'tabpanel',
    on: { dragover: (/** @type {DragEvent} */ event) => event.preventDefault(), drop: onDrop } }, painter.element);

  fill(container, el('div', { class: 'pt' },
    el('header', {}, el('h2', {}, 'Draw a partition'),
      el('p', { class: 'pt-lede' }, 'Tiles of one colour are a pattern. A table knows how many moves a pattern takes, for every way its tiles can lie. '
        + 'Paint the patterns, build the tables, and see what they are worth.')),
    el('div', { class: 'pt-main' },
      el('section', { class: 'pt-paint', 'aria-label': 'Drawing' },
        el('div', { class: 'pt-tab-row' }, tabs, tabTools), canvas, palette, tools,
        el('details', { class: 'pt-keys' }, el('summary', {}, 'Keys'), el('p', { class: 'muted' },
          'Arrows move. A letter or 1 to 9 paints a tile and chooses the pattern. Space paints the chosen one, '
          + 'Shift and an arrow paint on. 0 or Delete takes a tile out. Ctrl+Z takes a stroke back.'))),
      el('section', { class: 'pt-plan card', 'aria-labelledby': 'pt-plan-title' },
        el('h3', { id: 'pt-plan-title' }, 'What it takes'), lack, refusal, plan.element, actions, builds.element)),
    el('section', { class: 'pt-section', 'aria-labelledby': 'pt-starts-title' },
      el('h3', { id: 'pt-starts-title' }, 'Start from a shipped partition'), starts),
    el('section', { class: 'pt-section', 'aria-labelledby': 'pt-options-title' },
      el('h3', { id: 'pt-options-title' }, 'How it is looked up'), options),
    el('section', { class: 'pt-section', 'aria-labelledby': 'pt-values-title' },
      el('h3', { id: 'pt-values-title' }, 'How values are spread'), histograms),
    el('section', { class: 'pt-section', 'aria-labelledby': 'pt-rating-title' },
      el('h3', { id: 'pt-rating-title' }, 'Mean estimate beside other partitions'), rateTools(), rating),
    text.element));

  // --- The drawing ---

  /** @param {Board} goal @returns {Draft} */
  function blankDraft(goal) {
    return { title: null, goal, kind: 'additive', drawings: [spec.simpleDrawing(goal)], blank: 'aware', reflect: true };
  }

  /** Shows what was drawn for a goal, or else what is shipped for it. @param {Board} goal */
  async function open(goal) {
    const before = sheets.get(keyOf(goal)) ?? (kept(goal) ? newSheet(/** @type {Draft} */ (kept(goal))) : null);
    use(before ?? newSheet(blankDraft(goal)));
    await list(goal);
    if (before || !isMounted || sheet.draft.goal !== goal || sheet.past.length > 0) return;
    use(newSheet(await firstDraft(goal)));
  }

  /** @param {Board} goal */
  async function list(goal) {
    const signal = newest('list');
    try {
      const { specs } = await api.get('/v1/specs', { shape: `${goal.rows}x${goal.cols}`, goal: puzzle.format(goal) }, { signal });
      shipped = specs;
    } catch (error) {
      if (!signal.aborted) fill(starts, el('p', { class: 'problem' }, api.detailOf(error)));
    }
    if (!signal.aborted) showStarts();
  }

  /** The first shipped partition for a goal. @param {Board} goal @returns {Promise<Draft>} */
  async function firstDraft(goal) {
    const fits = shipped.map((listing) => ({ listing, draft: spec.draftOf(listing, goal) }))
      .filter(({ draft }) => draft !== null && draft.goal === goal && draft.kind === 'additive' && draft.drawings.length === 1 && draft.blank === 'aware');
    const found = fits.find(({ listing }) => listing.drawings[0].tile_counts.length > 1) ?? fits[0];
    return found?.draft ?? blankDraft(goal);
  }

  /** @param {Sheet} next */
  function use(next) {
    sheet = next;
    sheets.set(keyOf(sheet.draft.goal), sheet);
    changed();
  }

  /** A change that can be taken back. @param {Partial<Draft>} changes */
  function change(changes) {
    sheet.past = [...sheet.past, sheet.draft].slice(-PAST_MAX);
    sheet.future = [];
    sheet.draft = { ...sheet.draft, ...changes };
    sheet.at = Math.min(sheet.at, sheet.draft.drawings.length - 1);
    changed();
  }

  /** @param {number[]} cells @param {number} pattern */
  function paint(cells, pattern) {
    const { draft, at } = sheet;
    const drawing = draft.drawings[at];
    const wanted = cells.filter((cell) => draft.goal.tiles[cell] !== 0 && drawing[cell] !== pattern);
    if (wanted.length === 0) return;
    const next = drawing.map((old, cell) => (wanted.includes(cell) ? pattern : old));
    sheet.draft = { ...draft, drawings: draft.drawings.map((old, index) => (index === at ? next : old)) };
    changed();
  }

  function endStroke() {
    if (strokeFrom !== null && strokeFrom !== sheet.draft) {
      sheet.past = [...sheet.past, strokeFrom].slice(-PAST_MAX);
      sheet.future = [];
    }
    strokeFrom = null;
    showTools();
  }

  /** @param {'undo' | 'redo'} step */
  function travel(step) {
    const [from, to] = step === 'undo' ? [sheet.past, sheet.future] : [sheet.future, sheet.past];
    const next = from.pop();
    if (!next) return;
    to.push(sheet.draft);
    sheet.draft = next;
    sheet.at = Math.min(sheet.at, next.drawings.length - 1);
    announce(step === 'undo' ? 'Taken back.' : 'Done again.');
    changed();
  }

  // --- Showing it ---

  function changed() {
    estimate = null;
    keep(sheet.draft);
    showDrawing();
    showPlan();
    text.update(spec.toToml(sheet.draft));
    ask(ASK_DELAY_MS);
  }

  function showDrawing() {
    const { draft, at, brush } = sheet;
    painter.update({ goal: draft.goal, drawing: draft.drawings[at], brush,
      label: `Drawing ${at + 1}: ${draft.goal.rows} rows and ${draft.goal.cols} columns, each tile at its home` });
    showTabs();
    showPalette();
    showTools();
    showOptions();
    boardView.setColours(colourOfTile);
  }

  /** The board of the page wears the colours of the drawing. @param {number} tile @returns {string | null} */
  function colourOfTile(tile) {
    const { draft, at } = sheet;
    const { goal } = store.state;
    if (draft.goal.rows !== goal.rows || draft.goal.cols !== goal.cols) return null;
    const pattern = draft.drawings[at][draft.goal.tiles.indexOf(tile)] ?? spec.NONE;
    return pattern === spec.NONE ? null : colourOf(pattern);
  }

  function showTabs() {
    const { draft, at } = sheet;
    const hadFocus = tabs.contains(document.activeElement);
    fill(tabs, draft.drawings.map((drawing, index) => el('button', { type: 'button', role: 'tab', class: 'pt-tab', id: `pt-tab-${index}`,
      'aria-selected': String(index === at), 'aria-controls': 'pt-canvas', tabindex: index === at ? 0 : -1,
      on: { click: () => choose(index) } }, miniature(draft.goal, drawing), `${draft.kind === 'plain' ? 'Drawing' : 'Partition'} ${index + 1}`)));
    canvas.setAttribute('aria-labelledby', `pt-tab-${at}`);
    if (hadFocus) focusTab();
    const max = draft.kind === 'plain' ? spec.PATTERNS_MAX : spec.PARTITIONS_MAX;
    setTools(tabTools, [
      { text: '+ Add', name: 'Add a drawing: a board is looked up in each', can: draft.drawings.length < max, act: addDrawing },
      { text: 'Remove', name: `Remove drawing ${at + 1}`, can: draft.drawings.length > 1, act: removeDrawing },
    ]);
  }

  function focusTab() {
    const tab = tabs.children[sheet.at];
    if (tab instanceof HTMLElement) tab.focus();
  }

  /** @param {number} at */
  function choose(at) {
    sheet.at = at;
    showDrawing();
    showPlan();
  }

  /** @param {KeyboardEvent} event */
  function onTabKey(event) {
    const count = sheet.draft.drawings.length;
    const to = { ArrowRight: (sheet.at + 1) % count, ArrowLeft: (sheet.at + count - 1) % count, Home: 0, End: count - 1 };
    if (!(event.key in to)) return;
    event.preventDefault();
    event.stopPropagation();
    choose(to[/** @type {keyof to} */ (event.key)]);
    focusTab();
  }

  // A second partition that is like the first says nothing new, so it begins empty.
  function addDrawing() {
    const { draft } = sheet;
    sheet.at = draft.drawings.length;
    sheet.brush = 0;
    change({ drawings: [...draft.drawings, spec.emptyDrawing(draft.goal)] });
    announce(`Drawing ${sheet.at + 1} is added. It is empty.`);
  }

  function removeDrawing() {
    const { draft, at } = sheet;
    change({ drawings: draft.drawings.filter((_, index) => index !== at) });
    announce(`Drawing ${at + 1} is removed.`);
  }

  function showPalette() {
    const { draft, at, brush } = sheet;
    const drawing = draft.drawings[at];
    const patterns = spec.patternsOf(drawing);
    const next = nextPattern(drawing);
    const used = patterns.flatMap((cells, pattern) => (cells.length > 0 ? [pattern] : []));
    const choices = [...new Set([...used, next, ...(brush === spec.NONE ? [] : [brush])])].sort((a, b) => a - b);
    const hadFocus = palette.contains(document.activeElement);
    fill(palette, el('legend', {}, 'Paint with'),
      choices.map((pattern) => brushOf(pattern, [chip(pattern), patterns[pattern]?.length > 0 ? plural(patterns[pattern].length, 'tile') : 'new'])),
      brushOf(spec.NONE, [el('span', { class: 'pt-chip is-none' }, '–'), 'none']));
    if (hadFocus) /** @type {HTMLElement | null} */ (palette.querySelector('input:checked'))?.focus();
    painter.update({ goal: draft.goal, drawing, brush, label: painter.element.getAttribute('aria-label') ?? '' });
  }

  /** @param {number} pattern @param {(Node | string)[]} content */
  function brushOf(pattern, content) {
    const name = pattern === spec.NONE ? 'No pattern' : `Pattern ${spec.letterOf(pattern)}`;
    const pick = () => { sheet.brush = pattern; showPalette(); };
    return el('label', { class: 'pt-brush' }, el('input', { type: 'radio', name: 'pt-brush', class: 'hidden-text',
      'aria-label': `${name}, ${content[1]}`, checked: pattern === sheet.brush, on: { change: pick } }), content);
  }

  function showTools() {
    const { draft, at, brush } = sheet;
    const missing = spec.missingCount(draft, draft.drawings[at]);
    const letter = brush === spec.NONE ? '' : spec.letterOf(brush);
    setTools(tools, [
      { text: 'Undo', can: sheet.past.length > 0, act: () => travel('undo') },
      { text: 'Redo', can: sheet.future.length > 0, act: () => travel('redo') },
      { text: 'Clear', can: missing < draft.goal.tiles.length - 1, act: () => replace(() => spec.NONE) },
      { text: letter ? `Fill the rest with ${letter}` : 'Fill the rest', can: missing > 0 && letter !== '',
        act: () => replace((pattern) => (pattern === spec.NONE ? brush : pattern)) },
    ]);
  }

  /** @param {(pattern: number) => number} next */
  function replace(next) {
    const { draft, at } = sheet;
    change({ drawings: draft.drawings.map((drawing, index) => (index === at
      ? drawing.map((pattern, cell) => (draft.goal.tiles[cell] === 0 ? spec.NONE : next(pattern))) : drawing)) });
    if (next(spec.NONE) === spec.NONE) announce('All tiles are taken out.');
  }

  function showOptions() {
    const { draft } = sheet;
    const mirrors = spec.mirrorsOf(draft.goal).length;
    const hadFocus = options.contains(document.activeElement) ? document.activeElement?.id : undefined;
    fill(options,
      field('pt-title', 'Name', el('input', { id: 'pt-title', type: 'text', maxlength: 120, value: spec.titleOf(draft), autocomplete: 'off',
        on: { change: (/** @type {Event} */ event) => rename(/** @type {HTMLInputElement} */ (event.target).value) } }), ''),
      field('pt-kind', 'Values', select([{ value: 'additive', text: 'add up (additive)' }, { value: 'plain', text: 'the largest counts (plain)' }], draft.kind,
        { id: 'pt-kind', on: { change: (/** @type {Event} */ event) => change({ kind: chosen(event) === 'plain' ? 'plain' : 'additive' }) } }),
      draft.kind === 'plain' ? 'Every move counts, so patterns may leave tiles out and overlap. For comparison.' : 'Only moves of a pattern’s own tiles count, so the values of all patterns are added.'),
      draft.kind === 'plain' ? null : field('pt-blank', 'The blank', select([{ value: 'aware', text: 'in the table (blank-aware)' }, { value: 'collapsed', text: 'left out (blank-collapsed)' }], draft.blank,
        { id: 'pt-blank', on: { change: (/** @type {Event} */ event) => change({ blank: chosen(event) === 'collapsed' ? 'collapsed' : 'aware' }) } }),
      draft.blank === 'collapsed' ? 'The smallest value over all places of the blank. Lower estimates, for comparison.' : 'Which region the blank can reach is part of the index. Higher estimates, and smaller tables.'),
      el('div', { class: 'pt-field' }, el('label', { class: 'pt-check' },
        el('input', { id: 'pt-reflect', type: 'checkbox', checked: draft.reflect && mirrors > 0, disabled: mirrors === 0,
          on: { change: (/** @type {Event} */ event) => change({ reflect: /** @type {HTMLInputElement} */ (event.target).checked }) } }),
        'Look mirror images up too'),
      el('p', { class: 'muted' }, mirrorText(draft, mirrors))));
    if (hadFocus) document.getElementById(hadFocus)?.focus();
  }

  /** @param {string} name */
  function rename(name) {
    const title = [...name].filter((letter) => letter >= ' ').join('').trim();
    change({ title: title === '' ? null : title });
  }

  function showPlan() {
    const { draft, at } = sheet;
    const reason = spec.lackOf(draft);
    lack.textContent = reason ?? '';
    lack.hidden = reason === null;
    plan.update(draft, at, estimate);
    showActions();
    if (estimate === null) fill(histograms, el('p', { class: 'muted' }, reason ?? '…'));
  }

  // --- What it takes ---

  /** A signal for a question that replaces the one before. @param {string} kind */
  function newest(kind) {
    asked.get(kind)?.abort();
    const controller = new AbortController();
    asked.set(kind, controller);
    return controller.signal;
  }

  /** Asks the server what the drawing takes. @param {number} delay */
  function ask(delay) {
    const signal = newest('estimate');
    newest('rate');
    if (!isMounted) return;
    say('');
    if (spec.lackOf(sheet.draft) !== null) return;
    const { draft } = sheet;
    setTimeout(async () => {
      if (signal.aborted) return;
      try {
        const answer = await api.post('/v1/specs', spec.toToml(draft), 'application/toml', { signal });
        if (!signal.aborted) answered(answer);
      } catch (error) {
        if (!signal.aborted) say(api.detailOf(error));
      }
    }, delay);
  }

  /** @param {Estimate} answer */
  function answered(answer) {
    estimate = answer;
    labels.set(answer.spec, labelFor(sheet.draft));
    say(answer.refusal ?? '');
    showPlan();
    void showHistograms();
    rate(RATE_DELAY_MS);
  }

  /** @param {string} reason as the server words it */
  function say(reason) {
    refusal.textContent = reason;
    refusal.hidden = reason === '';
  }

  /** @param {Draft} draft */
  function labelFor(draft) {
    return draft.title ?? `Drawn ${draft.drawings.map(spec.sizesOf).join(' and ')}`;
  }

  /** @param {string} name */
  function labelOf(name) {
    return labels.get(name) ?? (name.startsWith('drawn/') ? 'A drawn partition' : name);
  }

  /** The shipped spec that is drawn, or the name of the drawing. */
  function nameOfDrawing() {
    const { draft } = sheet;
    const twin = shipped.find((listing) => {
      const other = spec.draftOf(listing, draft.goal);
      return other !== null && spec.isAlike(other, draft);
    });
    return twin?.name ?? estimate?.spec ?? null;
  }

  /** @param {string} file */
  function nameOfTable(file) {
    const tables = spec.sharedTables(sheet.draft);
    const at = tables.findIndex((table) => table.file === file);
    return at < 0 ? file : `Table ${at + 1} (${listed(patternNames(sheet.draft, tables[at]))})`;
  }

  function showActions() {
    const name = nameOfDrawing();
    if (estimate === null || name === null) {
      fill(actions);
      return;
    }
    const { missing_count: missing, disk_bytes: bytes, fits } = estimate;
    if (missing === 0) fill(actions, ...useTools(name));
    else if (!isAllowed) fill(actions, commandLine());
    else {
      const isBuilding = builds.isBuilding(estimate.spec);
      fill(actions, button(`Build ${plural(missing, 'table')}, ${formatBytes(bytes)}`, (event) => void build(event), { class: 'primary', disabled: !fits || isBuilding }));
    }
  }

  /** @param {string} name */
  function useTools(name) {
    const { goal } = sheet.draft;
    const isTooLong = Math.max(goal.rows, goal.cols) > puzzle.SIDE_MAX;
    if (store.state.spec === name) return [el('p', { class: 'pt-used' }, '✓ All tables are built, and this page searches with them.')];
    if (isTooLong) return [el('p', {}, `All tables are built. The board of this page has at most ${puzzle.SIDE_MAX} rows and columns, so use them on the command line.`)];
    return [el('p', {}, 'All tables are built.'), button('Use it for this page', () => takeUp(name), { class: 'primary' })];
  }

  /** @param {string} name */
  function takeUp(name) {
    const { goal, drawings } = sheet.draft;
    const { state } = store;
    const isSameShape = goal.rows === state.goal.rows && goal.cols === state.goal.cols;
    if (!isSameShape) store.setBoard(puzzle.shuffled(goal), { goal });
    else if (spec.adapted(drawings, goal, state.goal) === null) store.setGoal(goal);
    store.setSpec(name);
    announce('This page now searches with your partition.');
  }

  function commandLine() {
    const command = `tilebase build ${slugOf(spec.titleOf(sheet.draft))}.toml`;
    return el('p', { class: 'note' }, 'This server does not build tables. Save the drawing as a file, and build it on the command line: ', el('code', {}, command));
  }

  /** @param {MouseEvent} event */
  async function build(event) {
    if (estimate === null) return;
    if (event.target instanceof HTMLButtonElement) event.target.disabled = true;
    const toml = spec.toToml(sheet.draft);
    try {
      await builds.start(estimate.spec).catch(async (error) => {
        // The server forgets the oldest of many drawings.
        if (!(error instanceof api.ApiError) || error.status !== 404) throw error;
        const again = await api.post('/v1/specs', toml, 'application/toml');
        await builds.start(again.spec);
      });
    } catch (error) {
      say(api.detailOf(error));
      showActions();
    }
  }

  /** @param {string} name */
  function remember(name) {
    if (!name.startsWith('drawn/')) return;
    earlier.delete(name);
    earlier.set(name, labelOf(name));
    for (const oldest of [...earlier.keys()].slice(0, -EARLIER_MAX)) earlier.delete(oldest);
  }

  // --- What its tables are worth ---

  async function showHistograms() {
    const signal = newest('tables');
    const there = new Set(estimate?.tables.filter((table) => table.is_there).map((table) => table.file));
    if (there.size === 0) {
      fill(histograms, el('p', { class: 'muted' }, 'None of the tables is built yet. Build them to see how many entries have each value.'));
      return;
    }
    try {
      const { tables } = await api.get('/v1/tables', {}, { signal });
      if (signal.aborted) return;
      const shared = spec.sharedTables(sheet.draft).filter(({ file }) => there.has(file));
      fill(histograms, shared.map((table) => chartOf(table, tables.find((/** @type {{ file: string }} */ one) => one.file === table.file))));
    } catch (error) {
      if (!signal.aborted) fill(histograms, el('p', { class: 'problem' }, api.detailOf(error)));
    }
  }

  /** @param {import('./spec.js').SharedTable} shared @param {import('./histogram.js').Table | undefined} table */
  function chartOf(shared, table) {
    if (!table || table.histogram.length === 0) return null;
    const { draft } = sheet;
    const name = nameOfTable(shared.file);
    const { drawing, pattern } = shared.patterns[0];
    const head = el('div', { class: 'pt-histogram-head' }, miniature(draft.goal, draft.drawings[drawing],
      (other) => shared.patterns.some((one) => one.drawing === drawing && one.pattern === other)), el('h4', {}, name));
    return histogramOf(table, name, colourOf(pattern), head);
  }

  function rateTools() {
    const sizes = [100, 1000, 10000].map((count) => ({ value: String(count), text: count.toLocaleString('en-US') }));
    return el('div', { class: 'pt-actions' }, el('label', { class: 'pt-inline' }, 'Random boards ', select(sizes, String(boards),
      { on: { change: (/** @type {Event} */ event) => { boards = Number(chosen(event)); rate(0); } } })),
    button('Other boards', () => { seed += 1; rate(0); }));
  }

  /** @returns {Candidate[]} */
  function candidates() {
    const own = estimate?.missing_count === 0 ? nameOfDrawing() : null;
    const there = shipped.filter((listing) => listing.built === 'there').map(({ name }) => ({ name, label: name, isOwn: name === own }));
    const drawn = [...earlier].filter(([name]) => name !== own && name !== estimate?.spec).map(([name, label]) => ({ name, label, isOwn: false }));
    const isListed = there.some(({ isOwn }) => isOwn);
    return [...(own && !isListed ? [{ name: own, label: labelOf(own), isOwn: true }] : []), ...there, ...drawn,
      { name: 'manhattan', label: 'manhattan', isOwn: false }];
  }

  /** @param {number} delay */
  function rate(delay) {
    const signal = newest('rate');
    setTimeout(async () => {
      if (signal.aborted || !isMounted) return;
      const compared = candidates();
      rating.setAttribute('aria-busy', 'true');
      try {
        const answer = await api.get('/v1/rate', { specs: compared.map(({ name }) => name).join(','), boards, seed,
          goal: puzzle.format(sheet.draft.goal) }, { signal });
        if (signal.aborted) return;
        fill(rating, ratingOf(answer, compared), compared.some(({ isOwn }) => isOwn) ? null
          : el('p', { class: 'muted' }, 'Your drawing is shown as soon as its tables are built.'));
      } catch (error) {
        if (signal.aborted) return;
        // Drawings from before may be forgotten: without them there is still something to see.
        if (earlier.size > 0) {
          earlier.clear();
          rate(0);
          return;
        }
        sayInstead(rating, api.detailOf(error));
      }
      rating.removeAttribute('aria-busy');
    }, delay);
  }

  // --- Other drawings ---

  function showStarts() {
    const { goal } = sheet.draft;
    const cards = shipped.flatMap((listing) => {
      const draft = spec.draftOf(listing, goal);
      return draft === null ? [] : [{ listing, draft }];
    }).sort((a, b) => Number(isForComparison(a.draft)) - Number(isForComparison(b.draft)));
    fill(starts, cards.length > 0 ? el('ul', { class: 'pt-start-list' }, cards.map(({ listing, draft }) => startOf(listing, draft)))
      : el('p', { class: 'muted' }, 'No partition is shipped for boards of this shape.'));
  }

  /** @param {Listing} listing @param {Draft} draft */
  function startOf(listing, draft) {
    const sizes = draft.drawings.map(spec.sizesOf).join(' and ');
    const built = listing.built === 'there' ? '✓ built' : formatBytes(listing.file_bytes);
    return el('li', {}, el('button', { type: 'button', class: 'pt-start', title: listing.title,
      on: { click: () => startFrom(listing, draft) } },
    el('span', { class: 'pt-mini-row' }, draft.drawings.slice(0, 2).map((drawing) => miniature(draft.goal, drawing))),
    el('strong', {}, listing.name), el('span', { class: 'muted' }, `${sizes} · ${built}`)));
  }

  /** @param {Listing} listing @param {Draft} draft */
  function startFrom(listing, draft) {
    if (keyOf(draft.goal) === keyOf(sheet.draft.goal)) {
      sheet.at = 0;
      change(draft);
    } else {
      use(newSheet(draft));
    }
    announce(`${listing.name} is drawn.`);
    canvas.scrollIntoView({ block: 'nearest' });
  }

  /** Draws a text as the server reads it. @param {string} toml @returns {Promise<boolean>} */
  async function load(toml) {
    try {
      const answer = await api.post('/v1/specs', toml, 'application/toml', { signal: newest('load') });
      const draft = spec.draftOf(answer.listing, spec.readGoal(answer.listing.goal), !spec.refusesMirrors(toml));
      if (draft === null) {
        text.refuse('This spec is good, but it has no patterns to paint.');
        return false;
      }
      const loaded = { ...draft, title: answer.listing.title };
      if (keyOf(loaded.goal) === keyOf(sheet.draft.goal)) change(loaded);
      else {
        use(newSheet(loaded));
        void list(loaded.goal);
      }
      text.show(spec.toToml(loaded));
      announce(`${loaded.title} is drawn.`);
      return true;
    } catch (error) {
      text.refuse(api.detailOf(error));
      return false;
    }
  }

  /** @param {DragEvent} event */
  function onDrop(event) {
    event.preventDefault();
    void text.read(event.dataTransfer?.files[0]);
  }

  void open(store.state.goal);
  void builds.open();

  return {
    /** @param {State} state @param {State} before */
    update(state, before) {
      if (state.goal !== before.goal && keyOf(state.goal) !== keyOf(sheet.draft.goal)) void open(state.goal);
      if (state.spec !== before.spec) showActions();
    },
    unmount() {
      isMounted = false;
      for (const controller of asked.values()) controller.abort();
      builds.close();
      boardView.setColours(() => null);
    },
  };
}

/** @param {Draft} draft */
function isForComparison(draft) {
  return draft.kind === 'plain' || draft.blank === 'collapsed';
}

/** @typedef {{ text: string, name?: string, can: boolean, act: () => void }} Tool */

/**
 * Buttons that stay where they are while what they do changes, so that none loses the focus.
 * @param {HTMLElement} place @param {readonly Tool[]} wanted
 */
function setTools(place, wanted) {
  if (place.childElementCount !== wanted.length) fill(place, wanted.map(() => el('button', { type: 'button', class: 'quiet' })));
  wanted.forEach(({ text, name, can, act }, at) => {
    const tool = /** @type {HTMLButtonElement} */ (place.children[at]);
    tool.textContent = text;
    tool.title = name ?? '';
    tool.setAttribute('aria-disabled', String(!can));
    tool.onclick = () => { if (can) act(); };
  });
}

/** @param {Event} event */
function chosen(event) {
  return /** @type {HTMLSelectElement} */ (event.target).value;
}

/** @param {string} id @param {string} name @param {HTMLElement} control @param {string} help */
function field(id, name, control, help) {
  return el('div', { class: 'pt-field' }, el('label', { for: id }, name), control, help === '' ? null : el('p', { class: 'muted' }, help));
}

/** @param {Draft} draft @param {number} mirrors */
function mirrorText(draft, mirrors) {
  if (mirrors === 0) return "There is none: no reflection of this board leaves the blank's home in place.";
  if (draft.reflect && spec.mirrorImagesOf(draft).length === 0) return 'The drawing is its own mirror image, so there is nothing more to look up.';
  return 'They are looked up in the same tables and cost no memory. The larger sum counts.';
}

/** @param {string} title */
function slugOf(title) {
  return title.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'drawing';
}
