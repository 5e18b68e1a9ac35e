import type { BspWorld, Explanation, Plane, StepVec, TraceStep, TreeSteps, Vec3 } from '@bspkit/core';
import { type FileBrush, setRotation } from '@bspkit/core/format';
import { dot, subtract } from '@bspkit/geometry';
import { type AskedModels, modelPlace, posesOf } from '@bspkit/words';

/** A brush where it stands. */
export interface PlacedBrush extends FileBrush {
  /** Which of the models of the options it is in, as in {@link TreeSteps}; `undefined` if in none of them. */
  readonly listed?: number | undefined;
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
  private readonly _frames: Map<string, Frame> = new Map();

  constructor(world: BspWorld, asked: AskedModels) {
    this.model = Number(asked.model ?? 0);
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
    const begun = new Map(trees.map((tree) => [tree.step, tree]));
    let tree: Pick<TreeSteps, 'model' | 'listed'> = { model: this.model };
    const placed = steps.map((step, number) => {
      tree = begun.get(number) ?? tree;
      return this._isPlaced(tree.model) ? step : placeStep(step, this._of(tree.model, tree.listed));
    });
    return { ...explanation, steps: placed };
  }

  /** The brushes that are in the frame of the move: all in the world, or those of the model. */
  brushes(all: Iterable<FileBrush>): PlacedBrush[] {
    const brushes = [...all];
    if (this.model > 0) return brushes.filter(({ model }) => model === this.model);
    return brushes.flatMap((brush): PlacedBrush[] => {
      if (this._isPlaced(brush.model)) return [brush];
      const poses = posesOf(this._asked, brush.model);
      return (poses.length > 0 ? poses : [undefined]).map((listed) => {
        const frame = this._of(brush.model, listed);
        return { ...brush, listed, planes: brush.planes.map((plane) => frame.leavePlane(plane)) };
      });
    });
  }

  /** Whether what is in the frame of a model is in that of the move: a move against a model meets no other. */
  private _isPlaced(model: number): boolean {
    return model === 0 || this.model > 0;
  }

  private _of(model: number, listed?: number): Frame {
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
