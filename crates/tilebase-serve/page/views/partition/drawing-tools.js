// @ts-check
// Tabs of drawings, the palette of patterns, and the buttons below the drawing.

import { letterOf } from '../../colours.js';
import { el, fill, indexOfKey, plural } from '../../dom.js';
import { nextPattern } from './painter.js';
import { miniature } from './miniature.js';
import { chip } from './plan-panel.js';
import * as spec from './spec.js';

/** @typedef {import('./drawings.js').Drawings} Drawings */
/** @typedef {{ text: string, name?: string, can: boolean, act: () => void }} Tool */

/**
 * @param {Drawings} drawings
 * @param {object} use
 * @param {ReturnType<import('./painter.js').createPainter>} use.painter
 * @param {HTMLElement} use.canvas
 * @param {(text: string) => void} use.announce
 * @param {() => void} use.onChoose the user chose another drawing
 */
export function createDrawingTools(drawings, { painter, canvas, announce, onChoose }) {
  const tabs = el('div', { class: 'pt-tabs', role: 'tablist', 'aria-label': 'Drawings', on: { keydown: onTabKey } });
  const tabTools = el('div', { class: 'pt-tab-tools' });
  const palette = el('fieldset', { class: 'pt-palette' });
  const tools = el('div', { class: 'row' });

  function show() {
    showTabs();
    showPalette();
    showTools();
  }

  function showTabs() {
    const { draft, at } = drawings.sheet;
    const hadFocus = tabs.contains(document.activeElement);
    fill(tabs, draft.drawings.map((drawing, index) => el('button', { type: 'button', role: 'tab', class: 'pt-tab', id: `pt-tab-${index}`,
      'aria-selected': String(index === at), 'aria-controls': 'pt-canvas', tabindex: index === at ? 0 : -1,
      on: { click: () => choose(index) } }, miniature(draft.goal, drawing), `${draft.kind === 'plain' ? 'Drawing' : 'Partition'} ${index + 1}`)));
    canvas.setAttribute('aria-labelledby', `pt-tab-${at}`);
    if (hadFocus) focusTab();
    const max = draft.kind === 'plain' ? spec.PATTERNS_MAX : spec.PARTITIONS_MAX;
    setTools(tabTools, [
      { text: '+ Add', name: 'Add a drawing: a search looks up each', can: draft.drawings.length < max, act: addDrawing },
      { text: 'Remove', name: `Remove drawing ${at + 1}`, can: draft.drawings.length > 1, act: removeDrawing },
    ]);
  }

  function focusTab() {
    const tab = tabs.children[drawings.sheet.at];
    if (tab instanceof HTMLElement) tab.focus();
  }

  /** @param {number} at */
  function choose(at) {
    drawings.sheet.at = at;
    onChoose();
  }

  /** @param {KeyboardEvent} event */
  function onTabKey(event) {
    const { at, draft } = drawings.sheet;
    const to = indexOfKey(event, at, draft.drawings.length - 1);
    if (to === null) return;
    choose(to);
    focusTab();
  }

  // The new drawing is empty, because a copy would not change any estimate.
  function addDrawing() {
    const { sheet } = drawings;
    const { draft } = sheet;
    sheet.at = draft.drawings.length;
    sheet.brush = 0;
    drawings.change({ drawings: [...draft.drawings, spec.emptyDrawing(draft.goal)] });
    announce(`Drawing ${sheet.at + 1} is added. It is empty.`);
  }

  function removeDrawing() {
    const { draft, at } = drawings.sheet;
    drawings.change({ drawings: draft.drawings.filter((_, index) => index !== at) });
    announce(`Drawing ${at + 1} is removed.`);
  }

  function showPalette() {
    const { draft, at, brush } = drawings.sheet;
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
    drawings.sheet.brush = pattern;
    showPalette();
    showTools();
  }

  /** @param {number} pattern @param {(Node | string)[]} content */
  function brushOf(pattern, content) {
    const name = pattern === spec.NONE ? 'No pattern' : `Pattern ${letterOf(pattern)}`;
    return el('label', { class: 'pt-brush' }, el('input', { type: 'radio', name: 'pt-brush', class: 'hidden-text',
      'aria-label': `${name}, ${content[1]}`, checked: pattern === drawings.sheet.brush, on: { change: () => takeBrush(pattern) } }), content);
  }

  function showTools() {
    const { draft, at, brush, past, future } = drawings.sheet;
    const missing = spec.missingCount(draft.drawings[at]);
    const letter = brush === spec.NONE ? '' : letterOf(brush);
    setTools(tools, [
      { text: 'Undo', can: past.length > 0, act: () => travel('undo') },
      { text: 'Redo', can: future.length > 0, act: () => travel('redo') },
      { text: 'Clear', can: missing < draft.goal.tiles.length - 1, act: () => replace(() => spec.NONE) },
      { text: letter ? `Fill the rest with ${letter}` : 'Fill the rest', can: missing > 0 && letter !== '',
        act: () => replace((pattern) => (pattern === spec.NONE ? brush : pattern)) },
    ]);
  }

  /** @param {'undo' | 'redo'} step */
  function travel(step) {
    if (drawings.travel(step)) announce(step === 'undo' ? 'Taken back.' : 'Done again.');
  }

  /** @param {(pattern: number) => number} next */
  function replace(next) {
    const { draft, at } = drawings.sheet;
    drawings.change({ drawings: draft.drawings.map((drawing, index) => (index === at
      ? drawing.map((pattern, cell) => (draft.goal.tiles[cell] === 0 ? spec.NONE : next(pattern))) : drawing)) });
    if (next(spec.NONE) === spec.NONE) announce('All tiles are taken out.');
  }

  return { tabs, tabTools, palette, tools, show, showTools, takeBrush, travel };
}

/**
 * Updates buttons in place, so that the focus stays.
 * @param {HTMLElement} place @param {readonly Tool[]} next
 */
function setTools(place, next) {
  if (place.childElementCount !== next.length) fill(place, next.map(() => el('button', { type: 'button', class: 'quiet' })));
  next.forEach(({ text, name, can, act }, at) => {
    const tool = /** @type {HTMLButtonElement} */ (place.children[at]);
    tool.textContent = text;
    tool.title = name ?? '';
    tool.setAttribute('aria-disabled', String(!can));
    tool.onclick = () => { if (can) act(); };
  });
}
