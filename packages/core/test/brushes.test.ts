import { describe, expect, it } from 'vitest';
import { type BrushSource, cutPolygons } from '../src/format/index.ts';

/** A brush of planes: normal and dist each. */
const brush = (...planes: readonly number[][]): BrushSource => ({
  ...{ brush: 0, model: 0, contents: 1, firstSide: 0, textures: [] },
  planes: Float64Array.from(planes.flat()),
});

const CUBE = [
  [1, 0, 0, 8],
  [-1, 0, 0, 8],
  [0, 1, 0, 8],
  [0, -1, 0, 8],
  [0, 0, -1, 8],
  [0, 0, 1, 8],
];

describe('faces of brushes', () => {
  const sides = (...planes: readonly number[][]): number[] =>
    Array.from(cutPolygons([brush(...planes)]), ({ side }) => side);

  it('are there for every side that bounds the brush', () => {
    const [top] = Array.from(cutPolygons([brush(...CUBE)])).slice(-1);
    expect(sides(...CUBE)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(top!.vertices).toHaveLength(12);
    expect(sides(...CUBE, [Math.SQRT1_2, Math.SQRT1_2, 0, 16])).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('share a buffer with those of the same brush, and with no other', () => {
    const faces = Array.from(cutPolygons([brush(...CUBE), brush(...CUBE)]));
    const arrays = faces.flatMap(({ vertices, normal }) => [vertices, normal]);
    expect(new Set(arrays.map(({ buffer }) => buffer)).size).toBe(2);
    const [first] = faces;
    expect([...first!.normal]).toEqual([1, 0, 0]);
    expect(first!.vertices.buffer.byteLength).toBe(4 * 6 * (12 + 3));
    for (const [k, { vertices, normal, dist }] of faces.entries()) {
      expect([vertices.length, [...normal, dist]]).toEqual([12, CUBE[k % 6]]);
      for (let at = 0; at < 12; at += 3) {
        const [x, y, z] = [0, 1, 2].map((i) => vertices[at + i]! * normal[i]!) as [number, number, number];
        expect(x + y + z).toBe(8);
      }
    }
  });

  it('are left out for sides that are infinite', () => {
    // Without its top, the walls of a cube are infinite, but its floor is not.
    expect(sides(...CUBE.slice(0, 5))).toEqual([4]);
    expect(sides(...CUBE.slice(0, 4))).toEqual([]);
    expect(sides(CUBE[0]!)).toEqual([]);
    expect(sides(CUBE[0]!, CUBE[0]!, CUBE[0]!, CUBE[0]!)).toEqual([]);
  });

  it('are there far from the origin, and for long brushes', () => {
    const far = CUBE.map(([x, y, z, dist]) => [x!, y!, z!, dist! + 100_000 * x!]);
    expect(sides(...far)).toEqual([0, 1, 2, 3, 4, 5]);
    const long = CUBE.map(([x, y, z, dist]) => [x!, y!, z!, y === 0 ? dist! : 60_000]);
    expect(sides(...long)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it.each([100_000, 130_000, 2 ** 20, 2 ** 24])('are there %d units out, large and small', (far) => {
    const large = CUBE.map(([x, y, z]) => [x!, y!, z!, far]);
    const faces = Array.from(cutPolygons([brush(...large)]));
    expect(faces.map(({ side }) => side)).toEqual([0, 1, 2, 3, 4, 5]);
    for (const { vertices } of faces) expect(vertices.map(Math.abs)).toEqual(new Float32Array(12).fill(far));
    const small = CUBE.map(([x, y, z, dist]) => [x!, y!, z!, dist! + (far - 8) * (x! + y! - z!)]);
    expect(sides(...small)).toEqual([0, 1, 2, 3, 4, 5]);
    // Where nothing closes it, a brush has no end, however far out its other planes are.
    expect(sides(...large.slice(0, 5))).toEqual([4]);
  });
});
