import { readEngineMap } from '@bspkit/fixtures/engine';
import { createQuake1World, type Quake1World, readQuake1 } from '@bspkit/quake1';
import { createQuake2World, type Quake2World, readQuake2 } from '@bspkit/quake2';
import { createQuake3World, type Quake3World, readQuake3 } from '@bspkit/quake3';

// The arena, from the files that do not change: a hall with a pool, a ramp, stairs.

export const quake3Arena = (): Quake3World =>
  createQuake3World(readQuake3(readEngineMap('quake3/arena.bsp')));

export const quake2Arena = (): Quake2World =>
  createQuake2World(readQuake2(readEngineMap('quake2/arena.bsp')));

export const quake1Arena = (): Quake1World =>
  createQuake1World(readQuake1(readEngineMap('quake1/arena.bsp')));

/** Where players start, above a floor. */
export const SPAWN: readonly number[] = [0, -256, 32];
