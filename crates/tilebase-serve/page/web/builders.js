// @ts-check
// Builds of tables, one after the other, each in a worker of its own: its memory is free afterwards, and to end the
// worker is to cancel the build.

import { EVENTS, abortError, answer, json, problem } from './protocol.js';
import { createReceiver, send } from './lanes.js';

/** @typedef {import('./protocol.js').FromWorker} FromWorker */
/** @typedef {import('../builds.js').Build} BuildState */
/**
 * @typedef {object} Build
 * @property {BuildState} state
 * @property {number} number its number in its worker
 * @property {Worker} worker
 * @property {Set<() => void>} watchers
 * @property {Promise<unknown>} stored ends when all tables so far are stored
 */
/** @typedef {{ startWorker: () => Worker, keep: (name: string, bytes: Uint8Array<ArrayBuffer> | null) => Promise<void> }} BuildHost */

const QUEUE_CAPACITY = 16;
const LIST_CAPACITY = 64;
const FULL = 'the queue of builds is full: repeat the request when one has ended';

/** @param {BuildState} state */
function isOver({ status }) {
  return status !== 'queued' && status !== 'running';
}

/** @param {BuildHost} host */
export function createBuilders({ startWorker, keep }) {
  /** @type {Build[]} */
  let builds = [];
  let lastId = 0;

  /** @param {import('./protocol.js').Request} request @returns {Promise<Response>} */
  async function create(request) {
    const unfinished = builds.filter(({ state }) => !isOver(state));
    if (unfinished.length >= QUEUE_CAPACITY) return problem(503, FULL);
    const worker = startWorker();
    const asked = await answerOf(worker, request);
    if (asked.status !== 202) {
      worker.terminate();
      return asked;
    }
    /** @type {BuildState} */
    const state = await asked.json();
    const same = builds.find((build) => !isOver(build.state) && isSame(build.state, state));
    if (same) {
      worker.terminate();
      return json(202, same.state);
    }
    lastId += 1;
    /** @type {Build} */
    const build = { state: { ...state, id: lastId }, number: state.id, worker, watchers: new Set(), stored: Promise.resolve() };
    const oldest = builds.find((one) => isOver(one.state));
    if (builds.length >= LIST_CAPACITY) builds = builds.filter((one) => one !== oldest);
    builds.push(build);
    const response = json(202, build.state);
    next();
    return response;
  }

  /** Begins the first build of the queue if none is running. */
  function next() {
    const build = builds.find(({ state }) => !isOver(state));
    if (build?.state.status !== 'queued') return;
    change(build, { ...build.state, status: 'running' });
    let text = '';
    const decoder = new TextDecoder();
    build.worker.onmessage = (/** @type {MessageEvent<FromWorker>} */ { data }) => {
      if (data.type === 'fault') void end(build, { ...build.state, status: 'failed', error: data.detail });
      else if (data.type === 'table') build.stored = Promise.all([build.stored, keep(data.name, data.bytes)]);
      else if (data.type === 'chunk') {
        const blocks = (text + decoder.decode(data.bytes, { stream: true })).split('\n\n');
        text = blocks.pop() ?? '';
        for (const block of blocks) hear(build, block);
      } else if (data.type === 'done' && !isOver(build.state) && !isEnding.has(build)) {
        void end(build, { ...build.state, status: 'failed', error: 'the build ended without a result' });
      }
    };
    build.worker.onerror = (event) => {
      event.preventDefault();
      void end(build, { ...build.state, status: 'failed', error: `the solver failed: ${event.message}` });
    };
    const files = build.state.tables.filter(({ status }) => status === 'waiting').map(({ file }) => file);
    send(build.worker, { type: 'build', id: build.number, files });
  }

  /** @type {WeakSet<Build>} builds whose tables are being stored */
  const isEnding = new WeakSet();

  /** @param {Build} build @param {string} block an event */
  function hear(build, block) {
    const data = block.split('\n').find((line) => line.startsWith('data:'));
    if (data === undefined || isEnding.has(build)) return;
    const state = { ...JSON.parse(data.slice('data:'.length)), id: build.state.id };
    if (isOver(state)) void end(build, state);
    else change(build, state);
  }

  /** Ends a build after its tables are stored. @param {Build} build @param {BuildState} state */
  async function end(build, state) {
    if (isOver(build.state) || isEnding.has(build)) return;
    isEnding.add(build);
    build.worker.terminate();
    /** @type {BuildState} */
    let last = state;
    try {
      await build.stored;
    } catch (error) {
      last = { ...state, status: 'failed', error: `the tables cannot be stored in this browser: ${String(error)}` };
    }
    if (!isOver(build.state)) change(build, last);
    next();
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
    create,
    /** Answers `/v1/builds` and the addresses below it. @param {import('./protocol.js').Request} request @param {string} path @param {AbortSignal} [signal] */
    async answer(request, path, signal) {
      const { method, accept } = request;
      const id = /^\/v1\/builds\/(.+)$/.exec(path)?.[1];
      if (id === undefined && method === 'GET') return json(200, { allowed: true, builds: builds.map(({ state }) => state) });
      if (id === undefined && method === 'POST') return create(request);
      if (id === undefined || !['GET', 'DELETE'].includes(method)) {
        return problem(405, 'this address does not support the method: see GET /openapi.json');
      }
      if (!/^\d+$/.test(id)) return problem(400, `Invalid URL: Cannot parse \`${id}\` to a \`u64\``);
      const build = builds.find(({ state }) => state.id === Number(id));
      if (!build) return problem(404, `there is no build ${id}: see GET /v1/builds`);
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

/** Asks a worker that does nothing else. @param {Worker} worker @param {import('./protocol.js').Request} request @returns {Promise<Response>} */
function answerOf(worker, request) {
  return new Promise((resolve, reject) => {
    const receiver = createReceiver({ request, signal: undefined, since: 0, resolve, reject }, () => {});
    worker.onmessage = (/** @type {MessageEvent<FromWorker>} */ { data }) => receiver.take(data);
    worker.onerror = (event) => {
      event.preventDefault();
      reject(new TypeError('The worker cannot be loaded.'));
    };
    send(worker, { type: 'ask', request });
  });
}
