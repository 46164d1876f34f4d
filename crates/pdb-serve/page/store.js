// @ts-check
// The state of the page and who is told of its changes. The address holds what a link shares.

import * as puzzle from './board.js';

/** @typedef {import('./board.js').Board} Board */
/** @typedef {import('./board.js').Direction} Direction */
/** @typedef {'play' | 'solve' | 'partition' | 'learn'} ViewName */
/**
 * @typedef {object} State
 * @property {Board} start where the moves begin
 * @property {Board} board
 * @property {Board} goal
 * @property {string} goalName a name of a goal, or `drawn`
 * @property {Direction[]} done moves from start to board
 * @property {Direction[]} undone moves that were taken back, the next one to redo last
 * @property {string | null} spec null: the best that there is
 * @property {number | null} startedAt when the first move was made, by performance.now()
 * @property {number | null} finishedAt when the goal was reached
 * @property {ViewName} view
 * @property {'auto' | 'light' | 'dark'} theme
 * @property {'tile' | 'blank'} naming whose direction the letters of moves name
 */
/** @typedef {(state: State, before: State) => void} Subscriber */
/** @typedef {ReturnType<typeof createStore>} Store */

/** @type {readonly ViewName[]} */
export const VIEWS = ['play', 'solve', 'partition', 'learn'];

const ADDRESS_DELAY_MS = 200;
const KEPT = 'tilebase';
/** The game of this tab, which a reload takes up again. */
const KEPT_GAME = 'tilebase-game';

/** The first board that a person sees: ten moves from the goal, so that it can be finished at once. */
const FIRST_BOARD = '5 1 2 4/9 6 3 8/13 10 7 12/14 0 11 15';

/**
 * What the server must know to answer about this state.
 * @param {State} state @param {Board} [board] another board than that of the state
 * @returns {{ board: string, goal: string, spec: string | null }}
 */
export function queryOf(state, board = state.board) {
  return { board: puzzle.format(board), goal: goalParameter(state), spec: state.spec };
}

/** A goal by its name, or the board itself if it was drawn. @param {State} state */
export function goalParameter(state) {
  return puzzle.isGoalName(state.goalName) ? state.goalName : puzzle.format(state.goal);
}

/** @param {State} a @param {State} b */
export function sameQuestion(a, b) {
  return puzzle.equal(a.board, b.board) && puzzle.equal(a.goal, b.goal) && a.spec === b.spec;
}

/** @param {Board} board @param {Board} goal */
function isAtGoal(board, goal) {
  return puzzle.equal(board, goal);
}

/** Milliseconds that a person has been at it. @param {State} state @param {number} [now] */
export function elapsedOf(state, now = performance.now()) {
  return state.startedAt === null ? 0 : (state.finishedAt ?? now) - state.startedAt;
}

export function createStore() {
  /** @type {State} */
  let state = initialState();
  /** @type {Set<Subscriber>} */
  const subscribers = new Set();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let addressTimer;
  // Entries of the browser's history that belong together: a step back among them changes the view
  // alone, since it would be no way to take moves back.
  /** @type {number} */
  let visit = visitOf(history.state) ?? Date.now();

  /** @param {Partial<State>} changes @param {{ isStepBack?: boolean }} [options] */
  function change(changes, { isStepBack = false } = {}) {
    const before = state;
    state = { ...state, ...changes };
    if (state.view !== before.view && !isStepBack) history.pushState({ visit }, '', addressOf(state));
    for (const subscriber of [...subscribers]) subscriber(state, before);
    clearTimeout(addressTimer);
    if (isStepBack) write();
    else addressTimer = setTimeout(write, ADDRESS_DELAY_MS);
  }

  function write() {
    writeAddress();
    keepGame(state, visit);
  }

  // Browsers refuse very frequent changes of the address, so a burst of moves is written once.
  function writeAddress() {
    const address = addressOf(state);
    if (address !== location.hash || visitOf(history.state) !== visit) history.replaceState({ visit }, '', address);
  }

  /** @param {Direction[]} moves @param {Direction[]} undone */
  function made(moves, undone) {
    const now = performance.now();
    const board = puzzle.applyAll(state.board, moves);
    const hasArrived = isAtGoal(board, state.goal);
    change({
      board, undone, done: [...state.done, ...moves],
      startedAt: resumedAt(state, now), finishedAt: hasArrived ? now : null,
    });
  }

  /** @param {Direction} direction @returns {boolean} whether a tile moved */
  function move(direction) {
    if (puzzle.apply(state.board, direction) === null) return false;
    made([direction], []);
    return true;
  }

  /** Slides the tile in a cell, and those between it and the blank. @param {number} cell @returns {boolean} */
  function slide(cell) {
    const moves = puzzle.slidesTo(state.board, cell);
    if (moves.length > 0) made(moves, []);
    return moves.length > 0;
  }

  function undo() {
    const last = state.done.at(-1);
    if (last === undefined) return;
    const board = puzzle.applyAll(state.board, [puzzle.inverse(last)]);
    change({
      board, done: state.done.slice(0, -1), undone: [...state.undone, last],
      startedAt: resumedAt(state, performance.now()), finishedAt: null,
    });
  }

  function redo() {
    const next = state.undone.at(-1);
    if (next !== undefined) made([next], state.undone.slice(0, -1));
  }

  /** Goes to the board after so many of the moves made and undone. @param {number} count */
  function goTo(count) {
    const line = [...state.done, ...[...state.undone].reverse()];
    const at = Math.max(0, Math.min(count, line.length));
    const board = puzzle.applyAll(state.start, line.slice(0, at));
    const hasArrived = at > 0 && isAtGoal(board, state.goal);
    const now = performance.now();
    change({
      board, done: line.slice(0, at), undone: line.slice(at).reverse(),
      startedAt: resumedAt(state, now), finishedAt: hasArrived ? now : null,
    });
  }

  function restart() {
    change({ board: state.start, ...fresh() });
  }

  /**
   * Takes another board to begin with. A goal that was drawn is kept as long as the shape is.
   * @param {Board} board @param {{ goal?: Board, goalName?: string }} [options]
   */
  function setBoard(board, options = {}) {
    const isSameShape = board.rows === state.board.rows && board.cols === state.board.cols;
    const goalName = options.goalName ?? (options.goal ? nameOfGoal(options.goal) : keptGoalName(isSameShape));
    const goal = options.goal ?? (goalName === 'drawn' ? state.goal : puzzle.goalOf(goalName, board.rows, board.cols));
    const spec = isSameShape ? state.spec : specForAnyShape(state.spec);
    change({ start: board, board, goal, goalName, spec, ...fresh() });
  }

  /** @param {boolean} isSameShape */
  function keptGoalName(isSameShape) {
    return isSameShape || puzzle.isGoalName(state.goalName) ? state.goalName : 'blank-last';
  }

  /** @param {Board} goal @param {string} [name] */
  function setGoal(goal, name = nameOfGoal(goal)) {
    change({ goal, goalName: name, start: state.board, ...fresh() });
  }

  /** @param {string | null} spec */
  function setSpec(spec) {
    if (spec !== state.spec) change({ spec });
  }

  /** @param {ViewName} view */
  function setView(view) {
    if (view !== state.view) change({ view });
  }

  /** @param {{ theme?: State['theme'], naming?: State['naming'] }} preferences */
  function prefer(preferences) {
    change(preferences);
    keep({ theme: state.theme, naming: state.naming });
  }

  // A link that was pasted into the address, or a step back.
  function readAddress() {
    const read = stateFromAddress(location.hash, state);
    const from = visitOf(history.state);
    const isSameVisit = from === visit;
    visit = from ?? Date.now();
    const isSameBoard = puzzle.equal(read.board, state.board) && puzzle.equal(read.goal, state.goal);
    if (isSameVisit) change({ view: read.view }, { isStepBack: true });
    else change(isSameBoard ? { spec: read.spec, view: read.view } : { ...read, start: read.board, ...fresh() }, { isStepBack: true });
  }

  window.addEventListener('hashchange', readAddress);
  window.addEventListener('pagehide', write);
  writeAddress();

  return {
    get state() { return state; },
    /** @param {Subscriber} subscriber @returns {() => void} */
    subscribe(subscriber) {
      subscribers.add(subscriber);
      return () => { subscribers.delete(subscriber); };
    },
    move, slide, undo, redo, goTo, restart, setBoard, setGoal, setSpec, setView, prefer,
    /** The address of this page with the present state. */
    link() {
      writeAddress();
      return location.href;
    },
  };
}

/** History and clock of a new beginning. */
function fresh() {
  /** @type {Pick<State, 'done' | 'undone' | 'startedAt' | 'finishedAt'>} */
  const pieces = { done: [], undone: [], startedAt: null, finishedAt: null };
  return pieces;
}

/**
 * When the clock was started. The time since the goal was reached does not count for a person who
 * plays on from there.
 * @param {State} state @param {number} now
 */
function resumedAt(state, now) {
  if (state.startedAt === null) return now;
  return state.finishedAt === null ? state.startedAt : state.startedAt + now - state.finishedAt;
}

/** @param {Board} goal */
function nameOfGoal(goal) {
  const is = (/** @type {string} */ name) => puzzle.equal(goal, puzzle.goalOf(name, goal.rows, goal.cols));
  return puzzle.GOAL_NAMES.find(is) ?? 'drawn';
}

/** Specs with a / in their name are for one shape, heuristics are for all. @param {string | null} spec */
function specForAnyShape(spec) {
  return spec?.includes('/') ? null : spec;
}

/** @returns {State} */
function initialState() {
  const board = puzzle.parse(FIRST_BOARD);
  const goal = puzzle.goalOf('blank-last', board.rows, board.cols);
  /** @type {State} */
  const first = {
    start: board, board, goal, goalName: 'blank-last', spec: null, view: 'play', ...fresh(), ...kept(),
  };
  const read = stateFromAddress(location.hash, first);
  return { ...first, ...read, start: read.board, ...keptGame(read) };
}

/** What is wrong with the board or the goal of an address, null if nothing is. @param {string} hash @returns {string | null} */
export function problemOfAddress(hash) {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  const goal = fields.get('goal');
  try {
    puzzle.parse(fields.get('board') ?? FIRST_BOARD);
    if (goal !== null && !puzzle.isGoalName(goal)) puzzle.parse(goal);
    return null;
  } catch (error) {
    return `The link cannot be read. ${error instanceof Error ? error.message : ''}`.trim();
  }
}

/** @param {unknown} entry what the browser's history keeps of an entry @returns {number | null} */
function visitOf(entry) {
  return entry !== null && typeof entry === 'object' && 'visit' in entry && typeof entry.visit === 'number' ? entry.visit : null;
}

/** @param {State} state */
export function addressOf(state) {
  const parts = [`board=${puzzle.compact(state.board)}`];
  if (state.goalName !== 'blank-last') {
    parts.push(`goal=${puzzle.isGoalName(state.goalName) ? state.goalName : puzzle.compact(state.goal)}`);
  }
  if (state.spec !== null) parts.push(`spec=${encodeURIComponent(state.spec).replaceAll('%2F', '/')}`);
  if (state.view !== 'play') parts.push(`view=${state.view}`);
  return `#${parts.join('&')}`;
}

/**
 * What an address says; what it does not say, or says wrongly, stays as it is.
 * @param {string} hash @param {State} now
 * @returns {Pick<State, 'board' | 'goal' | 'goalName' | 'spec' | 'view'>}
 */
function stateFromAddress(hash, now) {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  const board = boardFrom(fields.get('board')) ?? now.board;
  const goal = goalFrom(fields.get('goal'), board, fields.has('board') ? null : now);
  const isAboutBoard = fields.has('board') || fields.has('spec');
  const view = VIEWS.find((name) => name === fields.get('view') || fields.has(name));
  return {
    board, ...goal,
    spec: isAboutBoard ? fields.get('spec') : now.spec,
    view: view ?? (fields.has('board') ? 'play' : now.view),
  };
}

/** @param {string | null} text */
function boardFrom(text) {
  try {
    return text === null ? null : puzzle.parse(text);
  } catch {
    return null;
  }
}

/**
 * @param {string | null} text @param {Board} board @param {State | null} now
 * @returns {Pick<State, 'goal' | 'goalName'>}
 */
function goalFrom(text, board, now) {
  if (text === null && now !== null) return { goal: now.goal, goalName: now.goalName };
  const drawn = text === null || puzzle.isGoalName(text) ? null : boardFrom(text);
  if (drawn !== null && drawn.rows === board.rows && drawn.cols === board.cols) {
    return { goal: drawn, goalName: nameOfGoal(drawn) };
  }
  const goalName = text !== null && puzzle.isGoalName(text) ? text : 'blank-last';
  return { goal: puzzle.goalOf(goalName, board.rows, board.cols), goalName };
}

// Storage may be forbidden; then preferences last as long as the page.
/** @param {object} preferences */
function keep(preferences) {
  try {
    localStorage.setItem(KEPT, JSON.stringify(preferences));
  } catch { /* nothing to do about it */ }
}

/** @param {State} state @param {number} visit */
function keepGame(state, visit) {
  const { start, goal, done, undone } = state;
  const game = {
    visit, start: puzzle.format(start), goal: puzzle.format(goal), done: puzzle.lettersOf(done), undone: puzzle.lettersOf(undone),
    elapsed: elapsedOf(state), isFinished: state.finishedAt !== null,
  };
  try {
    sessionStorage.setItem(KEPT_GAME, JSON.stringify(game));
  } catch { /* then a reload begins anew */ }
}

/**
 * The game that this tab had before a reload. The address may be a few moves behind it.
 * @param {Pick<State, 'board' | 'goal'>} read @returns {Partial<State>}
 */
function keptGame(read) {
  try {
    const game = JSON.parse(sessionStorage.getItem(KEPT_GAME) ?? 'null');
    const [start, goal] = [puzzle.parse(game.start), puzzle.parse(game.goal)];
    const [done, undone] = [puzzle.directionsOf(game.done), puzzle.directionsOf(game.undone)];
    const board = puzzle.applyAll(start, done);
    const isThisGame = visitOf(history.state) === game.visit || (puzzle.equal(board, read.board) && puzzle.equal(goal, read.goal));
    if (!isThisGame || done.length + undone.length === 0) return {};
    const now = performance.now();
    return {
      start, board, goal, goalName: nameOfGoal(goal), done, undone,
      startedAt: now - game.elapsed, finishedAt: game.isFinished ? now : null,
    };
  } catch {
    return {};
  }
}

/** @returns {Pick<State, 'theme' | 'naming'>} */
function kept() {
  try {
    const { theme, naming } = JSON.parse(localStorage.getItem(KEPT) ?? '{}');
    return {
      theme: theme === 'light' || theme === 'dark' ? theme : 'auto',
      naming: naming === 'blank' ? 'blank' : 'tile',
    };
  } catch {
    return { theme: 'auto', naming: 'tile' };
  }
}
