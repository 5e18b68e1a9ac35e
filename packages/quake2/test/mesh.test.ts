import { meshFlaws } from '@bspkit/check-format';
import { compileFixture } from '@bspkit/fixtures';
import { readRealMap, realMapNames, skippedWithoutMaps } from '@bspkit/fixtures/real';
import { areasBy, dot } from '@bspkit/geometry';
import { describe, expect, it } from 'vitest';
import {
  BspError,
  brushPolygons,
  CONTENTS_PLAYERCLIP,
  createQuake2World,
  lightmaps,
  mesh,
  polygons,
  type Quake2File,
  type Quake2Lump,
  readQuake2,
} from '../src/index.ts';

const arena = readQuake2(compileFixture('arena', 'quake2').bytes);
const fields = ({ lumps }: Quake2File, lump: Quake2Lump): DataView =>
  new DataView(lumps[lump].buffer, lumps[lump].byteOffset, lumps[lump].byteLength);
const at = (values: Float32Array, vertex: number): Float32Array =>
  values.subarray(3 * vertex, 3 * vertex + 3);
/** The arena with one number of a lump changed. */
function patched(lump: Quake2Lump, offset: number, value: number, size: 2 | 4): Quake2File {
  const bytes = arena.lumps[lump].slice();
  const view = new DataView(bytes.buffer);
  if (size === 2) view.setUint16(offset, value, true);
  else view.setInt32(offset, value, true);
  return { ...arena, lumps: { ...arena.lumps, [lump]: bytes } };
}

describe('mesh by texture', () => {
  it.each(['arena', 'house', 'torture'] as const)('of %s lies in the planes of its faces', (name) => {
    const file = readQuake2(compileFixture(name, 'quake2').bytes);
    const made = mesh(file);
    expect(meshFlaws(made)).toEqual([]);
    const faces = fields(file, 'faces');
    let [farthest, cosine] = [0, 1];
    for (const [k, vertex] of made.indices.entries()) {
      const face = 20 * made.surfaces[Math.floor(k / 3)]!;
      const plane = faces.getUint16(face, true);
      const facing = faces.getInt16(face + 2, true) === 0 ? 1 : -1;
      const normal = at(file.planes.normals, plane);
      const height = dot(at(made.positions, vertex), normal) - file.planes.dists[plane]!;
      farthest = Math.max(farthest, Math.abs(height));
      cosine = Math.min(cosine, facing * dot(at(made.normals, vertex), normal));
    }
    expect(farthest).toBeLessThan(0.05);
    expect(cosine).toBeGreaterThan(0.999);
    expect(new Set(made.surfaces).size).toBe(file.lumps.faces.length / 20);
  });

  it('has coordinates in texels, as the axes of textures say', () => {
    const made = mesh(arena);
    const [faces, textures] = [fields(arena, 'faces'), fields(arena, 'texinfo')];
    let most = 0;
    for (const [k, vertex] of made.indices.entries()) {
      const texture = faces.getInt16(20 * made.surfaces[Math.floor(k / 3)]! + 10, true);
      for (let axis = 0; axis < 2; axis++) {
        const axes = [0, 1, 2, 3].map((i) => textures.getFloat32(76 * texture + 16 * axis + 4 * i, true));
        const texel = dot(at(made.positions, vertex), axes) + axes[3]!;
        most = Math.max(most, Math.abs(texel - made.texCoords![2 * vertex + axis]!));
      }
    }
    expect(most).toBeLessThan(0.01);
  });
});

describe('mesh by brush', () => {
  it('has the faces of brushes, those that are asked for', () => {
    const made = mesh(arena, { by: 'brush' });
    expect(meshFlaws(made)).toEqual([]);
    const areas = areasBy(made, (triangle) => made.brushes[triangle]!);
    expect(areas.size).toBe(new Set(brushPolygons(arena).map(({ brush }) => brush)).size);
    const clips = mesh(arena, { by: 'contents', mask: CONTENTS_PLAYERCLIP });
    expect(clips.groups.length).toBeGreaterThan(0);
    for (const { contents } of clips.groups) expect(contents & CONTENTS_PLAYERCLIP).not.toBe(0);
  });

  it.each(['texture', 'contents'] as const)('by %s has what a mask meets, and only that', (by) => {
    const all = new Set(mesh(arena, { by, mask: -1 }).groups.map(({ contents }) => contents));
    for (const mask of [1, CONTENTS_PLAYERCLIP, 0x20]) {
      const met = new Set(mesh(arena, { by, mask }).groups.map(({ contents }) => contents));
      expect(met).toEqual(new Set([...all].filter((contents) => (contents & mask) !== 0)));
    }
  });

  it('has polygons that a mask meets, and only those', () => {
    const world = createQuake2World(arena);
    const contentsOf = (mask: number): number[] => polygons(world, { mask }).map(({ contents }) => contents);
    const all = contentsOf(-1);
    for (const mask of [1, CONTENTS_PLAYERCLIP, 0x20]) {
      expect(contentsOf(mask)).toEqual(all.filter((contents) => (contents & mask) !== 0));
    }
  });

  it('has no groups for brushes without faces', () => {
    const { brushes } = arena;
    const without = { ...arena, brushes: { ...brushes, numSides: new Int32Array(brushes.count) } };
    expect(mesh(without, { by: 'brush' }).groups).toEqual([]);
  });
});

describe('drawn lumps that point nowhere', () => {
  it.each([
    ['faces', 0, 0xffff, 2],
    ['faces', 4, 0x7fffffff, 4],
    ['faces', 10, 0x7fff, 2],
    ['edges', 2, 0xffff, 2],
    ['surfEdges', 0, 0x7fffffff, 4],
    ['surfEdges', 0, -0x80000000, 4],
  ] as const)('%s at byte %i: %i', (lump, offset, value, size) => {
    expect(() => mesh(patched(lump, offset, value, size))).toThrow(BspError);
  });
});

describe.skipIf(skippedWithoutMaps !== '')(`maps of the game${skippedWithoutMaps}`, () => {
  it.each(realMapNames('quake2'))('%s can be drawn', (name) => {
    const file = readQuake2(readRealMap(name));
    const made = mesh(file);
    expect(meshFlaws(made)).toEqual([]);
    expect(made.indices.length).toBeGreaterThan(1000);
    // They are unlit.
    expect(lightmaps(file)).toBeUndefined();
  });
});
