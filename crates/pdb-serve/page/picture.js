// @ts-check
// A picture of the person's own on the tiles. It is cropped here, and never leaves the browser.

/** @typedef {ReturnType<typeof createPicture>} Picture */

const SIDE_MAX_PX = 1200;

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
    // A second picture or shape may have overtaken this one.
    if (mine === crops && bitmap !== null) show(next);
    else URL.revokeObjectURL(next);
  }

  store.subscribe((state, before) => {
    const isSameShape = state.board.rows === before.board.rows && state.board.cols === before.board.cols;
    if (!isSameShape) void crop();
  });

  return {
    get url() { return url; },
    /** @param {File} file */
    async choose(file) {
      try {
        bitmap = await createImageBitmap(file);
      } catch {
        throw new Error(`“${file.name}” is no picture that this browser can show.`);
      }
      await crop();
    },
    clear() {
      bitmap = null;
      show(null);
    },
  };
}

/**
 * The middle of a picture, in the shape of the board.
 * @param {ImageBitmap} bitmap @param {{ rows: number, cols: number }} shape @returns {Promise<Blob>}
 */
function cropped(bitmap, shape) {
  const cell = Math.min(bitmap.width / shape.cols, bitmap.height / shape.rows);
  const [width, height] = [cell * shape.cols, cell * shape.rows];
  const scale = Math.min(1, SIDE_MAX_PX / Math.max(width, height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const context = canvas.getContext('2d');
  context?.drawImage(bitmap, (bitmap.width - width) / 2, (bitmap.height - height) / 2, width, height,
    0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture cannot be cropped.'))), 'image/jpeg', 0.9);
  });
}
