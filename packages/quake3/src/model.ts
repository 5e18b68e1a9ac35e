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
import { modelContents } from './classify.ts';
import { createFrame, type Frame, intoFrame, setAngles, setOrigin } from './kernel/frame.ts';
import { type OpenedMemory, Target, type WorldMemory } from './kernel/memory.ts';
import { LIST_NUM_BRUSHES, MODEL_LIST, MODEL_WORDS } from './layout.ts';
import { Traceable } from './traceable.ts';
import { PLACED_OPTIONS, type PlacedOptions, type Quake3Tracer } from './tracer.ts';
import { contentsAt, hotOf } from './wasm/kernel.ts';

/** An inline model (`*1` and up): a door, a lift. Each of its tracers can place it somewhere else. */
export class Quake3Model extends Traceable<PlacedOptions, Placed<Quake3Tracer>> {
  /** k of `*k`. */
  readonly number: number;
  /** Names of the options that its tracers take: those that scenes pass on. */
  readonly traceOptions: readonly string[] = PLACED_OPTIONS;
  /** For scenes: its tracers take every size and mask, and move exactly that size. */
  readonly takesAnySize = true;
  /** Where it was built, one unit wider than stored, as the engine keeps it. */
  readonly bounds: Bounds;
  /** @internal */
  readonly _target: Target;
  /** @internal */
  readonly _numBrushes: number;

  /** @internal */
  constructor(memory: OpenedMemory, number: number) {
    super();
    const { ints, places } = memory;
    this.number = number;
    this.bounds = modelBounds(memory, number);
    this._numBrushes = ints[places.models.first + MODEL_WORDS * number + MODEL_LIST + LIST_NUM_BRUSHES]!;
    this._target = new Target(memory, { model: number, number, moves: true, turns: true, inFile: true });
    printAsString(this);
  }

  /**
   * Contents of the model's brushes that contain a point, combined with OR, with the model at `pose`; by default where it was
   * built. Throws `RangeError` when a number is not finite.
   */
  contents(point: Vec3, pose: Pose = {}): number {
    checkPoint(point, 'point');
    const { memory } = this._target;
    const local = intoModel(point, pose);
    const hot = hotOf(memory);
    return hot ? contentsAt(hot, this.number, local) : modelContents(memory, this.number, local);
  }

  /** @internal */
  override toString(): string {
    const brushes = this._numBrushes;
    return `Quake3Model { *${this.number}, ${brushes} ${brushes === 1 ? 'brush' : 'brushes'} }`;
  }
}

/** Reused by every call: players among models ask for contents often. */
const frame: Frame = /* @__PURE__ */ createFrame();
const local: Float32Array = /* @__PURE__ */ new Float32Array(3);

/**
 * A point in the frame of a model that may have been moved; valid until the next call. Allocates nothing. Pass false as `turns`
 * for what never turns.
 * @throws RangeError when a number of the pose is not finite.
 */
export function intoModel(point: Vec3, pose: Pose, turns = true): Float32Array {
  checkPose(pose);
  const { origin, angles } = pose;
  takePlace(point, origin, angles);
  setOrigin(frame, POSE_ORIGIN);
  if (!turns || (POSE_ANGLES[0] === 0 && POSE_ANGLES[1] === 0 && POSE_ANGLES[2] === 0)) frame.rotated = false;
  else setAngles(frame, POSE_ANGLES);
  local.set(PLACE_POINT);
  intoFrame(frame, local, 0);
  return local;
}

/** Bounds of a model, or of the world (0), one unit wider than stored. */
export function modelBounds({ floats, places }: WorldMemory, number: number): Bounds {
  const at = places.models.first + MODEL_WORDS * number;
  return { mins: floats.slice(at, at + 3), maxs: floats.slice(at + 3, at + 6) };
}
