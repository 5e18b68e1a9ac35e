import { lengthOf } from '@bspkit/geometry';
import {
  type Kernel,
  Q_DIST,
  Q_END,
  Q_EPSILON,
  Q_FRACTION,
  Q_NORMAL,
  Q_RADIUS,
  Q_START,
  type RoundKernel,
  type WorldMemory,
} from '../kernel/memory.ts';
import { recordInside, recordSide } from '../kernel/record.ts';
import { BRUSH_WORDS, NUM_SIDES, SIDE_DIST, SIDE_PLANE, SIDE_WORDS } from '../layout.ts';
import { Room } from './room.ts';
import { FACE, type Rounded, type RoundedSide, roundFacet, roundSolid } from './shapes.ts';
import {
  ALL_SOLID,
  H_DIST,
  H_FRACTION,
  H_NORMAL,
  HIT,
  HIT_NUMBERS,
  M_EPSILON,
  M_RADIUS,
  MISSED,
  MOVE_NUMBERS,
  type RoundedMove,
  sweepRounded,
  touchesRounded,
} from './sweep.ts';

/** Exact spheres against brushes and facets, whose rounded shapes are made when first needed and kept with the world. */
export class ExactKernel implements RoundKernel, RoundedMove {
  readonly move: Float64Array = new Float64Array(MOVE_NUMBERS);
  readonly hit: Float64Array = new Float64Array(HIT_NUMBERS);

  begin({ query }: Kernel): void {
    const { move } = this;
    for (let k = 0; k < 3; k++) {
      move[k] = query[Q_START + k]!;
      move[3 + k] = query[Q_END + k]! - query[Q_START + k]!;
    }
    move[M_RADIUS] = query[Q_RADIUS]!;
    move[M_EPSILON] = query[Q_EPSILON]!;
  }

  sweepBrush(kernel: Kernel, brush: number): void {
    const shape = brushShape(kernel, brush);
    const outcome = sweepRounded(shape, this);
    if (outcome === HIT) {
      if (this._takeHit(kernel.query)) recordSide(kernel, brush, touchedSide(kernel, brush, shape, this.hit));
    } else if (outcome !== MISSED) recordInside(kernel, brush, outcome === ALL_SOLID);
  }

  touchesBrush(kernel: Kernel, brush: number): boolean {
    return touchesRounded(brushShape(kernel, brush), this);
  }

  /** Facets are only met from their front. */
  sweepFacet(kernel: Kernel, facet: number): void {
    if (sweepRounded(facetShape(kernel, facet), this) === HIT) this._takeHit(kernel.query);
  }

  touchesFacet(kernel: Kernel, facet: number): boolean {
    return touchesRounded(facetShape(kernel, facet), this);
  }

  /** Makes a hit the answer if it is the nearest so far. */
  private _takeHit(query: Float64Array): boolean {
    const { hit } = this;
    const fraction = Math.fround(hit[H_FRACTION]!);
    if (!(fraction < query[Q_FRACTION]!)) return false;
    query[Q_FRACTION] = fraction;
    query[Q_DIST] = Math.fround(hit[H_DIST]!);
    for (let k = 0; k < 3; k++) query[Q_NORMAL + k] = hit[H_NORMAL + k]!;
    return true;
  }
}

/** Place of the side that the sphere's latest hit on a brush faces most: of those with a face, unless none has. */
function touchedSide(
  memory: WorldMemory,
  brush: number,
  { numbers, faces, rims }: Rounded,
  hit: Float64Array,
): number {
  if (faces === rims) return facingSide(memory, brush, hit);
  const x = hit[H_NORMAL]!;
  const y = hit[H_NORMAL + 1]!;
  const z = hit[H_NORMAL + 2]!;
  // Starts with a computed number: a constant would make V8 box those that follow it.
  let best = x * numbers[faces]! + y * numbers[faces + 1]! + z * numbers[faces + 2]!;
  let side = numbers[faces + 4]! | 0;
  for (let face = faces + FACE; face < rims; face += FACE) {
    const turned = x * numbers[face]! + y * numbers[face + 1]! + z * numbers[face + 2]!;
    if (turned > best) {
      best = turned;
      side = numbers[face + 4]! | 0;
    }
  }
  return side;
}

/** Place of the side of a brush that the sphere's latest hit faces most. */
function facingSide({ ints, floats, places }: WorldMemory, brush: number, hit: Float64Array): number {
  const at = places.brushes.first + BRUSH_WORDS * brush;
  const first = ints[at]!;
  const end = first + SIDE_WORDS * ints[at + NUM_SIDES]!;
  const x = hit[H_NORMAL]!;
  const y = hit[H_NORMAL + 1]!;
  const z = hit[H_NORMAL + 2]!;
  let best = x * floats[first]! + y * floats[first + 1]! + z * floats[first + 2]!;
  let place = first;
  for (let side = first + SIDE_WORDS; side < end; side += SIDE_WORDS) {
    const turned = x * floats[side]! + y * floats[side + 1]! + z * floats[side + 2]!;
    if (turned > best) {
      best = turned;
      place = side;
    }
  }
  return place;
}

/** The rounded shape of a brush. */
export function brushShape(memory: WorldMemory, brush: number): Rounded {
  const { places, shapes } = memory;
  const at = places.brushes.first + BRUSH_WORDS * brush;
  let shape = shapes.get(at);
  if (!shape) {
    shape = roundSolid(brushSides(memory, brush), roomOf(shapes));
    shapes.set(at, shape);
  }
  return shape;
}

/** The sides of a brush that are planes. */
export function brushSides({ ints, floats, places }: WorldMemory, brush: number): RoundedSide[] {
  const at = places.brushes.first + BRUSH_WORDS * brush;
  return sidesOf(floats, ints[at]!, ints[at + NUM_SIDES]!);
}

/** The rounded shape of a facet, which is given by its place. */
export function facetShape(memory: WorldMemory, facet: number): Rounded {
  let shape = memory.shapes.get(facet);
  if (!shape) {
    shape = makeFacetShape(memory, facet);
    memory.shapes.set(facet, shape);
  }
  return shape;
}

/** Room for the shapes that are kept, by world. */
const rooms: WeakMap<WorldMemory['shapes'], Room> = /* @__PURE__ */ new WeakMap();

function roomOf(shapes: WorldMemory['shapes']): Room {
  let room = rooms.get(shapes);
  if (!room) {
    room = new Room(shapes);
    rooms.set(shapes, room);
  }
  return room;
}

/** Not in `facetShape`, where the spread would cost an allocation at every call. */
function makeFacetShape(memory: WorldMemory, facet: number): Rounded {
  const [surface, ...borders] = facetSides(memory, facet);
  const room = roomOf(memory.shapes);
  return surface ? roundFacet(surface, borders, room) : roundSolid([], room);
}

/** The surface of a facet, then its borders, which are planes; nothing if its surface is none. */
export function facetSides({ ints, floats }: WorldMemory, facet: number): RoundedSide[] {
  const first = ints[facet]!;
  const back = -1 - ints[first + SIDE_PLANE]!;
  const sides = sidesOf(floats, first, ints[facet + NUM_SIDES]!);
  if (sides[0]?.id !== first) return [];
  // The facet's back is its surface again.
  return sides.filter(({ id }) => ints[id + SIDE_PLANE] !== back);
}

/** The sides of a brush or facet that are planes, with their places. */
function sidesOf(floats: Float32Array, first: number, count: number): RoundedSide[] {
  const sides: RoundedSide[] = [];
  for (let k = 0; k < count; k++) {
    const id = first + SIDE_WORDS * k;
    const side = sideAt(floats, id);
    if (side) sides.push(side);
  }
  return sides;
}

/** A side with its place, and its plane scaled to a normal of length one in double; `undefined` if that is not a plane. */
function sideAt(floats: Float32Array, at: number): RoundedSide | undefined {
  const x = floats[at]!;
  const y = floats[at + 1]!;
  const z = floats[at + 2]!;
  const dist = floats[at + SIDE_DIST]!;
  const scale = 1 / lengthOf(x, y, z);
  if (!Number.isFinite(scale) || !Number.isFinite(dist)) return undefined;
  return { normal: [x * scale, y * scale, z * scale], dist: dist * scale, id: at };
}
