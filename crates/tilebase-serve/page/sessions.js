// @ts-check
// Boards that were solved by hand, in sessions with names, kept in this browser; and the time to inspect a board.

import * as puzzle from './board.js';
import { plural } from './dom.js';
import { createListeners } from './listeners.js';
import { keep, load } from './storage.js';
import { elapsedOf } from './store.js';

/** @typedef {ReturnType<typeof createSessions>} Sessions */
/** @typedef {'' | '+2' | 'DNF'} Penalty two seconds more, or not finished */
/**
 * A solve by hand.
 * @typedef {object} Solve
 * @property {number} at End time, in milliseconds since 1970; it identifies the solve.
 * @property {string} session
 * @property {string} shape Such as `4x4`.
 * @property {string} start
 * @property {string} goal
 * @property {string} moves Letters of the tiles' directions.
 * @property {number} milliseconds From the first move to the last.
 * @property {Penalty} penalty
 * @property {number | null} optimum Null if unknown.
 * @property {boolean} isHinted Whether hints or a solution were shown.
 * @property {number} takenBack Number of moves that were undone.
 */

const KEPT = 'tilebase-solves';
const KEPT_CHOICE = 'tilebase-session';
const SOLVES_MAX = 5000;
const FIRST_SESSION = 'Session 1';
/** Time to inspect a board before the first move, and how much later a solve does not count, as in competitions. */
const INSPECTION_MS = 15_000;
const LATE_MS = 2000;
/** @type {readonly Penalty[]} */
export const PENALTIES = ['', '+2', 'DNF'];

/** Returns the penalty for a first move with this rest of the inspection, in milliseconds. @param {number} left @returns {Penalty} */
export function penaltyOf(left) {
  if (left >= 0) return '';
  return left >= -LATE_MS ? '+2' : 'DNF';
}

/** Says what helped in a solve; empty if nothing did. @param {Pick<Solve, 'isHinted' | 'takenBack'>} solve */
export function helpOf({ isHinted, takenBack }) {
  return [isHinted ? 'with hints' : '', takenBack > 0 ? `${plural(takenBack, 'move')} undone` : ''].filter((text) => text !== '').join(', ');
}

/** Records every solve of the store that was made by hand. @param {import('./store.js').Store} store */
export function createSessions(store) {
  const { add: subscribe, tell } = createListeners();
  let choice = choiceNow();
  /** When the board was first shown, if it is inspected. @type {number | null} */
  let shownAt = null;
  /** @type {Penalty} */
  let penalty = '';

  /** Replaces the solves, which another tab may have changed meanwhile. @param {(solves: Solve[]) => Solve[]} next */
  function change(next) {
    keep(KEPT, next(solvesNow()).slice(-SOLVES_MAX));
    tell();
  }

  /** @param {Partial<typeof choice>} changes */
  function choose(changes) {
    choice = { ...choice, ...changes };
    keep(KEPT_CHOICE, choice);
    if (!choice.hasInspection) shownAt = null;
    tell();
  }

  /** Returns the rest of the inspection in milliseconds, null if there is none. */
  function inspectionLeft() {
    return shownAt === null ? null : shownAt + INSPECTION_MS - performance.now();
  }

  store.subscribe((state, before) => {
    const isUntouched = state.done.length + state.undone.length === 0 && !state.clock.isOn;
    const isNew = isUntouched && (state.start !== before.start || before.done.length + before.undone.length > 0);
    if (isNew) [shownAt, penalty] = [choice.hasInspection ? performance.now() : null, ''];
    if (state.clock.isOn && shownAt !== null) {
      penalty = penaltyOf(inspectionLeft() ?? 0);
      shownAt = null;
    }
    // Stepping back and forth in a finished game is no solve: its clock has stopped before.
    const isSolve = state.isFinished && !before.isFinished && state.isTimed && before.clock.isOn;
    if (!isSolve) return;
    change((solves) => [...solves, {
      at: Math.max(Date.now(), (solves.at(-1)?.at ?? 0) + 1), session: choice.name,
      shape: puzzle.shapeOf(state.board), start: puzzle.format(state.start), goal: puzzle.format(state.goal),
      moves: puzzle.lettersOf(state.done), milliseconds: Math.floor(elapsedOf(state)), penalty, optimum: null,
      isHinted: state.isHinted, takenBack: state.takenBack,
    }]);
  });

  return {
    inspectionLeft, choose, subscribe,
    get name() { return choice.name; },
    get hasInspection() { return choice.hasInspection; },
    /** Returns the names of all sessions. */
    names() {
      return [...new Set([...solvesNow().map(({ session }) => session), choice.name])];
    },
    /** Returns all solves, the oldest first. */
    all: solvesNow,
    /** Returns the solves of this session and a shape, the oldest first. @param {string} shape */
    list(shape) {
      return solvesNow().filter((solve) => solve.shape === shape && solve.session === choice.name);
    },
    /** Gives this session another name. @param {string} name */
    rename(name) {
      const before = choice.name;
      choose({ name });
      change((solves) => solves.map((solve) => (solve.session === before ? { ...solve, session: name } : solve)));
    },
    /** Stores the optimum of a board in its solves. @param {string} start @param {string} goal @param {number} optimum */
    setOptimum(start, goal, optimum) {
      const isOfIt = (/** @type {Solve} */ solve) => solve.start === start && solve.goal === goal && solve.optimum !== optimum;
      if (solvesNow().some(isOfIt)) change((solves) => solves.map((solve) => (isOfIt(solve) ? { ...solve, optimum } : solve)));
    },
    /** @param {number} at @param {Penalty} next */
    setPenalty(at, next) {
      change((solves) => solves.map((solve) => (solve.at === at ? { ...solve, penalty: next } : solve)));
    },
    /** @param {number} at */
    remove(at) {
      change((solves) => solves.filter((solve) => solve.at !== at));
    },
    /** Removes the solves of this session and a shape. @param {string} shape */
    clear(shape) {
      change((solves) => solves.filter((solve) => solve.shape !== shape || solve.session !== choice.name));
    },
    /** Adds solves of a file, and returns the number of those that were not there. @param {readonly Solve[]} added */
    add(added) {
      const known = new Set(solvesNow().map(({ at }) => at));
      const fresh = added.filter(({ at }) => !known.has(at));
      change((solves) => [...solves, ...fresh].sort((a, b) => a.at - b.at));
      return fresh.length;
    },
  };
}

function choiceNow() {
  const { name, hasInspection } = load(KEPT_CHOICE) ?? {};
  return { name: typeof name === 'string' && name !== '' ? name : FIRST_SESSION, hasInspection: hasInspection === true };
}

/** @returns {Solve[]} */
function solvesNow() {
  const solves = load(KEPT);
  return Array.isArray(solves) ? solves.map(readSolve).filter((solve) => solve !== null) : [];
}

/** Reads a solve, also one of an earlier release; null if it is none. @param {any} solve @returns {Solve | null} */
export function readSolve(solve) {
  if (typeof solve !== 'object' || solve === null) return null;
  const { hints = 'nothing', isHinted = hints !== 'nothing', takenBack = 0, session = FIRST_SESSION, penalty = '', ...rest } = solve;
  const isIt = Number.isFinite(rest.at) && Number.isFinite(rest.milliseconds) && PENALTIES.includes(penalty)
    && [rest.shape, rest.start, rest.goal, rest.moves, session].every((text) => typeof text === 'string')
    && (rest.optimum === null || Number.isFinite(rest.optimum));
  return isIt ? { ...rest, session, penalty, isHinted: isHinted === true, takenBack } : null;
}
