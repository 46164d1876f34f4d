// @ts-check
// A worker with one instance of the compiled solver. It answers one request at a time, or runs one build.
//
// The solver is a WebAssembly module without imports other than those of `createHost`. All calls into it run to
// their end; the page ends a call early by ending the worker. An export may split it in two: then a function that is
// in the rest has a placeholder in the first part, and its first call loads the rest.

import { inWrite, keepFile, openForWriting, writeTable } from './files.js';

/** @typedef {import('./protocol.js').ToWorker} ToWorker */
/** @typedef {import('./protocol.js').FromWorker} FromWorker */
/**
 * @typedef {object} Solver Exports of the module. Pointers and lengths are in bytes.
 * @property {WebAssembly.Memory} memory
 * @property {(length: number) => number} allocate
 * @property {(pointer: number, length: number) => void} release
 * @property {(pointer: number, length: number) => void} answer Takes a request as JSON.
 * @property {(name: number, nameLength: number, fileBytes: number) => void} offer Says that a table can be read.
 * @property {(pointer: number, length: number) => void} build Runs the build with this number, in decimal digits.
 * @property {(bytes: number) => void} room Says how much can be stored.
 */
/** Additional export of a split solver, for its rest. @typedef {{ '%table': WebAssembly.Table }} FirstPart */

const DIGESTS = new URL('../digests.json', import.meta.url);
/** Folder of the networks by which the solver chooses boards. */
const NETS = new URL('../nets/', import.meta.url);
/** Largest part of a table that is copied at once. */
const PART_BYTES = 8 << 20;
const NO_MEMORY = 'this browser has no room for this request: the memory of a page is limited. Close other pages, or choose smaller tables';
const NOT_LOADED = 'a part of this page cannot be loaded: is there a network?';
const NO_STORAGE = 'this browser has no room to store the table: delete other tables, or choose smaller ones';
const BUSY_FILE = 'another page of this browser is building this table: wait until it has ended';

// The DOM's types know no worker.
const scope = /** @type {{ postMessage: (message: FromWorker, transfer?: Transferable[]) => void, onmessage: unknown }} */ (/** @type {unknown} */ (globalThis));
const Reader = /** @type {new () => { readAsArrayBuffer: (blob: Blob) => ArrayBuffer }} */ (Reflect.get(globalThis, 'FileReaderSync'));
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** @type {Map<string, Blob>} tables by name */
const tables = new Map();
/** @type {import('./protocol.js').StoreKind} */
let store = 'memory';
/** @type {(Solver & FirstPart) | null} */
let solver = null;
/** @type {import('./protocol.js').SolverCode | null} */
let code = null;
let isComplete = false;
/** Expected digests of tables by name, once a build needed them. @type {Record<string, string> | null} */
let digests = null;
/** Text of the last panic. */
let panic = '';
/** Whether answers are dropped. */
let isSilent = false;

/** @param {FromWorker} message @param {Transferable[]} [transfer] */
function post(message, transfer = []) {
  scope.postMessage(message, transfer);
}

function running() {
  if (solver === null) throw new Error('the worker was not started');
  return solver;
}

/** Bytes of the module's memory. Numbers from WebAssembly are signed. @param {number} pointer @param {number} length */
function view(pointer, length) {
  return new Uint8Array(running().memory.buffer, pointer >>> 0, length >>> 0);
}

/** @param {number} pointer @param {number} length */
function textAt(pointer, length) {
  return decoder.decode(view(pointer, length));
}

/** Functions that the module imports from `host`. */
function createHost() {
  return {
    now: () => performance.now(),
    /** @param {number} pointer @param {number} length */
    random(pointer, length) {
      crypto.getRandomValues(view(pointer, length));
    },
    /** @param {number} status @param {number} kind @param {number} kindLength */
    head(status, kind, kindLength) {
      if (!isSilent) post({ type: 'head', status, kind: textAt(kind, kindLength) });
    },
    /** @param {number} pointer @param {number} length */
    chunk(pointer, length) {
      if (isSilent) return;
      const bytes = view(pointer, length).slice();
      post({ type: 'chunk', bytes }, [bytes.buffer]);
    },
    /** @param {number} name @param {number} nameLength @param {number} pointer @param {number} length */
    table(name, nameLength, pointer, length) {
      const file = textAt(name, nameLength);
      if (store === 'files') {
        writeTable(file, view(pointer, length));
        post({ type: 'table', name: file, bytes: null });
      } else {
        const bytes = view(pointer, length).slice();
        post({ type: 'table', name: file, bytes }, [bytes.buffer]);
      }
    },
    /** Copies the first bytes of a file. @param {number} name @param {number} nameLength @param {number} pointer @param {number} length */
    read(name, nameLength, pointer, length) {
      const file = fileNamed(textAt(name, nameLength));
      const size = length >>> 0;
      if (file === undefined || size > file.size) return 0;
      try {
        for (let at = 0; at < size; at += PART_BYTES) {
          const part = new Reader().readAsArrayBuffer(file.slice(at, Math.min(at + PART_BYTES, size)));
          view((pointer >>> 0) + at, part.byteLength).set(new Uint8Array(part));
        }
        return 1;
      } catch {
        // The file was deleted or replaced meanwhile.
        return 0;
      }
    },
    /** @param {number} name @param {number} nameLength @param {number} pointer @param {number} length */
    digest(name, nameLength, pointer, length) {
      const known = digests?.[textAt(name, nameLength)];
      if (known?.length !== length) return 0;
      view(pointer, length).set(encoder.encode(known));
      return 1;
    },
    /** @param {number} pointer @param {number} length */
    log(pointer, length) {
      panic = textAt(pointer, length);
      console.warn(panic);
    },
  };
}

/** The functions that are in the rest of the solver, by their places in the table of functions. */
function createPlaceholders() {
  return new Proxy({}, {
    get: (_, place) => (/** @type {unknown[]} */ ...args) => {
      complete(code?.rest ?? restNow());
      return running()['%table'].get(Number(place))(...args);
    },
  });
}

/** Adds the rest of the solver, which replaces the placeholders. @param {WebAssembly.Module} rest */
function complete(rest) {
  if (isComplete) return;
  new WebAssembly.Instance(rest, { primary: /** @type {any} */ (running()) });
  isComplete = true;
}

class NotLoaded extends Error {}

/** Loads a file while a call waits for it. Returns null if that fails. @param {string | URL} address @returns {ArrayBuffer | null} */
function loadNow(address) {
  const request = new XMLHttpRequest();
  try {
    request.open('GET', address, false);
    request.responseType = 'arraybuffer';
    request.send();
  } catch {
    return null;
  }
  return request.status === 200 ? request.response : null;
}

function restNow() {
  const bytes = loadNow(code?.restAddress ?? '');
  if (bytes === null) throw new NotLoaded(NOT_LOADED);
  const rest = new WebAssembly.Module(bytes);
  post({ type: 'loaded', rest });
  return rest;
}

/** Returns a stored table, or the weights of a network. @param {string} name */
function fileNamed(name) {
  if (!name.endsWith('.order')) return tables.get(name);
  const bytes = loadNow(new URL(name, NETS));
  return bytes === null ? undefined : new Blob([bytes]);
}

/** Calls the module with a text. @param {string} text @param {(pointer: number, length: number) => void} call */
function withText(text, call) {
  const bytes = encoder.encode(text);
  const pointer = running().allocate(bytes.length);
  view(pointer, bytes.length).set(bytes);
  call(pointer, bytes.length);
  running().release(pointer, bytes.length);
}

/** @param {string} name @param {Blob} file */
function offer(name, file) {
  tables.set(name, file);
  withText(name, (pointer, length) => running().offer(pointer, length, file.size));
}

/** @param {import('./protocol.js').Request} request */
function ask(request) {
  withText(JSON.stringify(request), (pointer, length) => running().answer(pointer, length));
}

/** Stores a drawn spec, which another worker has answered already. @param {string} body */
function draw(body) {
  isSilent = true;
  ask({ method: 'POST', url: '/v1/specs', accept: 'application/json', body });
  isSilent = false;
}

/** @param {Extract<ToWorker, { type: 'start' }>} message */
function start({ solver: parts, store: kind, room, tables: stored, specs }) {
  store = kind;
  code = parts;
  const instance = new WebAssembly.Instance(parts.first, { host: createHost(), placeholder: createPlaceholders() });
  solver = /** @type {Solver & FirstPart} */ (/** @type {unknown} */ (instance.exports));
  if (parts.rest !== null) complete(parts.rest);
  solver.room(room);
  for (const { name, file } of stored) offer(name, file);
  for (const body of specs) draw(body);
  post({ type: 'ready' });
}

/** @param {Extract<ToWorker, { type: 'build' }>} message */
async function build({ id, files }) {
  digests ??= await expectedDigests();
  if (store === 'files') await openForWriting(files);
  withText(String(id), (pointer, length) => running().build(pointer, length));
}

/** @returns {Promise<Record<string, string>>} */
async function expectedDigests() {
  // The browser's cache may have the digests of an earlier export.
  const response = await fetch(DIGESTS, { cache: 'no-cache' }).catch(() => null);
  if (!response?.ok) throw new NotLoaded(NOT_LOADED);
  return response.json();
}

/** @param {ToWorker} message */
async function perform(message) {
  if (message.type === 'start') return start(message);
  if (message.type === 'offer') return offer(message.name, message.file);
  if (message.type === 'spec') return draw(message.body);
  if (message.type === 'rest') return complete(message.rest);
  if (message.type === 'ask') ask(message.request);
  else if (message.type === 'build') await build(message);
  else await keepFile(message.name, message.file);
  post({ type: 'done' });
}

/** Returns the message about an error after which the module cannot be used. @param {unknown} error @returns {FromWorker} */
function faultOf(error) {
  const isMemory = error instanceof RangeError && !/call stack/.test(error.message);
  // Rust's allocator ends the program without a word.
  const isAbort = error instanceof WebAssembly.RuntimeError && /unreachable/.test(error.message) && panic === '';
  if (error instanceof DOMException && error.name === 'QuotaExceededError') return { type: 'fault', status: 507, detail: NO_STORAGE };
  if (error instanceof DOMException && error.name === 'NoModificationAllowedError') return { type: 'fault', status: 503, detail: BUSY_FILE };
  if (error instanceof NotLoaded) return { type: 'fault', status: 503, detail: NOT_LOADED };
  if (inWrite()) return { type: 'fault', status: 507, detail: `the table cannot be stored in this browser: ${String(error)}` };
  if (isMemory || isAbort) return { type: 'fault', status: 507, detail: NO_MEMORY };
  return { type: 'fault', status: 500, detail: `the solver failed: ${panic || String(error)}` };
}

/** Messages are performed one after the other. @type {Promise<void>} */
let before = Promise.resolve();

scope.onmessage = (/** @type {MessageEvent<ToWorker>} */ { data }) => {
  before = before.then(() => perform(data)).catch((error) => post(faultOf(error)));
};
