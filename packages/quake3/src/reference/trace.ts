import type { Recorder, Vec3 } from '@bspkit/core';
import { F_ANGLES, F_ORIGIN } from '../kernel/frame.ts';
import { Q_EPSILON, S_CURVES, S_MASK } from '../kernel/memory.ts';
import { MODEL_LIST, MODEL_WORDS } from '../layout.ts';
import type { Quake3Tracer } from '../tracer.ts';
import type { ReferenceAnswer, ReferenceTrace } from './clip.ts';
import { testPosition } from './position.ts';
import { prepare, type Question } from './prepare.ts';
import { checkList, checkTree } from './sweep.ts';
import { dot, each, lerp, type Point, three } from './vec.ts';

// The two tutorials' algorithm (`CheckNode`, `CheckBrush`), written out recursively and without any shortcut, from the arguments
// as given, with the engine's rules where the tutorials differ; exact spheres walk the same tree. It is slow. The kernels are
// tested against it, and its recorded steps are what `explain` returns.

/** Traces what a tracer would; steps of sweeps go to `record`. */
export function referenceTrace(
  tracer: Quake3Tracer,
  start: Vec3,
  end: Vec3,
  record: Recorder,
): ReferenceAnswer {
  const question = questionOf(tracer, start, end);
  const { memory, model } = question;
  const prepared = prepare(question);
  const trace: ReferenceTrace = {
    ...question,
    ...prepared,
    round: question.exact && !prepared.isPoint,
    record,
    seen: new Set(),
    answer: {
      fraction: 1,
      endPos: question.end,
      normal: [0, 0, 0],
      dist: 0,
      startSolid: false,
      allSolid: false,
      contents: 0,
      surfaceFlags: 0,
      brush: -1,
      side: -1,
      patch: -1,
    },
  };
  const list = memory.places.models.first + MODEL_WORDS * model + MODEL_LIST;
  if (prepared.still) testPosition(trace, model === 0 ? undefined : list);
  else if (model === 0) checkTree(trace);
  else checkList(trace, list);
  return finish(trace.answer, question, prepared.rows);
}

/** What a tracer was given, and nothing that it made from that. */
function questionOf(tracer: Quake3Tracer, start: Vec3, end: Vec3): Question {
  const { shape } = tracer;
  const { query, state, target, frame, round } = tracer._kernel;
  const { memory, model, moves } = target;
  const radius = shape.kind === 'sphere' ? shape.radius : 0;
  return {
    memory,
    model,
    placed: moves,
    origin: three(frame.floats, F_ORIGIN),
    angles: three(frame.floats, F_ANGLES),
    mins: 'mins' in shape ? three(shape.mins) : three([-radius, -radius, -radius]),
    maxs: 'mins' in shape ? three(shape.maxs) : three([radius, radius, radius]),
    capsule: shape.kind === 'sphere' || shape.kind === 'capsule',
    exact: round !== undefined,
    mask: state[S_MASK]!,
    epsilon: query[Q_EPSILON]!,
    curves: state[S_CURVES] !== 0,
    start: three(start),
    end: three(end),
  };
}

/** Where the move ends, and the normal out of the model's frame. */
function finish(
  answer: ReferenceAnswer,
  { start, end, placed }: Question,
  rows: readonly [Point, Point, Point] | undefined,
): ReferenceAnswer {
  const { fraction, normal } = answer;
  const turns = rows && fraction !== 1;
  answer.normal = turns ? each((k) => dot([rows[0][k], rows[1][k], rows[2][k]], normal)) : three(normal);
  // Against a model the engine computes the end even of an unhindered move, which may differ by rounding.
  if (fraction !== 1 || placed) answer.endPos = lerp(start, end, fraction);
  return answer;
}
