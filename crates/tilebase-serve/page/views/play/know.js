// @ts-check
// Part of Play with what is known of the board: its distance, the value of each move, the number of shortest
// solutions, and the reason if there is none.

import { ApiError, createNewest, detailOf, isAbort, pause } from '../../api.js';
import { SOLVER_CELLS_MAX, applyAll, equal, exchanged, format, isForSolver, isSolvable, shapeOf, tileOf } from '../../board.js';
import { boundsOf, isExact, learn, onLearned } from '../../bounds.js';
import { button, el, fill, formatSeconds, plural, say, segmented } from '../../dom.js';
import { pieceOf } from '../../picture.js';
import { goalParameter, isSameQuestion, queryOf } from '../../store.js';
import { createTableOffer, leadFor, worthwhile } from '../table-offer.js';

/** @typedef {import('../../main.js').Context} Context */
/** @typedef {import('../../store.js').State} State */
/** Value of a move. @typedef {{ move: import('../../board.js').Direction, tile: number, distance: number | null, optimal: boolean | null }} MoveRecord */
/** @typedef {{ status: 'optimal' | 'solved' | 'limit' | 'unsolvable', distance: number | null, length?: number, moves: MoveRecord[], lower_bound?: number | null, seconds: number }} MovesRecord */

/** Delay of requests. In a quick series of moves, only the last board is requested. */
const PAUSE_MS = 70;
/** Delay of the message about waiting. */
const PATIENCE_MS = 350;
/** Time limits of the two searches: the first one gives a lower bound at once. */
const LOOKS = ['300ms', '10s'];
const KNOWN_MAX = 500;

/** @type {readonly { value: State['hints'], text: string }[]} */
const CHOICES = [
  { value: 'nothing', text: 'No hints' },
  { value: 'distance', text: 'Distance' },
  { value: 'all', text: 'All hints' },
];

/** Records by request, so that a step back shows its numbers at once. @type {Map<string, MovesRecord>} */
const known = new Map();

/** @param {Context} ctx @returns {import('./play.js').Part & { refresh: () => void }} */
export function knowPart(ctx) {
  const { store } = ctx;
  const distance = distancePart(ctx);
  const solutions = solutionsPart(ctx);
  const tables = tablesPart(ctx, () => refresh());
  const goal = el('figure', { class: 'goal-figure' });
  const spec = specChip(store);
  const forget = onLearned(() => distance.showKnown(store.state));
  const facts = el('section', { class: 'card know', 'aria-label': 'What is known of the board' },
    el('h2', { class: 'hidden-text' }, 'How far it is'),
    el('div', { class: 'know-head' }, el('div', { class: 'stack' }, distance.figure, distance.advice, spec.element, distance.note), goal,
      el('div', { class: 'know-choice stack' }, distance.choice, distance.legend)), distance.why, solutions.element);
  refresh();

  function refresh() {
    showGoal(goal, store.state, ctx.picture.url);
    spec.show();
    const { board, goal: aim, hints } = store.state;
    solutions.show(hints !== 'nothing' && isForSolver(board) && isSolvable(board, aim));
    distance.show(store.state);
    tables.show();
  }

  return {
    element: el('div', { class: 'stack' }, facts, tables.element), refresh,
    update(state, before) {
      if (!isSameQuestion(state, before) || state.spec !== before.spec || state.hints !== before.hints) refresh();
      else showGoal(goal, state, ctx.picture.url);
    },
    unmount() {
      forget();
      distance.stop();
      solutions.stop();
      tables.stop();
      ctx.boardView.setMarks(new Map());
    },
  };
}

/** Creates the name of a heuristic that was chosen in Solve or Partition, or by a link. @param {import('../../store.js').Store} store */
function specChip(store) {
  const name = el('span');
  const element = el('p', { class: 'chip', hidden: true }, name,
    button('✕', () => store.set({ spec: null }), { class: 'link-button', 'aria-label': 'Search with the default instead', title: 'Search with the default instead' }));
  return {
    element,
    show() {
      const { spec } = store.state;
      element.hidden = spec === null;
      name.textContent = `Searched with ${spec} `;
    },
  };
}

/** Shows the goal as a miniature, with numbers or the picture. @param {HTMLElement} figure @param {State} state @param {string | null} picture */
function showGoal(figure, { goal }, picture) {
  const text = format(goal);
  const key = `${text} ${picture ?? ''}`;
  if (figure.dataset.key === key) return;
  figure.dataset.key = key;
  fill(figure,
    el('div', { class: `goal-small${picture === null ? '' : ' has-image'}`, role: 'img', 'aria-label': `Goal: ${text.replaceAll('/', '; ').replace(/\b0\b/, 'blank')}`, style: { '--rows': goal.rows, '--cols': goal.cols } },
      goal.tiles.map((tile, cell) => el('span', { class: tile === 0 ? 'is-blank' : null, style: tile === 0 || picture === null ? {} : pieceOf(picture, goal, cell) },
        tile === 0 || picture !== null ? '' : tile))),
    el('figcaption', { class: 'muted small', 'aria-hidden': 'true' }, 'Goal'));
}

/** Creates the distance and the marks on the tiles. @param {Context} ctx */
function distancePart({ store, api, announce, boardView }) {
  const figure = el('div', { class: 'to-go' });
  const note = el('p', { class: 'muted', hidden: true });
  const advice = el('p');
  const why = el('div', { class: 'stack', hidden: true });
  const legend = el('p', { class: 'legend-line' },
    el('span', null, el('span', { class: 'mark is-nearer', data: { sign: '✓' } }), 'nearer'),
    el('span', null, el('span', { class: 'mark is-farther', data: { sign: '✕' } }), 'farther'),
    el('span', { class: 'of-home' }, el('span', { class: 'at-home' }, 'Blue numbers'), ' are at home'));
  const choice = segmented('Hints', CHOICES, store.state.hints, (hints) => store.set({ hints }));
  choice.addEventListener('click', giveBackKeys);
  const asking = createNewest();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let patience;
  /** Whether there is no record with the distance. */
  let isOpen = false;

  function stop() {
    asking.stop();
    isOpen = false;
    clearTimeout(patience);
  }

  /** @param {State} state */
  function show(state) {
    stop();
    say(note, '');
    // The part about tables says where the solver ends.
    choice.hidden = !isForSolver(state.board);
    const hints = choice.hidden ? 'nothing' : state.hints;
    for (const input of choice.querySelectorAll('input')) input.checked = input.value === hints;
    const key = keyOf(state);
    const record = known.get(key);
    const hasWay = isSolvable(state.board, state.goal);
    why.hidden = hasWay || why.dataset.key !== key;
    figure.hidden = hasWay && hints === 'nothing';
    advice.hidden = !figure.hidden || state.done.length + state.undone.length > 0;
    advice.textContent = equal(state.board, state.goal) ? 'This board is the goal. “New” makes another one.'
      : 'Make the goal: press a tile, swipe, or use the arrow keys. The clock starts with the first move.';
    figure.classList.remove('is-waiting');
    legend.hidden = hints !== 'all' || !hasWay;
    // That there is no solution is no hint.
    if (!hasWay) {
      fillFigure(figure, 'No way', 'leads to the goal');
      if (why.hidden) void explain(state, key);
    }
    if (hasWay && hints !== 'nothing' && record) return present(record, state);
    boardView.setMarks(new Map());
    if (!hasWay || hints === 'nothing') return;
    figure.classList.add('is-waiting');
    isOpen = true;
    if (boundsOf(state) === null) patience = setTimeout(() => { fillFigure(figure, '…', 'to go'); }, PATIENCE_MS);
    else showKnown(state);
    void ask(state);
  }

  /** Shows what all views know of the board, until its record has the distance. @param {State} state */
  function showKnown(state) {
    const bounds = boundsOf(state);
    if (!isOpen || bounds === null || state.hints === 'nothing') return;
    clearTimeout(patience);
    const { lowerBound, length, moves } = bounds;
    if (!isExact(bounds)) {
      const range = lowerBound > 0 ? `${lowerBound}–${length}` : `≤ ${length}`;
      return fillFigure(figure, length === null ? `≥ ${lowerBound}` : range, 'moves to go');
    }
    fillFigure(figure, String(bounds.length), `${bounds.length === 1 ? 'move' : 'moves'} to go`);
    if (state.hints !== 'all' || moves === null || moves.length !== length) return;
    const [move] = moves;
    boardView.setMarks(marksOf([{ move, tile: tileOf(state.board, move), distance: length - 1, optimal: true }]));
  }

  /** @param {State} state */
  async function ask(state) {
    const signal = asking.next();
    try {
      await pause(PAUSE_MS, signal);
      for (const limit of LOOKS) {
        const query = { ...queryOf(state), moves: 'tile', time_limit: limit };
        /** @type {MovesRecord} */
        const record = await api.get('/v1/moves', query, { signal });
        if (signal.aborted) return;
        rememberMoves(state, record);
        present(record, state);
        if (!isOpenEnded(record)) return;
        if (limit !== LOOKS.at(-1)) searchOn();
      }
    } catch (error) {
      if (isAbort(error) || signal.aborted) return;
      fillFigure(figure, '?', 'moves to go');
      showKnown(state);
      legend.hidden = true;
      say(note, detailOf(error));
      if (state.spec !== null && error instanceof ApiError && error.status >= 400) leaveSpec(state.spec, error);
    } finally {
      if (!signal.aborted) clearTimeout(patience);
    }
  }

  /** @param {MovesRecord} record @param {State} state */
  function present(record, state) {
    clearTimeout(patience);
    figure.classList.remove('is-waiting');
    say(note, '');
    isOpen = isOpenEnded(record);
    boardView.setMarks(state.hints === 'all' && record.distance !== 0 ? marksOf(record.moves) : new Map());
    legend.hidden = state.hints !== 'all' || record.distance === null || record.status !== 'optimal';
    if (record.distance === null) {
      fillFigure(figure, `≥ ${record.lower_bound ?? '?'}`, 'moves to go');
      showKnown(state);
      if (!isExact(boundsOf(state))) say(note, `The search was stopped after ${formatSeconds(record.seconds)}. The Solve view searches for longer.`);
    } else {
      fillFigure(figure, String(record.distance), record.distance === 0 ? 'moves to go: this is the goal' : `${record.distance === 1 ? 'move' : 'moves'} to go`);
      if (state.done.length > 0) announce(`${record.distance} to go.`);
    }
  }

  /**
   * Offers the best tables, if a link names an unknown drawing or tables that are not built.
   * @param {string} spec @param {ApiError} error
   */
  function leaveSpec(spec, error) {
    if (error.status === 404) say(note, `This server does not know the partition ${spec}: it was drawn elsewhere, or before a restart.`);
    if (error.status === 409) say(note, `The tables of ${spec} are not built, or cannot be opened.`);
    note.append(' ', button('Use the default', () => store.set({ spec: null }), { class: 'link-button' }));
  }

  function searchOn() {
    figure.classList.add('is-waiting');
    say(note, 'Searching for the distance…');
  }

  /** Draws the reason why no moves lead to the goal. @param {State} state @param {string} key */
  async function explain(state, key) {
    const signal = asking.next();
    try {
      const [{ parityFigure }, { likelySwap }, { solvable }] = await Promise.all([
        import('../parity.js'), import('../likely-swap.js'), api.get('/v1/explain', { ...queryOf(state), spec: 'manhattan' }, { signal }),
      ]);
      if (signal.aborted) return;
      fill(why, parityFigure(state.board, solvable), waysOut(state, solvable, likelySwap(state.board, state.goal)));
      why.dataset.key = key;
      why.hidden = false;
    } catch (error) {
      if (!isAbort(error) && !signal.aborted) say(note, detailOf(error));
    }
  }

  /** @param {State} state @param {any} solvable @param {[number, number]} confused */
  function waysOut(state, solvable, [a, b]) {
    /** @type {string[]} */
    const goals = solvable.solvable_with ?? [];
    return el('div', { class: 'row' },
      el('p', null, `If this is a real puzzle, look at its tiles ${a} and ${b} again.`),
      button(`Exchange ${a} and ${b}`, () => store.setBoard(exchanged(state.board, a, b))),
      goals.map((name) => button(`Make ${name.replace('-', ' ')} the goal`, () =>
        store.setBoard(state.board, { goalName: name }))));
  }

  return { figure, advice, choice, legend, note, why, show, showKnown, stop };
}

/** @param {State} state */
function keyOf(state) {
  return `${format(state.board)} ${format(state.goal)} ${state.spec ?? ''}`;
}

/** Returns the server's earlier record about a board, null if there is none. @param {State} state */
export function knownMoves(state) {
  return known.get(keyOf(state)) ?? null;
}

/** Returns whether more time may find the distance. @param {MovesRecord} record */
function isOpenEnded({ status }) {
  return status === 'limit' || status === 'solved';
}

/** @param {State} state @param {MovesRecord} record with moves as directions of the tiles */
export function rememberMoves(state, record) {
  learnFrom(state, record);
  // Values may become known later: after a build, or with more time.
  if (isOpenEnded(record)) return;
  if (known.size >= KNOWN_MAX) known.clear();
  known.set(keyOf(state), record);
}

/** Adds the distances of a board and of the boards beside it, which are as quickly found again, to what is known. @param {State} state @param {MovesRecord} record */
function learnFrom({ board, goal }, { status, distance, length, moves, lower_bound: lowerBound }) {
  if (status === 'unsolvable') return;
  learn({ board, goal }, status === 'optimal' ? { lowerBound: distance, length: distance } : { lowerBound, length });
  for (const { move, distance: after } of moves) {
    if (after !== null) learn({ board: applyAll(board, [move]), goal }, { lowerBound: after, length: after }, false);
  }
}

/** @param {readonly MoveRecord[]} moves @returns {import('../../board-view.js').Marks} */
function marksOf(moves) {
  /** @type {import('../../board-view.js').Marks} */
  const marks = new Map();
  for (const { tile, distance, optimal } of moves) {
    if (optimal === null) continue;
    const label = `${optimal ? 'nearer' : 'farther'}${distance === null ? '' : `, ${distance} to go`}`;
    marks.set(tile, { text: distance === null ? '' : String(distance), kind: optimal ? 'nearer' : 'farther', label });
  }
  return marks;
}

/** @param {HTMLElement} figure @param {string} number @param {string} words */
function fillFigure(figure, number, words) {
  fill(figure, el('span', { class: 'big-figure' }, number), ' ', el('span', { class: 'muted' }, words));
}

/** Whether the mouse pressed a label, which then focuses its input and clicks it. */
let isLabelPressed = false;

/** After a press with the mouse, keys move tiles again. @param {MouseEvent} event */
function giveBackKeys({ target, detail }) {
  if (!(target instanceof HTMLInputElement)) {
    isLabelPressed = detail > 0;
  } else if (isLabelPressed || detail > 0) {
    isLabelPressed = false;
    target.blur();
  }
}

/** Creates the count of shortest solutions, on request. @param {Context} ctx */
function solutionsPart({ store, api, announce }) {
  const ask = button('How many shortest solutions?', () => void count());
  const cancel = button('Cancel', stop, { hidden: true });
  const text = el('p', { role: 'status' });
  const element = el('div', { class: 'row' }, ask, cancel, text);
  const asking = createNewest();
  let askedFor = '';

  function stop() {
    asking.stop();
    ask.disabled = false;
    cancel.hidden = true;
    text.textContent = '';
  }

  async function count() {
    stop();
    const signal = asking.next();
    ask.disabled = true;
    cancel.hidden = false;
    text.textContent = 'Counting…';
    try {
      const answer = await api.get('/v1/solutions', { ...queryOf(store.state), list: 0 }, { signal });
      if (signal.aborted) return;
      stop();
      text.textContent = countText(answer);
      announce(text.textContent);
    } catch (error) {
      if (isAbort(error) || signal.aborted) return;
      stop();
      text.textContent = detailOf(error);
    }
  }

  return {
    element, stop,
    /** @param {boolean} isWanted */
    show(isWanted) {
      const key = keyOf(store.state);
      if (key !== askedFor) stop();
      askedFor = key;
      element.hidden = !isWanted;
    },
  };
}

/** @param {any} answer */
function countText(answer) {
  if (answer.solution_count === null || answer.solution_count === undefined || answer.status !== 'optimal') {
    return 'The count was stopped: it took too long.';
  }
  const isWhole = answer.lengths?.[0]?.complete !== false;
  const count = plural(answer.solution_count, 'shortest solution');
  return `${isWhole ? '' : 'At least '}${count} of ${plural(answer.length, 'move')}.`;
}

/**
 * Creates the offer of faster tables for boards of this shape.
 * @param {Context} ctx @param {() => void} onBuilt
 */
function tablesPart({ store, api, announce }, onBuilt) {
  const element = el('section', { class: 'note stack', 'aria-label': 'Tables', hidden: true });
  const asking = createNewest();
  let askedFor = '';
  let justBuilt = '';

  async function show() {
    const { state } = store;
    const key = `${shapeOf(state.board)} ${format(state.goal)}`;
    if (key === askedFor) return;
    askedFor = key;
    const signal = asking.next();
    element.hidden = true;
    if (!isForSolver(state.board)) {
      element.hidden = false;
      return fill(element, el('p', null, `You can play, time and share a board of this size. The solver takes boards of at most ${SOLVER_CELLS_MAX} cells, so there are no hints.`));
    }
    try {
      const query = { shape: shapeOf(state.board), goal: goalParameter(state) };
      const answer = await api.get('/v1/specs', query, { signal });
      if (!signal.aborted) present(answer.default, state, signal);
    } catch (error) {
      if (!isAbort(error)) askedFor = '';
    }
  }

  /**
   * @param {{ spec: string, is_fallback: boolean, to_build: import('../table-offer.js').Tables | null }} found @param {State} state
   * @param {AbortSignal} signal
   */
  function present({ spec, is_fallback: isFallback, to_build: build }, state, signal) {
    const tables = worthwhile(state.board, build);
    element.hidden = tables === null && spec !== justBuilt;
    if (tables === null) return fill(element, el('p', null, `✓ Boards of ${shapeOf(state.board)} are now searched with the tables of ${spec}.`));
    const why = isFallback ? ', which needs no tables and may take long' : '. Larger tables make searches faster';
    fill(element, el('p', null, `Boards of ${shapeOf(state.board)} are searched with ${spec}${why}.`),
      createTableOffer(api, tables, { goal: goalParameter(state), lead: leadFor(state.board), onBuilt: built, announce, signal }));
  }

  /** @param {string} name */
  function built(name) {
    justBuilt = name;
    askedFor = '';
    onBuilt();
  }

  return { element, show: () => void show(), stop: asking.stop };
}
