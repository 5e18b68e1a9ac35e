import type {
  Bounds,
  BoxWorld,
  Changeable,
  HullWorld,
  LineWorld,
  Placeable,
  RayWorld,
  Shape,
  SphereWorld,
  Tracer,
  TracerChanges,
  Vec3,
} from '@bspkit/core';
import {
  checkBounds,
  checkKind,
  checkPoint,
  checkRadius,
  failArgument,
  setBounds,
} from '@bspkit/core/format';
import type { Nesting } from './nesting.ts';

/**
 * What a scene can trace against: a world, a model, a box entity, or anything else that makes tracers, whose `trace` must fill
 * `out` and return it. A collider with `resize` is taken to be a box that is not part of a map, and to take any size
 * (`takesAnySize`).
 */
export interface Collider extends Partial<RayWorld & SphereWorld & BoxWorld & HullWorld & LineWorld> {
  /** By the box around the capsule: corners in Quake units, relative to the traced point. */
  capsule?(mins: Vec3, maxs: Vec3, options?: unknown): Tracer;
  /** Radii along x, y and z, in Quake units. */
  ellipsoid?(radii: Vec3, options?: unknown): Tracer;
  /**
   * Contents at a point, as bits unless `contentsAreBits` is false. A collider that also has `entities`, as worlds have, gets the
   * point in its own frame; any other, such as a model, gets its pose after the point.
   */
  contents?(point: Vec3, ...more: never[]): number;
  /** False where contents are numbers that cannot be combined with OR; a scene then returns only those of its world. */
  readonly contentsAreBits?: boolean | undefined;
  /** Its bounds in its own frame, in Quake units. */
  readonly bounds?: Bounds | undefined;
  /** Of a world: what its engine divides among the entities that are linked to it, where that is not its bounds. */
  readonly linkBounds?: Bounds | undefined;
  /**
   * Names of the options that its factories take. A scene passes on only those, and for a world rejects all others;
   * without such a list, it passes on whatever options its own tracers are given.
   */
  readonly traceOptions?: readonly string[] | undefined;
  /**
   * Whether the `set` of its tracers accepts every size and mask, and they move exactly that size. When it is a body, its tracers
   * are then not told of a change until they are next used: a scene may have hundreds of such bodies, and change sizes in every
   * frame.
   */
  readonly takesAnySize?: boolean | undefined;
  /**
   * Of a model: the world that it belongs to, if its tracers take the sizes that those of this world take, and move the same boxes
   * for them. In a scene of that world, it counts as one that takes any size.
   */
  readonly takesSizesOf?: object | undefined;
}

/** What a scene's tracer moves, and which factory of the colliders makes tracers for it. */
export interface Mover {
  readonly kind: 'ray' | 'sphere' | 'box' | 'capsule' | 'ellipsoid' | 'hull' | 'line';
  /** Its sizes are its own, not the caller's. */
  readonly shape: Shape;
  /** Number of the hull; -1 for other kinds. */
  readonly hull: number;
}

/** A scene as a collider of another one, and a tracer of it. */
export interface NestedScene {
  /**
   * Traces everything in the scene for a tracer of another scene: as that one's world, or as one of its bodies. The options have
   * been checked there.
   */
  _traceFor(mover: Mover, options: object, isWorld: boolean): Tracer & NestedTracer;
  /** That of its world. */
  readonly contentsAreBits: boolean | undefined;
  /** Contents at a point in the frame of the scene, as another one's world or as one of its bodies. */
  _contentsFor(point: Vec3, isWorld: boolean): number;
  /** Its world and bodies, which know how many scenes it consists of. */
  readonly _bodies: { readonly nesting: Nesting };
}

/** What can be changed on a scene's tracer, whatever its world. */
export interface Sizes extends TracerChanges {
  /** For ellipsoids: along x, y and z, in Quake units. */
  readonly radii?: Vec3 | undefined;
}

/** No change of size. */
export const NO_SIZES: Sizes = {};

/** The same, and by name the options that the world's tracers can change. */
export type Changes = { -readonly [name in keyof Sizes]: Sizes[name] } & { [option: string]: unknown };

export interface NestedTracer {
  /** The box around the traced point (mins xyz, maxs xyz) that contains what is really moved; bodies that come make it grow. */
  _room(): Float32Array;
}

export const isScene = (collider: object): collider is NestedScene => '_traceFor' in collider;

const ZERO: Vec3 = [0, 0, 0];
const FACTORIES = ['ray', 'sphere', 'box', 'capsule', 'ellipsoid', 'hull', 'line'] as const;

/** Throws `TypeError` unless something is a collider, whose factories and options can be used. */
export function checkCollider(collider: Collider, name: string): void {
  let makesTracers = false;
  if (typeof collider === 'object' && collider) {
    for (const factory of FACTORIES) {
      const given = collider[factory];
      if (given && typeof given !== 'function')
        failArgument(`${name}.${factory}`, 'a function', given, false);
      makesTracers ||= !!given;
    }
  }
  // Often it is from one of the steps before: a file, or a promise of a world.
  checkKind(makesTracers, collider, name, 'a world, as openBsp opens it, a model, or made by createBody');
  const { traceOptions } = collider;
  if (traceOptions && !Array.isArray(traceOptions)) {
    failArgument(`${name}.traceOptions`, 'an array', traceOptions, false);
  }
}

/** Whether something can be moved and turned. */
export const isPlaceable = (thing: object): thing is Placeable =>
  typeof (thing as Partial<Placeable>).place === 'function';

/** Whether something's filter and size can be changed. */
export const isChangeable = (thing: object): thing is Changeable =>
  typeof (thing as Partial<Changeable>).set === 'function';

/** Whether a collider is a box of its own, such as a box entity, rather than part of a map. */
export const isResizable = (collider: object): boolean =>
  typeof (collider as { resize?: unknown }).resize === 'function';

/** Whether a collider's tracers accept every size and mask, and move exactly that size. */
export const takesAnySize = (collider: Collider): boolean =>
  isResizable(collider) || collider.takesAnySize === true;

/** Those of some options that a collider takes. */
export function optionsFor({ traceOptions }: Collider, options: Readonly<Record<string, unknown>>): object {
  const own: Record<string, unknown> = {};
  for (const name of traceOptions ?? Object.keys(options)) {
    if (options[name] !== undefined) own[name] = options[name];
  }
  return own;
}

/** A mover with a copy of a shape. */
export function createMover(kind: Mover['kind'], shape: Shape, hull = -1): Mover {
  return { kind, shape: ownShape(shape), hull };
}

/**
 * A tracer of a mover against a world, or against a body's collider. A body without lines is asked for a ray, one without rays
 * for a box of no size, and one without hulls for a box of the hull's size.
 * @throws TypeError when the collider cannot make it, and whatever its factory throws.
 */
export function makeTracer(collider: Collider, mover: Mover, options: object, isWorld: boolean): Tracer {
  const { kind, shape, hull } = mover;
  if (isScene(collider)) return collider._traceFor(mover, options, isWorld);
  if (isWorld && !collider[kind]) {
    throw new TypeError(`the world has no ${kind}(), so this scene cannot trace ${withArticle(kind)}`);
  }
  checkFactory(collider, kind);
  const factory = factoryOf(collider, kind);
  if (factory === 'line') return collider.line!(options);
  if (factory === 'hull') return collider.hull!(hull, options);
  if (factory === 'ray') return collider.ray!(options);
  if (shape.kind === 'ray') return collider.box!(ZERO, ZERO, options);
  if (shape.kind === 'sphere') return collider.sphere!(shape.radius, options);
  if (shape.kind === 'ellipsoid') return collider.ellipsoid!(shape.radii, options);
  return collider[shape.kind]!(shape.mins, shape.maxs, options);
}

/** Throws `TypeError` unless a collider has a factory by which it can be a body for a kind of mover. */
export function checkFactory(collider: Collider, kind: Mover['kind']): void {
  if (isScene(collider) || factoryOf(collider, kind)) return;
  throw new TypeError(`the collider has no ${kind}(), so this scene cannot trace ${withArticle(kind)}`);
}

/** What a body's collider is asked for, so that a kind of mover can be traced against it. */
function factoryOf(collider: Collider, kind: Mover['kind']): Mover['kind'] | undefined {
  if (collider[kind]) return kind;
  if (kind === 'hull') return factoryOf(collider, 'box');
  if (kind === 'line') return factoryOf(collider, 'ray');
  return kind === 'ray' && collider.box ? 'box' : undefined;
}

const withArticle = (kind: Mover['kind'] | Shape['kind']): string =>
  `${kind === 'ellipsoid' ? 'an' : 'a'} ${kind}`;

/** A copy of a shape, with sizes of its own for {@link resizeShape} to change. */
export function ownShape(shape: Shape): Shape {
  if (shape.kind === 'ellipsoid') return { kind: shape.kind, radii: Float32Array.from(shape.radii) };
  if (shape.kind !== 'box' && shape.kind !== 'capsule') return { ...shape };
  return { kind: shape.kind, mins: Float32Array.from(shape.mins), maxs: Float32Array.from(shape.maxs) };
}

/** Throws `RangeError` unless radii are numbers above 0: worlds and bodies may want more. */
export function checkRadii(radii: Vec3): void {
  checkPoint(radii, 'radii');
  for (let k = 0; k < 3; k++) {
    if (!(radii[k]! > 0)) throw new RangeError(`radii[${k}] must be above 0, got ${radii[k]}`);
  }
}

/**
 * Checks new sizes for a kind of shape; what is undefined stays as it is.
 * @throws RangeError for a size out of range, TypeError for one that this kind does not have.
 */
export function checkSizes(
  kind: Mover['kind'] | Shape['kind'],
  shape: Shape,
  { radius, radii, mins, maxs }: Sizes,
): void {
  if (radius !== undefined) {
    if (kind !== 'sphere') throw new TypeError(`radius does not belong to ${withArticle(kind)}`);
    checkRadius(radius);
  }
  if (radii !== undefined) {
    if (kind !== 'ellipsoid') throw new TypeError(`radii do not belong to ${withArticle(kind)}`);
    checkRadii(radii);
  }
  if (mins === undefined && maxs === undefined) return;
  if ((kind !== 'box' && kind !== 'capsule') || !('mins' in shape)) {
    throw new TypeError(`mins and maxs do not belong to ${withArticle(kind)}`);
  }
  checkBounds(mins === undefined ? shape.mins : mins, maxs === undefined ? shape.maxs : maxs);
}

/** Whether a shape has these sizes already, down to the signs of zeros; what is undefined stays as it is. */
export function hasSizes(shape: Shape, { radius, radii, mins, maxs }: Sizes): boolean {
  const own = shape as Sizes;
  return (
    (radius === undefined || Object.is(own.radius, radius)) &&
    isSame(own.radii, radii) &&
    isSame(own.mins, mins) &&
    isSame(own.maxs, maxs)
  );
}

function isSame(own: Vec3 | undefined, given: Vec3 | undefined): boolean {
  if (given === undefined || own === undefined) return given === undefined;
  for (let k = 0; k < 3; k++) {
    // `Object.is` would box both.
    const x = own[k]!;
    const y = Math.fround(given[k]!);
    if (x !== y || (x === 0 && 1 / x !== 1 / y)) return false;
  }
  return true;
}

/** Changes a shape's own sizes in place, after {@link checkSizes}. */
export function resizeShape(shape: Shape, { radius, radii, mins, maxs }: Sizes): void {
  if ('mins' in shape) {
    const { mins: low, maxs: high } = shape;
    setBounds(mins ?? low, maxs ?? high, low as Float32Array, high as Float32Array);
  }
  if (radius !== undefined) (shape as { radius: number }).radius = radius;
  if (radii !== undefined && 'radii' in shape) {
    for (let k = 0; k < 3; k++) (shape.radii as Float32Array)[k] = radii[k]!;
  }
}

/** Writes the box (mins xyz, maxs xyz) around the traced point by which a shape is given. */
export function writeBox(shape: Shape, box: Float32Array): void {
  for (let k = 0; k < 3; k++) {
    let low = 0;
    let high = 0;
    if (shape.kind === 'box' || shape.kind === 'capsule') {
      low = shape.mins[k]!;
      high = shape.maxs[k]!;
    } else if (shape.kind !== 'ray') {
      high = shape.kind === 'sphere' ? shape.radius : shape.radii[k]!;
      low = -high;
    }
    box[k] = low;
    box[3 + k] = high;
  }
}

/**
 * Writes the box that contains a shape. A capsule's radius follows from its box's width in x and its height, so along y it may
 * reach beyond the box.
 */
export function writeRoom(shape: Shape, room: Float32Array): void {
  writeBox(shape, room);
  if (shape.kind !== 'capsule') return;
  const radius = Math.min(room[3]! - room[0]!, room[5]! - room[2]!) / 2;
  const middle = (room[1]! + room[4]!) / 2;
  room[1] = Math.min(room[1]!, middle - radius);
  room[4] = Math.max(room[4]!, middle + radius);
}

const SCRATCH: Float32Array = new Float32Array(6);

/** Widens a box to contain a shape too. */
export function widenByShape(box: Float32Array, shape: Shape): void {
  writeRoom(shape, SCRATCH);
  widenByBox(box, SCRATCH);
}

/** Widens a box to contain what a tracer really moves. Returns whether it was too small. */
export function widenByTracer(box: Float32Array, tracer: Tracer): boolean {
  if ('_room' in tracer) return widenByBox(box, (tracer as Tracer & NestedTracer)._room());
  writeRoom(tracer.shape, SCRATCH);
  return widenByBox(box, SCRATCH);
}

function widenByBox(box: Float32Array, other: Float32Array): boolean {
  let isWider = false;
  for (let k = 0; k < 3; k++) {
    if (other[k]! < box[k]!) {
      box[k] = other[k]!;
      isWider = true;
    }
    if (other[3 + k]! > box[3 + k]!) {
      box[3 + k] = other[3 + k]!;
      isWider = true;
    }
  }
  return isWider;
}
