// @ts-check
// Workers that answer requests, and the queue before them.

import { EVENTS, abortError, answer, problem, problemEvent } from './protocol.js';

/** @typedef {import('./protocol.js').Request} Request */
/** @typedef {import('./protocol.js').ToWorker} ToWorker */
/** @typedef {import('./protocol.js').FromWorker} FromWorker */
/**
 * A request on its way.
 * @typedef {object} Job
 * @property {Request} request
 * @property {AbortSignal | undefined} signal
 * @property {number} since when it was asked, by performance.now()
 * @property {(response: Response) => void} resolve
 * @property {(error: unknown) => void} reject
 */
/**
 * The answer to a job while it comes in.
 * @typedef {object} Receiver
 * @property {(message: FromWorker) => void} take
 * @property {() => void} abort
 * @property {() => boolean} isStreaming whether a part of the answer was passed on
 */
/** @typedef {{ worker: Worker, job: Job | null, receiver: Receiver | null, isReady: boolean, isStale: boolean, stopping: Timer, idle: Timer }} Lane */
/** @typedef {ReturnType<typeof setTimeout> | undefined} Timer */

/** Time in which an aborted request may end by itself. Most answers take milliseconds. */
const GRACE_MS = 50;
/** A request that has waited so long gets a worker of its own, if there may be another one. */
const WAIT_MS = 100;
/** Time after which a worker beside the first one ends, since its tables take memory. */
const IDLE_MS = 10_000;
const LANES_MAX = Math.min(3, Math.max(2, navigator.hardwareConcurrency ?? 2));
const QUEUE_CAPACITY = 256;
const BUSY = 'too many requests are waiting: repeat the request in a second';

/**
 * @param {() => Worker} startWorker starts a worker with the solver and the tables of this browser
 */
export function createLanes(startWorker) {
  /** @type {Lane[]} */
  let lanes = [];
  /** @type {Job[]} */
  const queue = [];
  /** @type {Timer} */
  let waiting;

  /** Gives waiting jobs to lanes. */
  function pump() {
    clearTimeout(waiting);
    while (queue.length > 0) {
      const lane = lanes.find((one) => one.job === null && one.receiver === null) ?? another(queue[0]);
      if (lane === null) return;
      run(lane, /** @type {Job} */ (queue.shift()));
    }
  }

  /** A new lane for a job, null if it has to wait. @param {Job} job @returns {Lane | null} */
  function another(job) {
    const rest = lanes.length === 0 ? 0 : job.since + WAIT_MS - performance.now();
    if (lanes.length >= LANES_MAX) return null;
    if (rest <= 0) return open();
    waiting = setTimeout(pump, rest);
    return null;
  }

  /** @returns {Lane} */
  function open() {
    /** @type {Lane} */
    const lane = { worker: startWorker(), job: null, receiver: null, isReady: false, isStale: false, stopping: undefined, idle: undefined };
    lane.worker.onmessage = (/** @type {MessageEvent<FromWorker>} */ { data }) => take(lane, data);
    lane.worker.onerror = (event) => lose(lane, event);
    lanes.push(lane);
    return lane;
  }

  /** @param {Lane} lane @param {FromWorker} message */
  function take(lane, message) {
    if (message.type === 'ready') lane.isReady = true;
    else lane.receiver?.take(message);
    if (message.type === 'fault') close(lane);
    if (message.type === 'done') free(lane);
    if (message.type === 'done' || message.type === 'fault') pump();
  }

  /** The worker has ended by itself, or its script was not loaded. @param {Lane} lane @param {ErrorEvent} event */
  function lose(lane, event) {
    event.preventDefault();
    if (lane.isReady) lane.receiver?.take({ type: 'fault', status: 500, detail: `the solver failed: ${event.message}` });
    else lane.job?.reject(new TypeError('The worker cannot be loaded.'));
    close(lane);
    pump();
  }

  /** @param {Lane} lane */
  function free(lane) {
    clearTimeout(lane.stopping);
    lane.job = null;
    lane.receiver = null;
    if (lane.isStale) close(lane);
    else if (lane !== lanes[0]) lane.idle = setTimeout(() => close(lane), IDLE_MS);
  }

  /** @param {Lane} lane */
  function close(lane) {
    clearTimeout(lane.stopping);
    clearTimeout(lane.idle);
    lane.worker.terminate();
    lanes = lanes.filter((one) => one !== lane);
    lane.job = null;
    lane.receiver = null;
  }

  /** @param {Lane} lane @param {Job} job */
  function run(lane, job) {
    clearTimeout(lane.idle);
    lane.job = job;
    // A reader that has enough of a stream ends the search behind it.
    const receiver = createReceiver(job, () => stop(lane, job));
    lane.receiver = receiver;
    job.signal?.addEventListener('abort', () => {
      if (lane.job !== job) return;
      receiver.abort();
      stop(lane, job);
    }, { once: true });
    send(lane.worker, { type: 'ask', request: job.request });
  }

  /** Stops a lane whose answer is not needed any more. @param {Lane} lane @param {Job} job */
  function stop(lane, job) {
    if (lane.job !== job) return;
    lane.job = null;
    lane.stopping = setTimeout(() => {
      close(lane);
      pump();
    }, GRACE_MS);
  }

  /** @param {Request} request @param {AbortSignal} [signal] @returns {Promise<Response>} */
  function ask(request, signal) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(abortError(signal));
      if (queue.length >= QUEUE_CAPACITY) return resolve(problem(503, BUSY));
      /** @type {Job} */
      const job = { request, signal, since: performance.now(), resolve, reject };
      queue.push(job);
      signal?.addEventListener('abort', () => {
        const at = queue.indexOf(job);
        if (at >= 0) queue.splice(at, 1);
        reject(abortError(signal));
      }, { once: true });
      pump();
    });
  }

  return {
    ask,
    /** Sends a message to every worker: a table, a drawn spec, or the rest of the solver. @param {ToWorker} message */
    tell(message) {
      for (const { worker } of lanes) send(worker, message);
    },
    /** Ends all workers, as tables were removed. Requests under way are asked again; streams go on to their ends. */
    restart() {
      for (const lane of [...lanes]) {
        const { job } = lane;
        lane.isStale = job !== null && lane.receiver?.isStreaming() === true;
        if (lane.isStale) continue;
        close(lane);
        if (job !== null) queue.unshift(job);
      }
      pump();
    },
  };
}

/** @param {Worker} worker @param {ToWorker} message */
export function send(worker, message) {
  worker.postMessage(message);
}

/**
 * Makes a response of what a worker says. Events are passed on as they come, other answers as a whole.
 * @param {Pick<Job, 'signal' | 'resolve'>} job @param {() => void} onCancel the reader has left @returns {Receiver}
 */
export function createReceiver(job, onCancel) {
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const parts = [];
  let [status, kind] = [500, 'text/plain'];
  /** @type {ReadableStreamDefaultController<Uint8Array> | null} */
  let controller = null;
  let isStreaming = false;

  /** @param {FromWorker} message */
  function take(message) {
    if (message.type === 'head') head(message);
    else if (message.type === 'chunk' && controller) controller.enqueue(message.bytes);
    else if (message.type === 'chunk') parts.push(message.bytes);
    else if (message.type === 'done') end();
    else if (message.type === 'fault') fail(message.status, message.detail);
  }

  /** @param {{ status: number, kind: string }} message */
  function head(message) {
    ({ status, kind } = message);
    if (!kind.startsWith(EVENTS)) return;
    isStreaming = true;
    const body = new ReadableStream({
      start(opened) { controller = opened; },
      cancel() {
        controller = null;
        onCancel();
      },
    });
    job.resolve(answer(status, kind, body));
  }

  function end() {
    if (isStreaming) controller?.close();
    else job.resolve(answer(status, kind, new Blob(parts)));
    controller = null;
  }

  /** @param {number} code @param {string} detail */
  function fail(code, detail) {
    if (!isStreaming) return job.resolve(problem(code, detail));
    controller?.enqueue(new TextEncoder().encode(problemEvent(code, detail)));
    controller?.close();
    controller = null;
  }

  function abort() {
    controller?.error(abortError(/** @type {AbortSignal} */ (job.signal)));
    controller = null;
  }

  return { take, abort, isStreaming: () => isStreaming };
}
