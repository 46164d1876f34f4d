// @ts-check
// The large view: only the board, on the full screen if the browser allows it.

import { isTextField, svg } from './dom.js';
import { useStyles } from './views/styles.js';

/** Path of the icon, which many fonts lack. */
const CORNERS = 'M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4';

/** @param {HTMLElement} toggle @param {(text: string) => void} announce */
export function createLarge(toggle, announce) {
  const root = document.documentElement;
  /** Whether the page itself has left the full screen. The large view may be on again when the event comes. */
  let isLeaving = false;
  toggle.append(svg('svg', { viewBox: '0 0 16 16', width: 17, height: 17, fill: 'none', stroke: 'currentcolor', 'stroke-width': 1.8, 'aria-hidden': 'true' },
    svg('path', { d: CORNERS })));
  toggle.title = 'Large view (F)';
  toggle.setAttribute('aria-label', 'Large view');
  toggle.setAttribute('aria-pressed', 'false');
  toggle.addEventListener('click', flip);
  document.addEventListener('fullscreenchange', onFullscreen);
  document.addEventListener('keydown', onKey);

  function isLarge() {
    return root.dataset.large !== undefined;
  }

  function flip() {
    const wanted = !isLarge();
    set(wanted);
    // If the browser refuses, the view fills the window.
    if (wanted) void root.requestFullscreen?.().catch(() => {});
    else if (document.fullscreenElement !== null) {
      isLeaving = true;
      void document.exitFullscreen().catch(() => {});
    }
    announce(wanted ? 'Large view.' : 'Usual view.');
  }

  function onFullscreen() {
    if (document.fullscreenElement !== null) return;
    if (!isLeaving) set(false);
    isLeaving = false;
  }

  /** @param {boolean} wanted */
  function set(wanted) {
    useStyles('views/later.css');
    root.toggleAttribute('data-large', wanted);
    toggle.setAttribute('aria-pressed', String(wanted));
  }

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const isF = event.key.toLowerCase() === 'f' && !isTextField(event.target);
    if (!isF && !(event.key === 'Escape' && isLarge())) return;
    event.preventDefault();
    flip();
  }
}
