import type { Trace } from './trace.ts';

/** Three numbers that belong to their step. */
export type StepVec = readonly [number, number, number];

/** The walk came to a node and measured its two ends against the node's plane. */
export interface NodeStep {
  readonly kind: 'node';
  /** Node, by its number in the file. */
  readonly node: number;
  /** How deep in the tree, 0 at the root. */
  readonly depth: number;
  readonly normal: StepVec;
  readonly dist: number;
  /** The piece of the move that reached this node. */
  readonly start: StepVec;
  readonly end: StepVec;
  /** That piece as fractions of the whole move. */
  readonly startFraction: number;
  readonly endFraction: number;
  /** Signed distances of the piece's ends from the plane, in Quake units. */
  readonly startDist: number;
  readonly endDist: number;
  /** By how much the shape widens the plane on both sides, in Quake units. */
  readonly offset: number;
  /** Which children are entered, in order: 0 is the front child, 1 the back child. */
  readonly children: readonly (0 | 1)[];
  /** Where the first child's piece ends and the second one's begins, as fractions of this piece. */
  readonly split?: { readonly near: number; readonly far: number };
}

/** The walk came to a leaf. */
export interface LeafStep {
  readonly kind: 'leaf';
  readonly leaf: number;
  readonly depth: number;
  readonly contents: number;
  readonly startFraction: number;
  readonly endFraction: number;
}

/** How testing a brush or facet ended. */
export type ClipOutcome =
  /** Seen before in this trace. */
  | 'again'
  /** Its contents are not in the mask. */
  | 'masked'
  /** Its bounds are clear of the move's. */
  | 'apart'
  /** The move misses it. */
  | 'missed'
  /** The move starts in it and leaves it. */
  | 'startSolid'
  /** The move stays in it. */
  | 'allSolid'
  /** It is the nearest hit so far. */
  | 'hit'
  /** It would be hit, but something nearer was. */
  | 'farther';

/** A side of a brush, or a plane of a facet, was tested. */
export interface SideStep {
  readonly kind: 'side';
  /** Side, by its number in the file; for a facet, its place among the facet's planes. */
  readonly side: number;
  readonly normal: StepVec;
  /** Plane distance as the shape widened it, in Quake units. */
  readonly dist: number;
  readonly startDist: number;
  readonly endDist: number;
  /** The interval of the move that is still inside the brush, after this side: -1 and 1 at first. */
  readonly enter: number;
  readonly leave: number;
}

/** A brush was tested, after its `side` steps. */
export interface BrushStep {
  readonly kind: 'brush';
  readonly brush: number;
  readonly contents: number;
  readonly outcome: ClipOutcome;
  readonly enter: number;
  readonly leave: number;
  /** Side that was entered last, by its number in the file; -1 for none. */
  readonly side: number;
}

/** A facet of a curved patch was tested, after its `side` steps. */
export interface FacetStep {
  readonly kind: 'facet';
  /** Patch, by its surface number in the file. */
  readonly patch: number;
  readonly facet: number;
  readonly outcome: ClipOutcome;
  readonly enter: number;
  readonly leave: number;
}

/** One step of a reference algorithm. */
export type TraceStep = NodeStep | LeafStep | SideStep | BrushStep | FacetStep;

/** Takes steps as they are made. */
export type Recorder = (step: TraceStep) => void;

/** A tree that was walked, where a trace walks several. */
export interface TreeSteps {
  /** What the tree holds, in words. */
  readonly name: string;
  /** Number of its first step. */
  readonly step: number;
}

/** A trace and how it was computed: the steps of the literal algorithm, in order. */
export interface Explanation<T extends Trace = Trace> {
  readonly trace: T;
  readonly steps: readonly TraceStep[];
  /** Where several trees are walked: each with its first step. */
  readonly trees?: readonly TreeSteps[] | undefined;
}
