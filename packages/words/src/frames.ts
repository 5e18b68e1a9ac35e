import type { BspWorld, Plane, StepVec, TreeSteps, Vec3 } from '@bspkit/core';
import { setRotation } from '@bspkit/core/format';
import { dot, subtract } from '@bspkit/geometry';
import { type AskedModels, modelPlace, posesOf } from './places.ts';

/** A model where it stands: options may name one several times, each in a place of its own. */
export type ModelAt = Pick<TreeSteps, 'model' | 'listed'>;

/** Whether both are a model in the same place. */
export const isSameModel = (one: ModelAt | undefined, other: ModelAt | undefined): boolean =>
  one?.model === other?.model && one?.listed === other?.listed;

/** The frame of something that may have been moved and turned. */
export class Frame {
  /** Where it stands. */
  readonly origin: StepVec;
  /** Its axes in the world: forward, left, up. */
  readonly axes: readonly [StepVec, StepVec, StepVec];

  constructor(origin: StepVec, angles: StepVec) {
    const rows = new Float64Array(9);
    setRotation(rows, 0, angles);
    const axis = (from: number): StepVec => each((k) => rows[from + k]!);
    this.origin = origin;
    this.axes = [axis(0), axis(3), axis(6)];
  }

  /** Whether it is that of the world. */
  get isWorld(): boolean {
    return this.origin.every((x) => x === 0) && [0, 1, 2].every((k) => this.axes[k]![k] === 1);
  }

  /** A point of the world in this frame. */
  enter(point: Vec3): StepVec {
    return this.turnIn(subtract(point, this.origin));
  }

  /** A point of this frame in the world. */
  leave(point: Vec3): StepVec {
    const turned = this._turnOut(point);
    return each((k) => turned[k]! + this.origin[k]!);
  }

  /** A plane of the world in this frame. */
  enterPlane({ normal, dist }: Plane): { readonly normal: StepVec; readonly dist: number } {
    return { normal: this.turnIn(normal), dist: dist - dot(normal, this.origin) };
  }

  /** A plane of this frame in the world. */
  leavePlane({ normal, dist }: Plane): { readonly normal: StepVec; readonly dist: number } {
    const turned = this._turnOut(normal);
    return { normal: turned, dist: dist + dot(turned, this.origin) };
  }

  /** A direction of the world in this frame. */
  turnIn(direction: Vec3): StepVec {
    return each((k) => dot(direction, this.axes[k]!));
  }

  private _turnOut(direction: Vec3): StepVec {
    return each((k) => dot(direction, [this.axes[0][k]!, this.axes[1][k]!, this.axes[2][k]!]));
  }
}

/** The frames of a world's models, where a tracer's options have them stand. */
export class ModelFrames {
  /** The model that is traced; 0 for the world. */
  readonly model: number;
  private readonly _world: BspWorld;
  private readonly _asked: AskedModels;
  private readonly _frames: Map<string, Frame> = new Map();

  constructor(world: BspWorld, asked: AskedModels) {
    this.model = Number(asked.model ?? 0);
    this._world = world;
    this._asked = asked;
  }

  /** The places of a model: of one that the options do not name, the one where it stands by itself. */
  placesOf(model: number): ModelAt[] {
    const poses = posesOf(this._asked, model);
    return poses.length > 0 ? poses.map((listed) => ({ model, listed })) : [{ model }];
  }

  /** The frame of a model: of the one that is traced, by default. */
  of({ model, listed }: ModelAt = { model: this.model }): Frame {
    const key = `${model} ${listed}`;
    let frame = this._frames.get(key);
    if (!frame) {
      const { origin, angles } = modelPlace(this._world, this._asked, model, listed);
      frame = new Frame(origin, angles);
      this._frames.set(key, frame);
    }
    return frame;
  }
}

const each = (value: (k: number) => number): StepVec => [value(0), value(1), value(2)];
