import type { BspWorld, Explanation, Placeable, Plane, StepVec, TraceStep, Vec3 } from '@bspkit/core';
import { type FileBrush, setRotation } from '@bspkit/core/format';
import { dot, subtract } from '@bspkit/geometry';

/** What options say of models. */
export interface AskedModels {
  /** The model that is traced in place of the world. */
  readonly model?: number | undefined;
  /** Those that are in the way in the world: numbers with commas, or all. */
  readonly models?: string | undefined;
  /** Where it is, or they are: three numbers for each. */
  readonly origin?: readonly number[] | undefined;
  readonly angles?: readonly number[] | undefined;
}

/** The frame of something that may have been moved and turned. */
class Frame {
  private readonly _origin: StepVec;
  /** Its axes. */
  private readonly _rows: Float64Array = new Float64Array(9);

  constructor(origin: StepVec, angles: StepVec) {
    this._origin = origin;
    setRotation(this._rows, 0, angles);
  }

  /** A point of the world in this frame. */
  enter(point: Vec3): StepVec {
    const from = subtract(point, this._origin);
    return each((k) => dot(from, this._rows.subarray(3 * k, 3 * k + 3)));
  }

  /** A point of this frame in the world. */
  leave(point: Vec3): StepVec {
    const turned = this._turn(point);
    return each((k) => turned[k]! + this._origin[k]!);
  }

  /** A plane of this frame in the world. */
  leavePlane({ normal, dist }: Plane): { readonly normal: StepVec; readonly dist: number } {
    const turned = this._turn(normal);
    return { normal: turned, dist: dist + dot(turned, this._origin) };
  }

  private _turn(vector: Vec3): StepVec {
    return each((k) => dot(vector, [this._rows[k]!, this._rows[3 + k]!, this._rows[6 + k]!]));
  }
}

/** Brings what a trace tells of models into the frame of its move: the world's, or that of the model that it is traced against. */
export class ModelFrames {
  /** The model in whose frame the move is; 0 for the world. */
  readonly model: number;
  private readonly _world: BspWorld;
  private readonly _asked: AskedModels;
  private readonly _frames: Map<number, Frame> = new Map();

  constructor(world: BspWorld, asked: AskedModels) {
    this.model = asked.model ?? 0;
    this._world = world;
    this._asked = asked;
  }

  /** A point of the world in the frame of the move. */
  enter(point: Vec3): StepVec {
    return this._of(this.model).enter(point);
  }

  /** An explanation whose steps are all in the frame of the move. */
  place(explanation: Explanation): Explanation {
    const { steps, trees = [] } = explanation;
    const begun = new Map(trees.map(({ step, model }) => [step, model]));
    let { model } = this;
    const placed = steps.map((step, number) => {
      model = begun.get(number) ?? model;
      return this._isPlaced(model) ? step : placeStep(step, this._of(model));
    });
    return { ...explanation, steps: placed };
  }

  /** The brushes that are in the frame of the move: all in the world, or those of the model. */
  brushes(all: Iterable<FileBrush>): FileBrush[] {
    const brushes = [...all];
    if (this.model > 0) return brushes.filter(({ model }) => model === this.model);
    return brushes.map((brush) => {
      if (this._isPlaced(brush.model)) return brush;
      const frame = this._of(brush.model);
      return { ...brush, planes: brush.planes.map((plane) => frame.leavePlane(plane)) };
    });
  }

  /** Whether what is in the frame of a model is in that of the move: a move against a model meets no other. */
  private _isPlaced(model: number): boolean {
    return model === 0 || this.model > 0;
  }

  private _of(model: number): Frame {
    let frame = this._frames.get(model);
    if (!frame) {
      const pose = this._poseOf(model);
      const { origin, angles } = this._asked;
      const part = (numbers: readonly number[] | undefined): StepVec | undefined =>
        pose < 0 || numbers === undefined ? undefined : each((k) => numbers[3 * pose + k]!);
      frame = new Frame(part(origin) ?? this._ownOrigin(model), part(angles) ?? [0, 0, 0]);
      this._frames.set(model, frame);
    }
    return frame;
  }

  /** Which of the poses in the options is a model's; -1 for none. */
  private _poseOf(model: number): number {
    const { models } = this._asked;
    if (models === undefined) return model > 0 && model === this.model ? 0 : -1;
    const listed = models.trim();
    return listed.toLowerCase() === 'all' ? model - 1 : listed.split(',').map(Number).indexOf(model);
  }

  /** Where a model stands unless it is placed: where it was built or, by the rules of some games, where its entity is. */
  private _ownOrigin(number: number): StepVec {
    const world = this._world as { model?(number: number): { readonly origin: Vec3 } & Partial<Placeable> };
    const model = number > 0 ? world.model?.(number) : undefined;
    // What cannot be moved itself may have an origin that traces do not know.
    return model?.place ? each((k) => model.origin[k]!) : [0, 0, 0];
  }
}

/** A step in the frame of a model, as it is in the world. */
function placeStep(step: TraceStep, frame: Frame): TraceStep {
  return {
    ...step,
    ...('normal' in step && frame.leavePlane(step)),
    ...('start' in step && { start: frame.leave(step.start), end: frame.leave(step.end) }),
    ...('points' in step && { points: step.points.map((point) => frame.leave(point)) }),
  };
}

const each = (value: (k: number) => number): StepVec => [value(0), value(1), value(2)];
