// @ts-check
// Result of a finished game: its moves and time beside the optimum, in moves and on request in slides.

import { createNewest, detailOf, isAbort } from '../../api.js';
import * as puzzle from '../../board.js';
import { button, el, fill, formatClock, plural } from '../../dom.js';
import { helpOf } from '../../sessions.js';
import { elapsedOf, queryOf } from '../../store.js';
import { sentenceOf } from '../length.js';
import { createStanding } from './solves.js';

/** @typedef {import('../../main.js').Context} Context */
/** @typedef {import('../../store.js').State} State */
/** @typedef {import('../drawer.js').Part} Part */

/** Time limit of the search for the fewest slides, which no table may help. */
const SLIDES_WITHIN = '10s';

/** Creates the result: the number of moves beside the optimum. @param {Context} ctx @returns {Part} */
export function createFinish({ store, api, announce, sessions }) {
  const element = el('section', { class: 'card finish', 'aria-label': 'Finish', hidden: true });
  const asking = createNewest();
  /** @type {ReturnType<typeof createStanding> | null} */
  let standing = null;
  const forget = sessions.subscribe(() => standing?.show());

  /** Returns the solve that the game is, if it was the last one. @param {State} state */
  function solveOf({ start, done }) {
    const last = sessions.list(puzzle.shapeOf(start)).at(-1);
    return last?.start === puzzle.format(start) && last.moves === puzzle.lettersOf(done) ? last : undefined;
  }

  /** @param {State} state */
  async function show(state) {
    // Moves of a link have no time.
    const time = elapsedOf(state) > 0 ? ` in ${formatClock(elapsedOf(state))}` : '';
    const slides = puzzle.slidesOf(state.done);
    const rates = [[state.done.length, 'moves'], [slides, 'slides']].map(([count, name]) => `${(Number(count) / (elapsedOf(state) / 1000)).toFixed(1)} ${name}`);
    const made = el('p', null, `${plural(state.done.length, 'move')}, ${plural(slides, 'slide')}${time}.${time === '' ? '' : ` A second: ${rates.join(', ')}.`}`);
    const verdict = el('p', { class: 'muted' }, 'Searching for the optimum…');
    const help = helpOf(state);
    const inSlides = el('p', null, button('Compare slides', () => void compareSlides(state, inSlides)));
    const solve = solveOf(state);
    standing = solve ? createStanding(sessions, solve) : null;
    fill(element, el('h2', { class: 'good' }, 'Solved'), made, standing?.element,
      state.isTimed && help !== '' ? el('p', null, `${help[0].toUpperCase()}${help.slice(1)}.`) : null, verdict, inSlides);
    element.hidden = false;
    try {
      const answer = await api.get('/v1/check', checkOf(state), { signal: asking.next() });
      const { optimum } = answer;
      if (typeof optimum === 'number') sessions.setOptimum(puzzle.format(state.start), puzzle.format(state.goal), optimum);
      const text = verdictOf(answer);
      fill(verdict, text);
      verdict.classList.remove('muted');
      announce(text);
      if (answer.leaves_optimum_at !== null && answer.leaves_optimum_at !== undefined) {
        element.append(leavingRow(answer.leaves_optimum_at));
      }
    } catch (error) {
      if (!isAbort(error)) fill(verdict, detailOf(error));
    }
  }

  /** Shows the number of slides beside the fewest ones. @param {State} state @param {HTMLElement} place */
  async function compareSlides(state, place) {
    fill(place, 'Searching for the fewest slides…');
    try {
      // The tables of the game count moves of single tiles.
      const query = { ...checkOf(state), spec: null, metric: 'mtm', time_limit: SLIDES_WITHIN };
      const text = `In slides: ${verdictOf(await api.get('/v1/check', query, { signal: asking.signal }))}`;
      fill(place, text);
      announce(text);
    } catch (error) {
      if (!isAbort(error)) fill(place, detailOf(error));
    }
  }

  /** @param {number} at number of the first move that is not optimal */
  function leavingRow(at) {
    return el('div', { class: 'row' },
      el('span', null, at === 1 ? 'The first move already left the optimum.' : `Move ${at} left the optimum.`),
      button('Show the board before it', () => store.goTo(at - 1)));
  }

  // The result stays visible after a reload or a visit of another view.
  if (store.state.isFinished) void show(store.state);
  return {
    element,
    update(state, before) {
      if (state.isFinished === before.isFinished && state.done === before.done) return;
      asking.stop();
      element.hidden = true;
      if (state.isFinished) void show(state);
    },
    unmount() {
      forget();
      asking.stop();
    },
  };
}

/** Returns the parameters of a check of the game. @param {State} state */
function checkOf(state) {
  return { ...queryOf(state, state.start), sequence: puzzle.lettersOf(state.done), moves: 'tile' };
}

/** @param {{ length: number, optimum?: number | null, optimal?: boolean | null, lower_bound?: number | null }} answer */
function verdictOf({ length, optimum, optimal, lower_bound: bound }) {
  if (optimal) return `${length} is the optimum. No solution is shorter.`;
  if (optimum !== null && optimum !== undefined) {
    return `The optimum is ${optimum}: you made ${length - optimum} more.`;
  }
  return bound ? `The optimum is not known. ${sentenceOf({ lowerBound: bound, length: null })}` : 'The optimum is not known: the search took too long.';
}
