import type { Polygon } from '@bspkit/core';
import { checkNumber } from '@bspkit/core/format';
import { CONTENTS_EMPTY } from './constants.ts';
import { checkTarget, checkWorld } from './given.ts';
import type { WorldMemory } from './kernel/memory.ts';
import { leafAt } from './kernel/tree.ts';
import { FACE_WORDS, LEAF_WORDS, MODEL_FACES, MODEL_HEADS, MODEL_WORDS, PLANE_WORDS } from './layout.ts';
import type { Quake1Model } from './model.ts';
import { packedContents } from './sections.ts';
import type { Quake1World } from './world.ts';

/** Distance from a face at which its two sides are looked up, in Quake units. */
const ASIDE = 0.125;

/** What has been made from a world's faces. */
interface Made {
  /** By face; null for one with fewer than three corners. */
  readonly polygons: (Polygon | null)[];
  /** By face: head of the node tree of the model that it belongs to; the world's if it belongs to none. */
  readonly heads: Int32Array;
}

const made: WeakMap<WorldMemory, Made> = /* @__PURE__ */ new WeakMap();

/** The drawn faces of a world or model, made once and kept. */
export function polygons(target: Quake1World | Quake1Model): readonly Polygon[] {
  checkTarget(target);
  const { ints, places } = target._memory;
  const at = places.models.first + MODEL_WORDS * target._number + MODEL_FACES;
  return list(target._memory, ints[at + 1]!, (k) => ints[at]! + k);
}

/** The drawn faces that a leaf lists: those in it and those that touch it. `RangeError` when there is no such leaf. */
export function leafPolygons(world: Quake1World, leaf: number): readonly Polygon[] {
  checkWorld(world);
  checkNumber(leaf, 'leaf', world.numLeafs);
  const { ints, places } = world._memory;
  const at = places.leafs.first + LEAF_WORDS * leaf;
  const first = places.markSurfaces.first + ints[at + 2]!;
  return list(world._memory, ints[at + 3]!, (k) => ints[first + k]!);
}

function list(memory: WorldMemory, count: number, faceOf: (k: number) => number): Polygon[] {
  const found: Polygon[] = [];
  for (let k = 0; k < count; k++) {
    const polygon = facePolygon(memory, faceOf(k));
    if (polygon) found.push(polygon);
  }
  return found;
}

/** A face by its number; null for one with fewer than three corners. */
export function facePolygon(memory: WorldMemory, face: number): Polygon | null {
  let kept = made.get(memory);
  if (!kept) {
    kept = { polygons: [], heads: faceHeads(memory) };
    made.set(memory, kept);
  }
  let polygon = kept.polygons[face];
  if (polygon === undefined) {
    polygon = makePolygon(memory, face, kept.heads[face]!);
    kept.polygons[face] = polygon;
  }
  return polygon;
}

function makePolygon(memory: WorldMemory, face: number, head: number): Polygon | null {
  const { ints, floats, places } = memory;
  const at = places.faces.first + FACE_WORDS * face;
  const count = ints[at + 2]!;
  if (count < 3) return null;
  const vertices = new Float32Array(3 * count);
  for (let k = 0; k < count; k++) {
    // Quake lists corners clockwise as seen from the front.
    const vertex = ints[places.corners.first + ints[at + 1]! + count - 1 - k]!;
    const from = places.vertexes.first + 3 * vertex;
    vertices.set(floats.subarray(from, from + 3), 3 * k);
  }
  const plane = places.planes.first + PLANE_WORDS * (ints[at]! >> 1);
  const isBehind = (ints[at]! & 1) === 1;
  const facing = (component: number): number => (isBehind ? 0 - component : component);
  const normal = floats.slice(plane, plane + 3).map(facing);
  return {
    vertices,
    normal,
    dist: facing(floats[plane + 3]!),
    texture: ints[at + 3]!,
    contents: contentsBehind(memory, head, vertices, normal),
    surface: face,
  };
}

/** What is behind a face; what is in front of it, for a face that looks out of water into the open, say. */
function contentsBehind(
  memory: WorldMemory,
  head: number,
  vertices: Float32Array,
  normal: Float32Array,
): number {
  const center = [0, 1, 2].map((axis) => {
    let sum = 0;
    for (let k = axis; k < vertices.length; k += 3) sum += vertices[k]!;
    return (3 * sum) / vertices.length;
  });
  const contentsAside = (by: number): number => {
    const aside = center.map((c, k) => c + by * normal[k]!);
    return packedContents(leafAt(memory.trees[0], head, aside));
  };
  const behind = contentsAside(-ASIDE);
  return behind === CONTENTS_EMPTY ? contentsAside(ASIDE) : behind;
}

/** Heads of all faces; if models share faces, the first model counts. */
function faceHeads({ ints, places }: WorldMemory): Int32Array {
  const { first, count } = places.models;
  const heads = new Int32Array(places.faces.count).fill(ints[first + MODEL_HEADS]!);
  for (let k = count - 1; k >= 0; k--) {
    const at = first + MODEL_WORDS * k;
    const begin = ints[at + MODEL_FACES]!;
    heads.fill(ints[at + MODEL_HEADS]!, begin, begin + ints[at + MODEL_FACES + 1]!);
  }
  return heads;
}
