// @ts-check
// Chooses once who answers the page: workers in this browser if the page was exported, otherwise its server.

/** @typedef {(url: string, init: RequestInit) => Promise<Response>} Fetch a drop-in for `fetch` */
/**
 * @typedef {object} Backend
 * @property {'server' | 'browser'} place where requests are answered
 * @property {Fetch} fetch takes addresses such as `/v1/moves?board=...`
 * @property {string} unreachable what to tell a person if `fetch` fails
 * @property {import('./web/tables.js').Tables | null} tables tables of this browser; a server keeps its own
 */

/** `cargo xtask web` adds this element; its content is the address of the first part of the compiled solver. */
const MODULE = 'tilebase-module';
/** The same for the rest of the solver, which is loaded later. */
const REST = 'tilebase-rest';

/** @type {Promise<Backend> | null} */
let chosen = null;

/** The address of the compiled solver, null if the page was not exported. */
export function moduleAddress() {
  return addressIn(MODULE);
}

/** @param {string} name */
function addressIn(name) {
  const marker = document.querySelector(`meta[name="${name}"]`);
  return marker instanceof HTMLMetaElement ? new URL(marker.content, document.baseURI).href : null;
}

/** The back end of this page. The first call chooses it. @returns {Promise<Backend>} */
export function backend() {
  chosen ??= choose().catch((error) => {
    // A module that could not be loaded may load the next time.
    chosen = null;
    throw error;
  });
  return chosen;
}

/** @returns {Promise<Backend>} */
async function choose() {
  const address = moduleAddress();
  if (address === null) return server;
  const { createBrowserBackend } = await import('./web/browser.js');
  return createBrowserBackend(address, addressIn(REST));
}

/** @type {Backend} */
const server = {
  place: 'server',
  fetch: (url, init) => fetch(new URL(url.replace(/^\//, ''), document.baseURI), init),
  unreachable: 'The server cannot be reached. Is it still running?',
  tables: null,
};
