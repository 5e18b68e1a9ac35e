import type { ClipOutcome, FeatureStep } from '@bspkit/core';
import { PASSING, type Winding } from '@bspkit/geometry';
import { brushShape, brushSides, facetShape, facetSides } from '../exact/kernel.ts';
import { cutFace, EDGE, FACE, RIM, type Rounded } from '../exact/shapes.ts';
import { SIDE_WORDS } from '../layout.ts';
import type { ReferenceTrace } from './clip.ts';
import type { Point } from './vec.ts';

// Exact spheres, which neither the engine nor the tutorials have: the middle of the sphere moves among faces that are pushed out,
// cylinders around edges and spheres around corners. In double, all else is float32. The kernel finds the first that is met; here
// all of them are looked at, one by one.

/** A face, edge or corner of a brush or facet. */
interface Part {
  readonly feature: FeatureStep['feature'];
  readonly number: number;
  readonly points: readonly Point[];
  /** When the middle of a sphere comes to a distance from it, and the way from there to the middle; `undefined` if it never does. */
  readonly meet: (sphere: Sphere, keep: number) => Meeting | undefined;
}

interface Face extends Part {
  readonly feature: 'face';
  /** The side that it is part of, by its number in the file; those of facets have none. */
  readonly side: number | undefined;
  readonly normal: Point;
  readonly dist: number;
  readonly rims: readonly { readonly outward: Point; readonly dist: number }[];
}

interface Edge extends Part {
  readonly feature: 'edge';
  readonly direction: Point;
  readonly length: number;
}

/** What a sphere can touch. A facet is flat: it is only met from its front. */
interface Shape {
  readonly faces: readonly Face[];
  readonly edges: readonly Edge[];
  readonly corners: readonly Part[];
  readonly flat: boolean;
  /** What a hit may be on: the faces, or all sides of a brush that has none. */
  readonly sides: readonly Pick<Face, 'normal' | 'side'>[];
}

/** A sphere and the move of its middle. */
interface Sphere {
  readonly start: Point;
  readonly move: Point;
  readonly radius: number;
  readonly epsilon: number;
}

interface Meeting {
  readonly time: number;
  readonly normal: Point;
}

/** How far a point is from a shape, which part is nearest, and the way from there. */
interface Nearest {
  readonly distance: number;
  readonly toward: Point;
  readonly part: Part | undefined;
}

/** How the test of a brush or facet ended, as its step has it. */
export interface Judged {
  readonly outcome: ClipOutcome;
  readonly enter: number;
  readonly leave: number;
  /** By its number in the file; -1 if no side of a brush was hit. */
  readonly side: number;
}

const f = Math.fround;
const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const times = (t: number, a: Point): Point => [t * a[0], t * a[1], t * a[2]];
const plus = (a: Point, b: Point): Point => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const minus = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const along = (a: Point, t: number, b: Point): Point => plus(a, times(t, b));
const lengthOf = (a: Point): number => Math.sqrt(dot(a, a));
const unit = (a: Point): Point => times(1 / Math.max(lengthOf(a), 1e-300), a);
const vec = (from: ArrayLike<number>, at: number): Point => [from[at]!, from[at + 1]!, from[at + 2]!];

/** Whether the sphere, where it starts, touches or overlaps a brush. */
export const touchesBrush = (trace: ReferenceTrace, brush: number): boolean =>
  touches(trace, shapeOfBrush(trace, brush));

/** Whether the sphere, where it starts, touches a facet, which is given by its place. */
export const touchesFacet = (trace: ReferenceTrace, facet: number): boolean =>
  touches(trace, shapeOfFacet(trace, facet));

function touches(trace: ReferenceTrace, shape: Shape): boolean {
  const { start, radius } = sphereOf(trace);
  return nearest(shape, start).distance <= radius;
}

/** Sweeps the sphere against a brush. If that is hit, fraction, normal and distance are in the answer. */
export const judgeBrush = (trace: ReferenceTrace, brush: number): Judged =>
  judge(trace, shapeOfBrush(trace, brush));

/** Sweeps the sphere against a facet, which is given by its place. */
export const judgeFacet = (trace: ReferenceTrace, facet: number): Omit<Judged, 'side'> => {
  const { side: _, ...judged } = judge(trace, shapeOfFacet(trace, facet));
  return judged;
};

function sphereOf({ start, end, capsule, epsilon }: ReferenceTrace): Sphere {
  return { start, move: minus(end, start), radius: capsule!.radius, epsilon };
}

function judge(trace: ReferenceTrace, shape: Shape): Judged {
  const { answer } = trace;
  const sphere = sphereOf(trace);
  const { start, move, radius, epsilon } = sphere;
  const keep = radius + epsilon;
  const near = nearest(shape, start);
  const not = (outcome: ClipOutcome, enter = -1): Judged => ({ outcome, enter, leave: 1, side: -1 });
  if (near.distance <= radius) {
    if (shape.flat) return not('missed');
    return not(nearest(shape, along(start, 1, move)).distance <= radius ? 'allSolid' : 'startSolid');
  }
  // Nearer than it keeps, but not touching, it stops at once if it would come even nearer.
  const isClose = near.distance < keep;
  const met = isClose ? meetAtStart(trace, shape, sphere, near) : meetFirst(trace, shape, sphere, keep);
  if (!met) return not('missed');
  const { time, normal } = met;
  const passing = radius + PASSING * epsilon;
  if (near.distance >= passing && !parts(shape).some((part) => meet(shape, part, sphere, passing))) {
    return not('passed', f(time));
  }
  const enter = f(time);
  const side = facingSide(shape, normal);
  if (!(enter < answer.fraction)) return { outcome: 'farther', enter, leave: 1, side };
  answer.fraction = enter;
  answer.normal = normal;
  let dist = -(isClose ? near.distance : keep);
  for (const k of [0, 1, 2] as const) dist += normal[k] * (start[k] + time * move[k]);
  answer.dist = f(dist);
  return { outcome: 'hit', enter, leave: 1, side };
}

/** Records all parts, of which only the nearest can stop the move, where it begins. */
function meetAtStart(
  { record }: ReferenceTrace,
  shape: Shape,
  sphere: Sphere,
  { toward, part: closest }: Nearest,
): Meeting | undefined {
  const leads = dot(sphere.move, toward) < 0 && !(shape.flat && isBehind(shape, sphere, 0));
  for (const part of parts(shape)) record(step(part, leads && part === closest ? 0 : -1));
  return leads ? { time: 0, normal: toward } : undefined;
}

/** Records all parts, and returns where the first of them is met. */
function meetFirst(
  { record }: ReferenceTrace,
  shape: Shape,
  sphere: Sphere,
  keep: number,
): Meeting | undefined {
  let first: Meeting | undefined;
  for (const part of parts(shape)) {
    const met = meet(shape, part, sphere, keep);
    record(step(part, met && met.time <= 1 ? met.time : -1));
    if (met && met.time <= 1 && !(first && first.time <= met.time)) first = met;
  }
  return first;
}

const parts = ({ faces, edges, corners }: Shape): readonly Part[] => [...faces, ...edges, ...corners];

function step(part: Part, enter: number): FeatureStep {
  const { feature, number, points } = part;
  const side = 'side' in part ? (part as Face).side : undefined;
  return {
    kind: 'feature',
    feature,
    number,
    ...(side !== undefined && { side }),
    points: points.map(([...point]) => point),
    enter,
  };
}

/** When a part stops the sphere at a distance. */
function meet(shape: Shape, part: Part, sphere: Sphere, keep: number): Meeting | undefined {
  const met = part.meet(sphere, keep);
  if (!met || !(met.time >= 0 && met.time < Number.POSITIVE_INFINITY)) return undefined;
  if (shape.flat && part.feature !== 'face' && isBehind(shape, sphere, met.time)) return undefined;
  return met;
}

/** Whether the sphere's middle, at a fraction, is behind a facet's surface. */
function isBehind({ faces }: Shape, { start, move }: Sphere, time: number): boolean {
  const [surface] = faces;
  let d = -surface!.dist;
  for (const k of [0, 1, 2] as const) d += surface!.normal[k] * (start[k] + time * move[k]);
  return d < 0;
}

/** A face is touched at one point of its plane, which must be within its rims. */
function meetFace({ normal, dist, rims }: Omit<Face, 'meet'>, flat: boolean) {
  return ({ start, move }: Sphere, keep: number): Meeting | undefined => {
    const closing = dot(normal, move);
    const d = dot(normal, start) - dist;
    if (closing >= 0 || (flat && d < 0)) return undefined;
    const time = (keep - d) / closing;
    return isOnFace(rims, along(along(start, time, move), -keep, normal)) ? { time, normal } : undefined;
  };
}

const isOnFace = (rims: Face['rims'], point: Point): boolean =>
  rims.every(({ outward, dist }) => !(dot(outward, point) > dist));

/** The line through an edge is met where the middle, seen along it, comes near enough; the edge if that is between its ends. */
function meetEdge(from: Point, direction: Point, length: number) {
  return ({ start, move }: Sphere, keep: number): Meeting | undefined => {
    const offset = minus(start, from);
    const s = dot(offset, direction);
    const m = dot(move, direction);
    const met = approach(along(offset, -s, direction), along(move, -m, direction), keep);
    if (!met) return undefined;
    const place = s + met.time * m;
    return place < 0 || place > length ? undefined : met;
  };
}

const meetCorner =
  (corner: Point) =>
  ({ start, move }: Sphere, keep: number): Meeting | undefined =>
    approach(minus(start, corner), move, keep);

/** When |from + time · way| falls to what is kept. */
function approach(from: Point, way: Point, keep: number): Meeting | undefined {
  const a = dot(way, way);
  const b = dot(from, way);
  const c = dot(from, from) - keep * keep;
  const discriminant = b * b - a * c;
  if (b >= 0 || discriminant < 0) return undefined;
  // The smaller root of a t² + 2 b t + c, written so that there is no cancellation.
  const time = c / (-b + Math.sqrt(discriminant));
  return { time, normal: unit(along(from, time, way)) };
}

/** Distance of a point from a shape, 0 inside. */
function nearest({ faces, edges, corners, flat }: Shape, point: Point): Nearest {
  let found: Nearest = { distance: Number.POSITIVE_INFINITY, toward: [0, 0, 0], part: undefined };
  for (const face of faces) {
    const d = dot(face.normal, point) - face.dist;
    const distance = Math.abs(d);
    if (distance >= found.distance || !isOnFace(face.rims, along(point, -d, face.normal))) continue;
    found = { distance, toward: times(d < 0 ? -1 : 1, face.normal), part: face };
  }
  // Behind all faces, and not beside all of them, as only the narrow sides of something flat are, which have no faces.
  const isInside = found.part && !faces.some(({ normal, dist }) => dot(normal, point) - dist > 0);
  if (isInside && !flat) return { distance: 0, toward: [0, 0, 0], part: undefined };
  for (const edge of edges) {
    const offset = minus(point, edge.points[0]!);
    const place = Math.min(Math.max(dot(offset, edge.direction), 0), edge.length);
    const way = along(offset, -place, edge.direction);
    const distance = lengthOf(way);
    if (distance >= found.distance) continue;
    const end = place === 0 ? edge.points[0] : place === edge.length ? edge.points[1] : undefined;
    const part = end ? corners.find(({ points }) => points[0] === end) : edge;
    found = { distance, toward: times(1 / Math.max(distance, 1e-300), way), part };
  }
  // What has no extent has a corner that is no edge's end.
  for (const corner of edges.length === 0 ? corners : []) {
    const way = minus(point, corner.points[0]!);
    const distance = lengthOf(way);
    if (distance >= found.distance) continue;
    found = { distance, toward: times(1 / Math.max(distance, 1e-300), way), part: corner };
  }
  return found;
}

/** The side that a hit faces most. */
function facingSide({ sides }: Shape, normal: Point): number {
  let [best, found] = [Number.NEGATIVE_INFINITY, -1];
  for (const side of sides) {
    const turned = dot(normal, side.normal);
    if (turned > best) [best, found] = [turned, side.side ?? -1];
  }
  return found;
}

function shapeOfBrush({ memory }: ReferenceTrace, brush: number): Shape {
  const sides = brushSides(memory, brush);
  const numberOf = (place: number): number => (place - memory.places.sides.first) / SIDE_WORDS;
  const shape = readShape(
    brushShape(memory, brush),
    (place) => cutFace(sides.find(({ id }) => id === place)!, sides),
    numberOf,
  );
  if (shape.faces.length > 0) return shape;
  return { ...shape, sides: sides.map(({ normal, id }) => ({ normal, side: numberOf(id) })) };
}

function shapeOfFacet({ memory }: ReferenceTrace, facet: number): Shape {
  const [surface, ...borders] = facetSides(memory, facet);
  return readShape(
    facetShape(memory, facet),
    () => cutFace(surface!, borders),
    () => undefined,
  );
}

/** A shape as objects. Its numbers may be those of another shape later. */
function readShape(
  { numbers, faces, rims, edges, corners, end, flat }: Rounded,
  cornersOf: (place: number) => Winding,
  sideOf: (place: number) => number | undefined,
): Shape {
  const list = <T>(from: number, to: number, size: number, make: (at: number, number: number) => T): T[] =>
    Array.from({ length: (to - from) / size }, (_, k) => make(from + size * k, k));
  const points = list(corners, end, 3, (at) => vec(numbers, at));
  const made = list(faces, rims, FACE, (at, number) => {
    const place = numbers[at + 4]!;
    const winding = cornersOf(place);
    const face = {
      feature: 'face' as const,
      number,
      side: sideOf(place),
      points: list(0, winding.length, 3, (k) => vec(winding, k)),
      normal: vec(numbers, at),
      dist: numbers[at + 3]!,
      rims: list(numbers[at + 5]!, numbers[at + 5]! + numbers[at + 6]!, 1, (rim) => ({
        outward: vec(numbers, rims + RIM * rim),
        dist: numbers[rims + RIM * rim + 3]!,
      })),
    };
    return { ...face, meet: meetFace(face, flat) };
  });
  return {
    flat,
    faces: made,
    sides: made,
    edges: list(edges, corners, EDGE, (at, number) => {
      const [direction, length] = [vec(numbers, at + 3), numbers[at + 6]!];
      const from = cornerAt(points, vec(numbers, at));
      const to = cornerAt(points, along(from, length, direction));
      return {
        ...{ feature: 'edge', number, points: [from, to], direction, length },
        meet: meetEdge(from, direction, length),
      };
    }),
    corners: points.map((point, number) => ({
      ...{ feature: 'corner', number, points: [point] },
      meet: meetCorner(point),
    })),
  };
}

/** The corner at a point, but for rounding. */
function cornerAt(corners: readonly Point[], point: Point): Point {
  let [best, found] = [Number.POSITIVE_INFINITY, point];
  for (const corner of corners) {
    const distance = lengthOf(minus(corner, point));
    if (distance < best) [best, found] = [distance, corner];
  }
  return found;
}
