// @ts-check
// Colours of patterns and tiles. Each colour has a letter, because not everybody can distinguish all colours.

/** Colours of patterns, rows and columns (M. Okabe and K. Ito, 2008). */
const COLOURS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#d55e00', '#56b4e9', '#6e6e6e'];

/** @param {number} pattern */
export function colourOf(pattern) {
  return COLOURS[pattern % COLOURS.length];
}

/** @param {number} pattern */
export function letterOf(pattern) {
  return String.fromCharCode(65 + pattern);
}

const INKS = ['#ffffff', '#111111'];

/** Returns the colour of letters with the larger contrast. @param {string} colour */
export function inkOn(colour) {
  const contrast = (/** @type {string} */ ink) => {
    const [light, dark] = [luminance(ink), luminance(colour)].sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  };
  return contrast(INKS[0]) >= contrast(INKS[1]) ? INKS[0] : INKS[1];
}

/** Returns the relative luminance, as WCAG defines it. @param {string} colour #rrggbb */
function luminance(colour) {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/**
 * Returns the colour of a tile, by the row or column of its home; null for plain tiles.
 * @param {Pick<import('./store.js').State, 'goal' | 'colours'>} state @param {number} tile
 */
export function colourOfTile({ goal, colours }, tile) {
  if (colours === 'plain') return null;
  const home = goal.tiles.indexOf(tile);
  return colourOf(colours === 'rows' ? Math.floor(home / goal.cols) : home % goal.cols);
}
