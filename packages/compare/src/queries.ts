import { type Bounds, checkBounds, checkRadius, type Plane, type Polygon, type Vec3 } from '@bspkit/core';
import { type OpenSpace, openPoints } from './open-space.ts';
import { between, createRandom, direction, pick, type Random } from './random.ts';

/** What all query generators can be told. */
export interface SeedOption {
  /** Whole number; 1 unless told. The same seed gives the same queries everywhere. */
  readonly seed?: number | undefined;
}

/** Throws `RangeError` unless `count` is a whole number, 0 or more. */
export function checkCount(count: number): void {
  if (!Number.isInteger(count) || count < 0) {
    throw new RangeError(`count must be a whole number, 0 or more, got ${count}`);
  }
}

/** Fills `count` segments with what `draw` gives for each. */
function generate(
  count: number,
  { seed = 1 }: SeedOption,
  draw: (random: Random) => readonly [start: Vec3, end: Vec3],
): Float32Array {
  checkCount(count);
  const random = createRandom(seed);
  const segments = new Float32Array(6 * count);
  for (let at = 0; at < segments.length; at += 6) {
    const [start, end] = draw(random);
    segments.set(start, at);
    segments.set(end, at + 3);
  }
  return segments;
}

const pointIn = (random: Random, { mins, maxs }: Bounds): number[] =>
  [0, 1, 2].map((k) => between(random, mins[k]!, maxs[k]!));

export interface UniformOptions extends SeedOption {
  /** In Quake units. */
  readonly bounds: Bounds;
}

/**
 * Moves between any two points of some bounds, in solid too: `count` segments of six numbers (start, then end).
 * Throws `RangeError` for bounds whose `mins` are above `maxs`, or a count or seed that is not whole.
 */
export function uniformQueries(count: number, options: UniformOptions): Float32Array {
  const { bounds } = options;
  checkBounds(bounds.mins, bounds.maxs);
  return generate(count, options, (random) => [pointIn(random, bounds), pointIn(random, bounds)]);
}

export interface OpenOptions extends SeedOption, OpenSpace {}

/**
 * Moves between points in the open, as looks from one place to another are: `count` segments of six numbers.
 * Throws `RangeError` as {@link uniformQueries} does, and when no point in the open is found.
 */
export function openQueries(count: number, options: OpenOptions): Float32Array {
  const { bounds } = options;
  checkBounds(bounds.mins, bounds.maxs);
  let next: (() => Float32Array) | undefined;
  return generate(count, options, (random) => {
    next ??= openPoints(options, random);
    return [next(), next()];
  });
}

export interface PlaneOptions extends SeedOption {
  /** A map's planes, or polygons, whose queries then lie at the polygons themselves. */
  readonly planes: readonly (Plane | Polygon)[];
  /** Where points on planes without corners are drawn. In Quake units. */
  readonly bounds: Bounds;
  /** Longest move, in Quake units; 128 unless told. */
  readonly length?: number | undefined;
}

/** How far ends lie from a plane: on it, and what the engines keep to it, or half and twice that. */
const OFFSETS = [0, 1 / 64, 1 / 32, 1 / 16, 1 / 8, 1 / 4];

/**
 * Moves that begin or end on planes or a hair's breadth from them, where tracers differ: through a plane, up to it,
 * away from it and along it. `count` segments of six numbers.
 *
 * Throws `RangeError` as {@link uniformQueries} does, for no planes, and for a length below 0.
 */
export function planeQueries(count: number, options: PlaneOptions): Float32Array {
  const { planes, bounds, length = 128 } = options;
  checkBounds(bounds.mins, bounds.maxs);
  checkRadius(length, 'length');
  if (planes.length === 0) throw new RangeError('planes must hold at least one plane');
  return generate(count, options, (random) => {
    const plane = pick(random, planes);
    const touch = pointOn(random, plane, bounds);
    const near = offset(touch, plane, pick(random, OFFSETS) * (random() < 0.5 ? -1 : 1));
    return random() < 0.5
      ? [near, farEnd(random, near, plane, length)]
      : [farEnd(random, near, plane, length), near];
  });
}

/** The other end: anywhere, straight across the plane, or along it at a hair's breadth. */
function farEnd(random: Random, near: number[], plane: Plane, length: number): number[] {
  const kind = random();
  const reach = random() * length;
  if (kind < 0.25) return offset(near, plane, random() < 0.5 ? reach : -reach);
  const toward = direction(random);
  const moved = near.map((x, k) => x + reach * toward[k]!);
  if (kind < 0.75) return moved;
  const rise = distance(moved, plane) - distance(near, plane);
  return offset(moved, plane, -rise + pick(random, OFFSETS) * (random() < 0.5 ? -1 : 1));
}

const distance = (point: Vec3, { normal, dist }: Plane): number =>
  point[0]! * normal[0]! + point[1]! * normal[1]! + point[2]! * normal[2]! - dist;

const offset = (point: readonly number[], { normal }: Plane, by: number): number[] =>
  point.map((x, k) => x + by * normal[k]!);

function pointOn(random: Random, plane: Plane | Polygon, bounds: Bounds): number[] {
  if ('vertices' in plane && plane.vertices.length >= 9) return pointInPolygon(random, plane.vertices);
  const point = pointIn(random, bounds);
  return offset(point, plane, -distance(point, plane));
}

/** A point of one of the triangles that a polygon's first corner makes with the others. */
function pointInPolygon(random: Random, vertices: Float32Array): number[] {
  const triangle = 1 + Math.floor(random() * (vertices.length / 3 - 2));
  let s = random();
  let t = random();
  if (s + t > 1) [s, t] = [1 - s, 1 - t];
  return [0, 1, 2].map((k) => {
    const corner = vertices[k]!;
    const [b, c] = [vertices[3 * triangle + k]!, vertices[3 * triangle + 3 + k]!];
    return corner + s * (b - corner) + t * (c - corner);
  });
}
