import { openQueries } from '@bspkit/compare';
import type { BspWorld } from '@bspkit/core';
import type { BspFormat } from '@bspkit/core/format';
import { createRandom } from '@bspkit/geometry';
import { entityPlaces } from '../queries/for-map.ts';
import { playerTracer } from '../shapes.ts';
import type { MoveGame } from './game.ts';
import { Wanderer } from './intent.ts';
import { type Recording, RecordingWriter } from './recording.ts';

/** Commands of one player, one after the other: as many as one call of a runner makes. */
const COMMANDS = 200;

/**
 * Players who walk around in a map, with `count` commands in all, starting from places where they have room. The same seed gives
 * the same walks.
 */
export function walksIn(
  game: MoveGame,
  format: BspFormat,
  world: BspWorld,
  { count, seed }: { readonly count: number; readonly seed: number },
): Recording {
  const players = Math.ceil(count / COMMANDS);
  const { bounds } = world;
  const player = playerTracer(format, world, game.room);
  const queries = openQueries(players, { bounds, open: player, origins: entityPlaces(world), seed });
  const random = createRandom(seed);
  const writer = new RecordingWriter(game.floats);
  for (let k = 0; k < players; k++) {
    writer.begin(game.startAt(queries.subarray(6 * k, 6 * k + 3)), game.usual);
    const wanderer = new Wanderer(random);
    for (let number = 1; number <= COMMANDS; number++) {
      wanderer.next();
      writer.add(game.command(wanderer, number));
    }
  }
  return writer.finish();
}
