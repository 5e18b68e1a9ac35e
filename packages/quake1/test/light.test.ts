import { readRealMap, realMapNames, skippedWithoutMaps } from '@bspkit/fixtures/real';
import { between, createRandom } from '@bspkit/geometry';
import { type LitMap, lightBelow } from '@bspkit/testkit/light';
import { refusal } from '@bspkit/testkit/refusals';
import { expectSame } from '@bspkit/testkit/same';
import { SEED } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import {
  createLightSampler,
  createQuake1World,
  type Quake1File,
  type Quake1LightOptions,
  readQuake1,
} from '../src/index.ts';
import { edgeFaces } from '../src/lightmaps.ts';
import { arena, isSpecial, lit } from './lit.ts';

/** Random points all over a map. */
function pointsIn({ models }: Quake1File, count: number): number[][] {
  const { mins, maxs } = models[0]!;
  const random = createRandom(SEED);
  return Array.from({ length: count }, () =>
    [0, 1, 2].map((k) => Math.fround(between(random, mins[k]!, maxs[k]!))),
  );
}

/** Compares answers with the engine's search, and returns how many faces were found. */
function compare(
  file: Quake1File,
  light: Pick<LitMap, 'lighting' | 'colors' | 'offsetBytes'>,
  options: Quake1LightOptions = {},
): number {
  const { colors } = light;
  const map: LitMap = {
    ...{ planes: file.planes, nodes: file.nodes, faces: edgeFaces(file), step: 16, sampleBytes: colors },
    ...light,
    isSkipped: (face) => isSpecial(file, face),
  };
  const sampler = createLightSampler(file, { brightness: 255, ...options });
  const out = sampler.createSample();
  const found = new Set<number>();
  for (const point of pointsIn(file, 100)) {
    const wanted = lightBelow(map, point, { strengths: options.styles ?? [] });
    sampler.at(point, out);
    const color = wanted?.color ?? [0];
    expectSame([...out.ambient], colors === 3 && color.length === 3 ? color : [0, 1, 2].map(() => color[0]));
    expectSame(out.surface, wanted?.surface ?? -1);
    found.add(out.surface);
  }
  return found.size;
}

describe('light at points', () => {
  it('is what the engine finds in its tree, to the bit', () => {
    const file = lit();
    const grey = { lighting: file.lighting, colors: 1, offsetBytes: 1 } as const;
    expect(compare(file, grey)).toBeGreaterThan(15);
    // The engine's own strengths.
    expect(compare(file, grey, { styles: [264 / 256, 0, 0, 0.5] })).toBeGreaterThan(15);
    // Its search begins at node 0, whatever the model says.
    const [world, ...models] = file.models;
    expect(
      compare({ ...file, models: [{ ...world!, heads: Int32Array.of(5, 0, 0, 0) }, ...models] }, grey),
    ).toBeGreaterThan(15);
  });

  it('is in colour in Half-Life, and where a map or a .lit file has colours', () => {
    const halflife = lit(30);
    expect(compare(halflife, { lighting: halflife.lighting, colors: 3, offsetBytes: 1 })).toBeGreaterThan(15);
    const file = lit();
    const lighting = Uint8Array.from({ length: 3 * file.lighting.length }, (_, k) => (k * 7919) >> 3);
    const colored = { lighting, colors: 3, offsetBytes: 3 } as const;
    const extended = { ...file, extensions: [{ name: 'RGBLIGHTING', bytes: lighting }] };
    const without = { ...extended, lighting: new Uint8Array(0) };
    expect(compare(extended, colored)).toBeGreaterThan(15);
    expect(compare(without, colored)).toBeGreaterThan(15);
    const bytes = new Uint8Array(8 + lighting.length);
    bytes.set([81, 76, 73, 84, 1]);
    bytes.set(lighting, 8);
    expect(compare(file, colored, { lit: bytes })).toBeGreaterThan(15);
  });

  it('is that of the face whose polygon is below, but where a neighbour has samples there', () => {
    const file = lit();
    const world = createQuake1World(file);
    const sampler = createLightSampler(file);
    let [same, wider] = [0, 0];
    for (const point of pointsIn(file, 200)) {
      if (!world.isInside(point)) continue;
      const wanted = polygonBelow(file, point);
      const { surface } = sampler.at(point);
      if (surface === wanted.face) same++;
      else {
        // In the same plane or higher, and not in its own polygon: then it would have been found.
        expect(heightOf(file, surface, point)).toBeGreaterThanOrEqual(wanted.height - 0.01);
        wider++;
      }
    }
    expect(same).toBeGreaterThan(60);
    expect(wider).toBeLessThan(same / 2);
  });

  it.each([...realMapNames('quake1'), ''].slice(...(process.env.BSPKIT_ALL_MAPS ? [0] : [2, 4])))(
    `of real maps is what the engine finds: %s${skippedWithoutMaps}`,
    (name) => {
      if (!name) return;
      const file = readQuake1(readRealMap(name));
      expect(compare(file, { lighting: file.lighting, colors: 1, offsetBytes: 1 })).toBeGreaterThan(2);
    },
  );

  it('is twice as bright as in the file by default', () => {
    const file = lit();
    const [usual, stored] = [createLightSampler(file), createLightSampler(file, { brightness: 255 })];
    const point = pointsIn(file, 100).find((at) => stored.at(at).ambient[0]! > 0)!;
    expect(usual.at(point).ambient[0]! * 127.5).toBeCloseTo(stored.at(point).ambient[0]!, 4);
  });

  it('is refused where it is not in the file, and full where there is none', () => {
    expect(createLightSampler(arena).isLit).toBe(false);
    const file = lit();
    const cut = { ...file, lighting: file.lighting.subarray(1) };
    expect(refusal(() => createLightSampler(cut))).toMatch(/^index: quake1: faces \d+: bytes of light/);
    const children = file.nodes.children.slice().fill(0, 0, 1);
    expect(refusal(() => createLightSampler({ ...file, nodes: { ...file.nodes, children } }))).toMatch(
      /^cycle/,
    );
  });
});

/** Height at which a vertical line crosses a face's plane. */
function heightOf({ faces, planes }: Quake1File, face: number, [x, y]: readonly number[]): number {
  const plane = faces.planes[face]!;
  const [a, b, c] = planes.normals.subarray(3 * plane, 3 * plane + 3);
  return (planes.dists[plane]! - a! * x! - b! * y!) / c!;
}

/** The highest lit face below a point whose polygon is there: brute force. */
function polygonBelow(file: Quake1File, point: readonly number[]): { face: number; height: number } {
  const { surfEdges, edges, positions, firstEdges, numEdges } = edgeFaces(file);
  const { firstFace, numFaces } = file.models[0]!;
  let best = { face: -1, height: point[2]! - 2048 };
  for (let face = firstFace; face < firstFace + numFaces; face++) {
    if (isSpecial(file, face)) continue;
    const height = heightOf(file, face, point);
    if (!(height <= point[2]! && height > best.height)) continue;
    const corners = Array.from({ length: numEdges[face]! }, (_, k) => {
      const edge = surfEdges[firstEdges[face]! + k]!;
      const vertex = edge < 0 ? edges[1 - 2 * edge]! : edges[2 * edge]!;
      return [positions[3 * vertex]! - point[0]!, positions[3 * vertex + 1]! - point[1]!] as const;
    });
    const turns = corners.map(([x, y], k) => {
      const [nextX, nextY] = corners[(k + 1) % corners.length]!;
      return x * nextY - y * nextX;
    });
    if (turns.every((turn) => turn >= 0) || turns.every((turn) => turn <= 0)) best = { face, height };
  }
  return best;
}
