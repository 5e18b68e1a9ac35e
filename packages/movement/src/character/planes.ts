// How a velocity is turned along planes. Places in a kit's array of doubles: the velocity now and at the start, then up to eight
// planes.
export const NOW = 0;
export const FIRST = 3;
const TRIED = 6;
export const PLANES = 9;
export const MOST_PLANES = 8;
/** How far it has gone since the last plane was hit. */
export const AWAY: number = PLANES + 3 * MOST_PLANES;
/** Normal of the ground that is walked on, straight up if none is. */
export const GROUND: number = AWAY + 3;

/**
 * The part of a velocity that goes into a plane is removed a little more than once, so that rounding does not lead into it again.
 */
const OVERCLIP = 1.001;

/** Planes this similar count as one. If rounding leads into it again, this share of the speed is added away from it. */
const SAME_PLANE = 0.9999;
const NUDGE = 0.001;
/** Two planes that are less open than this, 1 plus the cosine between their normals, lead nowhere. */
const LEAST_OPEN = 0.01;

/** Whether the plane after the first `count` is one of them. */
export function isKnown(v: Float64Array, count: number): boolean {
  const a = PLANES + 3 * count;
  for (let b = PLANES; b < a; b += 3) {
    if (v[a]! * v[b]! + v[a + 1]! * v[b + 1]! + v[a + 2]! * v[b + 2]! > SAME_PLANE) return true;
  }
  return false;
}

/**
 * Turns the velocity along a known plane, and away from it by very little. Along the crease of two, away from both: where they lean
 * towards each other, what leads away from one leads into the other. Between two that face each other, exactly along them.
 */
export function nudge(v: Float64Array, plane: number, count: number): void {
  const size = NUDGE * Math.sqrt(v[NOW]! * v[NOW]! + v[NOW + 1]! * v[NOW + 1]! + v[NOW + 2]! * v[NOW + 2]!);
  const a = count === 2 ? PLANES : plane;
  const b = count === 2 ? PLANES + 3 : plane;
  const open = 1 + v[a]! * v[b]! + v[a + 1]! * v[b + 1]! + v[a + 2]! * v[b + 2]!;
  const into = v[NOW]! * v[plane]! + v[NOW + 1]! * v[plane + 1]! + v[NOW + 2]! * v[plane + 2]!;
  const back = Math.max(-into, 0);
  for (let k = 0; k < 3; k++)
    v[NOW + k] =
      v[NOW + k]! + back * v[plane + k]! + (size * (v[a + k]! + v[b + k]!)) / Math.max(open, LEAST_OPEN);
}

/** Turns the normal of a slope into that of a wall: the upright one through the line in which the slope meets the ground. */
export function makeWall(v: Float64Array, at: number): void {
  const lean = v[at + 2]! / v[GROUND + 2]!;
  const x = v[at]! - lean * v[GROUND]!;
  const y = v[at + 1]! - lean * v[GROUND + 1]!;
  const size = Math.sqrt(x * x + y * y);
  v[at] = x / size;
  v[at + 1] = y / size;
  v[at + 2] = 0;
}

/**
 * Raises a velocity that leads into the ground, so that it follows that again. Where the ground slopes down to a slope that is a wall,
 * one that is only turned along the wall would lead into the slope over and over.
 */
export function keepAbove(v: Float64Array): void {
  const into = v[NOW]! * v[GROUND]! + v[NOW + 1]! * v[GROUND + 1]! + v[NOW + 2]! * v[GROUND + 2]!;
  if (into < 0) v[NOW + 2] = v[NOW + 2]! - into / v[GROUND + 2]!;
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
