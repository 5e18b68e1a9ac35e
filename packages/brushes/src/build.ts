import { type BrushFile, brushBounds } from './bounds.ts';
import {
  BRUSH_BOUNDS,
  BRUSH_NUMBER,
  BRUSH_SIDES,
  BRUSH_WORDS,
  LEAF_WORDS,
  PLANE_WORDS,
  SIDE_DIST,
  SIDE_PLANE,
  SIDE_TEXTURE,
  SIDE_WORDS,
} from './layout.ts';
import type { BrushMemory } from './memory.ts';

/** Where a file's records go: views of the world's buffer, and the numbers of the file's first records in it. */
export interface BuildTarget extends Pick<BrushMemory, 'ints' | 'floats'> {
  readonly places: BrushMemory['places'] & { readonly leafBrushes: { readonly first: number } };
  readonly first: Readonly<Record<'planes' | 'leafs' | 'leafBrushes' | 'brushes' | 'sides', number>>;
}

/** Writes planes, leafs, leaf brushes, brushes and sides of a file, with distances of its planes as given. */
export function writeBrushes(
  { ints, floats, places, first }: BuildTarget,
  file: BrushFile & { readonly leafs: { readonly count: number; readonly contents: Int32Array } },
  dists: Float32Array,
): void {
  const { planes, leafs, leafBrushes, brushes, sides } = file;
  let at = places.planes.first + PLANE_WORDS * first.planes;
  for (let i = 0; i < dists.length; i++, at += PLANE_WORDS) {
    for (let k = 0; k < 3; k++) floats[at + k] = planes.normals[3 * i + k]!;
    floats[at + 3] = dists[i]!;
  }
  at = places.leafs.first + LEAF_WORDS * first.leafs;
  for (let i = 0; i < leafs.count; i++, at += LEAF_WORDS) {
    ints[at] = leafs.contents[i]!;
    ints[at + 1] = places.leafBrushes.first + first.leafBrushes + leafs.firstBrushes[i]!;
    ints[at + 2] = leafs.numBrushes[i]!;
  }
  at = places.leafBrushes.first + first.leafBrushes;
  for (const brush of leafBrushes) ints[at++] = places.brushes.first + BRUSH_WORDS * (first.brushes + brush);
  at = places.brushes.first + BRUSH_WORDS * first.brushes;
  for (let i = 0; i < brushes.count; i++, at += BRUSH_WORDS) {
    ints[at] = brushes.contents[i]!;
    ints[at + BRUSH_SIDES] = places.sides.first + SIDE_WORDS * (first.sides + brushes.firstSides[i]!);
    ints[at + BRUSH_SIDES + 1] = brushes.numSides[i]!;
    floats.set(brushBounds(file, dists, i), at + BRUSH_BOUNDS);
    ints[at + BRUSH_NUMBER] = first.brushes + i;
  }
  at = places.sides.first + SIDE_WORDS * first.sides;
  for (let i = 0; i < sides.planes.length; i++, at += SIDE_WORDS) {
    const plane = sides.planes[i]!;
    for (let k = 0; k < 3; k++) floats[at + k] = planes.normals[3 * plane + k]!;
    floats[at + SIDE_DIST] = dists[plane]!;
    ints[at + SIDE_PLANE] = plane;
    ints[at + SIDE_TEXTURE] = sides.textures[i]!;
  }
}
