// @ts-check
// Choice of shape, goal and kind of the next board.

import { detailOf, isAbort } from '../../api.js';
import * as puzzle from '../../board.js';
import { button, el, field, fill, say, select } from '../../dom.js';
import { shapeField } from '../shape-field.js';
import { another, cancelScramble, chosen, farthest, scramble, setShape } from '../../scramble.js';

/** @typedef {import('../../main.js').Context} Context */
/** @typedef {import('../../store.js').State} State */
/** @typedef {import('../drawer.js').Part} Part */

/** Creates the choice of shape, goal and kind of board. @param {Context} ctx @returns {Part} */
export function createPart({ store, announce }) {
  const shape = shapeField('', onShape);
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
  const element = el('div', { class: 'stack' },
    el('div', { class: 'row' },
      shape.element, field('Goal', goals, { class: 'field grow' }), arrange),
    editor, kinds.element, el('div', { class: 'row' }, make, cancel), status);

  /** @param {puzzle.Shape} chosenShape */
  function onShape(chosenShape) {
    closeEditor();
    setShape(store, chosenShape);
  }

  function onGoal() {
    closeEditor();
    if (goals.value === 'drawn') return void openEditor();
    const { board } = store.state;
    aimAt(puzzle.goalOf(goals.value, board.rows, board.cols), goals.value);
  }

  /** @param {import('../../board.js').Board} goal @param {string} [name] */
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
    const { createGoalEditor } = await import('./goal-editor.js');
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
    shape.show(state.board);
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

/** Creates the choice of the kind of board, with its numbers. @param {import('../../store.js').Store} store */
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
