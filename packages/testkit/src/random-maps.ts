import { lengthOf } from '@bspkit/geometry';
import fc from 'fast-check';
import type { BrushSpec, PlaneSpec } from './ibsp.ts';

// Parts of random maps, for comparing kernels with the literal algorithms. Trees need not make sense as geometry: whatever the
// trees and brushes are, the kernels must answer as the algorithms do.

const f = Math.fround;

/** How far from the origin planes and points are. */
export const SIZE = 200;

const PLANES = 14;
const BRUSHES = 8;

const axialPlane = fc
  .tuple(fc.nat(2), fc.integer({ min: -SIZE, max: SIZE }))
  .map(([axis, dist]) => [...[0, 1, 2].map((k) => (k === axis ? 1 : 0)), dist] as unknown as PlaneSpec);

const slantedPlane = fc
  .tuple(
    fc.integer({ min: -9, max: 9 }),
    fc.integer({ min: -9, max: 9 }),
    fc.integer({ min: 1, max: 9 }),
    fc.nat(SIZE),
  )
  .map(([x, y, z, dist]): PlaneSpec => {
    const length = lengthOf(x, y, z);
    return [f(x / length), f(y / length), f(z / length), dist];
  });

/** The number of a plane. */
export const planeNumber: fc.Arbitrary<number> = fc.nat(PLANES - 1);

/** A leaf of brushes. */
export const leafOf = (
  contents: fc.Arbitrary<number>,
): fc.Arbitrary<{ contents: number; brushes: number[] }> =>
  fc.record({ contents, brushes: fc.array(fc.nat(2 * BRUSHES - 1), { maxLength: 4 }) });

/** Planes and brushes: some of any of the planes, and boxes, which most are in maps, with planes of their own. */
export function brushesOf(
  contents: fc.Arbitrary<number>,
): fc.Arbitrary<{ planes: readonly PlaneSpec[]; brushes: readonly BrushSpec[] }> {
  const many = { minLength: BRUSHES, maxLength: BRUSHES };
  const three = { minLength: 3, maxLength: 3 };
  const loose = fc.record({ contents, sides: fc.array(fc.nat(2 * PLANES - 1), { maxLength: 9 }) });
  const box = fc.record({
    contents,
    center: fc.array(fc.integer({ min: -SIZE, max: SIZE }), three),
    half: fc.array(fc.integer({ min: 1, max: 60 }), three),
  });
  const plane = fc.oneof({ weight: 3, arbitrary: axialPlane }, slantedPlane);
  return fc
    .record({
      planes: fc.array(plane, { minLength: PLANES, maxLength: PLANES }),
      loose: fc.array(loose, many),
      boxes: fc.array(box, many),
    })
    .map(({ planes, loose, boxes }) => {
      const all = [...planes];
      const brushes: BrushSpec[] = [...loose];
      for (const { contents, center, half } of boxes) {
        const sides: number[] = [];
        for (let axis = 0; axis < 3; axis++) {
          for (const sign of [1, -1]) {
            const normal = [0, 1, 2].map((k) => (k === axis ? 1 : 0));
            sides.push(2 * all.length + (sign > 0 ? 0 : 1));
            all.push([...normal, center[axis]! + sign * half[axis]!] as unknown as PlaneSpec);
          }
        }
        brushes.push({ contents, sides });
      }
      return { planes: all, brushes };
    });
}

/** Seed and path of a counterexample say enough; a world's arrays would fill pages. */
export const untold = <T extends object>(world: T): T =>
  Object.assign(world, { [fc.toStringMethod]: () => 'a world' });

/** Points whose coordinates lie on planes, or just before and behind them by some numbers, or anywhere. */
export function pointsBy(...offsets: readonly number[]): fc.Arbitrary<number[]> {
  const whole = fc.integer({ min: -SIZE, max: SIZE });
  const coordinate = fc.oneof(
    whole,
    fc.tuple(whole, fc.constantFrom(...offsets)).map(([at, by]) => f(at + by)),
    fc.double({ min: -2 * SIZE, max: 2 * SIZE, noNaN: true }).map(f),
  );
  return fc.array(coordinate, { minLength: 3, maxLength: 3 });
}

/** Moves of two ends; often along an axis, sometimes equal, sometimes beyond what bounds are kept for. */
export const movesBetween = (
  point: fc.Arbitrary<number[]>,
): fc.Arbitrary<{ start: number[]; end: number[] }> =>
  fc
    .record({ start: point, end: point, kind: fc.nat(9), axis: fc.nat(2) })
    .map(({ start, end, kind, axis }) => {
      if (kind < 3) return { start, end: start.map((value, k) => (k === axis ? end[k]! : value)) };
      if (kind === 3) return { start, end: start };
      if (kind === 4) return { start, end: end.map((value) => f(value * 100)) };
      return { start, end };
    });

/** Boxes around the traced point, or beside it: of no size, those of players, or lopsided. */
export const boxesBetween = (
  point: fc.Arbitrary<number[]>,
  player: { mins: number[]; maxs: number[] },
): fc.Arbitrary<{ mins: number[]; maxs: number[] }> =>
  fc.record({ a: point, b: point, kind: fc.nat(4) }).map(({ a, b, kind }) => {
    if (kind === 0) return { mins: [0, 0, 0], maxs: [-0, 0, 0] };
    if (kind === 1) return player;
    const [c, d] = [a.map((value) => f(value / 8)), b.map((value) => f(value / 8))];
    if (kind === 2) return { mins: c, maxs: c };
    return {
      mins: c.map((value, k) => Math.min(value, d[k]!)),
      maxs: c.map((value, k) => Math.max(value, d[k]!)),
    };
  });
