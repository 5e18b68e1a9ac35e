import type { Mesh } from '@bspkit/core';
import { toy, toyMap } from '@bspkit/testkit/toy';
import { expect, it } from 'vitest';
import { meshFlaws } from '../src/index.ts';

/** Ten brushes, each a group of 24 vertices and 12 triangles. */
const made = toy.mesh!(toy.read(toyMap()), { by: 'brush' });
const { positions, normals, indices, brushes, groups } = made;
const all = (change: Partial<Mesh['groups'][number]>): Partial<Mesh> => ({
  groups: groups.map((group) => ({ ...group, ...change })),
});
const zeros = (length: number): Float32Array => new Float32Array(length);
/** The last group with changes. */
const last = (change: Partial<Mesh['groups'][number]>): Partial<Mesh> => ({
  groups: [...groups.slice(0, -1), { ...groups.at(-1)!, ...change }],
});
/** Numbers of which one has changed. */
const withOne = <T extends Float32Array | Int32Array>(numbers: T, at: number, x: number): T => {
  const changed = numbers.slice() as T;
  changed[at] = x;
  return changed;
};

it.each(
  Object.entries<Partial<Mesh>>({
    'groups are not an array': { groups: undefined as never },
    'positions are not of the class Float32Array': { positions: undefined as never },
    'sides are not of the class Int32Array': { sides: undefined as never },
    'positions are 721 instead of 720': { positions: zeros(721) },
    'indices are 361 instead of 360': { indices: new Uint32Array(361) },
    'normals are 3 instead of 720': { normals: zeros(3) },
    'texCoords are 3 instead of 480': { texCoords: zeros(3) },
    'lightmapCoords are 3 instead of 480': { lightmapCoords: zeros(3) },
    'colors are 3 instead of 960': { colors: new Uint8Array(3) },
    'surfaces are 3 instead of 120': { surfaces: new Int32Array(3) },
    'brushes are 3 instead of 120': { brushes: new Int32Array(3) },
    'sides are 3 instead of 120': { sides: new Int32Array(3) },
    'positions are not all finite': { positions: withOne(positions, 7, Number.NaN) },
    'normals are not all finite': { normals: withOne(normals, 719, Number.POSITIVE_INFINITY) },
    'lightmapCoords are not in 0..1': { lightmapCoords: withOne(zeros(480), 479, 1.5) },
    'normal 0 has length 2': { normals: normals.map((x) => 2 * x) },
    'normal 239 has length 0': { normals: normals.map((x, k) => (k < 717 ? x : 0)) },
    'an index is out of range': { indices: indices.map((vertex) => vertex + 1) },
    'vertex 239 is a corner of nothing': {
      indices: indices.map((vertex) => (vertex === 239 ? 238 : vertex)),
    },
    'a group of 36 corners begins at 36, not at 0': { groups: groups.slice(1) },
    'a group of 24 vertices begins at 0, not at 24': all({ firstVertex: 0 }),
    'a group of 25 vertices begins at 216, not at 216': last({ vertexCount: 25 }),
    'a group of 0 vertices begins at 216, not at 216': last({ vertexCount: 0 }),
    'a group of 32 corners begins at 324, not at 324': last({ indexCount: 32 }),
    'a group of 0 corners begins at 360, not at 360': {
      groups: [...groups, { ...groups[0]!, firstIndex: 360, indexCount: 0 }],
    },
    'vertex 24 is of another group': { indices: indices.map((vertex, k) => (k === 0 ? 24 : vertex)) },
    'model -1': all({ model: -1 }),
    'a group has places in no atlas': all({ isLightmapped: true }),
    'triangle 0 is of another brush': { brushes: brushes.map(() => 5) },
    'triangle 119 is of another brush': { brushes: withOne(brushes, 119, 5) },
    'triangle 0 came from nothing': { brushes: brushes.map(() => -1) },
    'groups have 324 corners of 360': { groups: groups.slice(0, -1) },
  }),
)('a mesh has flaws: %s', (flaw, change) => {
  expect(meshFlaws(made)).toEqual([]);
  expect(meshFlaws({ ...made, ...change })).toContain(flaw);
});

it('a mesh lists what is wrong with it, and numbers at the ends of their ranges are right', () => {
  expect(meshFlaws({ ...made, sides: undefined, groups: undefined } as never)).toEqual([
    'sides are not of the class Int32Array',
    'groups are not an array',
  ]);
  expect(meshFlaws({ ...made, lightmapCoords: withOne(zeros(480), 0, -0.5) })).toEqual([
    'lightmapCoords are not in 0..1',
  ]);
  const right: Partial<Mesh> = {
    lightmapCoords: zeros(480).fill(1, 240),
    normals: normals.map((_, k) => [-2 / 7, 3 / 7, 6 / 7][k % 3]!),
    surfaces: new Int32Array(120),
    brushes: new Int32Array(120).fill(-1),
    ...all({ brush: -1, isLightmapped: true }),
  };
  expect(meshFlaws({ ...made, ...right })).toEqual([]);
});
