import type { Bounds, BoxWorld, LineWorld, Placeable, Pose, RayWorld, Shape, Vec3 } from '@bspkit/core';
import {
  checkFlag,
  checkOptions,
  checkPoint,
  checkPose,
  held,
  printAsString,
  showVec,
} from '@bspkit/core/format';
import { bodyContents } from './classify.ts';
import { MASK_VISIBILITY } from './constants.ts';
import { type Body, createBody, moveBody, SHIFT_ENGINE, SHIFT_NONE, SHIFT_OWN_FRAME } from './kernel/body.ts';
import type { WorldMemory } from './kernel/memory.ts';
import { MODEL_ENTITY } from './layout.ts';
import { isEngine, MODEL_OPTIONS, type PlacedOptions, UfoaiPlacedTracer } from './tracer.ts';

/**
 * An inline model `*k`: a door, a breakable, a rescue zone. It is where its entity says until `place` moves it, and everything
 * that it was given to follows: tracers and rerouters of the world, and its own tracers unless they have been placed themselves.
 * Each model that is made is a body of its own, with its own pose.
 */
export class UfoaiModel
  implements Placeable, RayWorld<PlacedOptions>, BoxWorld<PlacedOptions>, LineWorld<PlacedOptions>
{
  /** k of `*k`, counted through all tiles. */
  readonly number: number;
  /** The tile that it belongs to. */
  readonly tile: number;
  /** Its entity's number in the tile's entities; -1 for none. */
  readonly entity: number;
  /** In the model's own frame: one unit wider than stored, as the engine keeps it. */
  readonly bounds: Bounds;
  /** Where it is now, in Quake units: change it with `place`, and copy it to keep it, as it is always the same array. */
  readonly origin: Float32Array;
  /** Pitch, yaw and roll in degrees, likewise. */
  readonly angles: Float32Array;
  /** Names of the options that its tracers take: those that scenes pass on. */
  readonly traceOptions: readonly string[] = MODEL_OPTIONS;
  /** For scenes: its tracers accept every size and mask, and move exactly that size. */
  readonly takesAnySize = true;
  /** @internal */
  readonly _body: Body;
  private readonly _held: WorldMemory;

  /** @internal */
  constructor(memory: WorldMemory, number: number) {
    const body = createBody(memory, number);
    this._held = memory;
    this._body = body;
    this.number = number;
    this.tile = body.tile;
    this.entity = memory.ints[body.place + MODEL_ENTITY]!;
    this.bounds = { mins: body.bounds.slice(0, 3), maxs: body.bounds.slice(3) };
    this.origin = body.origin;
    this.angles = body.angles;
    printAsString(this);
  }

  /** Throws `TypeError` once the world's data has been transferred. @internal */
  get _memory(): WorldMemory {
    return held(this._held);
  }

  /**
   * Moves and turns the model, for everything that follows it. Copies its arguments and allocates nothing; nothing changes when it
   * throws.
   * @throws RangeError when a number is not finite.
   */
  place(pose: Pose): this {
    checkPose(pose);
    moveBody(this._body, pose.origin, pose.angles);
    return this;
  }

  /**
   * Traces boxes against this model alone: where it is at the time of each trace, unless the tracer has been given `origin` or
   * `angles`, or been placed. Levels do not matter here.
   */
  box(mins: Vec3, maxs: Vec3, options: PlacedOptions = {}): UfoaiPlacedTracer {
    return this._tracer({ kind: 'box', mins, maxs }, options);
  }

  /** {@link UfoaiModel.box} for a box of no size. */
  ray(options: PlacedOptions = {}): UfoaiPlacedTracer {
    return this._tracer({ kind: 'ray' }, options);
  }

  /** {@link UfoaiModel.ray} with the contents that stop the game's lines at models: solid and water, passable or not. */
  line(options: PlacedOptions = {}): UfoaiPlacedTracer {
    checkOptions(options, MODEL_OPTIONS);
    // Spreading would leave out what is inherited.
    const { mask = MASK_VISIBILITY, reject = 0, levels, origin, angles, compat, limit, shift } = options;
    return this.ray({ mask, reject, levels, origin, angles, compat, limit, shift });
  }

  /**
   * Contents of the leaf of the model's tree that contains a point, within the bounds of its brushes, with the model at `pose`;
   * by default where it is. Allocates nothing.
   * @throws RangeError when a number is not finite.
   */
  contents(point: Vec3, pose: Pose = {}): number {
    checkPoint(point, 'point');
    checkPose(pose);
    return bodyContents(this._memory, this._body, point, pose);
  }

  private _tracer(shape: Shape, options: PlacedOptions): UfoaiPlacedTracer {
    checkOptions(options, MODEL_OPTIONS);
    const { compat, shift = true } = options;
    checkFlag(shift, 'shift');
    const engine = isEngine(compat);
    const shiftRule = shift ? (engine ? SHIFT_ENGINE : SHIFT_OWN_FRAME) : SHIFT_NONE;
    const target = {
      tile: -1,
      everywhere: false,
      head: -1,
      bodies: undefined,
      body: this._body,
      shiftRule,
      engine,
    };
    return new UfoaiPlacedTracer(this._memory, target, shape, options);
  }

  /** @internal */
  toString(): string {
    return `UfoaiModel { *${this.number} at ${showVec(this.origin)}, angles ${showVec(this.angles)} }`;
  }
}
