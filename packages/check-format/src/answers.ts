import { isDeepStrictEqual } from 'node:util';
import { createTrace, type PointClassifier, type Trace, type Tracer, type Vec3 } from '@bspkit/core';
import { dot } from '@bspkit/geometry';
import { demand, demandSame, demandThrows, show } from './demand.ts';
import { answersOf, demandAnswers, fieldsOf, type Move, showMove, squareOf, type World } from './sample.ts';

// What every tracer's answers must be, whatever the map. None of these is a test; each throws an error that says what is wrong.

/** How far in front of a surface a ray may stop, in Quake units: more than any engine's epsilon. */
const MOST_GAP = 0.25;

/**
 * What is wrong with an answer, in words.
 *
 * @param mask - contents that stop the tracer, as bits; 0 if they are not known.
 */
export function problemsOf(
  trace: Trace,
  start: Vec3,
  end: Vec3,
  { shape }: Tracer,
  world: Pick<World, 'numModels' | 'textureNames'>,
  mask = 0,
): string[] {
  const { fraction, endPos, normal, dist, startSolid, allSolid } = trace;
  const problems: string[] = [];
  const need = (holds: boolean, flaw: string): void => {
    if (!holds) problems.push(`${flaw}: ${show(fieldsOf(trace))} ${showMove([start, end])}`);
  };
  need(fraction >= 0 && fraction <= 1, 'fraction is not from 0 to 1');
  need([...endPos, ...normal, dist].every(Number.isFinite), 'numbers are not finite');
  for (let k = 0; k < 3; k++) {
    const span = end[k]! - start[k]!;
    const off = Math.abs(start[k]! + fraction * span - endPos[k]!);
    need(off < 0.01 + 1e-5 * Math.abs(span), 'endPos is not where the fraction says');
  }
  need(startSolid || !allSolid, 'allSolid is set without startSolid');
  const square = squareOf(normal);
  need(square === 0 || Math.abs(square - 1) < 1e-3, 'normal is neither of length 1 nor 0');
  for (const name of ['contents', 'surfaceFlags'] as const) {
    need(trace[name] === (trace[name] | 0), `${name} is not a signed whole number of 32 bits`);
  }
  const limits = { model: world.numModels, texture: world.textureNames().length - 1 };
  for (const name of ['model', 'texture', 'brush', 'side', 'patch', 'plane'] as const) {
    const most = name in limits ? limits[name as 'model'] : Number.MAX_SAFE_INTEGER;
    const isNumber = Number.isInteger(trace[name]) && trace[name] >= -1 && trace[name] <= most;
    need(isNumber, `${name} is not a whole number from -1 to ${most}`);
  }
  if (startSolid) return problems;
  if (fraction < 1) {
    const along = [0, 1, 2].map((k) => end[k]! - start[k]!);
    need(dot(normal, along) <= 1e-3, 'normal does not face the move');
    if (shape.kind === 'ray' && square > 0) {
      const isNear = Math.abs(dot(normal, endPos) - dist) < MOST_GAP;
      need(isNear, 'a ray does not end at the plane of normal and dist');
    }
    need(mask === 0 || (trace.contents & mask) !== 0, 'contents are none of those that stop it');
    return problems;
  }
  const nothing = { ...createTrace(), endPos };
  const names = Object.keys(nothing);
  const expected = fieldsOf(nothing, names);
  if (!isDeepStrictEqual(fieldsOf(trace, names), expected))
    need(false, `a miss has fields of a hit; it must be as a new answer, ${show(expected)}`);
  return problems;
}

/** An answer that is not given as `out` is a new one, which later moves leave as it is. */
export function checkOwnAnswers(tracer: Tracer, moves: readonly Move[]): void {
  const answers = moves.map(([start, end]) => tracer.trace(start, end));
  demand(
    new Set(answers).size === moves.length,
    'trace(start, end) returns the same object for two moves; without out, each answer must be a new one',
  );
  for (const [k, move] of moves.entries()) {
    const kept = fieldsOf(answers[k]!);
    demandSame(
      kept,
      fieldsOf(tracer.trace(...move)),
      () => `later moves change the answer ${showMove(move)}`,
    );
  }
}

/** Boxes keep copies of the corners that they are made of or changed to, by the given function. */
export function checkCopies(make: (mins: Vec3, maxs: Vec3) => Tracer, moves: readonly Move[]): void {
  const [mins, maxs] = [Float32Array.of(-16, -16, -24), Float32Array.of(16, 16, 32)];
  const tracer = make(mins, maxs);
  const before = answersOf(tracer, moves);
  mins.fill(-999);
  maxs.fill(999);
  const what = 'a box answers differently once the arrays of its corners are changed; it must keep copies';
  demandAnswers(answersOf(tracer, moves), before, moves, what);
}

/** Where a ray is free there are contents, nothing at all among them, that are never where it starts in solid. */
export function checkContents(world: PointClassifier, ray: Tracer, moves: readonly Move[]): void {
  const [free, solid] = [new Set<number>(), new Set<number>()];
  for (const [start, end] of moves) {
    const { endPos, normal, startSolid } = ray.trace(start, end);
    const behind = endPos.map((x, k) => x - normal[k]!);
    for (const point of startSolid ? [start] : [start, behind]) {
      const found = ray.trace(point, point).startSolid ? solid : free;
      const contents = world.contents(point);
      demand(
        contents === (contents | 0),
        `world.contents(point) is ${show(contents)}; it must be a signed whole number of 32 bits`,
      );
      found.add(contents);
    }
  }
  demand(
    solid.size > 0,
    `no ray of ${moves.length} starts in solid, not even a unit behind where others were stopped`,
  );
  // Not of all contents: the void around a map may be solid without any brush that stops a ray.
  demand(
    [...free].some((contents) => !solid.has(contents)),
    `world.contents(point) is ${show([...free])} where a ray is free, and the same where it starts in solid`,
  );
  demandThrows(() => world.contents([0, Number.NaN, 0]), RangeError, 'world.contents([0, NaN, 0])');
}

/** Moves of no length, a unit behind where others were stopped, are in solid all the way, at least some of them. */
export function checkSolid(tracer: Tracer, moves: readonly Move[]): void {
  let [stopped, found] = [0, 0];
  for (const move of moves) {
    const { fraction, startSolid, endPos, normal } = tracer.trace(...move);
    if (fraction === 1 || startSolid) continue;
    stopped++;
    const behind = endPos.map((x, k) => x - normal[k]!);
    const inside = tracer.trace(behind, behind);
    demandSame(
      inside.allSolid,
      inside.startSolid,
      () => `allSolid is not what startSolid is for a move of no length at ${behind.join(' ')}`,
    );
    if (inside.startSolid) found++;
  }
  demand(stopped > 0, `none of ${moves.length} moves is stopped on its way`);
  demand(found > 0, `a unit behind where moves are stopped, startSolid is never set (${stopped} of them)`);
}
