import { B_MAXS, B_MINS, B_START, type WorldMemory } from '../src/kernel.ts';
import { SECTIONS, TILE_BOX_HEADS } from '../src/layout.ts';

const f = Math.fround;

/**
 * The engine's position test of the box that a tracer was last set up for, in a tile, written out: the leafs that the
 * box reaches, then their brushes. The contents of the first brush that holds it; undefined for none.
 */
export function touches(memory: WorldMemory, tile: number, mask: number, reject: number): number | undefined {
  const { ints, places } = memory;
  const range = places.tiles.first + SECTIONS.tiles * tile + TILE_BOX_HEADS;
  for (let head = ints[range]!; head < ints[range]! + ints[range + 1]!; head++) {
    const leafs: number[] = [];
    collect(memory, ints[places.boxHeads.first + SECTIONS.boxHeads * head]!, leafs);
    for (const leaf of leafs.slice(0, 1024)) {
      const at = places.leafs.first + SECTIONS.leafs * leaf;
      if ((ints[at]! & mask) === 0) continue;
      for (let k = 0; k < ints[at + 2]!; k++) {
        const brush = ints[ints[at + 1]! + k]!;
        const contents = ints[brush]!;
        if ((contents & mask) !== 0 && (contents & reject) === 0 && holds(memory, brush)) return contents;
      }
    }
  }
  return undefined;
}

const corner = ({ box }: WorldMemory, normal: number[], lowest: boolean): number[] =>
  normal.map((n, k) => f(box[B_START + k]! + box[(n < 0 === lowest ? B_MAXS : B_MINS) + k]!));

const dot = (a: number[], b: ArrayLike<number>): number =>
  f(f(f(a[0]! * b[0]!) + f(a[1]! * b[1]!)) + f(a[2]! * b[2]!));

function collect(memory: WorldMemory, child: number, leafs: number[]): void {
  const { ints, floats, places } = memory;
  if (child < 0) {
    leafs.push(-1 - child);
    return;
  }
  const at = places.nodes.first + SECTIONS.nodes * child;
  const axis = ints[at]! & 15;
  const dist = floats[at + 1]!;
  const plane = places.planes.first + SECTIONS.planes * (ints[at]! >>> 4);
  const normal =
    axis < 3 ? [0, 1, 2].map((k) => (k === axis ? 1 : 0)) : [...floats.subarray(plane, plane + 3)];
  const [low, high] = [corner(memory, normal, true), corner(memory, normal, false)];
  const front = axis < 3 ? high[axis]! > dist + 0.001 : f(dot(normal, high) - dist) >= 0.001;
  const back = axis < 3 ? low[axis]! < dist - 0.001 : f(dot(normal, low) - dist) < 0.001;
  if (front || !back) collect(memory, ints[at + 2]!, leafs);
  if (back || !front) collect(memory, ints[at + 3]!, leafs);
}

function holds({ ints, floats, box }: WorldMemory, brush: number): boolean {
  const sides = Array.from({ length: ints[brush + 2]! }, (_, k) => ints[brush + 1]! + SECTIONS.sides * k);
  if (sides.length === 0) return false;
  return sides.every((side) => {
    const normal = [...floats.subarray(side, side + 3)];
    const offset = dot(
      normal.map((n, k) => box[(n < 0 ? B_MAXS : B_MINS) + k]!),
      normal,
    );
    const dist = f(floats[side + 3]! - offset);
    return f(dot(normal, box.subarray(B_START, B_START + 3)) - dist) <= 0;
  });
}
