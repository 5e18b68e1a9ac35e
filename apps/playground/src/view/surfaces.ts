import type { Polygon } from '@bspkit/core';
import type { OpenMap } from '../app/open-map.ts';
import { KINDS, kindOf, type SurfaceKind } from './kinds.ts';

/** Triangles that are drawn alike: a run of the indices. */
export interface DrawGroup {
  readonly kind: SurfaceKind;
  /** In indices, three per triangle. */
  readonly first: number;
  readonly count: number;
  /** Texture by its number in the file, -1 for none, and contents, as the format codes them. */
  readonly texture: number;
  readonly contents: number;
}

/** A map as triangles, counter-clockwise seen from their front, in Quake units. Groups are in order of kind. */
export interface DrawArrays {
  readonly positions: Float32Array;
  readonly normals: Float32Array;
  readonly indices: Uint32Array;
  readonly groups: readonly DrawGroup[];
}

/** A map's drawn surfaces as triangles. */
export function drawArrays(map: OpenMap): DrawArrays {
  const sets = new Map<string, { kind: SurfaceKind; polygons: Polygon[] }>();
  const flags = textureFlags(map);
  let [numVertices, numIndices] = [0, 0];
  for (const polygon of map.surfaces.polygons()) {
    const key = `${polygon.texture} ${polygon.contents}`;
    let set = sets.get(key);
    if (!set) {
      const { contents, surfaceFlags } = map.format;
      const names = surfaceFlags.names(flags.get(polygon.texture) ?? 0);
      set = { kind: kindOf(contents.names(polygon.contents), names), polygons: [] };
      sets.set(key, set);
    }
    set.polygons.push(polygon);
    const corners = polygon.vertices.length / 3;
    numVertices += corners;
    numIndices += 3 * (corners - 2);
  }
  const ordered = [...sets.values()].sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind));
  const positions = new Float32Array(3 * numVertices);
  const normals = new Float32Array(3 * numVertices);
  const indices = new Uint32Array(numIndices);
  const groups: DrawGroup[] = [];
  let [vertex, index] = [0, 0];
  for (const { kind, polygons } of ordered) {
    const first = index;
    for (const { vertices, normal } of polygons) {
      positions.set(vertices, 3 * vertex);
      const corners = vertices.length / 3;
      for (let k = 0; k < corners; k++) normals.set(normal, 3 * (vertex + k));
      for (let k = 2; k < corners; k++) {
        indices[index++] = vertex;
        indices[index++] = vertex + k - 1;
        indices[index++] = vertex + k;
      }
      vertex += corners;
    }
    const { texture, contents } = polygons[0]!;
    groups.push({ kind, first, count: index - first, texture, contents });
  }
  return { positions, normals, indices, groups };
}

/** Surface flags by texture, as far as the file lists them. */
function textureFlags({ file }: OpenMap): ReadonlyMap<number, number> {
  const { shaders } = file as { shaders?: readonly { readonly surfaceFlags?: number }[] };
  return new Map(shaders?.map(({ surfaceFlags = 0 }, k) => [k, surfaceFlags]));
}
