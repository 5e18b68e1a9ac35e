import type {
  BrushStep,
  Explanation,
  NodeStep,
  Plane,
  PolygonStep,
  SideStep,
  Trace,
  TreeSteps,
  Vec3,
} from '@bspkit/core';
import { clipBehindAll, dot, flipPlane, type Winding } from '@bspkit/geometry';
import { leafName, show } from '@bspkit/words';
import type { PlacedBrush } from './move-frame.ts';
import { crossing, type Point2, Slice } from './slice.ts';
import { type Drawing, type Legend, type Pixels, SlicePicture } from './slice-picture.ts';

/** What goes into the picture besides the steps. Without brushes, the leafs are drawn. */
export interface TraceDrawing extends Drawing {
  /** The move as in the steps. */
  readonly start: Vec3;
  readonly end: Vec3;
}

const LEGEND: Legend = {
  wall: 'surfaces of the map',
  solid: 'solid',
  other: 'other contents',
  hit: 'what stopped the move',
  widened: 'widened by the shape',
  node: 'split plane',
  move: 'move',
  rest: 'not reached',
  shape: 'shape at start and stop',
};

/**
 * The walk as a picture: a slice that contains the move, with the brushes it cuts, the split planes as far as their nodes reach,
 * the shape at both ends of the move, and where it entered and left what stopped it.
 */
export function explainSvg(explanation: Explanation, drawing: TraceDrawing): string {
  return new TracePicture(explanation, drawing).toString();
}

/** A brush or polygon that stopped the move, and its sides as they were tested. */
interface Hit {
  readonly step: BrushStep | PolygonStep;
  readonly sides: readonly SideStep[];
  /** Which of the models of the options it is in, as in {@link TreeSteps}. */
  readonly listed: number | undefined;
}

/** A leaf that the walk came to, as far as it can be seen in the slice. */
interface SeenLeaf {
  readonly leaf: number;
  readonly contents: number;
  readonly region: Winding | undefined;
}

class TracePicture extends SlicePicture<TraceDrawing> {
  protected readonly legend: Legend = LEGEND;
  private readonly _explanation: Explanation;
  private readonly _hit: Hit | undefined;

  constructor(explanation: Explanation, drawing: TraceDrawing) {
    const slice = new Slice(drawing.start, drawing.end);
    super(drawing, slice, [slice.project(drawing.start), slice.project(drawing.end)]);
    this._explanation = explanation;
    this._hit = findHit(explanation);
  }

  protected get answer(): string {
    return `fraction ${show(this._explanation.trace.fraction, 6)}`;
  }

  protected parts(): string[] {
    // Labels of what was hit are placed first.
    const marks = this._marks();
    const ends = this.ends(this._place(0), this._place(this._explanation.trace.fraction), 'stop');
    const { lines, leafs } = this._nodes();
    const filled = this.drawing.brushes.length > 0 ? this._brushes() : this._leafs(leafs);
    const widened = this.region(this._widened(), 'widened');
    return [...this.walls(), ...filled, ...widened, ...lines, ...this._move(), ...marks, ...ends];
  }

  private _brushes(): string[] {
    const hit =
      this._hit?.step.kind === 'brush' ? this._hitBrush(this._hit.step, this._hit.listed) : this._touched();
    return this.brushes((brush) => brush === hit);
  }

  private _hitBrush(step: BrushStep, listed: number | undefined): PlacedBrush | undefined {
    return this.drawing.brushes.find((one) => one.brush === step.brush && (one.listed ?? listed) === listed);
  }

  /** What stopped the move as the shape widens it: where its middle may not be, between these planes. Points widen nothing. */
  private _widened(): Plane[] {
    if (!this._hit || this.drawing.shape.kind === 'ray') return [];
    const { step, sides } = this._hit;
    // Around its edges and corners, what stops the middle of an exact shape is round.
    if (sides.length === 0) return [];
    if (step.kind === 'brush') {
      // The ends of a capsule are nearer to a side than its middle: the side is as far away as it was for the start of the move.
      const { start } = this.drawing;
      return sides.map(({ normal, startDist }) => ({ normal, dist: dot(start, normal) - startDist }));
    }
    // A polygon reaches as far as the shape does, on the side that it faces.
    return [...sides, { normal: step.normal, dist: step.dist + step.offset }, flipPlane(step)];
  }

  /** If the steps name no brush: the solid one that the move would have gone into, or that is behind the polygon. */
  private _touched(): PlacedBrush | undefined {
    const { start, end } = this.drawing;
    const { fraction } = this._explanation.trace;
    if (fraction === 1) return undefined;
    const length = Math.hypot(...[0, 1, 2].map((k) => end[k]! - start[k]!));
    const step = this._hit?.step;
    return step?.kind === 'polygon'
      ? placeBehind(this.drawing, step, this._explanation.trace)
      : solidAt(this.drawing, this._at(Math.min(1, fraction + 1 / Math.max(1, length))));
  }

  /** For formats that keep no brushes: the leafs that the walk came to. The last solid one stopped it. */
  private _leafs(leafs: readonly SeenLeaf[]): string[] {
    const { fillingOf } = this.drawing;
    const solid = leafs.filter(({ contents }) => fillingOf(contents) === 'solid');
    const hit = this._explanation.trace.fraction < 1 ? solid.at(-1) : undefined;
    return leafs.flatMap((seen) => {
      const style = seen === hit ? 'hit' : fillingOf(seen.contents);
      if (!style || !seen.region) return [];
      return [this.polygon(this.slice.points(seen.region), style, leafName(seen.leaf))];
    });
  }

  /** Split planes, each as far as the region of its node reaches, and the leafs between them. */
  private _nodes(): { lines: string[]; leafs: SeenLeaf[] } {
    const lines: string[] = [];
    const leafs: SeenLeaf[] = [];
    const above: { step: NodeStep; entered: number }[] = [];
    for (const step of this._explanation.steps) {
      if (step.kind !== 'node' && step.kind !== 'leaf') continue;
      above.length = Math.min(above.length, step.depth);
      const parent = above.at(-1);
      if (parent) parent.entered++;
      const sides = above.map(({ step: node, entered }) =>
        node.children[entered - 1] === 0 ? flipPlane(node) : node,
      );
      const region = clipBehindAll(this.view, sides);
      if (step.kind === 'leaf') {
        leafs.push({ leaf: step.leaf, contents: step.contents, region });
        continue;
      }
      const ends = region && crossing(region, step);
      if (ends) {
        const [from, to] = ends.map((end) => this.slice.project(end)) as [Point2, Point2];
        lines.push(this.line(from, to, 'node'));
        const name = step.node < 0 ? [] : along(this.pixel(from), this.pixel(to));
        lines.push(...this.labels.place(String(step.node), 'node-name', name));
      }
      above.push({ step, entered: 0 });
    }
    return { lines, leafs };
  }

  /** The point at a fraction of the move. */
  private _at(fraction: number): number[] {
    const { start, end } = this.drawing;
    return [0, 1, 2].map((k) => start[k]! + fraction * (end[k]! - start[k]!));
  }

  private _place(fraction: number): Point2 {
    return this.slice.project(this._at(fraction));
  }

  private _move(): string[] {
    const { fraction } = this._explanation.trace;
    const stop = this._place(fraction);
    return [
      ...(fraction < 1 ? [this.line(stop, this._place(1), 'rest')] : []),
      this.line(this._place(0), stop, 'move'),
      this.shape(this._place(0)),
      this.shape(stop),
    ];
  }

  /** Where the move would enter and leave what stopped it. */
  private _marks(): string[] {
    if (!this._hit) return [];
    const { step, sides } = this._hit;
    const { enter } = step;
    // Where an exact shape would leave what it hits is not looked for. What is not left within the move has 1, or more.
    const leave = step.kind === 'brush' && sides.length > 0 ? step.leave : sides.at(-1)?.leave;
    const mark = (fraction: number, style: 'enter' | 'leave'): string[] => {
      if (fraction < 0 || fraction > 1) return [];
      const [x, y] = this.pixel(this._place(fraction));
      const places = [[x + 7, y - 7] as const, [x + 7, y + 17] as const, [x + 7, y - 21] as const];
      return [
        `<circle class="${style}" cx="${x}" cy="${y}" r="4"/>`,
        ...this.labels.place(`${style} ${show(fraction)}`, style, places),
      ];
    };
    return [...mark(enter, 'enter'), ...(leave === undefined || leave >= 1 ? [] : mark(leave, 'leave'))];
  }
}

/** How far behind a polygon it is looked for a brush, in Quake units: less than thin ones measure. */
const BEHIND = 1 / 32;

/** The solid brush behind a polygon, where that is touched: also from its edges, the way back leads into what it belongs to. */
export const brushBehind = (...given: Parameters<typeof placeBehind>): number | undefined =>
  placeBehind(...given)?.brush;

function placeBehind(
  solids: Solids,
  { normal, dist }: PolygonStep,
  trace: Trace & { readonly point?: Vec3 },
): PlacedBrush | undefined {
  const { point = trace.endPos } = trace;
  const side = normal[0] * point[0]! + normal[1] * point[1]! + normal[2] * point[2]! - dist;
  return solidAt(
    solids,
    normal.map((n, k) => point[k]! - side * n - BEHIND * (n + trace.normal[k]!)),
  );
}

/** The brushes of a map, and which of them are solid. */
export type Solids = Pick<Drawing, 'brushes' | 'fillingOf'>;

/** The first solid brush that a point is in. */
function solidAt({ brushes, fillingOf }: Solids, at: readonly number[]): PlacedBrush | undefined {
  const inside = ({ normal, dist }: Plane): boolean =>
    at[0]! * normal[0]! + at[1]! * normal[1]! + at[2]! * normal[2]! <= dist;
  return brushes.find(({ contents, planes }) => fillingOf(contents) === 'solid' && planes.every(inside));
}

/** The last brush or polygon that stopped the move. */
function findHit({ steps, trees = [] }: Explanation): Hit | undefined {
  const begun = new Map(trees.map((tree) => [tree.step, tree]));
  let found: Hit | undefined;
  let sides: SideStep[] = [];
  let listed: number | undefined;
  for (const [number, step] of steps.entries()) {
    const tree = begun.get(number);
    if (tree) listed = tree.listed;
    if (step.kind === 'side') {
      sides.push(step);
      continue;
    }
    const isStop = 'outcome' in step && (step.outcome === 'hit' || step.outcome === 'allSolid');
    if (isStop && step.kind !== 'facet') found = { step, sides, listed };
    sides = [];
  }
  return found;
}

/** Places for a label along a line: at its ends, and between. */
const along = (from: Pixels, to: Pixels): Pixels[] =>
  [0.97, 0.03, 0.75, 0.5, 0.25].map((part) => [
    from[0] + part * (to[0] - from[0]) + 2,
    from[1] + part * (to[1] - from[1]) - 2,
  ]);
