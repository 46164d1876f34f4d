// @ts-check
// Elements, the live region, and formats of numbers.

/** @typedef {Node | string | number | null | undefined | false} Child */
/**
 * Attributes by name. Special names are `class`, `text`, `on` (listeners), `data` (data-*) and `style` (CSS
 * properties). True sets an attribute; false and null omit it.
 * @typedef {Record<string, any>} Props
 */

const SVG = 'http://www.w3.org/2000/svg';

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag @param {Props | null} [props] @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function el(tag, props, ...children) {
  return built(document.createElement(tag), props ?? {}, children);
}

/**
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag @param {Props | null} [attrs] @param {...(Child | Child[])} children
 * @returns {SVGElementTagNameMap[T]}
 */
export function svg(tag, attrs, ...children) {
  return built(document.createElementNS(SVG, tag), attrs ?? {}, children);
}

/**
 * @template {HTMLElement | SVGElement} E
 * @param {E} element @param {Props} props @param {(Child | Child[])[]} children @returns {E}
 */
function built(element, props, children) {
  for (const [name, value] of Object.entries(props)) setProp(element, name, value);
  append(element, children);
  return element;
}

/** @param {HTMLElement | SVGElement} element @param {string} name @param {any} value */
function setProp(element, name, value) {
  if (name === 'on') {
    for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
  } else if (name === 'data') {
    Object.assign(element.dataset, value);
  } else if (name === 'style') {
    for (const [property, content] of Object.entries(value)) element.style.setProperty(property, String(content));
  } else if (name === 'text') {
    element.textContent = String(value);
  } else if (value !== false && value !== null && value !== undefined) {
    element.setAttribute(name, value === true ? '' : String(value));
  }
}

/** @param {Element} parent @param {(Child | Child[])[]} children */
function append(parent, children) {
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== false) {
      parent.append(child instanceof Node ? child : String(child));
    }
  }
}

/** Replaces the children of an element. @param {Element} parent @param {...(Child | Child[])} children */
export function fill(parent, ...children) {
  parent.replaceChildren();
  append(parent, children);
}

/** @typedef {{ value: string, text: string }} Choice */

/**
 * Creates a drop-down list.
 * @param {readonly (Choice | string)[]} choices @param {string} value @param {Props} [props]
 */
export function select(choices, value, props = {}) {
  return el('select', props, optionsOf(choices, value));
}

/** Creates the options of a drop-down list. @param {readonly (Choice | string)[]} choices @param {string} chosen */
export function optionsOf(choices, chosen) {
  return choices.map((choice) => {
    const { value, text } = typeof choice === 'string' ? { value: choice, text: choice } : choice;
    return el('option', { value, selected: value === chosen }, text);
  });
}

/** Creates a control with its name above it. @param {Child} name @param {HTMLElement} control @param {Props} [props] */
export function field(name, control, props = {}) {
  return el('label', { class: 'field', ...props }, el('span', null, name), control);
}

/**
 * Creates a choice of a few, all of which are shown.
 * @template {string} T
 * @param {string} legend @param {readonly { value: T, text: string }[]} choices @param {T} value
 * @param {(value: T) => void} onChange
 */
export function segmented(legend, choices, value, onChange) {
  const name = `choice-${legend.toLowerCase().replaceAll(' ', '-')}`;
  return el('fieldset', null, el('legend', { class: 'hidden-text' }, legend), el('div', { class: 'segmented' }, choices.map((choice) =>
    el('label', null, el('input', { type: 'radio', name, value: choice.value, checked: choice.value === value, on: { change: () => onChange(choice.value) } }), choice.text))));
}

/**
 * Creates a table. The first cell of each row is its head.
 * @param {readonly Child[]} heads @param {readonly (readonly Child[])[]} rows
 */
export function figureTable(heads, rows) {
  return el('table', { class: 'figure-table' },
    el('thead', null, el('tr', null, heads.map((head) => el('th', { scope: 'col' }, head)))),
    el('tbody', null, rows.map(([head, ...cells]) =>
      el('tr', null, el('th', { scope: 'row' }, head), cells.map((cell) => el('td', null, cell))))));
}

/** Shows a text in an element, and hides the element if the text is empty. @param {HTMLElement} element @param {string} text */
export function say(element, text) {
  element.textContent = text;
  element.hidden = text === '';
}

/**
 * Returns the cell of a board below a pointer, -1 if none.
 * @param {HTMLElement} element as large as the board @param {import('./board.js').Shape} shape @param {PointerEvent} pointer
 */
export function cellBelow(element, { rows, cols }, { clientX, clientY }) {
  const box = element.getBoundingClientRect();
  const row = Math.floor(((clientY - box.top) / box.height) * rows);
  const col = Math.floor(((clientX - box.left) / box.width) * cols);
  return row >= 0 && row < rows && col >= 0 && col < cols ? row * cols + col : -1;
}

/** Returns whether keys belong to a control with text. @param {EventTarget | null} target */
export function isTextField(target) {
  return target instanceof Element && target.matches('input:not([type=checkbox], [type=radio]), textarea, select');
}

/**
 * Returns the index that a key leads to in a list or on a slider, null for other keys. Handles the event of such a key.
 * @param {KeyboardEvent} event @param {number} at current index @param {number} last @param {boolean} [isSlider]
 */
export function indexOfKey(event, at, last, isSlider = false) {
  /** @type {Record<string, number>} */
  const indices = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last };
  if (isSlider) Object.assign(indices, { ArrowDown: at - 1, ArrowUp: at + 1, PageDown: at - 10, PageUp: at + 10 });
  if (!(event.key in indices) || event.altKey || event.ctrlKey || event.metaKey) return null;
  event.preventDefault();
  event.stopPropagation();
  return Math.max(0, Math.min(last, indices[event.key]));
}

/** @param {string} text @param {(event: MouseEvent) => void} onClick @param {Props} [props] */
export function button(text, onClick, props = {}) {
  return el('button', { type: 'button', ...props, on: { click: onClick, ...props.on } }, text);
}

const ANNOUNCE_DELAY_MS = 60;
/** @type {string[]} */
let waiting = [];

/**
 * Announces a text to screen readers. Texts within a moment are announced together, because a later one would
 * replace an earlier one.
 * @param {string} text
 */
export function announce(text) {
  waiting.push(text);
  if (waiting.length > 1) return;
  setTimeout(() => {
    const region = document.getElementById('live');
    if (region) region.textContent = waiting.join(' ');
    waiting = [];
  }, ANNOUNCE_DELAY_MS);
}

/** Formats a count: `1,234,567`. @param {number | string | bigint} count */
export function formatCount(count) {
  return BigInt(typeof count === 'number' ? Math.round(count) : count).toLocaleString('en-US');
}

/** Formats a count with its noun: `3 moves`, `1 move`. @param {number | string} count @param {string} one @param {string} [many] */
export function plural(count, one, many = `${one}s`) {
  return `${formatCount(count)} ${String(count) === '1' ? one : many}`;
}

/** Lists words: `A and B`, `A, B and C`. @param {readonly (string | number)[]} words */
export function listed(words) {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words[words.length - 1]}`;
}

/** Formats a time: `0.31 s`, `12 ms`, `4 min 10 s`. @param {number} seconds */
export function formatSeconds(seconds) {
  if (seconds < 0.001) return 'less than 1 ms';
  if (seconds < 0.1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 10) return `${seconds.toFixed(seconds < 1 ? 2 : 1)} s`;
  // Rounded first: 119.6 s are 2 min.
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return whole % 60 === 0 ? `${minutes} min` : `${minutes} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Formats a size: `196 MB`. @param {number} bytes */
export function formatBytes(bytes) {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(bytes, 1)) / 3)));
  const number = bytes / 1000 ** step;
  return `${number < 10 && step > 0 ? number.toFixed(1) : Math.round(number)} ${units[step]}`;
}

/** Formats a count that changes quickly: `17 million`, `1.7 million`, `17,000`. @param {number} count */
export function formatRough(count) {
  if (count < 1e6) return formatCount(count < 1e4 ? count : Math.round(count / 1000) * 1000);
  return new Intl.NumberFormat('en-US', { notation: 'compact', compactDisplay: 'long' }).format(count);
}

/** Formats a time as a stopwatch does: `1:05.320`. @param {number} milliseconds @param {number} [digits] after the point, 3 at most */
export function formatClock(milliseconds, digits = 3) {
  // Truncates, as a stopwatch does.
  const whole = Math.floor(milliseconds);
  const seconds = String(Math.floor(whole / 1000) % 60).padStart(2, '0');
  const fraction = String(whole % 1000).padStart(3, '0').slice(0, digits);
  return `${Math.floor(whole / 60_000)}:${seconds}.${fraction}`;
}

/** Copies a text, and confirms it on the button. @param {string} text @param {HTMLElement} on */
export async function copied(text, on) {
  const name = on.dataset.name ?? on.textContent ?? '';
  on.dataset.name = name;
  const confirmCopy = () => {
    on.textContent = 'Copied';
    announce('Copied.');
  };
  try {
    await navigator.clipboard.writeText(text);
    confirmCopy();
  } catch {
    // Without a secure origin there is no clipboard. A prompt has a single line, so it is the last resort.
    if (copiedBySelection(text)) confirmCopy();
    else window.prompt('Copy this:', text);
  }
  setTimeout(() => { on.textContent = name; }, 1500);
}

/** Copies a text by selecting it, and returns whether the browser did. @param {string} text */
function copiedBySelection(text) {
  const focused = document.activeElement;
  const area = el('textarea', { class: 'hidden-text' });
  document.body.append(area);
  area.value = text;
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}
