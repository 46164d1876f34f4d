// @ts-check
// A spec as text: to copy, to save, to paste and to open from a file.

import { button, copied, el, say } from '../../dom.js';
import { fileButton, saveFile } from '../user-files.js';
import { section } from './plan-panel.js';

const SIZE_MAX = 64 * 1024;

/**
 * @param {object} hooks
 * @param {(text: string) => Promise<boolean>} hooks.onText draws a text; resolves with whether that worked
 * @param {() => string} hooks.fileName
 * @param {(text: string) => void} hooks.announce
 */
export function createSpecText({ onText, fileName, announce }) {
  const area = el('textarea', { id: 'pt-toml', class: 'pt-toml', rows: 14, spellcheck: 'false', autocomplete: 'off',
    autocapitalize: 'off', on: { input: () => { markEdited(); } } });
  const draw = button('Draw this text', () => void drawn(area.value), { hidden: true, class: 'primary' });
  const back = button('Discard changes', () => { show(text); }, { hidden: true });
  const copy = button('Copy', () => void copied(area.value, copy));
  const open = fileButton('Open a file', { id: 'pt-file', accept: '.toml,text/plain', 'aria-label': 'File of a spec' }, ([file]) => read(file));
  const problem = el('p', { class: 'problem pt-says', role: 'alert', hidden: true });
  let text = '';

  const element = section('pt-text-title', 'Save and load',
    el('p', { class: 'muted' }, 'A spec is a drawing in a text file. Every command of Tilebase takes it. '
      + 'Edit or paste one here, open a file, or drop a file on the drawing.'),
    el('label', { class: 'hidden-text', for: 'pt-toml' }, 'Spec as TOML'), area, problem,
    el('div', { class: 'row' }, draw, back, copy, button('Save as a file', save), open));

  /** @param {string} next */
  function show(next) {
    text = next;
    area.value = next;
    say(problem, '');
    markEdited();
  }

  function markEdited() {
    const isEdited = area.value !== text;
    draw.hidden = !isEdited;
    back.hidden = !isEdited;
  }

  /** @param {string} next */
  async function drawn(next) {
    area.value = next;
    draw.hidden = false;
    draw.textContent = 'Reading …';
    draw.setAttribute('aria-busy', 'true');
    if (await onText(next)) say(problem, '');
    draw.textContent = 'Draw this text';
    draw.removeAttribute('aria-busy');
    markEdited();
  }

  /** @param {File | undefined} file */
  async function read(file) {
    if (!file) return;
    if (file.size > SIZE_MAX) refuse(`${file.name} is too large for a spec: one has at most 64 KiB.`);
    else await drawn(await file.text());
  }

  function save() {
    saveFile(new Blob([area.value], { type: 'application/toml' }), fileName());
    announce(`Saved as ${fileName()}.`);
  }

  /** @param {string} reason */
  function refuse(reason) {
    say(problem, reason);
    problem.classList.toggle('is-marked', reason.includes('\n'));
  }

  return {
    element, read, refuse,
    /** Shows the text of the drawing, unless the user is editing the text. @param {string} next */
    update(next) {
      if (area.value === text) show(next);
      else text = next;
      markEdited();
    },
    show,
  };
}
