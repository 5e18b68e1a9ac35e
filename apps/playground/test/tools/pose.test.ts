import { Object3D } from 'three';
import { describe, expect, it } from 'vitest';
import { placeLikeModel } from '../../src/tools/query/pose.ts';
import type { Mover } from '../../src/tools/query/query.ts';

function placed(options: Mover['options'], model?: number): number[] {
  const object = new Object3D();
  placeLikeModel(object, { options }, model);
  const { x, y, z } = object.position;
  return [x, y, z, Math.round((object.rotation.z * 180) / Math.PI)];
}

describe('what is drawn of a model', () => {
  it('stands where the model that is traced does', () => {
    const options = { model: 2, origin: [1, 2, 3], angles: [0, 90, 0] };
    expect(placed(options)).toEqual([1, 2, 3, 90]);
    expect(placed(options, 2)).toEqual([1, 2, 3, 90]);
    expect(placed({ model: 2 })).toEqual([0, 0, 0, 0]);
    expect(placed({})).toEqual([0, 0, 0, 0]);
  });

  it('stands where the one of several does that was hit', () => {
    const options = { models: '3, 1', origin: [1, 2, 3, 4, 5, 6], angles: [0, 10, 0, 0, 20, 0] };
    expect(placed(options, 1)).toEqual([4, 5, 6, 20]);
    expect(placed(options, 3)).toEqual([1, 2, 3, 10]);
    expect(placed({ ...options, models: 'all' }, 2)).toEqual([4, 5, 6, 20]);
    // The world, and what only stands in it.
    expect(placed(options, 0)).toEqual([0, 0, 0, 0]);
    expect(placed(options, 2)).toEqual([0, 0, 0, 0]);
    expect(placed({ models: '1' }, 1)).toEqual([0, 0, 0, 0]);
  });
});
