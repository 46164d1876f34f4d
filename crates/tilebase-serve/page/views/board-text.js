// @ts-check
// Boards as text, boards of real puzzles, and links.

import { ApiError, attempt, sentence } from '../api.js';
import * as puzzle from '../board.js';
import { button, copied, el, fill, say } from '../dom.js';
import { lineOf, queryOf } from '../store.js';

/** @typedef {import('../main.js').Context} Context */
/** @typedef {import('../store.js').State} State */
/** @typedef {import('./drawer.js').Part} Part */

/** Width of a frame, in pixels: that of a phone. */
const FRAME_WIDTH = 360;
/** Time for a solution whose moves backwards are a scramble. */
const SCRAMBLE_WITHIN = '2s';
/** Moves as letters with counts, words or arrows, also as a list. No board is written with these alone. */
const MOVES = /^[\s,;|()[\]'"]*(?:(?:up|right|down|left|[URDL←↑→↓])\d*[\s,;|()[\]'"]*)+$/iu;

/** Writes the frame that shows the game on another page, as large as its board. @param {import('../store.js').Store} store */
function frameOf(store) {
  const { board, start, done, undone, theme } = store.state;
  const hasMoves = lineOf(store.state).length > 0;
  const url = new URL(store.linkTo({ start, board: start, done: [], undone: hasMoves ? [...undone, ...[...done].reverse()] : [], view: 'play' }));
  url.search = theme === 'auto' ? '?embed=1' : `?embed=1&theme=${theme}`;
  // The board is as wide as the frame, with 12 pixels and its rim at each side; below it are the bar or the player.
  const height = Math.round((FRAME_WIDTH - 2 * 12) * (board.rows / board.cols)) + (hasMoves ? 230 : 190);
  const title = `${hasMoves ? 'A game on a' : 'A'} sliding-tile board of ${board.rows} rows and ${board.cols} columns`;
  return `<iframe src="${url.href.replaceAll('&', '&amp;')}" width="${FRAME_WIDTH}" height="${height}" title="${title}" style="border: 0"></iframe>`;
}

/** Creates the field for boards as text, and the buttons for links. @param {Context} ctx @returns {Part} */
export function createPart({ store, api, announce }) {
  const text = el('input', {
    type: 'text', autocomplete: 'off', spellcheck: 'false', class: 'grow', 'aria-describedby': 'text-help',
    'aria-label': 'Board as text', on: { paste: onPaste },
  });
  const problem = el('p', { class: 'problem', role: 'alert', hidden: true });
  const share = button('Copy link', () => void copied(store.linkTo({ board: store.state.start }), share));
  const shareGame = button('Copy link to this game', () => void copied(store.link(), shareGame), { hidden: true });
  const frame = button('Copy frame for a web page', () => void copied(frameOf(store), frame), { title: 'HTML that shows this game on another page' });
  const scrambling = button('Copy as moves', copyScramble, { title: 'Moves that lead from the goal to this board' });
  const form = el('form', { class: 'row', on: { submit: onSubmit } }, text, el('button', { type: 'submit' }, 'Use'));
  const enter = button('Enter a real puzzle…', () => void openEditor());
  const editor = el('div', { class: 'stack', hidden: true });
  const element = el('div', { class: 'stack' }, form, problem, el('div', { class: 'row' }, enter, share, shareGame, scrambling, frame), editor,
    el('p', { class: 'muted small', id: 'text-help' }, 'Any notation will do: rows, boxes, JSON, or digits without spaces. 0 is the blank. Moves, such as D R2 U, scramble the goal.'));

  async function openEditor() {
    const { createBoardEditor } = await import('./board-editor.js');
    const made = createBoardEditor(store.state.board, {
      goalFor,
      read: boardIn,
      onDone(board) {
        closeEditor();
        useBoard(board);
      },
      onCancel: closeEditor,
    });
    fill(editor, made.element);
    editor.hidden = false;
    enter.hidden = true;
    made.focus();
  }

  function closeEditor() {
    fill(editor);
    editor.hidden = true;
    enter.hidden = false;
    enter.focus();
  }

  /** Returns the goal for a board of a shape. @param {puzzle.Shape} shape */
  function goalFor(shape) {
    const { goal, goalName } = store.state;
    return puzzle.isSameShape(shape, goal) ? goal : puzzle.goalOf(goalName, shape.rows, shape.cols);
  }

  /** @param {Event} event */
  function onSubmit(event) {
    event.preventDefault();
    use(text.value);
  }

  // A single line would lose the line ends between pasted rows.
  /** @param {ClipboardEvent} event */
  function onPaste(event) {
    const pasted = event.clipboardData?.getData('text/plain') ?? '';
    if (!pasted.trim().includes('\n')) return;
    event.preventDefault();
    use(pasted);
  }

  /** @param {string} written */
  function use(written) {
    void attempt(problem, async () => useBoard(await understood(written)));
  }

  /** Copies moves from the goal to the board: those of a solution, backwards. */
  function copyScramble() {
    const { state } = store;
    void attempt(problem, async () => {
      const record = await api.get('/v1/solve', { ...queryOf(state, state.start), moves: 'tile', within: SCRAMBLE_WITHIN });
      if (typeof record.moves !== 'string') throw new Error('No solution of this board is known within two seconds, so no moves lead to it.');
      const moves = puzzle.directionsOf(record.moves).reverse().map(puzzle.inverse);
      await copied(puzzle.countedLetters(moves, state.naming), scrambling);
    }, scrambling);
  }

  /** @param {puzzle.Board} board */
  function useBoard(board) {
    store.setBoard(board);
    announce(`A board of ${board.rows} rows and ${board.cols} columns.`);
  }

  /** @param {string} written @returns {Promise<import('../board.js').Board>} */
  async function understood(written) {
    return MOVES.test(written) ? scrambled(written) : boardIn(written);
  }

  /** Reads a board, which the solver is asked about if the page cannot. @param {string} written @returns {Promise<import('../board.js').Board>} */
  async function boardIn(written) {
    try {
      return puzzle.parse(written);
    } catch (error) {
      if (written.trim() === '') throw error;
      return puzzle.parse(await canonical(written));
    }
  }

  /**
   * Returns the goal after moves. They are directions of the piece that the page's letters name, or else of the other one.
   * @param {string} sequence @returns {Promise<import('../board.js').Board>}
   */
  async function scrambled(sequence) {
    const { state } = store;
    const after = (/** @type {string} */ moves) => api.get('/v1/check', { ...queryOf({ ...state, spec: 'manhattan' }, state.goal), sequence, moves });
    const answer = await after(state.naming);
    const other = answer.legal ? answer : await after(state.naming === 'tile' ? 'blank' : 'tile');
    if (!other.legal) throw new Error(sentence(answer.illegal));
    return puzzle.parse(other.end);
  }

  /** Returns a board that only the server can read, in the usual notation. @param {string} written @returns {Promise<string>} */
  async function canonical(written) {
    try {
      return (await api.get('/v1/explain', { board: written, spec: 'manhattan' })).board;
    } catch (error) {
      if (error instanceof ApiError && error.status === 0) throw new Error('The page cannot read this board, and the solver does not answer. Write / between the rows, as in 1 2 3/4 5 0.');
      throw error;
    }
  }

  /** @param {State} state */
  function show(state) {
    if (document.activeElement !== text) text.value = puzzle.format(state.board);
    const hasMoves = lineOf(state).length > 0;
    shareGame.hidden = !hasMoves;
    delete share.dataset.name;
    share.textContent = hasMoves ? 'Copy link to the first board' : 'Copy link';
  }

  show(store.state);
  return {
    element,
    update(state, before) {
      if (state.board !== before.board) show(state);
      if (state.start !== before.start) say(problem, '');
    },
  };
}
