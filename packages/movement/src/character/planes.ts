// How a velocity is turned along planes. Places in a kit's array of doubles: the velocity now and at the start, then up to eight
// planes.
export const NOW = 0;
export const FIRST = 3;
const TRIED = 6;
export const PLANES = 9;
export const MOST_PLANES = 8;

/**
 * The part of a velocity that goes into a plane is removed a little more than once, so that rounding does not lead into it again.
 */
const OVERCLIP = 1.001;

/** Planes this similar count as one. If rounding leads into it again, this share of the speed is added away from it. */
const SAME_PLANE = 0.9999;
const NUDGE = 0.001;

/** Whether the plane after the first `count` is one of them. */
export function isKnown(v: Float64Array, count: number): boolean {
  const a = PLANES + 3 * count;
  for (let b = PLANES; b < a; b += 3) {
    if (v[a]! * v[b]! + v[a + 1]! * v[b + 1]! + v[a + 2]! * v[b + 2]! > SAME_PLANE) return true;
  }
  return false;
}

/** Turns the velocity away from a plane, by very little. */
export function nudge(v: Float64Array, plane: number): void {
  const size = NUDGE * Math.sqrt(v[NOW]! * v[NOW]! + v[NOW + 1]! * v[NOW + 1]! + v[NOW + 2]! * v[NOW + 2]!);
  for (let k = 0; k < 3; k++) v[NOW + k] = v[NOW + k]! + size * v[plane + k]!;
}

/** Makes a normal horizontal. */
export function makeWall(v: Float64Array, at: number): void {
  const size = Math.sqrt(v[at]! * v[at]! + v[at + 1]! * v[at + 1]!);
  v[at] = v[at]! / size;
  v[at + 1] = v[at + 1]! / size;
  v[at + 2] = 0;
}

export function stop(v: Float64Array): void {
  v[NOW] = 0;
  v[NOW + 1] = 0;
  v[NOW + 2] = 0;
}

/** Turns the velocity along the first plane for which it then goes into none of the others, or along the crease of two planes. */
export function turn(v: Float64Array, count: number): void {
  for (let i = 0; i < count; i++) {
    const a = PLANES + 3 * i;
    const into = (v[NOW]! * v[a]! + v[NOW + 1]! * v[a + 1]! + v[NOW + 2]! * v[a + 2]!) * OVERCLIP;
    for (let k = 0; k < 3; k++) v[TRIED + k] = v[NOW + k]! - v[a + k]! * into;
    let isGood = true;
    for (let j = 0; j < count && isGood; j++) {
      const b = PLANES + 3 * j;
      isGood = j === i || v[TRIED]! * v[b]! + v[TRIED + 1]! * v[b + 1]! + v[TRIED + 2]! * v[b + 2]! >= 0;
    }
    if (!isGood) continue;
    for (let k = 0; k < 3; k++) v[NOW + k] = v[TRIED + k]!;
    return;
  }
  if (count !== 2) {
    stop(v);
    return;
  }
  const x = v[PLANES + 1]! * v[PLANES + 5]! - v[PLANES + 2]! * v[PLANES + 4]!;
  const y = v[PLANES + 2]! * v[PLANES + 3]! - v[PLANES]! * v[PLANES + 5]!;
  const z = v[PLANES]! * v[PLANES + 4]! - v[PLANES + 1]! * v[PLANES + 3]!;
  const size = x * x + y * y + z * z;
  const along = size > 0 ? (v[NOW]! * x + v[NOW + 1]! * y + v[NOW + 2]! * z) / size : 0;
  v[NOW] = x * along;
  v[NOW + 1] = y * along;
  v[NOW + 2] = z * along;
}
