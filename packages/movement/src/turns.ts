import { sinCos } from '@bspkit/core/format';

/** Sines and cosines of pitch, yaw and roll, kept for as long as the angles stay what they are. */
export interface Turns {
  /** The angles in degrees that they belong to. */
  readonly angles: Float32Array;
  /** Sine and cosine of each. */
  readonly waves: Float32Array;
  readonly radians: Float64Array;
  /** What makes radians of degrees. */
  readonly factor: number;
}

/** Degrees to radians, as engines compiled to native code have it: a double. */
export const RADIANS: number = (Math.PI * 2) / 360;

/** @param factor - makes radians of degrees, where that is not the double. */
export function createTurns(factor: number = RADIANS): Turns {
  return {
    factor,
    angles: new Float32Array(3).fill(Number.NaN),
    waves: new Float32Array(6),
    radians: new Float64Array(2),
  };
}

const f = Math.fround;

/**
 * Writes the ways forward and right of the view angles at `angles` into vectors at `forward` and `right`, with the
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
    // By its sign too: the sine of -0 is -0.
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
