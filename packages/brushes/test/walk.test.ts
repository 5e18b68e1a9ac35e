import { between, createRandom } from '@bspkit/geometry';
import { seedOf } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import { B_HIGH, B_LOW, findLeaf, S_CULL } from '../src/index.ts';
import { boxPlanes, makeFile, openFile, type Parts, type Plane, traceBox } from './world.ts';

const f = Math.fround;
const SLOPE = Math.SQRT1_2;

/** A block around the origin, listed by both leafs of a split at x = 0, and a block far in front, listed by one leaf. */
const PARTS: Parts = {
  brushes: [
    { planes: boxPlanes([-8, -8, -8], [8, 8, 8]), contents: 1 },
    { planes: boxPlanes([50, -8, -8], [60, 8, 8]), contents: 32 },
  ],
  leafs: [
    { brushes: [0, 1], contents: -1 },
    { brushes: [0], contents: -1 },
  ],
  nodes: [{ plane: [1, 0, 0, 0], children: [-1, -2] }],
};
const file = makeFile(PARTS);

describe('a sweep', () => {
  it('ends an epsilon before the face that it meets, whichever leaf lists it', () => {
    const memory = openFile(file);
    const answer = traceBox(memory, [-100, 0, 0], [100, 0, 0], 4);
    expect(answer).toEqual({
      fraction: f((88 - 0.03125) / 200),
      normal: [-1, 0, 0],
      startSolid: false,
      contents: 1,
      hit: true,
    });
    expect(traceBox(memory, [100, 0, 0], [-100, 0, 0], 4)).toMatchObject({ normal: [1, 0, 0], contents: 32 });
    expect(traceBox(memory, [-100, 20, 0], [100, 20, 0], 4)).toMatchObject({ fraction: 1, hit: false });
  });

  it('still finds brushes after the trace counter starts over', () => {
    const memory = openFile(file);
    const before = traceBox(memory, [-100, 0, 0], [100, 0, 0]);
    // The first trace after that has number 1 again, with which this brush was marked before.
    memory.traces[0] = 0x7fffffff;
    expect(memory.brushStamps[0]).toBe(1);
    expect(traceBox(memory, [-100, 0, 0], [100, 0, 0])).toEqual(before);
    expect(memory.traces[0]).toBe(1);
  });

  it('says that it starts in solid', () => {
    const memory = openFile(file);
    expect(traceBox(memory, [0, 0, 0], [100, 0, 0])).toMatchObject({ startSolid: true });
    expect(traceBox(memory, [1, 0, 0], [1, 0, 0])).toMatchObject({ startSolid: true, fraction: 0 });
  });
});

describe('brushes out of the way', () => {
  it('do not change answers if they are tested anyway', () => {
    const slope: Plane = [SLOPE, 0, SLOPE, 4];
    const parts = {
      ...PARTS,
      brushes: [{ planes: [...PARTS.brushes[0]!.planes, slope] }, PARTS.brushes[1]!],
    };
    const [near, far] = [openFile(makeFile(parts)), openFile(makeFile(parts))];
    // Infinite bounds rule out no brush, so all are tested.
    far.floats.fill(-Infinity, far.places.brushes.first + 3, far.places.brushes.first + 6);
    far.floats.fill(Infinity, far.places.brushes.first + 6, far.places.brushes.first + 9);
    far.floats.fill(-Infinity, far.places.brushes.first + 13, far.places.brushes.first + 16);
    far.floats.fill(Infinity, far.places.brushes.first + 16, far.places.brushes.first + 19);
    const random = createRandom(seedOf(7));
    const point = (): number[] => [0, 1, 2].map(() => f(between(random, -70, 70)));
    let hits = 0;
    for (let k = 0; k < 2000; k++) {
      const [start, end, half] = [point(), point(), f(between(random, 0, 9))];
      const answer = traceBox(near, start, end, half);
      expect(answer).toEqual(traceBox(far, start, end, half));
      if (answer.hit) hits++;
    }
    expect(hits).toBeGreaterThan(200);
  });

  it('are not recognized by bounds far from the origin, or by infinite ones', () => {
    const memory = openFile(file);
    const culls = (start: number[], end: number[]): number => {
      traceBox(memory, start, end, 4);
      return memory.boxState[S_CULL]!;
    };
    expect(culls([-8000, 0, 0], [8000, 0, 0])).toBe(1);
    expect(culls([-9000, 0, 0], [9000, 0, 0])).toBe(0);
    expect(culls([Number.NaN, 0, 0], [0, 0, 0])).toBe(0);
  });

  it('lie outside the bounds of the move up to its end', () => {
    const memory = openFile(file);
    const { box } = memory;
    traceBox(memory, [0, 20, 0], [0, 100, 0], 4);
    expect(box[B_LOW + 1]).toBeLessThan(16);
    expect(box[B_LOW + 1]).toBeGreaterThan(15.5);
    expect(box[B_HIGH + 1]).toBeGreaterThan(104);
  });
});

describe('a position test', () => {
  /** A block that only the leaf behind x = 32 lists, though it extends beyond. */
  const behind = makeFile({
    brushes: [{ planes: boxPlanes([20, -8, -8], [40, 8, 8]) }],
    leafs: [
      { brushes: [], contents: -1 },
      { brushes: [0], contents: -1 },
    ],
    nodes: [{ plane: [1, 0, 0, 32], children: [-1, -2] }],
  });
  const isSolid = (x: number, rules: { touchMargin: number; touchEpsilon?: number }): boolean =>
    traceBox(openFile(behind, rules), [x, 0, 0], [x, 0, 0]).startSolid;

  it('looks for leafs within the margin of its engine', () => {
    expect(isSolid(33.5, { touchMargin: 1 })).toBe(false);
    expect(isSolid(33.5, { touchMargin: 2 })).toBe(true);
  });

  it('is in front of a plane that it only touches, or on both sides of one that is near', () => {
    expect(isSolid(33, { touchMargin: 1 })).toBe(false);
    expect(isSolid(32.75, { touchMargin: 1 })).toBe(true);
    expect(isSolid(32, { touchMargin: 0 })).toBe(false);
    expect(isSolid(32, { touchMargin: 0, touchEpsilon: 0.125 })).toBe(true);
    expect(isSolid(32.95, { touchMargin: 1, touchEpsilon: 0.125 })).toBe(false);
  });
});

describe('the leaf of a point', () => {
  it('is in front of planes that contain it, axial or oblique', () => {
    const tree = openFile(
      makeFile({
        brushes: [{ planes: boxPlanes([0, 0, 0], [1, 1, 1]) }],
        leafs: [0, 1, 2].map(() => ({ brushes: [], contents: 0 })),
        nodes: [
          { plane: [0, 1, 0, 16], children: [1, -1] },
          { plane: [0.6, 0, 0.8, 10], children: [-2, -3] },
        ],
      }),
    );
    expect(findLeaf(tree, 0, [0, 15.999, 0])).toBe(0);
    expect(findLeaf(tree, 0, [100, 16, 0])).toBe(1);
    expect(findLeaf(tree, 0, [0, 16, 12])).toBe(2);
    expect(findLeaf(tree, -3, [0, 0, 0])).toBe(2);
  });
});
