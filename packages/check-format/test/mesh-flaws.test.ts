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
    'positions are not all finite': { positions: positions.map(() => Number.NaN) },
    'lightmapCoords are not in 0..1': { lightmapCoords: zeros(480).fill(2) },
    'normal 0 has length 2': { normals: normals.map((x) => 2 * x) },
    'an index is out of range': { indices: indices.map((vertex) => vertex + 1) },
    'vertex 239 is a corner of nothing': {
      indices: indices.map((vertex) => (vertex === 239 ? 238 : vertex)),
    },
    'a group of 36 corners begins at 36, not at 0': { groups: groups.slice(1) },
    'a group of 24 vertices begins at 0, not at 24': all({ firstVertex: 0 }),
    'vertex 24 is of another group': { indices: indices.map((vertex, k) => (k === 0 ? 24 : vertex)) },
    'model -1': all({ model: -1 }),
    'a group has places in no atlas': all({ isLightmapped: true }),
    'triangle 0 is of another brush': { brushes: brushes.map(() => 5) },
    'triangle 0 came from nothing': { brushes: brushes.map(() => -1) },
    'groups have 324 corners of 360': { groups: groups.slice(0, -1) },
  }),
)('a mesh has flaws: %s', (flaw, change) => {
  expect(meshFlaws(made)).toEqual([]);
  expect(meshFlaws({ ...made, ...change })).toContain(flaw);
});
