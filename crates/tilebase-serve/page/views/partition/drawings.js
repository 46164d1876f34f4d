// @ts-check
// Drawings of partitions with their history. They are stored for each goal, and survive a reload.

import * as puzzle from '../../board.js';
import { keep, load } from '../../storage.js';
import * as spec from './spec.js';

/** @typedef {import('../../board.js').Board} Board */
/** @typedef {import('./spec.js').Draft} Draft */
/** @typedef {{ draft: Draft, past: Draft[], future: Draft[], at: number, brush: number }} Sheet drawing and its history */
/** @typedef {ReturnType<typeof createDrawings>} Drawings */

const PAST_MAX = 200;
const STORAGE_KEY = 'tilebase-drawings';

/** Sheets by goal, for the next visit of the view. @type {Map<string, Sheet>} */
const sheets = new Map();

/** @param {Draft} draft @returns {Sheet} */
export function newSheet(draft) {
  return { draft, past: [], future: [], at: 0, brush: 0 };
}

/** @param {Board} goal @returns {Draft} */
export function blankDraft(goal) {
  return { title: null, goal, kind: 'additive', drawings: [spec.emptyDrawing(goal)], blank: 'aware', reflect: true };
}

/** Returns the last sheet for a goal. @param {Board} goal @returns {Sheet | null} */
export function lastSheet(goal) {
  const sheet = sheets.get(puzzle.compact(goal));
  if (sheet) return sheet;
  const draft = storedDrafts()[puzzle.compact(goal)];
  return draft ? newSheet(draft) : null;
}

/** Returns the stored drafts by goal. Empty without storage. @returns {Record<string, Draft>} */
function storedDrafts() {
  return load(STORAGE_KEY, 'sessionStorage') ?? {};
}

/** @param {Draft} draft */
function storeDraft(draft) {
  keep(STORAGE_KEY, { ...storedDrafts(), [puzzle.compact(draft.goal)]: draft }, 'sessionStorage');
}

/** Creates the state of the view: the current sheet and its changes. @param {Board} goal @param {() => void} onChange */
export function createDrawings(goal, onChange) {
  let sheet = newSheet(blankDraft(goal));
  /** @type {Draft | null} */
  let strokeFrom = null;

  function changed() {
    storeDraft(sheet.draft);
    onChange();
  }

  /** @param {Draft} draft */
  function remember(draft) {
    sheet.past = [...sheet.past, draft].slice(-PAST_MAX);
    sheet.future = [];
  }

  return {
    get sheet() { return sheet; },

    /** @param {Sheet} next */
    use(next) {
      sheet = next;
      sheets.set(puzzle.compact(sheet.draft.goal), sheet);
      changed();
    },

    /** Makes a change that can be undone. @param {Partial<Draft>} changes */
    change(changes) {
      remember(sheet.draft);
      sheet.draft = { ...sheet.draft, ...changes };
      sheet.at = Math.min(sheet.at, sheet.draft.drawings.length - 1);
      changed();
    },

    beginStroke() { strokeFrom = sheet.draft; },

    /** Paints a part of a stroke. @param {number[]} cells @param {number} pattern */
    paint(cells, pattern) {
      const { draft, at } = sheet;
      const drawing = draft.drawings[at];
      const changing = cells.filter((cell) => draft.goal.tiles[cell] !== 0 && drawing[cell] !== pattern);
      if (changing.length === 0) return;
      const next = drawing.map((old, cell) => (changing.includes(cell) ? pattern : old));
      sheet.draft = { ...draft, drawings: draft.drawings.map((old, index) => (index === at ? next : old)) };
      changed();
    },

    /** Ends a stroke, which is one step of the history. */
    endStroke() {
      if (strokeFrom !== null && strokeFrom !== sheet.draft) remember(strokeFrom);
      strokeFrom = null;
    },

    /** Undoes or redoes a step. Returns whether there was one. @param {'undo' | 'redo'} step */
    travel(step) {
      const [from, to] = step === 'undo' ? [sheet.past, sheet.future] : [sheet.future, sheet.past];
      const next = from.pop();
      if (!next) return false;
      to.push(sheet.draft);
      sheet.draft = next;
      sheet.at = Math.min(sheet.at, next.drawings.length - 1);
      changed();
      return true;
    },
  };
}
