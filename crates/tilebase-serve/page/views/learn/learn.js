// @ts-check
// Lessons from misplaced tiles to pattern databases, each drawn for its own board or the board at hand.

import { button, el, field, fill, indexOfKey, segmented, select } from '../../dom.js';
import * as puzzle from '../../board.js';
import { goalParameter } from '../../store.js';
import { createNewest, detailOf, isAbort, pause } from '../../api.js';
import { createComparison } from './comparison.js';
import { drawBoard } from '../drawing.js';
import { LESSONS, plainName } from './lessons.js';
import { parityFigure } from '../parity.js';
import { figuresOf, isDrawn, pictureOf } from './pictures.js';
import { useStyles } from '../styles.js';
import { createTableOffer, smallestTables } from '../table-offer.js';
import { createTree } from './tree-picture.js';

/** @typedef {import('../../main.js').Context} Context */
/** @typedef {import('../../store.js').State} State */
/** @typedef {import('./lessons.js').Lesson} Lesson */
/** @typedef {import('./pictures.js').Fact} Fact */
/** @typedef {{ name: string, estimate: number, parts: any }} Heuristic */
/** @typedef {{ board: puzzle.Board, goal: puzzle.Board, goalParameter: string, drawnSpec: string | null }} Subject */

/** Delay of requests. A quick series of moves makes one request. */
const ASK_DELAY_MS = 180;
const KEPT_MAX = 40;

/** Time limit of the search for the distance of the user's board. */
const SEARCH_LIMIT = '10s';

/** Lessons whose question the user has answered. @type {Set<string>} */
const answered = new Set();
/** @type {'lesson' | 'mine'} */
let source = 'lesson';
/** @type {string | null} */
let database = null;

/** Answers of the server, by address. @type {Map<string, any>} */
const answers = new Map();

/** @param {HTMLElement} container @param {Context} ctx */
export function mount(container, ctx) {
  useStyles('views/learn.css');
  const steps = el('div', { class: 'lesson-steps', role: 'tablist', 'aria-label': 'Lessons' });
  const lessonPanel = el('div', { class: 'card lesson', role: 'tabpanel', id: 'lesson', tabindex: -1 });
  /** The board, which is large, and what is asked and told about it. */
  const picture = el('div', { class: 'lesson-picture' });
  const shown = el('div', { class: 'stack' });
  const why = el('p', { class: 'why' });
  const asking = createNewest();
  const searching = createNewest();
  /** @type {{ key: string, promise: Promise<any> } | null} */
  let distance = null;
  fill(container, el('div', { class: 'stack' }, el('h2', { class: 'hidden-text' }, 'Learn'), steps, lessonPanel));
  steps.addEventListener('keydown', onKey);
  showLesson();

  /** Returns the index of the open lesson, from 0; -1 if a link named one that does not exist. */
  function here() {
    const { lesson } = ctx.store.state;
    return lesson <= LESSONS.length ? lesson - 1 : -1;
  }

  /** @param {number} to @param {boolean} [isFocused] whether the tab takes the focus */
  function go(to, isFocused = false) {
    ctx.store.set({ lesson: Math.max(0, Math.min(LESSONS.length - 1, to)) + 1 });
    ctx.announce(`Lesson ${here() + 1} of ${LESSONS.length}: ${LESSONS[here()].title}`);
    const tab = steps.querySelector('[aria-selected="true"]');
    if (isFocused && tab instanceof HTMLElement) tab.focus();
    else lessonPanel.focus({ preventScroll: true });
    if (steps.getBoundingClientRect().top < 0) steps.scrollIntoView({ block: 'start' });
  }

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    const to = indexOfKey(event, here(), LESSONS.length - 1);
    if (to !== null) go(to, true);
  }

  function showLesson() {
    const current = here();
    fill(steps, LESSONS.map((other, at) => stepTab(other, at, at === current, () => go(at, true))));
    if (current < 0) return showList();
    const lesson = LESSONS[current];
    lessonPanel.setAttribute('aria-labelledby', `lesson-${lesson.id}`);
    fill(why, el('strong', {}, 'Why it is never too large. '), lesson.why);
    why.hidden = true;
    fill(picture);
    fill(lessonPanel,
      el('div', { class: 'lesson-head stack' },
        el('div', {}, el('p', { class: 'muted small' }, `Lesson ${current + 1} of ${LESSONS.length}`), el('h3', {}, lesson.title)),
        lesson.text.map((text) => el('p', {}, text)), sourceChoice()),
      picture, el('div', { class: 'lesson-rest stack' }, shown, why, el('p', { class: 'muted small' }, lesson.source), neighbours()));
    fill(shown, el('p', { class: 'muted' }, 'Loading the picture…'));
    ask(0);
  }

  function showList() {
    asking.stop();
    delete lessonPanel.dataset.source;
    const [first] = steps.children;
    if (first instanceof HTMLElement) first.tabIndex = 0;
    lessonPanel.setAttribute('aria-labelledby', 'no-lesson');
    fill(lessonPanel,
      el('p', { id: 'no-lesson', role: 'alert' }, `The link names a lesson that does not exist. These are the ${LESSONS.length} lessons:`),
      el('ol', {}, LESSONS.map((lesson, at) => el('li', {}, button(lesson.title, () => go(at), { class: 'link-button' })))));
  }

  function neighbours() {
    const current = here();
    const [before, after] = [LESSONS[current - 1], LESSONS[current + 1]];
    return el('nav', { class: 'row is-spread lesson-nav', 'aria-label': 'Neighbouring lessons' },
      before ? button(`← ${before.title}`, () => go(current - 1)) : el('span'),
      after ? button(`${after.title} →`, () => go(current + 1), { class: 'primary' }) : el('span'));
  }

  function sourceChoice() {
    const choices = /** @type {const} */ ([{ value: 'lesson', text: 'This lesson’s board' }, { value: 'mine', text: 'My board' }]);
    return segmented('Which board is drawn', choices, source, (value) => {
      source = value;
      ask(0);
    });
  }

  /** @returns {Subject} */
  function subject() {
    const { state } = ctx.store;
    if (source === 'mine') {
      return { board: state.board, goal: state.goal, get goalParameter() { return goalParameter(state); }, drawnSpec: state.spec?.startsWith('drawn/') ? state.spec : null };
    }
    const board = puzzle.parse(LESSONS[here()].board);
    return { board, goal: puzzle.goalOf('blank-last', board.rows, board.cols), goalParameter: 'blank-last', drawnSpec: null };
  }

  /** @param {number} delay */
  async function ask(delay) {
    lessonPanel.dataset.source = source;
    const signal = asking.next();
    const about = subject();
    try {
      await pause(delay, signal);
      shown.setAttribute('aria-busy', 'true');
      const question = { board: puzzle.format(about.board), goal: about.goalParameter };
      const explained = await answerTo('/v1/explain', question, signal);
      const drawn = about.drawnSpec ? await answerTo('/v1/explain', { ...question, spec: about.drawnSpec }, signal) : null;
      if (signal.aborted) return;
      const heuristics = [...explained.heuristics, ...(drawn?.heuristics ?? [])].filter((one, at, all) => all.findIndex(({ name }) => name === one.name) === at);
      show(about, { ...explained, heuristics }, signal);
    } catch (error) {
      if (isAbort(error)) return;
      fill(picture, drawBoard(about.board, 'The board').element);
      fill(shown, el('p', { class: 'problem' }, detailOf(error)));
    } finally {
      if (!signal.aborted) shown.removeAttribute('aria-busy');
    }
  }

  /** @param {Subject} about @param {any} explained @param {AbortSignal} signal */
  function show(about, explained, signal) {
    if (!explained.solvable.is_solvable) {
      fill(picture);
      fill(shown, el('p', { class: 'note' }, 'No moves lead from this board to its goal, so there is no distance to estimate.'),
        parityFigure(about.board, explained.solvable));
      return;
    }
    const lesson = LESSONS[here()];
    const chosen = chosenOf(lesson, explained.heuristics);
    const scene = { board: about.board, goal: about.goal, everyPartition: lesson.id === 'mirror' };
    const isOfAll = lesson.drawn === 'all';
    const comparison = createComparison(isOfAll ? explained.heuristics : chosen ? [chosen] : []);
    const isMissing = isOfAll ? databasesOf(explained.heuristics).length === 0 : !chosen;
    const isOwn = source === 'lesson';
    const drawn = chosen ? drawnPart(chosen, scene, lesson) : null;
    const answer = lesson.question.right ?? (chosen ? String(chosen.estimate) : null);
    const isTree = lesson.drawn === 'tree';
    const told = [drawn?.told, comparison.element, isOwn && el('p', { class: 'note look' }, lesson.look)];
    // The picture helps to find the answer; all that tells it comes after it.
    const tell = (/** @type {boolean} */ isTold) => {
      for (const part of [...told, why]) if (part) part.hidden = !isTold && !(isOfAll && part === comparison.element);
      lessonPanel.classList.toggle('is-told', isTold);
      if (isOwn && isTold) comparison.tell({ status: 'optimal', distance: lesson.distance });
      picture.classList.toggle('is-asking', !isTold && lesson.drawn === 'databases');
      fill(picture, drawn && (isTold || !isTree) ? drawn.figures : drawBoard(about.board, 'The board').element);
    };
    const asked = isOwn && answer !== null ? questionPart(lesson, answer, () => tell(true)) : null;
    tell(asked === null || answered.has(lesson.id));
    fill(shown, databaseChoice(lesson, explained.heuristics, chosen, () => show(about, explained, signal)), asked,
      isMissing ? missingPart(about, explained, signal) : null,
      told, isOwn ? toTable(about) : null);
    if (!isOwn) void tellDistance(about, comparison, signal);
  }

  /** Explains what is missing, and offers to build it. @param {Subject} about @param {any} explained @param {AbortSignal} signal */
  function missingPart(about, explained, signal) {
    const lesson = LESSONS[here()];
    const kind = lesson.id === 'walking-distance' ? 'walking-distance' : lesson.drawn ? 'additive' : null;
    const onBuilt = () => {
      answers.clear();
      ask(0);
    };
    const note = el('div', { class: 'note stack' }, el('p', {}, missing(lesson, explained)));
    if (kind) void offer(note, { goal: about.goal, goalParameter: about.goalParameter, kind }, onBuilt, signal);
    return note;
  }

  /** @param {HTMLElement} note @param {Parameters<typeof smallestTables>[1]} need @param {() => void} onBuilt @param {AbortSignal} signal */
  async function offer(note, need, onBuilt, signal) {
    try {
      const tables = await smallestTables(ctx.api, need, signal);
      if (tables) note.append(createTableOffer(ctx.api, tables, { goal: need.goalParameter, lead: 'Build', onBuilt, announce: ctx.announce, signal }));
    } catch (error) {
      if (!isAbort(error)) note.append(el('p', { class: 'problem' }, detailOf(error)));
    }
  }

  /** @param {Subject} about */
  function toTable(about) {
    return el('div', { class: 'row of-playing' }, button('Play this board', () => ctx.store.setBoard(about.board, { goal: about.goal, goalName: 'blank-last', view: 'play' })));
  }

  /** @param {Subject} about @param {import('./comparison.js').Comparison} comparison @param {AbortSignal} signal */
  async function tellDistance(about, comparison, signal) {
    comparison.wait();
    try {
      const record = await distanceOf({ board: puzzle.format(about.board), goal: about.goalParameter });
      if (!signal.aborted) comparison.tell(record);
    } catch (error) {
      // The next lesson may try again.
      if (!isAbort(error)) distance = null;
      if (!isAbort(error) && !signal.aborted) comparison.fail(detailOf(error));
    }
  }

  // The search for a distance may take long, so it continues from lesson to lesson for the same board.
  /** @param {{ board: string, goal: string }} board @returns {Promise<any>} */
  function distanceOf(board) {
    const question = { ...board, time_limit: SEARCH_LIMIT };
    const key = ctx.api.urlOf('/v1/moves', question);
    if (distance?.key !== key) distance = { key, promise: answerTo('/v1/moves', question, searching.next()) };
    return distance.promise;
  }

  /** @param {string} path @param {Record<string, string>} question @param {AbortSignal} signal */
  async function answerTo(path, question, signal) {
    const key = ctx.api.urlOf(path, question);
    if (answers.has(key)) return answers.get(key);
    const answer = await ctx.api.get(path, question, { signal });
    if (answers.size >= KEPT_MAX) answers.clear();
    // Tables may be built while the page is open, so only complete answers are kept.
    if (answer.status === 'optimal' || (path === '/v1/explain' && source === 'lesson' && answer.left_out.length === 0)) answers.set(key, answer);
    return answer;
  }

  return {
    /** @param {State} state @param {State} before */
    update(state, before) {
      if (state.lesson !== before.lesson) showLesson();
      else if (here() >= 0 && source === 'mine' && (state.board !== before.board || state.goal !== before.goal || state.spec !== before.spec)) ask(ASK_DELAY_MS);
    },
    unmount() {
      asking.stop();
      searching.stop();
    },
  };
}

/** @param {Lesson} lesson @param {number} at @param {boolean} isCurrent @param {() => void} onClick */
function stepTab(lesson, at, isCurrent, onClick) {
  return button(String(at + 1), onClick, {
    role: 'tab', id: `lesson-${lesson.id}`, class: 'step', 'aria-selected': String(isCurrent), 'aria-controls': 'lesson', tabindex: isCurrent ? 0 : -1,
    'aria-label': `${at + 1}: ${lesson.title}`, title: lesson.title,
  });
}

/** Returns the heuristics that can be drawn as pattern databases. @param {Heuristic[]} heuristics */
function databasesOf(heuristics) {
  return heuristics.filter(({ parts }) => parts.kind === 'additive' || parts.kind === 'plain');
}

/** Returns the heuristic that a lesson draws. @param {Lesson} lesson @param {Heuristic[]} heuristics @returns {Heuristic | null} */
function chosenOf(lesson, heuristics) {
  if (lesson.drawn === 'all') return null;
  if (lesson.drawn !== 'databases') {
    const drawn = lesson.drawn === 'tree' ? 'manhattan' : lesson.id;
    return heuristics.find(({ name, parts }) => name === drawn && isDrawn(parts.kind)) ?? null;
  }
  const databases = databasesOf(heuristics);
  const drawn = databases.find(({ name }) => name.startsWith('drawn/'));
  // The default one first: the texts describe its pictures.
  return databases.find(({ name }) => name === database) ?? drawn ?? databases.find(({ name }) => name === '15/7-8') ?? databases.findLast(({ name }) => !name.startsWith('generated/')) ?? databases.at(-1) ?? null;
}

/** @param {Lesson} lesson @param {Heuristic[]} heuristics @param {Heuristic | null} chosen @param {() => void} onChange */
function databaseChoice(lesson, heuristics, chosen, onChange) {
  const databases = databasesOf(heuristics);
  if (lesson.drawn !== 'databases' || databases.length < 2 || !chosen) return null;
  const list = select(databases.map(({ name }) => name), chosen.name, { on: { change: () => {
    database = list.value;
    onChange();
  } } });
  return field('Tables', list);
}

/** @param {Lesson} lesson @param {any} explained */
function missing(lesson, explained) {
  const left = explained.left_out.find((/** @type {any} */ one) => one.name === lesson.id);
  if (lesson.drawn) return 'No tables of patterns for this shape and goal are there yet.';
  return left ? `This estimate is left out here: ${left.reason}.` : 'This estimate is not there for this board.';
}

/**
 * Creates the pictures of a heuristic, and the facts with their sum.
 * @param {Heuristic} heuristic @param {import('./pictures.js').Scene} scene @param {Lesson} lesson
 * @returns {{ figures: HTMLElement, told: HTMLElement | null }}
 */
function drawnPart(heuristic, scene, lesson) {
  if (lesson.drawn === 'tree') return { figures: createTree(scene.board, scene.goal), told: null };
  const picture = pictureOf(heuristic.parts, scene);
  const figures = figuresOf(picture);
  const told = el('div', { class: 'stack' }, factList(picture.facts, figures),
    el('p', { class: 'sum' }, `${plainName(heuristic.name)}: ${picture.sum === String(heuristic.estimate) ? '' : `${picture.sum} = `}${heuristic.estimate}`));
  return { figures, told };
}

/**
 * Creates the question about the lesson's board. After a wrong answer the user can try again.
 * @param {Lesson} lesson @param {string} right @param {() => void} onRight
 */
function questionPart({ id, question }, right, onRight) {
  const said = el('p', { role: 'status' });
  const order = (/** @type {string} */ a, /** @type {string} */ b) => (Number(a) - Number(b)) || a.localeCompare(b);
  const choices = [right, ...question.wrong].sort(order).map((text) => button(text, () => choose(text)));
  if (answered.has(id)) tell();
  return el('fieldset', { class: 'question' }, el('legend', {}, 'Guess first'), el('p', {}, question.text), el('div', { class: 'row' }, choices), said);

  /** @param {string} text */
  function choose(text) {
    if (text !== right) {
      said.textContent = 'Not quite. Look at the picture, and try again.';
      return;
    }
    answered.add(id);
    tell();
    onRight();
  }

  function tell() {
    said.textContent = `Right: ${right}.`;
    for (const choice of choices) choice.classList.toggle('is-right', choice.textContent === right);
  }
}

/**
 * Creates facts as buttons. A pressed, hovered or focused fact highlights its part of the pictures.
 * @param {Fact[]} facts @param {Element} figures
 */
function factList(facts, figures) {
  /** @type {string | null} */
  let pressed = null;
  const items = facts.map((fact) => {
    const item = button(fact.text, () => {
      pressed = pressed === fact.key ? null : fact.key;
      for (const other of items) other.setAttribute('aria-pressed', String(other === item && pressed !== null));
      pick(figures, pressed);
    }, { class: 'fact', 'aria-pressed': 'false', on: { pointerenter: () => pick(figures, fact.key), pointerleave: () => pick(figures, pressed) } });
    if (fact.colour) item.prepend(el('span', { class: 'swatch', 'aria-hidden': 'true', style: { background: fact.colour } }));
    return item;
  });
  figures.addEventListener('click', (event) => {
    const tile = event.target instanceof Element ? event.target.closest('[data-tile]')?.getAttribute('data-tile') : null;
    const at = facts.findIndex((fact) => fact.tile !== undefined && String(fact.tile) === tile);
    if (at >= 0) items[at].click();
  });
  return el('ul', { class: 'facts', 'aria-label': 'What the picture shows' }, items.map((item) => el('li', {}, item)));
}

/** @param {Element} figures @param {string | null} key */
function pick(figures, key) {
  const marked = [...figures.querySelectorAll('[data-facts]')];
  const isOf = (/** @type {Element} */ element) => (element.getAttribute('data-facts') ?? '').split(' ').includes(key ?? '');
  const isPicking = key !== null && marked.some(isOf);
  figures.classList.toggle('is-picking', isPicking);
  for (const element of marked) element.classList.toggle('is-picked', isPicking && isOf(element));
}
