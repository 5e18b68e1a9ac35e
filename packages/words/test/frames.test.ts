import type { BspWorld, StepVec } from '@bspkit/core';
import { expect, it } from 'vitest';
import { isSameModel, ModelFrames } from '../src/index.ts';

const world = { model: (number: number) => ({ origin: [number, 0, 8], place() {} }) } as unknown as BspWorld;

const rounded = (point: StepVec): number[] => point.map((x) => Math.round(1024 * x) / 1024 + 0);

it('what is in the world is brought into the frame of a model, and back', () => {
  const frame = new ModelFrames(world, { models: '2', origin: [536, -64, 60], angles: [0, 90, 0] }).of({
    model: 2,
  });
  expect(rounded(frame.enter([536, -54, 60]))).toEqual([10, 0, 0]);
  expect(rounded(frame.leave([10, 0, 0]))).toEqual([536, -54, 60]);
  const plane = frame.enterPlane({ normal: [0, 1, 0], dist: -54 });
  expect([rounded(plane.normal), plane.dist]).toEqual([[1, 0, 0], 10]);
  expect(frame.leavePlane(plane).dist).toBeCloseTo(-54, 9);
  expect(frame.isWorld).toBe(false);
  for (const place of [{ angles: [0, 90, 0], origin: [0, 0, 0] }, { origin: [0, 0, 1] }]) {
    expect(new ModelFrames(world, { model: 2, ...place }).of().isWorld).toBe(false);
  }
});

it('the frame of the world is that of the model that is traced, if there is none', () => {
  const frames = new ModelFrames(world, {});
  expect(frames.model).toBe(0);
  expect([frames.of().isWorld, frames.of({ model: 0 }).isWorld]).toEqual([true, true]);
  expect(frames.of().enter([1.1, -2.2, 3.3])).toEqual([1.1, -2.2, 3.3]);
  expect(new ModelFrames(world, { model: 2 }).of().origin).toEqual([2, 0, 8]);
});

it('a model has a frame in each place where it is listed', () => {
  const frames = new ModelFrames(world, { models: '2,1,2', origin: [1, 2, 3, 4, 5, 6, 7, 8, 9] });
  const at = (listed?: number): StepVec => frames.of({ model: 2, listed }).origin;
  expect([at(0), at(2), at()]).toEqual([
    [1, 2, 3],
    [7, 8, 9],
    [1, 2, 3],
  ]);
  expect(isSameModel({ model: 2, listed: 0 }, { model: 2, listed: 2 })).toBe(false);
  expect(isSameModel({ model: 2, listed: 2 }, { model: 2, listed: 2 })).toBe(true);
  expect(isSameModel(undefined, { model: 0 })).toBe(false);
});
