// @ts-check
// Tables as files of the origin (OPFS). Workers write them, since only they have handles without promises.
//
// A table is written from its 9th byte, then its first 8. So a file that a stopped build left behind has no magic,
// and counts as absent.

/**
 * Of `FileSystemSyncAccessHandle`, which the DOM's types lack.
 * @typedef {{ write: (bytes: ArrayBufferView, options: { at: number }) => number, truncate: (size: number) => void, flush: () => void, close: () => void }} Handle
 */

const FOLDER = 'tilebase';
const MAGIC = 'TILEBASE';
const PART_BYTES = 8 << 20;
/** Browsers take up to two seconds to end a worker that computes; its files are locked until then. */
const LOCK_MS = 4000;
const RETRY_MS = 100;

/** @type {Map<string, Handle>} handles that a build will write to, by the name of the table */
const handles = new Map();
let isWriting = false;

/** Whether the last write failed. */
export function inWrite() {
  return isWriting;
}

/** The folder of tables. @returns {Promise<FileSystemDirectoryHandle>} */
export async function folder() {
  const root = await navigator.storage.getDirectory();
  return root.getDirectoryHandle(FOLDER, { create: true });
}

/** Whether a file begins as a table does. @param {Blob} file */
export async function hasMagic(file) {
  return await file.slice(0, MAGIC.length).text() === MAGIC;
}

/** Repeats what another worker's lock prevents. @template T @param {() => Promise<T>} action @returns {Promise<T>} */
export async function whenUnlocked(action) {
  for (const end = performance.now() + LOCK_MS; ;) {
    try {
      return await action();
    } catch (error) {
      const isLocked = error instanceof DOMException && error.name === 'NoModificationAllowedError';
      if (!isLocked || performance.now() > end) throw error;
      await new Promise((resolve) => { setTimeout(resolve, RETRY_MS); });
    }
  }
}

/** Opens files for tables that a build will make. @param {string[]} names */
export async function openForWriting(names) {
  const there = await folder();
  for (const name of names) {
    const file = await there.getFileHandle(name, { create: true });
    // @ts-expect-error: only workers have it.
    handles.set(name, await whenUnlocked(() => file.createSyncAccessHandle()));
  }
}

/** Begins to write a file that was opened. @param {string} name */
function begin(name) {
  const handle = handles.get(name);
  if (handle === undefined) throw new Error(`no file was opened for ${name}`);
  handles.delete(name);
  isWriting = true;
  handle.truncate(0);
  return handle;
}

/** @param {string} name @param {Uint8Array} bytes */
export function writeTable(name, bytes) {
  const handle = begin(name);
  for (let at = MAGIC.length; at < bytes.length; at += PART_BYTES) {
    put(handle, bytes.subarray(at, Math.min(at + PART_BYTES, bytes.length)), at);
  }
  finish(handle, bytes.subarray(0, MAGIC.length));
}

/** @param {string} name @param {Blob} file */
export async function keepFile(name, file) {
  await openForWriting([name]);
  const handle = begin(name);
  for (let at = MAGIC.length; at < file.size; at += PART_BYTES) {
    put(handle, new Uint8Array(await file.slice(at, at + PART_BYTES).arrayBuffer()), at);
  }
  finish(handle, new Uint8Array(await file.slice(0, MAGIC.length).arrayBuffer()));
}

/** @param {Handle} handle @param {Uint8Array} bytes @param {number} at */
function put(handle, bytes, at) {
  const written = handle.write(bytes, { at });
  if (written !== bytes.length) throw new DOMException('The storage is full.', 'QuotaExceededError');
}

/** @param {Handle} handle @param {Uint8Array} magic */
function finish(handle, magic) {
  handle.flush();
  put(handle, magic, 0);
  handle.flush();
  handle.close();
  isWriting = false;
}
