import {
  blockedEach,
  type PolygonSource,
  type Shape,
  type TraceBatch,
  type Tracer,
  traceEach,
  type Vec3,
} from '@bspkit/core';
import {
  checkList,
  checkTrace,
  failArgument,
  held,
  isArrayOf,
  MOVE_END,
  MOVE_START,
  printAsString,
  showShape,
  takeFloats,
} from '@bspkit/core/format';
import { checkEllipsoid, type Ellipsoid, isEllipsoid } from './ellipsoids.ts';
import type { Memory } from './kernel/memory.ts';
import { LEAF_WORDS, POLYGON_WORDS } from './layout.ts';
import { firstPlane, PLANE_NUMBERS, perpendicularPlanes, planesLength } from './perpendicular.ts';
import { checkRadii } from './radii.ts';
import { checkWorld, findLeafs } from './source.ts';
import {
  createEllipsoidTrace,
  describePolygon,
  type EllipsoidTrace,
  LAST_FRACTION,
  resetEllipsoidTrace,
} from './tracer.ts';
import type { EllipsoidWorld } from './world.ts';

const f = Math.fround;

/** Rounds of collision handling, as in the document. */
const MAX_ITERATIONS = 5;

/** How far around the move leafs count as passed, in Quake units. */
const LEAF_MARGIN = 1;

/** The result of a move by the document's method. Made by {@link createTutorialMove}, completely overwritten. */
export interface TutorialMove {
  /** Where the centre of the ellipsoid comes to rest, in Quake units. */
  endPos: Float32Array;
  /** How many times it was pushed, out of polygons and objects. */
  iterations: number;
  /** Polygons that it was pushed out of, in order, as many as `iterations`; -1 - k for object k of those given. */
  readonly collided: Int32Array;
  /** Whether collisions continued after the last iteration, so that the object is back at its start. */
  returned: boolean;
}

/** A fresh answer of {@link TutorialTracer.move}. */
export function createTutorialMove(): TutorialMove {
  return {
    endPos: new Float32Array(3),
    iterations: 0,
    collided: new Int32Array(MAX_ITERATIONS),
    returned: false,
  };
}

/**
 * An end that is nearer than the radius by no more than this, in Quake units, has been pushed out and rounded; and what is within
 * a moved plane by no more than this only touches it.
 */
const TOUCHING = 1e-5;

/** Where numbers are in a tracer's doubles. */
export const START = 0;
export const END = 3;
const DIRECTION = 6;
const RADII = 9;
/** For the polygon that was measured last: side values of start and end, radius, when its plane is touched. */
const START_SIDE = 12;
const END_SIDE = 13;
const RADIUS = 14;
const CONTACT = 15;
/** For the object that was measured last: the sum of the radii, less the distance. */
const OVERLAP = 16;
const NUMBERS = 17;

/** No objects. */
const NONE: readonly Ellipsoid[] = [];

/** Throws unless all are ellipsoids, as `checkEllipsoid` does. */
export function checkObjects(objects: readonly Ellipsoid[]): void {
  checkList(objects, 'objects');
  for (let k = 0; k < objects.length; k++) {
    const object = objects[k]!;
    // Its name is put together only when it is needed.
    if (!isEllipsoid(object)) checkEllipsoid(object, `objects[${k}]`);
  }
}

/**
 * An ellipsoid that moves by the document's method: side values tell which polygons it comes through, perpendicular planes
 * moved out by its radius whether it comes within them; of those it meets, the one with the lowest facing value pushes it
 * out along its normal, and so on. Faster than it is exact: corners reach too far, and which polygon pushes first
 * goes by facing, not by time. `reference/tutorial.ts` has it word for word, with its errors.
 *
 * As a `Tracer` it reports the first collision: the polygon with the lowest facing value, and where its plane is
 * touched.
 *
 * Source: Physics in BSP-Trees, Collision Detection.
 */
export class TutorialTracer implements Tracer<EllipsoidTrace> {
  readonly shape: Shape;
  /** @internal */
  readonly _memory: Memory;
  /** @internal */
  readonly _source: PolygonSource;
  private readonly _planes: Float64Array;
  /** @internal */
  readonly _numbers: Float64Array = new Float64Array(NUMBERS);
  private readonly _mins: Float64Array = new Float64Array(3);
  private readonly _maxs: Float64Array = new Float64Array(3);
  private readonly _leafs: Int32Array;
  /** PolygonSet: places of polygons, each once. */
  private readonly _set: Int32Array;
  private readonly _stamps: Int32Array;
  private _stamp = 0;
  private _count = 0;

  /** @internal */
  constructor(world: EllipsoidWorld, radii: Vec3) {
    checkWorld(world);
    checkRadii(radii);
    const own = Float32Array.from([radii[0]!, radii[1]!, radii[2]!]);
    this.shape = { kind: 'ellipsoid', radii: own };
    this._memory = world._memory;
    this._source = world._checkedSource();
    this._planes = perpendicularPlanes(this._memory);
    const { places } = this._memory;
    this._leafs = new Int32Array(places.leafs.count);
    this._set = new Int32Array(places.polygons.count);
    this._stamps = new Int32Array(places.polygons.count);
    this._numbers.set(own, RADII);
    printAsString(this);
  }

  createTrace(): EllipsoidTrace {
    return createEllipsoidTrace();
  }

  trace(start: Vec3, end: Vec3, out: EllipsoidTrace = createEllipsoidTrace()): EllipsoidTrace {
    checkTrace(out, 'out');
    this._begin(start, end);
    return this._answer(out);
  }

  /** @internal The first collision of the move that was taken, or of what pushes have made of it. */
  _answer(out: EllipsoidTrace): EllipsoidTrace {
    const numbers = this._numbers;
    const at = this._collidingPolygon();
    resetEllipsoidTrace(out);
    let time = 1.5 - 0.5;
    if (at >= 0) {
      const { _memory: memory } = this;
      describePolygon(memory, at, out);
      this._measure(at);
      time = numbers[CONTACT]!;
      const radius = numbers[RADIUS]!;
      out.fraction = Math.min(f(time), LAST_FRACTION);
      out.dist = memory.floats[at + 3]!;
      for (let k = 0; k < 3; k++) {
        const normal = memory.floats[at + k]!;
        const center = numbers[START + k]! + time * (numbers[END + k]! - numbers[START + k]!);
        out.normal[k] = normal;
        if (out.point) out.point[k] = center - (normal * numbers[RADII + k]! * numbers[RADII + k]!) / radius;
      }
    }
    for (let k = 0; k < 3; k++) {
      const from = numbers[START + k]!;
      out.endPos[k] = time === 1 ? numbers[END + k]! : from + time * (numbers[END + k]! - from);
    }
    return out;
  }

  blocked(start: Vec3, end: Vec3): boolean {
    this._begin(start, end);
    return this._collidingPolygon() >= 0;
  }

  traceBatch(segments: Float32Array): TraceBatch;
  traceBatch<B extends TraceBatch<never>>(segments: Float32Array, out: B): B;
  traceBatch(segments: Float32Array, out?: TraceBatch<never>): TraceBatch<never> {
    return traceEach(this, segments, out);
  }

  blockedBatch(segments: Float32Array, out?: Uint8Array): Uint8Array {
    return blockedEach(this, segments, out);
  }

  /**
   * Moves from `start` towards `end`, pushed out of polygons, then of objects. With `out` nothing is allocated.
   *
   * @param objects - the others: they stand still.
   * @throws RangeError when a coordinate is not finite, or a radius is not in 0.001 to 1,000,000; TypeError for ends that
   *   are not three numbers, and for objects that are not ellipsoids.
   */
  move(
    start: Vec3,
    end: Vec3,
    objects: readonly Ellipsoid[] = NONE,
    out: TutorialMove = createTutorialMove(),
  ): TutorialMove {
    checkObjects(objects);
    const hasRoom =
      isArrayOf(out?.collided, Int32Array, MAX_ITERATIONS) && isArrayOf(out.endPos, Float32Array, 3);
    if (!hasRoom) {
      failArgument('out', 'an answer made by createTutorialMove', out, false);
    }
    this._begin(start, end);
    out.iterations = 0;
    out.returned = false;
    while (this._round(objects, out));
    for (let k = 0; k < 3; k++) out.endPos[k] = this._numbers[END + k]!;
    return out;
  }

  /** @internal Pushes the end out of what it collides with: whether it did. */
  _round(objects: readonly Ellipsoid[], out: TutorialMove): boolean {
    const { _numbers: numbers, _memory: memory } = this;
    const at = this._collidingPolygon();
    const object = at >= 0 ? -1 : this._collidingObject(objects);
    if (at < 0 && object < 0) return false;
    if (out.iterations === MAX_ITERATIONS) {
      out.returned = true;
      for (let k = 0; k < 3; k++) numbers[END + k] = numbers[START + k]!;
      return false;
    }
    if (at >= 0) {
      this._measure(at);
      // Normals are float32s, not quite of unit length: after a long way that would leave it short of its radius.
      const nx = memory.floats[at]!;
      const ny = memory.floats[at + 1]!;
      const nz = memory.floats[at + 2]!;
      const push = (numbers[RADIUS]! - numbers[END_SIDE]!) / (nx * nx + ny * ny + nz * nz);
      for (let k = 0; k < 3; k++) numbers[END + k]! += memory.floats[at + k]! * push;
      out.collided[out.iterations] = (at - memory.places.polygons.first) / POLYGON_WORDS;
    } else {
      this._pushFrom(objects[object]!);
      out.collided[out.iterations] = -1 - object;
    }
    out.iterations++;
    this._reach();
    return true;
  }

  /** @internal */
  toString(): string {
    return `TutorialTracer { ${showShape(this.shape)} }`;
  }

  /** Places of the polygons that were collected last. @internal */
  _collected(): Int32Array {
    return this._set.subarray(0, this._count);
  }

  /** @internal Takes the move, and collects the polygons of the leafs that it passes. */
  _begin(start: Vec3, end: Vec3): void {
    takeFloats(start, end);
    const { _numbers: numbers, _mins: mins, _maxs: maxs } = this;
    let square = 0.5 - 0.5;
    for (let k = 0; k < 3; k++) {
      const from = MOVE_START[k]!;
      const to = MOVE_END[k]!;
      const reach = numbers[RADII + k]! + LEAF_MARGIN;
      numbers[START + k] = from;
      numbers[END + k] = to;
      mins[k] = Math.min(from, to) - reach;
      maxs[k] = Math.max(from, to) + reach;
      square += (to - from) * (to - from);
    }
    const length = Math.sqrt(square);
    for (let k = 0; k < 3; k++) {
      numbers[DIRECTION + k] = length > 0 ? (numbers[END + k]! - numbers[START + k]!) / length : 0;
    }
    this._collect();
  }

  /** Collects again, with the leafs that a push leads into, if it leads out of those passed. */
  private _reach(): void {
    const { _numbers: numbers, _mins: mins, _maxs: maxs } = this;
    let isOut = false;
    for (let k = 0; k < 3; k++) {
      const reach = numbers[RADII + k]! + LEAF_MARGIN;
      const min = numbers[END + k]! - reach;
      const max = numbers[END + k]! + reach;
      if (min < mins[k]!) mins[k] = min;
      else if (max > maxs[k]!) maxs[k] = max;
      else continue;
      isOut = true;
    }
    if (isOut) this._collect();
  }

  private _collect(): void {
    const { _leafs: leafs, _set: set, _stamps: stamps } = this;
    // Once per collection: asked for every polygon, the world itself would slow it down.
    const { ints, places } = held(this._memory);
    const found = findLeafs(this._source, this._mins, this._maxs, leafs);
    if (this._stamp === 0x7fffffff) {
      stamps.fill(0);
      this._stamp = 0;
    }
    const stamp = ++this._stamp;
    let count = 0;
    for (let k = 0; k < found; k++) {
      const leaf = places.leafs.first + LEAF_WORDS * leafs[k]!;
      const first = ints[leaf]!;
      const end = first + ints[leaf + 1]!;
      for (let entry = first; entry < end; entry++) {
        const at = ints[entry]!;
        const number = (at - places.polygons.first) / POLYGON_WORDS;
        if (stamps[number] === stamp) continue;
        stamps[number] = stamp;
        set[count++] = at;
      }
    }
    this._count = count;
  }

  /** GET-COLLIDING-POLYGON, in one pass: the place of the polygon with the lowest facing value; -1 for none. */
  private _collidingPolygon(): number {
    const { _set: set, _count: count, _numbers: numbers } = this;
    const { floats } = this._memory;
    let lowest = Infinity;
    let colliding = -1;
    for (let k = 0; k < count; k++) {
      const at = set[k]!;
      const facing =
        floats[at]! * numbers[DIRECTION]! +
        floats[at + 1]! * numbers[DIRECTION + 1]! +
        floats[at + 2]! * numbers[DIRECTION + 2]!;
      // First, as it costs the least: of the polygons that the move collides with, only the one that faces it most counts.
      if (!(facing < lowest) || !this._preCheck(at) || !this._isWithin(at)) continue;
      lowest = facing;
      colliding = at;
    }
    return colliding;
  }

  /** PRE-CHECK-COLLISION, corrected: the centre is in front, and comes nearer than the radius. */
  private _preCheck(at: number): boolean {
    this._measure(at);
    const { _numbers: numbers } = this;
    const startSide = numbers[START_SIDE]!;
    const endSide = numbers[END_SIDE]!;
    return startSide >= 0 && endSide < startSide && endSide < numbers[RADIUS]! - TOUCHING;
  }

  /** Side values, CALCULATE-COLLISIONRADIUS towards a polygon, and when its plane is touched. */
  private _measure(at: number): void {
    const { _numbers: numbers } = this;
    const { floats } = this._memory;
    const nx = floats[at]!;
    const ny = floats[at + 1]!;
    const nz = floats[at + 2]!;
    const dist = floats[at + 3]!;
    const startSide = numbers[START]! * nx + numbers[START + 1]! * ny + numbers[START + 2]! * nz - dist;
    const endSide = numbers[END]! * nx + numbers[END + 1]! * ny + numbers[END + 2]! * nz - dist;
    const x = numbers[RADII]! * nx;
    const y = numbers[RADII + 1]! * ny;
    const z = numbers[RADII + 2]! * nz;
    const radius = Math.sqrt(x * x + y * y + z * z);
    const contact = (startSide - radius) / (startSide - endSide);
    numbers[START_SIDE] = startSide;
    numbers[END_SIDE] = endSide;
    numbers[RADIUS] = radius;
    numbers[CONTACT] = contact > 0 ? contact : 0;
  }

  /**
   * Whether the object is within all perpendicular planes, moved out by its radius, anywhere on that part of its way on which it
   * touches the polygon's plane. The polygon has been measured.
   */
  private _isWithin(at: number): boolean {
    const { _numbers: numbers } = this;
    const planes = this._planes;
    const { ints } = this._memory;
    const sx = numbers[START]!;
    const sy = numbers[START + 1]!;
    const sz = numbers[START + 2]!;
    const mx = numbers[END]! - sx;
    const my = numbers[END + 1]! - sy;
    const mz = numbers[END + 2]! - sz;
    const rx = numbers[RADII]!;
    const ry = numbers[RADII + 1]!;
    const rz = numbers[RADII + 2]!;
    let enter = numbers[CONTACT]!;
    // Until it is through the plane: once past it beside the polygon, it is behind it.
    const past = (numbers[START_SIDE]! + numbers[RADIUS]!) / (numbers[START_SIDE]! - numbers[END_SIDE]!);
    let leave = past < 1 ? past : 1;
    const first = firstPlane(ints, at);
    const end = first + planesLength(ints, at);
    for (let plane = first; plane < end; plane += PLANE_NUMBERS) {
      const nx = planes[plane]!;
      const ny = planes[plane + 1]!;
      const nz = planes[plane + 2]!;
      const x = rx * nx;
      const y = ry * ny;
      const z = rz * nz;
      const dist = planes[plane + 3]! - Math.sqrt(x * x + y * y + z * z) + TOUCHING;
      const side = sx * nx + sy * ny + sz * nz - dist;
      const speed = mx * nx + my * ny + mz * nz;
      if (speed === 0) {
        if (side < 0) return false;
        continue;
      }
      const time = -side / speed;
      if (speed > 0) {
        if (time > enter) enter = time;
      } else if (time < leave) leave = time;
      if (enter > leave) return false;
    }
    return true;
  }

  /** @internal OBJECTS-COLLIDE for each: the first that the end is nearer to than the sum of the radii; -1 for none. */
  _collidingObject(objects: readonly Ellipsoid[]): number {
    for (let k = 0; k < objects.length; k++) {
      this._measureObject(objects[k]!);
      if (this._numbers[OVERLAP]! > 0) return k;
    }
    return -1;
  }

  /** How far the end overlaps an object, whose numbers are float32s, as those of moves. */
  private _measureObject({ center, radii }: Ellipsoid): void {
    const { _numbers: numbers } = this;
    const x = numbers[END]! - f(center[0]!);
    const y = numbers[END + 1]! - f(center[1]!);
    const z = numbers[END + 2]! - f(center[2]!);
    const distance = Math.sqrt(x * x + y * y + z * z);
    let own = 0.5 - 0.5;
    let others = 0.5 - 0.5;
    for (let k = 0; k < 3; k++) {
      // From the very centre, up.
      const direction = distance > 0 ? (k === 0 ? x : k === 1 ? y : z) / distance : k === 2 ? 1 : 0;
      const reach = numbers[RADII + k]! * direction;
      const other = f(radii[k]!) * direction;
      own += reach * reach;
      others += other * other;
    }
    numbers[OVERLAP] = Math.sqrt(own) + Math.sqrt(others) - distance;
  }

  /** Pushes the end away from an object. */
  private _pushFrom(object: Ellipsoid): void {
    const { _numbers: numbers } = this;
    // A little further than to touch, so that rounding does not find them colliding again.
    this._measureObject(object);
    const push = numbers[OVERLAP]! + 1e-6;
    const x = numbers[END]! - f(object.center[0]!);
    const y = numbers[END + 1]! - f(object.center[1]!);
    const z = numbers[END + 2]! - f(object.center[2]!);
    const distance = Math.sqrt(x * x + y * y + z * z);
    numbers[END] = numbers[END]! + (distance > 0 ? (x / distance) * push : 0);
    numbers[END + 1] = numbers[END + 1]! + (distance > 0 ? (y / distance) * push : 0);
    numbers[END + 2] = numbers[END + 2]! + (distance > 0 ? (z / distance) * push : push);
  }
}
