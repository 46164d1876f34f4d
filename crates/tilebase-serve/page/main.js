// @ts-check
// Starts the page: the board, the tabs, and the view beside the board.

import * as api from './api.js';
import { backend, moduleAddress } from './backend.js';
import { createBar } from './bar.js';
import { DIRECTION_WORDS, tileOf, inverse } from './board.js';
import { createBoardView } from './board-view.js';
import { colourOfTile } from './colours.js';
import { announce, button, el, fill, isTextField } from './dom.js';
import { createLarge } from './large.js';
import { createPicture } from './picture.js';
import { createSessions } from './sessions.js';
import { createStore, isEmbedded } from './store.js';
import * as play from './views/play/play.js';

/** @typedef {import('./store.js').State} State */
/** @typedef {import('./store.js').ViewName} ViewName */
/** @typedef {{ onSlide?: (cell: number) => void, onRelease?: () => void }} Taking */
/**
 * Objects that all views share.
 * @typedef {object} Context
 * @property {import('./store.js').Store} store
 * @property {typeof api} api
 * @property {(text: string) => void} announce
 * @property {import('./board-view.js').BoardView} boardView
 * @property {import('./picture.js').Picture} picture
 * @property {import('./sessions.js').Sessions} sessions
 * @property {(taking?: Taking) => () => void} takeBoard
 *   reserves the board for a view until the view calls the returned function or is closed
 */
/** @typedef {{ update: (state: State, before: State) => void, unmount: () => void }} View */
/** @typedef {{ mount: (container: HTMLElement, ctx: Context) => View }} ViewModule */

/** @type {Record<ViewName, () => Promise<ViewModule>>} */
const LOADERS = {
  play: () => Promise.resolve(play),
  solve: () => import('./views/solve/solve.js'),
  partition: () => import('./views/partition/partition.js'),
  learn: () => import('./views/learn/learn.js'),
};
/** @type {Record<ViewName, string>} */
const TITLES = { play: 'Play', solve: 'Solve', partition: 'Partition', learn: 'Learn' };
/** @type {Record<State['theme'], { next: State['theme'], sign: string, name: string }>} */
const THEMES = {
  auto: { next: 'light', sign: '◐', name: 'as the system' },
  light: { next: 'dark', sign: '☀', name: 'light' },
  dark: { next: 'auto', sign: '☾', name: 'dark' },
};

const store = createStore();
const sessions = createSessions(store);
const panel = byId('panel');
const boardView = createBoardView(byId('board'), {
  board: store.state.board, goal: store.state.goal, onSlide: (cell) => onSlide(cell), onHover: (cell) => onHover(cell),
  colourOf: tileColour,
});
const picture = createPicture(store, () => {
  showBoard(true);
  view?.update(store.state, store.state);
});
/** @type {Taking | null} */
let taken = null;
/** @type {View | null} */
let view = null;
/** View that was requested last; another one may still be loading. */
let wanted = '';

/** @type {Context} */
const ctx = { store, api, announce, boardView, picture, sessions, takeBoard };

/** @param {string} id */
function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

/** @param {number} cell */
function onSlide(cell) {
  if (taken) taken.onSlide?.(cell);
  else store.slide(cell);
}

// Otherwise, the next movement of the mouse would leave a finished game.
/** @param {number} cell */
function onHover(cell) {
  if (!taken && store.state.isHoverPlay && !store.state.isFinished) store.slide(cell);
}

/** @param {number} tile */
function tileColour(tile) {
  return colourOfTile(store.state, tile);
}

/** @param {Taking} [taking] */
function takeBoard(taking = {}) {
  taken?.onRelease?.();
  const mine = taking;
  taken = mine;
  return () => {
    if (taken === mine) releaseBoard();
  };
}

function releaseBoard() {
  taken = null;
  boardView.setColours(tileColour);
  boardView.setMarks(new Map());
  showBoard(false);
}

/** @param {boolean} instant */
function showBoard(instant) {
  if (taken) return;
  const { board, goal } = store.state;
  boardView.update(board, { goal, image: picture.url, label: `Board of ${board.rows} rows and ${board.cols} columns`, instant });
}

/** @param {State} state @param {State} before */
function announceMove(state, before) {
  const moved = state.done.length - before.done.length;
  if (state.start !== before.start || moved === 0) return;
  const direction = moved > 0 ? state.done.at(-1) : inverse(before.done[before.done.length - 1]);
  if (!direction) return;
  const tile = tileOf(state.board, inverse(direction));
  const solved = !state.isFinished ? '' : ` Solved in ${state.done.length} moves.`;
  announce(`${tile} ${DIRECTION_WORDS[direction]}.${solved}`);
}

/** @param {ViewName} name */
async function openView(name) {
  wanted = name;
  markTab(name);
  // In a frame of another site there is only one view.
  const module = await (isEmbedded() ? import('./views/embed.js') : LOADERS[name]()).catch((error) => (error instanceof Error ? error : new Error(String(error))));
  if (wanted !== name) return;
  view?.unmount();
  view = null;
  boardView.setColours(tileColour);
  const left = taken;
  if (left) releaseBoard();
  left?.onRelease?.();
  fill(panel);
  panel.dataset.view = name;
  if (module instanceof Error) fill(panel, notLoaded(name));
  else view = module.mount(panel, ctx);
}

// A browser may remember that a module could not be loaded, so the page is reloaded. The game is kept.
/** @param {ViewName} name */
function notLoaded(name) {
  return el('section', { class: 'problem stack', role: 'alert' },
    el('p', null, `“${TITLES[name]}” cannot be loaded: the server does not answer. Check that it is running, and the network, then try again.`),
    el('div', { class: 'row' }, button('Try again', () => location.reload())));
}

/** @param {ViewName} name */
function markTab(name) {
  document.title = `${TITLES[name]} · Tilebase`;
  byId('title').textContent = `${TITLES[name]} · Tilebase`;
  for (const tab of document.querySelectorAll('.tabs a')) {
    const isThis = tab instanceof HTMLElement && tab.dataset.view === name;
    if (isThis) tab.setAttribute('aria-current', 'page');
    else tab.removeAttribute('aria-current');
  }
}

/** @param {State} state */
function showTheme(state) {
  const { sign, name } = THEMES[state.theme];
  if (state.theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = state.theme;
  const toggle = byId('theme');
  toggle.textContent = sign;
  toggle.setAttribute('aria-label', `Colours: ${name}`);
  toggle.title = `Colours: ${name}`;
}

/** Shows which back end answers: a server, or this browser with its own tables. */
async function showPlace() {
  const { place, tables } = await backend();
  const foot = byId('place');
  if (tables === null) {
    fill(foot, el('span', { title: 'A Tilebase server answers: it searches, and keeps the tables.' }, 'Server'));
  } else {
    fill(foot, (await import('./web/place.js')).createPlace(tables));
  }
  foot.dataset.place = place;
}

/** @param {Event} event */
function onPress(event) {
  const help = event.target instanceof Element ? event.target.closest('[data-help]') : null;
  if (help instanceof HTMLElement) return void openHelp(help.dataset.help ?? '');
  const link = event.target instanceof Element ? event.target.closest('a[data-view]') : null;
  if (!(link instanceof HTMLElement)) return;
  event.preventDefault();
  store.setView(/** @type {ViewName} */ (link.dataset.view));
}

/**
 * Returns whether Space starts another game: before the first move and after the last one, unless it presses a control.
 * @param {EventTarget | null} target
 */
function startsAnother(target) {
  const { isFinished, done, view: open } = store.state;
  if (open !== 'play' || !(target instanceof Element) || target.closest('dialog, summary, a, input')) return false;
  const control = target.closest('button');
  if (control === null) return isFinished || done.length === 0;
  return isFinished && control.matches('.tile');
}

/** @param {string} part */
async function openHelp(part) {
  const { openHelp: show } = await import('./views/help.js');
  show(part);
}

const help = () => void openHelp('keys');
/** What keys do, beside those that move tiles. The letters are the same as in the terminal game. @type {Record<string, () => void>} */
const ACTIONS = {
  'ctrl z': store.undo, u: store.undo, backspace: store.undo, 'ctrl shift z': store.redo, 'ctrl y': store.redo, r: store.redo,
  p: store.previous, n: () => bar.renew(), '?': help, 'shift ?': help,
  h: () => store.set({ hints: store.state.hints === 'nothing' ? 'all' : 'nothing' }),
};

/** @param {KeyboardEvent} event */
function onKey(event) {
  if (isTextField(event.target) || taken || event.altKey || event.defaultPrevented) return;
  const isWithControl = event.ctrlKey || event.metaKey;
  if (event.key === ' ' && startsAnother(event.target)) return event.preventDefault(), bar.renew();
  const key = `${isWithControl ? 'ctrl ' : ''}${event.shiftKey ? 'shift ' : ''}${event.key.toLowerCase()}`;
  if (!(key in ACTIONS)) return;
  ACTIONS[key]();
  event.preventDefault();
}

store.subscribe((state, before) => {
  if (state.board !== before.board || state.goal !== before.goal) {
    showBoard(false);
    announceMove(state, before);
  }
  if (state.theme !== before.theme) showTheme(state);
  if (!taken && state.colours !== before.colours) boardView.setColours(tileColour);
  if (state.view !== before.view) void openView(state.view);
  else view?.update(state, before);
});

document.addEventListener('click', onPress);
document.addEventListener('keydown', onKey);
createLarge(byId('large'), announce);
byId('theme').addEventListener('click', () => store.prefer({ theme: THEMES[store.state.theme].next }));
document.querySelector('.skip')?.addEventListener('click', (event) => {
  event.preventDefault();
  const tile = document.querySelector('#board .tile[tabindex="0"]');
  if (tile instanceof HTMLElement && tile.checkVisibility()) tile.focus();
  else panel.querySelector('button')?.focus();
});
if (isEmbedded()) document.documentElement.dataset.embed = 'board';
const bar = createBar(byId('bar'), ctx);
bar.complain(store.linkProblem ?? '');
window.addEventListener('hashchange', () => bar.complain(store.linkProblem ?? ''));
showTheme(store.state);
showBoard(true);
void openView(store.state.view);
// If this fails, requests report the reason.
void showPlace().catch(() => {});
if (moduleAddress() !== null) void import('./web/install.js').then(({ keepPage }) => keepPage()).catch(() => {});
