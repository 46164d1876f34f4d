// @ts-check
// Builds on the server, shown while they run.

import { isOver } from '../../api.js';
import { followBuild } from '../../builds.js';
import { button, el, formatCount, formatSeconds, say } from '../../dom.js';

/** @typedef {import('../../builds.js').TableBuild} TableBuild */
/** @typedef {import('../../builds.js').Build} Build */
/** @typedef {typeof import('../../api.js')} Api */
/**
 * @typedef {object} BuildHooks
 * @property {(file: string) => string} nameOf name of a table
 * @property {(spec: string) => string} labelOf
 * @property {() => void} onBegin
 * @property {(build: Build) => void} onEnd
 * @property {(allowed: boolean) => void} onAllowed
 * @property {(text: string) => void} announce
 */

/** @type {Record<string, string>} */
const STAGES = { search: 'searching', pack: 'packing', write: 'writing', check: 'checking', sync: 'saving' };
/** @type {Record<Build['status'], string>} */
const STATUS = { queued: 'waits for its turn', running: 'is being built', done: 'is built', failed: 'failed', cancelled: 'was cancelled' };

/**
 * Creates the list of builds, which follows running and new ones.
 * @param {Api} api @param {BuildHooks} hooks
 */
export function createBuilds(api, hooks) {
  const element = el('div', { class: 'pt-builds stack', tabindex: -1 });
  const stop = new AbortController();
  /** @type {Map<number, ReturnType<typeof createCard>>} */
  const cards = new Map();
  /** @type {Set<number>} */
  const followed = new Set();

  /** @param {Build} build */
  function show(build) {
    let card = cards.get(build.id);
    if (!card) {
      card = createCard(hooks, () => void cancel(build.id), () => dismiss(build.id));
      cards.set(build.id, card);
      element.prepend(card.element);
    }
    card.update(build);
  }

  /** @param {number} id */
  function dismiss(id) {
    cards.get(id)?.element.remove();
    cards.delete(id);
    element.focus();
  }

  /** @param {Build} build */
  async function follow(build) {
    if (followed.has(build.id)) return;
    followed.add(build.id);
    show(build);
    hooks.onBegin();
    const last = await followBuild(api, build, {
      signal: stop.signal, onChange: show, onTrouble: (text) => cards.get(build.id)?.say(text),
    });
    followed.delete(build.id);
    if (isOver(last) && !stop.signal.aborted) hooks.onEnd(last);
  }

  /** @param {number} id */
  async function cancel(id) {
    try {
      // The answer is not shown: it may come after the last event, but is older. Every card follows its build.
      await api.remove(`/v1/builds/${id}`);
    } catch (error) {
      cards.get(id)?.say(api.detailOf(error));
    }
  }

  return {
    element,
    /** Shows the builds that are running. */
    async open() {
      try {
        const { allowed, builds } = await api.get('/v1/builds', {}, { signal: stop.signal });
        hooks.onAllowed(allowed);
        for (const build of builds) if (!isOver(build)) void follow(build);
      } catch (error) {
        if (!stop.signal.aborted) element.append(el('p', { class: 'problem' }, api.detailOf(error)));
      }
    },
    /** @param {string} spec */
    async start(spec) {
      const build = await api.post('/v1/builds', JSON.stringify({ spec }), 'application/json');
      hooks.announce(`The build of ${hooks.labelOf(spec)} begins.`);
      void follow(build);
    },
    isBuilding: (/** @type {string} */ spec) => [...cards.values()].some((card) => card.isBuilding(spec)),
    close: () => stop.abort(),
  };
}

/** @param {BuildHooks} hooks @param {() => void} onCancel @param {() => void} onDismiss */
function createCard(hooks, onCancel, onDismiss) {
  const title = el('strong', {});
  const time = el('span', { class: 'muted' });
  const share = el('progress', { class: 'meter', max: 1, value: 0, 'aria-label': 'Build' });
  const line = el('p', { class: 'muted small', hidden: true });
  const note = el('p', { class: 'problem', hidden: true });
  const cancel = button('Cancel', () => {
    // Packing takes a moment to stop.
    cancel.textContent = 'Cancelling …';
    onCancel();
  }, { class: 'quiet' });
  const dismiss = button('Close', onDismiss, { class: 'quiet', hidden: true });
  const element = el('section', { class: 'pt-build card', 'aria-label': 'Build' },
    el('div', { class: 'pt-build-head' }, title, time, cancel, dismiss), share, line, note);
  /** @type {Build | null} */
  let before = null;

  /** @param {Build} build */
  function update(build) {
    title.textContent = `${hooks.labelOf(build.spec)} ${STATUS[build.status]}`;
    time.textContent = formatSeconds(build.seconds);
    share.value = build.status === 'done' ? 1 : build.share;
    const running = build.tables.find(({ status }) => status === 'running');
    say(line, running ? `${hooks.nameOf(running.file)}: ${wordsOf(running)}` : '');
    const hadFocus = document.activeElement === cancel;
    cancel.hidden = isOver(build);
    dismiss.hidden = !isOver(build);
    if (hadFocus && isOver(build)) dismiss.focus();
    say(note, build.error ?? '');
    tell(build);
    before = build;
  }

  /** Announces the end of a table or of the build to screen readers. @param {Build} build */
  function tell(build) {
    build.tables.forEach((table, at) => {
      const was = before?.tables[at]?.status;
      if (table.status === 'done' && was !== undefined && was !== 'done') hooks.announce(`${hooks.nameOf(table.file)} is built.`);
    });
    if (before && !isOver(before) && isOver(build)) hooks.announce(`${hooks.labelOf(build.spec)} ${STATUS[build.status]}.`);
  }

  return {
    element, update, say: (/** @type {string} */ text) => say(note, text),
    isBuilding: (/** @type {string} */ spec) => before !== null && before.spec === spec && !isOver(before),
  };
}

/** Tells how far a table is. @param {TableBuild} table */
function wordsOf(table) {
  const stage = table.stage === null ? 'begins' : STAGES[table.stage] ?? table.stage;
  const level = table.level === null ? '' : `, level ${table.level}`;
  return `${stage}${level} · ${formatCount(table.done)} of ${formatCount(table.total)} entries${table.seconds > 0 ? ` · ${formatSeconds(table.seconds)}` : ''}`;
}
