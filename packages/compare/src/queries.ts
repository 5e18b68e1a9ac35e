import type { Bounds, Plane, Polygon, Vec3 } from '@bspkit/core';
import {
  checkFinite,
  checkKind,
  checkList,
  checkObject,
  checkPoint,
  checkRadius,
  isArrayOf,
} from '@bspkit/core/format';
import { between, createRandom, direction, pick, type Random } from '@bspkit/geometry';
import { checkGenerator, checkRange } from './checks.ts';
import { type OpenSpace, openPoints } from './open-space.ts';

/** Options of all query generators. */
export interface SeedOption {
  /** Whole number; 1 by default. The same seed gives the same queries everywhere. */
  readonly seed?: number | undefined;
}

/** Fills `count` segments with what `draw` returns for each. */
function generate(
  count: number,
  { seed = 1 }: SeedOption,
  draw: (random: Random) => readonly [start: Vec3, end: Vec3],
): Float32Array {
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

/** How far below a player games look for ground, in Quake units. */
export const GROUND = 0.25;

/** Options of {@link uniformQueries}. */
export interface UniformOptions extends SeedOption {
  /** Where points are drawn, in Quake units. */
  readonly bounds: Bounds;
}

/**
 * Moves between any two points of some bounds, in solid too: `count` segments of six numbers (start, then end).
 * @throws RangeError for bounds whose `mins` are above `maxs`, or a count or seed that is not whole; TypeError without
 *   bounds.
 */
export function uniformQueries(count: number, options: UniformOptions): Float32Array {
  checkGenerator(count, options, []);
  const { bounds } = options;
  return generate(count, options, (random) => [pointIn(random, bounds), pointIn(random, bounds)]);
}

/** Options of {@link openQueries}. */
export interface OpenQueryOptions extends SeedOption, OpenSpace {
  /**
   * Share of the queries that are shots instead: from a point in the open in any direction, 8192 units long, which is as far as
   * weapons reach and beyond most maps. 0 by default, up to 1.
   */
  readonly shots?: number | undefined;
}

/** Length of a shot, in Quake units. */
const SHOT = 8192;

/**
 * Moves between points in the open, like looks from one place to another: `count` segments of six numbers.
 * @throws RangeError as {@link uniformQueries} does, for `shots` out of range, and when no point in the open is found;
 *   TypeError without bounds, or for an `open` that is neither a function nor a tracer.
 */
export function openQueries(count: number, options: OpenQueryOptions): Float32Array {
  checkGenerator(count, options, ['open', 'origins', 'shots']);
  const { shots = 0 } = options;
  checkRange(shots, 'shots', 0, 1);
  return generateInOpen(count, options, (start, next, random) => {
    if (shots === 0 || random() >= shots) return next();
    const toward = direction(random);
    return start.map((x, k) => x + SHOT * toward[k]!);
  });
}

/** Options of {@link stepQueries}. */
export interface StepQueryOptions extends SeedOption, OpenSpace {}

/** The shortest and the longest usual frames, in seconds. */
const SHORTEST_FRAME = 1 / 125;
const LONGEST_FRAME = 1 / 20;
/** The fastest that players run and fall, in Quake units per second. */
const RUN_SPEED = 320;
const FALL_SPEED = 800;

/**
 * Moves as short as those of a player's frame, each from a different point in the open: runs that rise or fall a little, falls,
 * and looks for ground a quarter of a unit below. `count` segments of six numbers. Unlike those of `playerQueries` they do not
 * follow from one another, so that caches and branch predictors learn little from them.
 * @throws RangeError and TypeError as {@link openQueries} does.
 */
export function stepQueries(count: number, options: StepQueryOptions): Float32Array {
  checkGenerator(count, options, ['open', 'origins']);
  return generateInOpen(count, options, ([x, y, z], _next, random) => {
    const time = between(random, SHORTEST_FRAME, LONGEST_FRAME);
    const kind = random();
    if (kind < 0.25) return [x!, y!, z! - GROUND];
    if (kind < 0.5) return [x!, y!, z! - time * FALL_SPEED * between(random, 1 / 16, 1)];
    const run = time * RUN_SPEED;
    const [dx, dy] = direction(random, true);
    return [x! + run * dx, y! + run * dy, z! + run * between(random, -0.5, 0.5)];
  });
}

/** Fills `count` segments that begin in the open; `endOf` may draw further points in the open with `next`. */
function generateInOpen(
  count: number,
  options: SeedOption & OpenSpace,
  endOf: (start: Float32Array, next: () => Float32Array, random: Random) => Vec3,
): Float32Array {
  let next: (() => Float32Array) | undefined;
  return generate(count, options, (random) => {
    next ??= openPoints(options, random);
    const start = next();
    return [start, endOf(start, next, random)];
  });
}

/** Options of {@link planeQueries}. */
export interface PlaneOptions extends SeedOption {
  /** A map's planes, or polygons; for polygons, queries are at the polygons themselves. */
  readonly planes: readonly (Plane | Polygon)[];
  /** Where points on planes without corners are drawn, in Quake units. */
  readonly bounds: Bounds;
  /** Longest move, in Quake units; 128 by default. */
  readonly length?: number | undefined;
}

/** How far ends are from a plane: on it, the distances that engines keep from it, and half and twice those. */
const OFFSETS = [0, 1 / 64, 1 / 32, 1 / 16, 1 / 8, 1 / 4];

/**
 * Moves that begin or end on planes or a hair's breadth from them, where tracers differ: through a plane, up to it, away from it
 * and along it. `count` segments of six numbers.
 *
 * @throws RangeError as {@link uniformQueries} does, for no planes, for planes with numbers that are not finite, and for a
 *   length below 0; TypeError without planes or bounds.
 */
export function planeQueries(count: number, options: PlaneOptions): Float32Array {
  checkGenerator(count, options, ['planes', 'length']);
  const { planes, bounds, length = 128 } = options;
  checkRadius(length, 'length');
  checkList(planes, 'planes');
  if (planes.length === 0) throw new RangeError('planes must hold at least one plane');
  for (const [k, plane] of planes.entries()) {
    checkObject(plane, `planes[${k}]`);
    checkPoint(plane.normal, `planes[${k}].normal`);
    checkFinite(plane.dist, `planes[${k}].dist`);
    if ('vertices' in plane) checkVertices(plane.vertices, `planes[${k}].vertices`);
  }
  return generate(count, options, (random) => {
    const plane = pick(random, planes);
    const touch = pointOn(random, plane, bounds);
    const near = offset(touch, plane, pick(random, OFFSETS) * (random() < 0.5 ? -1 : 1));
    return random() < 0.5
      ? [near, farEnd(random, near, plane, length)]
      : [farEnd(random, near, plane, length), near];
  });
}

function checkVertices(vertices: Float32Array, name: string): void {
  checkKind(isArrayOf(vertices, Float32Array), vertices, name, 'a Float32Array of three numbers per corner');
  if (vertices.length % 3 !== 0) {
    throw new RangeError(`${name} must hold three numbers per corner, got ${vertices.length} numbers`);
  }
  const wrong = vertices.findIndex((x) => !Number.isFinite(x));
  if (wrong >= 0) checkFinite(vertices[wrong]!, `${name}[${wrong}]`);
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

/** A point in one of the triangles that a polygon's first corner makes with the others. */
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
