import {
  BRUSH_SIDES,
  BRUSH_WORDS,
  KIND_MASK,
  LEAF_WORDS,
  NODE_WORDS,
  OBLIQUE,
  PLANE_WORDS,
  SIDE_DIST,
  SIDE_WORDS,
  sideSurface,
} from '@bspkit/brushes';
import type { Surface, Trace, Vec3 } from '@bspkit/core';
import { checkTrace, isNumberIn } from '@bspkit/core/format';
import { CONTENTS_ACTORCLIP, CONTENTS_LIGHTCLIP, CONTENTS_SOLID, CONTENTS_WEAPONCLIP } from './constants.ts';
import { checkWorld } from './given.ts';
import type { WorldMemory } from './kernel/memory.ts';
import {
  LINE_HEAD_MODEL,
  LINE_HEAD_ROOT,
  LINE_HEAD_WORDS,
  MODEL_WORDS,
  TILE_BRUSHES,
  TILE_LINE_HEADS,
  TILE_SIDES,
  TILE_TEXTURES,
  TILE_WORDS,
} from './layout.ts';
import { inModelFrame } from './polygons.ts';
import type { UfoaiLineTrace, UfoaiTrace } from './trace.ts';
import type { UfoaiWorld } from './world.ts';

/** More than a line's place of impact is off its surface: by up to 0.1, and by rounding. */
const NEAR = 0.25;
const BLOCKING = CONTENTS_SOLID | CONTENTS_ACTORCLIP | CONTENTS_WEAPONCLIP | CONTENTS_LIGHTCLIP;

/**
 * The surface that a trace hit: texture, its name and flags, and the face of the brush as a polygon (for a model, in the model's
 * own frame). `undefined` for a trace that hit nothing or was a position test, for one that has no `tile` field in a world of
 * several tiles, and for one whose numbers these tiles do not have.
 *
 * A box or ray knows the side that it hit, so this costs one polygon: microseconds. A line knows the tree and the plane, so the
 * brushes around the place of impact are searched for a face there; `undefined` too if there is none.
 */
export function surfaceAt(world: UfoaiWorld, trace: Trace): Surface | undefined {
  checkWorld(world);
  checkTrace(trace, 'trace');
  const { _memory: memory } = world;
  const { places, ints } = memory;
  const { tile = world.tiles.length === 1 ? 0 : -1, level = -1 } = trace as Partial<
    UfoaiTrace & UfoaiLineTrace
  >;
  if (!isNumberIn(tile, world.tiles.length) || !isNumberIn(trace.model, world.numModels + 1))
    return undefined;
  const record = places.tiles.first + TILE_WORDS * tile;
  let brush: number | undefined;
  let side: number | undefined;
  if (isNumberIn(trace.brush, countBrushes(memory, record)) && trace.side >= 0) {
    brush = places.brushes.first + BRUSH_WORDS * (ints[record + TILE_BRUSHES]! + trace.brush);
    side = places.sides.first + SIDE_WORDS * (ints[record + TILE_SIDES]! + trace.side);
  } else if (level >= 0) [brush, side] = findFace(memory, record, level, trace);
  if (brush === undefined || side === undefined) return undefined;
  const textures = ints[record + TILE_TEXTURES]!;
  const surface = sideSurface(memory, brush, side, world.textureNames(tile), textures);
  if (!surface?.polygon || trace.model === 0) return surface;
  const model = places.models.first + MODEL_WORDS * (trace.model - 1);
  return { ...surface, polygon: inModelFrame(memory, model, surface.polygon) };
}

/** How many brushes a tile has: those of the next tile follow. */
function countBrushes({ ints, places }: WorldMemory, tile: number): number {
  const next = tile + TILE_WORDS;
  const isLast = next === places.tiles.first + TILE_WORDS * places.tiles.count;
  return (isLast ? places.brushes.count : ints[next + TILE_BRUSHES]!) - ints[tile + TILE_BRUSHES]!;
}

/** Places of a brush and of its side on the plane that a line crossed, where it was stopped: in the first leaf that has one. */
function findFace(memory: WorldMemory, tile: number, level: number, trace: Trace): [number?, number?] {
  const { ints, floats, places } = memory;
  const { endPos } = trace;
  const root = findRoot(memory, tile, level);
  const stack = root < 0 ? [] : [root];
  for (let child = stack.pop(); child !== undefined; child = stack.pop()) {
    if (child >= 0) {
      const node = places.nodes.first + NODE_WORDS * child;
      const kind = ints[node]! & KIND_MASK;
      const plane = places.planes.first + PLANE_WORDS * (ints[node]! >>> 4);
      const height = kind <= OBLIQUE ? heightOver(floats, plane, endPos) : 0;
      if (height < NEAR) stack.push(ints[node + 3]!);
      if (height > -NEAR) stack.push(ints[node + 2]!);
      continue;
    }
    const leaf = places.leafs.first + LEAF_WORDS * (-1 - child);
    const first = ints[leaf + 1]!;
    const end = first + ints[leaf + 2]!;
    for (let listed = first; listed < end; listed++) {
      const brush = ints[listed]!;
      const face = (ints[brush]! & BLOCKING) === 0 ? -1 : faceOf(memory, brush, trace);
      if (face >= 0) return [brush, face];
    }
  }
  return [];
}

/** Root of the tree of a line head; -1 if the tile has none. A phantom, which has no tree, walks the tile's first one. */
function findRoot({ ints, places }: WorldMemory, tile: number, level: number): number {
  const first = places.lineHeads.first + LINE_HEAD_WORDS * ints[tile + TILE_LINE_HEADS]!;
  const end = first + LINE_HEAD_WORDS * ints[tile + TILE_LINE_HEADS + 1]!;
  let head = first;
  while (head < end && ints[head + LINE_HEAD_MODEL] !== level) head += LINE_HEAD_WORDS;
  if (head === end) return -1;
  const root = ints[head + LINE_HEAD_ROOT]!;
  return root === -1 ? ints[first + LINE_HEAD_ROOT]! : root;
}

/** Place of a brush's first side on the plane that a trace hit, if its end is in the brush or next to it; -1 if not. */
function faceOf({ ints, floats }: WorldMemory, brush: number, trace: Trace): number {
  const first = ints[brush + BRUSH_SIDES]!;
  const end = first + SIDE_WORDS * ints[brush + BRUSH_SIDES + 1]!;
  let face = -1;
  for (let side = first; side < end; side += SIDE_WORDS) {
    if (!(heightOver(floats, side, trace.endPos) < NEAR)) return -1;
    if (face < 0 && lies(floats, side, trace)) face = side;
  }
  return face;
}

/** How far a point is in front of the plane (normal, distance) at a place. */
function heightOver(floats: Float32Array, plane: number, point: Vec3): number {
  const across = floats[plane]! * point[0]! + floats[plane + 1]! * point[1]! + floats[plane + 2]! * point[2]!;
  return across - floats[plane + 3]!;
}

/** Whether a side is on the plane that a trace hit. */
function lies(floats: Float32Array, side: number, { normal, dist }: Trace): boolean {
  const along = heightOver(floats, side, normal) + floats[side + SIDE_DIST]!;
  return along > 0.999 && Math.abs(floats[side + SIDE_DIST]! - dist) < NEAR;
}
