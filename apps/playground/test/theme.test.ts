import { describe, expect, it } from 'vitest';
import { THEMES } from '../src/app/theme.ts';
import { PIECE } from '../src/tools/explain/picture.ts';

/** What people see who lack a kind of cones, as Machado, Oliveira and Fernandes model it: linear red, green and blue. */
const EYES = {
  usual: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
} as const;

const times = (matrix: readonly number[], vector: readonly number[]): number[] =>
  [0, 3, 6].map((row) => vector.reduce((sum, x, k) => sum + matrix[row + k]! * x, 0));

/** A colour in the CIE's Lab space, as an eye sees it. */
function labOf(hex: string, eye: readonly number[]): number[] {
  const linear = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const seen = times(eye, linear).map((x) => Math.min(1, Math.max(0, x)));
  const [x, y, z] = times(
    [0.433953, 0.376219, 0.189828, 0.212673, 0.715152, 0.072175, 0.017758, 0.109477, 0.872766],
    seen,
  ).map((part) => (part > 216 / 24389 ? Math.cbrt(part) : ((24389 / 27) * part + 16) / 116)) as [
    number,
    number,
    number,
  ];
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** Lab units between colours that people tell from each other at a glance. */
const CLEAR = 15;

describe('the colours of steps', () => {
  it.each(Object.values(THEMES))('look different to all eyes ($name)', ({ tools: { ray, b, c, d } }) => {
    const colors = Object.entries({ move: ray, brush: b, plane: c, widened: d, piece: PIECE });
    for (const [eye, matrix] of Object.entries(EYES)) {
      for (const [k, [name, color]] of colors.entries()) {
        for (const [other, its] of colors.slice(k + 1)) {
          const [first, second] = [labOf(color, matrix), labOf(its, matrix)];
          const distance = Math.hypot(...first.map((x, axis) => x - second[axis]!));
          expect(distance, `${name} and ${other}, ${eye}`).toBeGreaterThan(CLEAR);
        }
      }
    }
  });
});
