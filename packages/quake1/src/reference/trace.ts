import type { Recorder, StepVec, Vec3 } from '@bspkit/core';
import { EntityTracer } from '../box-entity.ts';
import type { Quake1PreciseTracer } from '../precise-tracer.ts';
import type { Quake1Tracer } from '../tracer.ts';
import { type HullCheck, hullCheck } from './hull.ts';
import { type ReferenceRay, rayIntersect } from './note.ts';
import { type AskedMove, isHalfLife, type LocalMove, prepareHull, prepareRay, turnOut } from './prepare.ts';
import { boxTree, type ReferenceTree, vec, worldTree } from './tree.ts';

/** The result of the literal algorithm for a move, from its raw arguments to the caller's frame. */
export interface ReferenceTrace {
  readonly hull: number;
  readonly fraction: number;
  readonly endPos: StepVec;
  readonly normal: StepVec;
  readonly dist: number;
  readonly startSolid: boolean;
  readonly allSolid: boolean;
  readonly inOpen: boolean;
  readonly inWater: boolean;
  /** Plane that was hit, by its number in the file; -1 for none, and for box entities. */
  readonly plane: number;
}

/** Traces as a hull tracer would, from what was requested of it. */
export function traceHull(tracer: Quake1Tracer, start: Vec3, end: Vec3, record?: Recorder): ReferenceTrace {
  const entity = tracer instanceof EntityTracer ? tracer._entity : undefined;
  const { _memory, _heads } = tracer._target;
  const { trees, version } = _memory;
  const { mins, maxs } = tracer._box;
  const asked: AskedMove = {
    ...{ version, rules: tracer.rules, mins, maxs },
    hull: tracer._sized ? undefined : tracer.hull,
    ...{ origin: tracer._origin, angles: tracer._angles, isBox: entity !== undefined },
  };
  const move = prepareHull(asked, start, end);
  const tree = entity
    ? boxTree(entity, { mins, maxs })
    : worldTree(trees[move.hull]!, _heads[move.hull]!, move.hull === 0);
  const found = isOpen(tree, asked) ? OPEN : hullCheck(tree, asked.rules, move.start, move.end, record);
  return finish(found, asked, move, start, end);
}

/** Half-Life's player movement takes a hull whose first node is not below its last one as open space. */
function isOpen(tree: ReferenceTree, { rules }: AskedMove): boolean {
  return rules === 'halflife-player' && tree.head >= 0 && tree.number(tree.head) >= tree.count - 1;
}

const OPEN: HullCheck = {
  ...{ fraction: 1, endPos: [0, 0, 0], startSolid: false, allSolid: false, inOpen: true, inWater: false },
  ...{ plane: undefined, side: 0 },
};

const float32 = (point: Vec3): StepVec => vec(Float32Array.from(vec(point)));

/** The end of a trace: what the caller gets from what the check found. */
function finish(
  found: HullCheck,
  { rules }: AskedMove,
  move: LocalMove,
  start: Vec3,
  end: Vec3,
): ReferenceTrace {
  const f = Math.fround;
  const { startSolid, allSolid, inOpen, inWater, plane, side } = found;
  const stuck = rules === 'quakeworld' || rules === 'halflife-player' ? startSolid || allSolid : false;
  const fraction = stuck ? 0 : found.fraction;
  let endPos: StepVec = plane ? found.endPos : float32(end);
  let normal: StepVec = plane ? plane.normal : [0, 0, 0];
  if (plane && side === 1) normal = [0 - normal[0], 0 - normal[1], 0 - normal[2]];
  if (isHalfLife(rules)) {
    const along = (k: 0 | 1 | 2): number => f(f(start[k]!) + f(fraction * f(f(end[k]!) - f(start[k]!))));
    if (fraction !== 1) endPos = stuck ? float32(start) : [along(0), along(1), along(2)];
    if (fraction !== 1 && move.axes && plane) normal = turnOut(normal, move.axes);
  } else if (plane && found.fraction !== 1) {
    const { offset } = move;
    endPos = [f(endPos[0] + offset[0]), f(endPos[1] + offset[1]), f(endPos[2] + offset[2])];
  }
  const dist = !plane ? 0 : side === 1 ? -plane.dist : plane.dist;
  return {
    ...{ hull: move.hull, fraction, endPos, normal, dist, startSolid, allSolid, inOpen, inWater },
    plane: plane ? plane.number : -1,
  };
}

/** Traces as a precise ray or hull without epsilon would, from what was requested of it. */
export function tracePrecise(
  tracer: Quake1PreciseTracer,
  start: Vec3,
  end: Vec3,
  record?: Recorder,
): ReferenceRay {
  const { _memory, _heads } = tracer._target;
  const turns = _memory.version === 30;
  const { water, slime, lava, sky } = tracer._inside;
  const outside = (contents: number): boolean => {
    if (contents === -3 || (contents <= -9 && contents >= -14)) return !water;
    if (contents === -4) return !slime;
    if (contents === -5) return !lava;
    if (contents === -6) return !sky;
    return contents === -2;
  };
  const asked = { origin: tracer._origin, angles: tracer._angles, turns };
  const ray = prepareRay(asked, start, end);
  const tree = worldTree(_memory.trees[tracer.hull]!, _heads[tracer.hull]!, tracer.hull === 0);
  return rayIntersect(tree, ray.start, ray.end, outside, record);
}
