// @ts-check
// The daily board: its date, three difficulties, and results to share.

import { attempt, createNewest } from '../../api.js';
import * as puzzle from '../../board.js';
import { KINDS, dailyEntries, dailyEntry, dailyOfName, dateOf, keepDaily, nameOfDaily, seedOf, streakOf, writtenDate } from '../../daily.js';
import { button, copied, el, fill, formatClock, plural } from '../../dom.js';
import { helpOf } from '../../sessions.js';

/** @typedef {import('../../main.js').Context} Context */
/** @typedef {import('../../daily.js').Entry} Entry */
/** @typedef {import('../../daily.js').Kind} Kind */

const GOAL = 'blank-last';

/** @param {Context} ctx @returns {import('./play.js').Part} */
export function dailyPart({ store, api, sessions, announce }) {
  const date = el('p', { class: 'muted' });
  const here = el('p', { class: 'note', hidden: true });
  const list = el('ul', { class: 'daily-list' });
  const problem = el('p', { class: 'problem', role: 'alert', hidden: true });
  const element = el('section', { class: 'card', 'aria-label': 'Daily board' }, el('h2', null, 'Daily board'), date, here, list, problem,
    el('p', { class: 'muted small' }, 'The same boards for everybody; new ones at midnight UTC. Your first result of each counts.'));
  const asking = createNewest();
  const stop = sessions.subscribe(record);

  /** @param {Kind} kind */
  function play(kind) {
    const today = dateOf();
    const signal = asking.next();
    void attempt(problem, async () => {
      const board = await boardOf(kind, today, signal);
      if (signal.aborted) return;
      const goal = puzzle.goalOf(GOAL, board.rows, board.cols);
      keepDaily({ date: today, difficulty: kind.value, board: puzzle.format(board), result: dailyEntry(today, kind.value)?.result ?? null });
      store.setBoard(board, { goal, goalName: GOAL, daily: nameOfDaily({ date: today, difficulty: kind.value }) });
      announce(`The daily board, ${kind.text}.`);
    });
  }

  /** @param {Kind} kind @param {string} day @param {AbortSignal} signal */
  async function boardOf(kind, day, signal) {
    const query = { shape: kind.shape, goal: GOAL, set: kind.set, seed: seedOf(day) };
    return puzzle.parse((await api.get('/v1/scramble', query, { signal })).board);
  }

  /** Names the day of a board that came by a link, if it is that day's board. Then its first result counts. */
  async function showHere() {
    const { state } = store;
    const found = dailyOfName(state.daily);
    here.hidden = true;
    if (found === null || found.date > dateOf()) return;
    const { date: day, kind } = found;
    const board = await boardOf(kind, day, asking.signal).catch(() => null);
    if (board === null || store.state.start !== state.start || !puzzle.equal(board, state.start)) return;
    here.textContent = `This is the daily board of ${writtenDate(day)}: ${kind.text}, ${kind.shape}.`;
    here.hidden = false;
    if (!dailyEntry(day, kind.value)) keepDaily({ date: day, difficulty: kind.value, board: puzzle.format(board), result: null });
  }

  // A solve may end after midnight: it counts for the day whose board it is.
  function record() {
    const solve = sessions.all().at(-1);
    if (solve === undefined) return;
    for (const entry of dailyEntries()) {
      const [{ rows, cols }, { result }] = [puzzle.parse(entry.board), entry];
      const isIt = entry.board === solve.start && solve.goal === puzzle.format(puzzle.goalOf(GOAL, rows, cols));
      const isNew = result === null || (result.optimum === null && result.milliseconds === solve.milliseconds);
      if (isIt && isNew) keepDaily({ ...entry, result: { milliseconds: solve.milliseconds, moves: solve.moves.length, optimum: solve.optimum, isHinted: solve.isHinted, takenBack: solve.takenBack } });
    }
    show();
  }

  function show() {
    const today = dateOf();
    const streak = streakOf(dailyEntries(), today);
    date.textContent = `${writtenDate(today)} (UTC)${streak > 1 ? ` · ${streak} days in a row` : ''}`;
    fill(list, KINDS.map((kind) => row(kind, dailyEntry(today, kind.value))));
  }

  /** @param {Kind} kind @param {Entry | undefined} entry */
  function row(kind, entry) {
    const result = entry?.result ?? null;
    const name = `${kind.text}, ${kind.shape}`;
    const start = button(name, () => play(kind), { 'aria-label': `Play the daily board: ${name}` });
    if (entry === undefined || result === null) return el('li', null, start);
    const share = button('Copy result', () => void copied(shared(kind, entry), share), { class: 'quiet', 'aria-label': `Copy result: ${name}` });
    return el('li', null, start, el('span', { class: 'daily-result' }, `✓ ${textOf(result)}`), share);
  }

  /** @param {import('../../daily.js').Result} result */
  function textOf({ moves, milliseconds, optimum, isHinted = false, takenBack = 0 }) {
    const best = optimum === null ? '' : ` (optimum ${optimum})`;
    return [`${plural(moves, 'move')}${best} in ${formatClock(milliseconds)}`, helpOf({ isHinted, takenBack })].filter((text) => text !== '').join(', ');
  }

  /** Writes a result without the moves, so that others can play the same board. @param {Kind} kind @param {Entry} entry */
  function shared(kind, entry) {
    const board = puzzle.parse(entry.board);
    const goal = puzzle.goalOf(GOAL, board.rows, board.cols);
    const link = store.linkTo({ start: board, board, goal, goalName: GOAL, daily: nameOfDaily(entry), spec: null, view: 'play' });
    const result = /** @type {import('../../daily.js').Result} */ (entry.result);
    return `Tilebase daily board of ${writtenDate(entry.date)}, ${kind.text.toLowerCase()} (${kind.shape}): ${textOf(result)}\n${link}`;
  }

  show();
  void showHere();
  return {
    element,
    update(state, before) {
      if (state.start === before.start) return;
      show();
      void showHere();
    },
    unmount() {
      asking.stop();
      stop();
    },
  };
}
