import type { Polygon, Surface } from '@bspkit/core';
import { isNumberIn } from '@bspkit/core/format';
import { type BodyPlanes, drawnFace, drawnFaces, type Winding } from '@bspkit/geometry';
import { BRUSH_SIDES, SIDE_DIST, SIDE_TEXTURE, SIDE_WORDS } from './layout.ts';
import type { BrushMemory } from './memory.ts';

type Brushes = Pick<BrushMemory, 'ints' | 'floats' | 'places'>;

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
  const first = memory.ints[brush + BRUSH_SIDES]!;
  const faces = drawnFaces(planesOf(memory, brush));
  return faces.flatMap((face, k) => (face ? polygonOf(memory, brush, first + SIDE_WORDS * k, face) : []));
}

/** The planes of a brush's sides. */
function planesOf({ ints, floats }: Brushes, brush: number): BodyPlanes {
  const first = ints[brush + BRUSH_SIDES]!;
  const count = ints[brush + BRUSH_SIDES + 1]!;
  const planes = new Float64Array(4 * count);
  for (let side = 0; side < count; side++) {
    for (let k = 0; k < 4; k++) planes[4 * side + k] = floats[first + SIDE_WORDS * side + k]!;
  }
  return planes;
}

const polygonOf = ({ ints, floats }: Brushes, brush: number, side: number, face: Winding): Polygon => ({
  vertices: Float32Array.from(face),
  normal: floats.slice(side, side + 3),
  dist: floats[side + SIDE_DIST]!,
  texture: Math.max(-1, ints[side + SIDE_TEXTURE]!),
  contents: ints[brush]!,
  surface: -1,
});

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
  const number = (side - memory.ints[brush + BRUSH_SIDES]!) / SIDE_WORDS;
  if (!isNumberIn(number, memory.ints[brush + BRUSH_SIDES + 1]!)) return undefined;
  const face = drawnFace(planesOf(memory, brush), number);
  const texture = Math.max(-1, memory.ints[side + SIDE_TEXTURE]!);
  return {
    texture,
    name: names[texture] ?? '',
    flags: texture < 0 ? 0 : memory.ints[flags + texture]!,
    polygon: face && polygonOf(memory, brush, side, face),
  };
}
