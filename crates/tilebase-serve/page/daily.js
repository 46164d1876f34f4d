// @ts-check
// A board for each day and difficulty, the same for everybody, and the results of this browser.

import { keep, load } from './storage.js';

/** @typedef {'easy' | 'medium' | 'hard'} Difficulty */
/** @typedef {{ value: Difficulty, text: string, shape: string, set: string }} Kind */
/** @typedef {{ milliseconds: number, moves: number, optimum: number | null, isHinted?: boolean, takenBack?: number }} Result earlier releases lack the last two */
/** @typedef {{ date: string, difficulty: Difficulty, board: string, result: Result | null }} Entry board is empty until it is known */

/** Sets of the three difficulties. Their boards depend only on the seed, not on a server's tables. @type {readonly Kind[]} */
export const KINDS = [
  { value: 'easy', text: 'Easy', shape: '3x3', set: 'random' },
  { value: 'medium', text: 'Medium', shape: '4x4', set: 'walk:60' },
  { value: 'hard', text: 'Hard', shape: '4x4', set: 'random' },
];

const KEPT = 'tilebase-daily';
/** Largest number of stored entries: three a day, for more than a year. */
const ENTRIES_MAX = 1200;
const DAY_MS = 86_400_000;

/** Returns the date in UTC, such as `2026-11-24`. @param {number} [now] milliseconds since 1970 */
export function dateOf(now = Date.now()) {
  return new Date(now).toISOString().slice(0, 10);
}

/** Returns the seed of a date: its digits, such as 20261124. @param {string} date */
export function seedOf(date) {
  return Number(date.replaceAll('-', ''));
}

/** Writes a date out: `24 November 2026`. @param {string} date */
export function writtenDate(date) {
  return new Date(`${date}T00:00:00Z`).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
}

/** Returns the number of consecutive days with a solved board, up to a date or the day before it. @param {readonly Entry[]} entries @param {string} date */
export function streakOf(entries, date) {
  const solved = new Set(entries.filter(({ result }) => result !== null).map((entry) => entry.date));
  let day = Date.parse(`${date}T00:00:00Z`);
  if (!solved.has(date)) day -= DAY_MS;
  let count = 0;
  for (; solved.has(dateOf(day)); day -= DAY_MS) count += 1;
  return count;
}

/** Returns the name of a daily board in addresses: `2026-11-24-easy`. @param {Pick<Entry, 'date' | 'difficulty'>} entry */
export function nameOfDaily({ date, difficulty }) {
  return `${date}-${difficulty}`;
}

/** Returns the date and the kind in a name; null if there is no such day or kind. @param {string | null} name @returns {{ date: string, kind: Kind } | null} */
export function dailyOfName(name) {
  const [date, difficulty] = [name?.slice(0, 10) ?? '', name?.slice(11)];
  const kind = KINDS.find(({ value }) => value === difficulty);
  return kind && !Number.isNaN(Date.parse(date)) ? { date, kind } : null;
}

/** Returns all entries, the oldest first. @returns {readonly Entry[]} */
export function dailyEntries() {
  const entries = load(KEPT);
  return Array.isArray(entries) ? entries.filter(isEntry) : [];
}

/** @param {any} entry @returns {entry is Entry} */
function isEntry(entry) {
  return typeof entry === 'object' && entry !== null && typeof entry.date === 'string' && typeof entry.board === 'string'
    && KINDS.some(({ value }) => value === entry.difficulty)
    && (entry.result === null || (Number.isFinite(entry.result?.milliseconds) && Number.isFinite(entry.result?.moves)));
}

/** Returns the entry of a date and a difficulty. @param {string} date @param {Difficulty} difficulty */
export function dailyEntry(date, difficulty) {
  return dailyEntries().find((entry) => entry.date === date && entry.difficulty === difficulty);
}

/** Adds an entry, or replaces the one of the same date and difficulty. @param {Entry} entry */
export function keepDaily(entry) {
  const others = dailyEntries().filter(({ date, difficulty }) => date !== entry.date || difficulty !== entry.difficulty);
  keep(KEPT, [...others, entry].slice(-ENTRIES_MAX));
}
