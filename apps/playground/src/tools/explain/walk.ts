import type {
  BrushStep,
  Explanation,
  FeatureStep,
  NodeStep,
  Plane,
  PolygonStep,
  SideStep,
  StepVec,
  TraceStep,
} from '@bspkit/core';
import { flipPlane, type Winding } from '@bspkit/geometry';
import { isSameModel, type ModelAt, moveEnds, SKIPPED } from '@bspkit/words';
import { type Face, facesOf, planePiece } from '../draw/polygons.ts';

/** A part of the move, as fractions of it. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A step with what a picture of it needs. */
export interface WalkStep {
  readonly number: number;
  readonly step: TraceStep;
  /** Levels below the top, for indentation. */
  readonly depth: number;
  /** Node that led here: its step's number, -1 for none. */
  readonly parent: number;
  /** Which child of that node this is in. */
  readonly child: 0 | 1;
  /** For sides, faces, edges and corners: number of the step of the brush, facet or polygon that they belong to. */
  readonly owner: number;
  /** Name of the tree that begins here, where several are walked. */
  readonly tree: string | undefined;
  /** The model in whose frame it is, where several trees are walked; `undefined` for the one that is traced. */
  readonly at: ModelAt | undefined;
  /** The part of the move that it is about. */
  readonly span: Span;
}

/** A split plane as far as its node's region reaches. */
interface SplitPlane {
  /** Number of the node's step. */
  readonly number: number;
  readonly corners: Winding;
}

/** A leaf that was entered, and which part of the move is in it. */
interface LeafSpan extends Span, Pick<WalkStep, 'at'> {
  readonly leaf: number;
  readonly contents: number;
}

/** What became of a brush. */
interface TestedBrush extends Pick<WalkStep, 'at'> {
  readonly brush: number;
  readonly outcome: BrushStep['outcome'];
}

/** What has been found out by a step: it and all before it. */
export interface WalkPicture {
  readonly current: WalkStep;
  /** The split planes on the way down to the step, the root's first; the step's own comes last where it is a node. */
  readonly planes: readonly SplitPlane[];
  /** The region of the step's leaf or node. */
  readonly region: readonly Face[];
  /** Leafs that were entered so far, their parts of the move. */
  readonly leafs: readonly LeafSpan[];
  /** Brushes tested so far, in each place of their model, with the latest outcome that is not `again`. */
  readonly brushes: readonly TestedBrush[];
  /** The solid that the sides tested so far leave of the current brush, facet or polygon, as the shape widened it. */
  readonly widened: readonly Face[];
  /** The current polygon or facet, if the steps tell of its face, edges and corners. */
  readonly polygon: Winding | undefined;
  /** The plane of any other, as far as the sides tested so far leave it. */
  readonly face: Winding | undefined;
  /** Where the move is inside of the current brush, facet or polygon; `undefined` for other steps. */
  readonly inside: Span | undefined;
}

/** The planes around the world, which cut off regions that are open, in the frame of a model. */
export type AroundOf = (at: WalkStep['at']) => readonly Plane[];

/** The steps of an explanation, and how they belong together. */
export class Walk {
  readonly explanation: Explanation;
  readonly steps: readonly WalkStep[];
  /** Whether planes are widened by the shape: those of rays are not. */
  readonly widens: boolean;
  private readonly _aroundOf: AroundOf;

  constructor(explanation: Explanation, aroundOf: AroundOf) {
    this.explanation = explanation;
    this._aroundOf = aroundOf;
    this.steps = link(explanation);
    this.widens = explanation.steps.some((step) => 'offset' in step && step.offset > 0);
  }

  /** Numbers of the steps worth stopping at: all, or all but those of what was skipped, unless there are no others. */
  stops(all: boolean): number[] {
    const stops = this.steps.flatMap(({ step, number }) =>
      all || !('outcome' in step) || !SKIPPED.has(step.outcome) ? [number] : [],
    );
    return stops.length > 0 || all ? stops : this.stops(true);
  }

  /** What is known when a step is done. */
  at(number: number): WalkPicture {
    const current = this.steps[number]!;
    const way = this._wayTo(current);
    const around = this._aroundOf(current.at);
    const isNode = current.step.kind === 'node';
    const nodes = isNode ? [...way.nodes, number] : way.nodes;
    const planes = nodes.flatMap((node, level): SplitPlane[] => {
      const corners = planePiece(this._plane(node), [...way.planes.slice(0, level), ...around]);
      return corners ? [{ number: node, corners }] : [];
    });
    const seen = this.steps.slice(0, number + 1);
    const leafs = seen.flatMap(({ step, at }): LeafSpan[] => {
      if (step.kind !== 'leaf') return [];
      const { leaf, contents, startFraction: from, endFraction: to } = step;
      return [{ leaf, contents, from, to, at }];
    });
    const brushes = new Map<string, TestedBrush>();
    for (const { step, at } of seen) {
      if (step.kind !== 'brush' || step.outcome === 'again') continue;
      const { brush, outcome } = step;
      brushes.set(`${brush} ${at?.model} ${at?.listed}`, { brush, outcome, at });
    }
    const sides = this._partsOf(current, 'side');
    const last = sides.at(-1);
    const polygon = this.polygonOf(current);
    const [first] = this._partsOf(current, 'feature');
    const corners = this.brushOf(current) < 0 ? first?.points.flat() : undefined;
    return {
      current,
      planes,
      region: facesOf([...way.planes, ...around]),
      leafs,
      brushes: [...brushes.values()],
      widened:
        sides.length >= (polygon ? 1 : 4)
          ? facesOf([...sides, ...(polygon ? slabOf(polygon) : []), ...around])
          : [],
      polygon: corners,
      face: polygon && !corners ? planePiece(polygon, [...sides, ...around]) : undefined,
      inside: last && { from: last.enter, to: last.leave },
    };
  }

  /** The whole move in the frame of a model, as the steps have it: that of the shape's middle. `undefined` where they do not tell. */
  moveIn(model: WalkStep['at']): { readonly start: StepVec; readonly end: StepVec } | undefined {
    return moveEnds(stepsIn(this.steps, model));
  }

  /** The brush that a step is about; -1 for none. */
  brushOf({ step, owner }: WalkStep): number {
    const about = owner >= 0 ? this.steps[owner]!.step : step;
    return about.kind === 'brush' ? about.brush : -1;
  }

  /** The polygon that a step is about. */
  polygonOf({ step, owner }: WalkStep): PolygonStep | undefined {
    const about = owner >= 0 ? this.steps[owner]!.step : step;
    return about.kind === 'polygon' ? about : undefined;
  }

  /** The nodes above a step and the half spaces that they leave, the root's first. */
  private _wayTo(step: WalkStep): { nodes: number[]; planes: Plane[] } {
    const nodes: number[] = [];
    const planes: Plane[] = [];
    for (let at = step; at.parent >= 0; at = this.steps[at.parent]!) {
      const plane = this._plane(at.parent);
      nodes.unshift(at.parent);
      planes.unshift(at.child === 0 ? flipPlane(plane) : plane);
    }
    return { nodes, planes };
  }

  private _plane(number: number): Plane {
    const { normal, dist } = this.steps[number]!.step as NodeStep;
    return { normal, dist };
  }

  /** The sides, or features, of the current brush, facet or polygon that have been tested. */
  private _partsOf<K extends PartStep['kind']>(
    { step, number, owner }: WalkStep,
    kind: K,
  ): Extract<PartStep, { readonly kind: K }>[] {
    const isPart = owner >= 0;
    if (!isPart && !('outcome' in step)) return [];
    const parts: Extract<PartStep, { readonly kind: K }>[] = [];
    for (let at = isPart ? number : number - 1; at >= 0; at--) {
      const other = this.steps[at]!;
      if (other.step.kind !== kind || other.owner !== (isPart ? owner : number)) break;
      parts.unshift(other.step as Extract<PartStep, { readonly kind: K }>);
    }
    return parts;
  }
}

/** A step that is part of the test of a brush, facet or polygon. */
type PartStep = SideStep | FeatureStep;

function* stepsIn(steps: readonly WalkStep[], model: WalkStep['at']): Generator<TraceStep> {
  for (const { step, at } of steps) if (isSameModel(at, model)) yield step;
}

const isPart = ({ kind }: TraceStep): boolean => kind === 'side' || kind === 'feature';

/** Where the middle of a shape may not be in front of a polygon, whatever its edges: between two planes. */
const slabOf = (polygon: PolygonStep): Plane[] => [
  { normal: polygon.normal, dist: polygon.dist + polygon.offset },
  flipPlane(polygon),
];

/** Finds the node above every step, and the brush of every side. */
function link({ steps, trees = [] }: Explanation): WalkStep[] {
  const begun = new Map(trees.map((tree) => [tree.step, tree]));
  let at: ModelAt | undefined;
  const owners = ownersOf(steps);
  const above: { number: number; entered: number }[] = [];
  let leaf: { depth: number; parent: number; child: 0 | 1; span: Span } = {
    depth: 0,
    parent: -1,
    child: 0,
    span: { from: 0, to: 1 },
  };
  return steps.map((step, number): WalkStep => {
    const tree = begun.get(number);
    if (tree) at = tree;
    // Written out below, since spreads take V8 long and there may be thousands of steps.
    const owner = owners[number]!;
    const name = tree?.name;
    if (step.kind !== 'node' && step.kind !== 'leaf') {
      const deeper = isPart(step) ? 2 : 1;
      // What is touched, the move touches where the piece ends.
      const span = step.kind === 'feature' && step.enter >= 0 ? { from: 0, to: step.enter } : leaf.span;
      const { depth, parent, child } = leaf;
      return { number, step, owner, tree: name, at, depth: depth + deeper, parent, child, span };
    }
    above.length = Math.min(above.length, step.depth);
    const parent = above.at(-1);
    if (parent) parent.entered++;
    const node = parent && (steps[parent.number] as NodeStep);
    const place = {
      depth: step.depth,
      parent: parent?.number ?? -1,
      child: node?.children[parent!.entered - 1] ?? 0,
      span: { from: step.startFraction, to: step.endFraction },
    };
    if (step.kind === 'node') above.push({ number, entered: 0 });
    else leaf = place;
    const { depth, child, span } = place;
    return { number, step, owner, tree: name, at, depth, parent: place.parent, child, span };
  });
}

/** For every part, the number of the step of the brush, facet or polygon that it leads to; -1 for other steps. */
function ownersOf(steps: readonly TraceStep[]): Int32Array {
  const owners = new Int32Array(steps.length).fill(-1);
  let owner = -1;
  for (let number = steps.length - 1; number >= 0; number--) {
    const step = steps[number]!;
    if (isPart(step)) owners[number] = owner;
    else owner = 'outcome' in step ? number : -1;
  }
  return owners;
}

/** How often each kind of step was made. */
export type WorkCount = Readonly<Record<TraceStep['kind'], number>> & { readonly skipped: number };

/** How much work a walk was. */
export function countWork(steps: readonly TraceStep[]): WorkCount {
  const work = { node: 0, leaf: 0, brush: 0, facet: 0, polygon: 0, side: 0, feature: 0, skipped: 0 };
  for (const step of steps) {
    work[step.kind]++;
    if ('outcome' in step && SKIPPED.has(step.outcome)) work.skipped++;
  }
  return work;
}
