// @ts-check
// Tables that this browser stores: files of the origin (OPFS), or IndexedDB where there are none.

import { folder, hasMagic, whenUnlocked } from './files.js';

/** @typedef {import('./protocol.js').StoredTable} StoredTable */
/** @typedef {import('./protocol.js').StoreKind} StoreKind */
/** @typedef {{ name: string, bytes: number }} TableEntry */
/** @typedef {{ used: number, free: number | null, isPersistent: boolean }} Room bytes; null: the browser does not say */
/**
 * @typedef {object} Tables what the page does with stored tables
 * @property {() => Promise<TableEntry[]>} list
 * @property {(file: File) => Promise<TableEntry>} add
 * @property {(name: string) => Promise<Blob>} file
 * @property {(names: string[]) => Promise<void>} remove
 * @property {() => Promise<Room>} room
 * @property {() => Promise<boolean>} persist
 * @property {(listener: () => void) => () => void} subscribe
 */
/**
 * A place for tables. Only workers write files of the origin.
 * @typedef {object} Store
 * @property {StoreKind} kind
 * @property {() => Promise<StoredTable[]>} list complete tables, by name
 * @property {(name: string, file: Blob) => Promise<void>} put
 * @property {(name: string) => Promise<void>} remove
 */

const DATABASE = 'tilebase';
const TABLES = 'tables';
const HEADER_BYTES = 4096;
const FILE_BYTES_OFFSET = 104;

/**
 * The best place that this browser has.
 * @param {(name: string, file: Blob) => Promise<void>} keepFile writes a file of the origin, in a worker
 * @returns {Promise<Store>}
 */
export async function openStore(keepFile) {
  // Both are missing in some private windows, and where the person forbids storage.
  return await openFiles(keepFile).catch(() => null) ?? await openDatabase().catch(() => null) ?? openMemory();
}

/** @param {(name: string, file: Blob) => Promise<void>} keepFile @returns {Promise<Store>} */
async function openFiles(keepFile) {
  const there = await folder();
  const list = async () => {
    /** @type {StoredTable[]} */
    const found = [];
    for await (const [name, handle] of there.entries()) {
      if (!(handle instanceof FileSystemFileHandle)) continue;
      const file = await handle.getFile();
      if (await hasMagic(file)) found.push({ name, file });
    }
    return found.sort(byName);
  };
  const remove = (/** @type {string} */ name) => whenUnlocked(() => there.removeEntry(name));
  void sweep(there);
  return { kind: 'files', list, put: keepFile, remove };
}

/** Removes what stopped builds left behind. The files of running builds are locked. @param {FileSystemDirectoryHandle} there */
async function sweep(there) {
  for await (const [name, handle] of there.entries()) {
    if (!(handle instanceof FileSystemFileHandle)) continue;
    try {
      if (!await hasMagic(await handle.getFile())) await there.removeEntry(name);
    } catch { /* it is locked, or was removed */ }
  }
}

/** @returns {Promise<Store>} */
async function openDatabase() {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(TABLES);
  const database = await settled(opening);
  /** @param {IDBTransactionMode} mode */
  const all = (mode) => database.transaction(TABLES, mode).objectStore(TABLES);
  return {
    kind: 'database',
    async list() {
      const objects = all('readonly');
      const [names, files] = await Promise.all([settled(objects.getAllKeys()), settled(objects.getAll())]);
      return names.map((name, at) => ({ name: String(name), file: files[at] })).sort(byName);
    },
    put: (name, file) => settled(all('readwrite').put(file, name)).then(() => undefined),
    remove: (name) => settled(all('readwrite').delete(name)),
  };
}

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
function settled(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** @returns {Store} */
function openMemory() {
  /** @type {Map<string, Blob>} */
  const files = new Map();
  return {
    kind: 'memory',
    list: async () => [...files].map(([name, file]) => ({ name, file })).sort(byName),
    put: async (name, file) => { files.set(name, file); },
    remove: async (name) => { files.delete(name); },
  };
}

/** @param {StoredTable} a @param {StoredTable} b */
function byName(a, b) {
  return a.name < b.name ? -1 : 1;
}

/** Returns the space that the browser allows. @returns {Promise<Room>} */
export async function room() {
  const { usage, quota } = await navigator.storage?.estimate?.() ?? {};
  const isPersistent = await navigator.storage?.persisted?.() ?? false;
  return { used: usage ?? 0, free: quota === undefined ? null : Math.max(0, quota - (usage ?? 0)), isPersistent };
}

/** Asks the browser to keep the tables when the disk is nearly full. @returns {Promise<boolean>} */
export async function persist() {
  return await navigator.storage?.persist?.() ?? false;
}

/** The name of a table under which the solver looks for it: browsers number copies of a download. @param {string} name */
export function tableName(name) {
  return name.replace(/ ?\(\d+\)(?=\.pdb$)/, '');
}

/**
 * Checks the parts of a file that say whether it is a whole table. Digests are checked when the table is used.
 * @param {File} file
 */
export async function checkTable(file) {
  if (!/^[\w-]+\.pdb$/.test(tableName(file.name))) throw new Error(`“${file.name}” is not the name of a table: it ends with .pdb`);
  if (file.size < HEADER_BYTES || !await hasMagic(file)) throw new Error(`“${file.name}” is no table.`);
  const header = new DataView(await file.slice(0, HEADER_BYTES).arrayBuffer());
  const bytes = header.getBigUint64(FILE_BYTES_OFFSET, true);
  if (bytes !== BigInt(file.size)) throw new Error(`“${file.name}” is not complete: it has ${file.size} of ${bytes} bytes.`);
}
