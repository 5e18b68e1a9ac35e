import { ModelFrames } from '@bspkit/words';
import { Object3D } from 'three';
import { beforeAll, describe, expect, it } from 'vitest';
import type { OpenMap } from '../../src/app/open-map.ts';
import { placeIn } from '../../src/tools/query/pose.ts';
import type { Mover } from '../../src/tools/query/query.ts';
import { openFixture } from './maps.ts';

let door: OpenMap;
beforeAll(async () => {
  door = await openFixture('arena', 'quake3');
});

function placed(options: Mover['options'], model?: number, { world } = door): number[] {
  const object = new Object3D();
  placeIn(object, new ModelFrames(world, options).of(model === undefined ? undefined : { model }));
  const { x, y, z } = object.position;
  return [x, y, z, Math.round((object.rotation.z * 180) / Math.PI) + 0];
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

  it('stands where its entity does in games whose models do, unless it is placed', async () => {
    const hinged = await openFixture('arena', 'ufoai');
    const ray = hinged.format.tracers.kinds.find(({ name }) => name === 'ray')!;
    const tracer = ray.create(hinged.world, [], { models: 'all' });
    const { model, fraction } = tracer.trace([436, 0, 60], [636, 0, 60]);
    expect([model, fraction < 1]).toEqual([2, true]);
    expect(placed({ models: 'all' }, 2, hinged)).toEqual([536, -64, 60, 0]);
    expect(placed({ model: 2 }, undefined, hinged)).toEqual([536, -64, 60, 0]);
    expect(placed({ model: 2, angles: [0, 90, 0] }, 2, hinged)).toEqual([536, -64, 60, 90]);
    expect(placed({ model: 2, origin: [1, 2, 3] }, 2, hinged)).toEqual([1, 2, 3, 0]);
    expect(placed({ models: 'all' }, 0, hinged)).toEqual([0, 0, 0, 0]);
  });
});
