import { bytesOf, isArrayOf } from '../arrays.ts';
import { checkFlag, checkPoint, checkRadius, failArgument } from '../check.ts';
import type { LightOptions, LightSample, LightSampler } from '../light.ts';
import type { Vec3 } from '../vec.ts';
import type { Checks } from './checks.ts';
import { measureSamples } from './faces.ts';
import { lightmapBrightness } from './mesh.ts';
import { checkLight, countStyles, type LightRecords } from './styles.ts';

// How light it is at a point, in formats with a lightmap for each face: as light as on the face straight below. The search goes down
// the tree, as the engines' own does, in float32; so where faces lie one above the other, or in one plane, it finds the one that they
// find. Points are given to the search in arrays, because numbers that go through calls may be boxed.

/** How far down faces are looked for, in Quake units. */
const REACH = 2048;

/** How light is asked for, with defaults filled in. */
export interface AskedLight {
  readonly brightness: number;
  readonly styles: ArrayLike<number> | undefined;
  readonly smooth: boolean;
}

/**
 * How light is asked for; `usual` is the brightness by default, `more` are options that only some formats have. Throws `RangeError`
 * or `TypeError` for invalid options.
 */
export function askedLight(options: LightOptions, usual: number, more: readonly string[] = []): AskedLight {
  const brightness = lightmapBrightness(options, usual, ['smooth', ...more]);
  const { styles, smooth = false } = options;
  checkFlag(smooth, 'smooth');
  return { brightness, styles, smooth };
}

/** A new sample: dark. */
export function createLightSample(): LightSample {
  return {
    ambient: new Float32Array(3),
    directed: new Float32Array(3),
    direction: new Float32Array(3),
    surface: -1,
  };
}

/**
 * Throws as {@link LightSampler.at} does for a wrong point or sample, and `TypeError` if `bytes`, a lump that is not empty, were
 * transferred together with the file that they are in.
 */
export function checkLightSample(point: Vec3, out: LightSample, bytes?: Uint8Array): void {
  checkPoint(point, 'point');
  if (bytes?.length === 0) bytesOf(bytes.buffer, "the file's bytes");
  if (
    !(
      isArrayOf(out?.ambient, Float32Array, 3) &&
      isArrayOf(out.directed, Float32Array, 3) &&
      isArrayOf(out.direction, Float32Array, 3)
    )
  )
    failArgument('out', 'a sample made by createSample', out, false);
}

/** Fills a sample with one light from all sides, that of a surface. */
function fillAmbient(out: LightSample, color: Float32Array, surface: number): LightSample {
  const { ambient, directed, direction } = out;
  // No `fill`: a caller's own arrays may be longer.
  for (let k = 0; k < 3; k++) {
    ambient[k] = color[k]!;
    directed[k] = 0;
    direction[k] = 0;
  }
  out.surface = surface;
  return out;
}

/** For a map without light: it is 1 1 1 everywhere. */
export function createFullLight(): LightSampler {
  const white = Float32Array.of(1, 1, 1);
  return {
    isLit: false,
    createSample: createLightSample,
    at(point, out = createLightSample()) {
      checkLightSample(point, out);
      return fillAmbient(out, white, -1);
    },
  };
}

/** The trees that faces are looked for in. All indexes are in range, and no tree has a cycle. */
export interface FaceTrees {
  readonly nodes: {
    readonly planes: Int32Array;
    readonly children: Int32Array;
    /** By node: the faces in its plane, which the records list one after the other. */
    readonly firstFaces: Int32Array;
    readonly numFaces: Int32Array;
  };
  readonly planes: { readonly normals: Float32Array; readonly dists: Float32Array };
  /** Where the trees begin. */
  readonly heads: ArrayLike<number>;
  /** Where there are several: six numbers for each, lowest and highest corner of what is in it. */
  readonly bounds?: ArrayLike<number> | undefined;
  /** Nodes on the longest way down. */
  readonly depth: number;
}

/** The light of a file, and what of it is looked for. */
export interface FaceLightSource {
  /** As for lightmaps; samples of 6 bytes begin with red, green and blue. */
  readonly light: LightRecords & { readonly sampleBytes: 1 | 3 | 6 };
  /** Texels from sample to sample. */
  readonly step: number;
  /** Whether a face is passed over, as liquids and sky are. */
  isSkipped(face: number): boolean;
}

/**
 * A sampler for formats whose faces have lightmaps. Throws `BspError` for light that is not in the file, and for faces with far too
 * many samples.
 */
export function createFaceLight(
  trees: FaceTrees,
  source: FaceLightSource,
  asked: AskedLight,
  checks: Checks<'faces'>,
): LightSampler {
  return source.light.lighting.length === 0
    ? createFullLight()
    : new FaceSampler(trees, source, asked, checks);
}

/** Numbers kept for each face: lowest texel and extent, in texels, along both axes. */
const EXTENT = 4;

class FaceSampler implements LightSampler {
  readonly isLit = true;
  private readonly _trees: FaceTrees;
  private readonly _lighting: Uint8Array;
  private readonly _sampleBytes: number;
  private readonly _offsetBytes: number;
  /** What questions need of the faces: the other records may be copies that nobody else keeps. */
  private readonly _texInfos: Int32Array;
  private readonly _vectors: Float32Array;
  private readonly _faceStyles: Uint8Array;
  private readonly _lightOffsets: Int32Array;
  private readonly _step: number;
  private readonly _styles: ArrayLike<number>;
  private readonly _factor: number;
  private readonly _smooth: boolean;
  /** By face; an extent below 0 is found nowhere. */
  private readonly _extents: Float64Array;
  /** By face: how many light styles it has; 0 for a dark one. */
  private readonly _numStyles: Uint8Array;
  /** The point. */
  private readonly _point = new Float32Array(3);
  /** The crossing that was found: its height, and how far along the axes of its face it is, in texels. */
  private readonly _found = new Float64Array(3);
  /** Its light. */
  private readonly _sum = new Float32Array(3);
  /** By place on the stack: nodes that the line crosses, by number and side, how high, and how far down it went on. */
  private readonly _crossed: Int32Array;
  private readonly _heights: Float32Array;
  private readonly _ends: Float32Array;

  constructor(trees: FaceTrees, source: FaceLightSource, asked: AskedLight, checks: Checks<'faces'>) {
    const { light, step } = source;
    const { faces, sampleBytes } = light;
    this._trees = trees;
    this._lighting = light.lighting;
    this._sampleBytes = sampleBytes;
    this._offsetBytes = light.offsetBytes;
    this._texInfos = faces.texInfos;
    this._vectors = faces.vectors;
    this._faceStyles = faces.styles;
    this._lightOffsets = faces.lightOffsets;
    this._step = step;
    this._styles = asked.styles ?? [];
    this._factor = asked.brightness / 255;
    this._smooth = asked.smooth;
    this._extents = new Float64Array(EXTENT * faces.count).fill(-1);
    this._numStyles = new Uint8Array(faces.count);
    this._crossed = new Int32Array(trees.depth);
    this._heights = new Float32Array(trees.depth);
    this._ends = new Float32Array(trees.depth);
    const lengths = new Int32Array(faces.count);
    const span = new Float64Array(2);
    for (let face = 0; face < faces.count; face++) {
      if (faces.numEdges[face]! < 3 || source.isSkipped(face)) continue;
      const count = faces.lightOffsets[face]! < 0 ? 0 : countStyles(light, face);
      this._numStyles[face] = count;
      let samples = 1;
      for (let axis = 0; axis < 2; axis++) {
        // A dark face takes no bytes, however large it is.
        measureSamples(faces, face, axis, step, span, count > 0 ? checks : undefined);
        this._extents[EXTENT * face + axis] = step * span[0]!;
        this._extents[EXTENT * face + 2 + axis] = step * (span[1]! - 1);
        samples *= span[1]!;
      }
      if (count > 0) lengths[face] = count * sampleBytes * samples;
    }
    checkLight(light, lengths, checks);
  }

  createSample(): LightSample {
    return createLightSample();
  }

  at(point: Vec3, out: LightSample = createLightSample()): LightSample {
    checkLightSample(point, out, this._lighting);
    // All three are read before the first is written: reading them may run a getter that asks.
    const x = point[0]!;
    const y = point[1]!;
    const z = point[2]!;
    this._point[0] = x;
    this._point[1] = y;
    this._point[2] = z;
    const face = this._find();
    const sum = this._sum;
    sum.fill(0);
    if (face >= 0) this._sample(face);
    return fillAmbient(out, sum, face);
  }

  /** The first face below the point, of all trees; -1 for none. */
  private _find(): number {
    const { heads, bounds } = this._trees;
    if (!bounds) return this._walk(heads[0]!);
    const point = this._point;
    const found = this._found;
    let best = -1;
    let height = 0;
    let s = 0;
    let t = 0;
    for (let k = 0; k < heads.length; k++) {
      if (!isAbove(point, bounds, 6 * k)) continue;
      const face = this._walk(heads[k]!);
      if (face < 0 || (best >= 0 && found[0]! <= height)) continue;
      best = face;
      height = found[0]!;
      s = found[1]!;
      t = found[2]!;
    }
    found[0] = height;
    found[1] = s;
    found[2] = t;
    return best;
  }

  /**
   * The first face that a line straight down comes to in a tree; -1 for none. Source: the engines' recursive search. A line down has
   * the same x and y everywhere, so a part of it is two heights.
   */
  private _walk(head: number): number {
    const { nodes, planes } = this._trees;
    const { normals, dists } = planes;
    const { children, planes: numbers } = nodes;
    const crossed = this._crossed;
    const heights = this._heights;
    const ends = this._ends;
    const f = Math.fround;
    const x = this._point[0]!;
    const y = this._point[1]!;
    let top = this._point[2]!;
    let bottom = f(top - REACH);
    let node = head;
    let depth = 0;
    for (;;) {
      while (node >= 0) {
        const plane = numbers[node]!;
        const beside = f(f(x * normals[3 * plane]!) + f(y * normals[3 * plane + 1]!));
        const slope = normals[3 * plane + 2]!;
        const front = f(f(beside + f(top * slope)) - dists[plane]!);
        const back = f(f(beside + f(bottom * slope)) - dists[plane]!);
        const side = front < 0 ? 1 : 0;
        if (side === (back < 0 ? 1 : 0)) {
          node = children[2 * node + side]!;
          continue;
        }
        const height = f(top + f(f(bottom - top) * f(front / f(front - back))));
        crossed[depth] = 2 * node + side;
        heights[depth] = height;
        ends[depth] = bottom;
        depth++;
        bottom = height;
        node = children[2 * node + side]!;
      }
      if (depth === 0) return -1;
      depth--;
      node = crossed[depth]! >> 1;
      top = heights[depth]!;
      this._found[0] = top;
      const face = this._faceOf(node);
      if (face >= 0) return face;
      bottom = ends[depth]!;
      node = children[crossed[depth]! ^ 1]!;
    }
  }

  /** The first of a node's faces that is where the line crosses it: within its rectangle of samples. -1 for none. */
  private _faceOf(node: number): number {
    const { firstFaces, numFaces } = this._trees.nodes;
    const extents = this._extents;
    const found = this._found;
    const first = firstFaces[node]!;
    const end = first + numFaces[node]!;
    for (let face = first; face < end; face++) {
      const at = EXTENT * face;
      if (extents[at + 2]! < 0) continue;
      this._texel(face, 0);
      this._texel(face, 1);
      // The engines compare whole texels, cut off towards 0.
      const s = Math.trunc(found[1]!) - extents[at]!;
      const t = Math.trunc(found[2]!) - extents[at + 1]!;
      if (s >= 0 && t >= 0 && s <= extents[at + 2]! && t <= extents[at + 3]!) return face;
    }
    return -1;
  }

  /** Writes the texture coordinate of the crossing. */
  private _texel(face: number, axis: number): void {
    const vectors = this._vectors;
    const at = 8 * this._texInfos[face]! + 4 * axis;
    const point = this._point;
    const found = this._found;
    const f = Math.fround;
    let sum = f(point[0]! * vectors[at]!);
    sum = f(sum + f(point[1]! * vectors[at + 1]!));
    sum = f(sum + f(found[0]! * vectors[at + 2]!));
    found[1 + axis] = f(sum + vectors[at + 3]!);
  }

  /** Sums the light of a face's styles at the crossing. */
  private _sample(face: number): void {
    const lighting = this._lighting;
    const sampleBytes = this._sampleBytes;
    const extents = this._extents;
    const found = this._found;
    const sum = this._sum;
    const step = this._step;
    const styles = this._styles;
    const f = Math.fround;
    const at = EXTENT * face;
    const across = extents[at + 2]! / step + 1;
    const down = extents[at + 3]! / step + 1;
    let s = Math.trunc(found[1]!) - extents[at]!;
    let t = Math.trunc(found[2]!) - extents[at + 1]!;
    if (this._smooth) {
      s = Math.min(Math.max(found[1]! - extents[at]!, 0), extents[at + 2]!);
      t = Math.min(Math.max(found[2]! - extents[at + 1]!, 0), extents[at + 3]!);
    }
    const column = Math.floor(s / step);
    const row = Math.floor(t / step);
    const right = this._smooth ? s / step - column : 0;
    const below = this._smooth ? t / step - row : 0;
    const next = column + 1 < across ? sampleBytes : 0;
    const nextRow = row + 1 < down ? sampleBytes * across : 0;
    const colors = sampleBytes === 1 ? 1 : 3;
    let from = this._offsetBytes * this._lightOffsets[face]! + sampleBytes * (row * across + column);
    for (let k = 0; k < this._numStyles[face]!; k++, from += sampleBytes * across * down) {
      const style = this._faceStyles[4 * face + k]!;
      // Not `styles[style] ?? 1`, which would box the number.
      const strength = style < styles.length ? f(styles[style]!) : 1;
      if (!(strength >= 0 && strength < Infinity)) checkRadius(styles[style]!, `styles[${style}]`);
      for (let color = 0; color < colors; color++) {
        const here = from + color;
        let value = lighting[here]!;
        if (right > 0 || below > 0) {
          const upper = value + right * (lighting[here + next]! - value);
          const left = lighting[here + nextRow]!;
          const lower = left + right * (lighting[here + nextRow + next]! - left);
          value = upper + below * (lower - upper);
        }
        sum[color]! += f(value * strength) * this._factor;
      }
    }
    if (colors === 1) {
      sum[1] = sum[0]!;
      sum[2] = sum[0]!;
    }
  }
}

/** Whether a point is above a box, or in it: within a unit to all sides, as compilers round bounds. */
function isAbove(point: Float32Array, bounds: ArrayLike<number>, at: number): boolean {
  return (
    point[0]! >= bounds[at]! - 1 &&
    point[1]! >= bounds[at + 1]! - 1 &&
    point[2]! >= bounds[at + 2]! - 1 &&
    point[0]! <= bounds[at + 3]! + 1 &&
    point[1]! <= bounds[at + 4]! + 1
  );
}
