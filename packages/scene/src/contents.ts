import type { Pose, Vec3 } from '@bspkit/core';
import { checkOptions, checkPoint, POSE_ORIGIN, takePose } from '@bspkit/core/format';
import { type Bodies, createBodyPose } from './bodies.ts';
import { type Collider, isScene } from './collider.ts';
import { enterPose } from './pose.ts';
import { checkIgnore, type Ignore, Ignored } from './query.ts';
import { NO_ENTITY } from './trace.ts';
import { T_HIGH, T_LOW, TREE_QUERY, type TreeQuery } from './tree.ts';

/** How far outside a body's bounds the rules may still find it, in Quake units. */
const MARGIN = 2;

/** What `contents` of a scene leaves out. */
export interface ContentsFilter {
  /**
   * Bodies whose contents don't count; none by default. A number is that body alone, whatever the rules say of its
   * owner.
   */
  readonly ignore?: Ignore | undefined;
}

export const CONTENTS_OPTIONS: readonly string[] = ['ignore'] satisfies (keyof ContentsFilter)[];

const NOTHING: ContentsFilter = {};

/** Contents at points of a scene: those of its world and of its bodies. */
export class PointContents {
  private readonly _bodies: Bodies;
  private readonly _query: TreeQuery = new Float64Array(TREE_QUERY);
  private readonly _pose = createBodyPose();
  /**
   * The point as it is passed to worlds and to scenes among the bodies. Every scene has its own, as these may contain scenes too.
   */
  private readonly _entered: Float32Array = new Float32Array(3);
  /** The point that is asked about, read before anything else: its numbers may be getters, which ask too. */
  private readonly _point: Float32Array = new Float32Array(3);
  private _found: Int32Array = new Int32Array(0);
  private readonly _ignored = new Ignored();
  private _isAsking = false;

  constructor(bodies: Bodies) {
    this._bodies = bodies;
  }

  /** @throws TypeError when the world has no contents, RangeError when a number is not finite, and as `checkIgnore`. */
  contents(point: Vec3, options: ContentsFilter = NOTHING): number {
    if (typeof this._bodies.world?.contents !== 'function') {
      throw new TypeError('the world has no contents(), so this scene has none either');
    }
    checkPoint(point, 'point');
    checkOptions(options, CONTENTS_OPTIONS);
    const { ignore = NO_ENTITY } = options;
    checkIgnore(ignore);
    return this._all(point, ignore, true);
  }

  /** Without a filter, for another scene; if the world has no contents, those of the bodies. */
  all(point: Vec3, isWorld: boolean): number {
    return this._all(point, NO_ENTITY, isWorld);
  }

  /** @param isWorld - whether the scene is none of another one's bodies. */
  private _all(given: Vec3, ignore: Ignore, isWorld: boolean): number {
    const { _bodies: bodies, _query: query, _ignored: ignored, _point: point } = this;
    const { world, rules } = bodies;
    bodies.nesting.check();
    if (this._isAsking) {
      throw new Error('a collider cannot ask for the contents of the scene that is asking it');
    }
    takePose(given);
    point.set(POSE_ORIGIN);
    this._isAsking = true;
    bodies.busy++;
    try {
      ignored.setIgnore(ignore);
      let bits = world ? contentsOf(world, point, isWorld) : 0;
      // Contents that are not bits cannot be combined, neither with others nor with each other.
      if (rules.counts === undefined || bodies.count === 0 || world?.contentsAreBits === false) return bits;
      for (let k = 0; k < 3; k++) {
        query[T_LOW + k] = point[k]! - MARGIN;
        query[T_HIGH + k] = point[k]! + MARGIN;
      }
      if (this._found.length < bodies.capacity) this._found = new Int32Array(bodies.capacity);
      const near = bodies.turned.collect(query, this._found, bodies.tree.collect(query, this._found));
      for (let k = 0; k < near; k++) {
        const body = this._found[k]!;
        if (rules.counts(body, point) && body !== ignored.mover && !ignored.ignores(bodies, body)) {
          bits |= this._bodyContents(body, point);
        }
      }
      return bits;
    } finally {
      this._isAsking = false;
      // Keeps no set that is no longer asked about.
      ignored.setIgnore(NO_ENTITY);
      bodies.busy--;
    }
  }

  private _bodyContents(body: number, point: Vec3): number {
    const collider = this._bodies.colliders[body]!;
    const { contents } = collider;
    if (collider.contentsAreBits === false) return 0;
    this._bodies.readPose(body, this._pose);
    if (isScene(collider) || 'entities' in collider) {
      return contentsOf(collider, enterPose(this._pose, point, this._entered), false);
    }
    return typeof contents === 'function' ? (contents as PosedContents).call(collider, point, this._pose) : 0;
  }
}

type PosedContents = (point: Vec3, pose: Pose) => number;

/**
 * Contents of a scene or map at a point in its own frame. What lies beyond a map's bounds is solid to some games, though nothing
 * stops traces there: that counts for the world, and not for maps among the bodies.
 */
function contentsOf(collider: Collider, point: Vec3, isWorld: boolean): number {
  if (isScene(collider)) return collider._contentsFor(point, isWorld);
  if (typeof collider.contents !== 'function') return 0;
  return isWorld || isWithin(collider, point) ? collider.contents(point) : 0;
}

/** Whether a point is within the bounds of a map, or the map has none. */
function isWithin({ bounds }: Collider, point: Vec3): boolean {
  if (bounds === undefined) return true;
  const { mins, maxs } = bounds;
  for (let k = 0; k < 3; k++) if (point[k]! < mins[k]! || point[k]! > maxs[k]!) return false;
  return true;
}
