import type { Explanation, TraceStep, Vec3 } from '@bspkit/core';
import { BoxTracer } from './box-tracer.ts';
import { B_LIMIT, S_STILL } from './kernel.ts';
import { MODEL_ROOT, SECTIONS, TILE_BOX_HEADS } from './layout.ts';
import type { LineTracer } from './line-tracer.ts';
import { type ReferenceLine, referenceLine } from './reference.ts';
import { BoxWalk, type ReferenceSweep } from './reference-box.ts';
import type { BoxTrace, LineTrace } from './trace.ts';
import { placeInModel } from './trace-model.ts';
import { enterWorld, selects } from './trace-tiles.ts';

const f = Math.fround;

/** A tree that was walked, and where its steps begin. */
export interface HeadSteps {
  readonly tile: number;
  /** Model in the tile; for an inline model `*k` traced by itself, 258 + k counted through all tiles. */
  readonly level: number;
  /** Number of its first step. */
  readonly step: number;
}

export interface LineExplanation extends Explanation<LineTrace> {
  readonly heads: readonly HeadSteps[];
  /** What the literal algorithm answered, models left out. */
  readonly reference: ReferenceLine;
}

export interface BoxExplanation extends Explanation<BoxTrace> {
  readonly heads: readonly HeadSteps[];
  /** What the literal algorithm answered, models left out. Absent for position tests, which are not sweeps. */
  readonly reference: ReferenceSweep | undefined;
}

/**
 * A trace and how it came about: every tree that is walked (`heads`), its nodes with both distances and where the piece
 * is split, leafs, and for boxes brushes with every side's distances and how enter and leave moved. Numbers are those
 * of the tile's file, coordinates those that the algorithm works in. Of a line, the walk for the place of impact.
 *
 * Runs the recursive algorithm over the whole trees beside the tracer, so it is slow and meant for people. Models that
 * a tracer was given are in the trace and not in the steps. Throws as `trace` does.
 */
export function explain(tracer: LineTracer, start: Vec3, end: Vec3): LineExplanation;
export function explain(tracer: BoxTracer, start: Vec3, end: Vec3): BoxExplanation;
export function explain(
  tracer: LineTracer | BoxTracer,
  start: Vec3,
  end: Vec3,
): LineExplanation | BoxExplanation {
  return tracer instanceof BoxTracer ? explainBox(tracer, start, end) : explainLine(tracer, start, end);
}

function explainLine(tracer: LineTracer, start: Vec3, end: Vec3): LineExplanation {
  const trace = tracer.trace(start, end);
  const steps: TraceStep[] = [];
  const heads: HeadSteps[] = [];
  const reference = referenceLine(
    tracer._memory,
    tracer._blockedFilter,
    tracer._hitFilter,
    [f(start[0]!), f(start[1]!), f(start[2]!)],
    [f(end[0]!), f(end[1]!), f(end[2]!)],
    (step) => steps.push(step),
    (tile, level) => heads.push({ tile, level, step: steps.length }),
  );
  return { trace, steps, heads, reference };
}

function explainBox(tracer: BoxTracer, start: Vec3, end: Vec3): BoxExplanation {
  const trace = tracer.trace(start, end);
  const { _memory: memory, _target: target, _levels: levels } = tracer;
  const { ints, places, box, boxState } = memory;
  const steps: TraceStep[] = [];
  const heads: HeadSteps[] = [];
  if (target.model) placeInModel(memory, target.model, target.shiftRule);
  else enterWorld(memory);
  if (boxState[S_STILL] !== 0) return { trace, steps, heads, reference: undefined };
  const walk = new BoxWalk(memory, target.model ? Math.min(1, box[B_LIMIT]!) : 1, (step) => steps.push(step));
  if (target.model) {
    const { tile, number, _place: place } = target.model;
    heads.push({ tile, level: 258 + number, step: 0 });
    if (ints[place + MODEL_ROOT]! >= 0) walk.head(tile, ints[place + MODEL_ROOT]!);
  }
  for (let tile = 0; tile < places.tiles.count && !target.model; tile++) {
    if (target.tile >= 0 && tile !== target.tile) continue;
    const range = places.tiles.first + SECTIONS.tiles * tile + TILE_BOX_HEADS;
    for (let head = ints[range]!; head < ints[range]! + ints[range + 1]!; head++) {
      const at = places.boxHeads.first + SECTIONS.boxHeads * head;
      if (target.head >= 0 ? head !== target.head : !selects(levels.mask, ints[at + 1]!)) continue;
      heads.push({ tile, level: ints[at + 1]!, step: steps.length });
      walk.head(tile, ints[at]!);
    }
  }
  const { fraction, normal, dist, startSolid, allSolid, contents } = walk;
  return { trace, steps, heads, reference: { fraction, normal, dist, startSolid, allSolid, contents } };
}
