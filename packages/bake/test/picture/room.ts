import { HEAT } from '../../src/picture/colors.ts';
import type { ValueLayer } from '../../src/picture/layer.ts';

/** A room of 256 by 192 with walls of 16, a pillar in it, and a hole of 64 in its floor, which is at 0. */
export const isSolid = (x: number, y: number, z: number): boolean => {
  if (x < -16 || x > 272 || y < -16 || y > 208) return false;
  if (x < 0 || x > 256 || y < 0 || y > 192) return true;
  if (x > 112 && x < 144 && y > 80 && y < 112) return true;
  const isHole = x > 192 && y > 128;
  return z < (isHole ? -512 : 0) || z > 128;
};

/** Points where a player can stand in it: not nearer to walls than 16. */
export function room(): ValueLayer {
  const positions: number[] = [];
  for (let x = 16; x < 256; x += 32) {
    for (let y = 16; y < 192; y += 32) {
      const isPillar = Math.abs(x - 128) < 32 && Math.abs(y - 96) < 32;
      if (!isPillar && !(x > 180 && y > 120)) positions.push(x, y, 0);
    }
  }
  return {
    title: 'where it is',
    measure: 'share',
    nouns: ['cell', 'cells'],
    positions: Float32Array.from(positions),
    values: Array.from({ length: positions.length / 3 }, (_, k) => k / (positions.length / 3 - 1)),
    step: 32,
    scale: { ramp: HEAT, high: 1, most: 1, unit: 'percent' },
    marks: [{ at: [16, 16, 0], label: 'here' }],
  };
}
