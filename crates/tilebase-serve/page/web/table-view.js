// @ts-check
// "Tables in this browser": what is stored, how much room there is, and files that come and go.

import { attempt } from '../api.js';
import { announce, button, el, figureTable, fill, formatBytes, plural } from '../dom.js';
import { fileButton, saveFile } from '../views/user-files.js';
import { useStyles } from '../views/styles.js';

/** @typedef {import('./tables.js').Tables} Tables */

/** @type {ReturnType<typeof createTableView> | null} */
let view = null;

/** Returns the view, which is made once. @param {Tables} tables */
export function tableView(tables) {
  view ??= createTableView(tables);
  return view;
}

/** @param {Tables} tables */
function createTableView(tables) {
  useStyles('views/later.css');
  const list = el('div', { class: 'stack' });
  const said = el('p', { class: 'small', role: 'status' });
  const problem = el('p', { class: 'problem', role: 'alert', hidden: true });
  const files = fileButton('Add a file', { accept: '.pdb', multiple: true, 'aria-label': 'Table files' }, add);
  const close = button('Close', () => element.close());
  const element = el('dialog', { class: 'table-view', 'aria-labelledby': 'table-view-title' },
    el('div', { class: 'stack' },
      el('h2', { id: 'table-view-title' }, 'Tables in this browser'),
      el('p', { class: 'small' }, 'This page needs no server: it builds and stores tables itself. Drop .pdb files of another computer onto the page to add them.'),
      list, problem, said, el('div', { class: 'row' }, files, close)));

  async function show() {
    const [entries, { used, free, isPersistent }] = await Promise.all([tables.list(), tables.room()]);
    const total = entries.reduce((sum, { bytes }) => sum + bytes, 0);
    fill(list, entries.length === 0 ? el('p', { class: 'muted' }, 'No tables are stored yet.') : tableOf(entries),
      el('p', { class: 'small' }, `${plural(entries.length, 'table')}, ${formatBytes(total)}. This page uses ${formatBytes(used)}`,
        free === null ? '.' : ` and has room for ${formatBytes(free)} more.`),
      isPersistent && el('p', { class: 'small' }, 'The browser keeps the tables until you delete them.'),
      el('div', { class: 'row' }, !isPersistent && button('Keep them when the disk is nearly full', () => void persist()),
        entries.length > 1 && button('Delete all', () => void remove(entries.map(({ name }) => name)), { class: 'quiet' })));
  }

  /** @param {import('./tables.js').TableEntry[]} entries */
  function tableOf(entries) {
    const rows = entries.map(({ name, bytes }) => [name, formatBytes(bytes), el('div', { class: 'row' },
      button('Save', () => void save(name), { class: 'quiet', 'aria-label': `Save ${name}` }),
      button('Delete', () => void remove([name]), { class: 'quiet', 'aria-label': `Delete ${name}` }))]);
    return el('div', { class: 'scrolls' }, figureTable(['Table', 'Size', el('span', { class: 'hidden-text' }, 'Actions')], rows));
  }

  /** Does something, and says what came of it. @param {() => Promise<string>} work */
  async function perform(work) {
    let result = '';
    await attempt(problem, async () => { result = await work(); });
    said.textContent = result;
    await show();
  }

  /** @param {string} name */
  function save(name) {
    return perform(async () => {
      saveFile(await tables.file(name), name);
      return `${name} is saved.`;
    });
  }

  /** @param {string[]} names */
  async function remove(names) {
    await perform(async () => {
      await tables.remove(names);
      return names.length === 1 ? `${names[0]} is deleted.` : `${plural(names.length, 'table')} are deleted.`;
    });
    close.focus();
  }

  function persist() {
    return perform(async () => (await tables.persist() ? 'The browser keeps the tables.'
      : 'The browser does not promise it. It may do so once you use the page more often, or install it.'));
  }

  /** @param {File[]} files */
  function add(files) {
    return perform(async () => {
      for (const one of files) {
        said.textContent = `${one.name} is being added.`;
        await tables.add(one);
      }
      return files.length === 1 ? `${files[0].name} is added.` : `${plural(files.length, 'table')} are added.`;
    });
  }

  function open() {
    if (!element.isConnected) document.body.append(element);
    if (!element.open) element.showModal();
    void show();
  }

  tables.subscribe(() => { if (element.open) void show(); });
  return {
    open,
    /** Takes files that were dropped onto the page. @param {File[]} files */
    async drop(files) {
      open();
      await add(files);
      announce(said.textContent || problem.textContent || '');
    },
  };
}
