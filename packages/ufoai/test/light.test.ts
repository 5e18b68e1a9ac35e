import { houseUfoai } from '@bspkit/fixtures';
import { readRealMap, realMapNames, skippedWithoutMaps } from '@bspkit/fixtures/real';
import { between, createRandom } from '@bspkit/geometry';
import { type LightFound, type LitMap, lightBelow } from '@bspkit/testkit/light';
import { refusal } from '@bspkit/testkit/refusals';
import { expectSame } from '@bspkit/testkit/same';
import { SEED } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import { createLightSampler, createUfoaiWorld, readUfoai, type UfoaiFile } from '../src/index.ts';
import { readFaces } from '../src/mesh-faces.ts';
import { lit, view } from './lit.ts';

const house = readUfoai(houseUfoai());
const litHouse = lit(house);

/** Compares answers with a search in all trees around or below a point, one after the other, and returns how many faces were found. */
function compare(file: UfoaiFile, night: boolean): number {
  const records = readFaces(file);
  const { nodes, lightingDay, lightingNight } = file.lumps;
  const listed = (at: number): number[] =>
    Array.from({ length: file.nodes.count }, (_, node) => view(nodes).getUint16(28 * node + at, true));
  const [atNight, byDay] = [0, 1].map((time) =>
    Int32Array.from({ length: records.count }, (_, face) => records.lightOffsets[2 * face + time]!),
  );
  const styles = new Uint8Array(4 * records.count).fill(255).map((style, k) => (k % 4 === 0 ? 0 : style));
  const map: LitMap = {
    ...{ planes: file.planes, sampleBytes: 6, colors: 3, offsetBytes: 1, step: 8 },
    lighting: night ? lightingNight : lightingDay,
    faces: { ...records, styles, lightOffsets: night ? atNight! : byDay! },
    nodes: { ...file.nodes, firstFaces: listed(24), numFaces: listed(26) },
    isSkipped: (face) => face % 10 === 9,
  };
  const heads: number[] = [];
  const visit = (node: number): void => {
    if (file.nodes.planes[node]! >= 0) heads.push(node);
    else for (const side of [0, 1]) visit(file.nodes.children[2 * node + side]!);
  };
  for (const { headNode } of file.models.slice(0, 256)) if (headNode >= 0) visit(headNode);
  // Rectangles of samples may be larger than their tree.
  const isAbove = (head: number, point: readonly number[]): boolean =>
    point.every(
      (x, k) =>
        x >= file.nodes.mins[3 * head + k]! - 1 && (k === 2 || x <= file.nodes.maxs[3 * head + k]! + 1),
    );
  const sampler = createLightSampler(file, { night, styles: [0] });
  const random = createRandom(SEED);
  const out = sampler.createSample();
  const found = new Set<number>();
  // Not the bounds of models, which some compilers leave empty.
  const { mins, maxs } = createUfoaiWorld(file).bounds;
  for (let k = 0; k < 100; k++) {
    const point = [0, 1, 2].map((axis) => Math.fround(between(random, mins[axis]!, maxs[axis]!)));
    let wanted: LightFound | undefined;
    for (const head of heads.filter((each) => isAbove(each, point))) {
      const each = lightBelow(map, point, { head, factor: 1 / 255 });
      if (each && !(wanted && wanted.height >= each.height)) wanted = each;
    }
    sampler.at(point, out);
    expectSame(out.surface, wanted?.surface ?? -1);
    expectSame([...out.ambient], wanted?.color ?? [0, 0, 0]);
    found.add(out.surface);
  }
  return found.size;
}

describe('light at points', () => {
  it.each([false, true])('is that of the highest face below, of all levels; at night: %s', (night) => {
    expect(compare(litHouse, night)).toBeGreaterThan(15);
  });

  it.each([...realMapNames('ufoai'), ''].slice(...(process.env.BSPKIT_ALL_MAPS ? [0] : [6, 7])))(
    `of real maps, which are painted for this, is so too: %s${skippedWithoutMaps}`,
    (name) => {
      if (name) expect(compare(lit(readUfoai(readRealMap(name))), false)).toBeGreaterThan(1);
    },
  );

  it('is not that of doors', () => {
    const sampler = createLightSampler(litHouse);
    const doors = house.models.slice(259).filter(({ numFaces }) => numFaces > 0);
    expect(doors.length).toBeGreaterThan(0);
    for (const { mins, maxs, firstFace, numFaces } of doors) {
      const { surface } = sampler.at([(mins[0]! + maxs[0]!) / 2, (mins[1]! + maxs[1]!) / 2, maxs[2]! + 1]);
      expect(surface < firstFace || surface >= firstFace + numFaces).toBe(true);
    }
  });

  it('is full in a map without, and refused where it is not in the file, or nodes list faces that are not', () => {
    expect(createLightSampler(house).isLit).toBe(false);
    const file = litHouse;
    const changed = (lumps: Partial<UfoaiFile['lumps']>): UfoaiFile => ({
      ...file,
      lumps: { ...file.lumps, ...lumps },
    });
    const dayOnly = changed({ lightingNight: Uint8Array.of(3) });
    expect([false, true].map((night) => createLightSampler(dayOnly, { night }).isLit)).toEqual([true, false]);
    const cut = changed({ lightingDay: file.lumps.lightingDay.subarray(0, -1) });
    expect(refusal(() => createLightSampler(cut))).toMatch(/^index: ufoai: faces \d+: bytes of light/);
    expect(createLightSampler(cut, { night: true }).isLit).toBe(true);
    const far = changed({ lightingDay: Uint8Array.of(9, 0), lightingNight: new Uint8Array(0) });
    expect(refusal(() => createLightSampler(far))).toMatch(/^value: ufoai: lightingDay: samples are 2\^9/);
    const nodes = file.lumps.nodes.slice();
    view(nodes).setUint16(26, 0xffff, true);
    expect(refusal(() => createLightSampler(changed({ nodes })))).toMatch(/^index: ufoai: nodes 0: faces/);
    const children = file.nodes.children.slice();
    const head = file.models.find(({ headNode }) => headNode >= 0)!.headNode;
    children[2 * head] = head;
    expect(refusal(() => createLightSampler({ ...file, nodes: { ...file.nodes, children } }))).toMatch(
      /^cycle/,
    );
  });
});
