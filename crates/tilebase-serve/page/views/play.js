// @ts-check
// View for playing: facts about the board, the moves made, and the choice of boards, goals and pictures.

import { ApiError, detailOf, isAbort } from '../api.js';
import * as puzzle from '../board.js';
import { button, copied, el, field, fill, formatClock, indexOfKey, plural, say, select } from '../dom.js';
import { another, cancelScramble, chosen, farthest, scramble } from '../scramble.js';
import { elapsedOf, lineOf, queryOf } from '../store.js';
import { dailyPart } from './daily.js';
import * as know from './know.js';
import { sessionsPart } from './sessions.js';

/** @typedef {import('../main.js').Context} Context */
/** @typedef {import('../store.js').State} State */
/** @typedef {{ element: HTMLElement, update?: (state: State, before: State) => void, unmount?: () => void }} Part */

/** Numbers in rows, which are unambiguous: the server is not asked about an error in them. */
const PLAIN_ROWS = /^\d+([ \t,]+\d+)+([ \t]*[/;\n][ \t]*\d+([ \t,]+\d+)+)+$/;

/** @param {HTMLElement} container @param {Context} ctx */
export function mount(container, ctx) {
  const known = el('div', { class: 'stack' });
  const knowing = know.mount(known, ctx);
  const moves = movesPart(ctx);
  const finish = finishPart(ctx);
  const review = reviewPart(ctx, { onLeaving: moves.showLeaving, onBoardBack: knowing.refresh });
  const others = [moves, dailyPart(ctx), sessionsPart(ctx), boardPart(ctx), textPart(ctx), looksPart(ctx), optionsPart(ctx)];
  // The review comes last, because it marks moves in the list.
  const parts = [finish, ...others, review];
  // The result comes first, because on a phone it would be out of sight below.
  container.append(finish.element, review.element, known, ...others.map((part) => part.element));
  return {
    /** @param {State} state @param {State} before */
    update(state, before) {
      knowing.update(state, before);
      for (const part of parts) part.update?.(state, before);
    },
    unmount() {
      knowing.unmount();
      for (const part of parts) part.unmount?.();
    },
  };
}

/** Creates the result: the number of moves beside the optimum. @param {Context} ctx @returns {Part} */
function finishPart({ store, api, announce, sessions }) {
  const element = el('section', { class: 'card finish', 'aria-label': 'Finish', hidden: true });
  /** @type {AbortController | null} */
  let asking = null;

  /** @param {State} state */
  async function show(state) {
    // Moves of a link have no time.
    const time = elapsedOf(state) > 0 ? ` in ${formatClock(elapsedOf(state))}` : '';
    const made = el('p', null, `${plural(state.done.length, 'move')}${time}.`);
    const verdict = el('p', { class: 'muted' }, 'Searching for the optimum…');
    fill(element, el('h2', { class: 'good' }, 'Solved'), made, verdict);
    element.hidden = false;
    asking = new AbortController();
    const query = { ...queryOf(state, state.start), sequence: puzzle.lettersOf(state.done), moves: 'tile' };
    try {
      const answer = await api.get('/v1/check', query, { signal: asking.signal });
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
      asking?.abort();
      element.hidden = true;
      if (state.isFinished) void show(state);
    },
    unmount: () => asking?.abort(),
  };
}

/** @param {{ length: number, optimum?: number | null, optimal?: boolean | null, lower_bound?: number | null }} answer */
function verdictOf({ length, optimum, optimal, lower_bound: bound }) {
  if (optimal) return `${length} is the optimum. No solution is shorter.`;
  if (optimum !== null && optimum !== undefined) {
    return `The optimum is ${optimum}: you made ${length - optimum} more.`;
  }
  return bound ? `The optimum is not known: it is at least ${bound}.` : 'The optimum is not known: the search took too long.';
}

/**
 * Creates the review of a finished game, also while the user steps through it.
 * @param {Context} ctx @param {{ onLeaving: (moves: ReadonlySet<number>) => void, onBoardBack: () => void }} on
 * @returns {Part}
 */
function reviewPart(ctx, on) {
  const element = el('div', { class: 'stack', hidden: true });
  /** @type {import('./review.js').Review | null} */
  let review = null;
  let isWanted = true;

  /** @param {State} state */
  async function show(state) {
    element.hidden = !isOver(state);
    if (review !== null) return review.update(state);
    if (element.hidden) return;
    const loaded = await import('./review.js').catch(() => null);
    if (loaded === null || review !== null || !isWanted) return;
    review = loaded.createReview(ctx, on);
    fill(element, review.element);
  }

  void show(ctx.store.state);
  return {
    element,
    update(state, before) {
      const isSame = state.done === before.done && state.undone === before.undone && state.start === before.start && state.spec === before.spec;
      if (!isSame) void show(state);
    },
    unmount() {
      isWanted = false;
      review?.destroy();
    },
  };
}

/** Returns whether the moves, also the undone ones, end at the goal. @param {State} state */
function isOver(state) {
  if (state.isFinished) return true;
  return state.undone.length > 0 && puzzle.equal(puzzle.applyAll(state.start, lineOf(state)), state.goal);
}

/** @param {Context} ctx @returns {Part & { showLeaving: (moves: ReadonlySet<number>) => void }} */
function movesPart({ store }) {
  // The list is one tab stop, from which the arrows step through the moves.
  const list = el('ol', {
    class: 'moves', 'aria-label': 'Moves made; left and right step through them', tabindex: 0, 'data-own-keys': true,
    on: { keydown: onKey },
  });
  const none = el('p', { class: 'muted' },
    'Press a tile, swipe, or use the arrow keys. A tile farther away takes all between it and the blank along.');
  const naming = el('label', { class: 'toggle small' },
    el('input', { type: 'checkbox', on: { change: onNaming } }), 'Letters name the blank’s direction');
  const title = el('h2', null, 'Moves');
  const copy = button('Copy', onCopy, { class: 'quiet' });
  const element = el('section', { class: 'card', 'aria-label': 'Moves' },
    el('div', { class: 'row is-spread' }, title, copy), none, list, naming);
  const box = /** @type {HTMLInputElement} */ (naming.querySelector('input'));

  /** @param {Event} event */
  function onNaming(event) {
    store.prefer({ naming: /** @type {HTMLInputElement} */ (event.target).checked ? 'blank' : 'tile' });
  }

  async function onCopy() {
    const { done, naming: named } = store.state;
    await copied(puzzle.lettersOf(done, named), copy);
  }

  /** @param {State} state */
  function show(state) {
    const line = lineOf(state);
    box.checked = state.naming === 'blank';
    none.hidden = line.length > 0;
    list.hidden = line.length === 0;
    naming.hidden = line.length === 0;
    copy.hidden = state.done.length === 0;
    while (list.children.length > line.length) list.lastElementChild?.remove();
    let board = state.start;
    line.forEach((direction, at) => {
      const entry = list.children[at] ?? list.appendChild(moveEntry(at));
      const letter = puzzle.lettersOf([direction], state.naming);
      const tile = puzzle.tileOf(board, direction);
      board = puzzle.applyAll(board, [direction]);
      showEntry(entry, letter, tile, at, state.done.length);
    });
    const current = list.querySelector('[aria-current]');
    if (current instanceof HTMLElement) scrollInside(list, current);
  }

  /** @param {number} at */
  function moveEntry(at) {
    return el('li', null, button('', () => store.goTo(at + 1), { tabindex: -1 }));
  }

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    const { done, undone } = store.state;
    const place = indexOfKey(event, done.length, done.length + undone.length);
    if (place !== null) store.goTo(place);
  }

  /** Marks moves that led farther from the goal. @param {ReadonlySet<number>} leaving */
  function showLeaving(leaving) {
    [...list.children].forEach((entry, at) => {
      entry.classList.toggle('is-leaving', leaving.has(at));
      const made = /** @type {HTMLElement} */ (entry.firstElementChild);
      const name = (made.getAttribute('aria-label') ?? '').replace(/, led farther$/, '');
      made.setAttribute('aria-label', leaving.has(at) ? `${name}, led farther` : name);
    });
  }

  show(store.state);
  return {
    element, showLeaving,
    update(state, before) {
      const isSame = state.done === before.done && state.undone === before.undone
        && state.start === before.start && state.naming === before.naming;
      if (!isSame) show(state);
    },
  };
}

/** @param {Element} entry @param {string} letter @param {number} tile @param {number} at @param {number} count */
function showEntry(entry, letter, tile, at, count) {
  const made = /** @type {HTMLElement} */ (entry.firstElementChild);
  if (made.textContent !== letter) made.textContent = letter;
  made.title = `Move ${at + 1}: tile ${tile}`;
  made.setAttribute('aria-label', `Move ${at + 1}: ${letter}, tile ${tile}`);
  entry.classList.toggle('is-undone', at >= count);
  if (at === count - 1) made.setAttribute('aria-current', 'step');
  else made.removeAttribute('aria-current');
}

/** Scrolls a list without moving the page. @param {HTMLElement} list @param {HTMLElement} child */
function scrollInside(list, child) {
  const [outer, inner] = [list.getBoundingClientRect(), child.getBoundingClientRect()];
  if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom;
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top;
}

/** Creates the choice of shape, goal and kind of board. @param {Context} ctx @returns {Part} */
function boardPart({ store, announce }) {
  const rows = select(puzzle.SIDES, '', { 'aria-label': 'Rows', on: { change: onShape } });
  const cols = select(puzzle.SIDES, '', { 'aria-label': 'Columns', on: { change: onShape } });
  const goals = select([
    { value: 'blank-last', text: 'Blank last' }, { value: 'blank-first', text: 'Blank first' },
    { value: 'snail', text: 'Snail' }, { value: 'drawn', text: 'Drawn…' },
  ], '', { on: { change: onGoal } });
  // The list sends no event if its current choice is chosen again.
  const arrange = button('Arrange…', () => void openEditor(), { hidden: true });
  const editor = el('div', { class: 'stack', hidden: true });
  const status = el('p', { class: 'small', role: 'status', hidden: true });
  const kinds = kindPart(store);
  const make = button('Make the board', onMake, { class: 'primary' });
  const cancel = button('Cancel', cancelScramble, { hidden: true });
  const element = el('section', { class: 'card', 'aria-label': 'Another board' },
    el('h2', null, 'Another board'),
    el('div', { class: 'row' },
      el('div', { class: 'field', role: 'group', 'aria-label': 'Shape' }, el('span', null, 'Rows and columns'),
        el('div', { class: 'row' }, rows, el('span', { 'aria-hidden': 'true' }, '×'), cols)),
      field('Goal', goals, { class: 'field grow' }), arrange),
    editor, kinds.element, el('div', { class: 'row' }, make, cancel), status);

  function onShape() {
    const shape = { rows: Number(rows.value), cols: Number(cols.value) };
    const name = puzzle.isGoalName(store.state.goalName) ? store.state.goalName : 'blank-last';
    const goal = puzzle.goalOf(name, shape.rows, shape.cols);
    closeEditor();
    store.setBoard(another(goal), { goal, goalName: name });
  }

  function onGoal() {
    closeEditor();
    if (goals.value === 'drawn') return void openEditor();
    const { board } = store.state;
    aimAt(puzzle.goalOf(goals.value, board.rows, board.cols), goals.value);
  }

  /** @param {import('../board.js').Board} goal @param {string} [name] */
  function aimAt(goal, name) {
    const { board } = store.state;
    const isSolvable = puzzle.isSolvable(board, goal);
    const isReachable = isSolvable && !puzzle.equal(board, goal);
    if (isReachable) store.setGoal(goal, name);
    else store.setBoard(another(goal), { goal, goalName: name });
    const reason = isSolvable ? 'The old board was this goal already' : 'No moves lead from the old board to this goal';
    say(status, isReachable ? '' : `${reason}, so here is another board.`);
  }

  async function openEditor() {
    const { createGoalEditor } = await import('../goal-editor.js');
    editor.hidden = false;
    fill(editor, createGoalEditor(store.state.goal, {
      onDone(goal) {
        closeEditor();
        aimAt(goal);
        goals.focus();
      },
      onCancel() {
        closeEditor();
        show(store.state);
        goals.focus();
      },
    }));
  }

  function closeEditor() {
    editor.hidden = true;
    fill(editor);
  }

  async function onMake() {
    make.setAttribute('aria-busy', 'true');
    cancel.hidden = chosen.kind === 'random';
    say(status, chosen.kind === 'optimum' ? 'Searching for such a board. It may take a minute.' : '');
    try {
      await scramble(store);
      say(status, '');
      announce('A new board.');
    } catch (error) {
      say(status, isAbort(error) ? '' : detailOf(error));
    } finally {
      make.removeAttribute('aria-busy');
      cancel.hidden = true;
    }
  }

  /** @param {State} state */
  function show(state) {
    rows.value = String(state.board.rows);
    cols.value = String(state.board.cols);
    if (editor.hidden) goals.value = state.goalName;
    arrange.hidden = state.goalName !== 'drawn';
  }

  show(store.state);
  return {
    element,
    update(state, before) {
      if (state.start !== before.start) say(status, '');
      if (state.goal !== before.goal) kinds.show();
      if (state.goal !== before.goal || state.start !== before.start) show(state);
    },
  };
}

/** Creates the choice of the kind of board, with its numbers. @param {import('../store.js').Store} store */
function kindPart(store) {
  const limit = el('p', { class: 'muted small', hidden: true });
  const numbers = el('div', { class: 'row' });
  const kinds = select([
    { value: 'random', text: 'Random' }, { value: 'walk', text: 'A random walk' },
    { value: 'optimum', text: 'A chosen optimum' }, { value: 'hardest', text: 'One of the hardest' },
  ], chosen.kind, { on: { change: onKind } });

  function onKind() {
    chosen.kind = /** @type {typeof chosen.kind} */ (kinds.value);
    show();
  }

  function show() {
    if (chosen.kind === 'walk') {
      fill(numbers, numberField('Random moves', 'walk', 1));
    } else if (chosen.kind === 'optimum') {
      fill(numbers, numberField('From', 'low', 0), numberField('To', 'high', 0), el('span', { class: 'muted unit' }, 'moves'));
    } else {
      fill(numbers);
    }
    numbers.hidden = numbers.childElementCount === 0;
    void showLimit();
  }

  async function showLimit() {
    const { goal } = store.state;
    limit.hidden = true;
    if (chosen.kind !== 'optimum') return;
    // If the server does not answer, the button reports the error.
    const found = await farthest(store.state).catch(() => null);
    if (store.state.goal !== goal || found === null) return;
    limit.textContent = found.why;
    limit.hidden = chosen.kind !== 'optimum';
  }

  show();
  const element = el('div', { class: 'stack' },
    el('div', { class: 'row' }, field('How it is made', kinds, { class: 'field grow' }), numbers), limit);
  return { element, show };
}

/** @param {string} text @param {'walk' | 'low' | 'high'} name @param {number} least */
function numberField(text, name, least) {
  const input = el('input', {
    type: 'number', min: least, max: 999, value: chosen[name], inputmode: 'numeric',
    on: { input: () => { if (input.validity.valid && input.value !== '') chosen[name] = Number(input.value); } },
  });
  return field(text, input);
}

/** Creates the field for boards as text, and the buttons for links. @param {Context} ctx @returns {Part} */
function textPart({ store, api, announce }) {
  const text = el('input', {
    type: 'text', autocomplete: 'off', spellcheck: 'false', class: 'grow', 'aria-describedby': 'text-help',
    'aria-label': 'Board as text', on: { paste: onPaste },
  });
  const problem = el('p', { class: 'problem', role: 'alert', hidden: true });
  const share = button('Copy link', () => void copied(store.linkTo({ board: store.state.start }), share));
  const shareGame = button('Copy link to this game', () => void copied(store.link(), shareGame), { hidden: true });
  const form = el('form', { class: 'row', on: { submit: onSubmit } }, text, el('button', { type: 'submit' }, 'Use'));
  const enter = button('Enter a real puzzle…', () => void openEditor());
  const editor = el('div', { class: 'stack', hidden: true });
  const element = el('section', { class: 'card', 'aria-label': 'Board as text' },
    el('h2', null, 'Board as text'), form, problem, el('div', { class: 'row' }, enter, share, shareGame), editor,
    el('p', { class: 'muted small', id: 'text-help' }, 'Any notation will do: rows, boxes, JSON, or digits without spaces. 0 is the blank.'));

  async function openEditor() {
    const { createBoardEditor } = await import('../board-editor.js');
    const made = createBoardEditor(store.state.board, {
      goalFor,
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
    void use(text.value);
  }

  // A single line would lose the line ends between pasted rows.
  /** @param {ClipboardEvent} event */
  function onPaste(event) {
    const pasted = event.clipboardData?.getData('text/plain') ?? '';
    if (!pasted.trim().includes('\n')) return;
    event.preventDefault();
    void use(pasted);
  }

  /** @param {string} written */
  async function use(written) {
    say(problem, '');
    try {
      useBoard(await understood(written));
    } catch (error) {
      say(problem, detailOf(error));
    }
  }

  /** @param {puzzle.Board} board */
  function useBoard(board) {
    store.setBoard(board);
    announce(`A board of ${board.rows} rows and ${board.cols} columns.`);
  }

  /** @param {string} written @returns {Promise<import('../board.js').Board>} */
  async function understood(written) {
    try {
      return puzzle.parse(written);
    } catch (error) {
      if (written.trim() === '' || PLAIN_ROWS.test(written.trim())) throw error;
      return puzzle.parse(await canonical(written));
    }
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

/** Creates the options (colours, mouse and keys), which are loaded when they are opened. @param {Context} ctx @returns {Part} */
function optionsPart(ctx) {
  const place = el('div');
  const element = el('details', { class: 'card options', on: { toggle: onToggle } }, el('summary', null, 'Options'), place);

  async function onToggle() {
    if (!element.open || place.firstChild !== null) return;
    const { createOptions } = await import('./options.js');
    fill(place, createOptions(ctx));
  }

  return { element };
}

/** Creates the choice of numbers or a picture on the tiles. @param {Context} ctx @returns {Part} */
function looksPart({ picture }) {
  const file = el('input', { type: 'file', accept: 'image/*', class: 'hidden-text', tabindex: -1, 'aria-hidden': 'true', on: { change: onFile } });
  const choose = button('Choose a picture…', () => file.click());
  const clear = button('Numbers only', onClear, { class: 'quiet' });
  const problem = el('p', { class: 'problem', role: 'alert', hidden: true });
  const element = el('section', { class: 'card', 'aria-label': 'Picture on the tiles' },
    el('h2', null, 'Picture on the tiles'),
    el('div', { class: 'row' }, file, choose, clear),
    problem, el('p', { class: 'muted small' }, 'The picture stays in this browser, also when you come back. It is not uploaded.'));

  async function onFile() {
    const chosenFile = file.files?.[0];
    if (!chosenFile) return;
    say(problem, '');
    try {
      await picture.choose(chosenFile);
    } catch (error) {
      say(problem, detailOf(error));
    }
    file.value = '';
    show();
  }

  function onClear() {
    picture.clear();
    show();
    choose.focus();
  }

  function show() {
    clear.hidden = picture.url === null;
  }

  show();
  return { element, update: show };
}
