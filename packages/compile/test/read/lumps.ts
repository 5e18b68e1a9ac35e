import { BinaryReader } from '@bspkit/core/format';

// Readers of our own, small and strict, so that these tests need no format package: each checks every number that points
// somewhere, and can say what is at a point.

export interface ReadPlane {
  readonly n: readonly [number, number, number];
  readonly d: number;
  readonly type: number;
}

export const distance = ({ n, d }: ReadPlane, [x, y, z]: readonly number[]): number =>
  n[0] * x! + n[1] * y! + n[2] * z! - d;

export function check(ok: boolean, what: string): asserts ok {
  if (!ok) throw new Error(`broken file: ${what}`);
}

/** Cuts the lumps out of a file; they must be in it one after another without overlapping. */
export function lumpsOf(bytes: Uint8Array, format: string, at: number, count: number): BinaryReader[] {
  const file = new BinaryReader(bytes, format);
  let end = at + 8 * count;
  return Array.from({ length: count }, (_, i) => {
    const [offset, length] = [file.i32(at + 8 * i), file.i32(at + 8 * i + 4)];
    check(offset === end && offset % 4 === 0, `lump ${i} begins at ${offset}, not ${end}`);
    end = (offset + length + 3) & ~3;
    return file.lump({ name: `${i}`, offset, length });
  });
}

export const records = <T>(lump: BinaryReader, size: number, read: (at: number) => T): T[] =>
  Array.from({ length: lump.records(size) }, (_, i) => read(i * size));

export const vec = (lump: BinaryReader, at: number): [number, number, number] => [
  lump.f32(at),
  lump.f32(at + 4),
  lump.f32(at + 8),
];

/** Planes with a type: all of the games but Quake 3. */
export const readPlanes = (lump: BinaryReader): ReadPlane[] =>
  records(lump, 20, (at) => ({ n: vec(lump, at), d: lump.f32(at + 12), type: lump.i32(at + 16) }));

/** Brushes, their sides and the lists of leafs, of Quake 2 and UFO:AI. `textures` is how many there are. */
export function readBrushes(lumps: readonly BinaryReader[], textures: number) {
  const [leafLump, brushLump, sideLump] = [lumps[10]!, lumps[14]!, lumps[15]!];
  const sides = records(sideLump, 4, (at) => ({ plane: sideLump.u16(at), texInfo: sideLump.i16(at + 2) }));
  for (const { texInfo } of sides) check(texInfo >= -1 && texInfo < textures, 'texture of a side');
  const brushes = records(brushLump, 12, (at) => {
    const [first, count, contents] = [0, 4, 8].map((k) => brushLump.i32(at + k));
    check(first! + count! <= sides.length, 'brush');
    return { first: first!, count: count!, contents: contents! };
  });
  const leafBrushes = records(leafLump, 2, (at) => leafLump.u16(at));
  for (const number of leafBrushes) check(number < brushes.length, 'leaf brush');
  return { sides, brushes, leafBrushes };
}

export function checkPlanes(planes: readonly ReadPlane[], pairs: boolean): void {
  for (const [i, { n, d }] of planes.entries()) {
    check(Math.abs(Math.hypot(...n) - 1) < 1e-6, `plane ${i} has a normal of length ${Math.hypot(...n)}`);
    if (!pairs) continue;
    const other = planes[i ^ 1]!;
    check(n.every((x, k) => x === 0 - other.n[k]!) && d === 0 - other.d, `plane ${i} has no opposite`);
  }
}

/** Walks a tree whose nodes must each be reached once; returns the leafs that were reached. */
export function walkTree(
  children: readonly (readonly number[])[],
  head: number,
  seen: Set<number>,
): number[] {
  if (head < 0) return [-1 - head];
  check(head < children.length && !seen.has(head), `node ${head} is reached twice or is not there`);
  seen.add(head);
  return children[head]!.flatMap((child) => walkTree(children, child, seen));
}

/** Checks that everything that a walk down a model's tree passes has the point in its bounds, six numbers each, if the model has. */
export function checkPassed(
  { mins, maxs }: { readonly mins: readonly number[]; readonly maxs: readonly number[] },
  passed: readonly (readonly number[])[],
  point: readonly number[],
): void {
  const isIn = (bounds: readonly number[]): boolean =>
    point.every((x, k) => x >= bounds[k]! - 0.25 && x <= bounds[k + 3]! + 0.25);
  if (isIn([...mins, ...maxs]))
    for (const bounds of passed) check(isIn(bounds), `bounds ${bounds} at ${point}`);
}
