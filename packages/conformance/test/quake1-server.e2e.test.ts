import { fileURLToPath } from 'node:url';
import { engineFiles, readEngineMap } from '@bspkit/fixtures/engine';
import { quake1Format } from '@bspkit/quake1/format';
import { findDifferences, parseTable } from '@bspkit/rows';
import { missingAt } from '@bspkit/testkit/browsers';
import { missingGcc } from '@bspkit/testkit/gcc';
import { afterAll, describe, expect, it } from 'vitest';
import { doubleFormat } from '../scripts/quake1-double.ts';
import { drawPushes } from '../scripts/quake1-pushes.ts';
import {
  compilerPath,
  openQuakeServer,
  type QuakeServer,
  quakeServerPath,
  type ServerScene,
} from '../scripts/quake1-server.ts';
import { drawThings, farAway, nearNowhere } from '../scripts/quake1-things.ts';
import { openThings, type ThingRow, thingColumns } from '../scripts/things.ts';
import { expectRows, floats } from './expect-rows.ts';

// The rows of things and monsters on our own map, and of what pushes them, asked again: those in the repository must match QuakeSpasm's server. And more
// scenes, on slopes too.

const yardstick = fileURLToPath(new URL('../../movement/yardstick', import.meta.url));
const missing =
  missingAt(quakeServerPath(), 'BSPKIT_ENGINES') || missingAt(compilerPath(), 'BSPKIT_ENGINES') || missingGcc;
const skipped = missing && ` (skipped: ${missing})`;

const CALLED = thingColumns('quake1').indexOf('called');
const MOVED = thingColumns('quake1', 'pushes').indexOf('moved');

let server: QuakeServer | undefined;
afterAll(() => server?.free());

const drawn = (scenes: Generator<ServerScene>, count: number): ServerScene[] =>
  Array.from({ length: count }, () => scenes.next().value);

/** The server's rows of scenes. */
function ask(map: Uint8Array, scenes: readonly ServerScene[]): ThingRow[] {
  server ??= openQuakeServer(yardstick);
  return scenes.flatMap((scene, k) => server!.ask(map, scene).map((cells): ThingRow => [k, ...cells]));
}

describe("Quake's dedicated server", () => {
  const files = engineFiles('quake1').filter(({ kind }) => ['things', 'pushes'].includes(kind));

  it.skipIf(missing).each(files)(`moves things as recorded${skipped}: $name`, (file) => {
    const { header, lines } = parseTable(file.read());
    const map = readEngineMap(`quake1/${header.map}.bsp`);
    const rows = ask(map, header.scenes as ServerScene[]);
    expect(rows.map(floats)).toEqual((lines as ThingRow[]).map(floats));
  });

  // QuakeSpasm measures slopes in doubles; with its measure, everything is as there.
  it.skipIf(missing).each(['arena', 'torture'])(
    `moves things as here, on slopes too${skipped}: %s`,
    async (name) => {
      const map = readEngineMap(`quake1/${name}.bsp`);
      const scenes = drawn(drawThings(map, 3), 4);
      const rows = ask(map, scenes);
      const format = await quake1Format.load();
      expectRows(openThings('quake1', map, scenes, doubleFormat(format)), rows);
      // Some do meet slopes.
      const plain = findDifferences(openThings('quake1', map, scenes, format), rows);
      expect(plain.differing).toBeGreaterThan(0);
    },
  );

  // The other map has no models that could push.
  it.skipIf(missing).each(['arena', 'house'])(`pushes things as here${skipped}: %s`, async (name) => {
    const map = readEngineMap(`quake1/${name}.bsp`);
    const scenes = drawn(drawPushes(map, 3), 5);
    const rows = ask(map, scenes);
    expectRows(openThings('quake1', map, scenes, doubleFormat(await quake1Format.load()), 'pushes'), rows);
    expect(rows.some((row) => (row[MOVED] as number[]).length > 0)).toBe(true);
  });

  it.skipIf(missing).each([
    ['the world itself', nearNowhere()],
    ['a goal beyond 32 bits', farAway()],
  ])(`has monsters go to %s as here${skipped}`, async (_, scenes) => {
    const map = readEngineMap('quake1/arena.bsp');
    const rows = ask(map, scenes);
    expectRows(openThings('quake1', map, scenes, doubleFormat(await quake1Format.load())), rows);
    // Some moves of each kind: those that stay, and those that go on.
    const called = rows.map((row) => row[CALLED]);
    expect([called.includes(0), called.includes(1)]).toEqual([true, true]);
  });
});
