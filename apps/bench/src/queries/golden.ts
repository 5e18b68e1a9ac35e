import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const MOVE = ['sx', 'sy', 'sz', 'ex', 'ey', 'ez'];

/**
 * The moves of a golden file's world rows, six numbers each, as many as `count` asks for. Position tests (start equal
 * to end) are left out: a triangle library has no such question. The rows' own sizes are not used, so that every query
 * of a series is of one shape.
 *
 * @param file - NDJSON of the `trace` kind, gzipped: a header line with `columns`, then one array a row.
 */
export function goldenMoves(file: string, count: number): Float32Array {
  const [first, ...lines] = gunzipSync(readFileSync(file)).toString('utf8').trim().split('\n');
  const { columns } = JSON.parse(first!) as { columns: string[] };
  const model = columns.indexOf('model');
  const places = MOVE.map((name) => columns.indexOf(name));
  const moves: number[] = [];
  for (const line of lines) {
    if (moves.length === 6 * count) break;
    const row = JSON.parse(line) as number[];
    const move = places.map((place) => row[place]!);
    if (row[model] === 0 && [0, 1, 2].some((k) => move[k] !== move[k + 3])) moves.push(...move);
  }
  return Float32Array.from(moves);
}
