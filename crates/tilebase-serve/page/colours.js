// @ts-check
// Colours that most people can distinguish, and the colours of tiles.

/** Colours of patterns, rows and columns (M. Okabe and K. Ito, 2008). */
export const COLOURS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#d55e00', '#56b4e9', '#6e6e6e'];

/**
 * Returns the colour of a tile, by the row or column of its home; null for plain tiles.
 * @param {Pick<import('./store.js').State, 'goal' | 'colours'>} state @param {number} tile
 */
export function colourOfTile({ goal, colours }, tile) {
  if (colours === 'plain') return null;
  const home = goal.tiles.indexOf(tile);
  return COLOURS[colours === 'rows' ? Math.floor(home / goal.cols) : home % goal.cols];
}
