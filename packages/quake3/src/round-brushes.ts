import {
  type Kernel,
  Q_DIST,
  Q_END,
  Q_EPSILON,
  Q_FRACTION,
  Q_NORMAL,
  Q_RADIUS,
  Q_START,
  type WorldMemory,
} from './kernel.ts';
import { BRUSH_WORDS, SIDE_WORDS } from './layout.ts';
import { FACE, type Rounded, type RoundedSide, roundFacet, roundSolid } from './rounded.ts';
import {
  H_DIST,
  H_FRACTION,
  H_NORMAL,
  HIT,
  M_EPSILON,
  M_RADIUS,
  MISSED,
  sweepRounded,
  touchesRounded,
} from './trace-rounded.ts';

// Exact spheres against brushes and facets: their rounded shapes are made on first need and kept with the world.

/** Tells the exact sphere's arithmetic about the move that was set up. */
export function beginRounded({ query, rounded }: Kernel): void {
  const { move } = rounded;
  for (let k = 0; k < 3; k++) {
    move[k] = query[Q_START + k]!;
    move[3 + k] = query[Q_END + k]! - query[Q_START + k]!;
  }
  move[M_RADIUS] = query[Q_RADIUS]!;
  move[M_EPSILON] = query[Q_EPSILON]!;
}

/** One of the outcomes of `sweepRounded`; a HIT is the nearest so far and in the answer. */
export function sweepRoundBrush(kernel: Kernel, brush: number): number {
  const outcome = sweepRounded(brushShape(kernel, brush), kernel.rounded);
  return outcome === HIT && !takeHit(kernel) ? MISSED : outcome;
}

/** Place of the side that the sphere's latest hit on a brush is most turned to. */
export function touchedSide(kernel: Kernel, brush: number): number {
  const { faces } = brushShape(kernel, brush);
  const { hit } = kernel.rounded;
  const x = hit[H_NORMAL]!;
  const y = hit[H_NORMAL + 1]!;
  const z = hit[H_NORMAL + 2]!;
  // Begun with a computed number: a constant here would make V8 box those that follow it.
  let best = x * faces[0]! + y * faces[1]! + z * faces[2]!;
  let side = faces[4]! | 0;
  for (let face = FACE; face < faces.length; face += FACE) {
    const turned = x * faces[face]! + y * faces[face + 1]! + z * faces[face + 2]!;
    if (turned > best) {
      best = turned;
      side = faces[face + 4]! | 0;
    }
  }
  return side;
}

export function touchesRoundBrush(kernel: Kernel, brush: number): boolean {
  return touchesRounded(brushShape(kernel, brush), kernel.rounded);
}

/** Sweeps the sphere against the facets of a patch, each met from its front only. */
export function sweepRoundFacet(kernel: Kernel, firstPlane: number, facet: number): void {
  if (sweepRounded(facetShape(kernel, firstPlane, facet), kernel.rounded) === HIT) takeHit(kernel);
}

export function touchesRoundFacet(kernel: Kernel, firstPlane: number, facet: number): boolean {
  return touchesRounded(facetShape(kernel, firstPlane, facet), kernel.rounded);
}

function takeHit({ query, rounded }: Kernel): boolean {
  const { hit } = rounded;
  const fraction = Math.fround(hit[H_FRACTION]!);
  if (!(fraction < query[Q_FRACTION]!)) return false;
  query[Q_FRACTION] = fraction;
  query[Q_DIST] = hit[H_DIST]!;
  for (let k = 0; k < 3; k++) query[Q_NORMAL + k] = hit[H_NORMAL + k]!;
  return true;
}

function brushShape(memory: WorldMemory, brush: number): Rounded {
  const { ints, floats, places, shapes } = memory;
  const at = places.brushes.first + BRUSH_WORDS * brush;
  let shape = shapes.get(at);
  if (!shape) {
    const sides: RoundedSide[] = [];
    for (let k = 0; k < ints[at + 1]!; k++) {
      const side = ints[at]! + SIDE_WORDS * k;
      const plane = planeAt(floats, side, 1);
      if (plane) sides.push({ ...plane, id: side });
    }
    shape = roundSolid(sides);
    shapes.set(at, shape);
  }
  return shape;
}

function facetShape({ ints, floats, shapes }: WorldMemory, firstPlane: number, facet: number): Rounded {
  let shape = shapes.get(facet);
  if (!shape) {
    const words = ints.subarray(ints[facet + 1]!, ints[facet + 1]! + ints[facet + 2]!);
    const borders: RoundedSide[] = [];
    for (const word of words) {
      const plane = planeAt(floats, firstPlane + 4 * (word >> 1), word & 1 ? -1 : 1);
      if (plane && word >> 1 !== ints[facet]) borders.push({ ...plane, id: word >> 1 });
    }
    const surface = planeAt(floats, firstPlane + 4 * ints[facet]!, 1);
    shape = surface ? roundFacet({ ...surface, id: ints[facet]! }, borders) : roundSolid([]);
    shapes.set(facet, shape);
  }
  return shape;
}

/** A plane of the buffer, scaled to a normal of length one in double; undefined for one that is not a plane. */
function planeAt(floats: Float32Array, at: number, sign: 1 | -1): Omit<RoundedSide, 'id'> | undefined {
  const [x, y, z] = [floats[at]!, floats[at + 1]!, floats[at + 2]!];
  const scale = sign / Math.hypot(x, y, z);
  if (!Number.isFinite(scale) || !Number.isFinite(floats[at + 3]!)) return undefined;
  return { normal: [x * scale, y * scale, z * scale], dist: floats[at + 3]! * scale };
}
