// @ts-check
// The puzzle itself: boards, moves, goals, parity and notation. Nothing here knows of the page.

/** @typedef {'U' | 'R' | 'D' | 'L'} Direction Direction in which a tile moves. */
/** @typedef {'blank-last' | 'blank-first' | 'snail'} GoalName */
/**
 * A board, row by row; 0 is the blank.
 * @typedef {{ readonly rows: number, readonly cols: number, readonly tiles: readonly number[] }} Board
 */
/** @typedef {{ readonly rows: number, readonly cols: number }} Shape */

/** @type {readonly Direction[]} */
export const DIRECTIONS = ['U', 'R', 'D', 'L'];
/** @type {readonly GoalName[]} */
export const GOAL_NAMES = ['blank-last', 'blank-first', 'snail'];
const SIDE_MIN = 2;
/** The page plays, times and shares boards up to this side. */
export const SIDE_MAX = 10;
/** The solver takes boards up to this size. */
export const SOLVER_CELLS_MAX = 64;
/** Possible numbers of rows and columns. */
export const SIDES = Array.from({ length: SIDE_MAX - SIDE_MIN + 1 }, (_, at) => String(SIDE_MIN + at));
/** Directions of the arrow keys. @type {Readonly<Record<string, Direction>>} */
export const ARROWS = { ArrowUp: 'U', ArrowRight: 'R', ArrowDown: 'D', ArrowLeft: 'L' };

/**
 * Step of a tile in each direction: rows and columns.
 * @type {Readonly<Record<Direction, readonly [number, number]>>}
 */
export const STEPS = { U: [-1, 0], R: [0, 1], D: [1, 0], L: [0, -1] };

/** @type {Readonly<Record<Direction, Direction>>} */
const OPPOSITE = { U: 'D', R: 'L', D: 'U', L: 'R' };

/** @type {Readonly<Record<Direction, string>>} */
export const DIRECTION_WORDS = { U: 'up', R: 'right', D: 'down', L: 'left' };

/** @param {Direction} direction */
export function inverse(direction) {
  return OPPOSITE[direction];
}

/** Returns whether the solver takes boards of this size. @param {Shape} shape */
export function isForSolver({ rows, cols }) {
  return rows * cols <= SOLVER_CELLS_MAX;
}

/** Throws an error for readers if the solver takes no boards of this size. @param {Shape} shape */
export function assertForSolver(shape) {
  const { rows, cols } = shape;
  if (!isForSolver(shape)) throw new Error(`The solver takes boards of at most ${SOLVER_CELLS_MAX} cells, and one of ${rows} rows and ${cols} columns has ${rows * cols}.`);
}

/** @param {Board} board */
export function blankOf(board) {
  return board.tiles.indexOf(0);
}

/**
 * Returns the cell of the tile that can move in a direction, -1 if none.
 * @param {Board} board @param {Direction} direction
 */
export function cellOf(board, direction) {
  return cellBeside(board, blankOf(board), OPPOSITE[direction]);
}

/** Returns the cell beside a cell, -1 beyond the edge. @param {Shape} shape @param {number} cell @param {Direction} direction */
export function cellBeside({ rows, cols }, cell, direction) {
  const [down, right] = STEPS[direction];
  const [row, col] = [Math.floor(cell / cols) + down, (cell % cols) + right];
  return row >= 0 && row < rows && col >= 0 && col < cols ? row * cols + col : -1;
}

/** Returns the number of rows and columns between two cells. @param {Shape} shape @param {number} a @param {number} b */
export function stepsBetween({ cols }, a, b) {
  return Math.abs(Math.floor(a / cols) - Math.floor(b / cols)) + Math.abs((a % cols) - (b % cols));
}

/** Returns the sum of the tiles' distances from their homes. @param {Board} board @param {Board} goal */
export function manhattan(board, goal) {
  return board.tiles.reduce((sum, tile, cell) => (tile === 0 ? sum : sum + stepsBetween(board, cell, goal.tiles.indexOf(tile))), 0);
}

/** Names a cell: `row 1 column 2`. @param {Shape} shape @param {number} cell */
export function cellName({ cols }, cell) {
  return `row ${Math.floor(cell / cols) + 1} column ${(cell % cols) + 1}`;
}

/**
 * Returns the tile that can move in a direction, 0 if none.
 * @param {Board} board @param {Direction} direction
 */
export function tileOf(board, direction) {
  const cell = cellOf(board, direction);
  return cell < 0 ? 0 : board.tiles[cell];
}

/** @param {Board} board @returns {Direction[]} */
export function legal(board) {
  return DIRECTIONS.filter((direction) => cellOf(board, direction) >= 0);
}

/**
 * Returns the board after a move, null if no tile can move in this direction.
 * @param {Board} board @param {Direction} direction @returns {Board | null}
 */
export function apply(board, direction) {
  const cell = cellOf(board, direction);
  if (cell < 0) return null;
  const tiles = [...board.tiles];
  tiles[blankOf(board)] = tiles[cell];
  tiles[cell] = 0;
  return { rows: board.rows, cols: board.cols, tiles };
}

/**
 * Returns the moves of a press on a cell: the tile nearest to the blank moves first, the pressed one last. Empty if
 * the cell is in neither the row nor the column of the blank.
 * @param {Board} board @param {number} cell @returns {Direction[]}
 */
export function slidesTo(board, cell) {
  const blank = blankOf(board);
  const rows = Math.floor(blank / board.cols) - Math.floor(cell / board.cols);
  const cols = (blank % board.cols) - (cell % board.cols);
  if ((rows === 0) === (cols === 0)) return [];
  /** @type {Direction} */
  const direction = rows > 0 ? 'D' : rows < 0 ? 'U' : cols > 0 ? 'R' : 'L';
  return Array.from({ length: Math.abs(rows + cols) }, () => direction);
}

/** @param {Board} a @param {Board} b */
export function equal(a, b) {
  return isSameShape(a, b) && a.tiles.every((tile, at) => tile === b.tiles[at]);
}

/** @param {Shape} a @param {Shape} b */
export function isSameShape(a, b) {
  return a.rows === b.rows && a.cols === b.cols;
}

/**
 * Returns whether a name is that of a preset goal.
 * @param {string} name @returns {name is GoalName}
 */
export function isGoalName(name) {
  return GOAL_NAMES.some((known) => known === name);
}

/**
 * Returns a preset goal. Other names give `blank-last`.
 * @param {string} name @param {number} rows @param {number} cols @returns {Board}
 */
export function goalOf(name, rows, cols) {
  const count = rows * cols;
  if (name === 'snail') return snail(rows, cols);
  const first = name === 'blank-first' ? 0 : 1;
  return { rows, cols, tiles: Array.from({ length: count }, (_, at) => (at + first) % count) };
}

/**
 * Returns the goal along a spiral: clockwise from the top left inwards, with the blank at its end.
 * @param {number} rows @param {number} cols @returns {Board}
 */
function snail(rows, cols) {
  const count = rows * cols;
  /** @type {number[]} */
  const tiles = new Array(count).fill(-1);
  let [row, col, down, right] = [0, 0, 0, 1];
  for (let step = 1; step <= count; step += 1) {
    tiles[row * cols + col] = step % count;
    const isBlocked = row + down < 0 || row + down >= rows || col + right < 0 || col + right >= cols
      || tiles[(row + down) * cols + col + right] >= 0;
    if (isBlocked) [down, right] = [right, -down];
    row += down;
    col += right;
  }
  return { rows, cols, tiles };
}

/**
 * Returns whether moves lead from a board to a goal: whether the number of exchanges that bring all pieces home and the
 * distance of the blank are both even or both odd.
 * @param {Board} board @param {Board} goal
 */
export function isSolvable(board, goal) {
  const tiles = [...board.tiles];
  let exchanges = 0;
  goal.tiles.forEach((piece, home) => {
    if (tiles[home] === piece) return;
    [tiles[tiles.indexOf(piece)], tiles[home]] = [tiles[home], piece];
    exchanges += 1;
  });
  return (exchanges + stepsBetween(board, blankOf(board), blankOf(goal))) % 2 === 0;
}

/**
 * Returns a random solvable board, uniformly distributed.
 * @param {Board} goal @param {() => number} [random] @returns {Board}
 */
export function shuffled(goal, random = Math.random) {
  const tiles = [...goal.tiles];
  for (let at = tiles.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [tiles[at], tiles[other]] = [tiles[other], tiles[at]];
  }
  const board = { rows: goal.rows, cols: goal.cols, tiles };
  return isSolvable(board, goal) ? board : exchanged(board, 1, 2);
}

/**
 * Returns a board with two pieces exchanged.
 * @param {Board} board @param {number} a @param {number} b @returns {Board}
 */
export function exchanged(board, a, b) {
  const tiles = board.tiles.map((tile) => (tile === a ? b : tile === b ? a : tile));
  return { rows: board.rows, cols: board.cols, tiles };
}

/** @param {Board} board @param {string} between @param {string} rowsBetween */
function written(board, between, rowsBetween) {
  return rowsOf(board, board.tiles).map((row) => row.join(between)).join(rowsBetween);
}

/** Parts what stands in the cells of a board into its rows. @template T @param {Shape} shape @param {readonly T[]} cells */
export function rowsOf({ rows, cols }, cells) {
  return Array.from({ length: rows }, (_, row) => cells.slice(row * cols, (row + 1) * cols));
}

/** Formats a board: `1 2 3/4 5 6/7 8 0`. @param {Board} board */
export function format(board) {
  return written(board, ' ', '/');
}

/** Formats a board for an address, without characters to encode: `1,2,3/4,5,6/7,8,0`. @param {Board} board */
export function compact(board) {
  return written(board, ',', '/');
}

/** @param {Shape} shape */
export function shapeOf(shape) {
  return `${shape.rows}x${shape.cols}`;
}

/**
 * Reads a board in a common notation: rows between `/`, `|`, `;` or line ends, cells between
 * spaces or commas; JSON; one character per cell. The server reads more notations.
 * @param {string} text @returns {Board}
 */
export function parse(text) {
  const trimmed = text.trim();
  if (trimmed === '') throw new Error('The text is empty: type the tiles row by row, 0 for the blank.');
  const lines = rowTexts(trimmed).map(cellsOf);
  const rows = lines.length === 1 ? squareRows(lines[0]) : lines;
  return checked(rows);
}

/** @param {string} text */
function rowTexts(text) {
  const plain = text.startsWith('[') ? text.replace(/\]\s*,\s*\[/g, '/').replace(/[[\]]/g, '') : text;
  return plain.split(/[/|;\n]+/).map((row) => row.trim()).filter((row) => row !== '');
}

/** @param {string} row @returns {number[]} */
function cellsOf(row) {
  const isRun = /^[0-9a-z._]+$/i.test(row) && row.length > 2;
  return (isRun ? [...row] : row.split(/[\s,]+/).filter((cell) => cell !== '')).map(tileFrom);
}

/** @param {string} cell */
function tileFrom(cell) {
  if (cell === '.' || cell === '_') return 0;
  if (/^\d+$/.test(cell)) return Number(cell);
  if (/^[a-z]$/i.test(cell)) return parseInt(cell, 36);
  throw new Error(`“${cell}” is not a tile: write numbers, and 0 for the blank.`);
}

/** @param {number[]} cells @returns {number[][]} */
function squareRows(cells) {
  const side = Math.round(Math.sqrt(cells.length));
  if (side * side !== cells.length) {
    throw new Error(`There are ${cells.length} cells, which fill no square board: write / between the rows, as in 1 2 3/4 5 0.`);
  }
  return rowsOf({ rows: side, cols: side }, cells);
}

/** @param {number[][]} lines @returns {Board} */
function checked(lines) {
  const [rows, cols] = [lines.length, lines[0].length];
  if (lines.some((line) => line.length !== cols)) throw new Error('The rows have different lengths: write the same number of cells in each.');
  if ([rows, cols].some((side) => side < SIDE_MIN || side > SIDE_MAX)) {
    throw new Error(`The board has ${rows} rows and ${cols} columns: each must be from ${SIDE_MIN} to ${SIDE_MAX}.`);
  }
  const tiles = lines.flat();
  const missing = tiles.findIndex((_, tile) => !tiles.includes(tile));
  if (missing >= 0) {
    const name = missing === 0 ? 'The blank' : `Tile ${missing}`;
    throw new Error(`${name} is missing: a board of ${tiles.length} cells has 0 to ${tiles.length - 1}, each once.`);
  }
  return { rows, cols, tiles };
}

/**
 * Writes moves as letters, which name the direction of the tile or of the blank.
 * @param {readonly Direction[]} directions @param {'tile' | 'blank'} [naming]
 */
export function lettersOf(directions, naming = 'tile') {
  return directions.map((direction) => (naming === 'tile' ? direction : inverse(direction))).join('');
}

/** Returns the number of slides of moves: a line of tiles, or a tile again and again, in one direction is one. @param {readonly Direction[] | string} moves */
export function slidesOf(moves) {
  return [...moves].filter((direction, at) => direction !== moves[at - 1]).length;
}

/** Writes moves as letters with counts: `D R2 U`. @param {readonly Direction[]} directions @param {'tile' | 'blank'} [naming] */
export function countedLetters(directions, naming) {
  return (lettersOf(directions, naming).match(/(.)\1*/g) ?? []).map((run) => `${run[0]}${run.length > 1 ? run.length : ''}`).join(' ');
}

/**
 * Reads moves, such as `LDRU`, `l d r u` and `L2 D3`.
 * @param {string} text @param {'tile' | 'blank'} [naming] @returns {Direction[]}
 */
export function directionsOf(text, naming = 'tile') {
  const letters = text.toUpperCase().replace(/\s+/g, '');
  if (!/^([URDL]\d*)*$/.test(letters)) throw new Error('Moves are the letters U, R, D and L.');
  return [...letters.matchAll(/([URDL])(\d*)/g)].flatMap(([, letter, count]) => {
    const direction = /** @type {Direction} */ (letter);
    const named = naming === 'tile' ? direction : inverse(direction);
    return Array.from({ length: count === '' ? 1 : Number(count) }, () => named);
  });
}

/**
 * Returns the board after several moves. Throws at an impossible one.
 * @param {Board} board @param {readonly Direction[]} directions @returns {Board}
 */
export function applyAll(board, directions) {
  return directions.reduce((now, direction, at) => {
    const next = apply(now, direction);
    if (next === null) throw new Error(`Move ${at + 1}, ${direction}, is impossible.`);
    return next;
  }, board);
}

/** Returns the board before the first move and after each move. @param {Board} start @param {readonly Direction[]} moves */
export function boardsOf(start, moves) {
  const boards = [start];
  for (const move of moves) boards.push(applyAll(boards[boards.length - 1], [move]));
  return boards;
}

/** Returns the tiles that moves move. @param {Board} start @param {readonly Direction[]} moves */
export function tilesOf(start, moves) {
  const boards = boardsOf(start, moves);
  return moves.map((move, at) => tileOf(boards[at], move));
}
