import { existsSync } from 'node:fs';
import { type BspWorld, entityModel, entityVector } from '@bspkit/core';
import { arenaQuake1, arenaQuake2, arenaQuake3 } from '@bspkit/fixtures';
import {
  createQuake2Mover,
  createQuake2State,
  createQuake3Mover,
  createQuake3State,
  createQuakeWorldMover,
  createQuakeWorldState,
  type Quake2Command,
  type Quake3Command,
  type QuakeWorldCommand,
} from '@bspkit/movement';
import { createQuake1World, readQuake1 } from '@bspkit/quake1';
import { createQuake2World, readQuake2 } from '@bspkit/quake2';
import { createQuake3World, readQuake3 } from '@bspkit/quake3';
import { createScene } from '@bspkit/scene';
import { describe, expect, it } from 'vitest';
import { CHROMIUM } from './browser.ts';
import { setUpPage } from './page-setup.ts';

// A browser that is not there proves nothing; the title says so.
describe.runIf(existsSync(CHROMIUM))(
  `walking 5 seconds along a wall of the page, in a browser (${CHROMIUM})`,
  () => {
    const setup = setUpPage();

    // Towards a wall at an angle, with a jump: keys as a player presses them, time by the clock of the test.
    const walk = async () => {
      await setup.page.evaluate(() => {
        const hook = window.bspkitPlayground!;
        hook.freeze();
        hook.setView({ position: [-256, 0, 60], yaw: 160, pitch: 5 });
        hook.setMode('walk');
        hook.record(true);
      });
      const start = await setup.page.evaluate(() => window.bspkitPlayground!.walker!.origin);
      await setup.page.keyboard.down('w');
      await setup.page.evaluate(() => window.bspkitPlayground!.advance(2));
      await setup.page.keyboard.down(' ');
      await setup.page.evaluate(() => window.bspkitPlayground!.advance(0.5));
      await setup.page.keyboard.up(' ');
      await setup.page.keyboard.down('d');
      await setup.page.evaluate(() => window.bspkitPlayground!.advance(2.5));
      await setup.page.keyboard.up('d');
      await setup.page.keyboard.up('w');
      const end = await setup.page.evaluate(() => {
        const hook = window.bspkitPlayground!;
        const commands = hook.record(false);
        hook.record(false);
        return { ...hook.walker!, commands };
      });
      return { start, ...end };
    };
    // The arena's lift and doors, and where they stand.
    const movers = (world: BspWorld) =>
      world.entities().flatMap((entity) => {
        const model = entityModel(entity);
        return model === undefined ? [] : [[model, entityVector(entity, 'origin') ?? [0, 0, 0]] as const];
      });
    const far = (a: readonly number[], b: readonly number[]) => Math.hypot(...a.map((x, k) => x - b[k]!));

    it('ends in Quake 3 where Node ends with the same commands, bit for bit', async () => {
      await setup.page.evaluate(() => window.bspkitPlayground!.setMode('fly'));
      const { start, origin, velocity, commands, name } = await walk();
      expect(name).toBe('Quake 3 movement');
      expect(commands).toHaveLength(625);
      const world = createQuake3World(readQuake3(arenaQuake3()));
      const scene = createScene(world, { rules: 'quake3' });
      for (const [model, origin] of movers(world)) scene.add(world.model(model), { origin });
      const mover = createQuake3Mover({ trace: scene, contents: world });
      const state = createQuake3State();
      state.origin.set(start);
      state.commandTime = (commands[0] as Quake3Command).serverTime - 8;
      for (const command of commands) mover.move(state, command as Quake3Command);
      expect([...state.origin]).toEqual(origin);
      expect([...state.velocity]).toEqual(velocity);
      expect(far(start, origin)).toBeGreaterThan(200);
    });

    /** The same place in another game. */
    const changeGame = async (format: string): Promise<void> => {
      await setup.page.evaluate(() => window.bspkitPlayground!.setMode('fly'));
      const view = await setup.page.evaluate(() => window.bspkitPlayground!.view);
      await setup.page.getByRole('button', { name: /^Map:/ }).click();
      await setup.page.locator(`[data-map=arena][data-format=${format}]`).click();
      await setup.page.waitForFunction((id) => window.bspkitPlayground!.map?.format === id, format);
      // The space bar jumps then; it does not open the menu again.
      expect(await setup.page.evaluate(() => document.activeElement?.tagName)).toBe('CANVAS');
      expect(await setup.page.evaluate(() => window.bspkitPlayground!.view)).toEqual(view);
    };

    it('ends in Quake 2 where Node ends with the same commands, bit for bit', async () => {
      await changeGame('quake2');
      const { start, origin, velocity, commands, name } = await walk();
      expect(name).toBe('Quake 2 movement');
      const world = createQuake2World(readQuake2(arenaQuake2()));
      const scene = createScene(world, { rules: 'quake2' });
      for (const [model, origin] of movers(world)) scene.add(world.model(model), { origin });
      const mover = createQuake2Mover({ trace: scene, contents: world });
      const state = createQuake2State();
      state.origin.set(start.map((x) => 8 * x));
      state.snapInitial = 1;
      for (const command of commands) mover.move(state, command as Quake2Command);
      expect([...state.origin].map((x) => x / 8)).toEqual(origin);
      expect([...state.velocity].map((x) => x / 8)).toEqual(velocity);
      expect(far(start, origin)).toBeGreaterThan(200);
    });

    it('ends in Quake where Node ends with the same commands, bit for bit', async () => {
      await changeGame('quake1');
      const { start, origin, velocity, commands } = await walk();
      const world = createQuake1World(readQuake1(arenaQuake1()));
      const mover = createQuakeWorldMover(world);
      for (const [model, origin] of movers(world)) mover.add(world.model(model), origin);
      const state = createQuakeWorldState();
      state.origin.set(start);
      for (const command of commands) mover.move(state, command as QuakeWorldCommand);
      expect([...state.origin]).toEqual(origin);
      expect([...state.velocity]).toEqual(velocity);
      expect(far(start, origin)).toBeGreaterThan(200);
    });

    setup.saysNothing();
  },
);
