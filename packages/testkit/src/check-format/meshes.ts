import { BspError, type Mesh, type MeshOptions, type Vec3 } from '@bspkit/core';
import type { BspFormat } from '@bspkit/core/format';
import { createRandom } from '@bspkit/geometry';
import { expect, it } from 'vitest';
import { areasBy, meshFlaws, polygonArea, triangleOf } from '../check-mesh.ts';
import { MUTANTS } from '../mutants.ts';
import { expectBelow } from '../same.ts';
import { dot, type FormatSample, squareOf, type World } from './sample.ts';

/** What is drawn. */
export function checkMeshes(format: BspFormat, { bytes }: FormatSample, world: World): void {
  const file = format.read(bytes);
  const make = (options?: MeshOptions): Mesh => format.mesh!(file, options);
  /** Nothing for formats whose files need not keep brushes. */
  const keeping = <T>(get: () => T): T | undefined => {
    try {
      return get();
    } catch (error) {
      expect(error).toMatchObject({ code: 'empty' });
      return undefined;
    }
  };

  it('returns its drawn surfaces as triangles', () => {
    const mesh = make();
    expect(meshFlaws(mesh)).toEqual([]);
    expect(mesh.indices.length).toBeGreaterThan(0);
    const names = world.textureNames();
    for (const { texture, name, model } of mesh.groups) {
      expect(name).toBe(names[texture]);
      expect(model).toBeLessThanOrEqual(world.numModels);
    }
    for (let triangle = 0; triangle < mesh.indices.length / 3; triangle++) {
      const [area, cosine] = triangleOf(mesh, triangle);
      if (area > 0.01) expectBelow(0.9, cosine);
    }
  });

  it('draws as much of each surface as its polygons cover, if these come from surfaces', () => {
    const polygons = format.polygons(world).polygons();
    const areas = new Map<number, number>();
    for (const { surface, vertices } of polygons) {
      areas.set(surface, (areas.get(surface) ?? 0) + polygonArea(vertices));
    }
    areas.delete(-1);
    const mesh = make();
    const drawn = areasBy(mesh, (triangle) => mesh.surfaces[triangle]!);
    for (const [surface, area] of areas) {
      expectBelow(Math.abs(drawn.get(surface)! - area) / (area + 1), 1e-4, `surface ${surface}`);
    }
  });

  it('returns what collides as triangles on the sides of its brushes', () => {
    for (const by of ['brush', 'contents'] as const) {
      const mesh = keeping(() => make({ by }));
      if (!mesh) continue;
      expect(meshFlaws(mesh)).toEqual([]);
      expect(new Set(mesh.groups.map(({ texture, name }) => `${texture}${name}`))).toEqual(new Set(['-1']));
    }
    const polygons = keeping(() => format.brushPolygons?.(file));
    const mesh = polygons && make({ by: 'brush' });
    if (!polygons || !mesh) return;
    expect(polygons.length).toBeGreaterThan(0);
    const areas = new Map<number, number>();
    for (const { vertices, normal, dist, brush } of polygons) {
      for (let at = 0; at < vertices.length; at += 3) {
        expectBelow(Math.abs(dot(vertices.subarray(at, at + 3), normal) - dist), 0.01);
      }
      expectBelow(0, windingSign(vertices, normal));
      areas.set(brush, (areas.get(brush) ?? 0) + polygonArea(vertices));
    }
    const drawn = areasBy(mesh, (triangle) => mesh.brushes[triangle]!);
    drawn.delete(-1);
    expect([...drawn.keys()].sort()).toEqual([...areas.keys()].sort());
    for (const [brush, area] of areas) expectBelow(Math.abs(drawn.get(brush)! - area), 1e-3 * area);
    // A brush is closed: the areas of its faces, as vectors, make nothing.
    for (const brush of areas.keys()) {
      const sum = [0, 0, 0];
      for (const polygon of polygons.filter((one) => one.brush === brush)) {
        const area = polygonArea(polygon.vertices);
        for (let k = 0; k < 3; k++) sum[k]! += area * polygon.normal[k]!;
      }
      expect(Math.sqrt(squareOf(sum)), `brush ${brush}`).toBeLessThan(1e-3 * areas.get(brush)! + 0.1);
    }
  });

  it('draws mutants of the map, or refuses them', () => {
    const random = createRandom(7);
    const view = new DataView(new ArrayBuffer(4));
    let drawn = 0;
    for (let mutant = 0; mutant < MUTANTS / 12; mutant++) {
      const changed = Uint8Array.from(bytes);
      for (let k = 0; k <= mutant % 3; k++) {
        const at = 4 * Math.floor((random() * changed.length) / 4);
        if (random() < 0.5) view.setFloat32(0, random() < 0.5 ? Number.NaN : 1e30, true);
        else view.setInt32(0, Math.floor(random() * 300), true);
        changed.set(new Uint8Array(view.buffer).subarray(0, changed.length - at), at);
      }
      const flaws = keepingErrors(() => {
        const file = format.read(changed);
        const meshes = [format.mesh!(file), format.mesh!(file, { by: 'contents' })];
        format.lightmaps?.(file);
        format.embeddedTextures?.(file);
        return meshes.flatMap(meshFlaws);
      });
      if (flaws) drawn++;
      expect(flaws ?? []).toEqual([]);
    }
    expect(drawn).toBeGreaterThan(0);
  });

  it('leaves unwanted parts out of a mesh', () => {
    const { groups } = make();
    const { contents } = groups.find((group) => group.contents !== 0)!;
    const wanted = make({ mask: contents });
    expect(wanted.groups.length).toBeGreaterThan(0);
    expect(wanted.groups.every((group) => (group.contents & contents) !== 0)).toBe(true);
    expect(() => make({ by: 'colour' as never })).toThrow(RangeError);
    expect(() => make({ patchLevel: 65 })).toThrow(RangeError);
    expect(() => make({ patchlevel: 4 } as never)).toThrow(TypeError);
  });
}

/** What some work gives; nothing where it is refused with an error of ours. */
function keepingErrors<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof BspError) return undefined;
    throw error;
  }
}

/** Above 0 for corners in order around the normal, counter-clockwise seen from its front. */
export function windingSign(vertices: Float32Array, normal: Vec3): number {
  const sum = [0, 0, 0];
  for (let at = 0; at < vertices.length; at += 3) {
    const next = (at + 3) % vertices.length;
    for (let k = 0; k < 3; k++) {
      const [i, j] = [(k + 1) % 3, (k + 2) % 3];
      sum[k]! += vertices[at + i]! * vertices[next + j]! - vertices[at + j]! * vertices[next + i]!;
    }
  }
  return dot(sum, normal);
}
