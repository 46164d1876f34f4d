// @ts-check
// Choice of the shape of a board.

import { SIDES } from '../board.js';
import { el, select } from '../dom.js';

/**
 * Creates the choice of a shape: its numbers of rows and columns.
 * @param {string} of what has the shape, in names such as `Rows of the puzzle`; may be empty
 * @param {(shape: import('../board.js').Shape) => void} onChange
 */
export function shapeField(of, onChange) {
  const [rows, cols] = ['Rows', 'Columns'].map((name) => select(SIDES, '', { 'aria-label': `${name}${of}`, on: { change: () => onChange({ rows: Number(rows.value), cols: Number(cols.value) }) } }));
  return {
    element: el('div', { class: 'field', role: 'group', 'aria-label': `Shape${of}` }, el('span', null, 'Rows and columns'),
      el('div', { class: 'row' }, rows, el('span', { 'aria-hidden': 'true' }, '×'), cols)),
    /** @param {import('../board.js').Shape} shape */
    show(shape) {
      [rows.value, cols.value] = [String(shape.rows), String(shape.cols)];
    },
  };
}
