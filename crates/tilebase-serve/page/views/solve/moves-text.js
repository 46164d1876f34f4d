// @ts-check
// Moves as text to copy, and their animation.

import { button, copied, el, field, fill, formatSeconds, select } from '../../dom.js';
import { detailOf } from '../../api.js';
import { backend } from '../../backend.js';
import * as puzzle from '../../board.js';
import { saveFile } from '../user-files.js';

/** @typedef {import('../../board.js').Board} Board */
/** @typedef {import('../../board.js').Direction} Direction */
/** @typedef {'tile' | 'blank' | 'tiles'} Notation */

const GROUP = 5;
const NOTATIONS = [
  { value: 'tile', text: 'Letters: where the tile goes' },
  { value: 'blank', text: 'Letters: where the blank goes' },
  { value: 'tiles', text: 'Numbers of the tiles' },
];
const COLOURINGS = [
  { value: 'plain', text: 'plain' }, { value: 'rows', text: 'rows' }, { value: 'columns', text: 'columns' },
  { value: 'partition', text: 'patterns' }, { value: 'odd-even', text: 'odd and even' },
];

/**
 * Returns the words of moves in groups of five.
 * @param {Board} start @param {readonly Direction[]} moves @param {Notation} notation @returns {string[][]}
 */
function groupsOf(start, moves, notation) {
  const words = notation === 'tiles' ? puzzle.tilesOf(start, moves).map(String) : [...puzzle.lettersOf(moves, notation)];
  return Array.from({ length: Math.ceil(words.length / GROUP) }, (_, at) => words.slice(at * GROUP, (at + 1) * GROUP));
}

/** @param {string[][]} groups @param {Notation} notation */
export function textOf(groups, notation) {
  return groups.map((group) => group.join(notation === 'tiles' ? ' ' : '')).join(notation === 'tiles' ? '  ' : ' ');
}

/**
 * @param {Board} start @param {readonly Direction[]} moves @param {import('../../main.js').Context} ctx
 * @param {Partial<import('../../store.js').State>} goal
 */
export function createMovesText(start, moves, ctx, goal) {
  /** @type {Notation} */
  let notation = ctx.store.state.naming;
  let position = 0;
  const list = select(NOTATIONS, notation, { 'aria-label': 'Notation', on: { change: () => {
    notation = /** @type {Notation} */ (list.value);
    render();
  } } });
  const lines = el('p', { class: 'solution-text' });
  const copy = button('Copy', () => void copied(textOf(groupsOf(start, moves, notation), notation), copy));
  const share = button('Copy link to this solution', () => {
    const game = { ...goal, start, board: start, undone: [...moves].reverse() };
    void copied(ctx.store.linkTo({ ...game, view: 'play' }), share);
  });
  render();

  function render() {
    const between = notation === 'tiles' ? ' ' : '';
    fill(lines, groupsOf(start, moves, notation).flatMap((group) => [
      el('span', { class: 'group' }, group.flatMap((word, at) => [at > 0 && between, el('span', null, word)])), ' ']));
    setPosition(position);
  }

  /** @param {number} to */
  function setPosition(to) {
    position = to;
    lines.querySelectorAll('.group > span').forEach((word, at) => word.classList.toggle('is-played', at < to));
  }

  const element = el('section', { class: 'stack moves-text' }, el('h3', {}, 'Moves as text'),
    el('div', { class: 'row' }, list, copy, share), lines);
  return { element, setPosition };
}

/**
 * Creates links to the animation, which the back end draws.
 * @param {{ board: string, goal: string, spec: string | null, sequence: string }} question
 * @param {boolean} hasPatterns whether the spec parts the tiles into patterns
 * @param {import('../../main.js').Context} ctx
 */
export function createAnimationLinks(question, hasPatterns, ctx) {
  const colours = select(COLOURINGS.filter(({ value }) => value !== 'partition' || hasPatterns), 'plain', { on: { change: render } });
  const estimates = el('input', { type: 'checkbox', on: { change: render } });
  const open = el('a', { target: '_blank', rel: 'noopener' }, 'Open the animation (SVG)');
  const gif = saveLink('GIF', 'tilebase.gif');
  const svg = saveLink('SVG', 'tilebase.svg');
  const said = el('p', { class: 'muted small', role: 'status' });
  let isDrawing = false;
  render();

  /** @param {string} format @param {string} name */
  function saveLink(format, name) {
    /** @type {HTMLAnchorElement} */
    const link = el('a', { download: name, on: { click: (/** @type {MouseEvent} */ event) => {
      event.preventDefault();
      if (!isDrawing) void save(link, format);
    } } }, `Save it as ${format}`);
    return link;
  }

  // Drawing takes seconds, and a browser shows nothing of a download before its first byte.
  /** @param {HTMLAnchorElement} link @param {string} format */
  async function save(link, format) {
    const begun = performance.now();
    const tick = () => { said.textContent = `The ${format} is being drawn: ${formatSeconds(Math.floor((performance.now() - begun) / 1000) || 1)} …`; };
    const ticking = setInterval(tick, 1000);
    isDrawing = true;
    link.setAttribute('aria-busy', 'true');
    tick();
    try {
      saveFile(await ctx.api.file(address(format.toLowerCase())), link.download);
      said.textContent = `The ${format} is saved.`;
    } catch (error) {
      said.textContent = `There is no ${format}: ${detailOf(error)}`;
    } finally {
      clearInterval(ticking);
      isDrawing = false;
      link.removeAttribute('aria-busy');
    }
  }

  /** @param {string} format */
  function address(format) {
    return ctx.api.urlOf('/v1/animation', { ...question, colours: colours.value, estimates: estimates.checked ? 'yes' : null, format });
  }

  // Relative to the page, which may be below a folder.
  function render() {
    open.href = address('svg').slice(1);
    gif.href = address('gif').slice(1);
    svg.href = open.href;
  }

  const links = el('div', { class: 'row animation-links' }, open, gif);

  /** Offers only a file if there is no server, because then no address can be opened and no pixels are drawn. */
  async function offerFileAlone() {
    const { place } = await backend();
    if (place !== 'server') fill(links, svg);
  }

  void offerFileAlone().catch(() => {});
  return el('section', { class: 'stack animation' }, el('h3', {}, 'Animation'),
    el('div', { class: 'row' }, field('Colours', colours), el('label', { class: 'toggle' }, estimates, 'Estimates below the board')), links, said);
}
