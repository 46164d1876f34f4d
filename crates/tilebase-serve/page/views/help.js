// @ts-check
// Help: what to do, the keys, and what this page is.

import { DIRECTIONS } from '../board.js';
import { button, el, fill } from '../dom.js';
import { chosenKeys, nameOfKey } from '../keys.js';
import { useStyles } from './styles.js';

/** Keys and what they do, beside those that move tiles. @type {readonly [string[], string][]} */
const KEYS = [
  [['Shift', 'arrow'], 'Go from tile to tile; Enter moves the tile'],
  [['U'], 'Undo a move; also Backspace and Ctrl Z'], [['R'], 'Make it again; also Ctrl Y'],
  [['N'], 'New board'], [['Space'], 'New board, before the first move and after the last one'], [['P'], 'Previous board'],
  [['H'], 'Show and hide hints'], [['F'], 'Large view; Escape ends it'], [['?'], 'This help'],
];

/** @type {HTMLDialogElement | null} */
let dialog = null;

/** Opens the help at its keys or at what the page is. @param {string} part */
export function openHelp(part) {
  useStyles('views/later.css');
  dialog ??= document.body.appendChild(el('dialog', { class: 'help', 'aria-labelledby': 'help-title' }));
  const close = button('Close', () => dialog?.close(), { class: 'primary' });
  fill(dialog, el('div', { class: 'stack' }, part === 'about' ? about() : keys(), el('div', { class: 'row' }, close)));
  if (!dialog.open) dialog.showModal();
  close.focus();
  // The focus scrolls a long help to its end.
  dialog.scrollTop = 0;
}

function keys() {
  const moving = [0, 1].flatMap((nth) => DIRECTIONS.map((direction) => chosenKeys()[direction][nth])).filter((code) => code !== '');
  const rows = [[moving.map(nameOfKey), 'Move a tile into the blank'], ...KEYS];
  return el('div', { class: 'stack' },
    el('h2', { id: 'help-title' }, 'Help and keys'),
    el('p', null, 'Slide the tiles until the board is the goal, the small board beside it. Press a tile in the row or column of the blank, drag it, swipe, or use keys. A tile farther away takes along those between.'),
    el('p', null, '“Solve” finds a shortest solution of the board, “Board as text” takes a board of yours, and “Learn” explains how the solver knows.'),
    el('table', { class: 'figure-table' }, el('thead', { class: 'hidden-text' }, el('tr', null, el('th', { scope: 'col' }, 'Keys'), el('th', { scope: 'col' }, 'Action'))),
      el('tbody', null, rows.map(([names, what]) => el('tr', null,
        el('td', null, /** @type {string[]} */ (names).flatMap((name) => [el('kbd', null, name), ' '])), el('td', null, String(what)))))));
}

function about() {
  return el('div', { class: 'stack' },
    el('h2', { id: 'help-title' }, 'About Tilebase'),
    el('p', null, 'Tilebase solves sliding-tile puzzles with the fewest moves, and proves that no solution is shorter. Its searches look estimates up in tables of patterns, which “Partition” draws and “Learn” explains.'),
    el('p', null, 'This page loads nothing from other hosts. Your boards, times and pictures stay in this browser.'),
    el('p', null, el('a', { href: 'https://github.com/tilebase/tilebase', target: '_blank', rel: 'noopener' }, 'Source, documentation and licence, on the web')));
}
