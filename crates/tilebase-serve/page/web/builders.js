// @ts-check
// Builds of tables, one after the other, each in a worker of its own: its memory is free afterwards, and to end the
// worker is to cancel the build.

import { eventsOf, isOver } from '../api.js';
import { EVENTS, abortError, answer, json, problem } from './protocol.js';
import { createReceiver, send } from './lanes.js';

/** @typedef {import('./protocol.js').Request} Request */
/** @typedef {import('./protocol.js').FromWorker} FromWorker */
/** @typedef {import('../builds.js').Build} BuildState */
/**
 * @typedef {object} Build
 * @property {BuildState} state
 * @property {number} number its number in its worker
 * @property {Worker} worker
 * @property {Set<() => void>} watchers
 */
/** Stores a table, which a worker may have done already. @typedef {(name: string, bytes: Uint8Array<ArrayBuffer> | null) => Promise<void>} Keep */

const QUEUE_CAPACITY = 16;
const FULL = 'the queue of builds is full: repeat the request when one has ended';

/** @param {{ startWorker: () => Worker, keep: Keep }} host */
export function createBuilders({ startWorker, keep }) {
  /** @type {Build[]} */
  const builds = [];

  /** @param {Request} request @returns {Promise<Response>} */
  async function create(request) {
    if (builds.filter(({ state }) => !isOver(state)).length >= QUEUE_CAPACITY) return problem(503, FULL);
    const worker = startWorker();
    const asked = await answerOf(worker, { type: 'ask', request });
    /** @type {BuildState | null} */
    const state = asked.status === 202 ? await asked.json() : null;
    const same = state && builds.find((build) => !isOver(build.state) && isSame(build.state, state));
    if (state === null || same) {
      worker.terminate();
      return same ? json(202, same.state) : asked;
    }
    /** @type {Build} */
    const build = { state: { ...state, id: builds.length + 1 }, number: state.id, worker, watchers: new Set() };
    builds.push(build);
    const response = json(202, build.state);
    void next();
    return response;
  }

  /** Runs the first build of the queue if none is running. */
  async function next() {
    const build = builds.find(({ state }) => !isOver(state));
    if (build?.state.status !== 'queued') return;
    change(build, { ...build.state, status: 'running' });
    const last = await run(build).catch((error) => (
      { ...build.state, status: /** @type {const} */ ('failed'), error: error instanceof Error ? error.message : String(error) }));
    build.worker.terminate();
    if (!isOver(build.state)) change(build, last);
    void next();
  }

  /** Runs a build, and returns its last state when its tables are stored. @param {Build} build */
  async function run(build) {
    const files = build.state.tables.filter(({ status }) => status === 'waiting').map(({ file }) => file);
    /** @type {Promise<void>[]} */
    const stored = [];
    let trouble = '';
    const response = await answerOf(build.worker, { type: 'build', id: build.number, files }, (name, bytes) => {
      stored.push(keep(name, bytes).catch((error) => { trouble = `the tables cannot be stored in this browser: ${String(error)}`; }));
    });
    if (!response.ok) throw new Error((await response.json()).detail);
    let last = build.state;
    for await (const { name, data } of eventsOf(response)) {
      if (name === 'problem') throw new Error(data.detail);
      last = { ...data, id: build.state.id };
      if (!isOver(last)) change(build, last);
    }
    await Promise.all(stored);
    if (trouble !== '') throw new Error(trouble);
    if (!isOver(last)) throw new Error('the build ended without a result');
    return last;
  }

  /** @param {Build} build @param {BuildState} state */
  function change(build, state) {
    build.state = state;
    for (const watcher of [...build.watchers]) watcher();
  }

  /** @param {Build} build */
  function cancel(build) {
    if (isOver(build.state)) return;
    build.worker.terminate();
    change(build, { ...build.state, status: 'cancelled' });
    next();
  }

  /** The state of a build now, and after each change. @param {Build} build @param {AbortSignal} [signal] */
  function follow(build, signal) {
    const encoder = new TextEncoder();
    /** @type {() => void} */
    let watcher = () => {};
    const leave = () => build.watchers.delete(watcher);
    const body = new ReadableStream({
      start(controller) {
        watcher = () => {
          controller.enqueue(encoder.encode(`event: build\ndata: ${JSON.stringify(build.state)}\n\n`));
          if (isOver(build.state)) {
            leave();
            controller.close();
          }
        };
        build.watchers.add(watcher);
        signal?.addEventListener('abort', () => {
          if (!build.watchers.has(watcher)) return;
          leave();
          controller.error(abortError(signal));
        }, { once: true });
        watcher();
      },
      cancel: () => { leave(); },
    });
    return answer(200, EVENTS, body);
  }

  return {
    /**
     * Answers a request about builds; null if it is about none that is known here, which the solver refuses.
     * @param {Request} request @param {string} path @param {AbortSignal} [signal] @returns {Promise<Response> | Response | null}
     */
    answer(request, path, signal) {
      const { method, accept } = request;
      if (path === '/v1/builds' && method === 'GET') return json(200, { allowed: true, builds: builds.map(({ state }) => state) });
      if (path === '/v1/builds' && method === 'POST') return create(request);
      const build = builds.find(({ state }) => path === `/v1/builds/${state.id}`);
      if (!build || !['GET', 'DELETE'].includes(method)) return null;
      if (method === 'DELETE') cancel(build);
      return method === 'GET' && accept.includes(EVENTS) ? follow(build, signal) : json(200, build.state);
    },
    /** @param {string} name @param {Blob} file */
    offer(name, file) {
      for (const { worker, state } of builds) if (state.status === 'queued') send(worker, { type: 'offer', name, file });
    },
  };
}

/** @param {BuildState} one @param {BuildState} other */
function isSame(one, other) {
  const files = (/** @type {BuildState} */ { tables }) => tables.map(({ file }) => file).join();
  return one.spec === other.spec && files(one) === files(other);
}

/**
 * Returns what a worker answers that does nothing else.
 * @param {Worker} worker @param {import('./protocol.js').ToWorker} message @param {(name: string, bytes: Uint8Array<ArrayBuffer> | null) => void} [onTable]
 * @returns {Promise<Response>}
 */
function answerOf(worker, message, onTable) {
  return new Promise((resolve, reject) => {
    const receiver = createReceiver({ signal: undefined, resolve }, () => {});
    worker.onmessage = (/** @type {MessageEvent<FromWorker>} */ { data }) => {
      if (data.type === 'table') onTable?.(data.name, data.bytes);
      else receiver.take(data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      // If the answer has begun, it ends with the reason.
      reject(new TypeError('The worker cannot be loaded.'));
      receiver.take({ type: 'fault', status: 500, detail: `the solver failed: ${event.message}` });
    };
    send(worker, message);
  });
}
