import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  askedModel,
  checkPlaces,
  countValues,
  createRecorder,
  printAsString,
  showShape,
} from '../src/format/index.ts';
import { codeOf } from './errors.ts';

describe('what descriptors share', () => {
  it('finds the model that was asked for', () => {
    expect(askedModel({}, 0)).toBe(0);
    expect(askedModel({ model: 2, origin: [0, 0, 0] }, 2)).toBe(2);
    expect(() => askedModel({ origin: [0, 0, 0] }, 2)).toThrow('the world does not move');
    expect(() => askedModel({ model: 3 }, 2)).toThrow('there is no model *3: the map has *1 to *2');
    expect(() => askedModel({ model: 3 }, 1)).toThrow('only *1');
    expect(() => askedModel({ model: 1 }, 0)).toThrow('the map has none');
    expect(() => askedModel({ model: 1, angles: [0, 90] }, 1)).toThrow(
      'angles must have three numbers for each model, 3 in all, got 2',
    );
  });

  it('takes three numbers for the place of each model, and says what is wrong with anything else', () => {
    checkPlaces({}, 2);
    checkPlaces({ origin: [] }, 0);
    checkPlaces({ origin: [1, 2, 3], angles: Float32Array.of(0, -0, 90) as never }, 1);
    checkPlaces({ origin: undefined, angles: [1, 2, 3, 4, 5, 6] }, 2);
    for (const [values, count, error, message] of [
      [{ origin: [1, 2, 3] }, 2, RangeError, 'three numbers for each model, 6 in all, got 3'],
      [{ origin: [1, 2, 3], angles: [1, 2, 3, 4] }, 1, RangeError, 'angles must have three numbers'],
      [{ angles: [1, 2, Number.NaN] }, 1, RangeError, 'angles[2] must be a finite float32, got NaN'],
      [{ origin: [1, 2, 1e39] }, 1, RangeError, 'origin[2] must be a finite float32, got 1e+39'],
      [{ origin: ['1', 2, 3] }, 1, TypeError, "origin[0] must be a finite float32, got '1'"],
      [{ origin: '1,2,3' }, 1, TypeError, "origin must be an array of numbers, got '1,2,3'"],
      [{ angles: null }, 1, TypeError, 'angles must be an array of numbers, got null'],
    ] as const) {
      const check = (): void => checkPlaces(values as never, count);
      expect(check).toThrow(error);
      expect(check).toThrow(message);
    }
  });

  it('counts and shows', () => {
    expect([...countValues([3, 1, 3])]).toEqual([
      [3, 2],
      [1, 1],
    ]);
    class Box {
      readonly size = 8;

      constructor() {
        printAsString(this);
      }

      toString(): string {
        return `a box of ${this.size}`;
      }
    }
    class Cube extends Box {
      override toString(): string {
        return `a cube, ${super.toString()}`;
      }
    }
    expect(inspect([new Cube(), new Box()])).toBe('[ a cube, a box of 8, a box of 8 ]');
    expect(Reflect.ownKeys(new Box())).toEqual(['size']);
    class Fixed {
      constructor() {
        printAsString(this);
      }
    }
    Object.preventExtensions(Fixed.prototype);
    expect(() => new Fixed()).not.toThrow();
    expect(showShape({ kind: 'ray' })).toBe('ray');
    expect(showShape({ kind: 'sphere', radius: 8 })).toBe('sphere of radius 8');
    expect(showShape({ kind: 'box', mins: [-1, -1, 0], maxs: Float32Array.of(1, 1, 0.1) })).toBe(
      'box -1 -1 0 to 1 1 0.1',
    );
    expect(showShape({ kind: 'ellipsoid', radii: [1, 2, 3] })).toBe('ellipsoid of radii 1 2 3');
  });
});

describe('createRecorder', () => {
  it('collects steps, up to a limit', () => {
    const { steps, record } = createRecorder('toy');
    const step = { kind: 'leaf', leaf: 1, depth: 0, contents: 1, startFraction: 0, endFraction: 1 } as const;
    for (let k = 0; k < 131_072; k++) record(step);
    expect(steps).toHaveLength(131_072);
    expect(codeOf(() => record(step))).toBe('limit');
    expect(() => record(step)).toThrow('toy: the explanation has more than 131072 steps');
  });
});
