import { cutWinding, lengthOf, type Vec, type Winding } from '@bspkit/geometry';
import type { Side } from './brushes.ts';
import { CompileError, quoted, type SourcePlace } from './error.ts';
import { textureAt } from './texture.ts';

/** The longest side of a lit face in texels; the engine's light cache holds no more. */
const LARGEST = 240;

/**
 * How many pieces, beyond their number, the faces of a map may be cut into because of their textures: at least twice what formats
 * with 16-bit numbers can hold, as not all of them need to be in the file.
 */
const MOST_CUTS = 0x20000;

/** A face, or a part of one, that the engine lights. */
export interface LitFace {
  readonly winding: Winding;
  readonly side: Side;
  /** The place of its brush. */
  readonly place: SourcePlace;
}

/**
 * Refuses faces that would take too long to cut, before any is cut: with a small texture, a map of any size gives any number of
 * pieces. The error names the face that would give most. Whether a file can hold the faces is only known in the end: pieces that
 * look outside are left out of it, as are those that are too thin.
 */
export function checkPieces(faces: readonly LitFace[]): void {
  let total = 0;
  let worst: LitFace | undefined;
  let greatest = 0;
  for (const face of faces) {
    const count = fewestPieces(face.winding, face.side);
    total += count;
    if (count <= greatest) continue;
    worst = face;
    greatest = count;
  }
  const most = faces.length + MOST_CUTS;
  if (!worst || total <= most) return;
  const problem =
    `by their textures, faces come to ${total} pieces for their light, where the compiler takes on at most ${most}: ` +
    `${quoted(worst.side.material.name)} is so small on this brush that one makes ${greatest}; give it a greater scale`;
  throw new CompileError('limit', worst.place, problem);
}

/**
 * The least number of pieces into which a face is cut if it can all be cut: by its area, and by how far it reaches along either
 * axis of its texture. Tilted or thin faces take a few times as many; pieces that would be too thin to cut are left whole.
 */
function fewestPieces(winding: Winding, side: Side): number {
  const across = ([0, 1] as const).map((k) => {
    const [least, greatest] = textureReach(winding, side, k);
    return Math.ceil((greatest - least) / LARGEST);
  });
  return Math.max(1, ...across, Math.ceil(textureArea(winding, side) / (LARGEST * LARGEST)));
}

/** Area of a face in square texels. */
function textureArea(winding: Winding, side: Side): number {
  const [s0, t0] = textureAt(side, winding[0]!, winding[1]!, winding[2]!);
  let twice = 0;
  let [s1, t1] = [0, 0];
  for (let i = 3; i < winding.length; i += 3) {
    const [s, t] = textureAt(side, winding[i]!, winding[i + 1]!, winding[i + 2]!);
    twice += s1 * (t - t0) - t1 * (s - s0);
    [s1, t1] = [s - s0, t - t0];
  }
  return Math.abs(twice) / 2;
}

/** Splits a face into pieces that the engine can light: see {@link checkPieces}. */
export function subdivide(winding: Winding, side: Side): Winding[] {
  const { s, t } = side.texture;
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
