import type { StepVec, Vec3 } from '@bspkit/core';
import { cos, sin } from '@bspkit/core/format';
import type { Quake1Version } from '../constants.ts';
import type { HullRules } from '../tracer.ts';
import { vec } from './tree.ts';

// What the engines do with the arguments of a trace before they walk a tree, written from the documents and not from the tracers,
// so that the differential tests find mistakes in preparation too.

/** A move of a hull as its caller requested it. */
export interface AskedMove {
  readonly version: Quake1Version;
  readonly rules: HullRules;
  /** Hull; `undefined` if it is chosen by the size of the box. */
  readonly hull: number | undefined;
  /** The mover's box. */
  readonly mins: Vec3;
  readonly maxs: Vec3;
  /** Where the entity is. */
  readonly origin: Vec3;
  readonly angles: Vec3;
  /** Whether it is a box entity, which has one hull and never turns. */
  readonly isBox: boolean;
}

/** A move in the frame of the tree that it is walked through. */
export interface LocalMove {
  readonly hull: number;
  readonly offset: StepVec;
  /** The model's axes, if it is turned. */
  readonly axes: Axes | undefined;
  readonly start: StepVec;
  readonly end: StepVec;
}

interface Axes {
  readonly forward: StepVec;
  readonly right: StepVec;
  readonly up: StepVec;
}

/** Corners of hulls 1 and up. */
const QUAKE_MINS: readonly StepVec[] = [
  [0, 0, 0],
  [-16, -16, -24],
  [-32, -32, -24],
];
const HALF_LIFE_MINS: readonly StepVec[] = [
  [0, 0, 0],
  [-16, -16, -36],
  [-32, -32, -32],
  [-16, -16, -18],
];

const f = Math.fround;

/** Moves both ends of a move into the frame of a hull, as the engine with the given rules does. */
export function prepareHull(move: AskedMove, start: Vec3, end: Vec3): LocalMove {
  const hull = move.isBox ? 0 : (move.hull ?? chooseHull(move));
  const offset = hullOffset(move, hull);
  const turned = isHalfLife(move.rules) && !move.isBox && vec(move.angles).some((angle) => angle !== 0);
  const axes = turned ? angleVectors(move.angles) : undefined;
  const local = (point: Vec3): StepVec => {
    const moved: StepVec = [
      f(f(point[0]!) - offset[0]),
      f(f(point[1]!) - offset[1]),
      f(f(point[2]!) - offset[2]),
    ];
    return axes ? turnIn(moved, axes) : moved;
  };
  return { hull, offset, axes, start: local(start), end: local(end) };
}

export const isHalfLife = (rules: HullRules): boolean => rules === 'halflife' || rules === 'halflife-player';

/** The hull for a mover by its size: in Quake only by x, in Half-Life by x and z. */
function chooseHull({ version, mins, maxs }: AskedMove): number {
  const sizeX = f(f(maxs[0]!) - f(mins[0]!));
  const sizeZ = f(f(maxs[2]!) - f(mins[2]!));
  if (version !== 30) {
    if (sizeX < 3) return 0;
    if (sizeX <= 32) return 1;
    return 2;
  }
  if (sizeX <= 8) return 0;
  if (sizeX <= 36) return sizeZ <= 36 ? 3 : 1;
  return 2;
}

/**
 * Clip mins minus the mover's, plus the entity's origin. For its point hull, whose clip mins are zero, Half-Life does not
 * subtract the mover's; nor does any engine for a box entity, whose tree includes the mover's box.
 */
function hullOffset({ version, rules, mins, origin, isBox }: AskedMove, hull: number): StepVec {
  const clip = (version === 30 ? HALF_LIFE_MINS : QUAKE_MINS)[hull]!;
  const add = (k: 0 | 1 | 2): number => {
    const base = isBox || (isHalfLife(rules) && hull === 0) ? 0 : f(clip[k] - f(mins[k]!));
    return f(base + f(origin[k]!));
  };
  return [add(0), add(1), add(2)];
}

/** The engine's AngleVectors, in float32; angles are pitch, yaw, roll in degrees. */
function angleVectors(angles: Vec3): Axes {
  const [pitch, yaw, roll] = vec(angles).map((angle) => f(f(angle) * ((Math.PI * 2) / 360))) as [
    number,
    number,
    number,
  ];
  const [sp, cp] = [f(sin(pitch)), f(cos(pitch))];
  const [sy, cy] = [f(sin(yaw)), f(cos(yaw))];
  const [sr, cr] = [f(sin(roll)), f(cos(roll))];
  return {
    forward: [f(cp * cy), f(cp * sy), -sp],
    right: [f(f(f(-sr * sp) * cy) + f(-cr * -sy)), f(f(f(-sr * sp) * sy) + f(-cr * cy)), f(-sr * cp)],
    up: [f(f(f(cr * sp) * cy) + f(-sr * -sy)), f(f(f(cr * sp) * sy) + f(-sr * cy)), f(cr * cp)],
  };
}

const dot = (a: StepVec, b: StepVec): number => f(f(f(a[0] * b[0]) + f(a[1] * b[1])) + f(a[2] * b[2]));

function turnIn(point: StepVec, { forward, right, up }: Axes): StepVec {
  return [dot(point, forward), -dot(point, right), dot(point, up)];
}

/** Turns a normal back by the transposed axes. */
export function turnOut(normal: StepVec, { forward, right, up }: Axes): StepVec {
  const back = (k: 0 | 1 | 2): number => dot(normal, [forward[k], -right[k], up[k]]);
  return [back(0), back(1), back(2)];
}

/** How a precise ray was requested. */
export interface AskedRay {
  readonly origin: Vec3;
  readonly angles: Vec3;
  /** Whether its model turns. */
  readonly turns: boolean;
}

/** Moves both ends of a ray into the frame of a model, in double precision; the axes are the engine's. */
export function prepareRay(ray: AskedRay, start: Vec3, end: Vec3): { start: StepVec; end: StepVec } {
  const turned = ray.turns && vec(ray.angles).some((angle) => angle !== 0);
  const axes = turned ? angleVectors(ray.angles) : undefined;
  const local = (point: Vec3): StepVec => {
    const [x, y, z] = [0, 1, 2].map((k) => point[k]! - ray.origin[k]!) as [number, number, number];
    if (!axes) return [x, y, z];
    const along = (axis: StepVec): number => x * axis[0] + y * axis[1] + z * axis[2];
    return [along(axes.forward), -along(axes.right), along(axes.up)];
  };
  return { start: local(start), end: local(end) };
}
