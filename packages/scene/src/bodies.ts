import { checkBounds, checkMask, checkPoint } from './check.ts';
import { isPosable, type Pose } from './scene-pose.ts';
import type { Collider } from './scene-shape.ts';
import { BoundsTree } from './scene-tree.ts';
import type { Bounds, Vec3 } from './vec.ts';

/** Where a body stands, and what it is to filters. */
export interface BodyOptions extends Pose {
  /**
   * Contents of the body, or-ed: a tracer whose mask has none of them passes it by without asking it, as in the engines.
   * Any unless told.
   */
  readonly contents?: number | undefined;
  /** Around its origin, not turned, in Quake units. Only needed where the collider has no `bounds` of its own. */
  readonly bounds?: Bounds | undefined;
}

const FIRST_CAPACITY = 16;
const ZERO: Vec3 = [0, 0, 0];

/** The bodies of a scene by number, in flat arrays, with the tree of their bounds. Number 0 is the world's. */
export class Bodies {
  readonly world: Collider | undefined;
  readonly tree: BoundsTree = new BoundsTree();
  readonly colliders: (Collider | undefined)[] = [];
  contents: Int32Array = new Int32Array(0);
  origins: Float32Array = new Float32Array(0);
  angles: Float32Array = new Float32Array(0);
  /** Number of each body's latest change: no two are equal, so a tracer knows a pose by it. */
  changes: Float64Array = new Float64Array(0);
  capacity = 0;
  count = 0;
  /** How far a mover reaches from its traced point: what is turned may meet it so far outside its own bounds. */
  private _reach = 0;
  private readonly _bounds: (Bounds | undefined)[] = [];
  private readonly _latest: Float64Array = new Float64Array(1);
  private readonly _pose: { origin: Vec3; angles: Vec3 } = { origin: ZERO, angles: ZERO };
  /** Numbers that are free, the next one last. */
  private _free: Int32Array = new Int32Array(0);
  private _freeCount = 0;

  constructor(world: Collider | undefined) {
    this.world = world;
  }

  /** Adds a body and returns its number. Nothing is changed when it throws. */
  add(collider: Collider, options: BodyOptions): number {
    const own = collider as Collider & Pose;
    const stands = isPosable(collider);
    if (collider === this.world || (stands && this.colliders.includes(collider))) {
      throw new RangeError('collider is in this scene already, and stands in one place only');
    }
    const origin = options.origin ?? (stands ? own.origin : undefined) ?? ZERO;
    const angles = options.angles ?? (stands ? own.angles : undefined) ?? ZERO;
    const bounds = options.bounds ?? own.bounds;
    const { contents = -1 } = options;
    if (!bounds) throw new TypeError('bounds must be given: this collider does not tell its own');
    const pose = this._pose;
    pose.origin = origin;
    pose.angles = angles;
    checkPlace(pose, bounds);
    checkMask(contents, 'contents');
    if (this._freeCount === 0) this._grow();
    const body = this._free[--this._freeCount]!;
    this.colliders[body] = collider;
    this._bounds[body] = bounds;
    this.contents[body] = contents;
    this.count++;
    this._place(body, pose);
    this.tree.insert(body);
    return body;
  }

  move(body: number, pose: Pose): void {
    this._check(body);
    checkPlace(pose, this._bounds[body]!);
    this._place(body, pose);
    this.tree.update(body);
  }

  remove(body: number): void {
    this._check(body);
    this.tree.remove(body);
    this.colliders[body] = undefined;
    this._bounds[body] = undefined;
    this._free[this._freeCount++] = body;
    this.count--;
  }

  has(body: number): boolean {
    return this.colliders[body] !== undefined;
  }

  private _check(body: number): void {
    if (!this.has(body)) throw new RangeError(`there is no body ${body} in this scene`);
  }

  /** Takes note that a mover reaches so far, in Quake units. */
  reachAtLeast(reach: number): void {
    if (reach <= this._reach) return;
    this._reach = reach;
    for (let body = 1; body < this.capacity; body++) {
      if (!this.has(body)) continue;
      this._bound(body);
      this.tree.update(body);
    }
  }

  private _place(body: number, pose: Pose): void {
    const { origin, angles } = pose;
    for (let k = 0; k < 3; k++) {
      if (origin) this.origins[3 * body + k] = origin[k]!;
      if (angles) this.angles[3 * body + k] = angles[k]!;
    }
    this._latest[0]! += 1;
    this.changes[body] = this._latest[0]!;
    this._bound(body);
    const collider = this.colliders[body]!;
    if (isPosable(collider)) collider.set(pose);
  }

  /** The box that holds a body where it stands: turned, that of the ball around its origin, as in the engines. */
  private _bound(body: number): void {
    const { mins, maxs } = this._bounds[body]!;
    const { origins, angles } = this;
    const at = 3 * body;
    const turned = angles[at] !== 0 || angles[at + 1] !== 0 || angles[at + 2] !== 0;
    let radius = this._reach * 0;
    for (let k = 0; k < 3; k++) {
      const far = Math.max(Math.abs(mins[k]!), Math.abs(maxs[k]!));
      radius += far * far;
    }
    radius = Math.sqrt(radius) + this._reach;
    const box = this.tree.bounds;
    for (let k = 0; k < 3; k++) {
      const origin = origins[at + k]!;
      box[2 * at + k] = origin + (turned ? -radius : mins[k]!);
      box[2 * at + 3 + k] = origin + (turned ? radius : maxs[k]!);
    }
  }

  private _grow(): void {
    const before = Math.max(this.capacity, 1);
    const capacity = Math.max(2 * this.capacity, FIRST_CAPACITY);
    const grow = <T extends Float32Array | Int32Array | Float64Array>(from: T, to: T): T => {
      to.set(from);
      return to;
    };
    this.contents = grow(this.contents, new Int32Array(capacity));
    this.origins = grow(this.origins, new Float32Array(3 * capacity));
    this.angles = grow(this.angles, new Float32Array(3 * capacity));
    this.changes = grow(this.changes, new Float64Array(capacity));
    this._free = new Int32Array(capacity);
    for (let body = capacity - 1; body >= before; body--) this._free[this._freeCount++] = body;
    this.tree.grow(capacity);
    this.capacity = capacity;
  }
}

function checkPlace({ origin, angles }: Pose, bounds: Bounds): void {
  if (origin) checkPoint(origin, 'origin');
  if (angles) checkPoint(angles, 'angles');
  checkBounds(bounds.mins, bounds.maxs);
}
