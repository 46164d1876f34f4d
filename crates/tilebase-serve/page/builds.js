// @ts-check
// Builds of tables on the server, followed until they end.

import { isOver } from './api.js';

/** @typedef {{ file: string, description: string, status: 'waiting' | 'running' | 'done' | 'there', stage: string | null, level: number | null, done: number, total: number, seconds: number }} TableBuild */
/** @typedef {{ id: number, spec: string, status: 'queued' | 'running' | 'done' | 'failed' | 'cancelled', tables: TableBuild[], share: number, seconds: number, error: string | null }} Build */
/** @typedef {typeof import('./api.js')} Api */

const POLL_MS = 1000;
const FAILURES_MAX = 5;

/**
 * Follows a build until it ends, and resolves with its last state. Repeats the request a few times if the connection
 * breaks.
 * @param {Api} api @param {Build} build
 * @param {{ signal: AbortSignal, onChange: (build: Build) => void, onTrouble: (text: string) => void }} options
 * @returns {Promise<Build>}
 */
export async function followBuild(api, build, { signal, onChange, onTrouble }) {
  let last = build;
  const told = (/** @type {Build} */ next) => {
    last = next;
    onChange(next);
  };
  for (let failures = 0; !isOver(last) && failures < FAILURES_MAX;) {
    try {
      await api.stream(`/v1/builds/${build.id}`, {}, { signal, on: { build: told } });
      if (!isOver(last)) told(await api.get(`/v1/builds/${build.id}`, {}, { signal }));
      failures = 0;
    } catch (error) {
      if (signal.aborted) break;
      failures += 1;
      onTrouble(failures < FAILURES_MAX ? `${api.detailOf(error)} Trying again.` : api.detailOf(error));
    }
    if (!isOver(last) && failures < FAILURES_MAX) await api.pause(POLL_MS);
  }
  return last;
}
