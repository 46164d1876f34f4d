// @ts-check
// The service worker of an exported page: it keeps all files of the page, so that the page works without a network.
// `cargo xtask web` puts two constants before this text: a digest of the files, and their names.

/** @type {string} */
// @ts-expect-error: see above.
const version = VERSION;
/** @type {string[]} */
// @ts-expect-error: see above.
const files = FILES;
// The DOM's types know no service worker.
const scope = /** @type {any} */ (globalThis);
/** @type {string} */
const home = scope.registration.scope;
/** Caches belong to the origin, which may have several exported pages. */
const prefix = `tilebase-page ${home} `;
const cacheName = prefix + version;

scope.addEventListener('install', (/** @type {any} */ event) => event.waitUntil(install()));
scope.addEventListener('activate', (/** @type {any} */ event) => event.waitUntil(activate()));
scope.addEventListener('message', (/** @type {any} */ event) => event.waitUntil(replaceOld()));
scope.addEventListener('fetch', (/** @type {any} */ event) => {
  const { method, url } = event.request;
  if (method !== 'GET' || !url.startsWith(home)) return;
  const name = url.slice(home.length).split('#')[0] || 'index.html';
  if (files.includes(name)) event.respondWith(keptFile(name, event.request));
});

async function install() {
  const cache = await caches.open(cacheName);
  // The browser's other cache may have files of an earlier export.
  await cache.addAll(files.map((file) => new Request(file, { cache: 'reload' })));
}

async function activate() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(prefix) && name !== cacheName);
  await Promise.all(old.map((name) => caches.delete(name)));
  await scope.clients.claim();
}

/** A page that has just been opened asks for the new version. Others go on with the version that they began with. */
async function replaceOld() {
  const pages = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const ours = pages.filter((/** @type {{ url: string }} */ { url }) => url.startsWith(home));
  if (ours.length < 2) await scope.skipWaiting();
}

/** @param {string} name @param {Request} request @returns {Promise<Response>} */
async function keptFile(name, request) {
  const cache = await caches.open(cacheName);
  return await cache.match(name) ?? fetch(request);
}
