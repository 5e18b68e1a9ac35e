import { entityModel, entityVector, type Mesh, type MeshGroup } from '@bspkit/core';
import type { OpenMap } from '../app/open-map.ts';
import { isUnseen } from '../games/models.ts';

/** How a surface is drawn: as a wall, see-through, or only on request. */
export type SurfaceKind = 'solid' | 'liquid' | 'sky' | 'hidden';

export const KINDS: readonly SurfaceKind[] = ['solid', 'liquid', 'sky', 'hidden'];

/** Triangles that are drawn alike: a run of the indices. */
export interface DrawGroup {
  readonly kind: SurfaceKind;
  /** In indices, three per triangle. */
  readonly first: number;
  readonly count: number;
  /** Texture by its number in the file, -1 for none, and its name; contents, as the format codes them. */
  readonly texture: number;
  readonly name: string;
  readonly contents: number;
}

/** A map as triangles, counter-clockwise seen from their front, in Quake units. Groups are in order of kind. */
export interface DrawArrays {
  readonly positions: Float32Array;
  readonly normals: Float32Array;
  /** Into the atlas of lightmaps; `undefined` where there is none, below 0 for surfaces without light. */
  readonly lightCoords: Float32Array | undefined;
  readonly indices: Uint32Array;
  readonly groups: readonly DrawGroup[];
}

/** A map's drawn surfaces; inline models stand where their entities have them. */
export function drawnSurfaces(map: OpenMap): DrawArrays {
  const mesh = map.format.mesh?.(map.file);
  return mesh ? arrange(map, mesh, kindOf) : NOTHING;
}

/** What moves collide with, for formats whose drawn surfaces have no contents of their own. */
export function solidBrushes(map: OpenMap): DrawArrays {
  const mesh = collisionMesh(map);
  const { contents: names } = map.format;
  return mesh
    ? arrange(map, mesh, (group) =>
        names.names(group.contents).some(isUnseenName) ? undefined : kindOf(group),
      )
    : NOTHING;
}

/** Brushes that are never drawn, by what they are there for: clips, triggers, hints. */
export function unseenBrushes(map: OpenMap): DrawArrays {
  const { contents: names } = map.format;
  const isUnseen = new Map<number, boolean>();
  const mesh = collisionMesh(map);
  for (const { contents } of mesh?.groups ?? []) {
    isUnseen.set(contents, names.names(contents).some(isUnseenName));
  }
  return mesh
    ? arrange(map, mesh, ({ contents }) => (isUnseen.get(contents) ? 'hidden' : undefined))
    : NOTHING;
}

/** Games call these things by the same few names, whatever their numbers. */
const isUnseenName = (name: string): boolean =>
  /clip|trigger|hint|origin|donotenter|teleporter|portal/i.test(name);

const NOTHING: DrawArrays = {
  positions: new Float32Array(0),
  normals: new Float32Array(0),
  lightCoords: undefined,
  indices: new Uint32Array(0),
  groups: [],
};

/** What moves collide with; `undefined` for files that keep no brushes. */
function collisionMesh({ format, file }: OpenMap): Mesh | undefined {
  try {
    return format.mesh?.(file, { by: 'contents' });
  } catch {
    return undefined;
  }
}

function kindOf({ isSky, isHidden, isLiquid }: MeshGroup): SurfaceKind {
  if (isSky) return 'sky';
  if (isHidden) return 'hidden';
  return isLiquid ? 'liquid' : 'solid';
}

/** Puts a mesh's groups in order of kind, and models where they stand. Groups without a kind are left out. */
function arrange(
  map: OpenMap,
  mesh: Mesh,
  kindOfGroup: (group: MeshGroup) => SurfaceKind | undefined,
): DrawArrays {
  const { positions, normals, lightmapCoords, groups } = mesh;
  const places = modelPlaces(map);
  const kinds = groups.map((group) => {
    const kind = kindOfGroup(group);
    return kind && places.get(group.model)?.isUnseen ? 'hidden' : kind;
  });
  const order = [...groups.keys()].filter((k) => kinds[k] !== undefined);
  order.sort((a, b) => KINDS.indexOf(kinds[a]!) - KINDS.indexOf(kinds[b]!) || a - b);
  const indices = new Uint32Array(order.reduce((sum, k) => sum + groups[k]!.indexCount, 0));
  const moved = new Uint8Array(positions.length / 3);
  const made: DrawGroup[] = [];
  let first = 0;
  for (const k of order) {
    const { model, texture, name, contents, firstIndex, indexCount, isLightmapped } = groups[k]!;
    const own = mesh.indices.subarray(firstIndex, firstIndex + indexCount);
    indices.set(own, first);
    made.push({ kind: kinds[k]!, first, count: indexCount, texture, name, contents });
    first += indexCount;
    const origin = places.get(model)?.origin;
    if (!origin && isLightmapped) continue;
    for (const vertex of own) {
      if (!isLightmapped) lightmapCoords?.fill(-1, 2 * vertex, 2 * vertex + 2);
      if (!origin || moved[vertex]) continue;
      moved[vertex] = 1;
      for (let axis = 0; axis < 3; axis++) positions[3 * vertex + axis]! += origin[axis]!;
    }
  }
  return { positions, normals, lightCoords: lightmapCoords, indices, groups: made };
}

/** An inline model as it is at first. */
interface ModelPlace {
  /** `undefined` for one that stands where it was built. */
  readonly origin: readonly number[] | undefined;
  readonly isUnseen: boolean;
}

/** Where inline models stand at first, and which of them are not seen. */
function modelPlaces({ world }: OpenMap): Map<number, ModelPlace> {
  const places = new Map<number, ModelPlace>();
  for (const entity of world.entities()) {
    const model = entityModel(entity);
    if (model === undefined || places.has(model)) continue;
    places.set(model, { origin: entityVector(entity, 'origin'), isUnseen: isUnseen(entity) });
  }
  return places;
}
