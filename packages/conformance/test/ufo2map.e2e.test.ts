import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { boxBrush, compileMap, formatMap, type MapSource, parseMap } from '@bspkit/compile';
import { type FixtureName, fixtureMap } from '@bspkit/fixtures';
import { createRandom } from '@bspkit/geometry';
import { missingAt } from '@bspkit/testkit/browsers';
import { temporaryFolder } from '@bspkit/testkit/folder';
import { seedOf } from '@bspkit/testkit/seed';
import {
  CONTENTS_WATER,
  computeRouting,
  createUfoaiWorld,
  encodeRouting,
  readUfoai,
  type UfoaiFile,
  type UfoaiWorld,
} from '@bspkit/ufoai';
import { describe, expect, it } from 'vitest';

// What UFO:AI's own compiler makes of maps, compared with what ours makes of the same text: entities, and lines, rays and boxes
// through both. Its routing table is compared with the one computed from its trees.

const ufo2map = join(process.env.BSPKIT_ENGINES ?? '/', 'usr/bin/ufo2map');
const missing = missingAt(ufo2map, 'BSPKIT_ENGINES');

const MOVES = 10_000;
/** How many may graze an edge, where the different rounding of planes decides. */
const GRAZING = 8;
const NEAR = 0.5;

const folder = temporaryFolder();

/** A map from both compilers. */
interface Both {
  readonly ours: UfoaiWorld;
  readonly theirs: UfoaiWorld;
  /** Theirs. */
  readonly file: UfoaiFile;
}

function bothOf(name: string, map: MapSource): Both {
  const text = formatMap(map, { format: 'ufoai' });
  const maps = join(folder, 'base/maps');
  mkdirSync(maps, { recursive: true });
  writeFileSync(join(maps, `${name}.map`), text);
  // It looks for folders of settings in the home folder.
  const options = {
    env: { ...process.env, HOME: folder },
    cwd: folder,
    stdio: 'ignore',
    timeout: 30_000,
  } as const;
  execFileSync(
    ufo2map,
    ['-gamedir', join(folder, 'base/'), '-nolighting', 'all', `maps/${name}.map`],
    options,
  );
  const { bytes } = compileMap(parseMap(text), { format: 'ufoai' });
  const file = readUfoai(readFileSync(join(maps, `${name}.bsp`)));
  return { ours: createUfoaiWorld(readUfoai(bytes)), theirs: createUfoaiWorld(file), file };
}

type Point = [number, number, number];

/** How many of the moves through the map, long and short, satisfy `differs`. */
function count({ bounds }: UfoaiWorld, differs: (start: Point, end: Point) => boolean): number {
  const random = createRandom(seedOf(2));
  const place = (): Point => [0, 1, 2].map((k) => lerp(bounds.mins[k]!, bounds.maxs[k]!, random())) as Point;
  let found = 0;
  for (let k = 0; k < MOVES; k++) {
    const start = place();
    const end = k % 2 === 0 ? place() : (start.map((x) => x + 200 * random() - 100) as Point);
    if (differs(start, end)) found++;
  }
  return found;
}

const lerp = (from: number, to: number, part: number): number => from + part * (to - from);

describe.each<FixtureName>(['arena', 'house', 'torture'])("%s by the game's own compiler", (name) => {
  const entities = fixtureMap(name).entities.map((entity) => ({ ...entity, patches: [] }));
  let made: Both | undefined;
  const both = (): Both => {
    made ??= bothOf(name, { entities });
    return made;
  };

  it.skipIf(missing)(`has the same lines of fire${missing && ` (skipped: ${missing})`}`, () => {
    const { ours, theirs } = both();
    for (const levels of [0xff, 1, 2, 8]) {
      const [a, b] = [ours.line({ levels }), theirs.line({ levels })];
      const other = count(ours, (start, end) => a.blocked(start, end) !== b.blocked(start, end));
      expect({ levels, other: other > GRAZING ? other : 0 }).toEqual({ levels, other: 0 });
    }
  });

  it.skipIf(missing)('has the same entities, and the routing table that is computed from its trees', () => {
    const { ours, theirs, file } = both();
    expect(theirs.entities()).toEqual(ours.entities());
    expect(Buffer.compare(encodeRouting(computeRouting(file)), file.lumps.routing)).toBe(0);
  });

  it.skipIf(missing)('stops rays and boxes in the same places', () => {
    const { ours, theirs } = both();
    for (const [mins, maxs] of [
      [
        [0, 0, 0],
        [0, 0, 0],
      ],
      [
        [-9, -9, -16],
        [9, 9, 20],
      ],
    ] as const) {
      const [a, b] = [ours.box(mins, maxs), theirs.box(mins, maxs)];
      const [x, y] = [a.createTrace(), b.createTrace()];
      const other = count(ours, (start, end) => {
        a.trace(start, end, x);
        b.trace(start, end, y);
        if (x.startSolid || y.startSolid) return x.startSolid !== y.startSolid;
        return Math.hypot(...[0, 1, 2].map((k) => x.endPos[k]! - y.endPos[k]!)) > NEAR;
      });
      expect({ mins, other: other > GRAZING ? other : 0 }).toEqual({ mins, other: 0 });
    }
  });
});

const KINDS = ['solid', 'water', 'window', 'solid,passable', 'ladder', 'solid,terrain', 'solid,translucent'];

/** It makes water passable because of its name. */
const materialOf = (kind: string): string => `base/${kind === 'water' ? kind : 'wall'}`;

describe("brushes in one place, compiled by the game's own compiler", () => {
  it.skipIf(missing)(`are what they are with ours${missing && ` (skipped: ${missing})`}`, () => {
    const cells = KINDS.flatMap((one, i) =>
      KINDS.map((other, j) => ({ one, other, at: [-500 + 160 * i, -500 + 160 * j] as const })),
    );
    const pairs = cells.flatMap(({ one, other, at: [x, y] }) => [
      boxBrush([x, y, 16], [x + 64, y + 64, 48], { material: materialOf(one), contents: one }),
      boxBrush([x + 32, y + 32, 32], [x + 96, y + 96, 64], { material: materialOf(other), contents: other }),
    ]);
    const floor = boxBrush([-600, -600, 0], [700, 700, 4], { material: 'base/floor' });
    const start = { properties: { classname: 'info_player_start', origin: '0 0 20' } };
    const world = { properties: { classname: 'worldspawn' }, brushes: [floor, ...pairs] };
    const { ours, theirs } = bothOf('pairs', { entities: [world, start] });
    const ask = (map: UfoaiWorld, [x, y, z]: Point): unknown => {
      const end = [x + 1, y, z] as const;
      return {
        line: map.line().blocked([x, y, z - 4], [x, y, z + 4]),
        solid: map.box([0, 0, 0], [0, 0, 0]).trace([x, y, z], end).startSolid,
        water: map.box([0, 0, 0], [0, 0, 0], { mask: CONTENTS_WATER }).trace([x, y, z], end).startSolid,
      };
    };
    const answers = (map: UfoaiWorld): unknown[] =>
      cells.flatMap(({ one, other, at: [x, y] }) =>
        [24, 40, 56].map((z, k) => ({
          one,
          other,
          z,
          ...(ask(map, [x + 24 + 24 * k, y + 24 + 24 * k, z]) as object),
        })),
      );
    expect(answers(ours)).toEqual(answers(theirs));
  });
});
