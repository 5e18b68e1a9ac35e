import type { Side } from './brushes.ts';
import { SURFACE } from './flags.ts';

/** Texture coordinates of a point of a side, in texels. */
export function textureAt({ texture: { s, t } }: Side, x: number, y: number, z: number): [number, number] {
  return [x * s[0] + y * s[1] + z * s[2] + s[3], x * t[0] + y * t[1] + z * t[2] + t[3]];
}

/** Whether a side is drawn at all. */
export const isDrawn = (side: Side): boolean => (side.surface & (SURFACE.nodraw | SURFACE.skip)) === 0;
