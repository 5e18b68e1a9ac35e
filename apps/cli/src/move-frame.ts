import type { BspWorld, Explanation, StepVec, TraceStep, Vec3 } from '@bspkit/core';
import type { FileBrush } from '@bspkit/core/format';
import { type AskedModels, type Frame, type ModelAt, ModelFrames } from '@bspkit/words';

/** A brush where it stands. */
export interface PlacedBrush extends FileBrush, Pick<ModelAt, 'listed'> {}

/** The frame of a move: the world's, or that of the model that is traced. What a trace tells of models is brought into it. */
export class MoveFrame {
  /** The model in whose frame the move is; 0 for the world. */
  readonly model: number;
  private readonly _frames: ModelFrames;

  constructor(world: BspWorld, asked: AskedModels) {
    this._frames = new ModelFrames(world, asked);
    this.model = this._frames.model;
  }

  /** A point of the world in the frame of the move. */
  enter(point: Vec3): StepVec {
    return this._frames.of().enter(point);
  }

  /** Where above is in the frame of the move. */
  get up(): StepVec {
    return this._frames.of().turnIn([0, 0, 1]);
  }

  /** An explanation whose steps are all in the frame of the move. */
  place(explanation: Explanation): Explanation {
    const { steps, trees = [] } = explanation;
    const begun = new Map(trees.map((tree) => [tree.step, tree]));
    let at: ModelAt = { model: this.model };
    const placed = steps.map((step, number) => {
      at = begun.get(number) ?? at;
      return this._isPlaced(at.model) ? step : placeStep(step, this._frames.of(at));
    });
    return { ...explanation, steps: placed };
  }

  /** The brushes that are in the frame of the move: all in the world, or those of the model. */
  brushes(all: Iterable<FileBrush>): PlacedBrush[] {
    const brushes = [...all];
    if (this.model > 0) return brushes.filter(({ model }) => model === this.model);
    return brushes.flatMap((brush): PlacedBrush[] => {
      if (this._isPlaced(brush.model)) return [brush];
      return this._frames.placesOf(brush.model).map((at) => {
        const frame = this._frames.of(at);
        return { ...brush, ...at, planes: brush.planes.map((plane) => frame.leavePlane(plane)) };
      });
    });
  }

  /** Whether what is in the frame of a model is in that of the move: a move against a model meets no other. */
  private _isPlaced(model: number): boolean {
    return model === 0 || this.model > 0;
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
