// @ts-check
// Options of a spec beside its drawings: its name, and the look-up of boards.

import { el, select } from '../../dom.js';
import { mirrorImagesOf, mirrorsOf, titleOf } from './spec.js';

/** @typedef {import('./spec.js').Draft} Draft */
/** @typedef {(changes: Partial<Draft>) => void} Change */

/** @param {Draft} draft @param {Change} change */
export function optionFields(draft, change) {
  return [nameField(draft, change), kindField(draft, change), draft.kind === 'plain' ? null : blankField(draft, change),
    mirrorField(draft, change)];
}

/** @param {Draft} draft @param {Change} change */
function nameField(draft, change) {
  const input = el('input', { id: 'pt-title', type: 'text', maxlength: 120, value: titleOf(draft), autocomplete: 'off',
    on: { change: () => {
      // Titles are one line without control characters.
      const title = [...input.value].filter((letter) => letter >= ' ' && letter !== '\u007f').join('').trim();
      change({ title: title === '' ? null : title });
    } } });
  return field('Name', input);
}

/** @param {Draft} draft @param {Change} change */
function kindField(draft, change) {
  const choices = [{ value: 'additive', text: 'add up (additive)' }, { value: 'plain', text: 'the largest counts (plain)' }];
  const list = select(choices, draft.kind, { id: 'pt-kind',
    on: { change: () => change({ kind: list.value === 'plain' ? 'plain' : 'additive' }) } });
  return field('Values', list, draft.kind === 'plain'
    ? 'Every move counts, so patterns may leave tiles out and overlap. For comparison.'
    : 'Only moves of a pattern’s own tiles count, so the values of all patterns are added.');
}

/** @param {Draft} draft @param {Change} change */
function blankField(draft, change) {
  const choices = [{ value: 'aware', text: 'in the table (blank-aware)' }, { value: 'collapsed', text: 'left out (blank-collapsed)' }];
  const list = select(choices, draft.blank, { id: 'pt-blank',
    on: { change: () => change({ blank: list.value === 'collapsed' ? 'collapsed' : 'aware' }) } });
  return field('The blank', list, draft.blank === 'collapsed'
    ? 'The smallest value over all regions. Lower estimates and larger tables, for comparison.'
    : 'The region that the blank can reach is part of the index. Higher estimates and smaller tables.');
}

/** @param {Draft} draft @param {Change} change */
function mirrorField(draft, change) {
  const count = mirrorsOf(draft.goal).length;
  const box = el('input', { id: 'pt-reflect', type: 'checkbox', checked: draft.reflect && count > 0, disabled: count === 0,
    on: { change: () => change({ reflect: box.checked }) } });
  return el('div', { class: 'field' }, el('label', { class: 'toggle' }, box, 'Look mirror images up too'),
    el('p', { class: 'muted' }, mirrorText(draft, count)));
}

/** @param {Draft} draft @param {number} count */
function mirrorText(draft, count) {
  if (count === 0) return "There is none: no reflection of this board leaves the blank's home in place.";
  if (draft.reflect && mirrorImagesOf(draft).length === 0) return 'The drawing is its own mirror image, so there is nothing more to look up.';
  return `They are looked up in the same tables and cost no memory. The largest ${draft.kind === 'plain' ? 'value' : 'sum'} counts.`;
}

/** @param {string} name @param {HTMLElement} control @param {string} [help] */
function field(name, control, help) {
  return el('div', { class: 'field' }, el('label', { for: control.id }, name), control,
    help === undefined ? null : el('p', { class: 'muted' }, help));
}
