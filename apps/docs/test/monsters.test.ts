import { fileURLToPath } from 'node:url';
import { expectWritten } from '@bspkit/testkit/written';
import { describe, expect, it } from 'vitest';
import { chase, chasePicture, chaseWorld } from '../src/monsters.ts';

describe('what the recipe says about monsters', () => {
  it('finds the way around a wall, with whatever dice', () => {
    const world = chaseWorld();
    for (let seed = 1; seed <= 100; seed++) {
      expect(chase(world, seed).isThere, `dice from ${seed}`).toBe(true);
    }
  });

  it('is shown by a picture', async () => {
    const file = fileURLToPath(new URL('../guides/pictures/chase.svg', import.meta.url));
    await expectWritten(chasePicture(), file);
  });
});
