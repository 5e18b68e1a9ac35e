import { compileFixture } from '@bspkit/fixtures';
import { readRealMap, realMapNames, skippedWithoutMaps } from '@bspkit/fixtures/real';
import { between, createRandom } from '@bspkit/geometry';
import { type LitMap, lightBelow, paintFaces } from '@bspkit/testkit/light';
import { refusal } from '@bspkit/testkit/refusals';
import { expectSame } from '@bspkit/testkit/same';
import { SEED } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import {
  createLightSampler,
  lightmaps,
  type Quake2File,
  readQuake2,
  SURFACE_SKY,
  SURFACE_WARP,
} from '../src/index.ts';
import { readFaces } from '../src/mesh-faces.ts';
import { widened } from './wide.ts';

const compiled = compileFixture('arena', 'quake2').bytes;
const arena = readQuake2(compiled);

const view = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

const isPassed = ({ textures }: Quake2File, texture: number): boolean =>
  (textures[texture]!.surfaceFlags & (SURFACE_SKY | SURFACE_WARP)) !== 0;

/** A map with light in two styles, of which every tenth face has none. */
function lit(file: Quake2File): Quake2File {
  const faces = readFaces(file);
  const { styles, lightOffsets, lighting } = paintFaces(faces, {
    ...{ step: 16, sampleBytes: 3, styles: [0, 3] },
    isDark: (face) => face % 10 === 9 || isPassed(file, faces.texInfos[face]!),
  });
  const records = file.lumps.faces.slice();
  const size = records.length / faces.count;
  for (let face = 0; face < faces.count; face++) {
    const end = size * (face + 1);
    records.set(styles.subarray(4 * face, 4 * face + 4), end - 8);
    view(records).setInt32(end - 4, lightOffsets[face]!, true);
  }
  return { ...file, lumps: { ...file.lumps, faces: records, lighting } };
}

/** Compares answers with the engine's search, and returns how many faces were found. */
function compare(file: Quake2File, strengths: readonly number[] = []): number {
  const faces = readFaces(file);
  const { nodes, lighting } = file.lumps;
  const size = nodes.length / file.nodes.count;
  const listed = (place: number): number[] =>
    Array.from({ length: file.nodes.count }, (_, node) =>
      size === 28
        ? view(nodes).getUint16(size * node + 24 + 2 * place, true)
        : view(nodes).getInt32(size * node + 36 + 4 * place, true),
    );
  const map: LitMap = {
    ...{ planes: file.planes, faces, lighting, sampleBytes: 3, colors: 3, offsetBytes: 1, step: 16 },
    nodes: { ...file.nodes, firstFaces: listed(0), numFaces: listed(1) },
    isSkipped: (face) => isPassed(file, faces.texInfos[face]!),
  };
  const sampler = createLightSampler(file, { styles: strengths });
  const { mins, maxs } = file.models[0]!;
  const random = createRandom(SEED);
  const out = sampler.createSample();
  const found = new Set<number>();
  for (let k = 0; k < 100; k++) {
    const point = [0, 1, 2].map((axis) => Math.fround(between(random, mins[axis]!, maxs[axis]!)));
    const wanted = lightBelow(map, point, { strengths, factor: 1 / 255 });
    sampler.at(point, out);
    expectSame([...out.ambient], wanted?.color ?? [0, 0, 0]);
    expectSame(out.surface, wanted?.surface ?? -1);
    found.add(out.surface);
  }
  return found.size;
}

describe('light at points', () => {
  it('is what the engine finds in its tree, to the bit', () => {
    const file = lit(arena);
    expect(compare(file)).toBeGreaterThan(12);
    expect(compare(file, [0.3, 0, 0, 1.7])).toBeGreaterThan(12);
    // Its search begins at node 0, whatever the model says.
    const [world, ...models] = arena.models;
    expect(compare({ ...file, models: [{ ...world!, headNode: 5 }, ...models] })).toBeGreaterThan(12);
    expect(compare(lit(readQuake2(widened(compiled))))).toBeGreaterThan(12);
    // Sky is passed over.
    const textures = arena.textures.map((texture) => ({ ...texture, surfaceFlags: SURFACE_SKY }));
    expect(compare({ ...file, textures })).toBe(1);
  });

  it.each([...realMapNames('quake2'), ''].slice(...(process.env.BSPKIT_ALL_MAPS ? [0] : [0, 1])))(
    `of real maps, which are painted for this, is what the engine finds: %s${skippedWithoutMaps}`,
    (name) => {
      if (name) expect(compare(lit(readQuake2(readRealMap(name))))).toBeGreaterThan(5);
    },
  );

  it('keeps its hue where two styles together are too bright for a pixel', () => {
    const file = lit(arena);
    const lighting = file.lumps.lighting.map((_, k) => [80, 200, 50][k % 3]!);
    const { pixels } = lightmaps({ ...file, lumps: { ...file.lumps, lighting } })!;
    const colors = new Set(
      Array.from({ length: pixels.length / 4 }, (_, k) => pixels.slice(4 * k, 4 * k + 3).join(' ')),
    );
    expect(colors).toContain('102 255 64');
    expect(colors).not.toContain('160 255 100');
  });

  it('is refused where it is not in the file, or nodes list faces that are not', () => {
    expect(createLightSampler(arena).isLit).toBe(false);
    const file = lit(arena);
    const cut = { ...file, lumps: { ...file.lumps, lighting: file.lumps.lighting.subarray(1) } };
    expect(refusal(() => createLightSampler(cut))).toMatch(/^index: quake2: faces \d+: bytes of light/);
    const nodes = file.lumps.nodes.slice();
    view(nodes).setUint16(26, 0xffff, true);
    expect(refusal(() => createLightSampler({ ...file, lumps: { ...file.lumps, nodes } }))).toMatch(
      /^index: quake2: nodes 0: faces/,
    );
    const children = file.nodes.children.slice().fill(0, 0, 1);
    expect(refusal(() => createLightSampler({ ...file, nodes: { ...file.nodes, children } }))).toMatch(
      /^cycle/,
    );
  });
});
