import { describe, expect, it } from 'vitest';
import { HEAT, LIGHT, ROOM, rampColor, WALL } from '../../src/picture/colors.ts';

/** Relative luminance by WCAG 2. */
function luminance(rgb: readonly number[]): number {
  const [r, g, b] = rgb.map((x) =>
    x / 255 <= 0.03928 ? x / 255 / 12.92 : ((x / 255 + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

describe('colours', () => {
  it.each([
    ['HEAT', HEAT, -1],
    ['LIGHT', LIGHT, 1],
    ['ROOM', ROOM, 1],
  ] as const)('of %s can be distinguished by lightness alone, also from walls and paper', (_, ramp, way) => {
    const values = Array.from({ length: 33 }, (_, k) => luminance(rampColor(ramp, k / 32)));
    for (let k = 1; k < values.length; k++)
      expect(way * (values[k]! - values[k - 1]!)).toBeGreaterThan(0.002);
    expect(Math.min(...values)).toBeGreaterThan(1.3 * luminance(WALL));
    expect(rampColor(ramp, -1)).toEqual(ramp[0]);
    expect(rampColor(ramp, 2)).toEqual(ramp.at(-1));
  });

  it('are refused on a ramp that has others', () => {
    const [good, bad] = [[1, 2, 3] as const, [1, 2] as never];
    for (const ramp of [[good, bad], [bad, good], [good], []]) {
      expect(() => rampColor(ramp, 0.5)).toThrow(/^stops/);
    }
  });
});
