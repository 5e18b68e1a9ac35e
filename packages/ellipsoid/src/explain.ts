import type {
  ClipOutcome,
  Explanation,
  FeatureStep,
  MoveExplanation,
  MovePush,
  MoveRound,
  Polygon,
  Recorder,
  StepVec,
  TraceStep,
  Vec3,
} from '@bspkit/core';
import { checkKind, checkMove, createRecorder, failArgument } from '@bspkit/core/format';
import type { Ellipsoid } from './ellipsoids.ts';
import type { Memory } from './kernel/memory.ts';
import { Q_MOVE, Q_OVERLAP, Q_RADII, Q_START, Q_TIME } from './kernel/query.ts';
import { prepareSweep, sweep, sweepPiece } from './kernel/sweep.ts';
import { PIECE_CORNERS, PIECE_NUM_CORNERS, PIECE_POLYGON, POLYGON_NUMBER, POLYGON_WORDS } from './layout.ts';
import { featuresOf, type Move, type Piece, planeTime, reachTowards } from './reference/sweep.ts';
import {
  createBody,
  createPolygon,
  GET_COLLIDING_POLYGON,
  type TutorialPolygon,
} from './reference/tutorial.ts';
import { createSlide, EllipsoidSlider } from './slide.ts';
import {
  answerSweep,
  createEllipsoidTrace,
  type EllipsoidTrace,
  EllipsoidTracer,
  isOverlap,
} from './tracer.ts';
import { checkObjects, createTutorialMove, END, START, TutorialTracer } from './tutorial.ts';

/** Polygons of a world as the document has them. */
interface Known {
  readonly polygons: readonly Polygon[];
  /** Those that have been needed. */
  readonly made: TutorialPolygon[];
}

const known: WeakMap<Memory, Known> = /* @__PURE__ */ new WeakMap();

/**
 * The first collision of a move, and how it was found, polygon by polygon.
 *
 * By the exact sweep: the polygons whose boxes the move comes to before what was met so far, each after its face, edges and
 * corners. What stops is the polygon of the last step whose outcome is `hit` or `allSolid`. A polygon whose corners are off its
 * plane is tested as several triangles. Those that are overlapped at the start have no features.
 *
 * By the document's method: the polygons of the leafs passed, those whose plane is crossed each after the planes around it. What
 * pushes is the polygon of the last step whose outcome is `hit`.
 *
 * Runs the algorithm word for word beside the tracer, so it is slow and meant for people. Throws as `trace` does, `TypeError` for
 * tracers of other packages, and `BspError` ('limit') at more than 131,072 steps.
 */
export function explain(
  tracer: EllipsoidTracer | TutorialTracer,
  start: Vec3,
  end: Vec3,
): Explanation<EllipsoidTrace> {
  checkKind(
    tracer instanceof EllipsoidTracer || tracer instanceof TutorialTracer,
    tracer,
    'tracer',
    'a tracer that world.ellipsoid, world.sphere or world.tutorial has made',
  );
  const trace = tracer.trace(start, end, createEllipsoidTrace());
  const { steps, record } = createRecorder('ellipsoid');
  if (tracer instanceof EllipsoidTracer) recordSweep(tracer._world._memory, tracer._query.slice(), record);
  else GET_COLLIDING_POLYGON(createBody(start, end, radiiOf(tracer)), collected(tracer), {}, record);
  return { trace, steps };
}

const radiiOf = ({ shape }: TutorialTracer): Vec3 => (shape as { readonly radii: Vec3 }).radii;

/**
 * A whole move, round by round, by the numbers of `slide` or `move`. Each round is explained as {@link explain} does one trace.
 *
 * By the exact sweep: a slider's pushes out of what it overlaps at the start, then its sweeps, each of which keeps the gap from what
 * it touches, and how the rest of the move was turned after it.
 *
 * By the document's method: its rounds of collision handling, five at most, and a check after them. All of them are about the whole
 * move, with its facing values as it was asked for; each round pushes the end out of the polygon that faces that most. The check
 * is the last of `rounds`: it finds nothing or, after five pushes, takes the move back.
 *
 * As slow as {@link explain}, and throws as `slide` and `move` do, `TypeError` for anything else, and `BspError` ('limit') at more
 * than 131,072 steps of all rounds together.
 *
 * @param objects - those of `move`; a slider knows none.
 */
export function explainMove(
  mover: EllipsoidSlider | TutorialTracer,
  start: Vec3,
  end: Vec3,
  objects: readonly Ellipsoid[] = [],
): MoveExplanation<EllipsoidTrace> {
  checkKind(
    mover instanceof EllipsoidSlider || mover instanceof TutorialTracer,
    mover,
    'mover',
    'an EllipsoidSlider, or a tracer that world.tutorial has made',
  );
  checkMove(start, end);
  checkObjects(objects);
  if (mover instanceof TutorialTracer) return explainHandling(mover, start, end, objects);
  if (objects.length > 0) failArgument('objects', 'none, as a slider knows no others', objects, false);
  return explainSlide(mover, start, end);
}

/** {@link explainMove} for a slider and checked ends. */
export function explainSlide(
  slider: EllipsoidSlider,
  start: Vec3,
  end: Vec3,
): MoveExplanation<EllipsoidTrace> {
  const { _query: query, _state: state } = slider;
  const { _memory: memory } = slider._world;
  const { steps, record } = createRecorder('ellipsoid');
  const out = createSlide();
  slider._begin(start, end, out);
  const pushes: MovePush[] = [];
  for (;;) {
    const from = vec(state, 0);
    const piece = slider._push();
    if (piece < 0) break;
    pushes.push({
      polygon: polygonOf(memory, piece),
      depth: slider._depth,
      start: from,
      end: vec(state, 0),
    });
  }
  const rounds: MoveRound<EllipsoidTrace>[] = [];
  for (let more = true; more; ) {
    const from = vec(state, 0);
    const to = ahead(state);
    const asked = query.slice();
    asked.set(from, Q_START);
    asked.set(state.subarray(3, 6), Q_MOVE);
    const first = steps.length;
    const piece = recordSweep(memory, asked, record);
    const trace = createEllipsoidTrace();
    answerSweep(memory, asked, piece, trace);
    if (piece < 0) trace.endPos.set(to);
    more = slider._round(out);
    const own = steps.slice(first);
    rounds.push({
      start: from,
      end: to,
      stop: vec(state, 0),
      next: ahead(state),
      along: piece < 0 ? [] : [rounds.length, slider._second, slider._third].filter((round) => round >= 0),
      touched: touchedOf(own),
      trace,
      steps: own,
    });
  }
  return {
    kind: 'slide',
    pushes,
    rounds,
    ended: slider._ended,
    endPos: vec(Float32Array.from(state), 0),
    remaining: vec(Float32Array.from(state), 3),
  };
}

/** Where the rest of a slider's move leads. */
const ahead = (state: Float64Array): StepVec => [
  state[0]! + state[3]!,
  state[1]! + state[4]!,
  state[2]! + state[5]!,
];

/** Times of a move that differ by no more than this are the same but for rounding. */
const AT_ONCE = 1e-9;

/**
 * Of the polygon that is touched first: what is touched of it. Faces come before edges that are touched at once, and those before
 * corners.
 */
function touchedOf(steps: readonly TraceStep[]): FeatureStep | undefined {
  let features: FeatureStep[] = [];
  let touched: FeatureStep | undefined;
  for (const step of steps) {
    if (step.kind === 'feature') features.push(step);
    if (step.kind !== 'polygon') continue;
    if (step.outcome === 'hit' || step.outcome === 'allSolid') {
      touched = features.find(({ enter }) => enter >= 0 && enter <= step.enter + AT_ONCE);
    }
    features = [];
  }
  return touched;
}

/** {@link explainMove} for the document's method and checked arguments. */
export function explainHandling(
  tracer: TutorialTracer,
  start: Vec3,
  end: Vec3,
  objects: readonly Ellipsoid[] = [],
): MoveExplanation<EllipsoidTrace> {
  const { _numbers: numbers } = tracer;
  const { steps, record } = createRecorder('ellipsoid');
  const out = createTutorialMove();
  tracer._begin(start, end);
  const object = createBody(start, end, radiiOf(tracer));
  const rounds: MoveRound<EllipsoidTrace>[] = [];
  for (let more = true; more; ) {
    const to = vec(numbers, END);
    object.EndPosition = [...to];
    const first = steps.length;
    const trace = tracer._answer(createEllipsoidTrace());
    const body = trace.polygon < 0 ? tracer._collidingObject(objects) : -1;
    GET_COLLIDING_POLYGON(object, collected(tracer), {}, record);
    more = tracer._round(objects, out);
    rounds.push({
      start: vec(numbers, START),
      end: to,
      stop: vec(numbers, more ? START : END),
      next: vec(numbers, END),
      along: trace.polygon < 0 && body < 0 ? [] : [rounds.length],
      ...(body >= 0 && { body }),
      trace,
      steps: steps.slice(first),
    });
  }
  return {
    kind: 'push',
    pushes: [],
    rounds,
    ended: out.returned ? 'returned' : 'free',
    endPos: vec(Float32Array.from(numbers), END),
    remaining: [0, 0, 0],
  };
}

/** The polygons of the leafs that the tracer's last move passed. */
function collected(tracer: TutorialTracer): TutorialPolygon[] {
  const { _memory: memory } = tracer;
  const { ints, places } = memory;
  let found = known.get(memory);
  if (!found) {
    found = { polygons: tracer._source.polygons(), made: [] };
    known.set(memory, found);
  }
  const { polygons, made } = found;
  return Array.from(tracer._collected(), (at) => {
    const number = (at - places.polygons.first) / POLYGON_WORDS;
    made[number] ??= createPolygon(polygons[ints[at + POLYGON_NUMBER]!]!, number);
    return made[number];
  });
}

const vec = (numbers: ArrayLike<number>, at: number): StepVec => [
  numbers[at]!,
  numbers[at + 1]!,
  numbers[at + 2]!,
];

/** Number of the polygon that a piece is of. */
const polygonOf = ({ ints, places }: Memory, piece: number): number =>
  (ints[piece + PIECE_POLYGON]! - places.polygons.first) / POLYGON_WORDS;

/** Sweeps from start by move, as the query has them, records all that was tested, and returns the piece that is met first, or -1. */
function recordSweep(memory: Memory, query: Float64Array, record: Recorder): number {
  const move = { start: vec(query, Q_START), move: vec(query, Q_MOVE), radii: vec(query, Q_RADII) };
  const tested: number[] = [];
  prepareSweep(query);
  const hit = sweep(memory, query, false, tested);
  // The same pieces in the same order, each also on its own.
  prepareSweep(query);
  for (const piece of tested) {
    const alone = query.slice();
    prepareSweep(alone);
    const isMet = sweepPiece(memory, piece, alone);
    const isFirst = sweepPiece(memory, piece, query);
    recordPiece(memory, piece, move, { alone, isMet, isFirst }, record);
  }
  return hit;
}

/** What the kernel found about a piece. */
interface Found {
  /** The query, as if the piece were the only one. */
  readonly alone: Float64Array;
  /** Whether the piece would stop the move, and does so before all that were tested before. */
  readonly isMet: boolean;
  readonly isFirst: boolean;
}

function recordPiece(
  memory: Memory,
  at: number,
  move: Move,
  { alone, isMet, isFirst }: Found,
  record: Recorder,
): void {
  const { ints, floats, doubles } = memory;
  const piece: Piece = {
    normal: vec(doubles, at >> 1),
    dist: doubles[(at >> 1) + 3]!,
    corners: Array.from({ length: ints[at + PIECE_NUM_CORNERS]! }, (_, k) =>
      vec(floats, ints[at + PIECE_CORNERS]! + 3 * k),
    ),
  };
  const isOverlapped = alone[Q_OVERLAP]! >= 0;
  const isInside = isOverlapped && isOverlap(alone, Q_OVERLAP, alone, Q_START);
  const crossed = planeTime(move, piece);
  let outcome: ClipOutcome = crossed < 0 ? 'apart' : 'missed';
  if (isFirst) outcome = isInside ? 'allSolid' : 'hit';
  else if (isMet) outcome = 'farther';
  else if (isInside) outcome = 'startSolid';
  if (crossed >= 0 && !isOverlapped) for (const feature of featuresOf(move, piece)) record(feature);
  const [x, y, z] = move.move;
  const length = Math.sqrt(x * x + y * y + z * z);
  const [nx, ny, nz] = piece.normal;
  const [sx, sy, sz] = move.start;
  const side = nx * sx + ny * sy + nz * sz - piece.dist;
  const speed = nx * x + ny * y + nz * z;
  const turn = (value: number): number => (side < 0 ? 0 - value : value);
  record({
    kind: 'polygon',
    polygon: polygonOf(memory, at),
    normal: [turn(nx), turn(ny), turn(nz)],
    dist: turn(piece.dist),
    start: [...move.start],
    end: [sx + x, sy + y, sz + z],
    startDist: turn(side),
    endDist: turn(side + speed),
    offset: reachTowards(move.radii, piece.normal),
    facing: length > 0 ? turn(speed) / length : 0,
    outcome,
    enter: isMet ? alone[Q_TIME]! : crossed,
  });
}
