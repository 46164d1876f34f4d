// @ts-check
// Options of Play: a picture on the tiles, their colours, moves by hovering, and the user's keys.

import { attempt } from '../../api.js';
import { DIRECTIONS, DIRECTION_WORDS } from '../../board.js';
import { announce, button, el, field, fill, select } from '../../dom.js';
import { chooseKey, chosenKeys, isFree, nameOfKey, resetKeys } from '../../keys.js';
import { useStyles } from '../styles.js';
import { fileButton } from '../user-files.js';

/** @typedef {import('../../main.js').Context} Context */
/** @typedef {import('../../board.js').Direction} Direction */
/** @typedef {import('../../store.js').State} State */

const COLOURS = [{ value: 'plain', text: 'Plain' }, { value: 'rows', text: 'A colour for each row' }, { value: 'columns', text: 'A colour for each column' }];

/** @param {Context} ctx @returns {import('./play.js').Part} */
export function createPart(ctx) {
  const { store } = ctx;
  useStyles('views/later.css');
  const colours = select(COLOURS, store.state.colours, {
    on: { change: () => store.prefer({ colours: /** @type {State['colours']} */ (colours.value) }) },
  });
  const hover = el('input', { type: 'checkbox', checked: store.state.isHoverPlay, on: { change: () => store.prefer({ isHoverPlay: hover.checked }) } });
  const table = el('div', { class: 'keys', role: 'group', 'aria-label': 'Keys' });
  const reset = button('Usual keys', onReset, { class: 'quiet' });
  const element = el('div', { class: 'stack options' }, looksPart(ctx),
    field('Colours of the tiles', colours),
    el('label', { class: 'toggle of-mouse' }, hover, 'The mouse moves tiles without a press, when it goes over one beside the blank'),
    el('h3', null, 'Keys'),
    el('p', { class: 'muted small' }, 'Each direction is that of the tile. Press a key’s button, then the new key; Escape keeps the old one.'),
    table, el('div', { class: 'row' }, reset));

  function onReset() {
    resetKeys();
    show();
    announce('The usual keys are back.');
  }

  function show() {
    fill(table, DIRECTIONS.flatMap((direction) => [
      el('span', null, `Tile ${DIRECTION_WORDS[direction]}`), keyButton(direction, 0), keyButton(direction, 1),
    ]));
  }

  /** @param {Direction} direction @param {0 | 1} nth */
  function keyButton(direction, nth) {
    const code = chosenKeys()[direction][nth];
    const name = nameOfKey(code);
    const made = button(name, () => {
      made.textContent = 'Press a key…';
      made.dataset.ownKeys = '';
      announce('Press a key.');
    }, {
      'aria-label': `Key ${nth + 1} for tile ${DIRECTION_WORDS[direction]}: ${name}`,
      on: { keydown: (/** @type {KeyboardEvent} */ event) => onKey(event, direction, nth), blur: () => { if (made.dataset.ownKeys !== undefined) show(); } },
    });
    return made;
  }

  /** @param {KeyboardEvent} event @param {Direction} direction @param {0 | 1} nth */
  function onKey(event, direction, nth) {
    const made = /** @type {HTMLElement} */ (event.currentTarget);
    if (made.dataset.ownKeys === undefined || event.key === 'Tab') return;
    event.preventDefault();
    event.stopPropagation();
    if (isFree(event.code)) {
      chooseKey(direction, nth, event.code);
      announce(`Tile ${DIRECTION_WORDS[direction]}: ${nameOfKey(event.code)}`);
    } else if (event.key !== 'Escape') return;
    delete made.dataset.ownKeys;
    show();
    const at = DIRECTIONS.indexOf(direction) * 2 + nth;
    table.querySelectorAll('button')[at]?.focus();
  }

  show();
  return { element };
}

/** Creates the choice of numbers or a picture on the tiles. @param {Context} ctx */
function looksPart({ picture }) {
  const [file, choose] = fileButton('Choose a picture…', { accept: 'image/*', 'aria-hidden': 'true' }, onFile);
  const clear = button('Numbers only', onClear, { class: 'quiet' });
  const problem = el('p', { class: 'problem', role: 'alert', hidden: true });
  const element = el('div', { class: 'stack' }, el('h3', null, 'Picture on the tiles'),
    el('div', { class: 'row' }, file, choose, clear),
    problem, el('p', { class: 'muted small' }, 'The picture stays in this browser, also when you come back. It is not uploaded.'));

  /** @param {File[]} files */
  async function onFile([chosen]) {
    await attempt(problem, () => picture.choose(chosen));
    show();
  }

  function onClear() {
    picture.clear();
    show();
    choose.focus();
  }

  function show() {
    clear.hidden = picture.url === null;
  }

  show();
  return element;
}
