import { pointBytes } from '../src/index.ts';
import { MAPS } from './maps.ts';

const points = { points: pointBytes(new Float32Array(3)) };
const header = JSON.stringify({
  game: 'quake1',
  map: 'x',
  kind: 'points',
  columns: ['x', 'y', 'z', 'contents'],
});

/** Jobs that nobody can answer, whatever the chunk, because of their map: what is asked, of what, and what is wrong with that. */
export const impossibleJobs = [
  [
    'a table that the game does not have',
    { kind: 'routing', map: MAPS.quake3!(), count: 9, chunkSize: 1 },
    new RangeError('map is of Quake 3, which has no table of where walkers can go: it must be of UFO:AI'),
  ],
  [
    'rows that are not those of the map',
    { kind: 'routing', map: MAPS.ufoai!(), count: 9, chunkSize: 1 },
    /^count must be \d+, the rows of the map, got 9$/,
  ],
  [
    'rows of another game',
    { kind: 'batch', map: MAPS.quake3!(), parameters: { header }, count: 9 },
    /^quake1: /,
  ],
  [
    'a tracer that the format does not have',
    {
      kind: 'exposure',
      map: MAPS.quake3!(),
      inputs: points,
      parameters: { tracer: { kind: 'hull', size: [1] } },
    },
    'tracer.kind must be ',
  ],
  [
    'a map that it needs',
    { kind: 'exposure', inputs: points },
    'map is the hash of no bytes: exposure needs a map',
  ],
  [
    'a map that it is a table of',
    { kind: 'routing', count: 9, chunkSize: 1 },
    'map is the hash of no bytes: routing needs a map',
  ],
] as const;
