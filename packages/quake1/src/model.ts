import type { Bounds, BoxWorld, Placed, Pose, RayWorld, Vec3 } from '@bspkit/core';
import { checkPoint, checkPose, held, printAsString } from '@bspkit/core/format';
import { enterPose } from './kernel/frame.ts';
import type { HullKernel } from './kernel/hull.ts';
import type { WorldMemory } from './kernel/memory.ts';
import { MODEL_WORDS } from './layout.ts';
import {
  type PlacedPreciseOptions,
  type PreciseTracer,
  Quake1PlacedPreciseTracer,
} from './precise-tracer.ts';
import {
  checkHull,
  type HullTracer,
  PLACED_OPTIONS,
  type PlacedOptions,
  Quake1PlacedTracer,
  type SizedHullTracer,
} from './tracer.ts';
import { hullKernel } from './wasm/kernel.ts';

/** What the world and its inline models share. */
export abstract class Traceable {
  /** As the engine keeps them, one unit wider than stored, in Quake units. */
  readonly bounds: Bounds;
  /** Contents are numbers here, not bits, so scenes do not combine them. */
  readonly contentsAreBits = false;
  private readonly _held: WorldMemory;
  /** Number of the model, 0 for the world. @internal */
  readonly _number: number;
  /** Heads of its trees, by hull. @internal */
  readonly _heads: Int32Array;

  /** @internal */
  protected constructor(memory: WorldMemory, number: number) {
    const at = memory.places.models.first + MODEL_WORDS * number;
    this.bounds = {
      mins: memory.floats.slice(at, at + 3).map((least) => least - 1),
      maxs: memory.floats.slice(at + 3, at + 6).map((greatest) => greatest + 1),
    };
    this._held = memory;
    this._number = number;
    this._heads = memory.heads.subarray(4 * number, 4 * number + 4);
  }

  /** Throws `TypeError` once the world's data has been transferred. @internal */
  get _memory(): WorldMemory {
    return held(this._held);
  }

  /** What moves hulls through it. @internal */
  get _kernel(): HullKernel {
    return hullKernel(this._memory);
  }
}

/**
 * An inline model (`*1` and up): a door, a lift. Its tracers take `origin`, and `place` moves them; in Half-Life they turn with
 * `angles`, which Quake ignores.
 */
export class Quake1Model extends Traceable implements RayWorld<PlacedOptions>, BoxWorld<PlacedOptions> {
  /** k of `*k`. */
  readonly number: number;
  /** As the file has it: 0 0 0 in Quake maps, whatever the entity's origin says. */
  readonly origin: Float32Array;
  /** Names of the options that its tracers take: those that scenes pass on. */
  readonly traceOptions: readonly string[] = PLACED_OPTIONS;
  /** For scenes: its world, as its tracers take the sizes that the world's take, and move the same hulls for them. */
  readonly takesSizesOf: object;

  /** @internal */
  constructor(memory: WorldMemory, number: number, world: object) {
    super(memory, number);
    const at = memory.places.models.first + MODEL_WORDS * number + 6;
    this.number = number;
    this.takesSizesOf = world;
    this.origin = memory.floats.slice(at, at + 3);
    printAsString(this);
  }

  /** Moves a hull's box through it: {@link Quake1World.hull}. */
  hull(hull: number, options: PlacedOptions = {}): Placed<HullTracer> {
    checkHull(hull, this._memory.hulls.length);
    return new Quake1PlacedTracer(this, hull, options);
  }

  /** Moves the hull that the engine takes for a box of this size: {@link Quake1World.box}. */
  box(mins: Vec3, maxs: Vec3, options: PlacedOptions = {}): Placed<SizedHullTracer> {
    return new Quake1PlacedTracer(this, { mins, maxs }, options);
  }

  /** A ray: the engine's point hull. */
  ray(options: PlacedOptions = {}): Placed<HullTracer> {
    return this.hull(0, options);
  }

  /** The note's ray, in double precision: {@link Quake1World.preciseRay}. */
  preciseRay(options: PlacedPreciseOptions = {}): Placed<PreciseTracer> {
    return new Quake1PlacedPreciseTracer(this, 0, options);
  }

  /** Moves a hull's box in double precision: {@link Quake1World.preciseHull}. */
  preciseHull(hull: number, options: PlacedPreciseOptions = {}): Placed<PreciseTracer> {
    return new Quake1PlacedPreciseTracer(this, hull, options);
  }

  /**
   * Contents at a point as traces see them, in the tree of hull 0, with the model at `pose`; by default where it was built:
   * {@link Quake1World.hullContents}. The model turns only in Half-Life's maps, as for precise traces, and for those of hulls
   * unless their `rules` say otherwise. Allocates nothing.
   * @throws RangeError when a number is not finite.
   */
  contents(point: Vec3, pose: Pose = {}): number {
    checkPoint(point, 'point');
    checkPose(pose);
    const { _kernel: kernel } = this;
    enterPose(kernel.points, point, pose, this._memory.version === 30);
    return kernel.contentsAt(4 * this.number);
  }

  /** @internal */
  override toString(): string {
    return `Quake1Model { *${this.number} }`;
  }
}
