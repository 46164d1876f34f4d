// @ts-check
// The button of an exported page that shows the tables of this browser. Their list is loaded when it is first opened.

import { button } from '../dom.js';

/** Takes table files that are dropped, too. @param {import('./tables.js').Tables} tables */
export function createPlace(tables) {
  const tableView = async () => (await import('./table-view.js')).tableView(tables);
  takeDrops((files) => void tableView().then(({ drop }) => drop(files)));
  return button('This browser', () => void tableView().then(({ open }) => open()), {
    class: 'quiet', title: 'This browser searches, and keeps the tables: no server is needed. Press to see the tables.',
  });
}

/** Takes files that are dropped anywhere on the page. @param {(files: File[]) => void} onFiles */
function takeDrops(onFiles) {
  const isFiles = (/** @type {DragEvent} */ { dataTransfer }) => dataTransfer?.types.includes('Files') === true;
  window.addEventListener('dragover', (event) => {
    if (isFiles(event)) event.preventDefault();
  });
  window.addEventListener('drop', (event) => {
    if (event.defaultPrevented || !isFiles(event)) return;
    event.preventDefault();
    onFiles([...event.dataTransfer?.files ?? []]);
  });
}
