import { boxBrush, compileMap, roomBrushes } from '@bspkit/compile';
import { expect, it } from 'vitest';
import { createWalker } from '../src/games/quake1.ts';
import { openBytes } from '../src/loading/open.ts';

const room = roomBrushes([0, 0, 0], [512, 256, 192], 16);
const model = (classname: string, at: number) => ({
  properties: { classname },
  brushes: [boxBrush([at, 0, 0], [at + 16, 256, 96], { material: 'aaatrigger' })],
});
const passable = [
  ...['func_ladder', 'func_water', 'func_monsterclip', 'env_bubbles', 'trigger_push', 'func_tankcontrols'],
  // Of games that were made of it.
  'func_buyzone',
];

it("walks through Half-Life's ladders and what else stops nobody, up to what does, with its eyes where they are there", async () => {
  const { bytes } = compileMap(
    {
      entities: [
        { properties: { classname: 'worldspawn' }, brushes: room },
        ...passable.map((classname, k) => model(classname, 100 + 40 * k)),
        model('func_wall', 400),
      ],
    },
    { format: 'quake1', version: 30 },
  );
  const walker = createWalker(await openBytes(bytes, { name: 'hall.bsp', isOwn: false, text: undefined }));
  expect(walker.eyeHeight).toBe(28);
  walker.place([50, 128, 36.03125], false);
  for (let k = 0; k < 200; k++) walker.step({ forward: 1, right: 0, up: 0, yaw: 0, pitch: 0 });
  expect(walker.origin[0]).toBe(400 - 16 - 1 / 32);
});

it("crouches under what Half-Life's standing players cannot pass, stays crouched there, and stands up behind it", async () => {
  const { bytes } = compileMap(
    {
      entities: [
        { properties: { classname: 'worldspawn' }, brushes: room },
        // From 40 units above the floor: 36 is how high a crouched player is.
        { properties: { classname: 'func_wall' }, brushes: [boxBrush([150, 0, 40], [250, 256, 192])] },
      ],
    },
    { format: 'quake1', version: 30 },
  );
  const walker = createWalker(await openBytes(bytes, { name: 'hall.bsp', isOwn: false, text: undefined }));
  const walk = (steps: number, up: number, forward = 1) => {
    for (let k = 0; k < steps; k++) walker.step({ forward, right: 0, up, yaw: 0, pitch: 0 });
  };
  const [floor, feet, lower] = [1 / 32, 36, 18];
  walker.place([50, 128, floor + feet], false);
  walk(100, 0);
  expect([...walker.origin]).toEqual([150 - 16 - 1 / 32, 128, floor + feet]);
  walk(1, -1, 0);
  expect([walker.isCrouched, walker.eyeHeight, walker.origin[2]]).toEqual([true, 12, floor + feet - lower]);
  // A third of the speed of who runs.
  walk(50, -1);
  expect(walker.velocity[0]).toBeCloseTo(320 / 3, 1);
  expect(walker.origin[0]).toBeGreaterThan(170);
  walk(1, 0, 0);
  expect(walker.isCrouched).toBe(true);
  expect(walker.isFree()).toBe(true);
  walk(150, 0);
  expect([walker.isCrouched, walker.eyeHeight, walker.origin[2]]).toEqual([false, 28, floor + feet]);
  expect(walker.origin[0]).toBeGreaterThan(270);
  // In the air it draws in its feet, and lands crouched.
  walk(1, 1, 0);
  const before = walker.origin[2]!;
  walk(1, -1, 0);
  expect(walker.isCrouched).toBe(true);
  expect(walker.origin[2]).toBeGreaterThan(before);
  walk(100, -1, 0);
  expect([walker.isGrounded, walker.origin[2]]).toEqual([true, floor + feet - lower]);
});
