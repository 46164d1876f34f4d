// @ts-check
// Draw a partition, see what it takes, build its tables, and see what they are worth.

import * as puzzle from '../board.js';
import { button, el, fill, formatBytes, plural } from '../dom.js';
import { createBuilds } from './build.js';
import { createPainter, nextPattern } from './painter.js';
import { colourOf, miniature } from './pattern-colours.js';
import { chip, createPlanPanel, listed, patternNames } from './plan-panel.js';
import { optionFields } from './spec-options.js';
import { createSpecText } from './spec-text.js';
import * as spec from './spec.js';
import { startList } from './starts.js';
import { useStyles } from './styles.js';
import { createWorth } from './worth.js';

/** @typedef {import('../board.js').Board} Board */
/** @typedef {import('../store.js').State} State */
/** @typedef {import('../main.js').Context} Context */
/** @typedef {import('./spec.js').Draft} Draft */
/** @typedef {import('./spec.js').Listing} Listing */
/** @typedef {import('./plan-panel.js').Estimate} Estimate */
/** @typedef {{ draft: Draft, past: Draft[], future: Draft[], at: number, brush: number }} Sheet a drawing and how it came about */

const ASK_DELAY_MS = 200;
const PAST_MAX = 200;
const KEPT = 'tilebase-drawings';

/** Drawings by goal: they are there again when the view is opened again. @type {Map<string, Sheet>} */
const sheets = new Map();
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
  let isMounted = true;
  /** The newest question of each kind; those before it are cancelled. @type {Map<string, AbortController>} */
  const asked = new Map();

  const painter = createPainter({
    announce,
    onBegin: () => { strokeFrom = sheet.draft; },
    onPaint: paint,
    onEnd: () => endStroke(),
    onBrush: (pattern) => takeBrush(pattern),
    onHistory: (step) => travel(step),
  });
  const plan = createPlanPanel();
  const builds = createBuilds(api, {
    announce, nameOf: nameOfTable, labelOf, onBegin: () => showActions(),
    onEnd: (build) => {
      if (build.status === 'done') worth.remember(build.spec);
      ask(0);
    },
    onAllowed: (allowed) => { isAllowed = allowed; showActions(); },
  });
  const text = createSpecText({ announce, onText: load, fileName: () => `${slugOf(spec.titleOf(sheet.draft))}.toml` });

  const worth = createWorth(api, { now: () => ({ draft: sheet.draft, estimate, shipped }), nameOfDrawing, nameOfTable, labelOf });

  const starts = el('div', { class: 'pt-starts' });
  const tabs = el('div', { class: 'pt-tabs', role: 'tablist', 'aria-label': 'Drawings', on: { keydown: onTabKey } });
  const tabTools = el('div', { class: 'pt-tab-tools' });
  const palette = el('fieldset', { class: 'pt-palette' });
  const tools = el('div', { class: 'pt-actions' });
  const options = el('div', { class: 'pt-options' });
  const otherGoal = el('div', { class: 'note pt-other', hidden: true }, el('p', {}, 'This drawing is for another goal than that of the page.'),
    button('Draw for the goal of the page', () => void open(store.state.goal)));
  const lack = el('p', { class: 'note', role: 'status' });
  const refusal = el('p', { class: 'problem pt-says', role: 'alert', hidden: true });
  const actions = el('div', { class: 'pt-actions pt-build-actions', tabindex: -1 });
  const canvas = el('div', { class: 'pt-canvas', id: 'pt-canvas', role: 'tabpanel',
    on: { dragover: (/** @type {DragEvent} */ event) => event.preventDefault(), drop: onDrop } }, painter.element);

  fill(container, el('div', { class: 'pt' },
    el('header', {}, el('h2', {}, 'Draw a partition'),
      el('p', { class: 'pt-lede' }, 'Tiles of one colour are a pattern. A table knows how many moves a pattern takes, for every way its tiles can lie. '
        + 'Paint the patterns, build the tables, and see what they are worth.')),
    el('div', { class: 'pt-main' },
      el('section', { class: 'pt-paint', 'aria-label': 'Drawing' },
        el('div', { class: 'pt-tab-row' }, tabs, tabTools), otherGoal, canvas, palette, tools,
        el('details', { class: 'pt-keys' }, el('summary', {}, 'Keys'), el('p', { class: 'muted' },
          'Arrows move. A letter or 1 to 9 paints a tile and chooses the pattern. Space paints the chosen one, '
          + 'Shift and an arrow paint on. 0 or Delete takes a tile out. Ctrl+Z takes a stroke back.'))),
      el('section', { class: 'pt-plan card', 'aria-labelledby': 'pt-plan-title' },
        el('h3', { id: 'pt-plan-title' }, 'What it takes'), plan.totals, lack, refusal, actions, builds.element, plan.details)),
    el('section', { class: 'pt-section', 'aria-labelledby': 'pt-starts-title' },
      el('h3', { id: 'pt-starts-title' }, 'Start from a shipped partition'), starts),
    el('section', { class: 'pt-section', 'aria-labelledby': 'pt-options-title' },
      el('h3', { id: 'pt-options-title' }, 'How it is looked up'), options),
    worth.histograms, worth.rating, text.element));

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
    shipped = [];
    try {
      const { specs } = await api.get('/v1/specs', { shape: `${goal.rows}x${goal.cols}`, goal: puzzle.format(goal) }, { signal });
      shipped = specs;
    } catch (error) {
      if (signal.aborted) return;
      fill(starts, el('p', { class: 'problem' }, api.detailOf(error)));
      showActions();
      return;
    }
    if (signal.aborted) return;
    showStarts();
    showActions();
    if (estimate !== null) worth.rate(0);
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
    showGoal();
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

  function showGoal() {
    otherGoal.hidden = keyOf(sheet.draft.goal) === keyOf(store.state.goal);
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

  /** @param {number} pattern */
  function takeBrush(pattern) {
    sheet.brush = pattern;
    showPalette();
    showTools();
  }

  /** @param {number} pattern @param {(Node | string)[]} content */
  function brushOf(pattern, content) {
    const name = pattern === spec.NONE ? 'No pattern' : `Pattern ${spec.letterOf(pattern)}`;
    const pick = () => takeBrush(pattern);
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
    const hadFocus = options.contains(document.activeElement) ? document.activeElement?.id : undefined;
    fill(options, optionFields(draft, change));
    if (hadFocus) document.getElementById(hadFocus)?.focus();
  }

  function showPlan() {
    const { draft, at } = sheet;
    const reason = spec.lackOf(draft);
    lack.textContent = reason ?? '';
    lack.hidden = reason === null;
    plan.update(draft, at, estimate);
    showActions();
    if (estimate === null) worth.wait(reason ?? '…');
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
    worth.stop();
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
    worth.show();
  }

  /** @param {string} reason as the server words it */
  function say(reason) {
    refusal.textContent = reason;
    refusal.classList.toggle('is-marked', reason.includes('\n'));
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
    const hadFocus = actions.contains(document.activeElement);
    fill(actions, actionsNow());
    if (!hadFocus) return;
    // What had the focus is replaced: it goes to what comes next.
    const next = actions.querySelector('button') ?? actions;
    next.focus();
  }

  function actionsNow() {
    const name = nameOfDrawing();
    if (estimate === null || name === null) return [];
    const { missing_count: missing, tables, fits, spec: drawn } = estimate;
    if (missing === 0) return useTools(name);
    if (!isAllowed) return [commandLine()];
    const bytes = tables.reduce((sum, table) => sum + (table.is_there ? 0 : table.file_bytes), 0);
    const can = fits && !builds.isBuilding(drawn);
    return [button(`Build ${plural(missing, 'table')}, ${formatBytes(bytes)}`, () => { if (can) void build(); },
      { class: 'primary', 'aria-disabled': String(!can) })];
  }

  /** @param {string} name */
  function useTools(name) {
    const { goal } = sheet.draft;
    const isTooLong = Math.max(goal.rows, goal.cols) > puzzle.SIDE_MAX;
    if (store.state.spec === name) return [el('p', { class: 'pt-used' }, '✓ All tables are built, and this page searches with them.')];
    if (isTooLong) return [el('p', {}, `All tables are built. The board of this page has at most ${puzzle.SIDE_MAX} rows and columns, so use them on the command line.`)];
    return [el('p', {}, 'All tables are built.'), button(needsGoal() ? 'Use it for this page, with its goal' : 'Use it for this page', () => takeUp(name), { class: 'primary' })];
  }

  /** Whether no symmetry leads from the goal of the drawing to that of the page. */
  function needsGoal() {
    return spec.adapted([], sheet.draft.goal, store.state.goal) === null;
  }

  /** @param {string} name */
  function takeUp(name) {
    const { goal } = sheet.draft;
    const { state } = store;
    const isSameShape = goal.rows === state.goal.rows && goal.cols === state.goal.cols;
    if (needsGoal() && isSameShape) store.setGoal(goal);
    else if (needsGoal()) store.setBoard(puzzle.shuffled(goal), { goal });
    store.setSpec(name);
    worth.remember(name);
    announce('This page now searches with your partition.');
  }

  function commandLine() {
    const command = `tilebase build ${slugOf(spec.titleOf(sheet.draft))}.toml`;
    return el('p', { class: 'note' }, 'This server does not build tables. Save the drawing as a file, and build it on the command line: ', el('code', {}, command));
  }

  async function build() {
    if (estimate === null) return;
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

  // --- Other drawings ---

  function showStarts() {
    fill(starts, startList(shipped, sheet.draft.goal, startFrom));
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
      // A name that was made of the patterns follows them again.
      const isMade = answer.listing.title === spec.titleOf(draft);
      const loaded = { ...draft, title: isMade ? null : answer.listing.title };
      if (keyOf(loaded.goal) === keyOf(sheet.draft.goal)) change(loaded);
      else {
        use(newSheet(loaded));
        void list(loaded.goal);
      }
      text.show(spec.toToml(loaded));
      painter.focus();
      announce(`${answer.listing.title} is drawn.`);
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
      else if (state.goal !== before.goal) showGoal();
      if (state.spec !== before.spec) showActions();
    },
    unmount() {
      isMounted = false;
      for (const controller of asked.values()) controller.abort();
      worth.stop();
      builds.close();
      boardView.setColours(() => null);
    },
  };
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

/** @param {string} title */
function slugOf(title) {
  return title.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'drawing';
}
