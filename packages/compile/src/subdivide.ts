import { cutWinding, lengthOf, type Vec, type Winding } from '@bspkit/geometry';
import type { Side } from './brushes.ts';
import { CompileError, type SourcePlace } from './error.ts';
import { textureAt } from './texture.ts';

/** Longest side of a lit face in texels; the engine's light cache holds no more. */
const LARGEST = 240;

/** Most pieces of one face; a texture small enough for more is hardly intended. */
const MOST = 65536;

/**
 * Splits a face into pieces that the engine can light. Throws CompileError (`limit`) with `place` when its texture is
 * so small that there would be too many.
 */
export function subdivide(winding: Winding, side: Side, place: SourcePlace): Winding[] {
  const { s, t } = side.texture;
  const across = [0, 1].map((k) => {
    const [least, greatest] = textureReach(winding, side, k as 0 | 1);
    return Math.ceil((greatest - least) / LARGEST);
  });
  if (across[0]! * across[1]! > MOST) {
    const problem = `the texture is so small that a face would be cut into ${across.join(' by ')} pieces`;
    throw new CompileError('limit', place, problem);
  }
  let pieces: Winding[] = [winding];
  for (const [axis, k] of [
    [s, 0],
    [t, 1],
  ] as const) {
    const length = lengthOf(axis[0], axis[1], axis[2]);
    if (length < 1e-6) continue;
    const normal: Vec = [axis[0] / length, axis[1] / length, axis[2] / length];
    const done: Winding[] = [];
    for (let piece = pieces.pop(); piece; piece = pieces.pop()) {
      const [least, greatest] = textureReach(piece, side, k);
      if (greatest - least <= LARGEST) {
        done.push(piece);
        continue;
      }
      // On a multiple of 16, where the engine's light samples are.
      const at = Math.floor((least + LARGEST) / 16) * 16;
      const cut = cutWinding(piece, ...normal, (at - axis[3]) / length);
      if (!cut.front || !cut.back) done.push(piece);
      else pieces.push(cut.front, cut.back);
    }
    pieces = done;
  }
  return pieces;
}

function textureReach(winding: Winding, side: Side, k: 0 | 1): [number, number] {
  let least = Number.POSITIVE_INFINITY;
  let greatest = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < winding.length; i += 3) {
    const value = textureAt(side, winding[i]!, winding[i + 1]!, winding[i + 2]!)[k];
    least = Math.min(least, value);
    greatest = Math.max(greatest, value);
  }
  return [least, greatest];
}
