import { type Bounds, checkPoint, type Polygon, type Shape, type Vec3 } from '@bspkit/core';
import { BoxTracer, type ModelOptions } from './box-tracer.ts';
import type { WorldMemory } from './kernel.ts';
import {
  MODEL_ENTITY,
  MODEL_MAXS,
  MODEL_MINS,
  MODEL_ORIGIN,
  MODEL_OWN_FRAME,
  MODEL_TILE,
  SECTIONS,
} from './layout.ts';
import { modelPolygons } from './polygons.ts';
import { createPose, isZero, P_ORIGIN, type Pose, setAngles, setOrigin } from './pose.ts';
import { SHIFT_ENGINE, SHIFT_NONE, SHIFT_OWN_FRAME } from './trace-model.ts';

const f = Math.fround;

/** The engine keeps models within this in x and y when it looks whether a move comes near them. */
const WORLD_EDGE = 4096;

/** Where a model stands. What is left out stays as it is. */
export interface PoseOptions {
  /** In Quake units. */
  readonly origin?: Vec3 | undefined;
  /** Pitch, yaw and roll in degrees. */
  readonly angles?: Vec3 | undefined;
}

/**
 * An inline model `*k`: a door, a breakable, a rescue zone. It stands where its entity says until `set` moves it, and
 * tracers that were given it follow. Each one made is a body of its own, with its own pose.
 */
export class UfoaiModel {
  /** k of `*k`, counted through all tiles. */
  readonly number: number;
  /** Tile that it came with. */
  readonly tile: number;
  /** Its entity's number in the tile's entities; -1 for none. */
  readonly entity: number;
  /** In the model's own frame: one unit wider than stored, as the engine keeps it. */
  readonly bounds: Bounds;
  /** In Quake units; change it with `set`. */
  readonly origin: Float32Array;
  /** Pitch, yaw and roll in degrees; change them with `set`. */
  readonly angles: Float32Array;
  /** @internal What a move is held against before the model is traced: mins xyz, maxs xyz. */
  readonly _reach: Float32Array = new Float32Array(6);
  /** @internal */
  readonly _pose: Pose = createPose();
  /** @internal Whether it was built around its own origin. */
  readonly _ownFrame: boolean;
  /** @internal Place of its record. */
  readonly _place: number;
  private readonly _memory: WorldMemory;

  /** @internal */
  constructor(memory: WorldMemory, number: number) {
    const { ints, floats, places } = memory;
    const at = places.models.first + SECTIONS.models * (number - 1);
    this._memory = memory;
    this._place = at;
    this.number = number;
    this.tile = ints[at + MODEL_TILE]!;
    this.entity = ints[at + MODEL_ENTITY]!;
    this._ownFrame = ints[at + MODEL_OWN_FRAME] !== 0;
    this.bounds = {
      mins: floats.slice(at + MODEL_MINS, at + MODEL_MINS + 3),
      maxs: floats.slice(at + MODEL_MAXS, at + MODEL_MAXS + 3),
    };
    this.origin = new Float32Array(3);
    this.angles = new Float32Array(3);
    this.set({ origin: floats.subarray(at + MODEL_ORIGIN, at + MODEL_ORIGIN + 3), angles: this.angles });
  }

  /**
   * Moves and turns the model, without allocation. Nothing is changed when it throws.
   * @throws RangeError when a number is not finite.
   */
  set({ origin, angles }: PoseOptions): this {
    if (origin) checkPoint(origin, 'origin');
    if (angles) checkPoint(angles, 'angles');
    for (let k = 0; k < 3; k++) {
      if (origin) this.origin[k] = origin[k]!;
      if (angles) this.angles[k] = angles[k]!;
    }
    if (origin) setOrigin(this._pose, this.origin);
    if (angles) setAngles(this._pose, this.angles);
    this._bound();
    return this;
  }

  /** Traces boxes against this model alone, wherever it stands. Levels do not matter here. */
  box(mins: Vec3, maxs: Vec3, options: ModelOptions = {}): BoxTracer {
    return this._tracer({ kind: 'box', mins, maxs }, options);
  }

  /** {@link UfoaiModel.box} for a box without size. */
  point(options: ModelOptions = {}): BoxTracer {
    return this._tracer({ kind: 'ray' }, options);
  }

  /** Faces of its brushes, in its own frame (that of its tile, where it stands in place). */
  polygons(): Polygon[] {
    return modelPolygons(this._memory, this._place);
  }

  private _tracer(shape: Shape, options: ModelOptions): BoxTracer {
    const { compat, shift = true } = options;
    const memory = this._memory;
    const engine = compat === 'engine';
    const shiftRule = shift ? (engine ? SHIFT_ENGINE : SHIFT_OWN_FRAME) : SHIFT_NONE;
    return new BoxTracer(
      { memory, tile: -1, head: -1, models: undefined, model: this, shiftRule, engine },
      shape,
      options,
    );
  }

  private _bound(): void {
    const reach = this._reach;
    let side = 0;
    for (let k = 0; k < 3; k++) {
      reach[k] = this.bounds.mins[k]! + this._pose.floats[P_ORIGIN + k]!;
      reach[3 + k] = this.bounds.maxs[k]! + this._pose.floats[P_ORIGIN + k]!;
    }
    keepInWorld(reach);
    if (isZero(this.angles)) return;
    for (let k = 0; k < 3; k++) side = Math.max(side, f(reach[3 + k]! - reach[k]!));
    for (let k = 0; k < 3; k++) {
      reach[k]! -= f(side * 0.5);
      reach[3 + k]! += f(side * 0.5);
    }
    keepInWorld(reach);
  }
}

function keepInWorld(reach: Float32Array): void {
  for (let k = 0; k < 6; k++) {
    if (k % 3 !== 2) reach[k] = Math.max(-WORLD_EDGE, Math.min(WORLD_EDGE, reach[k]!));
  }
}
