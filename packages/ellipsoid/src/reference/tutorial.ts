import type { Polygon, PolygonStep, Recorder, SideStep, Vec3 } from '@bspkit/core';

// The document word for word: "Physics in BSP-Trees: Collision Detection" (2003), from the raw polygons, with its names
// and line numbers. Slow, and its errors can be turned on one by one. Z is up, where the document has Y, and there are
// three radii, where it has two; polygons have three corners or more, where it has triangles.

/** The document's errors: true for what it says, false (by default) for what it must mean. */
export interface Errata {
  /** PRE-CHECK-COLLISION: tests whether the product of both side values less the radius is below 0. Misses bodies at rest. */
  readonly preCheck?: boolean | undefined;
  /** Perpendicular planes: inverted where their normal times p3 is below 0, whatever their distance. */
  readonly inward?: boolean | undefined;
  /** GET-COLLIDING-POLYGON, line 7: the plane itself is moved, and stays moved. */
  readonly movesPlanes?: boolean | undefined;
  /** GET-COLLIDING-POLYGON, line 8: only tests where the move ends, not the way through the polygon's plane. */
  readonly endOnly?: boolean | undefined;
  /** GET-COLLIDING-POLYGON, line 9: Side < 0, so that a body that only touches a moved plane is within it. */
  readonly touchingEdges?: boolean | undefined;
  /** COLLISION-HANDLING, line 5: Iterations <= MAXITERATIONS, one round too many. */
  readonly extraRound?: boolean | undefined;
  /** COLLISION-HANDLING, line 6: passes on N, the last node, not the PolygonSet. */
  readonly lastNode?: boolean | undefined;
  /** COLLISION-HANDLING, line 2: only the nodes of the move as it was asked for, not those that a push leads into. */
  readonly nodesOnce?: boolean | undefined;
  /** COLLISION-HANDLING, line 19: Direction * (CollRadius1 + (CollRadius2-Distance)), Direction towards the other. */
  readonly pushTowards?: boolean | undefined;
  /** COLLISION-HANDLING, after line 19: nothing is tested again after an object has pushed. */
  readonly objectsLast?: boolean | undefined;
}

/** All of them: the document as it is printed. */
export const AS_PRINTED: Required<Errata> = {
  preCheck: true,
  inward: true,
  movesPlanes: true,
  endOnly: true,
  touchingEdges: true,
  extraRound: true,
  lastNode: true,
  nodesOnce: true,
  pushTowards: true,
  objectsLast: true,
};

const MAXITERATIONS = 5;

type Point = [number, number, number];

/** An ellipsoid that moves, or is in the way. */
export interface Body {
  StartPosition: Point;
  EndPosition: Point;
  /** Of unit length; zero for no movement. */
  MovementDirection: Point;
  readonly Coll: Point;
}

/** One round of COLLISION-HANDLING. */
export interface Round {
  /** Where the move ends at the beginning of the round. */
  readonly EndPosition: Point;
  /** How many polygons were tested. */
  readonly numPolygons: number;
  /** The tests of those whose plane is crossed, in order: each after the planes around it, as in explanations. */
  readonly steps: readonly (PolygonStep | SideStep)[];
}

/** A plane in double precision, with a distance that may be moved. */
export interface Plane {
  readonly Normal: Point;
  Distance: number;
}

/** A polygon with its perpendicular planes, made once. */
export interface TutorialPolygon extends Plane {
  /** Its index among the polygons given. */
  readonly number: number;
  readonly Planes: readonly Plane[];
}

/** An end that is nearer than the radius by no more than this has been pushed out, and rounded. */
const TOUCHING = 1e-5;

const INFINITY: number = Number.POSITIVE_INFINITY;
const NOPOLYGON: undefined = undefined;

const dot = (a: Vec3, b: Vec3): number => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
const point = (a: Vec3): Point => [a[0]!, a[1]!, a[2]!];
const cornerOf = ({ vertices }: Polygon, k: number): Point => {
  const at = (3 * k) % vertices.length;
  return [vertices[at]!, vertices[at + 1]!, vertices[at + 2]!];
};

/** A moving ellipsoid, its ends rounded to float32 as in all tracers. */
export function createBody(start: Vec3, end: Vec3, radii: Vec3): Body {
  const StartPosition = point(Array.from(start, Math.fround));
  const EndPosition = point(Array.from(end, Math.fround));
  const [x, y, z] = [0, 1, 2].map((k) => EndPosition[k]! - StartPosition[k]!) as Point;
  const length = Math.sqrt(x * x + y * y + z * z);
  const MovementDirection: Point = length > 0 ? [x / length, y / length, z / length] : [0, 0, 0];
  return { StartPosition, EndPosition, MovementDirection, Coll: point(Array.from(radii, Math.fround)) };
}

/** A polygon with its perpendicular planes: figures 9 and 11. */
export function createPolygon(polygon: Polygon, number: number, errata: Errata = {}): TutorialPolygon {
  const count = polygon.vertices.length / 3;
  const center: Point = [0, 0, 0];
  for (let k = 0; k < polygon.vertices.length; k++) center[k % 3]! += polygon.vertices[k]! / count;
  const perPlane = (p1: Point, p2: Point, at: Point, p3: Point, isCorner: boolean): Plane => {
    // 1. PerPlane.Normal = Normalize (Direction (p1, p2) x Polygon.Normal)
    const [dx, dy, dz] = [p2[0] - p1[0], p2[1] - p1[1], p2[2] - p1[2]];
    const [nx, ny, nz] = point(polygon.normal);
    const [x, y, z] = [dy * nz - dz * ny, dz * nx - dx * nz, dx * ny - dy * nx];
    const length = Math.sqrt(x * x + y * y + z * z);
    if (!(length > 0)) return { Normal: [0, 0, 0], Distance: -1 };
    const Normal: Point = [x / length, y / length, z / length];
    // 3. PerPlane.Distance = PerPlane.Normal*p2
    const Distance = dot(Normal, at);
    // 2. if(Perplane.Normal * p3 < 0) invert(PerPlane.Normal)
    const isOutward = errata.inward ? dot(Normal, p3) < 0 !== isCorner : dot(Normal, center) - Distance < 0;
    return isOutward
      ? { Normal: [-Normal[0], -Normal[1], -Normal[2]], Distance: -Distance }
      : { Normal, Distance };
  };
  const Planes: Plane[] = [];
  for (let k = 0; k < count; k++) {
    const [p1, p2, p3] = [cornerOf(polygon, k), cornerOf(polygon, k + 1), cornerOf(polygon, k + 2)];
    Planes.push(perPlane(p1, p2, p1, p3, false));
  }
  // A corner's plane: that of the edge opposite, moved to the corner, its normal inverted.
  for (let k = 0; k < count; k++) {
    const [p1, p2, p3] = [cornerOf(polygon, k + 1), cornerOf(polygon, k + count - 1), cornerOf(polygon, k)];
    Planes.push(perPlane(p1, p2, p3, p3, true));
  }
  return { number, Normal: point(polygon.normal), Distance: polygon.dist, Planes };
}

export function CALCULATE_COLLISIONRADIUS({ Coll }: Body, Direction: Vec3): number {
  const [x, y, z] = [Coll[0] * Direction[0]!, Coll[1] * Direction[1]!, Coll[2] * Direction[2]!];
  return Math.sqrt(x * x + y * y + z * z);
}

export function PRE_CHECK_COLLISION(body: Body, polygon: Plane, errata: Errata = {}): boolean {
  const CollisionRadius = CALCULATE_COLLISIONRADIUS(body, polygon.Normal);
  const StartSide = dot(body.StartPosition, polygon.Normal) - polygon.Distance;
  const EndSide = dot(body.EndPosition, polygon.Normal) - polygon.Distance;
  if (errata.preCheck) return (StartSide - CollisionRadius) * (EndSide - CollisionRadius) < 0;
  // The centre is in front, and comes nearer than the radius.
  return StartSide >= 0 && EndSide < StartSide && EndSide < CollisionRadius - TOUCHING;
}

/** When the body's middle comes to a distance in front of the polygon's plane, as a fraction of the move. */
function timeAt(body: Body, polygon: Plane, Distance: number): number {
  const StartSide = dot(body.StartPosition, polygon.Normal) - polygon.Distance;
  const EndSide = dot(body.EndPosition, polygon.Normal) - polygon.Distance;
  return (StartSide - Distance) / (StartSide - EndSide);
}

/**
 * GET-COLLIDING-POLYGON, lines 3 to 8 of the first version: the first of the six planes, moved outwards, by which no part of the
 * way is within all of them; -1 if some part is.
 *
 * @param record - takes the planes, with their normals outwards, as those of brushes.
 */
export function planeOutside(
  body: Body,
  polygon: TutorialPolygon,
  errata: Errata = {},
  record?: Recorder,
): number {
  // Only the part of the way on which the body touches the polygon's plane: once through it beside the polygon, it is past it.
  const reach = CALCULATE_COLLISIONRADIUS(body, polygon.Normal);
  const [contact, past] = [timeAt(body, polygon, reach), timeAt(body, polygon, -reach)];
  let enter = contact > 0 ? contact : 0;
  let leave = past > contact && past < 1 ? past : 1;
  for (const [k, plane] of polygon.Planes.entries()) {
    const CollisionRadius = CALCULATE_COLLISIONRADIUS(body, plane.Normal);
    let Distance = plane.Distance - CollisionRadius;
    if (errata.movesPlanes) plane.Distance = Distance;
    if (!errata.touchingEdges) Distance += TOUCHING;
    const Side = dot(body.StartPosition, plane.Normal) - Distance;
    const EndSide = dot(body.EndPosition, plane.Normal) - Distance;
    let isOutside = EndSide < 0;
    if (!errata.endOnly) {
      const [mx, my, mz] = [0, 1, 2].map((k) => body.EndPosition[k]! - body.StartPosition[k]!) as Point;
      const speed = mx * plane.Normal[0] + my * plane.Normal[1] + mz * plane.Normal[2];
      if (speed > 0) enter = Math.max(enter, -Side / speed);
      else if (speed < 0) leave = Math.min(leave, -Side / speed);
      isOutside = (speed === 0 && Side < 0) || enter > leave;
    }
    record?.({
      kind: 'side',
      side: k,
      normal: point(plane.Normal.map((x) => 0 - x)),
      dist: -Distance,
      startDist: -Side,
      endDist: -EndSide,
      enter,
      leave,
    });
    if (isOutside) return k;
  }
  return -1;
}

const facingValue = (polygon: TutorialPolygon, body: Body): number =>
  dot(polygon.Normal, body.MovementDirection);

/** The first version: the polygons in order of increasing facing value. */
export function GET_COLLIDING_POLYGON_SORTED(
  body: Body,
  PolygonSet: readonly TutorialPolygon[],
  errata: Errata = {},
): TutorialPolygon | undefined {
  for (const P of [...PolygonSet].sort((a, b) => facingValue(a, body) - facingValue(b, body))) {
    if (PRE_CHECK_COLLISION(body, P, errata) && planeOutside(body, P, errata) < 0) return P;
  }
  return NOPOLYGON;
}

/**
 * The rewrite: one pass that remembers the lowest facing value. Its "goto step 1" must mean the next polygon: step 1
 * would begin the whole loop again, for ever.
 *
 * @param record - takes every test, that of a polygon after those of the planes around it.
 */
export function GET_COLLIDING_POLYGON(
  body: Body,
  PolygonSet: readonly TutorialPolygon[],
  errata: Errata = {},
  record?: Recorder,
): TutorialPolygon | undefined {
  let LowestFacing = INFINITY;
  let CollidingPolygon: TutorialPolygon | undefined = NOPOLYGON;
  for (const P of PolygonSet) {
    const isCrossed = PRE_CHECK_COLLISION(body, P, errata);
    const isMet = isCrossed && planeOutside(body, P, errata, record) < 0;
    const FacingValue = facingValue(P, body);
    const isLowest = isMet && FacingValue < LowestFacing;
    record?.({
      kind: 'polygon',
      polygon: P.number,
      normal: [...P.Normal],
      dist: P.Distance,
      start: [...body.StartPosition],
      end: [...body.EndPosition],
      startDist: dot(body.StartPosition, P.Normal) - P.Distance,
      endDist: dot(body.EndPosition, P.Normal) - P.Distance,
      offset: CALCULATE_COLLISIONRADIUS(body, P.Normal),
      facing: FacingValue,
      outcome: isLowest ? 'hit' : isMet ? 'outfaced' : isCrossed ? 'missed' : 'apart',
      enter: isCrossed ? Math.max(0, timeAt(body, P, CALCULATE_COLLISIONRADIUS(body, P.Normal))) : -1,
    });
    if (!isLowest) continue;
    CollidingPolygon = P;
    LowestFacing = FacingValue;
  }
  return CollidingPolygon;
}

/** The relation of two bodies: the way from the first to the second, both radii along it, and the distance. */
function between(
  Object1: Body,
  Object2: Body,
): { Direction: Point; CR1: number; CR2: number; Distance: number } {
  const [x, y, z] = [0, 1, 2].map((k) => Object2.StartPosition[k]! - Object1.EndPosition[k]!) as Point;
  const Distance = Math.sqrt(x * x + y * y + z * z);
  // If one is exactly at the other's centre, the way out is up.
  const Direction: Point = Distance > 0 ? [x / Distance, y / Distance, z / Distance] : [0, 0, -1];
  const CR1 = CALCULATE_COLLISIONRADIUS(Object1, Direction);
  const CR2 = CALCULATE_COLLISIONRADIUS(Object2, Direction);
  return { Direction, CR1, CR2, Distance };
}

function OBJECTS_COLLIDE(Object1: Body, Object2: Body): boolean {
  const { CR1, CR2, Distance } = between(Object1, Object2);
  return Distance < CR1 + CR2;
}

/** Moves the end to where it does not collide: away from the other body or, as printed, towards it. */
function pushFrom(Object1: Body, Object2: Body, errata: Errata): void {
  const { Direction, CR1, CR2, Distance } = between(Object1, Object2);
  const push = errata.pushTowards ? CR1 + (CR2 - Distance) : -(CR1 + CR2 - Distance + 1e-6);
  for (let k = 0; k < 3; k++) Object1.EndPosition[k]! += Direction[k]! * push;
}

/** The result of a move. */
export interface Handled {
  readonly EndPosition: Point;
  readonly Iterations: number;
  /** Polygons that pushed, in order; -1 - k for object k. */
  readonly collided: readonly number[];
  /** Whether the rounds ran out, so that the body is back at its start. */
  readonly returned: boolean;
  /** What each round tested. The last one found nothing, unless the body is back at its start. */
  readonly rounds: readonly Round[];
}

/**
 * COLLISION-HANDLING.
 *
 * @param nodesOf - the polygons of each node that a move with these ends passes through, in order.
 * @param objects - the other bodies there.
 */
export function COLLISION_HANDLING(
  body: Body,
  nodesOf: (ends: readonly Point[]) => readonly (readonly TutorialPolygon[])[],
  objects: readonly Body[] = [],
  errata: Errata = {},
): Handled {
  const ends: Point[] = [body.StartPosition, [...body.EndPosition]];
  const collect = (): readonly TutorialPolygon[] => {
    const nodes = nodesOf(ends);
    return errata.lastNode ? (nodes[nodes.length - 1] ?? []) : [...new Set(nodes.flat())];
  };
  let PolygonSet = collect();
  const rounds = MAXITERATIONS + (errata.extraRound ? 1 : 0);
  const collided: number[] = [];
  const tested: Round[] = [];
  let returned = false;
  for (;;) {
    const steps: (PolygonStep | SideStep)[] = [];
    tested.push({ EndPosition: [...body.EndPosition], numPolygons: PolygonSet.length, steps });
    const Polygon = GET_COLLIDING_POLYGON(body, PolygonSet, errata, (step) => {
      if (step.kind === 'side' || (step.kind === 'polygon' && step.outcome !== 'apart')) steps.push(step);
    });
    const object =
      Polygon || errata.objectsLast ? -1 : objects.findIndex((other) => OBJECTS_COLLIDE(body, other));
    if (Polygon === NOPOLYGON && object < 0) break;
    // As corrected, a body that still collides after the last round is returned to its start; as printed, it always is, whatever
    // the reason for the last round.
    if (collided.length === rounds) {
      returned = true;
      body.EndPosition = [...body.StartPosition];
      break;
    }
    if (Polygon) {
      const CollisionRadius = CALCULATE_COLLISIONRADIUS(body, Polygon.Normal);
      const EndSide = dot(body.EndPosition, Polygon.Normal) - Polygon.Distance;
      // The normal is of float32s, and not quite of unit length.
      const push = (CollisionRadius - EndSide) / dot(Polygon.Normal, Polygon.Normal);
      for (let k = 0; k < 3; k++) body.EndPosition[k]! += Polygon.Normal[k]! * push;
      collided.push(Polygon.number);
    } else {
      pushFrom(body, objects[object]!, errata);
      collided.push(-1 - object);
    }
    if (!errata.nodesOnce) {
      ends.push([...body.EndPosition]);
      PolygonSet = collect();
    }
    if (errata.extraRound && collided.length === rounds) {
      returned = true;
      body.EndPosition = [...body.StartPosition];
      break;
    }
  }
  if (errata.objectsLast) {
    for (const [k, other] of objects.entries()) {
      if (!OBJECTS_COLLIDE(body, other)) continue;
      pushFrom(body, other, errata);
      collided.push(-1 - k);
    }
  }
  return { EndPosition: body.EndPosition, Iterations: collided.length, collided, returned, rounds: tested };
}
