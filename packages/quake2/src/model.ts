import {
  createPlacement,
  findLeaf,
  isZero,
  LEAST,
  P_ROWS,
  type Placement,
  setAngles,
  turn,
} from '@bspkit/brushes';
import type { Bounds, Placed, Pose, Vec3 } from '@bspkit/core';
import {
  checkPoint,
  checkPose,
  PLACE_POINT,
  POSE_ANGLES,
  POSE_ORIGIN,
  printAsString,
  takePlace,
} from '@bspkit/core/format';
import { leafContents } from './classify.ts';
import { headOf, Target, type WorldMemory } from './kernel/memory.ts';
import { MODEL_MAXS, MODEL_WORDS } from './layout.ts';
import { Traceable } from './traceable.ts';
import { PLACED_OPTIONS, type PlacedOptions, type Quake2Tracer } from './tracer.ts';

/** An inline model (`*1` and up): a door, a lift. Each of its tracers can place it somewhere else. */
export class Quake2Model extends Traceable<PlacedOptions, Placed<Quake2Tracer>> {
  /** k of `*k`. */
  readonly number: number;
  /** Root of its tree: a node, or if negative leaf -1 - headNode. */
  readonly headNode: number;
  /** Names of the options that its tracers take: those that scenes pass on. */
  readonly traceOptions: readonly string[] = PLACED_OPTIONS;
  /** For scenes: its tracers take every size and mask, and move exactly that size. */
  readonly takesAnySize = true;
  /** Where it was built, one unit wider than stored, as the engine keeps it. */
  readonly bounds: Bounds;
  /** @internal */
  readonly _target: Target;

  /** @internal */
  constructor(memory: WorldMemory, number: number) {
    super();
    this.number = number;
    this.headNode = headOf(memory, number);
    this.bounds = modelBounds(memory, number);
    const root = this.headNode;
    this._target = new Target(memory, {
      model: number,
      root,
      number,
      moves: true,
      turns: true,
      inFile: true,
    });
    printAsString(this);
  }

  /**
   * Contents of the leaf of the model's tree that contains a point, with the model at `pose`; by default where it was built. Clip
   * brushes do not split trees, so their contents may reach far beyond them.
   * @throws RangeError when a number is not finite.
   */
  contents(point: Vec3, pose: Pose = {}): number {
    return targetContents(this._target, point, pose);
  }

  /** @internal */
  override toString(): string {
    return `Quake2Model { *${this.number}, head node ${this.headNode} }`;
  }
}

/** Reused by every call: players among models ask for contents often. */
const placement: Placement = /* @__PURE__ */ createPlacement();
const local: Float32Array = /* @__PURE__ */ new Float32Array(3);

/** Contents at a point of something that may have been moved. Allocates nothing. */
export function targetContents({ memory, root, turns }: Target, point: Vec3, pose: Pose): number {
  checkPoint(point, 'point');
  checkPose(pose);
  const { origin, angles } = pose;
  takePlace(point, origin, angles);
  for (let k = 0; k < 3; k++) local[k] = PLACE_POINT[k]! - POSE_ORIGIN[k]!;
  if (turns && !isZero(POSE_ANGLES, 0, LEAST)) {
    setAngles(placement, POSE_ANGLES, LEAST);
    turn(placement.floats, P_ROWS, local, 0);
  }
  return leafContents(memory, findLeaf(memory, root, local));
}

/** Bounds of a model, or of the world (0), one unit wider than stored. */
export function modelBounds({ floats, places }: WorldMemory, number: number): Bounds {
  const at = places.models.first + MODEL_WORDS * number;
  return { mins: floats.slice(at, at + 3), maxs: floats.slice(at + MODEL_MAXS, at + MODEL_MAXS + 3) };
}
