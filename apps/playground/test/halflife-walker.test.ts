import { boxBrush, compileMap, roomBrushes } from '@bspkit/compile';
import { expect, it } from 'vitest';
import { createWalker } from '../src/games/quake1.ts';
import { openBytes } from '../src/loading/open.ts';

const room = roomBrushes([0, 0, 0], [512, 256, 192], 16);
const model = (classname: string, at: number) => ({
  properties: { classname },
  brushes: [boxBrush([at, 0, 0], [at + 16, 256, 96], { material: 'aaatrigger' })],
});
const passable = ['func_ladder', 'func_water', 'func_monsterclip', 'env_bubbles', 'trigger_push'];

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
  walker.place([50, 128, 36.03125]);
  for (let k = 0; k < 200; k++) walker.step({ forward: 1, right: 0, up: 0, yaw: 0, pitch: 0 });
  expect(walker.origin[0]).toBe(400 - 16 - 1 / 32);
});
