// @ts-check
// Shipped partitions, as starting points of a drawing.

import { el, formatBytes } from '../../dom.js';
import { miniature } from './miniature.js';
import { draftOf, sizesOf } from './spec.js';

/** @typedef {import('../../board.js').Board} Board */
/** @typedef {import('./spec.js').Draft} Draft */
/** @typedef {import('./spec.js').Listing} Listing */
/** @typedef {(listing: Listing, draft: Draft) => void} Pick */

/** Number of drawings that fit on a card. */
const SHOWN_MAX = 2;

/** @param {readonly Listing[]} shipped @param {Board} goal @param {Pick} pick */
export function startList(shipped, goal, pick) {
  const choices = shipped.flatMap((listing) => {
    const draft = draftOf(listing, goal);
    return draft === null ? [] : [{ listing, draft }];
  }).sort((a, b) => Number(isForComparison(a.draft)) - Number(isForComparison(b.draft)));
  if (choices.length === 0) return el('p', { class: 'muted' }, 'No partition is shipped for boards of this shape.');
  return el('ul', { class: 'pt-start-list' }, choices.map(({ listing, draft }) => card(listing, draft, pick)));
}

/** @param {Draft} draft */
function isForComparison(draft) {
  return draft.kind === 'plain' || draft.blank === 'collapsed';
}

/** @param {Listing} listing @param {Draft} draft @param {Pick} pick */
function card(listing, draft, pick) {
  const count = draft.drawings.length;
  const sizes = count > SHOWN_MAX ? `${count} drawings` : draft.drawings.map(sizesOf).join(' and ');
  const built = listing.built === 'there' ? '✓ built' : formatBytes(listing.file_bytes);
  return el('li', {}, el('button', { type: 'button', class: 'pt-start', title: listing.title, on: { click: () => pick(listing, draft) } },
    el('span', { class: 'pt-mini-row' }, draft.drawings.slice(0, SHOWN_MAX).map((drawing) => miniature(draft.goal, drawing))),
    el('strong', {}, listing.name), el('span', { class: 'muted' }, `${sizes} · ${built}`)));
}
