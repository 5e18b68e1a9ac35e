import type { Trace } from './trace.ts';

/** A point or direction of a step: three numbers. */
export type StepVec = readonly [number, number, number];

/** The walk came to a node, and measured how far the ends of its piece of the move are from the node's plane. */
export interface NodeStep {
  readonly kind: 'node';
  /** Node, by its number in the file; -1 for one that is not there. */
  readonly node: number;
  /** How deep in the tree, 0 at the root. */
  readonly depth: number;
  /** Unit normal of the node's plane. */
  readonly normal: StepVec;
  /** Distance of the node's plane from the origin along its normal, in Quake units. */
  readonly dist: number;
  /** Start of the piece of the move that reached this node. */
  readonly start: StepVec;
  /** End of that piece. */
  readonly end: StepVec;
  /** Where the piece starts, as a fraction of the whole move. */
  readonly startFraction: number;
  /** Where the piece ends, as a fraction of the whole move. */
  readonly endFraction: number;
  /** Signed distance of the piece's start from the plane, in Quake units. */
  readonly startDist: number;
  /** Signed distance of the piece's end from the plane, in Quake units. */
  readonly endDist: number;
  /** By how much the shape widens the plane on both sides, in Quake units. */
  readonly offset: number;
  /** Which children are entered, in order: 0 is the front child, 1 the back child. */
  readonly children: readonly (0 | 1)[];
  /** Where the first child's piece ends and the second one's begins, as fractions of this piece. */
  readonly split?: { readonly near: number; readonly far: number } | undefined;
}

/** The walk came to a leaf. */
export interface LeafStep {
  readonly kind: 'leaf';
  /** Leaf, by its number in the file; -1 in trees whose leafs have none. */
  readonly leaf: number;
  /** How deep in the tree, 0 at the root. */
  readonly depth: number;
  /** Contents of the leaf, as the format codes them. */
  readonly contents: number;
  /** Where the move enters the leaf, as a fraction of the whole move. */
  readonly startFraction: number;
  /** Where the move leaves the leaf, as a fraction of the whole move. */
  readonly endFraction: number;
}

/** How testing a brush, facet or polygon ended. */
export type ClipOutcome =
  /** It was tested before in this trace. */
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
  /** It would be hit, but something before it is no farther. */
  | 'farther'
  /** The move comes as near to it as would stop it, but would pass it if it went on: of exact spheres. */
  | 'passed'
  /** It would be hit, but one before it faces the move no less: of methods that choose by that and not by distance. */
  | 'outfaced';

/** A side of a brush, or a plane of a facet or polygon, was tested. */
export interface SideStep {
  readonly kind: 'side';
  /** Side, by its number in the file; for a facet or polygon, its place among the planes around it. */
  readonly side: number;
  /** Unit normal of the side's plane. */
  readonly normal: StepVec;
  /** Distance of the plane as widened by the shape, in Quake units. */
  readonly dist: number;
  /** Signed distance of the move's start from the widened plane, in Quake units. */
  readonly startDist: number;
  /** Signed distance of the move's end from the widened plane, in Quake units. */
  readonly endDist: number;
  /**
   * Where the move enters what is still inside, as a fraction; -1 until a side is entered. For a polygon, it begins where the shape
   * touches the polygon's plane.
   */
  readonly enter: number;
  /** Where the move leaves what is still inside, as a fraction; 1 until a side is left. For a polygon, it begins where the shape is through. */
  readonly leave: number;
}

/** A brush was tested, after its `side` steps. */
export interface BrushStep {
  readonly kind: 'brush';
  /** Brush, by its number in the file. */
  readonly brush: number;
  /** Contents of the brush, as the format codes them. */
  readonly contents: number;
  /** How the test ended. */
  readonly outcome: ClipOutcome;
  /** Where the move enters the brush, as a fraction; -1 if it enters no side. */
  readonly enter: number;
  /** Where the move leaves the brush, as a fraction; 1 if it leaves no side. */
  readonly leave: number;
  /** Side that was entered last, by its number in the file; -1 for none. */
  readonly side: number;
}

/** A facet of a curved patch was tested, after its `side` steps. */
export interface FacetStep {
  readonly kind: 'facet';
  /** Patch, by its surface number in the file. */
  readonly patch: number;
  /** Facet, by its number in the patch; -1 if the whole patch was skipped. */
  readonly facet: number;
  /** How the test ended. */
  readonly outcome: ClipOutcome;
  /**
   * Where the move enters the facet, as a fraction; -1 if it enters no plane. For a ray, this is where it crosses the surface, or
   * where it stops if it hits: an epsilon before the surface.
   */
  readonly enter: number;
  /** Where the move leaves the facet, as a fraction; 1 if it leaves no plane. */
  readonly leave: number;
}

/** A face, edge or corner of a polygon, brush or facet was tested by a method that sweeps a round shape exactly. */
export interface FeatureStep {
  readonly kind: 'feature';
  /** What it is. */
  readonly feature: 'face' | 'edge' | 'corner';
  /**
   * Its place among the faces, edges or corners of the brush or facet, or of the polygon or that triangle of it that is tested. A
   * polygon's edge leads from the corner of the same number to the next one.
   */
  readonly number: number;
  /** Of a brush's face: its side, by its number in the file. */
  readonly side?: number | undefined;
  /** Its corners: one of a corner, two of an edge, all of the face. */
  readonly points: readonly StepVec[];
  /**
   * Where the shape comes to touch it or, if it keeps a distance, as near as that, as a fraction; -1 if it does not within the
   * move. What is nearer at the start has 0 if the move leads towards it, and -1 if not.
   */
  readonly enter: number;
}

/**
 * A polygon was tested by a method that knows no brushes, after the `side` steps of the planes around it, or the `feature` steps
 * of what it consists of.
 */
export interface PolygonStep {
  readonly kind: 'polygon';
  /** Polygon, as the trace's `polygon` counts. One whose corners are off its plane may be tested as several triangles. */
  readonly polygon: number;
  /** Unit normal of the polygon's plane; where polygons block from both sides, the one that points to the side of the start. */
  readonly normal: StepVec;
  /** Distance of the plane from the origin along its normal, in Quake units. */
  readonly dist: number;
  /** Start of the move: the middle of the shape. */
  readonly start: StepVec;
  /** End of the move. */
  readonly end: StepVec;
  /** Signed distance of the move's start from the plane, in Quake units. */
  readonly startDist: number;
  /** Signed distance of the move's end from the plane, in Quake units. */
  readonly endDist: number;
  /** How far the shape reaches towards the plane, in Quake units. */
  readonly offset: number;
  /** Product of the normal and the direction of the move: -1 if it leads straight at the polygon. */
  readonly facing: number;
  /**
   * How the test ended: `apart` if the shape does not come to the plane. Of those that it hits, by the tutorial's method `hit` if
   * this one faces the move more than all before it, and `outfaced` if not; by the exact sweep `hit` if it is met before all of
   * them, and `farther` if not. Of what is overlapped at the start, `startSolid` is what the move leads no deeper into; of the rest,
   * `allSolid` is the deepest so far, and `farther` what is less deep.
   */
  readonly outcome: ClipOutcome;
  /**
   * Where the shape comes to the plane or, by the exact sweep, to a polygon that it meets, as a fraction; 0 if it starts there, -1
   * if it does not come to it.
   */
  readonly enter: number;
}

/** One step of a reference algorithm. */
export type TraceStep = NodeStep | LeafStep | SideStep | BrushStep | FacetStep | FeatureStep | PolygonStep;

/** Takes steps as they are made. */
export type Recorder = (step: TraceStep) => void;

/** A tree that was walked, if a trace walks several. */
export interface TreeSteps {
  /** What the tree holds, in words. */
  readonly name: string;
  /** Number of the model that it belongs to, as the trace's `model` counts: 0 for the world. Its steps are in that model's frame. */
  readonly model: number;
  /** Which of the models that the tracer was given, from 0, if it was given any: one may be there in several places. */
  readonly listed?: number | undefined;
  /** Index of its first step in {@link Explanation.steps}. */
  readonly step: number;
}

/** A trace and how it was computed: the steps of the literal algorithm, in order. */
export interface Explanation<T extends Trace = Trace> {
  /** The answer. */
  readonly trace: T;
  /** What was done for it, in order. */
  readonly steps: readonly TraceStep[];
  /** If the trace walks several trees: each of them, with its first step. */
  readonly trees?: readonly TreeSteps[] | undefined;
}

/** Why a whole move ended. */
export type MoveEnd =
  /** Nothing was in the way of what was left of it. */
  | 'free'
  /** Nothing was left of it: it led straight into what was touched. */
  | 'straight'
  /** What was left led into a third surface. */
  | 'corner'
  /** What was left led back. */
  | 'back'
  /** There were as many rounds as there may be. */
  | 'limit'
  /** The same, by a method that then takes the move back: it ended where it began. */
  | 'returned';

/** A way out of what was overlapped at the start of a move. */
export interface MovePush {
  /** Polygon that was overlapped deepest, as the trace's `polygon` counts. */
  readonly polygon: number;
  /** How deep, in Quake units. */
  readonly depth: number;
  /** Where the middle of the shape was. */
  readonly start: StepVec;
  /** Where it was pushed to: out of the polygon, and by the gap away from it. */
  readonly end: StepVec;
}

/**
 * A round of a whole move: one trace, and how the move goes on from what that touched. Places are those of the shape's middle. By a
 * method that pushes, the last one pushes nothing: it checks whether anything is still in the way.
 */
export interface MoveRound<T extends Trace = Trace> extends Explanation<T> {
  /** Where the round's trace begins. */
  readonly start: StepVec;
  /** Where it leads. */
  readonly end: StepVec;
  /** Where the move goes on: where it stopped or, by a method that pushes the end out of what it hit, where it began. */
  readonly stop: StepVec;
  /** Where it leads now: along what was touched, and nowhere, which is `stop`, where nothing is left of it. */
  readonly next: StepVec;
  /**
   * What it leads along: this round's surface, by the round's number from 0; along the crease of two, the round that met the other;
   * in a corner, also the round that met the third. Empty if nothing was touched.
   */
  readonly along: readonly number[];
  /** The face, edge or corner that was touched, if the steps tell of these. */
  readonly touched?: FeatureStep | undefined;
  /** Number of the body that the end was pushed out of, if it was none of the map's polygons. */
  readonly body?: number | undefined;
}

/** A whole move, round by round. */
export interface MoveExplanation<T extends Trace = Trace> {
  /** `slide`: it stops in front of what it touches, and goes on along it; `push`: its end is pushed out of what it hits. */
  readonly kind: 'slide' | 'push';
  /** Ways out of what was overlapped at the start, which come before the first round. */
  readonly pushes: readonly MovePush[];
  /** The rounds, in order: one at least. */
  readonly rounds: readonly MoveRound<T>[];
  /** Why the last one was the last. */
  readonly ended: MoveEnd;
  /** Where the traced point ended. */
  readonly endPos: StepVec;
  /** What was left of the move then; zero unless it ended for the limit of rounds. */
  readonly remaining: StepVec;
}
