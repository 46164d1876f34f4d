// @ts-check
// Functions that are called after changes.

/**
 * List of listeners, which all get the same arguments.
 * @template {unknown[]} A
 * @typedef {object} Listeners
 * @property {(listener: (...args: A) => void) => () => void} add returns a function that ends the calls
 * @property {(...args: A) => void} tell calls those that are listening now
 */

/** @template {unknown[]} [A=[]] @returns {Listeners<A>} */
export function createListeners() {
  /** @type {Set<(...args: A) => void>} */
  const listeners = new Set();
  return {
    add(listener) {
      listeners.add(listener);
      return () => { listeners.delete(listener); };
    },
    tell(...args) {
      for (const listener of [...listeners]) listener(...args);
    },
  };
}
