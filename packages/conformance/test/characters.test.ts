import { bodyTracer, createTracer } from '@bspkit/bake';
import { boxBrush, COMPILE_TARGETS, compileMap, stairBrushes } from '@bspkit/compile';
import { createController } from '@bspkit/movement';
import { formatOf, openBsp } from 'bspkit';
import { describe, expect, it } from 'vitest';

// Characters in maps of every game: how far traces keep from a floor, and what they then meet below, is different in each.

const STEPS = 3;
const TREAD = 48;
const FLOOR = 64;

describe.each(COMPILE_TARGETS.map(({ id }) => id))('a character in a map for %s', (format) => {
  it.each([18, 12])(
    'walks up and down stairs without leaving the ground, with steps of %i units',
    async (height) => {
      const top = FLOOR + STEPS * height;
      const { bytes } = compileMap(
        [
          boxBrush([-400, -100, 0], [0, 100, FLOOR]),
          ...stairBrushes([0, -100, FLOOR], [STEPS * TREAD, 100, top], STEPS, '+x'),
          boxBrush([STEPS * TREAD, -100, 0], [600, 100, top]),
        ],
        { format },
      );
      const world = await openBsp(bytes);
      const shape = createTracer(await formatOf(world), world, bodyTracer(await formatOf(world), world));
      const character = createController(shape, {
        position: [-100, 0, FLOOR + 40],
        stepHeight: height,
        snapToGround: height,
      });
      while (!character.grounded) character.walk([0, 0, 0], 1 / 60);
      const { position } = character;
      const low = position[2]!;
      for (const [ahead, end] of [
        [1, low + top - FLOOR],
        [-1, low],
      ] as const) {
        for (let frame = 0; frame < 100; frame++) {
          character.walk([200 * ahead, 0, 0], 1 / 60);
          expect(character.grounded, `at ${position}`).toBe(true);
        }
        expect(position[2]).toBeCloseTo(end, 1);
      }
    },
  );
});
