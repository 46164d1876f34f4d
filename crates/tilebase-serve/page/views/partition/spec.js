// @ts-check
// Drawn specs: patterns, symmetry and TOML. This module does not use the page.

import { DIRECTIONS, blankOf, cellBeside, equal, isSameShape, rowsOf } from '../../board.js';
import { letterOf } from '../../colours.js';

/** @typedef {import('../../board.js').Board} Board */
/** @typedef {'additive' | 'plain'} Kind */
/** @typedef {'aware' | 'collapsed'} Blank */
/**
 * Pattern of the tile at home in each cell, counted from 0; -1 for none.
 * @typedef {readonly number[]} Drawing
 */
/**
 * Spec that may be incomplete. Drafts are immutable: each stroke makes a new one.
 * @typedef {object} Draft
 * @property {string | null} title null: derived from the patterns
 * @property {Board} goal
 * @property {Kind} kind
 * @property {readonly Drawing[]} drawings
 * @property {Blank} blank of an additive spec
 * @property {boolean} reflect whether mirror images are looked up
 */
/** @typedef {{ rows: number, cols: number, cells: readonly number[] }} Symmetry image of each cell */
/** @typedef {{ drawing: number, pattern: number }} PatternName */
/** @typedef {{ file: string, patterns: PatternName[] }} SharedTable */

export const NONE = -1;
export const PATTERNS_MAX = 26;
/** Largest number of partitions that a search looks up, with mirror images. */
export const PARTITIONS_MAX = 8;

/** @param {Board} goal @returns {Drawing} */
export function emptyDrawing(goal) {
  return goal.tiles.map(() => NONE);
}

/**
 * Returns the home cells of each pattern, by its number; empty for letters without tiles.
 * @param {Drawing} drawing @returns {number[][]}
 */
export function patternsOf(drawing) {
  /** @type {number[][]} */
  const patterns = [];
  drawing.forEach((pattern, cell) => {
    if (pattern === NONE) return;
    while (patterns.length <= pattern) patterns.push([]);
    patterns[pattern].push(cell);
  });
  return patterns;
}

/** Returns the number of tiles without a pattern. @param {Drawing} drawing */
export function missingCount(drawing) {
  return drawing.filter((pattern) => pattern === NONE).length - 1;
}

/** Returns the reason why a draft is incomplete, null if it is complete. @param {Draft} draft @returns {string | null} */
export function lackOf(draft) {
  const which = (/** @type {number} */ at) => (draft.drawings.length > 1 ? ` of drawing ${at + 1}` : '');
  for (const [at, drawing] of draft.drawings.entries()) {
    const missing = missingCount(drawing);
    if (draft.kind === 'additive' && missing > 0) {
      const tiles = missing === 1 ? '1 tile is' : `${missing} tiles are`;
      return `${tiles} in no pattern yet${which(at)}. A partition covers every tile.`;
    }
    if (patternsOf(drawing).length === 0) return `No tile is in a pattern yet${which(at)}. Paint at least one.`;
  }
  return null;
}

// --- Symmetry ---

/** Returns the eight reflections and rotations. Four of them transpose the shape. @param {number} rows @param {number} cols @returns {Symmetry[]} */
function symmetries(rows, cols) {
  return [0, 1, 2, 3, 4, 5, 6, 7].map((code) => {
    const isTransposed = (code & 4) !== 0;
    const cells = Array.from({ length: rows * cols }, (_, cell) => {
      const row = code & 1 ? rows - 1 - Math.floor(cell / cols) : Math.floor(cell / cols);
      const col = code & 2 ? cols - 1 - (cell % cols) : cell % cols;
      return isTransposed ? col * rows + row : row * cols + col;
    });
    return { rows: isTransposed ? cols : rows, cols: isTransposed ? rows : cols, cells };
  });
}

/** Returns the image of a drawing under a symmetry. @param {Drawing} drawing @param {Symmetry} symmetry @returns {Drawing} */
function imageOf(drawing, symmetry) {
  const image = drawing.map(() => NONE);
  drawing.forEach((pattern, cell) => { image[symmetry.cells[cell]] = pattern; });
  return image;
}

/** Returns the symmetries, except the identity, that fix the blank's home. @param {Board} goal */
export function mirrorsOf(goal) {
  const blank = blankOf(goal);
  return symmetries(goal.rows, goal.cols).slice(1)
    .filter((s) => s.rows === goal.rows && s.cells[blank] === blank);
}

/**
 * Returns the mirror images that differ from the drawings and from each other.
 * @param {Draft} draft @returns {{ of: number, drawing: Drawing }[]}
 */
export function mirrorImagesOf(draft) {
  if (!draft.reflect) return [];
  const seen = new Set(draft.drawings.map(signature));
  /** @type {{ of: number, drawing: Drawing }[]} */
  const images = [];
  for (const mirror of mirrorsOf(draft.goal)) {
    for (const [of, drawn] of draft.drawings.entries()) {
      const drawing = imageOf(drawn, mirror);
      const text = signature(drawing);
      if (!seen.has(text)) images.push({ of, drawing });
      seen.add(text);
    }
  }
  return images;
}

/** Returns a key that is equal for drawings that differ only in letters. @param {Drawing} drawing */
function signature(drawing) {
  return patternsOf(drawing).filter((cells) => cells.length > 0).map((cells) => cells.join(' ')).sort().join('/');
}

/**
 * Maps drawings to another goal by a symmetry that maps the blank, which keeps the tables. Null if there is no such
 * symmetry.
 * @param {readonly Drawing[]} drawings @param {Board} from @param {Board} to @returns {Drawing[] | null}
 */
export function adapted(drawings, from, to) {
  const fits = (/** @type {Symmetry} */ s) =>
    isSameShape(s, to) && s.cells[blankOf(from)] === blankOf(to);
  const symmetry = symmetries(from.rows, from.cols).find(fits);
  return symmetry ? drawings.map((drawing) => imageOf(drawing, symmetry)) : null;
}

// --- Tables ---

/**
 * Returns the tables of a draft, by file name. The server knows which patterns share one.
 * @param {Draft} draft @param {Listing} listing that of the draft @returns {SharedTable[]}
 */
export function sharedTables(draft, listing) {
  const tables = listing.tables.map(({ file }) => ({ file, patterns: /** @type {PatternName[]} */ ([]) }));
  draft.drawings.forEach((drawn, drawing) => {
    // The letters of the server have no gaps.
    const used = patternsOf(drawn).flatMap((homes, pattern) => (homes.length > 0 ? [pattern] : []));
    listing.drawings[drawing]?.tables.forEach((table, at) => tables[table].patterns.push({ drawing, pattern: used[at] }));
  });
  return tables.filter(({ patterns }) => patterns.length > 0);
}

/** @param {{ rows: number, cols: number }} shape @param {number} cell */
export function neighboursOf(shape, cell) {
  return DIRECTIONS.map((direction) => cellBeside(shape, cell, direction)).filter((next) => next >= 0);
}

/**
 * Returns what a drawing shows of the quality of a partition: whether the tiles beside the blank's home share a
 * pattern, and the number of adjacent pairs that do.
 * @param {Board} goal @param {Drawing} drawing
 */
export function shapeOf(goal, drawing) {
  const blank = blankOf(goal);
  const beside = neighboursOf(goal, blank);
  const [first, ...others] = beside.map((cell) => drawing[cell]);
  const isTogether = first !== NONE && others.every((pattern) => pattern === first);
  let pairs = 0;
  let kept = 0;
  drawing.forEach((pattern, cell) => {
    for (const next of neighboursOf(goal, cell)) {
      if (next < cell || cell === blank || next === blank) continue;
      pairs += 1;
      if (pattern !== NONE && pattern === drawing[next]) kept += 1;
    }
  });
  return { beside: beside.map((cell) => goal.tiles[cell]).sort((a, b) => a - b), isTogether, pairs, kept };
}

/** Returns the mean Manhattan distance of a pattern's tiles over all cells. @param {Board} goal @param {readonly number[]} homes */
export function meanManhattan({ rows, cols }, homes) {
  const mean = (/** @type {number} */ home, /** @type {number} */ length) => (home * (home + 1) + (length - home) * (length - home - 1)) / (2 * length);
  return homes.reduce((sum, home) => sum + mean(Math.floor(home / cols), rows) + mean(home % cols, cols), 0);
}

// --- Words and text ---

/** Returns the sizes of the patterns: `5-5-5`. @param {Drawing} drawing */
export function sizesOf(drawing) {
  return patternsOf(drawing).map((cells) => cells.length).filter((size) => size > 0).join('-');
}

/** @param {Draft} draft */
export function titleOf(draft) {
  if (draft.title !== null) return draft.title;
  const puzzle = `${draft.goal.tiles.length - 1}-puzzle of ${draft.goal.rows}x${draft.goal.cols}`;
  if (draft.kind === 'plain') {
    return `${puzzle}, plain patterns of ${draft.drawings.map(sizesOf).join(' and ')} tiles`;
  }
  const [first, ...more] = draft.drawings.map(sizesOf);
  const mode = draft.blank === 'collapsed' ? ', blank-collapsed' : '';
  if (more.length > 0) return `${puzzle}, the maximum of ${[first, ...more].join(' and ')}${mode}`;
  return `${puzzle}, ${first} partition${mode}`;
}

/** @param {Draft} draft */
export function toToml(draft) {
  const { goal, kind, drawings } = draft;
  const drawn = drawings.map((drawing) => blockOf(goal, lettersOf(goal, drawing)));
  const name = kind === 'plain' ? 'pattern' : 'partition';
  const width = String(goal.tiles.length - 1).length;
  const tiles = goal.tiles.map((tile) => (tile === 0 ? '.' : String(tile)).padStart(width));
  const lines = [`title = ${quoted(titleOf(draft))}`];
  if (kind === 'plain') lines.push('kind = "plain"');
  lines.push(`goal = ${blockOf(goal, tiles)}`);
  lines.push(drawn.length === 1 ? `${name} = ${drawn[0]}` : `${name}s = [${drawn.join(', ')}]`);
  if (kind === 'additive') lines.push(`blank = "${draft.blank}"`);
  if (!draft.reflect && mirrorsOf(goal).length > 0) lines.push('reflect = false');
  return `${lines.join('\n')}\n`;
}

/** Returns the letters of a spec: from A on, without gaps. @param {Board} goal @param {Drawing} drawing */
function lettersOf(goal, drawing) {
  const used = patternsOf(drawing).flatMap((cells, pattern) => (cells.length > 0 ? [pattern] : []));
  return drawing.map((pattern, cell) => {
    if (goal.tiles[cell] === 0) return '.';
    return pattern === NONE ? '-' : letterOf(used.indexOf(pattern));
  });
}

/** @param {Board} goal @param {readonly string[]} words */
function blockOf(goal, words) {
  return `"""\n${rowsOf(goal, words).map((row) => row.join(' ')).join('\n')}\n"""`;
}

/** @param {string} text */
function quoted(text) {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`;
}

/**
 * Reads a drawing of the server, in letters: `a a b/a b .`.
 * @param {string} text @returns {Drawing}
 */
function readDrawing(text) {
  return text.trim().split(/[\s/]+/).map((word) =>
    (/^[A-Za-z]$/.test(word) ? word.toUpperCase().charCodeAt(0) - 65 : NONE));
}

/**
 * Reads a board of the server, of any shape.
 * @param {string} text @returns {Board}
 */
export function readGoal(text) {
  const rows = text.trim().split('/').map((row) => row.trim().split(/[\s,]+/).map(Number));
  return { rows: rows.length, cols: rows[0].length, tiles: rows.flat() };
}

/** @typedef {{ name: string, title: string, kind: string, blank: string | null, goal: string, built: string, file_bytes: number, drawings: { tile_counts: number[], board: string, tables: number[] }[], tables: { file: string }[], mirror_image_count: number }} Listing spec in the server's list */

/**
 * Returns the draft of a listed spec: for a goal if a symmetry allows it, otherwise for the spec's own goal. Null for
 * a spec without patterns.
 * @param {Listing} listing @param {Board} goal @returns {Draft | null}
 */
export function draftOf(listing, goal) {
  if (listing.drawings.length === 0) return null;
  const own = readGoal(listing.goal);
  const drawings = listing.drawings.map(({ board }) => readDrawing(board));
  const fitting = adapted(drawings, own, goal);
  /** @type {Draft} */
  const draft = {
    title: null, goal: fitting ? goal : own, drawings: fitting ?? drawings, reflect: true,
    kind: listing.kind === 'plain' ? 'plain' : 'additive', blank: listing.blank === 'collapsed' ? 'collapsed' : 'aware',
  };
  // A drawing that is its own mirror image has none either way.
  return { ...draft, reflect: listing.mirror_image_count > 0 || mirrorImagesOf(draft).length === 0 };
}

/**
 * Returns whether two drafts give the same estimates: mirror images and letters make no difference.
 * @param {Draft | null} a @param {Draft | null} b null for a spec without patterns
 */
export function isAlike(a, b) {
  if (a === null || b === null) return false;
  return a.kind === b.kind && a.blank === b.blank && equal(a.goal, b.goal) && lookUps(a) === lookUps(b);
}

/** @param {Draft} draft */
function lookUps(draft) {
  const images = mirrorImagesOf(draft).map(({ drawing }) => drawing);
  return [...draft.drawings, ...images].map(signature).sort().join('|');
}
