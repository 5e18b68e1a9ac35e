import { boxBrush, CONTENTS, compileMap, roomBrushes, type SourceBrush } from '@bspkit/compile';
import { arenaMap, arenaQuake2 } from '@bspkit/fixtures';
import { between, createRandom } from '@bspkit/geometry';
import { brushList, brushPolygons, createQuake1World, type Quake1Brush, readQuake1 } from '@bspkit/quake1';
import { createQuake2World, MASK_PLAYERSOLID, readQuake2 } from '@bspkit/quake2';
import { seedOf } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';

// The brush list in a map for Quake, written by one package and read by another.

const KINDS: Readonly<Record<number, number>> = {
  [-2]: CONTENTS.solid,
  [-3]: CONTENTS.water,
  [-4]: CONTENTS.slime,
  [-5]: CONTENTS.lava,
  [-6]: CONTENTS.sky,
  [-8]: CONTENTS.playerclip,
};

function toSource({ contents, mins, maxs, planes }: Quake1Brush): SourceBrush {
  const sides = [0, 1, 2].flatMap((axis) =>
    [1, -1].map((sign) => ({
      normal: [0, 1, 2].map((k) => (k === axis ? sign : 0)),
      dist: sign === 1 ? maxs[axis]! : -mins[axis]!,
    })),
  );
  for (let k = 0; k < planes.length; k += 4) {
    sides.push({ normal: [...planes.subarray(k, k + 3)], dist: planes[k + 3]! });
  }
  return { sides, contents: KINDS[contents]! };
}

describe('a list of brushes', () => {
  const file = readQuake1(compileMap(arenaMap(), { format: 'quake1', brushlist: true }).bytes);
  const list = brushList(file)!;

  it('has every brush of every model, with its contents', () => {
    expect(list.map(({ model }) => model)).toEqual([0, 1, 2, 3]);
    const contents = new Set(list[0]!.brushes.map((brush) => brush.contents));
    expect([...contents].sort((a, b) => b - a)).toEqual([-2, -3, -4, -5, -6, -8]);
    expect(new Set(brushPolygons(file).map(({ brush }) => brush)).size).toBe(
      list.reduce((sum, { brushes }) => sum + brushes.length, 0),
    );
  });

  it('leaves out what no box meets: what only stops shots in Half-Life', () => {
    const pane = (material: string, x: number): SourceBrush =>
      boxBrush([x, 0, 0], [x + 8, 256, 128], { material });
    const brushes = [
      ...roomBrushes([0, 0, 0], [256, 256, 128], 16),
      pane('noclip', 64),
      pane('null', 128),
      pane('cliphull1', 192),
    ];
    const shot = readQuake1(compileMap(brushes, { format: 'quake1', version: 30, brushlist: true }).bytes);
    const [world] = brushList(shot)!;
    expect(world!.brushes.slice(6).map(({ contents, mins }) => [contents, mins[0]])).toEqual([
      [-2, 128],
      [-8, 192],
    ]);
    const { fraction } = createQuake1World(shot).ray().trace([32, 128, 64], [240, 128, 64]);
    expect(32 + 208 * fraction).toBeCloseTo(64, 1);
  });

  it('makes a world for boxes of any size, where one stops where a hull of its size does', () => {
    const brushes = list[0]!.brushes.map(toSource);
    const rebuilt = createQuake2World(readQuake2(compileMap(brushes, { format: 'quake2' }).bytes));
    const [mins, maxs] = [
      [-16, -16, -24],
      [16, 16, 32],
    ];
    const options = { mask: MASK_PLAYERSOLID };
    const box = rebuilt.box(mins, maxs, options);
    // The same map, compiled directly for Quake 2 and for Quake: for the latter without rounding.
    const direct = createQuake2World(readQuake2(arenaQuake2())).box(mins, maxs, options);
    const hull = createQuake1World(file).preciseHull(1);
    const random = createRandom(seedOf(1));
    const point = (): number[] => [
      between(random, -500, 1160),
      between(random, -500, 500),
      between(random, 24, 380),
    ];
    let [compared, asDirect, asHull] = [0, 0, 0];
    for (let k = 0; k < 4000; k++) {
      const [start, end] = [point(), point()];
      const [ours, theirs, exact] = [box, direct, hull].map((tracer) => tracer.trace(start, end));
      if (ours!.startSolid || theirs!.startSolid || exact!.startSolid) continue;
      compared++;
      const apart = (other: { endPos: Float32Array }): number =>
        Math.hypot(...[0, 1, 2].map((axis) => ours!.endPos[axis]! - other.endPos[axis]!));
      if (apart(theirs!) < 0.01) asDirect++;
      if (apart(exact!) < 0.5) asHull++;
    }
    expect(compared).toBeGreaterThan(1500);
    expect(asDirect / compared).toBeGreaterThan(0.995);
    expect(asHull / compared).toBeGreaterThan(0.98);
  });
});
