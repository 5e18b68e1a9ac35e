import { LINE_HEAD_MODEL, LINE_HEAD_TILE, LINE_HEAD_WORDS, LINE_OBLIQUE } from '../layout.ts';
import type { UfoaiLineTrace } from '../trace.ts';
import type { WorldMemory } from './memory.ts';

/**
 * Writes the trees' answer to a line, except for the fraction: where it stopped (three numbers of `hit` from `at` on), the head,
 * and the crossing as described at `A_CROSSING`.
 */
export function describePlace(
  { ints, floats, places }: WorldMemory,
  hit: Float32Array | Float64Array,
  at: number,
  head: number,
  crossing: number,
  blocked: boolean,
  out: UfoaiLineTrace,
): void {
  const record = places.lineHeads.first + LINE_HEAD_WORDS * head;
  const { endPos, normal } = out;
  out.blocked = blocked;
  out.tile = blocked ? ints[record + LINE_HEAD_TILE]! : -1;
  out.level = blocked ? ints[record + LINE_HEAD_MODEL]! : -1;
  out.startSolid = head >= 0 && crossing < 0;
  out.allSolid = false;
  out.dist = 0;
  out.contents = 0;
  out.surfaceFlags = 0;
  out.model = blocked ? 0 : -1;
  out.brush = -1;
  out.side = -1;
  out.texture = -1;
  out.patch = -1;
  out.plane = -1;
  endPos[0] = hit[at]!;
  endPos[1] = hit[at + 1]!;
  endPos[2] = hit[at + 2]!;
  normal[0] = 0;
  normal[1] = 0;
  normal[2] = 0;
  if (!blocked || crossing < 0) return;
  const node = crossing >> 1;
  const sign = crossing & 1 ? -1 : 1;
  const kind = ints[node]!;
  if (kind < LINE_OBLIQUE) normal[kind] = sign;
  else for (let k = 0; k < 3; k++) normal[k] = sign * floats[node + 4 + k]!;
  out.dist = sign * floats[node + 1]!;
}
