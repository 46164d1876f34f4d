// @ts-check
// Talks to the back end: JSON, server-sent events, and errors that are sentences.

import { backend } from './backend.js';
import { say } from './dom.js';

/** @typedef {Record<string, string | number | boolean | null | undefined>} Params null and undefined are left out */
/** @typedef {{ signal?: AbortSignal }} Options */
/**
 * Handlers of a stream's events, by name. Without one for `problem`, a problem is thrown as an {@link ApiError}.
 * @typedef {Partial<Record<string, (data: any) => void>>} Handlers
 */

const RETRIES_MAX = 3;
const UNREACHABLE = 'The server cannot be reached. Check that it is running.';
const UNLOADED = 'A part of this page cannot be loaded. Check the network, and reload the page.';
/** Statuses of a proxy without a server behind it. */
const PROXY_ALONE = [502, 504];

export class ApiError extends Error {
  /** @param {number} status 0: no server answered @param {string} detail @param {number | null} [retryAfter] in seconds */
  constructor(status, detail, retryAfter = null) {
    super(detail);
    this.name = 'ApiError';
    this.status = status;
    this.detail = detail;
    this.retryAfter = retryAfter;
  }
}

/** Returns whether a build of tables has ended. @param {{ status: string }} build */
export function isOver({ status }) {
  return status !== 'queued' && status !== 'running';
}

/** Returns whether an error is only the abort of a request. @param {unknown} error */
export function isAbort(error) {
  return error instanceof DOMException && error.name === 'AbortError';
}

/** Returns the text of an error for the user. @param {unknown} error */
export function detailOf(error) {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Does what may fail. Shows its error in an element, which is hidden without one, and marks a control as busy meanwhile.
 * @param {HTMLElement} problem @param {() => unknown} work @param {HTMLElement} [control]
 */
export async function attempt(problem, work, control) {
  say(problem, '');
  control?.setAttribute('aria-busy', 'true');
  try {
    await work();
  } catch (error) {
    if (!isAbort(error)) say(problem, detailOf(error));
  } finally {
    control?.removeAttribute('aria-busy');
  }
}

/** @param {string} path @param {Params} [params] */
export function urlOf(path, params = {}) {
  const given = Object.entries(params).filter(([, value]) => value !== null && value !== undefined);
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return query === '' ? path : `${path}?${query}`;
}

/** @param {string} path @param {Params} [params] @param {Options} [options] @returns {Promise<any>} */
export function get(path, params = {}, options = {}) {
  return record(urlOf(path, params), options);
}

/** @param {string} url @param {RequestInit} init @returns {Promise<any>} */
async function record(url, init) {
  const response = await asked(url, { ...init, headers: { accept: 'application/json', ...init.headers } });
  return response.json();
}

/** Fetches a file, such as an animation. @param {string} url @param {Options} [options] @returns {Promise<Blob>} */
export async function file(url, options = {}) {
  return (await asked(url, options)).blob();
}

/**
 * @param {string} path @param {string} body @param {string} contentType @param {Options} [options]
 * @returns {Promise<any>}
 */
export function post(path, body, contentType, options = {}) {
  return record(path, { method: 'POST', body, headers: { 'content-type': contentType }, ...options });
}

/** @param {string} path @param {Options} [options] @returns {Promise<any>} */
export function remove(path, options = {}) {
  return record(path, { method: 'DELETE', ...options });
}

/**
 * Reads server-sent events until the server ends them. Aborting closes the connection, which stops
 * the work behind it.
 * @param {string} path @param {Params} params @param {{ signal?: AbortSignal, on: Handlers }} options
 */
export async function stream(path, params, { signal, on }) {
  const response = await asked(urlOf(path, params), { headers: { accept: 'text/event-stream' }, signal });
  for await (const { name, data } of eventsOf(response)) {
    if (name === 'problem' && !on.problem) throw new ApiError(data.status, sentence(data.detail ?? data.title));
    on[name]?.(data);
  }
}

/** Reads the events of a response. @param {Response} response @returns {AsyncGenerator<{ name: string, data: any }>} */
export async function* eventsOf(response) {
  if (response.body === null) throw new ApiError(0, 'The server sent no events.');
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { value, done } = await partOf(reader);
    if (done) return;
    const blocks = (text + value).replaceAll('\r', '').split('\n\n');
    text = blocks.pop() ?? '';
    yield* blocks.flatMap(eventIn);
  }
}

/** @param {ReadableStreamDefaultReader<string>} reader */
async function partOf(reader) {
  try {
    return await reader.read();
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new ApiError(0, 'The connection to the server broke. Check that it is running.');
  }
}

/** Reads the lines of an event, which may be only a sign of life. @param {string} block */
function eventIn(block) {
  const lines = block.split('\n');
  const of = (/** @type {string} */ field) => lines.filter((line) => line.startsWith(`${field}:`))
    .map((line) => line.slice(field.length + 1).replace(/^ /, ''));
  const data = of('data').join('\n');
  return data === '' ? [] : [{ name: of('event').join(''), data: JSON.parse(data) }];
}

/** Repeats the request while the server is busy. @param {string} url @param {RequestInit} init @returns {Promise<Response>} */
async function asked(url, init) {
  for (let retry = 0; ; retry += 1) {
    const response = await fetched(url, init);
    if (response.ok) return response;
    const error = await errorOf(response);
    if (response.status !== 503 || retry === RETRIES_MAX) throw error;
    await pause((error.retryAfter ?? 1) * 1000, init.signal ?? undefined);
  }
}

/** @param {string} url @param {RequestInit} init @returns {Promise<Response>} */
async function fetched(url, init) {
  let unreachable = UNLOADED;
  try {
    const chosen = await backend();
    ({ unreachable } = chosen);
    return await chosen.fetch(url, init);
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new ApiError(0, unreachable);
  }
}

/** @param {Response} response @returns {Promise<ApiError>} */
async function errorOf(response) {
  const seconds = Number(response.headers.get('retry-after') ?? NaN);
  const retryAfter = Number.isFinite(seconds) ? seconds : null;
  try {
    const problem = await response.json();
    return new ApiError(response.status, sentence(problem.detail ?? problem.title), retryAfter);
  } catch {
    const isProxyAlone = PROXY_ALONE.includes(response.status);
    return new ApiError(response.status, isProxyAlone ? UNREACHABLE : `The server answered with status ${response.status}.`, retryAfter);
  }
}

/**
 * Makes a sentence of an error text, which has neither capital nor full stop. Omits clauses for programs and for who
 * runs the server: they name addresses of the interface, commands, options, or the size of a board, which the page does
 * not ask for.
 * @param {string} text
 */
export function sentence(text) {
  const isForOthers = (/** @type {string} */ clause) => /\/v1\/|--[a-z]|tilebase [a-z]|give the size/.test(clause);
  const said = text.replace(/ or give the size$|give the size, or /, '').split(/(?<=[:;]) /).filter((clause) => !isForOthers(clause)).join(' ').replace(/[:;]$/, '');
  const begun = /^[a-z]+[ ,]/.test(said) ? said[0].toUpperCase() + said.slice(1) : said;
  return /[.?!…]$/.test(begun) ? begun : `${begun}.`;
}

/** Waits. Rejects if the signal aborts it. @param {number} milliseconds @param {AbortSignal} [signal] @returns {Promise<void>} */
export function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(new DOMException('The request was aborted.', 'AbortError'));
    }, { once: true });
  });
}

/** Creates signals for requests of one kind, of which only the newest matters. */
export function createNewest() {
  let controller = new AbortController();
  return {
    /** Aborts the request before, and returns the signal of the next one. */
    next() {
      controller.abort();
      controller = new AbortController();
      return controller.signal;
    },
    stop: () => controller.abort(),
    get signal() { return controller.signal; },
  };
}
