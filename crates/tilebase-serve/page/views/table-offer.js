// @ts-check
// Offer to build missing tables, with progress in place.

import { detailOf, isAbort, isOver } from '../api.js';
import { backend } from '../backend.js';
import { blankOf, parse, shapeOf } from '../board.js';
import { button, el, fill, formatBytes, formatSeconds } from '../dom.js';

/** @typedef {typeof import('../api.js')} Api */
/** @typedef {import('../board.js').Board} Board */
/** @typedef {import('../builds.js').Build} Build */
/** @typedef {{ name: string, disk_bytes: number, seconds?: number }} Tables cost of a spec's tables */
/** @typedef {{ name: string, kind: string, blank: string, built: string, file_bytes: number, goal: string }} Listing */
/**
 * @typedef {object} OfferOptions
 * @property {string} goal the goal as a parameter
 * @property {string} lead text of the button before the name of the tables
 * @property {(name: string) => void} onBuilt
 * @property {(text: string) => void} announce
 * @property {AbortSignal} signal
 */

/** Largest number of cells of boards that are solved at once without tables. */
const INSTANT_CELLS_MAX = 10;

/** Returns the tables to offer, null if searches are quick without them. @param {Board} board @param {Tables | null} tables */
export function worthwhile(board, tables) {
  return board.tiles.length <= INSTANT_CELLS_MAX ? null : tables;
}

/** Returns the start of the button's text. @param {Board} board */
export function leadFor(board) {
  return board.tiles.length <= 16 ? 'Make it instant: build' : 'Make it faster: build';
}

/**
 * Creates a button that builds tables, or the progress of a running build. If the server does not build for this
 * user, it says whom to ask.
 * @param {Api} api @param {Tables} tables @param {OfferOptions} options
 */
export function createTableOffer(api, tables, options) {
  const { goal, lead, onBuilt, announce, signal } = options;
  const { name } = tables;
  const element = el('div', { class: 'table-offer stack' });
  const start = button(`${lead} ${costOf(tables)}`, () => void begin(), { class: 'primary' });
  const share = el('progress', { class: 'meter', max: 1, value: 0, 'aria-label': `Build of ${name}` });
  const said = el('p', { class: 'small' });
  const here = el('p', { class: 'small', hidden: true });
  const cancel = button('Cancel', () => void stop(), { class: 'quiet' });
  /** @type {Build | null} */
  let build = null;

  /** @param {string} [problem] */
  function offer(problem) {
    fill(element, el('div', { class: 'row' }, start), here, problem && el('p', { class: 'problem', role: 'alert' }, problem));
  }

  async function begin() {
    start.disabled = true;
    try {
      await follow(await api.post('/v1/builds', JSON.stringify({ spec: name, goal }), 'application/json', { signal }));
    } catch (error) {
      start.disabled = false;
      if (!isAbort(error)) offer(detailOf(error));
    }
  }

  /** @param {Build} begun */
  async function follow(begun) {
    const hadFocus = element.contains(document.activeElement);
    fill(element, el('p', null, `The tables of ${name} are being built. The page stays usable.`),
      el('div', { class: 'row' }, share, cancel), said);
    if (hadFocus) cancel.focus();
    announce(`The tables of ${name} are being built.`);
    show(begun);
    // Few games build tables.
    const { followBuild } = await import('../builds.js');
    const last = await followBuild(api, begun, { signal, onChange: show, onTrouble: (text) => { said.textContent = text; } });
    start.disabled = false;
    if (signal.aborted) return;
    if (last.status === 'done') {
      announce(`The tables of ${name} are built.`);
      onBuilt(name);
    } else if (!isOver(last)) {
      offer('The connection was lost. The build may go on; press again to follow it.');
    } else {
      offer(last.status === 'cancelled' ? undefined : last.error ?? 'The tables were not built.');
    }
  }

  /** @param {Build} now */
  function show(now) {
    build = now;
    share.value = now.share;
    said.textContent = now.status === 'queued' ? 'Waits until another build is done.'
      : `${Math.round(now.share * 100)} %, ${formatSeconds(now.seconds)}`;
  }

  async function stop() {
    try {
      if (build) await api.remove(`/v1/builds/${build.id}`, { signal });
    } catch (error) {
      if (!isAbort(error)) said.textContent = detailOf(error);
    }
  }

  async function open() {
    const { allowed, builds } = await api.get('/v1/builds', {}, { signal });
    const running = builds.find((/** @type {Build} */ one) => one.spec === name && !isOver(one));
    if (running) await follow(running);
    else if (allowed) offer();
    else fill(element, el('p', { class: 'small' }, `The tables of ${name} are missing, and this server builds no tables. Whoever runs it can build them, or allow it.`));
  }

  /** If this browser builds, says that nothing is downloaded, and how much space is free. */
  async function tellRoom() {
    const { tables: stored } = await backend();
    if (stored === null) return;
    const { free } = await stored.room();
    here.textContent = `This browser builds and keeps them: nothing is downloaded.${free === null ? '' : ` It has room for ${formatBytes(free)}.`}`;
    here.hidden = false;
  }

  void tellRoom().catch(() => {});
  void open().catch((error) => {
    if (!isAbort(error)) fill(element, el('p', { class: 'problem' }, detailOf(error)));
  });
  return element;
}

/** Writes a cost: `15/7-8, 196 MB, about 4 s`. @param {Tables} tables */
function costOf({ name, disk_bytes: bytes, seconds }) {
  const whole = Math.round(seconds ?? 0);
  const time = seconds === undefined ? [] : [seconds < 2 ? 'about a second' : `about ${whole < 60 ? `${whole} s` : formatSeconds(whole)}`];
  return [name, formatBytes(bytes), ...time].join(', ');
}

/**
 * Returns the smallest missing tables of a kind, null if none are missing.
 * @param {Api} api @param {{ goal: Board, goalParameter: string, kind: 'additive' | 'walking-distance' }} need @param {AbortSignal} signal
 * @returns {Promise<Tables | null>}
 */
export async function smallestTables(api, need, signal) {
  const { specs, default: usual } = await api.get('/v1/specs', { shape: shapeOf(need.goal), goal: need.goalParameter }, { signal });
  const missing = specs.filter((/** @type {Listing} */ spec) => serves(spec, need));
  // Shipped specs have better partitions than generated ones.
  const shipped = missing.filter((/** @type {Listing} */ spec) => !spec.name.startsWith('generated/'));
  const [smallest] = (shipped.length > 0 ? shipped : missing).sort((/** @type {Listing} */ a, /** @type {Listing} */ b) => a.file_bytes - b.file_bytes);
  if (smallest) return { name: smallest.name, disk_bytes: smallest.file_bytes };
  // A symmetry may map a spec of another goal to this one.
  return need.kind === 'additive' ? usual.to_build : null;
}

/** Returns whether a spec is of the kind and suits the goal. Patterns need the blank at the home of their drawing. @param {Listing} spec @param {{ goal: Board, kind: string }} need */
function serves(spec, need) {
  if (spec.kind !== need.kind || spec.blank === 'collapsed' || spec.built === 'there') return false;
  return need.kind === 'walking-distance' || blankOf(parse(spec.goal)) === blankOf(need.goal);
}
