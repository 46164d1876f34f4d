// @ts-check
// Messages between the page and its workers, and the answers that both make.

/** @typedef {{ method: string, url: string, accept: string, body: string }} Request as the compiled solver reads it, in JSON */
/** @typedef {{ name: string, file: Blob }} StoredTable */
/**
 * Compiled solver in two parts. The first one answers the requests of the first view and of Play.
 * @typedef {{ first: WebAssembly.Module, rest: WebAssembly.Module | null, restAddress: string | null }} SolverCode
 *   `rest` is null before it is loaded. Without an address, the first part is the whole solver.
 */
/** @typedef {'files' | 'database' | 'memory'} StoreKind files of the origin, IndexedDB, or nothing that outlives the page */
/**
 * @typedef {{ type: 'start', solver: SolverCode, store: StoreKind, room: number, tables: StoredTable[], specs: string[] }
 *   | { type: 'rest', rest: WebAssembly.Module }
 *   | { type: 'offer', name: string, file: Blob }
 *   | { type: 'spec', body: string }
 *   | { type: 'ask', request: Request }
 *   | { type: 'build', id: number, files: string[] }
 *   | { type: 'keep', name: string, file: Blob }} ToWorker
 */
/**
 * @typedef {{ type: 'ready' }
 *   | { type: 'head', status: number, kind: string }
 *   | { type: 'chunk', bytes: Uint8Array<ArrayBuffer> }
 *   | { type: 'table', name: string, bytes: Uint8Array<ArrayBuffer> | null }
 *   | { type: 'loaded', rest: WebAssembly.Module }
 *   | { type: 'done' }
 *   | { type: 'fault', status: number, detail: string }} FromWorker
 *   Messages of a worker. `table` without bytes: the worker has stored it. `loaded`: the worker needed the rest of the
 *   solver before the page had it. `fault` is the last message.
 */

export const EVENTS = 'text/event-stream';
const PROBLEM = 'application/problem+json';
const RETRY_SECONDS = 1;
/** @type {Record<number, string>} */
const TITLES = {
  400: 'Bad Request', 404: 'Not Found', 405: 'Method Not Allowed', 500: 'Internal Server Error', 503: 'Service Unavailable',
  507: 'Insufficient Storage',
};

/** @param {number} status @param {string} detail */
function problemText(status, detail) {
  return JSON.stringify({ status, title: TITLES[status], detail });
}

/** An error as a server sends it (RFC 9457). @param {number} status @param {string} detail */
export function problem(status, detail) {
  return answer(status, PROBLEM, problemText(status, detail));
}

/** An error as the last event of a stream. @param {number} status @param {string} detail */
export function problemEvent(status, detail) {
  return `event: problem\ndata: ${problemText(status, detail)}\n\n`;
}

/** @param {number} status @param {unknown} record */
export function json(status, record) {
  return answer(status, 'application/json', JSON.stringify(record));
}

/** @param {number} status @param {string} kind @param {BodyInit} body */
export function answer(status, kind, body) {
  /** @type {Record<string, string>} */
  const headers = { 'content-type': kind };
  if (status === 503) headers['retry-after'] = String(RETRY_SECONDS);
  return new Response(body, { status, headers });
}

/** Returns the error that an aborted `fetch` throws. @param {AbortSignal} signal */
export function abortError(signal) {
  const { reason } = signal;
  return reason instanceof DOMException ? reason : new DOMException('The answer is no longer needed.', 'AbortError');
}
