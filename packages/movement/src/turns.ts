import { sinCos } from '@bspkit/core/format';

/** Sines and cosines of pitch, yaw and roll, kept until the angles change. */
export interface Turns {
  /** The angles in degrees that they belong to. */
  readonly angles: Float32Array;
  /** Sine and cosine of each. */
  readonly waves: Float32Array;
  readonly radians: Float64Array;
  /** The factor from degrees to radians. */
  readonly factor: number;
}

/** Degrees to radians, as in engines compiled to native code: a double. */
export const RADIANS: number = (Math.PI * 2) / 360;

/** @param factor - from degrees to radians, if it is not that double. */
export function createTurns(factor: number = RADIANS): Turns {
  return {
    factor,
    angles: new Float32Array(3).fill(Number.NaN),
    waves: new Float32Array(6),
    radians: new Float64Array(2),
  };
}

const f = Math.fround;

/** Of 32 bits: what is beyond them counts as the least of them, as processors convert it. */
const LEAST = -0x80000000;
export const toInt = (x: number): number => (x > LEAST && x < -LEAST ? x | 0 : LEAST);

/**
 * Degrees in 65,536 parts of a turn, as a quotient of float32s: of more than five turns, it may be rounded to a whole number. Of
 * more than 32,768 turns either way, it is the least number of 32 bits, whose lower half is 0.
 */
export const partsOfTurn = (degrees: number): number => toInt(f(f(f(degrees) * 65536) / 360));

/**
 * Writes the directions forward and right for the view angles at `angles` into the vectors at `forward` and `right`, with the
 * engines' rounding.
 */
export function turnVectors(
  turns: Turns,
  v: Float32Array,
  angles: number,
  forward: number,
  right: number,
): void {
  const { waves, factor } = turns;
  for (let k = 0; k < 3; k++) {
    const angle = v[angles + k]!;
    // Compared with its sign: the sine of -0 is -0.
    if (Object.is(angle, turns.angles[k])) continue;
    turns.angles[k] = angle;
    turns.radians[0] = f(angle * factor);
    sinCos(turns.radians);
    waves[2 * k] = turns.radians[0]!;
    waves[2 * k + 1] = turns.radians[1]!;
  }
  const sp = waves[0]!;
  const cp = waves[1]!;
  const sy = waves[2]!;
  const cy = waves[3]!;
  const sr = waves[4]!;
  const cr = waves[5]!;
  v[forward] = cp * cy;
  v[forward + 1] = cp * sy;
  v[forward + 2] = -sp;
  const tilt = f(-sr * sp);
  v[right] = f(tilt * cy) + f(-cr * -sy);
  v[right + 1] = f(tilt * sy) + f(-cr * cy);
  v[right + 2] = -sr * cp;
}

/** The same with the direction up. */
export function turnAxes(
  turns: Turns,
  v: Float32Array,
  angles: number,
  forward: number,
  right: number,
  up: number,
): void {
  turnVectors(turns, v, angles, forward, right);
  const { waves } = turns;
  const sp = waves[0]!;
  const sy = waves[2]!;
  const cy = waves[3]!;
  const sr = waves[4]!;
  const cr = waves[5]!;
  const tilt = f(cr * sp);
  v[up] = f(tilt * cy) + f(-sr * -sy);
  v[up + 1] = f(tilt * sy) + f(-sr * cy);
  v[up + 2] = cr * waves[1]!;
}
