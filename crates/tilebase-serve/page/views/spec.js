// @ts-check
// Specs as people draw them: patterns, symmetry and TOML. Nothing here knows of the page.

/** @typedef {import('../board.js').Board} Board */
/** @typedef {'additive' | 'plain'} Kind */
/** @typedef {'aware' | 'collapsed'} Blank */
/**
 * Which pattern the tile at home in each cell is in, counted from 0; -1 where there is none.
 * @typedef {readonly number[]} Drawing
 */
/**
 * What is drawn, complete or not. Drafts are never changed: each stroke makes another.
 * @typedef {object} Draft
 * @property {string | null} title null: named after its patterns
 * @property {Board} goal
 * @property {Kind} kind
 * @property {readonly Drawing[]} drawings
 * @property {Blank} blank of an additive spec
 * @property {boolean} reflect whether mirror images are looked up, where there are any
 */
/** @typedef {{ rows: number, cols: number, cells: readonly number[] }} Symmetry where each cell goes */
/** @typedef {{ drawing: number, pattern: number }} PatternName */
/** @typedef {{ file: string, patterns: PatternName[] }} SharedTable */

export const NONE = -1;
export const PATTERNS_MAX = 26;
/** What is looked up at most, mirror images included. */
export const PARTITIONS_MAX = 8;

/** @param {number} pattern */
export function letterOf(pattern) {
  return String.fromCharCode(65 + pattern);
}

/** @param {Board} goal */
export function blankCell(goal) {
  return goal.tiles.indexOf(0);
}

/** @param {Board} goal @returns {Drawing} */
export function emptyDrawing(goal) {
  return goal.tiles.map(() => NONE);
}

/** Runs of at most six tiles, to and fro through the rows. @param {Board} goal @returns {Drawing} */
export function simpleDrawing(goal) {
  const drawing = [...emptyDrawing(goal)];
  const count = Math.ceil((goal.tiles.length - 1) / 6);
  const size = Math.ceil((goal.tiles.length - 1) / count);
  let placed = 0;
  for (const cell of toAndFro(goal)) {
    if (goal.tiles[cell] === 0) continue;
    drawing[cell] = Math.floor(placed / size);
    placed += 1;
  }
  return drawing;
}

/** @param {Board} goal */
function toAndFro(goal) {
  return goal.tiles.map((_, at) => {
    const row = Math.floor(at / goal.cols);
    const col = at % goal.cols;
    return row * goal.cols + (row % 2 === 0 ? col : goal.cols - 1 - col);
  });
}

/**
 * Home cells of each pattern, by its number; empty where a letter is not drawn.
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

/** Number of tiles that no pattern has. @param {Draft} draft @param {Drawing} drawing */
export function missingCount(draft, drawing) {
  return drawing.filter((pattern) => pattern === NONE).length - 1;
}

/** Why a draft is no spec yet, or null. @param {Draft} draft @returns {string | null} */
export function lackOf(draft) {
  const which = (/** @type {number} */ at) => (draft.drawings.length > 1 ? ` of drawing ${at + 1}` : '');
  for (const [at, drawing] of draft.drawings.entries()) {
    const missing = missingCount(draft, drawing);
    if (draft.kind === 'additive' && missing > 0) {
      const tiles = missing === 1 ? '1 tile is' : `${missing} tiles are`;
      return `${tiles} in no pattern yet${which(at)}. A partition covers every tile.`;
    }
    if (patternsOf(drawing).length === 0) return `No tile is in a pattern yet${which(at)}. Paint at least one.`;
  }
  return null;
}

// --- Symmetry ---

/** The eight reflections and rotations; four lead to the transposed shape. @param {number} rows @param {number} cols @returns {Symmetry[]} */
export function symmetries(rows, cols) {
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

/** Where a drawing's patterns go. @param {Drawing} drawing @param {Symmetry} symmetry @returns {Drawing} */
export function imageOf(drawing, symmetry) {
  const image = drawing.map(() => NONE);
  drawing.forEach((pattern, cell) => { image[symmetry.cells[cell]] = pattern; });
  return image;
}

/** Symmetries, but for the identity, that leave the blank's home in place. @param {Board} goal */
export function mirrorsOf(goal) {
  const blank = blankCell(goal);
  return symmetries(goal.rows, goal.cols).slice(1)
    .filter((s) => s.rows === goal.rows && s.cells[blank] === blank);
}

/**
 * Mirror images of the drawings that say something new.
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

/** The same for drawings that differ in letters alone. @param {Drawing} drawing */
function signature(drawing) {
  return patternsOf(drawing).filter((cells) => cells.length > 0).map((cells) => cells.join(' ')).sort().join('/');
}

/**
 * Drawings for another goal, whose blank a symmetry leads to: their tables are the same. Null where
 * there is no such symmetry.
 * @param {readonly Drawing[]} drawings @param {Board} from @param {Board} to @returns {Drawing[] | null}
 */
export function adapted(drawings, from, to) {
  const fits = (/** @type {Symmetry} */ s) =>
    s.rows === to.rows && s.cols === to.cols && s.cells[blankCell(from)] === blankCell(to);
  const symmetry = symmetries(from.rows, from.cols).find(fits);
  return symmetry ? drawings.map((drawing) => imageOf(drawing, symmetry)) : null;
}

// --- Tables ---

/**
 * The tables of a draft, by the names of their files. Patterns that a symmetry maps onto each other,
 * together with the region of the blank at the goal, share one.
 * @param {Draft} draft @returns {SharedTable[]}
 */
export function sharedTables(draft) {
  /** @type {Map<string, SharedTable>} */
  const tables = new Map();
  draft.drawings.forEach((drawn, drawing) => {
    patternsOf(drawn).forEach((homes, pattern) => {
      if (homes.length === 0) return;
      const file = fileOf(draft, homes);
      const table = tables.get(file) ?? { file, patterns: [] };
      table.patterns.push({ drawing, pattern });
      tables.set(file, table);
    });
  });
  return [...tables.values()];
}

/** @param {Draft} draft @param {readonly number[]} homes */
function fileOf(draft, homes) {
  const { rows, cols } = draft.goal;
  const mode = draft.kind === 'plain' ? 'plain' : draft.blank;
  const region = mode === 'plain' ? [blankCell(draft.goal)] : regionOf(draft.goal, new Set(homes));
  const key = symmetries(rows, cols).map((symmetry) => keyUnder(symmetry, homes, region)).reduce(wider);
  const digits = key.mask.toString(16).padStart(Math.ceil((rows * cols) / 4), '0');
  return `${key.rows}x${key.cols}-${digits}-r${key.region}-${mode}.pdb`;
}

/** @typedef {{ rows: number, cols: number, mask: bigint, region: number }} Key */

/** @param {Symmetry} symmetry @param {readonly number[]} homes @param {readonly number[]} region @returns {Key} */
function keyUnder({ rows, cols, cells }, homes, region) {
  const mask = homes.reduce((bits, cell) => bits | (1n << BigInt(cells[cell])), 0n);
  return { rows, cols, mask, region: Math.min(...region.map((cell) => cells[cell])) };
}

/** The image that has a table: most columns, then largest region, then largest cells. @param {Key} a @param {Key} b */
function wider(a, b) {
  const order = a.cols - b.cols || a.region - b.region || (a.mask > b.mask ? 1 : -1);
  return order >= 0 ? a : b;
}

/** Cells that the blank reaches from its home. @param {Board} goal @param {Set<number>} homes */
function regionOf(goal, homes) {
  const region = [blankCell(goal)];
  for (const cell of region) {
    for (const next of neighboursOf(goal, cell)) {
      if (!homes.has(next) && !region.includes(next)) region.push(next);
    }
  }
  return region;
}

/** @param {{ rows: number, cols: number }} shape @param {number} cell */
export function neighboursOf({ rows, cols }, cell) {
  const row = Math.floor(cell / cols);
  const col = cell % cols;
  return [
    row > 0 ? cell - cols : NONE, col + 1 < cols ? cell + 1 : NONE,
    row + 1 < rows ? cell + cols : NONE, col > 0 ? cell - 1 : NONE,
  ].filter((next) => next !== NONE);
}

/**
 * What can be seen of a partition before any table: whether the tiles beside the blank's home are
 * together, and pairs of neighbours that are.
 * @param {Board} goal @param {Drawing} drawing
 */
export function shapeOf(goal, drawing) {
  const blank = blankCell(goal);
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

/** Mean Manhattan distance of tiles with these homes over all cells. @param {string} file a table's name */
export function meanManhattan(file) {
  const match = /^(\d+)x(\d+)-([0-9a-f]+)-/.exec(file);
  if (match === null) return null;
  const [rows, cols] = [Number(match[1]), Number(match[2])];
  const mask = BigInt(`0x${match[3]}`);
  const mean = (/** @type {number} */ home, /** @type {number} */ length) => {
    let sum = 0;
    for (let at = 0; at < length; at += 1) sum += Math.abs(at - home);
    return sum / length;
  };
  let total = 0;
  for (let cell = 0; cell < rows * cols; cell += 1) {
    if ((mask >> BigInt(cell)) & 1n) total += mean(Math.floor(cell / cols), rows) + mean(cell % cols, cols);
  }
  return total;
}

// --- Words and text ---

/** `5-5-5` @param {Drawing} drawing */
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
  const drawn = drawings.map((drawing) => rowsOf(goal, lettersOf(goal, drawing)));
  const name = kind === 'plain' ? 'pattern' : 'partition';
  const width = String(goal.tiles.length - 1).length;
  const tiles = goal.tiles.map((tile) => (tile === 0 ? '.' : String(tile)).padStart(width));
  const lines = [`title = ${quoted(titleOf(draft))}`];
  if (kind === 'plain') lines.push('kind = "plain"');
  lines.push(`goal = ${rowsOf(goal, tiles)}`);
  lines.push(drawn.length === 1 ? `${name} = ${drawn[0]}` : `${name}s = [${drawn.join(', ')}]`);
  if (kind === 'additive') lines.push(`blank = "${draft.blank}"`);
  if (!draft.reflect && mirrorsOf(goal).length > 0) lines.push('reflect = false');
  return `${lines.join('\n')}\n`;
}

/** Letters from A on without a gap, as a spec wants them. @param {Board} goal @param {Drawing} drawing */
function lettersOf(goal, drawing) {
  const used = patternsOf(drawing).flatMap((cells, pattern) => (cells.length > 0 ? [pattern] : []));
  return drawing.map((pattern, cell) => {
    if (goal.tiles[cell] === 0) return '.';
    return pattern === NONE ? '-' : letterOf(used.indexOf(pattern));
  });
}

/** @param {Board} goal @param {readonly string[]} words */
function rowsOf(goal, words) {
  const rows = Array.from({ length: goal.rows }, (_, row) =>
    words.slice(row * goal.cols, (row + 1) * goal.cols).join(' '));
  return `"""\n${rows.join('\n')}\n"""`;
}

/** @param {string} text */
function quoted(text) {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`;
}

/**
 * Reads what the server says is drawn: `a a b/a b .` in letters.
 * @param {string} text @returns {Drawing}
 */
export function readDrawing(text) {
  return text.trim().split(/[\s/]+/).map((word) =>
    (/^[A-Za-z]$/.test(word) ? word.toUpperCase().charCodeAt(0) - 65 : NONE));
}

/** Whether a spec's text turns mirror images off. The server has read the text before. @param {string} text */
export function refusesMirrors(text) {
  return /^\s*reflect\s*=\s*false/m.test(text);
}

/**
 * Reads a board of any shape, as the server writes it.
 * @param {string} text @returns {Board}
 */
export function readGoal(text) {
  const rows = text.trim().split('/').map((row) => row.trim().split(/[\s,]+/).map(Number));
  return { rows: rows.length, cols: rows[0].length, tiles: rows.flat() };
}

/** @typedef {{ name: string, title: string, kind: string, blank: string | null, goal: string, built: string, file_bytes: number, drawings: { tile_counts: number[], board: string }[], tables: { file: string }[], mirror_image_count: number }} Listing as the server lists a spec */

/**
 * What a listed spec draws, for a goal where that is possible, else for its own. Null for a spec
 * without patterns.
 * @param {Listing} listing @param {Board} goal @param {boolean} [reflect] @returns {Draft | null}
 */
export function draftOf(listing, goal, reflect = true) {
  if (listing.drawings.length === 0) return null;
  const own = readGoal(listing.goal);
  const drawings = listing.drawings.map(({ board }) => readDrawing(board));
  const fitting = adapted(drawings, own, goal);
  return {
    title: null, goal: fitting ? goal : own, drawings: fitting ?? drawings, reflect,
    kind: listing.kind === 'plain' ? 'plain' : 'additive', blank: listing.blank === 'collapsed' ? 'collapsed' : 'aware',
  };
}

/**
 * Whether two drafts look boards up alike: mirror images and letters make no difference.
 * @param {Draft} a @param {Draft} b
 */
export function isAlike(a, b) {
  return a.kind === b.kind && a.blank === b.blank && a.goal.tiles.join() === b.goal.tiles.join() && lookUps(a) === lookUps(b);
}

/** @param {Draft} draft */
function lookUps(draft) {
  const images = mirrorImagesOf(draft).map(({ drawing }) => drawing);
  return [...draft.drawings, ...images].map(signature).sort().join('|');
}
