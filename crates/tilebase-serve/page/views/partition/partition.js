// @ts-check
// The view that draws a partition, shows its cost, builds its tables, and compares its estimates.

import { createNewest, pause } from '../../api.js';
import * as puzzle from '../../board.js';
import { colourOf } from '../../colours.js';
import { button, el, fill, listed, say } from '../../dom.js';
import { createBuildActions, fileNameOf } from './build-actions.js';
import { createBuilds } from './build.js';
import { createDrawingTools } from './drawing-tools.js';
import { blankDraft, createDrawings, lastSheet, newSheet } from './drawings.js';
import { createPainter } from './painter.js';
import { createPlanPanel, patternNames, section } from './plan-panel.js';
import { optionFields } from './spec-options.js';
import { createSpecText } from './spec-text.js';
import * as spec from './spec.js';
import { startList } from './starts.js';
import { useStyles } from '../styles.js';
import { createQuality } from './quality.js';

/** @typedef {import('../../board.js').Board} Board */
/** @typedef {import('../../store.js').State} State */
/** @typedef {import('../../main.js').Context} Context */
/** @typedef {import('./spec.js').Draft} Draft */
/** @typedef {import('./spec.js').Listing} Listing */
/** @typedef {import('./plan-panel.js').Estimate} Estimate */

const ESTIMATE_DELAY_MS = 200;

/** Titles of drawn specs, by name. @type {Map<string, string>} */
const labels = new Map();

/** @param {string} name */
function labelOf(name) {
  return labels.get(name) ?? (name.startsWith('drawn/') ? 'A drawn partition' : name);
}

/** Returns the first drawing for a goal: a shipped partition, if there is one. @param {readonly Listing[]} shipped @param {Board} goal @returns {Draft} */
function firstDraft(shipped, goal) {
  const fits = shipped.map((listing) => ({ listing, draft: spec.draftOf(listing, goal) }))
    .filter(({ draft }) => draft !== null && draft.goal === goal && draft.kind === 'additive' && draft.drawings.length === 1 && draft.blank === 'aware');
  const found = fits.find(({ listing }) => listing.drawings[0].tile_counts.length > 1) ?? fits[0];
  return found?.draft ?? blankDraft(goal);
}

/** Returns the name of the shipped spec that equals a drawing, null if there is none. @param {readonly Listing[]} shipped @param {Draft} draft */
function shippedName(shipped, draft) {
  return shipped.find((listing) => spec.isAlike(spec.draftOf(listing, draft.goal), draft))?.name ?? null;
}

/**
 * Arranges the parts of the view.
 * @param {Record<'starts' | 'otherGoal' | 'canvas' | 'options', HTMLElement>} parts
 * @param {ReturnType<typeof createDrawingTools>} tools @param {HTMLElement[]} planParts @param {HTMLElement[]} qualityParts
 */
function layout({ starts, otherGoal, canvas, options }, tools, planParts, qualityParts) {
  return el('div', { class: 'pt' },
    el('header', {}, el('h2', {}, 'Draw a partition'),
      el('p', { class: 'pt-lede' }, 'Tiles of one colour are a pattern. A table knows how many moves a pattern takes, for every way its tiles can lie. '
        + 'Paint the patterns, build the tables, and compare their estimates.')),
    el('div', { class: 'pt-main' },
      el('section', { class: 'pt-paint stack', 'aria-label': 'Drawing' },
        el('div', { class: 'pt-tab-row' }, tools.tabs, tools.tabTools), otherGoal, canvas, tools.palette, tools.tools,
        el('details', { class: 'pt-keys' }, el('summary', {}, 'Keys'), el('p', { class: 'muted' },
          'Arrows move. A letter or 1 to 9 paints a tile and chooses the pattern. Space paints the chosen one, '
          + 'Shift and an arrow paint on. 0 or Delete takes a tile out. Ctrl+Z takes a stroke back.'))),
      el('section', { class: 'card', 'aria-labelledby': 'pt-plan-title' },
        el('h3', { id: 'pt-plan-title' }, 'Cost of the tables'), planParts)),
    section('pt-starts-title', 'Start from a shipped partition', starts),
    section('pt-options-title', 'Options', options),
    qualityParts);
}

/** @param {HTMLElement} container @param {Context} ctx */
export function mount(container, ctx) {
  useStyles('views/partition.css');
  const { store, api, announce, boardView } = ctx;
  const [listing, loading, estimating] = [createNewest(), createNewest(), createNewest()];
  const drawings = createDrawings(store.state.goal, changed);
  /** @type {Listing[]} */
  let shipped = [];
  /** @type {Estimate | null} */
  let estimate = null;
  let isMounted = true;

  // --- The parts ---

  const painter = createPainter({
    announce,
    onBegin: () => drawings.beginStroke(),
    onPaint: (cells, pattern) => drawings.paint(cells, pattern),
    onEnd: () => { drawings.endStroke(); tools.showTools(); },
    onBrush: (pattern) => tools.takeBrush(pattern),
    onHistory: (step) => tools.travel(step),
  });
  const canvas = el('div', { class: 'pt-canvas', id: 'pt-canvas', role: 'tabpanel',
    on: { dragover: (/** @type {DragEvent} */ event) => event.preventDefault(), drop: onDrop } }, painter.element);
  const tools = createDrawingTools(drawings, { painter, canvas, announce, onChoose: () => { showDrawing(); showPlan(); } });
  const plan = createPlanPanel();
  const actions = createBuildActions(ctx, {
    now: () => ({ draft: drawings.sheet.draft, estimate, name: nameOfDrawing() }),
    builds: () => builds,
    onRefusal: refuse,
    onUse: (name) => quality.remember(name),
  });
  const builds = createBuilds(api, {
    announce, nameOf: nameOfTable, labelOf, onBegin: () => actions.show(),
    onEnd: (build) => {
      if (build.status === 'done') quality.remember(build.spec);
      void requestEstimate(0);
    },
    onAllowed: (allowed) => actions.allow(allowed),
  });
  const text = createSpecText({ announce, onText: load, fileName: () => fileNameOf(drawings.sheet.draft) });
  const quality = createQuality(api, { now: () => ({ draft: drawings.sheet.draft, estimate, shipped }), nameOfDrawing, nameOfTable, labelOf });

  const starts = el('div');
  const options = el('div', { class: 'pt-options' });
  const otherGoal = el('div', { class: 'note pt-other', hidden: true }, el('p', {}, 'This drawing is for another goal than that of the page.'),
    button('Draw for the goal of the page', () => void open(store.state.goal)));
  const lack = el('p', { class: 'note', role: 'status' });
  const refusal = el('p', { class: 'problem pt-says', role: 'alert', hidden: true });
  fill(container, layout({ starts, otherGoal, canvas, options }, tools,
    [plan.totals, lack, refusal, actions.element, builds.element, plan.details], [quality.histograms, quality.rating, text.element]));

  // --- Opening a goal ---

  /** Shows the last drawing for a goal, or a shipped one. @param {Board} goal */
  async function open(goal) {
    const before = lastSheet(goal);
    drawings.use(before ?? newSheet(blankDraft(goal)));
    await list(goal);
    const { draft, past } = drawings.sheet;
    if (before || !isMounted || draft.goal !== goal || past.length > 0) return;
    drawings.use(newSheet(firstDraft(shipped, goal)));
  }

  /** Lists the shipped specs for a goal. @param {Board} goal */
  async function list(goal) {
    const signal = listing.next();
    shipped = [];
    try {
      puzzle.assertForSolver(goal);
      const { specs } = await api.get('/v1/specs', { shape: puzzle.shapeOf(goal), goal: puzzle.format(goal) }, { signal });
      if (signal.aborted) return;
      shipped = specs;
      fill(starts, startList(shipped, drawings.sheet.draft.goal, startFrom));
      if (estimate !== null) void quality.rate(0);
    } catch (error) {
      if (signal.aborted) return;
      fill(starts, el('p', { class: 'problem' }, api.detailOf(error)));
    }
    actions.show();
  }

  /** @param {Listing} listing @param {Draft} draft */
  function startFrom(listing, draft) {
    if (puzzle.equal(draft.goal, drawings.sheet.draft.goal)) {
      drawings.sheet.at = 0;
      drawings.change(draft);
    } else {
      drawings.use(newSheet(draft));
    }
    announce(`${listing.name} is drawn.`);
    canvas.scrollIntoView({ block: 'nearest' });
  }

  /** Draws a spec from its text, which the server reads. @param {string} toml @returns {Promise<boolean>} */
  async function load(toml) {
    try {
      const answer = await api.post('/v1/specs', toml, 'application/toml', { signal: loading.next() });
      const draft = spec.draftOf(answer.listing, spec.readGoal(answer.listing.goal));
      if (draft === null) {
        text.refuse('This spec is good, but it has no patterns to paint.');
        return false;
      }
      // A title that was derived from the patterns follows them again.
      const isDerived = answer.listing.title === spec.titleOf(draft);
      const loaded = { ...draft, title: isDerived ? null : answer.listing.title };
      if (puzzle.equal(loaded.goal, drawings.sheet.draft.goal)) drawings.change(loaded);
      else {
        drawings.use(newSheet(loaded));
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

  // --- Showing the drawing ---

  function changed() {
    estimate = null;
    showDrawing();
    showPlan();
    text.update(spec.toToml(drawings.sheet.draft));
    void requestEstimate(ESTIMATE_DELAY_MS);
  }

  function showDrawing() {
    const { draft, at, brush } = drawings.sheet;
    painter.update({ goal: draft.goal, drawing: draft.drawings[at], brush,
      label: `Drawing ${at + 1}: ${draft.goal.rows} rows and ${draft.goal.cols} columns, each tile at its home` });
    tools.show();
    showOptions();
    showGoal();
    boardView.setColours(colourOfTile);
  }

  /** Returns the colour of a tile on the board of the page. @param {number} tile @returns {string | null} */
  function colourOfTile(tile) {
    const { draft, at } = drawings.sheet;
    const { goal } = store.state;
    if (!puzzle.isSameShape(draft.goal, goal)) return null;
    const pattern = draft.drawings[at][draft.goal.tiles.indexOf(tile)] ?? spec.NONE;
    return pattern === spec.NONE ? null : colourOf(pattern);
  }

  function showGoal() {
    otherGoal.hidden = puzzle.equal(drawings.sheet.draft.goal, store.state.goal);
  }

  function showOptions() {
    const hadFocus = options.contains(document.activeElement) ? document.activeElement?.id : undefined;
    fill(options, optionFields(drawings.sheet.draft, (changes) => drawings.change(changes)));
    if (hadFocus) document.getElementById(hadFocus)?.focus();
  }

  function showPlan() {
    const { draft, at } = drawings.sheet;
    const reason = spec.lackOf(draft);
    say(lack, reason ?? '');
    plan.update(draft, at, estimate);
    actions.show();
    if (estimate === null) quality.wait(reason ?? '…');
  }

  // --- Costs ---

  /** Requests the costs of the drawing. @param {number} delay */
  async function requestEstimate(delay) {
    const signal = estimating.next();
    quality.stop();
    if (!isMounted) return;
    refuse('');
    const { draft } = drawings.sheet;
    if (spec.lackOf(draft) !== null) return;
    try {
      await pause(delay, signal);
      puzzle.assertForSolver(draft.goal);
      const answer = await api.post('/v1/specs', spec.toToml(draft), 'application/toml', { signal });
      if (!signal.aborted) showEstimate(answer);
    } catch (error) {
      if (!signal.aborted) refuse(api.detailOf(error));
    }
  }

  /** @param {Estimate} answer */
  function showEstimate(answer) {
    const { draft } = drawings.sheet;
    estimate = answer;
    labels.set(answer.spec, draft.title ?? `Drawn ${draft.drawings.map(spec.sizesOf).join(' and ')}`);
    refuse(answer.refusal ?? '');
    showPlan();
    quality.show();
  }

  /** @param {string} reason error text of the server */
  function refuse(reason) {
    say(refusal, reason);
    refusal.classList.toggle('is-marked', reason.includes('\n'));
  }

  function nameOfDrawing() {
    return shippedName(shipped, drawings.sheet.draft) ?? estimate?.spec ?? null;
  }

  /** @param {string} file */
  function nameOfTable(file) {
    const { draft } = drawings.sheet;
    const tables = estimate === null ? [] : spec.sharedTables(draft, estimate.listing);
    const at = tables.findIndex((table) => table.file === file);
    return at < 0 ? file : `Table ${at + 1} (${listed(patternNames(draft, tables[at]))})`;
  }

  void open(store.state.goal);
  void builds.open();

  return {
    /** @param {State} state @param {State} before */
    update(state, before) {
      if (state.goal !== before.goal && !puzzle.equal(state.goal, drawings.sheet.draft.goal)) void open(state.goal);
      else if (state.goal !== before.goal) showGoal();
      if (state.spec !== before.spec) actions.show();
    },
    unmount() {
      isMounted = false;
      for (const requests of [listing, loading, estimating]) requests.stop();
      quality.stop();
      builds.close();
      boardView.setColours(() => null);
    },
  };
}
