import type { Side } from './brushes.ts';
import { SURFACE } from './flags.ts';
import type { ResolvedMaterial } from './materials.ts';
import type { TextureAxes } from './source.ts';

/** Axes whose coordinates count texels, for a texture of this size. */
export function inTexels({ s, t, repeats }: TextureAxes, { width, height }: ResolvedMaterial): TextureAxes {
  if (!repeats) return { s, t };
  return {
    s: [s[0] * width, s[1] * width, s[2] * width, s[3] * width],
    t: [t[0] * height, t[1] * height, t[2] * height, t[3] * height],
  };
}

/** Texture coordinates of a point of a side, in texels. */
export function textureAt({ texture: { s, t } }: Side, x: number, y: number, z: number): [number, number] {
  return [x * s[0] + y * s[1] + z * s[2] + s[3], x * t[0] + y * t[1] + z * t[2] + t[3]];
}

/** Whether a side is drawn at all. */
export const isDrawn = (side: Side): boolean => (side.surface & (SURFACE.nodraw | SURFACE.skip)) === 0;
