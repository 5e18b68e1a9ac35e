import { cos, sin } from '@bspkit/core/format';
import { dot, lengthOf, type Vec } from '@bspkit/geometry';
import { defaultAxes } from './brushes.ts';
import type { TextureAxes } from './source.ts';

/** Offsets, rotation in degrees and scales: how Quake's `.map` text gives texture axes. */
export type QuakeAxes = readonly [
  offsetS: number,
  offsetT: number,
  rotation: number,
  scaleS: number,
  scaleT: number,
];

/** The texture axes that five numbers stand for, along the axes of the nearest wall or floor. A scale of 0 counts as 1. */
export function fromQuakeAxes(
  [offsetS, offsetT, rotation, scaleS, scaleT]: QuakeAxes,
  normal: Vec,
): TextureAxes {
  const { s, t } = defaultAxes(normal);
  const [sin, cos] = turnOf(rotation);
  const axis = (k: 0 | 1 | 2): [number, number] => [
    (cos * s[k] - sin * t[k]) / (scaleS || 1),
    (sin * s[k] + cos * t[k]) / (scaleT || 1),
  ];
  const [x, y, z] = [axis(0), axis(1), axis(2)];
  return { s: [x[0], y[0], z[0], offsetS], t: [x[1], y[1], z[1], offsetT] };
}

/**
 * The five numbers that give texture axes; `undefined` for axes that are skewed, without length, or in another plane than those
 * of the nearest wall or floor. Of those that a file has rounded, it may also miss one whose angle has six digits or more.
 */
export function toQuakeAxes({ s, t }: TextureAxes, normal: Vec): QuakeAxes | undefined {
  const base = defaultAxes(normal);
  const [sAlong, sAcross] = [dot(s, base.s), dot(s, base.t)];
  const [tAlong, tAcross] = [dot(t, base.s), dot(t, base.t)];
  // Numbers of a file are rounded, and so both axes are turned by a little more or less. A negative scale is half a turn.
  const turn = degreesOf(sAlong, -sAcross);
  const apart = degreesOf(tAcross, tAlong) - turn;
  for (const rotation of roundings(turn + (apart - 180 * Math.round(apart / 180)) / 2)) {
    const [sin, cos] = turnOf(rotation);
    const scaleS = scaleNear(1 / (cos * sAlong - sin * sAcross), (scale) =>
      isSameAxis(fromQuakeAxes([s[3], t[3], rotation, scale, 1], normal).s, s),
    );
    const scaleT = scaleNear(1 / (sin * tAlong + cos * tAcross), (scale) =>
      isSameAxis(fromQuakeAxes([s[3], t[3], rotation, 1, scale], normal).t, t),
    );
    if (scaleS !== undefined && scaleT !== undefined) return [s[3], t[3], rotation, scaleS, scaleT];
  }
  return undefined;
}

/** A scale with few digits that gives an axis. Text counts 0 as 1, and that of an axis without length is infinite. */
function scaleNear(exact: number, gives: (scale: number) => boolean): number | undefined {
  for (const scale of roundings(exact))
    if (scale !== 0 && Number.isFinite(scale) && gives(scale)) return scale;
  return undefined;
}

/** A number with few digits, as people write them, then with more and more. */
function* roundings(value: number): Generator<number> {
  for (const digits of [0, 2, 4, 6, 9, 12]) yield Number(value.toFixed(digits));
  yield value;
}

/**
 * Whether an axis gives the same numbers in a file as the wanted one. It may also differ from that by the rounding of a few
 * operations at most, as models are moved before they are rounded; but numbers that were in a file already have been rounded.
 */
function isSameAxis(axis: TextureAxes['s'], wanted: TextureAxes['s']): boolean {
  const size = Math.abs(wanted[0]) + Math.abs(wanted[1]) + Math.abs(wanted[2]);
  return axis.every((x, k) => {
    const y = wanted[k]!;
    const stored = Math.fround(y);
    return Math.fround(x) === stored && (stored === y || Math.abs(x - y) <= 4e-15 * size);
  });
}

/**
 * The angle of a direction in the plane, by Newton's method: each round leaves a sixth of the third power of the error. Instead
 * of `Math.atan2`, whose last bits differ from engine to engine.
 */
function degreesOf(x: number, y: number): number {
  const length = lengthOf(x, y, 0);
  // From the nearest axis, at most an eighth of a turn away.
  const side = y < 0 ? -1 : 1;
  let angle = Math.abs(y) > Math.abs(x) ? side * (Math.PI / 2) : x < 0 ? side * Math.PI : 0;
  for (let round = 0; round < 5; round++) angle += (y * cos(angle) - x * sin(angle)) / length;
  return (angle * 180) / Math.PI;
}

/** Sine and cosine, exact for right angles. */
function turnOf(degrees: number): [number, number] {
  const quarter = degrees / 90;
  if (Number.isInteger(quarter)) {
    const k = ((quarter % 4) + 4) % 4;
    return [[0, 1, 0, -1][k]!, [1, 0, -1, 0][k]!];
  }
  const angle = (degrees * Math.PI) / 180;
  return [sin(angle), cos(angle)];
}
