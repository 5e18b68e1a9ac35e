import type { BspWorld } from '@bspkit/core';
import { expect, it } from 'vitest';
import { modelPlace } from '../src/places.ts';

const movable = { place() {} };
/** Of three models, of which the third cannot be moved. */
const world = {
  model: (number: number) => ({ origin: [number, 0, 8], ...(number < 3 && movable) }),
} as unknown as BspWorld;

const built = { origin: [0, 0, 0], angles: [0, 0, 0] };

it('a model that is traced stands where options put it, else by itself', () => {
  const options = { model: 2, origin: [1, 2, 3], angles: [0, 90, 0] };
  expect(modelPlace(world, options, 2)).toEqual({ origin: [1, 2, 3], angles: [0, 90, 0] });
  expect(modelPlace(world, { model: 2, angles: [0, 90, 0] }, 2)).toEqual({
    origin: [2, 0, 8],
    angles: [0, 90, 0],
  });
  expect(modelPlace(world, { model: 3 }, 3)).toEqual(built);
  expect(modelPlace(world, {}, 0)).toEqual(built);
  // One that they do not name stands by itself.
  expect(modelPlace(world, { origin: [1, 2, 3] }, 1).origin).toEqual([1, 0, 8]);
});

it.each([' 2, 1', '*2, *1', [2, 1]])('each of several models has a pose of its own: %j', (models) => {
  const options = { models, origin: [1, 2, 3, 4, 5, 6] };
  expect(modelPlace(world, options, 2).origin).toEqual([1, 2, 3]);
  expect(modelPlace(world, options, 1).origin).toEqual([4, 5, 6]);
  expect(modelPlace(world, options, 0)).toEqual(built);
});

it('all models are counted from the first', () => {
  const options = { models: 'All', origin: [1, 2, 3, 4, 5, 6, 7, 8, 9] };
  expect(modelPlace(world, options, 3).origin).toEqual([7, 8, 9]);
});
