import { BspError } from '@bspkit/core';
import { createChecks } from '@bspkit/core/format';
import { describe, expect, it } from 'vitest';
import {
  brushBounds,
  brushModels,
  brushSources,
  checkBrushes,
  checkLeafLists,
  facePolygons,
  fileBrushes,
  roomOfFaces,
} from '../src/index.ts';
import { boxPlanes, makeFile, openFile, type Parts, type Plane } from './world.ts';

const CUBE = boxPlanes([-8, -8, -8], [8, 8, 8]);
const SLOPE: Plane = [Math.SQRT1_2, 0, Math.SQRT1_2, 4];
const [SOLID, EMPTY] = [1, 0];

const withBrushes = (...brushes: readonly (readonly Plane[])[]): Parts => ({
  brushes: brushes.map((planes) => ({ planes })),
  leafs: [
    { brushes: [], contents: SOLID },
    { brushes: brushes.map((_, k) => k), contents: EMPTY },
  ],
  nodes: [{ plane: [1, 0, 0, 0], children: [-1, -2] }],
});

describe('bounds of a brush', () => {
  const boundsOf = (planes: readonly Plane[]): number[] => {
    const file = makeFile(withBrushes(planes));
    return brushBounds(file, file.planes.dists, 0);
  };

  it('are those of its axial sides, and infinite where there is none', () => {
    expect(boundsOf([...CUBE, SLOPE])).toEqual([-8, -8, -8, 8, 8, 8]);
    expect(boundsOf([CUBE[0]!, SLOPE])).toEqual([-Infinity, -Infinity, -Infinity, 8, Infinity, Infinity]);
    // Almost axial is not axial: such a side bounds nothing by itself.
    expect(boundsOf([[0.9999999, 1e-4, 0, 5]])[3]).toBe(Infinity);
    // Of two sides on one axis, the nearer counts.
    expect(boundsOf([...CUBE, [1, 0, 0, 3]])[3]).toBe(3);
  });

  it('follow the given distances', () => {
    const file = makeFile(withBrushes(CUBE));
    const dists = file.planes.dists.map((dist) => dist + 1);
    expect(brushBounds(file, dists, 0)).toEqual([-9, -9, -9, 9, 9, 9]);
  });
});

describe('models of brushes', () => {
  const file = makeFile({
    brushes: [{ planes: CUBE }, { planes: CUBE }, { planes: CUBE }],
    leafs: [
      { brushes: [0, 1], contents: SOLID },
      { brushes: [1, 2], contents: SOLID },
    ],
    nodes: [{ plane: [1, 0, 0, 0], children: [-1, -2] }],
  });

  it('are the last ones whose trees list them, otherwise the world', () => {
    expect([...brushModels(file, [])]).toEqual([0, 0, 0]);
    expect([...brushModels(file, [-1])]).toEqual([1, 1, 0]);
    expect([...brushModels(file, [0, undefined, -2])]).toEqual([1, 3, 3]);
  });

  it('are the last of those that share a tree, which is walked once', () => {
    let reads = 0;
    const children = new Proxy(file.nodes.children, {
      get(numbers, key) {
        reads++;
        return Reflect.get(numbers, key, numbers);
      },
    });
    const heads = new Array<number>(500).fill(0);
    expect([...brushModels({ ...file, nodes: { children } }, [...heads, -1])]).toEqual([501, 501, 500]);
    expect(reads).toBe(2);
  });
});

describe('faces of brushes', () => {
  const facesOf = (...planes: readonly Plane[]): ReturnType<typeof facePolygons> => {
    const memory = openFile(makeFile(withBrushes(planes)));
    return facePolygons(memory, [memory.places.brushes.first]);
  };

  it('have their corners counter-clockwise as seen from the front', () => {
    const faces = facesOf(...CUBE, SLOPE);
    expect(faces).toHaveLength(7);
    for (const { vertices, normal, dist } of faces) {
      const corners = Array.from({ length: vertices.length / 3 }, (_, k) =>
        vertices.subarray(3 * k, 3 * k + 3),
      );
      const height = (corner: Float32Array): number =>
        corner[0]! * normal[0]! + corner[1]! * normal[1]! + corner[2]! * normal[2]!;
      for (const corner of corners) expect(height(corner)).toBeCloseTo(dist, 4);
      const [a, b, c] = corners.map((corner) => [...corner]) as [number[], number[], number[]];
      const [u, v] = [b.map((x, k) => x - a[k]!), c.map((x, k) => x - b[k]!)];
      const cross = [0, 1, 2].map((k) => {
        const [i, j] = [(k + 1) % 3, (k + 2) % 3];
        return u[i]! * v[j]! - u[j]! * v[i]!;
      });
      expect(height(Float32Array.from(cross))).toBeGreaterThan(0);
    }
  });

  it('appear once, and not for bevels or unbounded brushes', () => {
    expect(facesOf(...CUBE, CUBE[2]!)).toHaveLength(6);
    // This plane only touches an edge.
    expect(facesOf(...CUBE, [Math.SQRT1_2, Math.SQRT1_2, 0, 8 * Math.SQRT2])).toHaveLength(6);
    expect(facesOf(...CUBE.slice(0, 4))).toHaveLength(0);
  });
});

describe('brushes of a file', () => {
  it('are listed with their planes and models, either all or those of a mask', () => {
    const { brushes, ...rest } = withBrushes(CUBE, [SLOPE, ...CUBE]);
    const file = makeFile({ ...rest, brushes: [brushes[0]!, { ...brushes[1]!, contents: 32 }] });
    const models = Int32Array.of(0, 4);
    const [, second] = [...fileBrushes(file, models)];
    expect(second).toMatchObject({ brush: 1, model: 4, contents: 32 });
    expect(second!.planes).toHaveLength(7);
    expect(second!.planes[0]!.dist).toBe(4);
    const [only, ...others] = [...brushSources(file, models, 32)];
    expect(others).toEqual([]);
    expect(only).toMatchObject({ brush: 1, model: 4, firstSide: 6 });
    expect([...only!.planes.subarray(0, 4)]).toEqual([...Float32Array.from(SLOPE)]);
    expect([...brushSources(file, models, undefined)]).toHaveLength(2);
    expect(roomOfFaces(file, 32)).toEqual({ numVertices: 28, numTriangles: 14 });
    expect(roomOfFaces(file, undefined)).toEqual({ numVertices: 52, numTriangles: 26 });
  });
});

describe('what readers check', () => {
  const checks = createChecks<'leafBrushes' | 'leafs' | 'sides' | 'brushes' | 'nodes'>('test');
  const good = withBrushes(CUBE);
  const file = { ...makeFile(good), textures: [{}] } as unknown as Parameters<typeof checkBrushes>[1];

  const refusal = (changes: object, most = 1e6): string => {
    try {
      const changed = { ...file, ...changes };
      checkBrushes(checks, changed, most);
      checkLeafLists(checks, changed);
    } catch (error) {
      expect(error).toBeInstanceOf(BspError);
      const { code, lump } = error as BspError;
      return `${code} ${lump}`;
    }
    return 'none';
  };

  it('is everything that walks rely on', () => {
    const { brushes, leafs, sides } = file;
    const ints = (...values: number[]): Int32Array => Int32Array.from(values);
    expect(refusal({})).toBe('none');
    expect(refusal({ leafBrushes: ints(1) })).toBe('index leafBrushes');
    expect(refusal({ leafs: { ...leafs, numBrushes: ints(0, 2) } })).toBe('index leafs');
    expect(refusal({ leafs: { ...leafs, contents: ints(EMPTY, EMPTY) } })).toBe('value leafs');
    expect(refusal({ leafs: { ...leafs, contents: ints(SOLID, SOLID) } })).toBe('value leafs');
    expect(refusal({ sides: { ...sides, planes: ints(0, 1, 2, 3, 4, 99) } })).toBe('index sides');
    expect(refusal({ sides: { ...sides, textures: ints(0, -1, -1, -1, -1, 1) } })).toBe('index sides');
    expect(refusal({ brushes: { ...brushes, firstSides: ints(1) } })).toBe('index brushes');
    expect(refusal({}, 35)).toBe('limit brushes');
    expect(refusal({}, 36)).toBe('none');
  });
});
