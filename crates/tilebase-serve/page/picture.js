// @ts-check
// The user's picture on the tiles. It is cropped and stored here, and never leaves the browser.

import { isSameShape } from './board.js';
import { keepText, loadText } from './storage.js';

/** @typedef {ReturnType<typeof createPicture>} Picture */

const SIDE_MAX_PX = 1200;
const KEPT = 'tilebase-picture';

/**
 * Returns the style of a tile's piece of the picture.
 * @param {string} url @param {{ rows: number, cols: number }} shape @param {number} home
 */
export function pieceOf(url, { rows, cols }, home) {
  const share = (/** @type {number} */ at, /** @type {number} */ count) => `${(at / (count - 1)) * 100}%`;
  return {
    'background-image': `url("${url}")`, 'background-size': `${cols * 100}% ${rows * 100}%`,
    'background-position': `${share(home % cols, cols)} ${share(Math.floor(home / cols), rows)}`,
  };
}

/** @param {import('./store.js').Store} store @param {() => void} onChange */
export function createPicture(store, onChange) {
  /** @type {ImageBitmap | null} */
  let bitmap = null;
  /** @type {string | null} */
  let url = null;
  let crops = 0;

  /** @param {string | null} next */
  function show(next) {
    if (url !== null) URL.revokeObjectURL(url);
    url = next;
    onChange();
  }

  async function crop() {
    if (bitmap === null) return;
    const mine = crops += 1;
    const next = URL.createObjectURL(await cropped(bitmap, store.state.board));
    // The picture or the shape may have changed meanwhile.
    if (mine === crops && bitmap !== null) show(next);
    else URL.revokeObjectURL(next);
  }

  store.subscribe((state, before) => {
    if (!isSameShape(state.board, before.board)) void crop();
  });

  async function restore() {
    try {
      const text = loadText(KEPT);
      if (!text) return;
      const image = new Image();
      image.src = text;
      await image.decode();
      bitmap ??= await createImageBitmap(image);
      await crop();
    } catch { /* then the tiles have numbers */ }
  }

  void restore();

  return {
    get url() { return url; },
    /** @param {File} file */
    async choose(file) {
      try {
        bitmap = await createImageBitmap(file);
      } catch {
        throw new Error(`“${file.name}” is no picture that this browser can show. Choose a PNG, JPEG or WebP file.`);
      }
      keep(bitmap);
      await crop();
    },
    clear() {
      bitmap = null;
      keep(null);
      show(null);
    },
  };
}

// Stores the whole picture, because boards of other shapes show other parts of it.
/** @param {ImageBitmap | null} bitmap */
function keep(bitmap) {
  keepText(KEPT, bitmap === null ? '' : middleOf(bitmap, bitmap.width, bitmap.height).toDataURL('image/jpeg', 0.85));
}

/** Draws the middle of a picture, scaled down if it is large. @param {ImageBitmap} bitmap @param {number} width @param {number} height */
function middleOf(bitmap, width, height) {
  const scale = Math.min(1, SIDE_MAX_PX / Math.max(width, height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const context = canvas.getContext('2d');
  context?.drawImage(bitmap, (bitmap.width - width) / 2, (bitmap.height - height) / 2, width, height,
    0, 0, canvas.width, canvas.height);
  return canvas;
}

/**
 * Crops a picture to the shape of the board.
 * @param {ImageBitmap} bitmap @param {{ rows: number, cols: number }} shape @returns {Promise<Blob>}
 */
function cropped(bitmap, shape) {
  const cell = Math.min(bitmap.width / shape.cols, bitmap.height / shape.rows);
  const canvas = middleOf(bitmap, cell * shape.cols, cell * shape.rows);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture cannot be cropped.'))), 'image/jpeg', 0.9);
  });
}
