// @ts-check
// Keeps an exported page for times without a network.

const SCRIPT = 'offline.js';

/** Registers the service worker. A new version takes over when the page is opened, before anything is done. */
export async function keepPage() {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  const hadWorker = serviceWorker.controller !== null;
  const registration = await serviceWorker.register(new URL(SCRIPT, document.baseURI));
  const { waiting } = registration;
  if (!hadWorker || !waiting) return;
  serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
  waiting.postMessage('replace');
}
