import type { Tracer } from '@bspkit/core';
import type { RowFile } from '@bspkit/fixtures/recorded';

const MOVE = ['sx', 'sy', 'sz', 'ex', 'ey', 'ez'];

/**
 * The moves of recorded rows about the world, six numbers each, at most `count`: those that start where `player` has room.
 * Position tests (start equal to end) are left out: triangle libraries have no such query. The rows' own sizes are not used, so
 * that all queries of a series have the same shape.
 *
 * @param file - rows of the `trace` kind: a header line with `columns`, then one array per row.
 */
export function goldenQueries(file: RowFile, player: Tracer, count: number): Float32Array {
  const [first, ...lines] = file.read().trim().split('\n');
  const { columns } = JSON.parse(first!) as { columns: string[] };
  const model = columns.indexOf('model');
  const places = MOVE.map((name) => columns.indexOf(name));
  const moves: number[] = [];
  for (const line of lines) {
    if (moves.length === 6 * count) break;
    const row = JSON.parse(line) as number[];
    const move = places.map((place) => row[place]!);
    const start = move.slice(0, 3);
    if (row[model] !== 0 || start.every((x, k) => x === move[k + 3])) continue;
    if (!player.blocked(start, start)) moves.push(...move);
  }
  return Float32Array.from(moves);
}
