import { BY, copy, cross, DOT, dot, scale } from '../vectors.ts';

// How velocities follow what they meet, in the engines of one family.

const f = Math.fround;

/** Writes the vector at `from` without its part along the normal at `normal`, taken off `times`, to `to`, which may be `from`. */
export function clip(v: Float32Array, from: number, normal: number, to: number, times: number): void {
  dot(v, from, normal);
  const back = f(v[DOT]! * times);
  for (let k = 0; k < 3; k++) {
    const left = f(v[from + k]! - f(v[normal + k]! * back));
    // Next to nothing becomes nothing.
    v[to + k] = left > -0.1 && left < 0.1 ? 0 : left;
  }
}

/**
 * Writes the velocity at `from`, clipped by the first plane for which it then goes into none of the others, to `to`. Returns
 * whether there is one; otherwise `to` is clipped by the last.
 *
 * @param skipsEqual - whether a plane that was met twice is no other one.
 */
export function turn(
  v: Float32Array,
  from: number,
  to: number,
  planes: number,
  count: number,
  skipsEqual = false,
): boolean {
  for (let i = 0; i < count; i++) {
    clip(v, from, planes + 3 * i, to, 1);
    let isGood = true;
    for (let j = 0; j < count && isGood; j++) {
      if (j === i || (skipsEqual && areEqual(v, planes + 3 * i, planes + 3 * j))) continue;
      dot(v, to, planes + 3 * j);
      isGood = v[DOT]! >= 0;
    }
    if (isGood) return true;
  }
  return false;
}

const areEqual = (v: Float32Array, a: number, b: number): boolean =>
  v[a] === v[b] && v[a + 1] === v[b + 1] && v[a + 2] === v[b + 2];

/** Turns a velocity along the crease of the first two planes, whose direction is written to `crease`. */
export function followCrease(v: Float32Array, planes: number, crease: number, velocity: number): void {
  cross(v, planes, planes + 3, crease);
  dot(v, crease, velocity);
  v[BY] = v[DOT]!;
  copy(v, crease, velocity);
  scale(v, velocity);
}
