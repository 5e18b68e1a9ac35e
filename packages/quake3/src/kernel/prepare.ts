import { F_ROWS } from './frame.ts';
import {
  BOX,
  CAPSULE,
  type Kernel,
  POINT,
  Q_CENTER,
  Q_CLEAR,
  Q_EXTENTS,
  Q_MAXS,
  Q_MINS,
  Q_MIRROR_MAXS,
  Q_MIRROR_MINS,
  Q_RADIUS,
  Q_RESIDUE,
  Q_SIDE_GROW,
  Q_SPARE,
  Q_SPHERE,
  ROUND,
  S_MODE,
  S_POINT,
} from './memory.ts';

const f = Math.fround;

/** How far the engine widens a plane that is not axial, for everything but points: it does not look at the box. */
const OBLIQUE_OFFSET = 2048;

/** More than rounding can move a facet's side that is pushed out by a unit: float32 has 24 bits. */
const ROUNDING = 2 ** -20;

/**
 * Everything about a trace that depends on the shape and on the target's angles, not on the move. Corners are as given;
 * `round` tells whether they are those of a capsule or sphere.
 */
export function prepareShape(kernel: Kernel, mins: Float32Array, maxs: Float32Array, round: boolean): void {
  const { query, state, frame, target } = kernel;
  for (let k = 0; k < 3; k++) {
    query[Q_CENTER + k] = f(f(mins[k]! + maxs[k]!) * 0.5);
    query[Q_MINS + k] = f(mins[k]! - query[Q_CENTER + k]!);
    query[Q_MAXS + k] = f(maxs[k]! - query[Q_CENTER + k]!);
    query[Q_RESIDUE + k] = 0;
    query[Q_SPHERE + k] = 0;
  }
  // As the engine has it: the width in y is not looked at, and a capsule wider than high is a sphere.
  const radius = Math.min(query[Q_MAXS]!, query[Q_MAXS + 2]!);
  const height = f(query[Q_MAXS + 2]! - radius);
  query[Q_RADIUS] = radius;
  query[Q_SPHERE + 2] = height;
  if (frame.rotated) {
    query[Q_SPHERE] = f(frame.floats[F_ROWS + 2]! * height);
    // The sign is the engine's, not that of a true rotation.
    query[Q_SPHERE + 1] = f(-frame.floats[F_ROWS + 5]! * height);
    query[Q_SPHERE + 2] = f(frame.floats[F_ROWS + 8]! * height);
  }
  let point = true;
  let empty = true;
  let most = radius;
  for (let k = 0; k < 3; k++) {
    if (target.moves) {
      // Against a model the engine centres the centred box once more, which rounding may leave something to do.
      query[Q_RESIDUE + k] = f(f(query[Q_MINS + k]! + query[Q_MAXS + k]!) * 0.5);
      query[Q_MINS + k] = f(query[Q_MINS + k]! - query[Q_RESIDUE + k]!);
      query[Q_MAXS + k] = f(query[Q_MAXS + k]! - query[Q_RESIDUE + k]!);
    }
    most = Math.max(most, Math.abs(query[Q_SPHERE + k]!), -query[Q_MINS + k]!, query[Q_MAXS + k]!);
    if (query[Q_MINS + k] !== 0) point = false;
    if (query[Q_MINS + k] !== 0 || query[Q_MAXS + k] !== 0) empty = false;
  }
  state[S_POINT] = point ? 1 : 0;
  state[S_MODE] = empty ? POINT : kernel.round ? ROUND : round ? CAPSULE : BOX;
  query[Q_SPARE] = 1 + most * ROUNDING;
  query[Q_EXTENTS + 3] = point ? 0 : OBLIQUE_OFFSET;
  query[Q_CLEAR + 3] = query[Q_EXTENTS + 3]! + 1;
  for (let k = 0; k < 3; k++) {
    query[Q_EXTENTS + k] = point ? 0 : query[Q_MAXS + k]!;
    query[Q_CLEAR + k] = f(query[Q_EXTENTS + k]! + 1);
    query[Q_MIRROR_MINS + k] = -query[Q_MAXS + k]!;
    query[Q_MIRROR_MAXS + k] = -query[Q_MINS + k]!;
    query[Q_SIDE_GROW + 2 * k] = query[round ? Q_RADIUS : Q_MAXS + k]!;
    query[Q_SIDE_GROW + 2 * k + 1] = round ? radius : -query[Q_MINS + k]!;
  }
}
