// @ts-check
// Chooses once who answers the page: a Tilebase server, or workers in this browser.

/** @typedef {(url: string, init: RequestInit) => Promise<Response>} Fetch a drop-in for `fetch` */
/**
 * @typedef {object} Backend
 * @property {'server' | 'browser'} place where requests are answered
 * @property {Fetch} fetch takes addresses such as `/v1/moves?board=...`
 * @property {string} unreachable what to tell a person if `fetch` fails
 * @property {import('./web/tables.js').Tables | null} tables tables of this browser; a server keeps its own
 */

/** `cargo xtask web` adds this element; its content is the address of the compiled solver, or of its first part. */
const MODULE = 'tilebase-module';
/** The same for the rest of the solver, which is loaded later. */
const REST = 'tilebase-rest';
/** Time limit of the question for a server. A static host answers with 404 or a page of its own. */
const PROBE_MS = 2000;

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
  if (address === null || await isServerThere()) return server;
  const { createBrowserBackend } = await import('./web/browser.js');
  return createBrowserBackend(address, addressIn(REST));
}

/** @returns {Promise<boolean>} */
async function isServerThere() {
  try {
    const options = { headers: { accept: 'application/json' }, signal: AbortSignal.timeout(PROBE_MS) };
    const response = await fetch(new URL('healthz', document.baseURI), options);
    if (!response.ok || !/^application\/json/.test(response.headers.get('content-type') ?? '')) return false;
    const { status, version } = await response.json();
    return status === 'ok' && typeof version === 'string';
  } catch {
    return false;
  }
}

/** @type {Backend} */
const server = {
  place: 'server',
  fetch: (url, init) => fetch(new URL(url.replace(/^\//, ''), document.baseURI), init),
  unreachable: 'The server cannot be reached. Is it still running?',
  tables: null,
};
