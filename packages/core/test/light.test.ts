import { describe, expect, it } from 'vitest';
import {
  type AskedLight,
  createChecks,
  createFaceLight,
  createFullLight,
  type FaceLightSource,
  type FaceTrees,
} from '../src/format/index.ts';
import type { LightSampler } from '../src/index.ts';
import { codeOf } from './errors.ts';

/** A face that looks up or down, with x and y as its texels: a rectangle, or any texture axes. */
interface Flat {
  readonly x: readonly [number, number];
  readonly y: readonly [number, number];
  readonly z: number;
  /** Its light styles, 0 by default, and all their samples; without samples it is dark. */
  readonly styles?: readonly number[];
  readonly samples?: readonly number[];
  readonly isSkipped?: boolean;
}

function sourceOf(flats: readonly Flat[], sampleBytes: 1 | 3 | 6 = 1): FaceLightSource {
  const lighting: number[] = [];
  const styles = new Uint8Array(4 * flats.length).fill(255);
  const lightOffsets = flats.map(({ styles: own = [0], samples }, face) => {
    styles.set(own, 4 * face);
    if (!samples) return -1;
    lighting.push(...samples);
    return lighting.length - samples.length;
  });
  const numbers = (count: number, of: (k: number) => number): Int32Array =>
    Int32Array.from({ length: count }, (_, k) => of(k));
  const count = flats.length;
  const faces = {
    ...{ count, firstEdges: numbers(count, (face) => 4 * face), numEdges: numbers(count, () => 4) },
    ...{ texInfos: numbers(count, () => 0), vectors: Float32Array.of(1, 0, 0, 0, 0, 1, 0, 0) },
    ...{ surfEdges: numbers(4 * count, (k) => k), styles, lightOffsets: Int32Array.from(lightOffsets) },
    edges: numbers(8 * count, (k) => 4 * (k >> 3) + (((k + 1) >> 1) & 3)),
    positions: Float32Array.from(
      flats.flatMap(({ x, y, z }) => [x[0], y[0], z, x[0], y[1], z, x[1], y[1], z, x[1], y[0], z]),
    ),
  };
  const light = { faces, lighting: Uint8Array.from(lighting), sampleBytes, offsetBytes: 1 } as const;
  return { light, step: 16, isSkipped: (face) => flats[face]!.isSkipped === true };
}

/** Each node's plane is at a height, with all that is behind it in the next; its faces are those of that height. */
function treesOf(flats: readonly Flat[]): FaceTrees {
  const heights = [...new Set(flats.map(({ z }) => z))];
  const numbers = (of: (k: number) => number | number[]): Int32Array =>
    Int32Array.from(heights.flatMap((_, k) => of(k)));
  return {
    nodes: {
      planes: numbers((k) => k),
      children: numbers((k) => [-1, k + 1 < heights.length ? k + 1 : -1]),
      firstFaces: numbers((k) => flats.findIndex(({ z }) => z === heights[k])),
      numFaces: numbers((k) => flats.filter(({ z }) => z === heights[k]).length),
    },
    planes: {
      normals: Float32Array.from(heights.flatMap(() => [0, 0, 1])),
      dists: Float32Array.from(heights),
    },
    ...{ heads: [0], depth: heights.length },
  };
}

const checks = createChecks<'faces'>('toy');
/** Brightness 255: numbers as they are in the file. */
const AS_STORED: AskedLight = { brightness: 255, styles: undefined, smooth: false };

const samplerOf = (flats: readonly Flat[], asked: Partial<AskedLight> = {}): LightSampler =>
  createFaceLight(treesOf(flats), sourceOf(flats), { ...AS_STORED, ...asked }, checks);

/** Surface, then red, green and blue. */
function ask(sampler: LightSampler, point: readonly number[]): number[] {
  const { surface, ambient, directed, direction } = sampler.at(point);
  expect([...directed, ...direction]).toEqual([0, 0, 0, 0, 0, 0]);
  return [surface, ...ambient];
}

/** A table of 3 x 2 samples. */
const TABLE: Flat = { x: [0, 32], y: [0, 16], z: 100, samples: [10, 20, 30, 40, 50, 60] };
const FLOOR: Flat = { x: [-640, 640], y: [-16, 32], z: 0 };
const DARK = [-1, 0, 0, 0];

describe('light on faces', () => {
  it('is the sample at the point: the one before it along both axes', () => {
    const sampler = samplerOf([TABLE]);
    expect(sampler.isLit).toBe(true);
    const grey = (value: number): number[] => [0, value, value, value];
    expect(ask(sampler, [0, 0, 110])).toEqual(grey(10));
    expect(ask(sampler, [15.9, 0, 110])).toEqual(grey(10));
    expect(ask(sampler, [16, 0, 110])).toEqual(grey(20));
    expect(ask(sampler, [16, 16, 110])).toEqual(grey(50));
    // Texels are cut off towards 0, so that the face is a bit wider to both sides.
    expect(ask(sampler, [-0.9, -0.9, 110])).toEqual(grey(10));
    expect(ask(sampler, [32.9, 16.9, 110])).toEqual(grey(60));
    for (const [x, y] of [
      [-1, 0],
      [0, -1],
      [33, 0],
      [0, 17],
    ] as const) {
      expect(ask(sampler, [x, y, 110])).toEqual(DARK);
    }
  });

  it('is looked for straight down, from the point itself on, for 2048 units', () => {
    const sampler = samplerOf([TABLE]);
    expect(ask(sampler, [0, 0, 100])).toEqual([0, 10, 10, 10]);
    expect(ask(sampler, [0, 0, 99.9])).toEqual(DARK);
    expect(ask(sampler, [0, 0, 2147.9])).toEqual([0, 10, 10, 10]);
    expect(ask(sampler, [0, 0, 2148])).toEqual(DARK);
    // Here float32 skips more than 2048 units.
    expect(ask(sampler, [0, 0, 1e30])).toEqual(DARK);
    expect(ask(sampler, [1e38, 1e38, 110])).toEqual(DARK);
  });

  it('is found where float32 has the line cross a plane, as in the engines', () => {
    const trees = treesOf([TABLE]);
    const planes = { normals: Float32Array.of(0.6, 0, 0.8), dists: Float32Array.of(64) };
    const { light, ...rest } = sourceOf([{ ...TABLE, samples: [10, 20, 30, 40, 50, 60, 70, 80] }]);
    // Its texels are z and y. The line crosses it at 31.9999962 in double precision, and at 32 in theirs.
    const faces = {
      ...light.faces,
      vectors: Float32Array.of(0, 0, 1, 0, 0, 1, 0, 0),
      positions: Float32Array.of(320 / 3, 0, 0, 320 / 3, 16, 0, 128 / 3, 16, 48, 128 / 3, 0, 48),
    };
    const source = { ...rest, light: { ...light, faces } };
    const sampler = createFaceLight({ ...trees, planes }, source, AS_STORED, checks);
    expect(ask(sampler, [64, 0, 278.28570556640625])[1]).toBe(30);
  });

  it('is that of the first face in the file that is there, and not passed over', () => {
    const twin = { ...TABLE, samples: [1, 1, 1, 1, 1, 1] };
    const sampler = samplerOf([{ ...TABLE, isSkipped: true }, twin, TABLE, FLOOR]);
    expect(ask(sampler, [16, 0, 110])).toEqual([1, 1, 1, 1]);
    // The floor has no light, and may be larger than any face with light.
    expect(ask(sampler, [16, 0, 90])).toEqual([3, 0, 0, 0]);
    expect(ask(sampler, [-500, 0, 110])).toEqual([3, 0, 0, 0]);
    const huge = { ...FLOOR, x: [-1e9, 1e9] } as const;
    expect(ask(samplerOf([TABLE, huge]), [-500, 0, 110])).toEqual([1, 0, 0, 0]);
    expect(ask(samplerOf([TABLE, { ...FLOOR, x: [Number.NaN, 0] }]), [-500, 0, 110])).toEqual(DARK);
    expect(ask(samplerOf([TABLE, { ...FLOOR, styles: [255], samples: [] }]), [0, 0, 9])).toEqual([
      1, 0, 0, 0,
    ]);
  });

  it('is interpolated if it is to be smooth', () => {
    const sampler = samplerOf([TABLE], { smooth: true });
    const at = (x: number, y: number): number => ask(sampler, [x, y, 110])[1]!;
    expect([at(0, 0), at(8, 0), at(0, 8), at(8, 8), at(24, 12)]).toEqual([10, 15, 25, 30, 47.5]);
    // There is nothing behind the last sample, or before the first.
    expect([at(32, 16), at(32.5, 16.5), at(32.5, 8), at(-0.5, -0.5), at(8, -0.5)]).toEqual([
      60, 60, 45, 10, 15,
    ]);
  });

  it('adds up the styles of a face, as strong as the list says at that moment', () => {
    const samples = [1, 2, 3, 4, 5, 6, 10, 20, 30, 40, 50, 60];
    const styles = Float32Array.of(1, 1, 1, 0.5);
    const sampler = samplerOf([{ ...TABLE, styles: [0, 3], samples }], { styles });
    expect(ask(sampler, [16, 0, 110])[1]).toBe(2 + 10);
    styles[3] = 2;
    expect(ask(sampler, [16, 0, 110])[1]).toBe(2 + 40);
    expect(ask(samplerOf([{ ...TABLE, styles: [0, 3], samples }]), [16, 0, 110])[1]).toBe(2 + 20);
    const smooth = samplerOf([{ ...TABLE, styles: [0, 3], samples }], { styles, smooth: true });
    expect(ask(smooth, [8, 8, 110])[1]).toBe(3 + 60);
    // Nothing changes when it throws.
    const out = sampler.at([0, 0, 110], sampler.createSample());
    for (const wrong of [-1, Number.NaN, Infinity]) {
      styles[3] = wrong;
      expect(() => sampler.at([16, 0, 110], out)).toThrow(
        new RangeError(`styles[3] must be a finite float32, 0 or more, got ${wrong}`),
      );
      expect([out.surface, ...out.ambient]).toEqual([0, 21, 21, 21]);
    }
  });

  it.each([3, 6] as const)('may be in colour, in samples of %i bytes', (bytes) => {
    const samples = Array.from({ length: 6 * bytes }, (_, k) => k);
    const flats = [{ ...TABLE, samples }];
    const sampler = createFaceLight(treesOf(flats), sourceOf(flats, bytes), AS_STORED, checks);
    const from = 5 * bytes;
    expect(ask(sampler, [32, 16, 110])).toEqual([0, from, from + 1, from + 2]);
    const dim = createFaceLight(
      treesOf(flats),
      sourceOf(flats, bytes),
      { ...AS_STORED, brightness: 2 },
      checks,
    );
    expect(ask(dim, [32, 16, 110])[1]).toBe(Math.fround(from * (2 / 255)));
  });

  it('is that of the highest face in several trees, of those whose bounds are above or around', () => {
    const flats = [TABLE, FLOOR];
    const trees = treesOf(flats);
    const forest = (heads: readonly number[], top = 0): LightSampler => {
      const bounds = heads.flatMap((head) => [-1, -1, head === 1 ? 0 : 100, 33, 17, head === 1 ? top : 100]);
      return createFaceLight({ ...trees, heads, bounds }, sourceOf(flats), AS_STORED, checks);
    };
    for (const heads of [
      [0, 1],
      [1, 0],
    ]) {
      expect(ask(forest(heads), [16, 0, 110])).toEqual([0, 20, 20, 20]);
      expect(ask(forest(heads), [16, 0, 90])).toEqual([1, 0, 0, 0]);
    }
    const floor = forest([1]);
    expect(ask(floor, [-2, -2, -1 + 1])).toEqual([1, 0, 0, 0]);
    expect(ask(floor, [34, 18, 9])).toEqual([1, 0, 0, 0]);
    for (const point of [
      [-2.1, 0, 9],
      [0, -2.1, 9],
      [34.1, 0, 9],
      [0, 18.1, 9],
    ]) {
      expect(ask(floor, point)).toEqual(DARK);
    }
  });

  it('is found below a point that lies in the answer', () => {
    const sampler = samplerOf([TABLE]);
    const out = sampler.createSample();
    expect([out.surface, ...out.ambient, ...out.directed, ...out.direction]).toEqual([
      -1,
      ...new Array(9).fill(0),
    ]);
    out.ambient.set([16, 0, 110]);
    out.directed.fill(1);
    out.direction.fill(1);
    expect(sampler.at(out.ambient, out)).toBe(out);
    expect([out.surface, ...out.ambient, ...out.directed]).toEqual([0, 20, 20, 20, 0, 0, 0]);
    expect([...out.direction]).toEqual([0, 0, 0]);
  });

  it("leaves what is behind the three numbers of a caller's own arrays", () => {
    const rows = new Float32Array(18).fill(7);
    const out = { ambient: rows, directed: rows.subarray(6), direction: rows.subarray(12), surface: 9 };
    for (const sampler of [samplerOf([TABLE]), createFullLight()]) {
      sampler.at([16, 0, 110], out);
      expect([3, 9, 15].flatMap((k) => [...rows.subarray(k, k + 3)])).toEqual(new Array(9).fill(7));
    }
  });

  it('is everywhere in a map without any', () => {
    const sampler = samplerOf([FLOOR]);
    expect(sampler.isLit).toBe(false);
    expect(ask(sampler, [16, 0, 90])).toEqual([-1, 1, 1, 1]);
    const out = createFullLight().createSample();
    out.directed.fill(1);
    expect([...createFullLight().at([0, 0, 0], out).directed]).toEqual([0, 0, 0]);
  });

  it('must be in the file, and no face must have far too many samples', () => {
    const short = { ...TABLE, samples: TABLE.samples!.slice(1) };
    expect(() => samplerOf([short])).toThrow('toy: faces 0: bytes of light 0 to 6 are not within 0..5');
    const long = { ...TABLE, x: [0, 16 * 1024] } as const;
    expect(codeOf(() => samplerOf([long]))).toBe('limit');
    expect(() => samplerOf([long])).toThrow('toy: faces 0: is 1025 light samples long, more than 1024');
    // Those that are passed over need none, nor do those without corners.
    const source = sourceOf([TABLE]);
    source.light.faces.numEdges[0] = 0;
    expect(ask(createFaceLight(treesOf([TABLE]), source, AS_STORED, checks), [0, 0, 110])).toEqual(DARK);
    const { isLit } = samplerOf([{ ...long, isSkipped: true }, TABLE]);
    expect(isLit).toBe(true);
  });

  it('is not asked for in a file whose bytes are gone, nor with anything but points and samples', () => {
    const source = sourceOf([TABLE]);
    const sampler = createFaceLight(treesOf([TABLE]), source, AS_STORED, checks);
    const out = sampler.createSample();
    for (const { at } of [sampler, createFullLight()].map((each) => ({ at: each.at.bind(each) }))) {
      expect(() => at([0, 0, Number.NaN], out)).toThrow(RangeError);
      expect(() => at([0, 0, 0], {} as never)).toThrow(
        new TypeError('out must be a sample made by createSample, got an object'),
      );
      for (const name of ['ambient', 'directed', 'direction']) {
        expect(() => at([0, 0, 0], { ...out, [name]: [0, 0, 0] } as never)).toThrow(TypeError);
      }
    }
    structuredClone(source.light.lighting, { transfer: [source.light.lighting.buffer as ArrayBuffer] });
    expect(() => sampler.at([0, 0, 110])).toThrow(
      new TypeError("the file's bytes must not have been transferred or cut off"),
    );
  });
});
