import { describe, expect, it, vi } from 'vitest';
import { boxLeafs, boxSides, type LeafTree, leafsInBox, linkSides } from '../src/format/index.ts';

/** Planes of nodes, each with its children; leaf k is -1 - k, and leaf 9 stands for what is solid. */
const treeOf = (
  nodes: readonly (readonly [plane: readonly number[], front: number, back: number])[],
): LeafTree => ({
  sides(node, box) {
    const [nx, ny, nz, dist] = nodes[node]![0] as [number, number, number, number];
    return boxSides(nx, ny, nz, dist, box);
  },
  child: (node, side) => nodes[node]![1 + side] as number,
  leaf: (child) => (child === -10 ? -1 : -1 - child),
});

/** Leafs 0 to 3 from high x to low x, divided at 8, 0 and -8. */
const ROW = treeOf([
  [[1, 0, 0, 0], 1, 2],
  [[1, 0, 0, 8], -1, -2],
  [[1, 0, 0, -8], -3, -4],
]);

function found(tree: LeafTree, mins: readonly number[], maxs: readonly number[], roots = [0]): number[] {
  const out = new Int32Array(8);
  return Array.from(out.subarray(0, boxLeafs(tree, roots, mins, maxs, out)));
}

/** Normals of planes that are not axial. */
const OBLIQUE = [
  [1, 1, 1],
  [-1, 1, 1],
  [1, -1, 1],
  [1, 1, -1],
  [-1, -1, -1],
];

/** Corners of a cube of two units whose middle is this far along a normal. */
const cubeAlong = (normal: readonly number[], center: number): [number[], number[]] => [
  normal.map((n) => n * center - 1),
  normal.map((n) => n * center + 1),
];

describe('leafs that a box touches', () => {
  it('are those on its side of each plane, and on both where it crosses one', () => {
    expect(found(ROW, [9, -1, -1], [20, 1, 1])).toEqual([0]);
    expect(found(ROW, [-1, -1, -1], [1, 1, 1])).toEqual([1, 2]);
    expect(found(ROW, [-20, -1, -1], [-9, 1, 1])).toEqual([3]);
    expect(found(ROW, [-20, -1, -1], [20, 1, 1])).toEqual([0, 1, 2, 3]);
  });

  it('are on both sides of a plane that it only touches', () => {
    expect(found(ROW, [8, 0, 0], [9, 0, 0])).toEqual([0, 1]);
    expect(found(ROW, [7, 0, 0], [8, 0, 0])).toEqual([0, 1]);
    expect(found(ROW, [7, 0, 0], [7.5, 0, 0])).toEqual([1]);
  });

  it.each(OBLIQUE)(
    'are found by the nearest and the farthest corner: a plane along %d %d %d',
    (...normal) => {
      const tree = treeOf([[[...normal, 6], -1, -2]]);
      const box = (center: number) => cubeAlong(normal, center);
      // The corners are 3 in front of and behind the middle, which is three times as far as each of its coordinates.
      expect(found(tree, ...box(0.9))).toEqual([1]);
      expect(found(tree, ...box(1))).toEqual([0, 1]);
      expect(found(tree, ...box(3))).toEqual([0, 1]);
      expect(found(tree, ...box(3.1))).toEqual([0]);
    },
  );

  it('are counted even if there is no room for them, except for those to be left out', () => {
    const out = new Int32Array(2);
    expect(boxLeafs(ROW, [0], [-20, 0, 0], [20, 0, 0], out)).toBe(4);
    expect([...out]).toEqual([0, 1]);
    expect(found(treeOf([[[1, 0, 0, 0], -10, -1]]), [-1, 0, 0], [1, 0, 0])).toEqual([0]);
  });

  it('are those below all roots, or the first of them', () => {
    expect(found(ROW, [9, 0, 0], [9, 0, 0], [0, 2, -2])).toEqual([0, 2, 1]);
    expect(boxLeafs(ROW, [0, 2, -2], [9, 0, 0], [9, 0, 0], new Int32Array(8), 1)).toBe(1);
  });

  it('are found in trees of any depth', () => {
    const deep = treeOf(Array.from({ length: 1000 }, (_, k) => [[1, 0, 0, k], k < 999 ? k + 1 : -1, -1]));
    expect(boxLeafs(deep, [0], [-1, 0, 0], [2000, 0, 0], new Int32Array(1))).toBe(1001);
  });
});

describe('an array for leafs', () => {
  const write = (out: Int32Array): number => boxLeafs(ROW, [0], [-20, 0, 0], [20, 0, 0], out);

  it('that was transferred or cut off is refused, not taken for one without room', () => {
    const gone = new TypeError('out must not have been transferred or cut off');
    const transferred = new Int32Array(8);
    structuredClone(transferred.buffer, { transfer: [transferred.buffer] });
    expect(() => write(transferred)).toThrow(gone);
    expect(() => leafsInBox(ROW, 0, [0, 0, 0], [0, 0, 0], transferred)).toThrow(gone);
    const room = Reflect.construct(ArrayBuffer, [32, { maxByteLength: 64 }]);
    const cut = new Int32Array(room, 0, 8);
    room.resize(4);
    expect(() => write(cut)).toThrow(gone);
    expect(write(new Int32Array(0))).toBe(4);
  });

  it('is refused also where V8 has compiled walks that met arrays of resizable memory', async () => {
    // Functions of their own, so that no other test gets what is compiled for these.
    vi.resetModules();
    const { boxLeafs } = await import('../src/format/leafs.ts');
    const plain = new Int32Array(8);
    const elastic = new Int32Array(Reflect.construct(ArrayBuffer, [32, { maxByteLength: 64 }]));
    const write = (out: Int32Array): number => boxLeafs(ROW, [0], [-20, 0, 0], [20, 0, 0], out);
    for (let k = 0; k < 30_000; k++) {
      write(plain);
      write(elastic);
    }
    structuredClone(plain.buffer, { transfer: [plain.buffer] });
    expect(() => write(plain)).toThrow('out must not have been transferred or cut off');
  });
});

describe('leafs to which engines link a box', () => {
  /** The sides of one plane; an axial one has nothing but a distance. */
  const sides = (
    type: number,
    [nx, ny, nz, dist]: readonly number[],
    mins: number[],
    maxs: number[],
  ): number =>
    linkSides(type, Float32Array.of(7, nx!, ny!, nz!, dist!), 1, 4, Float64Array.of(...mins, ...maxs));

  it.each([0, 1, 2])('are on one side of a plane that it touches: across axis %i', (axis) => {
    const at = (x: number): number[] => [0, 1, 2].map((k) => (k === axis ? x : 500));
    const plane = [9, 9, 9, 8];
    expect(sides(axis, plane, at(8), at(9))).toBe(1);
    expect(sides(axis, plane, at(7), at(8))).toBe(2);
    expect(sides(axis, plane, at(8), at(8))).toBe(1);
    expect(sides(axis, plane, at(7), at(9))).toBe(3);
    // In float32, this is 8 too.
    expect(sides(axis, plane, at(8 - 1e-9), at(9))).toBe(1);
    expect(sides(axis, plane, at(7), at(8 + 1e-9))).toBe(2);
  });

  it.each(OBLIQUE)('and of one along %d %d %d, though only if it is in front', (...normal) => {
    const box = (center: number) => cubeAlong(normal, center);
    const plane = [...normal, 6];
    expect(sides(3, plane, ...box(0.9))).toBe(2);
    // The farthest corner on the plane is in front of it, the nearest one is not behind it.
    expect(sides(3, plane, ...box(1))).toBe(3);
    expect(sides(3, plane, ...box(3))).toBe(1);
    expect(sides(3, plane, ...box(2.9))).toBe(3);
    expect(sides(5, plane, ...box(3.1))).toBe(1);
  });

  it('follow from sums that are rounded after every operation', () => {
    // The square of x is 2^-24 more than a float32 can hold, and is rounded down to 1 + 2^-11.
    const x = 1 + 2 ** -12;
    const between = 2 ** -11 + 2 ** -25;
    expect(sides(3, [1, x, 0, between], [-1, x, 0], [-1, x, 0])).toBe(2);
    expect(sides(3, [1, 0, x, between], [-1, 0, x], [-1, 0, x])).toBe(2);
    expect(sides(3, [1, -x, 0, -between], [1, x, 0], [1, x, 0])).toBe(1);
    // Two thirds of the last bit are lost one by one.
    expect(sides(3, [1, 1, 1, 1 + 2 ** -23], [1, 2 ** -24, 2 ** -24], [1, 2 ** -24, 2 ** -24])).toBe(2);
  });

  it('are on both sides where the sum is NaN, as in the engines', () => {
    expect(sides(3, [3e38, 3e38, 0, 1], [-3e38, 3e38, 0], [-3e38, 3e38, 0])).toBe(3);
  });

  it('come as a list, or where the caller wants them', () => {
    expect(leafsInBox(ROW, 0, [-20, 0, 0], [20, 0, 0], undefined)).toEqual([0, 1, 2, 3]);
    expect(leafsInBox(ROW, 2, [-20, 0, 0], [20, 0, 0], undefined)).toEqual([2, 3]);
    const out = new Int32Array(2);
    expect(leafsInBox(ROW, 1, [8, 0, 0], [8, 0, 0], out)).toBe(2);
    expect([...out]).toEqual([0, 1]);
    expect(leafsInBox(ROW, 0, [-20, 0, 0], [20, 0, 0], out)).toBe(4);
    expect(() => leafsInBox(ROW, 0, [1, 0, 0], [0, 0, 0], undefined)).toThrow(RangeError);
  });
});
