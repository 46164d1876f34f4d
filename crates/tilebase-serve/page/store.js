// @ts-check
// The state of the page, and the subscribers to its changes. The address contains everything that a link shares.

import * as puzzle from './board.js';
import { createListeners } from './listeners.js';
import { keep, load } from './storage.js';

/** @typedef {import('./board.js').Board} Board */
/** @typedef {import('./board.js').Direction} Direction */
/** @typedef {'play' | 'solve' | 'partition' | 'learn'} ViewName */
/**
 * @typedef {object} State
 * @property {Board} start Board before the first move.
 * @property {Board} board
 * @property {Board} goal
 * @property {string} goalName A name of a goal, or `drawn`.
 * @property {string | null} daily Date and difficulty of a daily board, such as `2026-11-24-easy`.
 * @property {Direction[]} done Moves from start to board.
 * @property {Direction[]} undone Undone moves, the next one to redo last.
 * @property {string | null} spec Null: the best available one.
 * @property {Clock} clock
 * @property {boolean} isFinished Whether the moves lead to the goal.
 * @property {boolean} isTimed Whether the user made all moves while the clock ran.
 * @property {'all' | 'distance' | 'nothing'} hints Hints that are shown. Every game begins without any.
 * @property {boolean} isHinted Whether hints or a solution were shown.
 * @property {number} takenBack Number of moves that the user undid while the clock ran.
 * @property {ViewName} view
 * @property {number} lesson Number of the lesson, from 1. A link may contain a number without a lesson.
 * @property {'auto' | 'light' | 'dark'} theme
 * @property {'tile' | 'blank'} naming Piece whose direction the letters of moves name.
 * @property {'plain' | 'rows' | 'columns'} colours Colours of the tiles, by their homes.
 * @property {boolean} isHoverPlay Whether the mouse moves tiles without a press.
 */
/**
 * Stopwatch. It is on from the first move until the goal is reached, and runs only while Play is shown.
 * @typedef {{ spent: number, isOn: boolean, since: number | null }} Clock milliseconds; `since` is by performance.now()
 */
/** Options that the browser stores. @typedef {Pick<State, 'theme' | 'naming' | 'colours' | 'isHoverPlay'>} Preferences */
/** @typedef {{ visit: number, from: number | null, daily?: string | null, spec: string | null, start: string, goal: string, done: string, undone: string, elapsed: number, isOn: boolean, isFinished: boolean, isTimed: boolean, hints: State['hints'], isHinted: boolean, takenBack: number }} Game stored game */
/** @typedef {ReturnType<typeof createStore>} Store */

/** @type {readonly ViewName[]} */
const VIEWS = ['play', 'solve', 'partition', 'learn'];

const ADDRESS_DELAY_MS = 200;
const KEPT = 'tilebase';
/** Key of the games of this tab. A reload resumes the last one, a step back the one before. */
const KEPT_GAMES = 'tilebase-games';
const GAMES_MAX = 50;
/** Longest game that an address holds, in moves. */
const ADDRESS_MOVES_MAX = 2000;

/** First board of new users, ten moves from the goal. */
const FIRST_BOARD = '5 1 2 4/9 6 3 8/13 10 7 12/14 0 11 15';

/**
 * Returns the parameters of requests about a state.
 * @param {State} state @param {Board} [board] by default, that of the state
 * @returns {{ board: string, goal: string, spec: string | null }}
 */
export function queryOf(state, board = state.board) {
  return { board: puzzle.format(board), goal: goalParameter(state), spec: state.spec };
}

/**
 * Returns the goal's name, or the board itself if it was drawn. Throws if the solver takes no boards of this size: each
 * request about a board names its goal.
 * @param {State} state
 */
export function goalParameter(state) {
  puzzle.assertForSolver(state.goal);
  return puzzle.isGoalName(state.goalName) ? state.goalName : puzzle.format(state.goal);
}

/** Returns whether two states ask for the same solution. @param {State} a @param {State} b */
export function isSameQuestion(a, b) {
  return puzzle.equal(a.board, b.board) && puzzle.equal(a.goal, b.goal);
}

/** Returns all moves of a game, also the undone ones. @param {Pick<State, 'done' | 'undone'>} game @returns {Direction[]} */
export function lineOf({ done, undone }) {
  return [...done, ...[...undone].reverse()];
}

/** Returns whether the address asks for the view that other sites show in a frame. */
export function isEmbedded() {
  return new URLSearchParams(location.search).get('embed') === '1';
}

/** Returns the elapsed time of the game, in milliseconds. @param {State} state @param {number} [now] */
export function elapsedOf({ clock: { spent, since } }, now = performance.now()) {
  return spent + (since === null ? 0 : now - since);
}

/** Returns the clock, switched on or off. @param {State} state @param {boolean} isOn @param {ViewName} [view] @returns {Clock} */
function clockOf(state, isOn, view = state.view) {
  const now = performance.now();
  return { spent: elapsedOf(state, now), isOn, since: isOn && view === 'play' ? now : null };
}

export function createStore() {
  let { state, problem } = initialState();
  /** @type {import('./listeners.js').Listeners<[state: State, before: State]>} */
  const { add: subscribe, tell } = createListeners();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let addressTimer;
  /** Fragment of the address that was read or written last. */
  let fragment = location.hash;
  // Number of the game in the browser's history. A step back to an entry of the same game changes only the view,
  // because it must not undo moves. A step back to an entry of another game resumes that game.
  /** @type {number} */
  let visit = visitOf(history.state) ?? Date.now();
  /** Number of the game before this one. */
  let from = gameOf(visit)?.from ?? null;

  /** @param {Partial<State>} changes @param {{ isStepBack?: boolean }} [options] */
  function change(changes, { isStepBack = false } = {}) {
    const before = state;
    state = { ...state, ...changes };
    const isNewEntry = state.view !== before.view || visit !== visitOf(history.state);
    if (isNewEntry && !isStepBack) newEntry();
    tell(state, before);
    clearTimeout(addressTimer);
    if (isStepBack) write();
    else addressTimer = setTimeout(write, ADDRESS_DELAY_MS);
  }

  // A browser may refuse many entries in a short time. Then the address is written later.
  function newEntry() {
    // The history belongs to the page around a frame.
    if (isEmbedded()) return;
    try {
      history.pushState({ visit }, '', addressOf(state));
      fragment = location.hash;
    } catch { /* see writeAddress */ }
  }

  function write() {
    writeAddress();
    keepGame(state, visit, from);
  }

  /** Starts another game. The current one is stored: a step back leads to it. @param {Partial<State>} changes @param {string | null} [daily] */
  function begin(changes, daily = null) {
    write();
    from = visit;
    visit = Math.max(Date.now(), visit + 1);
    change({ ...changes, ...fresh(), daily });
  }

  /** Resumes the game before this one. */
  function previous() {
    const game = gameOf(from);
    const read = gameFrom(game);
    if (!game || !read) return;
    write();
    ({ visit, from } = game);
    change(read);
    resume();
  }

  /** Restarts the clock if it is on. */
  function resume() {
    if (state.clock.isOn) change({ clock: clockOf(state, true) });
  }

  // Browsers refuse very frequent changes of the address, so a burst of moves is written once.
  function writeAddress() {
    const address = addressOf(state);
    // A link or a step back, whose event is still to come, keeps its address.
    if (location.hash !== fragment) return;
    if (address !== fragment || visitOf(history.state) !== visit) history.replaceState({ visit }, '', address);
    fragment = location.hash;
  }

  /** @param {Direction[]} moves */
  function made(moves) {
    const board = puzzle.applyAll(state.board, moves);
    const isFinished = puzzle.equal(board, state.goal);
    const isTimed = state.isTimed && state.view === 'play';
    const isHinted = state.isHinted || state.hints !== 'nothing';
    change({ board, undone: [], done: [...state.done, ...moves], isFinished, isTimed, isHinted, clock: clockOf(state, !isFinished) });
  }

  /** Makes moves that the user did not find, such as those of a solution. @param {Direction[]} moves */
  function follow(moves) {
    state = { ...state, isTimed: false };
    made(moves);
  }

  /** Slides the tile in a cell and the tiles between it and the blank. @param {number} cell */
  function slide(cell) {
    const moves = puzzle.slidesTo(state.board, cell);
    if (moves.length > 0) made(moves);
  }

  function undo() {
    if (state.done.length > 0) goTo(state.done.length - 1);
  }

  function redo() {
    if (state.undone.length > 0) goTo(state.done.length + 1);
  }

  /**
   * Goes to the board after `count` moves of the game. A stopped clock stays stopped.
   * @param {number} count
   */
  function goTo(count) {
    const position = positionAt(state.start, state.goal, lineOf(state), count);
    const clock = clockOf(state, state.clock.isOn && !position.isFinished);
    const takenBack = state.takenBack + (state.clock.isOn ? Math.max(0, state.done.length - position.done.length) : 0);
    change({ ...position, takenBack, clock });
  }

  function restart() {
    begin({ board: state.start }, state.daily);
  }

  /**
   * Starts a game with a board. A drawn goal stays if the shape stays.
   * @param {Board} board @param {{ goal?: Board, goalName?: string, view?: ViewName, daily?: string }} [options]
   */
  function setBoard(board, options = {}) {
    const isSameShape = puzzle.isSameShape(board, state.board);
    const kept = isSameShape || puzzle.isGoalName(state.goalName) ? state.goalName : 'blank-last';
    const goalName = options.goalName ?? (options.goal ? nameOfGoal(options.goal) : kept);
    const goal = options.goal ?? (goalName === 'drawn' ? state.goal : puzzle.goalOf(goalName, board.rows, board.cols));
    const spec = isSameShape ? state.spec : specForAnyShape(state.spec);
    begin({ start: board, board, goal, goalName, spec, view: options.view ?? state.view }, options.daily);
  }

  /** @param {Board} goal @param {string} [name] */
  function setGoal(goal, name = nameOfGoal(goal)) {
    begin({ goal, goalName: name, start: state.board });
  }

  /** Sets a part that no other part depends on. @param {Partial<Pick<State, 'spec' | 'hints' | 'lesson'>>} changes */
  function set(changes) {
    const isNew = Object.entries(changes).some(([name, value]) => value !== state[/** @type {keyof State} */ (name)]);
    if (isNew) change(changes);
  }

  /** Notes that the user has seen a solution of this game. */
  function noteHelp() {
    if (!state.isHinted && !state.isFinished) change({ isHinted: true });
  }

  /** @param {ViewName} view */
  function setView(view) {
    if (view !== state.view) change({ view, clock: clockOf(state, state.clock.isOn, view) });
  }

  /** @param {Partial<Preferences>} preferences */
  function prefer(preferences) {
    change(preferences);
    const { theme, naming, colours, isHoverPlay } = state;
    keep(KEPT, { theme, naming, colours, isHoverPlay });
  }

  // Handles a link that was pasted into the address bar, and steps back.
  function readAddress() {
    fragment = location.hash;
    const link = readLink(fragment, state);
    const { read } = link;
    ({ problem } = link);
    const entry = visitOf(history.state);
    const isSameVisit = entry === visit;
    // The address has changed already, so only the game is stored.
    if (!isSameVisit) keepGame(state, visit, from);
    const game = isSameVisit ? undefined : gameOf(entry);
    from = game ? game.from : entry === null ? visit : from;
    visit = entry ?? Math.max(Date.now(), visit + 1);
    const { view, lesson } = read;
    if (isSameVisit) return change({ view, lesson, clock: clockOf(state, state.clock.isOn, view) }, { isStepBack: true });
    const isOfBoard = lineOf(read).length === 0;
    const isSameBoard = isOfBoard && puzzle.equal(read.board, state.board) && puzzle.equal(read.goal, state.goal);
    if (game) change({ ...read, ...gameFrom(game), view, lesson }, { isStepBack: true });
    else if (isSameBoard) change({ spec: read.spec, view, lesson }, { isStepBack: true });
    else change(read, { isStepBack: true });
    resume();
  }

  window.addEventListener('hashchange', readAddress);
  window.addEventListener('pagehide', write);
  writeAddress();

  return {
    get state() { return state; },
    /** The error in the address that was read last, null if there was none. */
    get linkProblem() { return problem; },
    /** Whether there is a game before the current one. */
    get hasPrevious() { return gameOf(from) !== undefined; },
    subscribe, slide, follow, undo, redo, goTo, restart, previous, setBoard, setGoal, set, noteHelp, setView, prefer,
    /** Returns the address of this page with the current state. */
    link() {
      writeAddress();
      return location.href;
    },
    /** Returns the address of a game: its first board and moves. @param {Partial<State>} game */
    linkTo(game) {
      const url = new URL(addressOf({ ...state, ...fresh(), ...game }), location.href);
      url.search = '';
      return url.href;
    },
  };
}

/**
 * Returns the moves and the clock of a new game.
 * @returns {Pick<State, 'done' | 'undone' | 'daily' | 'clock' | 'isFinished' | 'isTimed' | 'hints' | 'isHinted' | 'takenBack'>}
 */
function fresh() {
  return { done: [], undone: [], daily: null, clock: { spent: 0, isOn: false, since: null }, isFinished: false, isTimed: true, hints: 'nothing', isHinted: false, takenBack: 0 };
}

/** Returns the name of a preset goal, or `drawn`. @param {Board} goal */
export function nameOfGoal(goal) {
  const is = (/** @type {string} */ name) => puzzle.equal(goal, puzzle.goalOf(name, goal.rows, goal.cols));
  return puzzle.GOAL_NAMES.find(is) ?? 'drawn';
}

/** Returns a spec if it suits all shapes. Specs with a / in their name are for one shape. @param {string | null} spec */
function specForAnyShape(spec) {
  return spec?.includes('/') ? null : spec;
}

/** Returns the first state, and the error in the address. @returns {{ state: State, problem: string | null }} */
function initialState() {
  const board = puzzle.parse(FIRST_BOARD);
  const goal = puzzle.goalOf('blank-last', board.rows, board.cols);
  /** @type {State} */
  const first = {
    start: board, board, goal, goalName: 'blank-last', spec: null, view: 'play', lesson: 1, ...fresh(), ...kept(),
  };
  const { read, problem } = readLink(location.hash, first);
  return { state: { ...first, ...read, ...keptGame(read) }, problem };
}

/** Reads the moves in an address, which have no counts. Throws if they are impossible. @param {string} text @param {Board} start @returns {Direction[]} */
function movesFrom(text, start) {
  if (text.length > ADDRESS_MOVES_MAX) throw new Error(`There are more than ${ADDRESS_MOVES_MAX} moves.`);
  if (/\d/.test(text)) throw new Error('Moves are the letters U, R, D and L.');
  const line = puzzle.directionsOf(text);
  puzzle.applyAll(start, line);
  return line;
}

/** @param {unknown} entry state of an entry in the browser's history @returns {number | null} */
function visitOf(entry) {
  return entry !== null && typeof entry === 'object' && 'visit' in entry && typeof entry.visit === 'number' ? entry.visit : null;
}

/** @param {State} state */
function addressOf(state) {
  const line = lineOf(state);
  // A game that is too long for an address is shared as its current board.
  const hasGame = line.length > 0 && line.length <= ADDRESS_MOVES_MAX;
  const parts = [`board=${puzzle.compact(hasGame ? state.start : state.board)}`];
  if (hasGame) parts.push(`moves=${puzzle.lettersOf(line)}`);
  if (hasGame && state.undone.length > 0) parts.push(`step=${state.done.length}`);
  if (state.goalName !== 'blank-last') {
    parts.push(`goal=${puzzle.isGoalName(state.goalName) ? state.goalName : puzzle.compact(state.goal)}`);
  }
  if (state.daily !== null) parts.push(`daily=${state.daily}`);
  if (state.spec !== null) parts.push(`spec=${encodeURIComponent(state.spec).replaceAll('%2F', '/')}`);
  if (state.view !== 'play') parts.push(`view=${state.view}`);
  if (state.view === 'learn') parts.push(`lesson=${state.lesson}`);
  return `#${parts.join('&')}`;
}

/**
 * Reads an address: its state, in which missing and invalid parts stay as they are, and its first error.
 * @param {string} hash @param {State} now
 * @returns {{ read: Omit<State, keyof Preferences>, problem: string | null }}
 */
function readLink(hash, now) {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  /** @type {string[]} */
  const problems = [];
  /** @template T @param {string} problem @param {() => T} read @returns {T | null} */
  const tried = (problem, read) => {
    try {
      return read();
    } catch (error) {
      problems.push(`${problem} ${error instanceof Error ? error.message : ''}`.trim());
      return null;
    }
  };
  const [board, named] = [fields.get('board'), fields.get('view')];
  const start = (board === null ? null : tried('The link cannot be read.', () => puzzle.parse(board))) ?? now.board;
  const line = tried('The moves in the link cannot be used.', () => movesFrom(fields.get('moves') ?? '', start)) ?? [];
  const goal = tried('The goal in the link cannot be used, so the blank is to be last.', () => goalFrom(fields.get('goal'), start, board === null ? now : null))
    ?? goalFrom(null, start, null);
  const view = VIEWS.find((name) => name === named || fields.has(name));
  if (named !== null && !VIEWS.some((name) => name === named)) problems.push(`The link names the view “${named}”, which does not exist. Choose one of the views above.`);
  const lesson = fields.get('lesson');
  const read = {
    ...gameOfLine(start, goal.goal, line, parseInt(fields.get('step') ?? '', 10)), ...goal,
    daily: board === null ? now.daily : fields.get('daily')?.match(/^\d{4}-\d\d-\d\d-[a-z]+$/)?.[0] ?? null,
    spec: board !== null || fields.has('spec') ? fields.get('spec') : now.spec,
    view: view ?? (lesson !== null ? 'learn' : board !== null ? 'play' : now.view),
    lesson: lesson === null ? now.lesson : /^\d{1,9}$/.test(lesson) ? Number(lesson) : 0,
  };
  return { read, problem: problems[0] ?? null };
}

/** Returns the game of moves at a step, which may be no number. @param {Board} start @param {Board} goal @param {Direction[]} line @param {number} step */
function gameOfLine(start, goal, line, step) {
  if (line.length === 0) return { start, board: start, ...fresh() };
  const position = positionAt(start, goal, line, Number.isNaN(step) ? line.length : step);
  return { start, ...fresh(), ...position, isTimed: false };
}

/** Returns a game after a number of its moves. @param {Board} start @param {Board} goal @param {Direction[]} line @param {number} count */
function positionAt(start, goal, line, count) {
  const at = Math.max(0, Math.min(count, line.length));
  const board = puzzle.applyAll(start, line.slice(0, at));
  return { board, done: line.slice(0, at), undone: line.slice(at).reverse(), isFinished: at > 0 && puzzle.equal(board, goal) };
}

/**
 * Reads the goal in an address; without one, the goal stays, or the blank is last.
 * @param {string | null} text @param {Board} board @param {State | null} now
 * @returns {Pick<State, 'goal' | 'goalName'>}
 */
function goalFrom(text, board, now) {
  if (text === null && now !== null) return { goal: now.goal, goalName: now.goalName };
  const name = text ?? 'blank-last';
  if (puzzle.isGoalName(name)) return { goal: puzzle.goalOf(name, board.rows, board.cols), goalName: name };
  const goal = puzzle.parse(name);
  if (!puzzle.isSameShape(goal, board)) throw new Error(`It has ${goal.rows} rows and ${goal.cols} columns, but the board has ${board.rows} and ${board.cols}.`);
  return { goal, goalName: nameOfGoal(goal) };
}

/** @param {State} state @param {number} visit @param {number | null} from */
function keepGame(state, visit, from) {
  const { start, goal, daily, spec, done, undone, isFinished, isTimed, hints, isHinted, takenBack } = state;
  /** @type {Game} */
  const game = {
    visit, from, daily, spec, start: puzzle.format(start), goal: puzzle.format(goal), done: puzzle.lettersOf(done), undone: puzzle.lettersOf(undone),
    elapsed: elapsedOf(state), isOn: state.clock.isOn, isFinished, isTimed, hints, isHinted, takenBack,
  };
  keep(KEPT_GAMES, [...keptGames().filter((kept) => kept.visit !== visit), game].slice(-GAMES_MAX), 'sessionStorage');
}

/** Returns the games of this tab, the latest one at the end. @returns {Game[]} */
function keptGames() {
  const games = load(KEPT_GAMES, 'sessionStorage');
  return Array.isArray(games) ? games : [];
}

/** @param {number | null} visit */
function gameOf(visit) {
  return keptGames().find((game) => game.visit === visit);
}

/**
 * Returns the game that this tab had before a reload. The address may be a few moves behind it.
 * @param {Pick<State, 'board' | 'goal' | 'spec' | 'view' | 'done' | 'undone'>} read @returns {Partial<State>}
 */
function keptGame(read) {
  const found = gameOf(visitOf(history.state));
  const game = gameFrom(found ?? keptGames().at(-1));
  if (!game || game.done.length + game.undone.length === 0) return {};
  // A typed link resumes a game only if it is at the same board.
  const isSame = lineOf(read).length === 0 && puzzle.equal(game.board, read.board) && puzzle.equal(game.goal, read.goal);
  if (!found && !isSame) return {};
  const { isOn } = game.clock;
  return { ...game, spec: read.spec, clock: { ...game.clock, since: isOn && read.view === 'play' ? performance.now() : null } };
}

/**
 * Reads a stored game, with its clock stopped; null if it cannot be read.
 * @param {Game | undefined} game
 */
function gameFrom(game) {
  if (!game) return null;
  try {
    const [start, goal] = [puzzle.parse(game.start), puzzle.parse(game.goal)];
    const [done, undone] = [puzzle.directionsOf(game.done), puzzle.directionsOf(game.undone)];
    const { daily = null, spec, elapsed: spent, isOn, isFinished, isTimed, hints = 'nothing', isHinted = false, takenBack = 0 } = game;
    return {
      start, goal, goalName: nameOfGoal(goal), board: puzzle.applyAll(start, done), done, undone, daily, spec, isFinished, isTimed, hints, isHinted, takenBack,
      clock: { spent, isOn, since: null },
    };
  } catch {
    return null;
  }
}

/** @returns {Preferences} */
function kept() {
  const { theme: chosen, naming, colours, isHoverPlay } = load(KEPT) ?? {};
  // A page around a frame knows which colours fit.
  const theme = new URLSearchParams(location.search).get('theme') ?? chosen;
  return {
    theme: theme === 'light' || theme === 'dark' ? theme : 'auto',
    naming: naming === 'blank' ? 'blank' : 'tile',
    colours: colours === 'rows' || colours === 'columns' ? colours : 'plain',
    isHoverPlay: isHoverPlay === true,
  };
}
