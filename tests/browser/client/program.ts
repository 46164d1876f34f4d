// A program for the server: its types are those that openapi-typescript makes of /openapi.json. It prints what it found.

import createClient from 'openapi-fetch';
import type { components, paths } from './api.js';

type SearchEvent = components['schemas']['SearchEvent'];

const baseUrl = process.argv[2];
const client = createClient<paths, 'application/json' | 'application/problem+json'>({ baseUrl });
const query = { board: '8 6 7/2 5 4/3 0 1', spec: 'manhattan' };

/** Returns the record of a response, whose error ends the program. */
function record<T>(response: { data?: T; error?: components['schemas']['Problem'] }): T {
  if (response.data === undefined) throw new Error(response.error?.detail);
  return response.data;
}

const answer = record(await client.GET('/v1/solve', { params: { query } }));
const solution: string | null = answer.moves;
// @ts-expect-error: a record has the keys of its schema.
void answer.event;

const stream = await client.GET('/v1/solve', {
  params: { query: { ...query, search: 'idastar' } },
  headers: { accept: 'text/event-stream' },
  parseAs: 'text',
});
const bounds: number[] = [];
let last: number | null = null;
for (const text of String(stream.data).split('\n\n').slice(0, -1)) {
  const [name, data] = text.split('\n').map((line) => line.slice(line.indexOf(': ') + 2));
  const event = { event: name, data: JSON.parse(data ?? '') } as SearchEvent;
  // @ts-expect-error: only an answer has a length and a spec.
  void event.data.spec;
  switch (event.event) {
    case 'bound': bounds.push(event.data.bound); break;
    case 'answer': last = event.data.length; break;
    case 'problem': throw new Error(event.data.detail);
    case 'solution': case 'progress': break;
    // Fails to compile if an event is missing above.
    default: event satisfies never;
  }
}

const { heuristics } = record(await client.GET('/v1/explain', { params: { query: { board: query.board } } }));
const sums: Record<string, number> = {};
for (const { name, parts } of heuristics) {
  // @ts-expect-error: not all kinds of parts have tiles.
  void parts.tiles;
  if (parts.kind === 'manhattan') sums[name] = parts.tiles.reduce((sum, tile) => sum + tile.moves, 0);
  else if (parts.kind === 'linear-conflict') sums[name] = parts.lines.reduce((sum, line) => sum + line.moves, parts.manhattan);
}

const { moves } = record(await client.GET('/v1/moves', { params: { query } }));
const best = moves.filter((move) => move.optimal).map((move) => move.move);

const pictures = createClient<paths>({ baseUrl });
const ofPicture = { board: query.board, sequence: 'R' };
const svg = await pictures.GET('/v1/animation', { params: { query: ofPicture }, parseAs: 'text' });
const gif = await pictures.GET('/v1/animation', { params: { query: { ...ofPicture, format: 'gif' } }, parseAs: 'arrayBuffer' });

const refused = await client.GET('/v1/solve', { params: { query: { board: '1 2' } } });
console.log(JSON.stringify({
  length: answer.length, solution, bounds, last, sums, best,
  svg: svg.data?.slice(0, 4), gif: gif.data && new TextDecoder().decode(gif.data.slice(0, 3)),
  status: refused.error?.status,
}));
