import type { Bounds, Placed, Pose, Vec3 } from '@bspkit/core';
import { checkPoint, checkPose, copyBounds, printAsString, showShape } from '@bspkit/core/format';
import { CONTENTS_EMPTY, CONTENTS_SOLID, hullBounds } from './constants.ts';
import { HullWalk, setPlaneLimits } from './kernel/hull.ts';
import type { TreeView } from './kernel/tree.ts';
import { PLANE_WORDS } from './layout.ts';
import { packLeaf } from './sections.ts';
import {
  type HullTarget,
  type HullTracer,
  PLACED_OPTIONS,
  type PlacedOptions,
  Quake1PlacedTracer,
  type SizedHullTracer,
} from './tracer.ts';

const NODES = 6;
const NODE_WORDS = 4;
const FIRST_NODE = NODES * PLANE_WORDS;

/** Options of box entities' tracers, without angles: box entities never turn. */
type BoxEntityOptions = Omit<PlacedOptions, 'angles'>;

/**
 * A box that is not part of the map: a player, a monster, an item. The engine makes a tree of six planes of an entity without a
 * model of its own: the entity's box grown by the mover's, traced as any hull. A start on one of the greater faces is outside, on
 * one of the lesser inside, as a point on a plane is in front of it. It never turns.
 */
export class Quake1BoxEntity {
  /** The box around its origin, in Quake units; change it with `resize`. */
  readonly bounds: Bounds = { mins: new Float32Array(3), maxs: new Float32Array(3) };
  /** Names of the options that its tracers take: those that scenes pass on. */
  readonly traceOptions: readonly string[] = PLACED_OPTIONS;
  /** Contents are numbers here, not bits, so scenes do not combine them. */
  readonly contentsAreBits = false;

  /** @internal */
  constructor(mins: Vec3, maxs: Vec3) {
    this.resize(mins, maxs);
    printAsString(this);
  }

  /**
   * Changes the box for all its tracers, without allocation. Corners in Quake units, relative to the entity's origin.
   * @throws RangeError when a corner is not finite or `mins` is above `maxs`.
   */
  resize(mins: Vec3, maxs: Vec3): void {
    copyBounds(mins, maxs, this.bounds);
  }

  /**
   * Moves a box against it; `place` moves the entity. Corners in Quake units, relative to the traced point.
   * @throws RangeError when a corner is not finite or `mins` is above `maxs`.
   */
  box(mins: Vec3, maxs: Vec3, options: BoxEntityOptions = {}): Placed<SizedHullTracer> {
    return new EntityTracer(this.bounds, { mins, maxs }, options);
  }

  /** Moves a point against it. */
  ray(options: BoxEntityOptions = {}): Placed<HullTracer> {
    return new EntityTracer(this.bounds, 0, options);
  }

  /**
   * `CONTENTS_SOLID` where the box at `origin` contains a point, else `CONTENTS_EMPTY`: the greater faces are outside, as for
   * traces. Throws `RangeError` when a number is not finite.
   */
  contents(point: Vec3, pose: Pick<Pose, 'origin'> = {}): number {
    checkPoint(point, 'point');
    checkPose(pose);
    const { origin } = pose;
    const { mins, maxs } = this.bounds;
    for (let k = 0; k < 3; k++) {
      const x = Math.fround(Math.fround(point[k]!) - Math.fround(origin ? origin[k]! : 0));
      if (!(x >= mins[k]! && x < maxs[k]!)) return CONTENTS_EMPTY;
    }
    return CONTENTS_SOLID;
  }

  /** @internal */
  toString(): string {
    return `Quake1BoxEntity { ${showShape({ kind: 'box', ...this.bounds }).slice(4)} }`;
  }
}

/**
 * A box entity with corners in Quake units, relative to its origin. See {@link Quake1BoxEntity}.
 *
 * @throws RangeError when a corner is not finite, or `mins` is above `maxs`; TypeError for corners that are not three
 *   numbers.
 */
export function boxEntity(mins: Vec3, maxs: Vec3): Quake1BoxEntity {
  return new Quake1BoxEntity(mins, maxs);
}

/** A tracer of a box entity. */
export class EntityTracer extends Quake1PlacedTracer {
  /** @internal */
  readonly _entity: Bounds;
  private readonly _walk: HullWalk;

  /** @internal */
  constructor(entity: Bounds, mover: number | Bounds, options: BoxEntityOptions) {
    const target = createTarget();
    super(target, mover, options);
    this._entity = entity;
    this._walk = target._kernel;
  }

  /** The entity may have changed since the last trace, so its tree is made for every trace. @internal */
  override _run(start: Float32Array, end: Float32Array, anyHit: boolean): number {
    const { floats } = this._walk;
    const { mins, maxs } = this._entity;
    let farthest = 0;
    for (let face = 0; face < NODES; face++) {
      const axis = face >> 1;
      const isGreater = (face & 1) === 0;
      const dist = isGreater ? maxs[axis]! - this._box.mins[axis]! : mins[axis]! - this._box.maxs[axis]!;
      floats[face * PLANE_WORDS + 3] = dist;
      floats[FIRST_NODE + face * NODE_WORDS + 1] = dist;
      farthest = Math.max(farthest, Math.abs(dist));
    }
    setPlaneLimits(this._walk, 1, farthest);
    return super._run(start, end, anyHit);
  }
}

/** A tree of a box that belongs to no world. */
function createTarget(): HullTarget & { readonly _kernel: HullWalk } {
  const data = new ArrayBuffer(4 * (FIRST_NODE + NODES * NODE_WORDS));
  const [ints, floats] = [new Int32Array(data), new Float32Array(data)];
  writeTree(ints, floats);
  const tree: TreeView = { ints, floats, planes: 0, first: FIRST_NODE, end: ints.length };
  return {
    _memory: {
      trees: [tree, tree, tree, tree],
      hulls: hullBounds(29).slice(0, 1),
      version: 29,
    },
    _kernel: new HullWalk(data, [FIRST_NODE], NODES),
    _number: -1,
    _heads: [FIRST_NODE],
  };
}

/**
 * The six planes: greatest x, least x, greatest y and so on, all facing along their axis, with the box behind the first of each
 * pair and in front of the second.
 */
function writeTree(ints: Int32Array, floats: Float32Array): void {
  const empty = packLeaf(0, -1);
  const solid = packLeaf(0, -2);
  for (let face = 0; face < NODES; face++) {
    const axis = face >> 1;
    const outside = face & 1;
    const node = FIRST_NODE + face * NODE_WORDS;
    floats[face * PLANE_WORDS + axis] = 1;
    ints[face * PLANE_WORDS + 4] = axis;
    ints[node] = (face << 3) | axis;
    ints[node + 2 + outside] = empty;
    ints[node + 3 - outside] = face === NODES - 1 ? solid : node + NODE_WORDS;
  }
}
