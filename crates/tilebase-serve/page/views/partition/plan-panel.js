// @ts-check
// Costs of a drawing: its patterns, shared tables, and their sizes.

import { colourOf, inkOn, letterOf } from '../../colours.js';
import { el, fill, formatBytes, formatCount, formatSeconds, listed, plural } from '../../dom.js';
import { miniature } from './miniature.js';
import { PARTITIONS_MAX, lackOf, mirrorImagesOf, shapeOf, sharedTables } from './spec.js';

/** @typedef {import('./spec.js').Draft} Draft */
/** @typedef {import('./spec.js').SharedTable} SharedTable */
/** @typedef {{ file: string, description: string, is_there: boolean, entry_count: number | null, file_bytes: number, memory_bytes: number, seconds: number }} TableEstimate */
/** @typedef {{ spec: string, listing: import('./spec.js').Listing, tables: TableEstimate[], missing_count: number, disk_bytes: number, memory_bytes: number, seconds: number, fits: boolean, refusal: string | null, toml: string }} Estimate */

/** @param {number} pattern */
export function chip(pattern) {
  const colour = colourOf(pattern);
  return el('span', { class: 'pt-chip', style: { 'background-color': colour, color: inkOn(colour) } }, letterOf(pattern));
}

/** Creates a part of the view with a title. @param {string} id of the title @param {string} title @param {...import('../../dom.js').Child} content */
export function section(id, title, ...content) {
  return el('section', { class: 'pt-section', 'aria-labelledby': id }, el('h3', { id }, title), content);
}

/** Returns the patterns of a table, by letter, and by drawing if there are several. @param {Draft} draft @param {SharedTable} table */
export function patternNames(draft, table) {
  return table.patterns.map(({ drawing, pattern }) =>
    (draft.drawings.length > 1 ? `${letterOf(pattern)} of ${drawing + 1}` : letterOf(pattern)));
}

export function createPlanPanel() {
  const totals = el('dl', { class: 'pt-totals' });
  const tables = el('ul', { class: 'pt-tables' });
  const hints = el('ul', { class: 'pt-hints' });
  const mirrors = el('div', { class: 'pt-mirrors' });
  const details = el('div', { class: 'pt-plan-body' }, tables, mirrors, hints);

  /** @param {Draft} draft @param {number} at @param {Estimate | null} estimate null if unknown */
  function update(draft, at, estimate) {
    showTotals(estimate);
    // Those of the drawing before stay until the server has answered.
    if (estimate !== null) fill(tables, sharedTables(draft, estimate.listing).map((table, number) => tableOf(draft, table, number, estimate)));
    else if (lackOf(draft) !== null) fill(tables);
    showMirrors(draft);
    fill(hints, hintsOf(draft, at));
    totals.setAttribute('aria-busy', String(estimate === null));
  }

  /** @param {Estimate | null} estimate */
  function showTotals(estimate) {
    const total = (/** @type {string} */ name, /** @type {string} */ value) =>
      el('div', {}, el('dt', {}, name), el('dd', {}, value));
    const bytes = estimate ? estimate.tables.reduce((sum, table) => sum + table.file_bytes, 0) : 0;
    // Tables are built one after another. The server knows which are streamed.
    const largest = Math.max(0, ...(estimate?.tables ?? []).map((table) => table.memory_bytes));
    const memory = estimate && estimate.missing_count > 0 ? estimate.memory_bytes : largest;
    fill(totals,
      total('Tables', estimate ? String(estimate.tables.length) : '…'),
      total('On disk', estimate ? formatBytes(bytes) : '…'),
      total('Memory to build', estimate ? formatBytes(memory) : '…'),
      total('Time to build', estimate ? timeOf(estimate) : '…'));
  }

  /** @param {Draft} draft */
  function showMirrors(draft) {
    const images = mirrorImagesOf(draft);
    if (images.length === 0) {
      fill(mirrors);
      return;
    }
    const count = draft.drawings.length + images.length;
    const limit = draft.kind === 'additive' && count > PARTITIONS_MAX ? ` ${count} partitions are more than the ${PARTITIONS_MAX} that a search takes.` : '';
    fill(mirrors,
      el('p', {}, `Also looked up in the same tables: ${plural(images.length, 'mirror image')}. The largest ${draft.kind === 'plain' ? 'value' : 'sum'} counts.${limit}`),
      el('div', { class: 'pt-mini-row' }, images.map(({ of, drawing }) => el('figure', {}, miniature(draft.goal, drawing),
        draft.drawings.length > 1 ? el('figcaption', {}, `of ${of + 1}`) : null))));
  }

  return { totals, details, update };
}

/** @param {Estimate} estimate */
function timeOf(estimate) {
  return estimate.missing_count === 0 ? 'all built' : formatSeconds(estimate.seconds);
}

/** @param {Draft} draft @param {SharedTable} table @param {number} number @param {Estimate} all */
function tableOf(draft, table, number, all) {
  const estimate = all.tables.find(({ file }) => file === table.file) ?? all.tables[0];
  const drawing = table.patterns[0].drawing;
  const isOf = (/** @type {number} */ pattern) => table.patterns.some((one) => one.drawing === drawing && one.pattern === pattern);
  const names = patternNames(draft, table);
  const count = draft.drawings[drawing].filter((pattern) => pattern === table.patterns[0].pattern).length;
  return el('li', { class: 'pt-table' }, miniature(draft.goal, draft.drawings[drawing], isOf),
    el('div', {},
      el('p', { class: 'pt-table-head' }, el('strong', {}, `Table ${number + 1}`),
        table.patterns.map(({ pattern }) => chip(pattern)), el('span', {}, plural(count, 'tile')),
        el('span', { class: `pt-state${estimate.is_there ? ' is-there' : ''}` }, estimate.is_there ? '✓ built' : 'to build')),
      names.length > 1 ? el('p', {}, sharingOf(names)) : null,
      el('p', { class: 'muted' }, factsOf(estimate))));
}

/** @param {readonly string[]} names */
function sharingOf(names) {
  const who = names.length === 2 ? 'each other' : 'one another';
  return `${listed(names)} are images of ${who}: they share this table.`;
}

/** @param {TableEstimate} estimate */
function factsOf(estimate) {
  const entries = estimate.entry_count === null ? '' : `${formatCount(estimate.entry_count)} entries · `;
  const build = estimate.is_there ? '' : ` · ${formatBytes(estimate.memory_bytes)} of memory and ${formatSeconds(estimate.seconds)} to build`;
  return `${entries}${formatBytes(estimate.file_bytes)}${build}`;
}

/** Returns hints on the quality of a partition, as far as a drawing shows it. @param {Draft} draft @param {number} at */
function hintsOf(draft, at) {
  if (draft.kind === 'plain') return [];
  const { beside, isTogether, pairs, kept } = shapeOf(draft.goal, draft.drawings[at]);
  const tiles = listed(beside);
  const corner = isTogether
    ? `Tiles ${tiles}, beside the blank's home, are in one pattern. That is worth the most.`
    : `Tiles ${tiles} are beside the blank's home. In one pattern they raise the mean estimate by 1.4 to 1.9 moves.`;
  return [
    el('li', { class: isTogether ? 'is-good' : 'is-open' }, corner),
    el('li', {}, `${kept} of ${pairs} pairs of neighbours are kept together. Blocks keep more of them than lines.`),
  ];
}
