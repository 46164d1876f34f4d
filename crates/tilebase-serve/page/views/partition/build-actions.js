// @ts-check
// Buttons that build the tables of a drawing, or select them for the page.

import * as puzzle from '../../board.js';
import { button, el, fill, formatBytes, plural } from '../../dom.js';
import * as spec from './spec.js';

/** @typedef {import('../../main.js').Context} Context */
/** @typedef {import('./spec.js').Draft} Draft */
/** @typedef {import('./plan-panel.js').Estimate} Estimate */

/**
 * @param {Context} ctx
 * @param {object} use
 * @param {() => { draft: Draft, estimate: Estimate | null, name: string | null }} use.now the drawing and its name
 * @param {() => ReturnType<import('./build.js').createBuilds>} use.builds
 * @param {(reason: string) => void} use.onRefusal
 * @param {(name: string) => void} use.onUse
 */
export function createBuildActions({ store, api, announce }, { now, builds, onRefusal, onUse }) {
  let isAllowed = true;
  const element = el('div', { class: 'row pt-build-actions', tabindex: -1 });

  function show() {
    const hadFocus = element.contains(document.activeElement);
    fill(element, actions());
    if (!hadFocus) return;
    // The focused button was replaced: focuses the next one.
    const next = element.querySelector('button') ?? element;
    next.focus();
  }

  function actions() {
    const { draft, estimate, name } = now();
    if (estimate === null || name === null) return [];
    const { missing_count: missing, tables, fits, spec: drawn } = estimate;
    if (missing === 0) return useActions(draft, name);
    if (!isAllowed) return [el('p', { class: 'note' }, 'This server builds no tables. Whoever runs it can allow it, or build these from the file of your drawing.')];
    const bytes = tables.reduce((sum, table) => sum + (table.is_there ? 0 : table.file_bytes), 0);
    const can = fits && !builds().isBuilding(drawn);
    return [button(`Build ${plural(missing, 'table')}, ${formatBytes(bytes)}`, () => { if (can) void build(draft, drawn); },
      { class: 'primary', 'aria-disabled': String(!can) })];
  }

  /** @param {Draft} draft @param {string} name */
  function useActions({ goal }, name) {
    const isTooLong = Math.max(goal.rows, goal.cols) > puzzle.SIDE_MAX;
    if (store.state.spec === name) return [el('p', { class: 'good' }, '✓ All tables are built, and this page searches with them.')];
    if (isTooLong) return [el('p', {}, `All tables are built. The board of this page has at most ${puzzle.SIDE_MAX} rows and columns, so this page cannot search with them.`)];
    return [el('p', {}, 'All tables are built.'),
      button(needsGoal(goal) ? 'Use it for this page, with its goal' : 'Use it for this page', () => useSpec(goal, name), { class: 'primary' })];
  }

  /** Returns whether no symmetry maps the goal of the drawing to that of the page. @param {puzzle.Board} goal */
  function needsGoal(goal) {
    return spec.adapted([], goal, store.state.goal) === null;
  }

  /** @param {puzzle.Board} goal @param {string} name */
  function useSpec(goal, name) {
    const { state } = store;
    if (needsGoal(goal) && puzzle.isSameShape(goal, state.goal)) store.setGoal(goal);
    else if (needsGoal(goal)) store.setBoard(puzzle.shuffled(goal), { goal });
    store.set({ spec: name });
    onUse(name);
    announce('This page now searches with your partition.');
  }

  /** @param {Draft} draft @param {string} drawn */
  async function build(draft, drawn) {
    try {
      await builds().start(drawn).catch(async (error) => {
        // The server stores a limited number of drawings.
        if (!(error instanceof api.ApiError) || error.status !== 404) throw error;
        const again = await api.post('/v1/specs', spec.toToml(draft), 'application/toml');
        await builds().start(again.spec);
      });
    } catch (error) {
      onRefusal(api.detailOf(error));
      show();
    }
  }

  return {
    element,
    show,
    /** @param {boolean} allowed whether this server builds tables */
    allow(allowed) { isAllowed = allowed; show(); },
  };
}

/** @param {Draft} draft */
export function fileNameOf(draft) {
  const slug = spec.titleOf(draft).toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
  return `${slug || 'drawing'}.toml`;
}
