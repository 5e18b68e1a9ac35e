import type { ClipOutcome, Explanation, Polygon, Recorder, StepVec, Vec3 } from '@bspkit/core';
import { checkKind, createRecorder } from '@bspkit/core/format';
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
import { createEllipsoidTrace, type EllipsoidTrace, EllipsoidTracer, isOverlap } from './tracer.ts';
import { TutorialTracer } from './tutorial.ts';

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
  if (tracer instanceof EllipsoidTracer) recordSweep(tracer, record);
  else {
    const { radii } = tracer.shape as { readonly radii: Vec3 };
    GET_COLLIDING_POLYGON(createBody(start, end, radii), collected(tracer), {}, record);
  }
  return { trace, steps };
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

/** Sweeps as the tracer did last, and records all that was tested. */
function recordSweep({ _world: world, _query: asked }: EllipsoidTracer, record: Recorder): void {
  const { _memory: memory } = world;
  const query = asked.slice();
  const move = { start: vec(query, Q_START), move: vec(query, Q_MOVE), radii: vec(query, Q_RADII) };
  const tested: number[] = [];
  prepareSweep(query);
  sweep(memory, query, false, tested);
  // The same pieces in the same order, each also on its own.
  prepareSweep(query);
  for (const piece of tested) {
    const alone = query.slice();
    prepareSweep(alone);
    const isMet = sweepPiece(memory, piece, alone);
    const isFirst = sweepPiece(memory, piece, query);
    recordPiece(memory, piece, move, { alone, isMet, isFirst }, record);
  }
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
  { ints, floats, doubles, places }: Memory,
  at: number,
  move: Move,
  { alone, isMet, isFirst }: Found,
  record: Recorder,
): void {
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
    polygon: (ints[at + PIECE_POLYGON]! - places.polygons.first) / POLYGON_WORDS,
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
