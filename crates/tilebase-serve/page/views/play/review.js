// @ts-check
// Review of a finished game: the distance after each move, the moves that led farther from the goal, and better ones.

import { button, copied, el, fill, plural } from '../../dom.js';
import * as puzzle from '../../board.js';
import { createNewest, detailOf, isAbort } from '../../api.js';
import { lineOf, queryOf } from '../../store.js';
import { createDistanceChart } from './distance-chart.js';
import { boundsOf } from '../../bounds.js';
import { findDistances, findSolution, leavingMoves, solvedLine } from './distances.js';
import { sentenceOf } from '../length.js';
import { createPlayer } from '../player.js';
import { useStyles } from '../styles.js';
import { createBoardView } from '../../board-view.js';

/** @typedef {import('../../main.js').Context} Context */
/** @typedef {import('../../store.js').State} State */
/** @typedef {import('./distances.js').Line} Line */

/** Largest number of listed moves that led farther. The chart has them all. */
const LISTED_MAX = 40;

/**
 * @param {Context} ctx
 * @param {{ onLeaving: (moves: ReadonlySet<number>) => void, onBoardBack: () => void }} on
 *   `onLeaving` gets the moves that led farther; `onBoardBack` is called when the main board shows the game again
 * @returns {import('../drawer.js').Part}
 */
export function createReview(ctx, on) {
  useStyles('views/solve.css');
  const { store, api, announce } = ctx;
  const summary = el('p', { role: 'status' });
  const place = el('div', { class: 'stack' });
  const readout = el('p', { class: 'readout' });
  const better = button('Play what was better', () => void playBetter(), { class: 'primary', hidden: true });
  // On a phone, the main board is far above.
  const small = el('div', { class: 'small-board', 'aria-hidden': 'true' });
  /** @type {ReturnType<typeof createBoardView> | null} */
  let smallBoard = null;
  const betterPlace = el('div', { class: 'stack' });
  const list = el('ul', { class: 'moves leaving-moves', 'aria-label': 'Moves that led farther from the goal' });
  const copy = button('Copy link to this game', () => void copied(store.linkTo({ ...gameNow(), view: 'play' }), copy), { class: 'quiet' });
  const element = el('section', { class: 'card review', 'aria-label': 'Game review', hidden: true },
    el('div', { class: 'row is-spread' }, el('h2', null, 'Game review'), copy),
    summary, place, el('div', { class: 'position' }, small, el('div', { class: 'stack' }, readout, better)), betterPlace, list);
  /** @type {Line | null} */
  let line = null;
  let key = '';
  const asking = createNewest();
  /** @type {ReturnType<typeof createDistanceChart> | null} */
  let chart = null;
  /** @type {ReturnType<typeof createPlayer> | null} */
  let player = null;
  /** @type {ReturnType<typeof createPlayer> | null} */
  let continuation = null;

  function gameNow() {
    const { start, done, undone } = store.state;
    return { start, done, undone };
  }

  /** @param {State} state */
  function keyOf(state) {
    return `${puzzle.format(state.start)} ${puzzle.format(state.goal)} ${state.spec ?? ''} ${puzzle.lettersOf(lineOf(state))}`;
  }

  function clear() {
    asking.stop();
    chart?.destroy();
    player?.stop();
    endContinuation();
    [line, chart, player, key] = [null, null, null, ''];
    element.hidden = true;
    on.onLeaving(new Set());
  }

  /** @param {State} state */
  async function begin(state) {
    clear();
    line = solvedLine(state);
    if (line === null) return;
    key = keyOf(state);
    const signal = asking.next();
    const ours = line;
    chart = createDistanceChart(ours, { goTo: (position) => goTo(position), describe: (position) => describe(ours, position) });
    player = createPlayer({
      start: state.start, goal: state.goal, moves: ours.moves, ctx, name: 'game', isInPlace: true, goTo: (position) => store.goTo(position),
    });
    player.element.classList.add('of-game');
    fill(small);
    smallBoard = createBoardView(small, { board: state.board, goal: state.goal, interactive: false });
    fill(place, chart.element, legend(), player.element);
    element.hidden = false;
    /** @type {boolean | null} */
    let isComplete = null;
    const tell = () => {
      if (signal.aborted) return;
      summary.textContent = isComplete === null ? `${comparisonOf(ours, state)} Searching for the distance after each move…` : summaryOf(ours, state, isComplete);
    };
    tell();
    show(store.state);
    // The comparison is there without the distances, which may take long.
    void findSolution(api, state, signal).then(tell, () => {});
    try {
      isComplete = await findDistances(api, state, ours, signal, () => show(store.state));
      if (signal.aborted) return;
      tell();
      announce(summary.textContent);
    } catch (error) {
      if (!isAbort(error) && !signal.aborted) summary.textContent = `${comparisonOf(ours, state)} ${detailOf(error)}`;
    }
  }

  /** @param {number} position */
  function goTo(position) {
    player?.stop();
    store.goTo(position);
    readout.scrollIntoView({ block: 'nearest' });
  }

  /** @param {State} state */
  function show(state) {
    if (line === null) return;
    const at = state.done.length;
    const leaving = leavingMoves(line);
    chart?.update(at);
    player?.sync(at);
    smallBoard?.update(state.board);
    readout.textContent = describe(line, at);
    better.hidden = !leaving.includes(at);
    on.onLeaving(new Set(leaving));
    showList(leaving, at);
  }

  /** @param {number[]} leaving @param {number} at */
  function showList(leaving, at) {
    const ours = /** @type {Line} */ (line);
    list.hidden = leaving.length === 0;
    const shown = leaving.slice(0, LISTED_MAX);
    while (list.children.length > shown.length) list.lastElementChild?.remove();
    shown.forEach((move, nth) => {
      const entry = list.children[nth] ?? list.appendChild(el('li', null, button('', (event) => {
        goTo(Number(/** @type {HTMLElement} */ (event.currentTarget).dataset.move));
      })));
      const made = /** @type {HTMLElement} */ (entry.firstElementChild);
      made.dataset.move = String(move);
      made.textContent = `Move ${move + 1}: tile ${puzzle.tileOf(ours.boards[move], ours.moves[move])} ${puzzle.DIRECTION_WORDS[ours.moves[move]]}`;
      if (move === at) made.setAttribute('aria-current', 'step');
      else made.removeAttribute('aria-current');
    });
  }

  /** Plays a shortest solution from the position, on the main board. */
  async function playBetter() {
    const ours = line;
    if (ours === null) return;
    player?.stop();
    endContinuation();
    const at = store.state.done.length;
    better.setAttribute('aria-busy', 'true');
    try {
      const state = { ...store.state, board: ours.boards[at] };
      const record = await api.get('/v1/solve', { ...queryOf(state), moves: 'tile' }, { signal: asking.signal });
      if (line !== ours || store.state.done.length !== at) return;
      showContinuation(state, record);
    } catch (error) {
      if (!isAbort(error)) fill(betterPlace, el('p', { class: 'problem', role: 'alert' }, detailOf(error)));
    } finally {
      better.removeAttribute('aria-busy');
    }
  }

  /** @param {State} state @param {any} record */
  function showContinuation(state, record) {
    if (record.status !== 'optimal') {
      fill(betterPlace, el('p', null, 'The search for a better way took too long.'));
      return;
    }
    const moves = puzzle.directionsOf(record.moves ?? '');
    const text = `From here the goal is ${plural(moves.length, 'move')} away: ${wordsOf(state.board, moves)}`;
    const boards = puzzle.boardsOf(state.board, moves);
    continuation = createPlayer({
      start: state.board, goal: state.goal, moves, ctx, name: 'better way', isInPlace: true, onStep: (at) => smallBoard?.update(boards[at]),
    });
    ctx.boardView.setMarks(new Map());
    fill(betterPlace, el('p', null, text), continuation.element,
      el('div', { class: 'row' }, button('Back to the game', backToGame)));
    announce(text);
    continuation.play();
  }

  function endContinuation() {
    if (continuation === null) return;
    const ending = continuation;
    continuation = null;
    ending.stop();
    fill(betterPlace);
    smallBoard?.update(store.state.board);
    on.onBoardBack();
  }

  function backToGame() {
    endContinuation();
    better.focus({ preventScroll: true });
  }

  void begin(store.state);
  return {
    element,
    update(state, before) {
      if (state.done === before.done && state.undone === before.undone && state.start === before.start && state.spec === before.spec) return;
      if (line !== null && keyOf(state) === key) {
        endContinuation();
        show(state);
      } else if (line !== null || solvedLine(state) !== null) void begin(state);
    },
    unmount: clear,
  };
}

function legend() {
  return el('p', { class: 'legend-line review-legend', 'aria-hidden': 'true' },
    el('span', null, el('span', { class: 'key' }), 'your game'),
    el('span', null, el('span', { class: 'key is-best' }), 'a shortest solution'),
    el('span', null, el('span', { class: 'key is-least' }), 'at least'),
    el('span', null, el('span', { class: 'key is-leaving' }), 'led farther'));
}

/** Compares a game with the best known solution, or with the bound. @param {Line} line @param {State} state */
function comparisonOf({ moves, bounds }, { start, goal }) {
  const known = boundsOf({ board: start, goal });
  const least = Math.max(bounds[0], known?.lowerBound ?? 0);
  const made = plural(moves.length, 'move');
  if (known?.length === null || known?.length === undefined || known.length >= moves.length) {
    return moves.length === least ? `You made ${made}: no solution is shorter.` : `You made ${made}, and at least ${least} are needed: at most ${moves.length - least} too many.`;
  }
  return `You made ${made}: ${moves.length - known.length} more than the best known solution. ${sentenceOf({ ...known, lowerBound: least })}`;
}

/** @param {Line} line @param {State} state @param {boolean} isComplete */
function summaryOf(line, state, isComplete) {
  const leaving = leavingMoves(line).length;
  const made = line.moves.length;
  if (!isComplete) {
    const unknown = line.distances.filter((distance) => distance === null).length;
    return `${comparisonOf(line, state)} The first ${plural(unknown, 'distance')} are not known: the searches take too long. Tables make them faster.`;
  }
  if (leaving === 0) return 'Every move led nearer to the goal. No solution is shorter.';
  // A game with a move that led farther is never all right.
  const share = Math.min(99, Math.round(((made - leaving) / made) * 100));
  const cost = leaving === 1 ? 'One led farther, which costs two moves' : `${leaving} led farther, and each of these costs two moves`;
  return `${made - leaving} of ${plural(made, 'move')} led nearer (${share} %). ${cost}: ${made} in place of ${line.distances[0]}.`;
}

/** @param {Line} line @param {number} at */
function describe(line, at) {
  const togo = line.distances[at];
  const where = `${at === 0 ? 'At the start' : `After move ${at}`}: ${togo === null ? `at least ${line.bounds[at]} to go` : `${togo} to go`}.`;
  if (at === line.moves.length) return where;
  const after = line.distances[at + 1];
  const move = `Move ${at + 1}, tile ${puzzle.tileOf(line.boards[at], line.moves[at])} ${puzzle.DIRECTION_WORDS[line.moves[at]]}`;
  if (togo === null || after === null) return `${where} Next: ${move[0].toLowerCase()}${move.slice(1)}.`;
  return `${where} ${move}, led ${after > togo ? 'farther' : 'nearer'}.`;
}

/** Writes the first moves in words. @param {puzzle.Board} board @param {readonly puzzle.Direction[]} moves */
function wordsOf(board, moves) {
  const words = puzzle.tilesOf(board, moves.slice(0, 4)).map((tile, at) => `${tile} ${puzzle.DIRECTION_WORDS[moves[at]]}`);
  return `${words.join(', ')}${moves.length > 4 ? ', …' : '.'}`;
}
