// @ts-check
// The back end without a server: workers of this browser, and the tables that it stores.

import { createListeners } from '../listeners.js';
import { createBuilders } from './builders.js';
import { createLanes, send } from './lanes.js';
import { openStore, checkTable, persist, room, tableName } from './tables.js';

/** @typedef {import('../backend.js').Backend} Backend */
/** @typedef {import('./protocol.js').Request} Request */
/** @typedef {import('./protocol.js').FromWorker} FromWorker */

const SCRIPT = new URL('./worker.js', import.meta.url);
const CHANNEL = 'tilebase-tables';
/** Number of drawn specs that new workers receive. A server stores the same number. */
const SPECS_MAX = 256;
/** Room for tables where the browser does not say how much there is. */
const ROOM_UNKNOWN_BYTES = 1e12;

/**
 * @param {string} address of the first part of the compiled solver @param {string | null} restAddress of the rest
 * @returns {Promise<Backend>}
 */
export async function createBrowserBackend(address, restAddress) {
  const [first, store] = await Promise.all([compiled(address), openStore(keepFile)]);
  /** @type {WebAssembly.Module | null} */
  let rest = null;
  let isLoading = false;
  /** @type {Map<string, Blob>} tables by name */
  const stored = new Map();
  /** @type {Set<string>} bodies of drawn specs */
  const specs = new Set();
  const { add: subscribe, tell } = createListeners();
  let free = ROOM_UNKNOWN_BYTES;
  const channel = new BroadcastChannel(CHANNEL);
  const lanes = createLanes(startWorker);
  const builders = createBuilders({ startWorker, keep });
  // Another page of this browser has stored or removed tables.
  channel.onmessage = () => void refresh();
  await refresh();
  // Tables are read by the rest of the solver alone.
  if (stored.size > 0) await loadRest();

  /** Loads the rest of the solver. If that fails, a worker that needs it loads it. */
  async function loadRest() {
    if (restAddress === null || rest !== null || isLoading) return;
    isLoading = true;
    const loaded = await compiled(restAddress).catch(() => null);
    isLoading = false;
    if (loaded !== null) complete(loaded);
  }

  /** @param {WebAssembly.Module} loaded */
  function complete(loaded) {
    if (rest !== null) return;
    rest = loaded;
    lanes.tell({ type: 'rest', rest });
  }

  function startWorker() {
    const worker = new Worker(SCRIPT, { type: 'module', name: 'tilebase' });
    const tables = [...stored].map(([name, file]) => ({ name, file }));
    worker.addEventListener('message', (/** @type {MessageEvent<FromWorker>} */ { data }) => {
      if (data.type === 'loaded') complete(data.rest);
    });
    send(worker, { type: 'start', solver: { first, rest, restAddress }, store: store.kind, room: free, tables, specs: [...specs] });
    return worker;
  }

  /** Reads the store again, and tells workers and listeners of changes. */
  async function refresh() {
    const [found, { free: left }] = await Promise.all([store.list(), room()]);
    free = left ?? ROOM_UNKNOWN_BYTES;
    const isRemoved = [...stored.keys()].some((name) => !found.some((table) => table.name === name));
    const added = found.filter(({ name, file }) => stored.get(name)?.size !== file.size);
    stored.clear();
    for (const { name, file } of found) stored.set(name, file);
    if (isRemoved) lanes.restart();
    else for (const { name, file } of added) offer(name, file);
    if (isRemoved || added.length > 0) tell();
  }

  /** @param {string} name @param {Blob} file */
  function offer(name, file) {
    lanes.tell({ type: 'offer', name, file });
    builders.offer(name, file);
  }

  /** A builder has made a table. @param {string} name @param {Uint8Array<ArrayBuffer> | null} bytes null: it is stored */
  async function keep(name, bytes) {
    if (bytes !== null) await store.put(name, new Blob([bytes]));
    await changed();
  }

  async function changed() {
    channel.postMessage(null);
    await refresh();
  }

  /** @param {string} url @param {RequestInit} init @returns {Promise<Response>} */
  async function fetch(url, init) {
    const { path, query } = partsOf(url);
    const method = init.method ?? 'GET';
    /** @type {Request} */
    const request = {
      method, url: path + query, accept: new Headers(init.headers).get('accept') ?? '*/*', body: typeof init.body === 'string' ? init.body : '',
    };
    const signal = init.signal ?? undefined;
    // Browsers may delete the tables of unused pages, unless the page asks them not to.
    if (path === '/v1/builds' && method === 'POST') void persist().catch(() => false);
    const ofBuilds = builders.answer(request, path, signal);
    if (ofBuilds !== null) return ofBuilds;
    const response = await lanes.ask(request, signal);
    // The page is in use: the rest can be loaded in the background.
    void loadRest();
    if (method === 'POST' && path === '/v1/specs' && response.ok) remember(request.body);
    return response;
  }

  /** @param {string} body of a spec, which only one worker knows so far */
  function remember(body) {
    specs.delete(body);
    specs.add(body);
    const [oldest] = specs;
    if (specs.size > SPECS_MAX) specs.delete(oldest);
    lanes.tell({ type: 'spec', body });
  }

  /** @param {string} name */
  async function file(name) {
    const found = stored.get(name);
    if (!found) throw new Error(`There is no table ${name} in this browser.`);
    return found;
  }

  /** @param {string[]} names */
  async function remove(names) {
    await Promise.all(names.map((name) => store.remove(name)));
    await changed();
  }

  return {
    place: 'browser',
    fetch,
    unreachable: 'A part of this page cannot be loaded. Is there a network?',
    tables: {
      list: async () => [...stored].map(([name, { size }]) => ({ name, bytes: size })),
      async add(file) {
        await checkTable(file);
        const name = tableName(file.name);
        await store.put(name, file);
        await changed();
        // The solver reads the header: a table under another name than its own is not listed.
        const response = await fetch('/v1/tables', { headers: { accept: 'application/json' } });
        const { tables } = await response.json();
        if (!tables.some((/** @type {{ file: string }} */ table) => table.file === name)) {
          await remove([name]);
          throw new Error(`“${file.name}” cannot be read as a table of this name.`);
        }
        return { name, bytes: file.size };
      },
      file, remove, room, persist, subscribe,
    },
  };
}

/** @param {string} address @returns {Promise<WebAssembly.Module>} */
async function compiled(address) {
  const response = await fetch(address);
  if (!response.ok) throw new TypeError(`${address}: status ${response.status}`);
  // Some hosts do not know the type of the file.
  const isTyped = response.headers.get('content-type') === 'application/wasm';
  return isTyped ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

/** Writes a file of the origin in a worker. @param {string} name @param {Blob} file @returns {Promise<void>} */
function keepFile(name, file) {
  const worker = new Worker(SCRIPT, { type: 'module', name: 'tilebase' });
  /** @type {Promise<void>} */
  const kept = new Promise((resolve, reject) => {
    worker.onmessage = (/** @type {MessageEvent<FromWorker>} */ { data }) => {
      if (data.type === 'done') resolve();
      else if (data.type === 'fault') reject(new Error(data.detail));
    };
    worker.onerror = () => reject(new Error('The worker that stores tables cannot be loaded.'));
  });
  send(worker, { type: 'keep', name, file });
  return kept.finally(() => worker.terminate());
}

/** Path and query of an address as a server would see it: the page may be below any folder. @param {string} url */
function partsOf(url) {
  const folder = new URL('.', document.baseURI).href;
  const below = url.startsWith(folder) ? `/${url.slice(folder.length)}` : url;
  const { pathname, search } = new URL(below, 'http://page');
  return { path: pathname, query: search };
}
