// Files that no map compiler writes, made to cost as much as they can: records that share what they list, trees as deep as the
// file is long or whose branches multiply. Made from a valid map by replacing lumps, for any format of the family.

/** A number in a record: at which byte, and how many bytes. */
export interface Field {
  readonly at: number;
  readonly size: 1 | 2 | 4;
}

/** Records of a lump, each of which lists a run of another lump's. */
export interface CraftedRange {
  readonly lump: string;
  readonly of: string;
  readonly first: Field;
  readonly length: Field;
  /** Which record is multiplied; 0 by default. */
  readonly sample?: number;
}

/** Nodes: where one has its first child, and where models have the heads of trees. */
export interface CraftedTree {
  readonly lump: string;
  readonly child: Field;
  readonly heads: readonly Field[];
}

/** How a format's files are laid out. */
export interface CraftedFormat {
  /** Where the directory of offsets and lengths begins. */
  readonly directory: number;
  /** Lumps in the order of the directory, with the bytes in a record. */
  readonly lumps: Readonly<Record<string, number>>;
  readonly ranges: readonly CraftedRange[];
  readonly trees: readonly CraftedTree[];
}

export type Lumps = Record<string, Uint8Array>;

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

/** Writes a whole number into a field of a record. */
export function putField(bytes: Uint8Array, record: number, { at, size }: Field, value: number): void {
  if (size === 1) bytes[record + at] = value;
  else if (size === 2) viewOf(bytes).setUint16(record + at, value, true);
  else viewOf(bytes).setInt32(record + at, value, true);
}

/** The lumps of a file, by name; copies, to be changed at will. */
export function unpackLumps({ directory, lumps }: CraftedFormat, bytes: Uint8Array): Lumps {
  const view = viewOf(bytes);
  return Object.fromEntries(
    Object.keys(lumps).map((name, k) => {
      const [offset, length] = [
        view.getInt32(directory + 8 * k, true),
        view.getInt32(directory + 8 * k + 4, true),
      ];
      return [name, new Uint8Array(bytes.subarray(offset, offset + length))];
    }),
  );
}

/** A file made of lumps, with the first bytes of a valid one. */
export function packLumps({ directory, lumps }: CraftedFormat, base: Uint8Array, content: Lumps): Uint8Array {
  const names = Object.keys(lumps);
  let at = directory + 8 * names.length;
  const places = names.map((name) => {
    const place = (at + 3) & ~3;
    at = place + content[name]!.length;
    return place;
  });
  const bytes = new Uint8Array(at);
  bytes.set(base.subarray(0, directory));
  for (const [k, name] of names.entries()) {
    viewOf(bytes).setInt32(directory + 8 * k, places[k]!, true);
    viewOf(bytes).setInt32(directory + 8 * k + 4, content[name]!.length, true);
    bytes.set(content[name]!, places[k]!);
  }
  return bytes;
}

/** A record over and over, `count` times. */
export function repeated(record: Uint8Array, count: number): Uint8Array {
  const bytes = new Uint8Array(record.length * count);
  for (let k = 0; k < count; k++) bytes.set(record, record.length * k);
  return bytes;
}

export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Adds records to a lump until the file has `size` bytes: copies of one of its records that list nothing. */
export function grow(
  format: CraftedFormat,
  content: Lumps,
  lump: string,
  size: number,
  sample: number = 0,
): void {
  const record = format.lumps[lump]!;
  const bytes = content[lump]!;
  const total = Object.values(content).reduce((sum, { length }) => sum + length, 0);
  const count = Math.max(0, Math.floor((size - total) / record));
  const grown = joined(bytes, repeated(bytes.slice(record * sample, record * (sample + 1)), count));
  for (const range of format.ranges) {
    if (range.lump !== lump) continue;
    for (let at = bytes.length; at < grown.length; at += record) {
      putField(grown, at, range.first, 0);
      putField(grown, at, range.length, 0);
    }
  }
  content[lump] = grown;
}

/**
 * A file of about `size` bytes in which all records of a lump list the same things of another: half of the file is records, half
 * is what they list, and each lists `share` of that.
 */
export function shareRange(
  format: CraftedFormat,
  base: Uint8Array,
  { lump, of, first, length, sample = 0 }: CraftedRange,
  size: number,
  share = 1,
): Uint8Array {
  const content = unpackLumps(format, base);
  // If there is nothing to list yet, zeros.
  if (content[of]!.length === 0) content[of] = new Uint8Array(format.lumps[of]!);
  grow(format, content, of, size / 2);
  const most = length.size === 2 ? 65_535 : 2 ** 31 - 1;
  const count = Math.min(most, Math.floor((share * content[of]!.length) / format.lumps[of]!));
  grow(format, content, lump, size, sample);
  const records = content[lump]!;
  for (let at = 0; at < records.length; at += format.lumps[lump]!) {
    putField(records, at, first, 0);
    putField(records, at, length, count);
  }
  return packLumps(format, base, content);
}

/** A file with a tree that has one way down, as deep as it can be: `levels` nodes, or as many as `size` bytes hold. */
export function chain(
  format: CraftedFormat,
  base: Uint8Array,
  tree: CraftedTree,
  size: number,
  levels: number = Number.POSITIVE_INFINITY,
): Uint8Array {
  const content = unpackLumps(format, base);
  const record = format.lumps[tree.lump]!;
  const start = content[tree.lump]!.length / record;
  const end = -1;
  grow(format, content, tree.lump, Math.min(size, base.length + record * levels));
  const nodes = content[tree.lump]!;
  const count = nodes.length / record;
  const second = { ...tree.child, at: tree.child.at + tree.child.size };
  // After the map's own nodes, and reached from the first of them.
  for (let k = start; k < count; k++) {
    putField(nodes, record * k, tree.child, k + 1 < count ? k + 1 : end);
    putField(nodes, record * k, second, end);
  }
  if (start < count) {
    putField(nodes, 0, tree.child, start);
    putField(nodes, 0, second, end);
  }
  return packLumps(format, base, content);
}

/** A file with a tree of some levels where both children of each node are the next one: 2^levels ways down. */
export function doubling(
  format: CraftedFormat,
  base: Uint8Array,
  tree: CraftedTree,
  levels: number,
): Uint8Array {
  const content = unpackLumps(format, base);
  const record = format.lumps[tree.lump]!;
  const nodes = repeated(content[tree.lump]!.slice(0, record), levels);
  const second = { ...tree.child, at: tree.child.at + tree.child.size };
  for (let k = 0; k < levels; k++) {
    for (const child of [tree.child, second]) putField(nodes, record * k, child, k + 1 < levels ? k + 1 : -1);
  }
  content[tree.lump] = nodes;
  plant(format, content, tree);
  return packLumps(format, base, content);
}

/**
 * A file whose brushes have more sides after their own, which `again` makes from these; and how far that moves the sides of each
 * brush.
 */
export function addSides(
  format: CraftedFormat,
  base: Uint8Array,
  again: (own: readonly Uint8Array[]) => readonly Uint8Array[],
): { bytes: Uint8Array; shifts: readonly number[] } {
  const content = unpackLumps(format, base);
  const brushes = content.brushes!;
  const view = viewOf(brushes);
  const range = rangeOf(format, 'brushes', 'sides');
  const size = format.lumps.sides!;
  const sides: Uint8Array[] = [];
  const shifts: number[] = [];
  for (let at = 0; at < brushes.length; at += format.lumps.brushes!) {
    const [first, count] = [
      view.getInt32(at + range.first.at, true),
      view.getInt32(at + range.length.at, true),
    ];
    const own = Array.from({ length: count }, (_, k) =>
      content.sides!.slice(size * (first + k), size * (first + k + 1)),
    );
    shifts.push(sides.length - first);
    putField(brushes, at, range.first, sides.length);
    sides.push(...own, ...again(own));
    putField(brushes, at, range.length, sides.length - shifts.at(-1)! - first);
  }
  content.sides = joined(...sides);
  return { bytes: packLumps(format, base, content), shifts };
}

/** Makes node 0 the head of the first model, and of all others if they have no other one. */
export function plant({ lumps }: CraftedFormat, { models }: Lumps, { heads }: CraftedTree, other = 0): void {
  for (let at = 0; at < models!.length; at += lumps.models!) {
    for (const head of heads) putField(models!, at, head, at === 0 ? 0 : other);
  }
}

/** The fields of a lump's records that list another lump's. */
const rangeOf = ({ ranges }: CraftedFormat, lump: string, of: string): CraftedRange =>
  ranges.find((range) => range.lump === lump && range.of === of)!;

/** Has a leaf list brushes, as many as there are from the first on by default; and the others none, if it is the only one. */
export function listBrushes(
  format: CraftedFormat,
  content: Lumps,
  leaf: number,
  count: number = content.leafBrushes!.length / format.lumps.leafBrushes!,
  isOnly = false,
): void {
  const { first, length } = rangeOf(format, 'leafs', 'leafBrushes');
  const leafs = content.leafs!;
  const record = format.lumps.leafs!;
  for (let at = 0; at < leafs.length; at += record) {
    if (at !== record * leaf && !isOnly) continue;
    putField(leafs, at, first, 0);
    putField(leafs, at, length, at === record * leaf ? count : 0);
  }
}

/** Makes the nodes a balanced tree under model 0, with the same `end` wherever a way down ends, and gives no other model one. */
export function balance(format: CraftedFormat, content: Lumps, end: number): void {
  const tree = format.trees[0]!;
  const nodes = content.nodes!;
  const record = format.lumps.nodes!;
  const count = nodes.length / record;
  for (let k = 0; k < count; k++) {
    for (const side of [1, 2]) {
      const child = 2 * k + side;
      const at = tree.child.at + tree.child.size * (side - 1);
      putField(nodes, record * k, { ...tree.child, at }, child < count ? child : end);
    }
  }
  plant(format, content, tree, -1);
}

/** Makes brushes, the first one or all of them, out of many planes around a ball. */
export function ballBrush(format: CraftedFormat, content: Lumps, count: number, all = false): void {
  const { first, length } = rangeOf(format, 'brushes', 'sides');
  const { planes, sides, brushes } = format.lumps;
  content.planes = joined(content.planes!, planeRecords(format, ballPlanes(count, 500)));
  const plane = content.planes.length / planes! - count;
  const before = content.sides!.length / sides!;
  const added = Array.from({ length: count }, (_, k) => [plane + k, 0]).flat();
  content.sides = joined(content.sides!, words(added, sides === 8 ? 4 : 2));
  for (let at = 0; at < (all ? content.brushes!.length : 1); at += brushes!) {
    putField(content.brushes!, at, first, before);
    putField(content.brushes!, at, length, count);
  }
}

/** A field of four bytes, of two, or of one, in a record. */
export const int = (at: number): Field => ({ at, size: 4 });
export const short = (at: number): Field => ({ at, size: 2 });
export const byte = (at: number): Field => ({ at, size: 1 });

/** Planes around a ball, all of which touch it: every one of them cuts what the others leave. Four numbers each. */
export function ballPlanes(count: number, radius: number): Float32Array {
  const planes = new Float32Array(4 * count);
  for (let k = 0; k < count; k++) {
    const z = 1 - (2 * k + 1) / count;
    const angle = k * Math.PI * (3 - Math.sqrt(5));
    const across = Math.sqrt(1 - z * z);
    planes.set([across * Math.cos(angle), across * Math.sin(angle), z, radius], 4 * k);
  }
  return planes;
}

/** Planes as records of a lump: normal and dist, then, where there is room, the type of an oblique plane. */
export function planeRecords({ lumps }: CraftedFormat, planes: Float32Array): Uint8Array {
  const size = lumps.planes!;
  const bytes = new Uint8Array((size * planes.length) / 4);
  for (let k = 0; k < planes.length; k++) {
    const at = size * (k >> 2) + 4 * (k & 3);
    viewOf(bytes).setFloat32(at, planes[k]!, true);
    if (size === 20 && (k & 3) === 3) viewOf(bytes).setInt32(at + 4, 3, true);
  }
  return bytes;
}

/** Whole numbers as 16-bit or 32-bit words. */
export function words(values: Iterable<number>, size: 2 | 4 = 4): Uint8Array {
  return new Uint8Array((size === 2 ? Uint16Array.from(values) : Int32Array.from(values)).buffer);
}

/** Adds nodes to those of a tree, `most` deep at most: a spine, and a rib from each vertebra. */
export function comb(
  format: CraftedFormat,
  content: Lumps,
  tree: CraftedTree,
  count: number,
  most: number,
  numPlanes: number,
): void {
  const record = format.lumps[tree.lump]!;
  const nodes = repeated(content[tree.lump]!.slice(0, record), count);
  const second = { ...tree.child, at: tree.child.at + tree.child.size };
  const half = Math.floor(most / 2);
  const ribs = Math.min(half, Math.floor(count / half));
  for (let k = 0; k < count; k++) {
    putField(nodes, record * k, { at: 0, size: 4 }, k % numPlanes);
    const [rib, place] = [Math.floor((k - ribs) / half), (k - ribs) % half];
    const onSpine = k < ribs;
    const next = onSpine ? (k + 1 < ribs ? k + 1 : -1) : place + 1 < half && k + 1 < count ? k + 1 : -1;
    const side = onSpine && ribs + k * half < count ? ribs + k * half : -1;
    putField(nodes, record * k, tree.child, onSpine ? side : rib < ribs ? -2 : -1);
    putField(nodes, record * k, second, next);
  }
  content[tree.lump] = nodes;
  plant(format, content, tree);
}
