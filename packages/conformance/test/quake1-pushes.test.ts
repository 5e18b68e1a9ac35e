import { engineFiles } from '@bspkit/fixtures/engine';
import { parseTable } from '@bspkit/rows';
import { expect, it } from 'vitest';
import type { ServerScene, ServerThing } from '../scripts/quake1-server.ts';
import { type ThingRow, thingColumns } from '../scripts/things.ts';

// That they are answered as recorded is shown with all other rows.

const ON_GROUND = 512;
const MONSTER = 32;

const COLUMNS = thingColumns('quake1', 'pushes');
const cell = (row: ThingRow, name: string): number => row[COLUMNS.indexOf(name)] as number;
const list = (row: ThingRow, name: string): number[] => row[COLUMNS.indexOf(name)] as number[];

function kindOf({ walks, flags, solid, maxs }: ServerThing): string {
  if (walks) return 'player';
  if (solid < 2) return 'corpse';
  if (maxs[0] === 0) return 'point';
  return (flags & MONSTER) !== 0 ? 'monster' : 'box';
}

it("rows of Quake's doors, lifts and trains show some of each kind", () => {
  const file = engineFiles('quake1').find(({ kind }) => kind === 'pushes')!;
  const { header, lines } = parseTable(file.read());
  const counts = new Map<string, number>();
  const count = (what: string): unknown => counts.set(what, (counts.get(what) ?? 0) + 1);
  const latest = new Map<string, ThingRow>();
  for (const row of lines as ThingRow[]) {
    const scene = cell(row, 'scene');
    const { things } = (header.scenes as ServerScene[])[scene]!;
    const thingOf = (number: number): ServerThing => things[number - 1]!;
    const number = cell(row, 'thing');
    const thing = thingOf(number);
    if (!thing.lasting) {
      latest.set(`${scene} ${number}`, row);
      const stands = (cell(row, 'flags') & ON_GROUND) !== 0 && cell(row, 'ground') > 0;
      if (stands && thingOf(cell(row, 'ground')).model === 0) count('stands on a thing');
      if (cell(row, 'highx') !== thing.maxs[0]) count('is made a point');
      continue;
    }
    const moved = list(row, 'moved');
    for (const one of moved) {
      const before = latest.get(`${scene} ${one}`);
      const rides = before && (cell(before, 'flags') & ON_GROUND) !== 0 && cell(before, 'ground') === number;
      count(`${kindOf(thingOf(one))} ${rides ? 'rides' : 'is pushed'}`);
    }
    const blocker = cell(row, 'blocker');
    if (blocker > 0) count(`${kindOf(thingOf(blocker))} blocks`);
    if (moved.length > 1) count('several are moved');
    const hits = list(row, 'touched').filter((_, k) => k % 2 === 1);
    for (const hit of hits)
      count(`hits ${hit === 0 ? 'the world' : thingOf(hit).model > 0 ? 'a model' : 'a thing'}`);
  }
  expect([...counts.keys()].sort()).toEqual(
    [
      ...['player', 'monster', 'box', 'corpse', 'point'].map((kind) => `${kind} rides`),
      ...['player', 'monster', 'box', 'corpse'].map((kind) => `${kind} is pushed`),
      ...['player', 'monster', 'box'].map((kind) => `${kind} blocks`),
      ...['hits the world', 'hits a model', 'hits a thing'],
      ...['is made a point', 'several are moved', 'stands on a thing'],
    ].sort(),
  );
  for (const [what, times] of counts) expect(times, what).toBeGreaterThan(4);
});
