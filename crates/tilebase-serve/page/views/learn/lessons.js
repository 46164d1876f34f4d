// @ts-check
// The lessons as data. Texts hold for every board. `look` is about the lesson's board, whose goal has the blank last.

/**
 * @typedef {object} Lesson
 * @property {string} id
 * @property {string} title
 * @property {'databases'|'tree'|'all'} [drawn] Contents of the picture. By default, the parts of the heuristic whose name is the lesson's id.
 * @property {string} board The lesson's own board.
 * @property {number} distance Distance of this board.
 * @property {Question} question About the lesson's own board.
 * @property {readonly string[]} text
 * @property {string} why Reason why the estimate is never too large.
 * @property {string} look
 * @property {string} source
 */

/**
 * Question with two wrong answers. Without `right`, the right answer is the estimate of the board, which needs no tables.
 * @typedef {{ text: string, wrong: readonly [string, string], right?: string }} Question
 */

/** The 68th of Korf's hundred boards, for a goal with the blank last. */
const RUNNING = '7 12 1 2/5 10 0 8/14 11 6 4/3 15 13 9';

/** Board with one misplaced tile, but a distance of 19. */
const NEARLY = '1 2 3 0/5 6 7 8/9 10 11 12/13 14 15 4';

/** @type {readonly Lesson[]} */
export const LESSONS = [
  {
    id: 'misplaced',
    title: 'Misplaced tiles',
    board: '5 1 2 3/9 6 7 4/13 10 11 8/14 15 0 12',
    distance: 11,
    question: { text: 'How many tiles are not at home on this board?', wrong: ['9', '15'] },
    text: [
      'How far is a board from its goal? A search asks this millions of times, so the answer must be quick. It need not be exact. It must never be too large.',
      'The simplest answer counts the tiles that are not at home. Such an answer is called an estimate, and the rule behind it a heuristic.',
    ],
    why: 'Each misplaced tile has to move, and a move moves one tile.',
    look: 'Here the count is exact. Eleven tiles are one move from home, and each can move home after the previous one. For most boards the count is too small.',
    source: 'A textbook example since N. J. Nilsson, 1971.',
  },
  {
    id: 'gaschnig',
    title: 'Cycles of jumps',
    board: '2 1 3 4/5 6 7 8/9 10 11 12/13 15 14 0',
    distance: 28,
    question: { text: 'How many jumps bring all tiles home? Count the tiles of each cycle, and one more for each cycle.', wrong: ['4', '8'] },
    text: [
      'Change the rules: any tile may jump into the blank, near or far. How many jumps bring all tiles home?',
      'Follow the arrows. Each leads from a piece to its home. Another piece stands there, and an arrow leads from it to its own home, until you are back where you began. Such a round trip is called a cycle.',
      'If the blank is in the cycle, each tile jumps straight home when its turn comes: one jump for each tile. If the blank is elsewhere, some tile has to jump out of the way first and come back later: one jump more than the cycle has tiles.',
    ],
    why: 'Every move of the puzzle is also a jump into the blank. A shortest way by jumps is never longer.',
    look: 'Two pairs have changed places. Misplaced tiles say 4, the cycles say 6, because two tiles cannot simply be exchanged. The distance is 28 moves.',
    source: 'J. Gaschnig, 1979.',
  },
  {
    id: 'manhattan',
    title: 'Manhattan distance',
    board: '1 13 3 4/5 6 7 11/9 10 8 12/2 14 15 0',
    distance: 36,
    question: { text: 'How many moves do the four tiles need together, if tiles could slide through each other?', wrong: ['8', '36'] },
    text: [
      'A tile moves one cell at a time. So count, for each tile, the rows and columns between it and its home. Add up all tiles.',
      'This would be the exact distance if tiles could slide through each other, like people in the streets of Manhattan.',
    ],
    why: 'A move brings one tile one cell nearer at best.',
    look: 'Four tiles are 4 + 4 + 2 + 2 = 12 cells from home. The board takes 36 moves. The other 24 are needed because tiles block each other.',
    source: 'Origin unknown. R. E. Korf solved random boards with it in 1985.',
  },
  {
    id: 'linear-conflict',
    title: 'Linear conflicts',
    board: '4 3 2 1/5 6 7 8/9 10 11 12/13 14 15 0',
    distance: 30,
    question: { text: 'Manhattan distance is 8 here. What is the estimate together with the conflicts?', wrong: ['10', '20'] },
    text: [
      'Two tiles stand in the row where both have their homes, but in the wrong order. They cannot pass each other there. One has to leave the row and come back.',
      'These are two moves that Manhattan distance does not count. The same holds for columns. In each line, the estimate counts the smallest number of tiles that have to leave, so that the others are in order.',
    ],
    why: 'Moves out of a row go up or down, and Manhattan distance along the row counts only moves to the left and right. So no move is counted twice.',
    look: 'Four tiles stand in reverse, so six pairs are in conflict. Three tiles have to leave, which adds 6 to the 8 of Manhattan distance. The distance is 30 moves.',
    source: 'O. Hansson, A. Mayer and M. Yung, 1992.',
  },
  {
    id: 'corner-tiles',
    title: 'Corner tiles',
    board: '6 2 3 4/5 11 7 8/9 10 1 12/13 14 15 0',
    distance: 26,
    question: { text: 'Manhattan distance is 8 here. What is the estimate together with the corner?', wrong: ['10', '16'] },
    text: [
      'A wrong tile stands in a corner. It leaves through one of the two cells beside it, and the right tile comes in through the other. So the tiles on both cells have to move.',
      'A tile beside the corner that is at home already has to come back, which takes two moves more.',
    ],
    why: 'Tiles that have a conflict are left out, and a tile between two corners counts once.',
    look: '6 stands in the corner of 1. Both 2 and 5 are at home and have to let it out: 4 more than the 8 of Manhattan distance. The distance is 26 moves.',
    source: 'R. E. Korf and L. A. Taylor, 1996.',
  },
  {
    id: 'last-moves',
    title: 'The last moves',
    board: '1 2 3 4/5 7 10 8/9 6 11 12/13 14 15 0',
    distance: 8,
    question: { text: 'Manhattan distance is 4 here. What is the estimate together with the last moves?', wrong: ['5', '6'] },
    text: [
      'Think from the end. The last move brings a tile home from the cell where the blank has its home. So that tile has to be there first. The move before it is just such a move, for another tile.',
      'If the shortest paths of a tile do not pass there, it makes a detour of two moves. A solution may end in several ways; the estimate uses the cheapest one.',
    ],
    why: 'Each solution ends in one of these ways. A detour counts only where no conflict and no corner has counted the tile.',
    look: '12 and 15 are at home, but one of them has to move to the corner and let another tile pass. That adds 4 to Manhattan distance, and 8 is the exact distance.',
    source: 'R. E. Korf and L. A. Taylor, 1996.',
  },
  {
    id: 'inversion',
    title: 'Inversions',
    board: NEARLY,
    distance: 19,
    question: { text: 'Manhattan distance says 3 here. What do the inversions say?', wrong: ['3', '11'] },
    text: [
      'Read the tiles like a text, row by row, without the blank. Two tiles in the wrong order are an inversion. An arc joins them.',
      'A move within a row changes nothing in this text. A move from row to row takes a tile past a few others, and so undoes only a few inversions. That gives the moves up and down. Reading by columns gives the moves to the left and right.',
    ],
    why: 'No move undoes more inversions than the tiles that it passes, and the two readings count different moves.',
    look: 'Only 4 is out of place, but eleven larger tiles come before it. A move undoes at most three inversions: at least 5 moves up or down, and 2 to the side. Manhattan distance says 3.',
    source: 'K. Takahashi, 2001.',
  },
  {
    id: 'walking-distance',
    title: 'Walking Distance',
    board: NEARLY,
    distance: 19,
    question: { text: 'Manhattan distance says 3 here. What does Walking Distance say?', right: '11', wrong: ['5', '19'] },
    text: [
      'Now only count: how many tiles of each home row are in each row, and which row has the blank? Tiles of one home row look alike, and so do the cells of a row.',
      'A move up or down changes these counts a little. The number of such tables is small: a computer can try all of them and store the fewest moves from each. Columns have a table of counts too, and both numbers are added.',
    ],
    why: 'Each move up or down is a move of the counts, and moves to the side are counted separately.',
    look: '4 has to climb three rows that are full of tiles at home. Each tile that it passes has to come back. That takes 11 moves up and down, where Manhattan distance says 3.',
    source: 'K. Takahashi, 2001.',
  },
  {
    id: 'pairwise',
    title: 'Pairs of tiles',
    board: NEARLY,
    distance: 19,
    question: { text: 'Manhattan distance says 3 here. What do the pairs say?', wrong: ['7', '19'] },
    text: [
      'Take two tiles and lift all others off the board. How many moves bring these two home? A small table has the answer for every two tiles on every two cells.',
      'Some pairs need more than their Manhattan distance, because one tile is in the other’s way. A line joins such a pair, and shows the number of extra moves.',
      'May all these moves be added? Only if no tile is used twice. So each tile may be in at most one pair. Such a choice of pairs is called a matching. The estimate uses the matching with the most extra moves.',
    ],
    why: 'Each pair counts only moves of its own two tiles, and no tile is in two pairs.',
    look: '3 and 8 enclose the blank, and 12 and 15 enclose the cell where it has to go. Each of these pairs needs 4 moves more: 11 together, where Manhattan distance says 3.',
    source: 'R. E. Korf and L. A. Taylor, 1996; A. Felner, R. E. Korf and S. Hanan, 2004.',
  },
  {
    id: 'databases',
    title: 'Pattern databases',
    drawn: 'databases',
    board: RUNNING,
    distance: 51,
    question: { text: 'The values of the patterns are added. Why is their sum never too large?', right: 'Each move moves one tile, which is in one pattern only', wrong: ['Small numbers are never too large', 'The tables are rounded down'] },
    text: [
      'Why only two tiles? Divide all tiles into a few patterns, each in its own colour. Each pattern has a table. For every placement of the pattern’s tiles, it holds the fewest moves of these tiles that bring them home. Moves of other tiles are free.',
      'The tables are built once, from the goal backwards. After that, an estimate needs only look-ups. Larger patterns give larger estimates, because they include more tiles that block each other, but their tables grow fast.',
    ],
    why: 'A move belongs to one tile, and so to one pattern. It is counted once, and the values of all patterns may be added.',
    look: 'With two tables, of 7 and 8 tiles, the sum is 43, where Manhattan distance says 31. The distance is 51.',
    source: 'R. E. Korf and A. Felner, 2002.',
  },
  {
    id: 'mirror',
    title: 'Look twice',
    drawn: 'databases',
    board: '4 3 2 1/5 6 7 8/9 10 11 12/13 14 15 0',
    distance: 30,
    question: { text: 'One partition says 24 and another says 26. What does the search use?', right: '26, the larger one', wrong: ['25, the mean', '50, the sum'] },
    text: [
      'Tiles of different patterns may be in each other’s way, and a partition does not count that. Another partition has other patterns, and other tiles in each other’s way. So a search looks up both.',
      'The cheapest second partition is the mirror image along the diagonal. It is looked up in the same tables. Choose another partition below and see how its estimate changes.',
    ],
    why: 'Neither sum is too large, so the larger one is not too large either.',
    look: 'The partition in two halves says 24 here, and its mirror image says 26. The distance is 30.',
    source: 'J. C. Culberson and J. Schaeffer, 1998; R. C. Holte and others, 2006.',
  },
  {
    id: 'search',
    title: 'The search itself: IDA*',
    drawn: 'tree',
    board: '2 4 3/1 5 6/7 0 8',
    distance: 7,
    question: {
      text: 'The estimate of this board is 5, so the search first allows 5 moves. Will that do?', right: 'No, this board needs more', wrong: ['Yes, an estimate is the distance', 'Nobody can know'],
    },
    text: [
      'How does an estimate help to find a solution? Try all moves, then all moves after each of them. This makes a tree of boards, which grows so fast that no computer can search all of it.',
      'So the search sets a bound: the largest number of moves of a solution. Below each board stands a sum: moves made + estimate. If the sum is above the bound, no solution within the bound passes this board, and the search skips everything below it. The board is cut off.',
      'If the goal is not found, the bound grows to the smallest sum that was cut off, and the search begins again. This is called IDA*. The first solution that it finds is a shortest one.',
    ],
    why: 'The estimate is never too large. So a board that is cut off could not have led to a solution within the bound, and no bound before the last one has a solution.',
    look: 'With bound 5, all paths are cut off after two moves. The next bound is 7: the estimate grows or shrinks by 1 with each move, so the sum changes by 2. With bound 7 the goal is found.',
    source: 'R. E. Korf, 1985.',
  },
  {
    id: 'all',
    title: 'All side by side',
    drawn: 'all',
    board: RUNNING,
    distance: 51,
    question: { text: 'Can any of these estimates be larger than the true distance?', right: 'No, none of them', wrong: ['Yes, the best one sometimes', 'Yes, all of them'] },
    text: [
      'Here are all estimates of one board. How near are they to its true distance?',
      'What does a better estimate save? A search tries a bound on the length, then a larger one. On the 15-puzzle, the work grows about fivefold from one bound to the next. An estimate that is larger by 2 on every board saves about one bound. Let two heuristics race in “Solve” and see.',
    ],
    why: 'Each of them ignores some rule of the puzzle, or some of the tiles. An easier puzzle never takes more moves.',
    look: 'Misplaced tiles say 13, Manhattan distance says 31, and tables of 7 and 8 tiles would say 43. The distance is 51.',
    source: 'R. E. Korf, M. Reid and S. Edelkamp, 2001, on how the work grows.',
  },
];

/** Returns the name of a heuristic for readers. @param {string} name */
export function plainName(name) {
  if (name === 'walking-inversion') return 'Walking Distance and inversions';
  const lesson = LESSONS.find(({ id, drawn }) => id === name && drawn === undefined);
  return lesson?.title ?? (name.startsWith('drawn/') ? 'Your partition' : `Tables ${name}`);
}
