// Tests that an exported page skips, each with the reason: what only a server has.

const LARGE = 'a browser offers no tables of the 24-puzzle: they take more room than a page has';
const REPLACED = 'the test replaces an answer on the network, and workers use none';

/** @type {Record<string, string>} reasons by the sentence of the test */
export const SERVER_ONLY = {
  'one press builds the tables that a shape lacks, there and then, and searches use them': 'the test reads the request of the build',
  'newcomers are offered the best tables of the 15-puzzle in Play and in Solve, by name, size and time': REPLACED,
  'a server that refuses builds says what its owner can do': REPLACED,
  'the words about a search go away once the distance is known': REPLACED,
  'distances that take too long are shown as unknown': REPLACED,
  'a quick search that fills the memory offers a longer solution': REPLACED,
  'a review asks about a third of the boards only, and not about those that are known': 'the test counts requests on the network, and workers use none',
  'tables are built while one watches, and the page searches with them': 'the test reads the request of the search',
  'a build is cancelled, and leaves nothing behind': REPLACED,
  'where tables are missing and builds are refused, a lesson says who can build them': REPLACED,
  'an offer of tables, a chosen heuristic and a game before this one at 1280 pixels on light paper is accessible and fits': LARGE,
  'an offer of tables, a chosen heuristic and a game before this one at 360 pixels on dark paper is accessible and fits': LARGE,
  'another site may frame the embedded page, and no other': 'a static host sends no header that forbids frames',
  'every file says what it is and what it may do': 'a static host has no headers of ours: the policy is in the page',
  'the first view takes less than 200 kB': 'an exported page has the solver besides: cargo xtask web prints sizes',
  'the film is a picture of these moves': 'without a server a film is a file, and in SVG alone',
  'to draw a film is seen to take its time, and the film is saved': 'without a server a film is a file, and in SVG alone',
  'a search that the server’s limit ended goes on for longer where the server gives more': REPLACED,
  'a search ends when its tab is hidden': 'the test sees the connection of the search close',
};
