import type { Polygon, Surface } from '@bspkit/core';
import {
  areaSize,
  clipBehind,
  halfAround,
  isEndless,
  planeWinding,
  reverseWinding,
  type Winding,
} from '@bspkit/geometry';
import { BRUSH_SIDES, SIDE_DIST, SIDE_TEXTURE, SIDE_WORDS } from './layout.ts';
import type { BrushMemory } from './memory.ts';

type Brushes = Pick<BrushMemory, 'ints' | 'floats' | 'places'>;

/** A corner this far behind a plane still counts as on it, in Quake units. */
const ON_PLANE = 1 / 256;
/** A polygon with less area than this, in square Quake units, counts as none: bevel sides leave such. */
const MIN_AREA = 1e-3;

/** Places of a brush's sides. */
export function brushSides({ ints }: Brushes, brush: number): number[] {
  const first = ints[brush + BRUSH_SIDES]!;
  return Array.from({ length: ints[brush + BRUSH_SIDES + 1]! }, (_, k) => first + SIDE_WORDS * k);
}

/** Faces by the places of their brushes, kept in case brushes are asked for again. */
export type MadeFaces = Map<number, readonly Polygon[]>;

/** Faces of brushes, by their places. If several sides are on one plane, the first has the face. */
export function facePolygons(
  memory: Brushes,
  brushes: Iterable<number>,
  made: MadeFaces = new Map(),
): Polygon[] {
  const faces: Polygon[] = [];
  for (const brush of brushes) {
    let own = made.get(brush);
    if (!own) {
      own = brushFaces(memory, brush);
      made.set(brush, own);
    }
    for (const face of own) faces.push(face);
  }
  return faces;
}

function brushFaces(memory: Brushes, brush: number): Polygon[] {
  const sides = brushSides(memory, brush);
  const half = halfOf(memory, sides);
  return sides.flatMap((side, k) => {
    const isTaken = sides.slice(0, k).some((other) => isSamePlane(memory.floats, side, other));
    return isTaken ? [] : (sidePolygon(memory, brush, side, sides, half) ?? []);
  });
}

/** Half the side of squares that are large enough for all faces of a brush. */
const halfOf = ({ floats }: Brushes, sides: readonly number[]): number =>
  halfAround(sides.map((side) => floats[side + SIDE_DIST]!));

/** Whether two sides at these places have the same plane. */
function isSamePlane(floats: Float32Array, side: number, other: number): boolean {
  for (let k = 0; k < 4; k++) if (floats[side + k] !== floats[other + k]) return false;
  return true;
}

/** The face of a brush on one of its sides; `undefined` for a bevel, and if the brush is not closed. */
function sidePolygon(
  { ints, floats }: Brushes,
  brush: number,
  side: number,
  sides: readonly number[],
  half: number,
): Polygon | undefined {
  const [x, y, z, dist] = floats.subarray(side, side + 4) as unknown as [number, number, number, number];
  let winding: Winding | undefined = planeWinding(x, y, z, dist, half);
  for (const other of sides) {
    if (other === side || !winding) continue;
    const [nx, ny, nz] = [floats[other]!, floats[other + 1]!, floats[other + 2]!];
    winding = clipBehind(winding, nx, ny, nz, floats[other + 3]!, ON_PLANE);
  }
  if (!winding || areaSize(winding) < MIN_AREA || isEndless(winding, x, y, z, dist, half)) return undefined;
  return {
    // Counter-clockwise seen from the front, which windings are not.
    vertices: Float32Array.from(reverseWinding(winding)),
    normal: floats.slice(side, side + 3),
    dist,
    texture: Math.max(-1, ints[side + SIDE_TEXTURE]!),
    contents: ints[brush]!,
    surface: -1,
  };
}

/**
 * The surface on a side of a brush, both by their places. `names` are those of the textures, `flags` is the place of the first
 * texture's flags. `undefined` if the brush has no such side: a trace of another map may name any.
 */
export function sideSurface(
  memory: Brushes,
  brush: number,
  side: number,
  names: readonly string[],
  flags: number,
): Surface | undefined {
  const sides = brushSides(memory, brush);
  if (!sides.includes(side)) return undefined;
  const texture = Math.max(-1, memory.ints[side + SIDE_TEXTURE]!);
  return {
    texture,
    name: names[texture] ?? '',
    flags: texture < 0 ? 0 : memory.ints[flags + texture]!,
    polygon: sidePolygon(memory, brush, side, sides, halfOf(memory, sides)),
  };
}
