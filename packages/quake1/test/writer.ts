import type { Quake1File, Quake1Version } from '../src/index.ts';

/** What one number is written to first. */
const NUMBER = new DataView(new ArrayBuffer(4));

/** Little-endian bytes, growing. */
class Bytes {
  private readonly _bytes: number[] = [];

  get length(): number {
    return this._bytes.length;
  }

  /** Writes one number of `size` bytes; floats as float32. */
  put(value: number, size: 1 | 2 | 4, isFloat = false): void {
    if (isFloat) NUMBER.setFloat32(0, value, true);
    else NUMBER.setUint32(0, value, true);
    for (let k = 0; k < size; k++) this._bytes.push(NUMBER.getUint8(k));
  }

  ints(values: Iterable<number>, size: 1 | 2 | 4 = 4): void {
    for (const value of values) this.put(value, size);
  }

  floats(values: Iterable<number>): void {
    for (const value of values) this.put(value, 4, true);
  }

  text(text: string, length = text.length): void {
    for (let k = 0; k < length; k++) this.put(text.charCodeAt(k) || 0, 1);
  }

  done(): Uint8Array {
    return Uint8Array.from(this._bytes);
  }
}

/** Extra lumps after the standard ones. */
export type Extensions = Readonly<Record<string, Uint8Array>>;

/**
 * Writes a map file in any of the four versions: the same planes, trees, faces and models, in that version's widths. Texture
 * pixels and the lighting itself are left out; nothing here depends on them.
 */
export function writeQuake1(
  file: Quake1File,
  version: Quake1Version,
  extensions: Extensions = {},
): Uint8Array {
  const index = version === 29 || version === 30 ? 2 : 4;
  const bounds = (out: Bytes, values: Float32Array): void => {
    if (version === 'BSP2') out.floats(values);
    else out.ints(values, 2);
  };
  const three = (values: Float32Array, k: number): Float32Array => values.subarray(3 * k, 3 * k + 3);
  const lump = (count: number, write: (out: Bytes, k: number) => void): Uint8Array => {
    const out = new Bytes();
    for (let k = 0; k < count; k++) write(out, k);
    return out.done();
  };
  const { planes, nodes, clipNodes, leafs, faces, texInfos, vertexes, models, textures } = file;
  const lumps = [
    lump(1, (out) => out.text(`${file.entities}\0`)),
    lump(planes.count, (out, k) => {
      out.floats([...three(planes.normals, k), planes.dists[k]!]);
      out.put(planes.types[k]!, 4);
    }),
    writeTextures(textures),
    lump(vertexes.count, (out, k) => out.floats(three(vertexes.positions, k))),
    file.visibility,
    lump(nodes.count, (out, k) => {
      out.put(nodes.planes[k]!, 4);
      out.ints(nodes.children.subarray(2 * k, 2 * k + 2), index);
      bounds(out, three(nodes.mins, k));
      bounds(out, three(nodes.maxs, k));
      out.ints([nodes.firstFaces[k]!, nodes.numFaces[k]!], index);
    }),
    lump(texInfos.count, (out, k) => {
      out.floats(texInfos.vectors.subarray(8 * k, 8 * k + 8));
      out.ints([texInfos.textures[k]!, texInfos.flags[k]!]);
    }),
    lump(faces.count, (out, k) => {
      out.ints([faces.planes[k]!, faces.sides[k]!], index);
      out.put(faces.firstEdges[k]!, 4);
      out.ints([faces.numEdges[k]!, faces.texInfos[k]!], index);
      for (let style = 0; style < 4; style++) out.put(faces.styles[4 * k + style] ?? 255, 1);
      out.put(faces.lightOffsets[k] ?? -1, 4);
    }),
    new Uint8Array(0),
    lump(clipNodes.count, (out, k) => {
      out.put(clipNodes.planes[k]!, 4);
      out.ints(clipNodes.children.subarray(2 * k, 2 * k + 2), index);
    }),
    lump(leafs.count, (out, k) => {
      out.ints([leafs.contents[k]!, leafs.visOffsets[k]!]);
      bounds(out, three(leafs.mins, k));
      bounds(out, three(leafs.maxs, k));
      out.ints([leafs.firstMarkSurfaces[k]!, leafs.numMarkSurfaces[k]!], index);
      out.put(0, 4);
    }),
    lump(1, (out) => out.ints(file.markSurfaces, index)),
    lump(1, (out) => out.ints(file.edges, index)),
    lump(1, (out) => out.ints(file.surfEdges)),
    lump(models.length, (out, k) => {
      const model = models[k]!;
      out.floats([...model.mins, ...model.maxs, ...model.origin]);
      out.ints([...model.heads, model.numVisLeafs, model.firstFace, model.numFaces]);
    }),
  ];
  return assemble(version, lumps, extensions);
}

function writeTextures(textures: Quake1File['textures']): Uint8Array {
  const out = new Bytes();
  if (textures.length === 0) return out.done();
  out.put(textures.length, 4);
  let at = 4 + 4 * textures.length;
  for (const texture of textures) {
    out.put(texture ? at : -1, 4);
    if (texture) at += 40;
  }
  for (const texture of textures) {
    if (!texture) continue;
    out.text(texture.name, 16);
    out.ints([texture.width, texture.height, 0, 0, 0, 0]);
  }
  return out.done();
}

/** Puts a header before the lumps, and a BSPX directory with its lumps after them if there are any. */
export function assemble(
  version: Quake1Version | number,
  lumps: readonly Uint8Array[],
  extensions: Extensions = {},
): Uint8Array {
  const align = (n: number): number => (n + 3) & ~3;
  const names = Object.keys(extensions);
  let size = 124;
  for (const lump of lumps) size = align(size) + lump.length;
  const directory = align(size);
  if (names.length > 0) size = directory + 8 + 32 * names.length;
  for (const name of names) size += extensions[name]!.length;
  const file = new Uint8Array(size);
  const put = (bytes: Uint8Array, at: number): void => file.set(bytes, at);
  const header = new Bytes();
  if (typeof version === 'number') header.put(version, 4);
  else header.text(version);
  let at = 124;
  for (const lump of lumps) {
    at = align(at);
    header.ints([at, lump.length]);
    put(lump, at);
    at += lump.length;
  }
  put(header.done(), 0);
  if (names.length > 0) {
    const extra = new Bytes();
    extra.text('BSPX');
    extra.put(names.length, 4);
    at = directory + 8 + 32 * names.length;
    for (const name of names) {
      extra.text(name, 24);
      extra.ints([at, extensions[name]!.length]);
      put(extensions[name]!, at);
      at += extensions[name]!.length;
    }
    put(extra.done(), directory);
  }
  return file;
}
