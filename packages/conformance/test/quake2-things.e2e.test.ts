import { fileURLToPath } from 'node:url';
import { engineFiles, readEngineMap } from '@bspkit/fixtures/engine';
import { quake2Format } from '@bspkit/quake2/format';
import { parseTable } from '@bspkit/rows';
import { missingAt } from '@bspkit/testkit/browsers';
import { missingGcc } from '@bspkit/testkit/gcc';
import { afterAll, describe, expect, it } from 'vitest';
import { drawQuake2Pushes } from '../scripts/quake2-pushes.ts';
import { QUAKE2_GAME, type Server, serverPath } from '../scripts/quake2-server.ts';
import { askGame, breakGoals, drawQuake2Things, type GameScene, openGame } from '../scripts/quake2-things.ts';
import { openThings, type ThingKind, type ThingRow, thingColumns } from '../scripts/things.ts';
import { expectRows, floats } from './expect-rows.ts';

// The rows of things and monsters on our own map, and of what pushes them and players, asked again: those in the repository must be
// what the engine's own game does. And more scenes.

const [yardstick, own] = ['quake2', 'movement'].map((name) =>
  fileURLToPath(new URL(`../../${name}/yardstick`, import.meta.url)),
) as [string, string];
const missing =
  missingAt(serverPath(yardstick), 'BSPKIT_ENGINES') ||
  missingAt(QUAKE2_GAME, 'BSPKIT_ENGINES') ||
  missingGcc;
const skipped = missing && ` (skipped: ${missing})`;

const isThingKind = (kind: string): kind is ThingKind => kind === 'things' || kind === 'pushes';

let game: Server | undefined;
afterAll(() => game?.free());

function ask(map: Uint8Array, scenes: readonly GameScene[], kind?: ThingKind): ThingRow[] {
  game ??= openGame(yardstick, own);
  return askGame(game, map, scenes, kind);
}

/** Expects the game's rows of scenes to be those from here, and returns them. */
async function expectSame(
  map: Uint8Array,
  scenes: readonly GameScene[],
  kind?: ThingKind,
): Promise<ThingRow[]> {
  const rows = ask(map, scenes, kind);
  expectRows(openThings('quake2', map, scenes, await quake2Format.load(), kind), rows);
  return rows;
}

describe("Quake 2's own game", () => {
  const files = engineFiles('quake2').filter(({ kind }) => isThingKind(kind));

  it.skipIf(missing).each(files)(`moves things as recorded${skipped}: $name`, (file) => {
    const { header, lines } = parseTable(file.read());
    const map = readEngineMap(`quake2/${header.map}.bsp`);
    const rows = ask(map, header.scenes as GameScene[], header.kind as ThingKind);
    expect(rows.map(floats)).toEqual((lines as ThingRow[]).map(floats));
  });

  it.skipIf(missing).each(['arena', 'torture'])(`moves things as here${skipped}: %s`, async (name) => {
    const map = readEngineMap(`quake2/${name}.bsp`);
    const drawn = drawQuake2Things(map, 7);
    const scenes = Array.from({ length: 5 }, () => drawn.next().value as GameScene);
    await expectSame(map, scenes);
  });

  it.skipIf(missing).each(['arena', 'torture'])(
    `pushes players, things and monsters as here${skipped}: %s`,
    async (name) => {
      const map = readEngineMap(`quake2/${name}.bsp`);
      const drawn = drawQuake2Pushes(map, 7);
      const scenes = Array.from({ length: 12 }, () => drawn.next().value as GameScene);
      const rows = await expectSame(map, scenes, 'pushes');
      const moved = thingColumns('quake2', 'pushes').indexOf('moved');
      expect(rows.filter((row) => (row[moved] as number[]).length > 0).length).toBeGreaterThan(30);
    },
  );

  it.skipIf(missing)(
    `moves monsters as here whose enemies and goals have been broken${skipped}`,
    async () => {
      const map = readEngineMap('quake2/arena.bsp');
      const drawn = drawQuake2Things(map, 7);
      const scenes = Array.from({ length: 8 }, (_, k) => breakGoals(drawn.next().value as GameScene, k));
      const rows = await expectSame(map, scenes);
      const touched = thingColumns('quake2').indexOf('touched');
      const broken = new Set(rows.flatMap((row) => ((row[touched] as number[]).includes(4) ? [row[0]] : [])));
      expect(broken.size).toBe(scenes.length);
    },
  );
});
