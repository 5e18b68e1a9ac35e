import { boxBrush, compileMap, roomBrushes } from '@bspkit/compile';
import { createQuake3World, MASK_SOLID, readQuake3, surfaceAt } from '@bspkit/quake3';
import { expect, it } from 'vitest';

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
