import { boxBrush, compileMap, roomBrushes } from '@bspkit/compile';
import { between, createRandom } from '@bspkit/geometry';
import { createQuake1World, surfaceAt as quake1SurfaceAt, readQuake1, type Trace } from '@bspkit/quake1';
import { createQuake3World, MASK_SOLID, readQuake3, surfaceAt } from '@bspkit/quake3';
import { seedOf } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';

it("a curve beside a brush, on its plane and of its material, is not what the brush's side shows", () => {
  const material = 'own/stone';
  // A block with a level curve on the floor beside it, both up to the same height.
  const at = (k: number): [number, number, number, number, number] => [
    120 + 20 * (k % 3),
    -20 + 20 * Math.floor(k / 3),
    32,
    0,
    0,
  ];
  const patch = { material, width: 3, height: 3, points: Array.from({ length: 9 }, (_, k) => at(k)) };
  const brushes = [
    ...roomBrushes([-256, -256, 0], [256, 256, 256], 16, { material: 'own/wall' }),
    boxBrush([-64, -64, 0], [64, 64, 32], { material }),
  ];
  const entities = [
    { properties: { classname: 'worldspawn' }, brushes, patches: [patch] },
    { properties: { classname: 'info_player_start', origin: '0 0 64' } },
  ];
  const { bytes } = compileMap({ entities }, { format: 'quake3' });
  const world = createQuake3World(readQuake3(bytes));

  const trace = world.ray({ mask: MASK_SOLID }).trace([0, 0, 100], [0, 0, 10]);
  const name = 'textures/own/stone';
  expect(surfaceAt(world, trace)).toMatchObject({ name, polygon: { dist: 32 } });
  const curve = world.ray({ mask: MASK_SOLID }).trace([140, 0, 100], [140, 0, 10]);
  expect(curve.patch).toBeGreaterThanOrEqual(0);
  expect(surfaceAt(world, curve)).toMatchObject({ name, polygon: { dist: 32 } });
  // The same hit of the block's side, but where the curve is.
  trace.endPos[0] = 140;
  expect(surfaceAt(world, trace)!.polygon).toBeUndefined();
});

describe("a door of Quake's", () => {
  // Three of its sides are on planes through its origin.
  const entities = [
    {
      properties: { classname: 'worldspawn' },
      brushes: roomBrushes([-256, -256, -256], [256, 256, 256], 16),
    },
    { properties: { classname: 'func_door' }, brushes: [boxBrush([0, -64, 0], [8, 0, 128])] },
  ];
  const world = createQuake1World(readQuake1(compileMap({ entities }, { format: 'quake1' }).bytes));
  const door = world.model(1);

  it('shows the side that was hit, however it is turned', () => {
    const random = createRandom(seedOf(12));
    const found = new Set<string>();
    const middle = [4, -32, 64];
    for (let k = 0; k < 300; k++) {
      const pose = { origin: [500, 0, 0], angles: [0, 1, 2].map(() => between(random, 0, 360)) };
      const start = pose.origin.map((x) => x + between(random, -300, 300));
      const end = pose.origin.map((x) => x + between(random, -60, 60));
      for (const tracer of [
        door.ray({ ...pose, rules: 'halflife' }),
        door.hull(1, { ...pose, rules: 'halflife' }),
        door.preciseRay(pose),
      ]) {
        const trace = tracer.trace(start, end);
        if (trace.fraction === 1 || trace.startSolid) continue;
        const { normal } = quake1SurfaceAt(world, trace)!.polygon!;
        found.add(normal.join());
        // It faces the side on which the move ended, in the frame of the door.
        const { localEnd } = trace as Trace & { localEnd: Float32Array };
        const axis = normal.findIndex((x) => x !== 0);
        expect(Math.sign(localEnd[axis]! - middle[axis]!)).toBe(normal[axis]);
      }
    }
    expect(found.size).toBe(6);
  });

  it('shows it for a trace from JSON too, where a zero has no sign', () => {
    const trace = door.ray().trace([-50, -32, 64], [50, -32, 64]);
    expect(trace.dist).toBe(-0);
    const { polygon } = quake1SurfaceAt(world, { ...trace, dist: 0 })!;
    expect([...polygon!.normal]).toEqual([-1, 0, 0]);
  });
});
