// @ts-check
// Offers to build the tables that a lesson needs, where the server allows it.

import { button, el, fill, formatBytes } from '../dom.js';
import { detailOf, isAbort } from '../api.js';
import { blankOf, parse } from '../board.js';

/** @typedef {{ name: string, kind: string, blank: string, built: string, file_bytes: number, goal: string }} Listing */
/**
 * @typedef {object} Need
 * @property {import('../board.js').Board} goal
 * @property {string} goalParameter
 * @property {'additive' | 'walking-distance'} kind
 * @property {() => void} onBuilt
 */

/**
 * A button that builds the smallest tables of a kind; nothing where there are none to build.
 * @param {typeof import('../api.js')} api @param {Need} need @param {AbortSignal} signal
 */
export function createTableOffer(api, need, signal) {
  const element = el('div', { class: 'row' });
  void offer(api, need, element, signal).catch((error) => {
    if (!isAbort(error)) fill(element, el('p', { class: 'problem' }, detailOf(error)));
  });
  return element;
}

/** @param {typeof import('../api.js')} api @param {Need} need @param {HTMLElement} element @param {AbortSignal} signal */
async function offer(api, need, element, signal) {
  const { rows, cols } = need.goal;
  const [{ specs }, { allowed }] = await Promise.all([
    api.get('/v1/specs', { shape: `${rows}x${cols}`, goal: need.goalParameter }, { signal }), api.get('/v1/builds', {}, { signal })]);
  const smallest = smallestOf(specs.filter((/** @type {Listing} */ spec) => serves(spec, need)));
  if (!smallest || !allowed) return;
  const build = button(`Build those of ${smallest.name} (${formatBytes(smallest.file_bytes)})`, () => {
    build.disabled = true;
    build.textContent = 'Builds …';
    void built(api, smallest.name, need.goalParameter, signal).then(need.onBuilt, (error) => {
      if (!isAbort(error)) fill(element, el('p', { class: 'problem' }, detailOf(error)));
    });
  });
  fill(element, build);
}

/** Whether a spec is of the kind and leads to this goal: patterns need the blank where they were drawn with it. @param {Listing} spec @param {Need} need */
function serves(spec, need) {
  if (spec.kind !== need.kind || spec.blank === 'collapsed' || spec.built === 'there') return false;
  return need.kind === 'walking-distance' || blankOf(parse(spec.goal)) === blankOf(need.goal);
}

/** @param {Listing[]} missing */
function smallestOf(missing) {
  // Shipped specs have been drawn with care, generated ones follow a rule.
  const shipped = missing.filter((spec) => !spec.name.startsWith('generated/'));
  return (shipped.length > 0 ? shipped : missing).sort((a, b) => a.file_bytes - b.file_bytes).at(0);
}

/** @param {typeof import('../api.js')} api @param {string} spec @param {string} goal @param {AbortSignal} signal */
async function built(api, spec, goal, signal) {
  let build = await api.post('/v1/builds', JSON.stringify({ spec, goal }), 'application/json', { signal });
  await api.stream(`/v1/builds/${build.id}`, {}, { signal, on: { build: (now) => { build = now; } } });
  if (build.status !== 'done') throw new Error(build.error ?? 'The tables were not built.');
}
