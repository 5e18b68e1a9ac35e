import {
  checkChoice,
  checkFinite,
  checkKind,
  checkMask,
  checkOptions,
  checkRadius,
  checkWhole,
  failArgument,
} from '../check.ts';
import type { LightmapOptions, Mesh, MeshBy, MeshGroup, MeshOptions } from '../mesh.ts';

/** What describes a group before its triangles are counted. */
export type MeshGroupHead = Omit<MeshGroup, 'firstIndex' | 'indexCount' | 'firstVertex' | 'vertexCount'>;

/** Which arrays a mesh has in addition to those that every mesh has, and how much is expected: more makes them grow. */
export interface MeshLayout {
  readonly texCoords?: boolean | undefined;
  readonly texCoordUnit?: Mesh['texCoordUnit'] | undefined;
  readonly lightmapCoords?: boolean | undefined;
  readonly colors?: boolean | undefined;
  readonly numVertices: number;
  readonly numTriangles: number;
}

/** Options of a mesh, with defaults filled in. Throws `RangeError` or `TypeError` for invalid options. */
export function meshOptions(options: MeshOptions): {
  by: MeshBy;
  mask: number | undefined;
  patchLevel: number;
} {
  checkOptions(options, ['by', 'mask', 'patchLevel']);
  const { by = 'texture', mask, patchLevel = 4 } = options;
  checkChoice(by, 'by', ['texture', 'brush', 'contents']);
  if (mask !== undefined) checkMask(mask, 'mask');
  checkWhole(patchLevel, 'patchLevel', 1, 64);
  return { by, mask, patchLevel };
}

/**
 * How bright lightmaps are made, `usual` by default; `more` are options that only some formats have. Throws `RangeError` or
 * `TypeError` for invalid options.
 */
export function lightmapBrightness(
  options: LightmapOptions,
  usual: number,
  more: readonly string[] = [],
): number {
  checkOptions(options, ['brightness', 'styles', ...more]);
  const { brightness = usual, styles } = options;
  checkFinite(brightness, 'brightness');
  if (brightness <= 0) failArgument('brightness', 'more than 0', brightness);
  if (styles !== undefined) {
    checkKind(
      typeof styles?.length === 'number' && typeof styles === 'object',
      styles,
      'styles',
      'a list of numbers',
    );
    for (let k = 0; k < styles.length; k++) checkRadius(styles[k]!, `styles[${k}]`);
  }
  return brightness;
}

/**
 * How many triangles are looked at to find the corners that fans of faces share: so many for the whole mesh, and so many more for
 * each corner. Real maps take 1.7 per corner at most.
 */
const TRIES = 1 << 20;
const TRIES_PER_CORNER = 8;

/** Numbers that are kept per part: its group, how many triangles and vertices it has, and what they came from. */
const PART = 6;

type GrowingGroup = { -readonly [K in keyof MeshGroup]: MeshGroup[K] };

/** A group without triangles. Spelled out: a mesh has a group for each brush, and spreading takes longer than cutting faces. */
const emptyGroup = (head: MeshGroupHead): GrowingGroup => ({
  model: head.model,
  texture: head.texture,
  name: head.name,
  surfaceFlags: head.surfaceFlags,
  contents: head.contents,
  brush: head.brush,
  isSky: head.isSky,
  isHidden: head.isHidden,
  isLiquid: head.isLiquid,
  isLightmapped: head.isLightmapped,
  firstIndex: 0,
  indexCount: 0,
  firstVertex: 0,
  vertexCount: 0,
});

/**
 * Assembles a mesh from parts: faces, patches, sides of brushes. {@link MeshBuilder.add} makes room for one; its vertices are
 * then written into the arrays from `vertex` on, and its corners into `indices` from `index` on.
 */
export class MeshBuilder {
  positions: Float32Array;
  normals: Float32Array;
  texCoords: Float32Array | undefined;
  lightmapCoords: Float32Array | undefined;
  colors: Uint8Array | undefined;
  indices: Uint32Array;
  /** First vertex and first corner of the latest part. */
  vertex = 0;
  index = 0;
  /** @internal How many triangles may still be looked at. */
  _tries: number = TRIES;
  private readonly _texCoordUnit: Mesh['texCoordUnit'];
  private readonly _groups: GrowingGroup[] = [];
  private readonly _numbers = new Map<string | number, number>();
  private _parts = new Int32Array(PART * 1024);
  private _numParts = 0;
  /** Group of the latest part, and whether no part is of an earlier group than the part before it. */
  private _lastGroup = 0;
  private _isSorted = true;
  private _numVertices = 0;
  private _numIndices = 0;

  constructor({ texCoordUnit = 'texture', numVertices, numTriangles, ...has }: MeshLayout) {
    this._texCoordUnit = texCoordUnit;
    this.positions = new Float32Array(3 * numVertices);
    this.normals = new Float32Array(3 * numVertices);
    this.texCoords = has.texCoords ? new Float32Array(2 * numVertices) : undefined;
    this.lightmapCoords = has.lightmapCoords ? new Float32Array(2 * numVertices) : undefined;
    this.colors = has.colors ? new Uint8Array(4 * numVertices) : undefined;
    this.indices = new Uint32Array(3 * numTriangles);
  }

  /** The number of a key's group, which is made when the key is first used. */
  group(key: string | number, make: () => MeshGroupHead): number {
    let number = this._numbers.get(key);
    if (number === undefined) {
      number = this._groups.length;
      this._groups.push(emptyGroup(make()));
      this._numbers.set(key, number);
    }
    return number;
  }

  /** Makes room for a part; `surface`, `brush` and `side` are what it came from, -1 for none. */
  add(
    group: number,
    numVertices: number,
    numTriangles: number,
    surface: number,
    brush: number,
    side: number,
  ): void {
    this.vertex = this._numVertices;
    this.index = this._numIndices;
    this._tries += TRIES_PER_CORNER * numVertices;
    this._numVertices += numVertices;
    this._numIndices += 3 * numTriangles;
    this._groups[group]!.vertexCount += numVertices;
    this._groups[group]!.indexCount += 3 * numTriangles;
    const room = this._numVertices;
    if (3 * room > this.positions.length) {
      this.positions = grown(this.positions, 3 * room);
      this.normals = grown(this.normals, 3 * room);
      this.texCoords &&= grown(this.texCoords, 2 * room);
      this.lightmapCoords &&= grown(this.lightmapCoords, 2 * room);
      this.colors &&= grown(this.colors, 4 * room);
    }
    if (this._numIndices > this.indices.length) this.indices = grown(this.indices, this._numIndices);
    if (group < this._lastGroup) this._isSorted = false;
    this._lastGroup = group;
    const at = PART * this._numParts++;
    if (at + PART > this._parts.length) this._parts = grown(this._parts, at + PART);
    const parts = this._parts;
    parts[at] = group;
    parts[at + 1] = numTriangles;
    parts[at + 2] = surface;
    parts[at + 3] = brush;
    parts[at + 4] = side;
    parts[at + 5] = numVertices;
  }

  /** Writes the corners of a convex polygon's triangles, all from `apex`. The polygon's vertices are those of the latest part. */
  fan(numVertices: number, apex = 0): void {
    const { indices, vertex } = this;
    for (let k = 1, at = this.index; k + 1 < numVertices; k++) {
      indices[at++] = vertex + apex;
      indices[at++] = vertex + ((apex + k) % numVertices);
      indices[at++] = vertex + ((apex + k + 1) % numVertices);
    }
  }

  /**
   * The mesh, its triangles and vertices sorted by group, in the order in which groups were first asked for. It takes the builder's
   * arrays and groups, so nothing can be added any more.
   */
  finish(): Mesh {
    const parts = this._parts;
    // Of each group, where the next triangle goes, and the next vertex.
    const nextTriangle: number[] = [];
    const nextVertex: number[] = [];
    let [index, vertex] = [0, 0];
    for (const group of this._groups) {
      group.firstIndex = index;
      group.firstVertex = vertex;
      nextTriangle.push(index / 3);
      nextVertex.push(vertex);
      index += group.indexCount;
      vertex += group.vertexCount;
    }
    /** Where each vertex goes, unless all stay where they are, as in a mesh by brushes. */
    const places = this._isSorted ? undefined : new Uint32Array(vertex);
    const numVertices = vertex;
    const indices = places ? new Uint32Array(index) : cut(this.indices, index);
    const surfaces = new Int32Array(index / 3);
    const brushes = new Int32Array(surfaces.length);
    const sides = new Int32Array(surfaces.length);
    [index, vertex] = [0, 0];
    for (let at = 0; at < PART * this._numParts; at += PART) {
      const group = parts[at]!;
      for (let k = parts[at + 5]!; places && k > 0; k--) places[vertex++] = nextVertex[group]!++;
      for (let k = parts[at + 1]!; k > 0; k--) {
        const triangle = nextTriangle[group]!++;
        surfaces[triangle] = parts[at + 2]!;
        brushes[triangle] = parts[at + 3]!;
        sides[triangle] = parts[at + 4]!;
        for (let corner = 0; places && corner < 3; corner++) {
          const from = this.indices[index++]!;
          // A vertex that is not there stays so, for checks to find.
          indices[3 * triangle + corner] = places[from] ?? from;
        }
      }
    }
    const arranged = <A extends Numbers>(array: A, size: number): A =>
      places ? sorted(array, size, places) : cut(array, size * numVertices);
    // One after the other, in place of what was there: large meshes need not fit into memory twice.
    this.positions = arranged(this.positions, 3);
    this.normals = arranged(this.normals, 3);
    this.texCoords &&= arranged(this.texCoords, 2);
    this.lightmapCoords &&= arranged(this.lightmapCoords, 2);
    this.colors &&= arranged(this.colors, 4);
    const { positions, normals, texCoords, lightmapCoords, colors } = this;
    return {
      ...{ positions, normals, texCoords, texCoordUnit: this._texCoordUnit, lightmapCoords, colors },
      ...{ indices, surfaces, brushes, sides },
      // Parts may have no triangles.
      groups: this._groups.filter(({ indexCount }) => indexCount > 0),
    };
  }
}

type Numbers = Float32Array | Int32Array | Uint32Array | Uint8Array;

/** A copy with room for `least` numbers and some more. */
function grown<A extends Numbers>(array: A, least: number): A {
  const larger = new (array.constructor as new (length: number) => A)(least + (least >> 2));
  larger.set(array);
  return larger;
}

/** The first numbers of an array; itself if these are all. */
const cut = <A extends Numbers>(array: A, length: number): A =>
  array.length === length ? array : (array.slice(0, length) as A);

/** A copy in which what belongs to each vertex, `size` numbers, is where that vertex goes. */
function sorted<A extends Numbers>(array: A, size: number, places: Uint32Array): A {
  const copy = new (array.constructor as new (length: number) => A)(size * places.length);
  for (let vertex = 0, from = 0; vertex < places.length; vertex++) {
    const to = size * places[vertex]!;
    for (let k = 0; k < size; k++) copy[to + k] = array[from++]!;
  }
  return copy;
}
