import { meshFlaws } from '@bspkit/check-format';
import { compileFixture, houseUfoai } from '@bspkit/fixtures';
import { readRealMap, realMapNames, skippedWithoutMaps } from '@bspkit/fixtures/real';
import { dot } from '@bspkit/geometry';
import { refusal } from '@bspkit/testkit/refusals';
import { describe, expect, it } from 'vitest';
import {
  brushPolygons,
  CONTENTS_ACTORCLIP,
  CONTENTS_LEVEL_ALL,
  createUfoaiWorld,
  lightmaps,
  type Mesh,
  mesh,
  polygons,
  readUfoai,
  type UfoaiFile,
  type UfoaiLump,
} from '../src/index.ts';

const house = readUfoai(houseUfoai());

const at = (values: Float32Array, vertex: number): number[] => [
  ...values.subarray(3 * vertex, 3 * vertex + 3),
];

/** A file with some raw lumps changed. */
const withLumps = (lumps: Partial<Record<UfoaiLump, Uint8Array>>): UfoaiFile => ({
  ...house,
  lumps: { ...house.lumps, ...lumps },
});

/** A lump with one number changed. */
function patched(lump: UfoaiLump, offset: number, value: number, size: 2 | 4 = 4): UfoaiFile {
  const bytes = house.lumps[lump].slice();
  const view = new DataView(bytes.buffer);
  if (size === 2) view.setUint16(offset, value, true);
  else view.setInt32(offset, value, true);
  return withLumps({ [lump]: bytes });
}

/** Texels at the corners of all triangles of a mesh are as far apart as the axes of the texture say, up to this. */
function stretch(made: Mesh, textureOf: (triangle: number) => number): number {
  const view = new DataView(house.lumps.texinfo.buffer, house.lumps.texinfo.byteOffset);
  let most = 0;
  for (const [k, vertex] of made.indices.entries()) {
    const texture = textureOf(Math.floor(k / 3));
    if (texture < 0) continue;
    for (let axis = 0; axis < 2; axis++) {
      const axes = [0, 1, 2, 3].map((i) => view.getFloat32(72 * texture + 16 * axis + 4 * i, true));
      const texel = dot(at(made.positions, vertex), axes) + axes[3]!;
      most = Math.max(most, Math.abs(texel - made.texCoords![2 * vertex + axis]!));
    }
  }
  return most;
}

describe('mesh by texture', () => {
  it.each(['house', 'arena'] as const)(
    'of %s has triangles that lie in the planes of their faces',
    (name) => {
      const file = readUfoai(compileFixture(name, 'ufoai').bytes);
      const made = mesh(file);
      expect(meshFlaws(made)).toEqual([]);
      const faces = new DataView(file.lumps.faces.buffer, file.lumps.faces.byteOffset);
      let [farthest, cosine] = [0, 1];
      for (const [k, vertex] of made.indices.entries()) {
        const face = made.surfaces[Math.floor(k / 3)]!;
        const plane = faces.getUint16(20 * face, true);
        const facing = faces.getInt16(20 * face + 2, true) === 0 ? 1 : -1;
        const normal = at(file.planes.normals, plane);
        farthest = Math.max(
          farthest,
          Math.abs(dot(at(made.positions, vertex), normal) - file.planes.dists[plane]!),
        );
        cosine = Math.min(cosine, facing * dot(at(made.normals, vertex), normal));
      }
      expect(farthest).toBeLessThan(0.05);
      expect(cosine).toBeGreaterThan(0.999);
      expect(new Set(made.surfaces).size).toBe(file.lumps.faces.length / 20);
    },
  );

  it('has coordinates in texels, by faces and by brushes', () => {
    const drawn = mesh(house);
    expect(drawn.texCoordUnit).toBe('texel');
    const faces = new DataView(house.lumps.faces.buffer, house.lumps.faces.byteOffset);
    expect(
      stretch(drawn, (triangle) => faces.getUint16(20 * drawn.surfaces[triangle]! + 10, true)),
    ).toBeLessThan(0.01);
    const brushes = mesh(house, { by: 'brush' });
    expect(stretch(brushes, (triangle) => house.sides.textures[brushes.sides[triangle]!]!)).toBeLessThan(
      0.01,
    );
  });

  it('shows levels as contents, and recognises liquids by flags', () => {
    const { groups } = mesh(house);
    expect(groups.filter(({ isLiquid }) => isLiquid).map(({ name }) => name)).toEqual(['house/water']);
    expect(groups.every(({ isSky, isHidden }) => !isSky && !isHidden)).toBe(true);
    const first = mesh(house, { mask: 0x100 });
    expect(first.groups.length).toBeGreaterThan(3);
    expect(first.groups.every(({ contents }) => (contents & 0x100) !== 0)).toBe(true);
    const [all, some] = [mesh(house).indices.length, first.indices.length];
    expect(some).toBeLessThan(all);
    for (const { model, contents } of groups.filter((group) => group.model > 0)) {
      const brush = brushPolygons(house).find((polygon) => polygon.model === model)!;
      expect(contents).toBe(brush.contents & CONTENTS_LEVEL_ALL);
    }
    expect(Math.max(...groups.map(({ model }) => model))).toBe(createUfoaiWorld(house).models().length);
  });

  it('is smooth where the flags of a texture say so', () => {
    const tilted = new Float32Array(house.lumps.normals.length / 4);
    for (let k = 0; k < tilted.length; k += 3) tilted.set([0.6, 0, 0.8], k);
    const normals = new Uint8Array(tilted.buffer);
    const textures = house.textures.map((texture) => ({
      ...texture,
      surfaceFlags: texture.surfaceFlags | 0x400,
    }));
    const [flat, smooth, few] = [
      mesh(withLumps({ normals })),
      mesh({ ...withLumps({ normals }), textures }),
      mesh({ ...withLumps({ normals: normals.subarray(12) }), textures }),
    ];
    const up = (made: Mesh): number =>
      made.normals.filter((x, k) => k % 3 === 2 && Math.abs(x - 0.8) < 1e-6).length;
    expect([up(flat), up(few)]).toEqual([0, 0]);
    expect(up(smooth)).toBeGreaterThan(500);
    // Normals that face away, or have no length, do not replace those of faces.
    for (let k = 0; k < smooth.normals.length; k += 3) {
      expect(dot(smooth.normals.subarray(k, k + 3), flat.normals.subarray(k, k + 3))).toBeGreaterThan(0);
    }
    for (const length of [0, Number.POSITIVE_INFINITY, Number.NaN]) {
      const broken = new Uint8Array(tilted.map((x) => x && length).buffer);
      expect(mesh({ ...withLumps({ normals: broken }), textures }).normals).toEqual(flat.normals);
    }
    expect(meshFlaws(smooth)).toEqual([]);
  });

  it('refuses what no compiler writes', () => {
    expect(refusal(() => mesh(patched('faces', 0, 0xffff, 2)))).toMatch(/^index: ufoai: faces 0: plane/);
    expect(refusal(() => mesh(patched('faces', 4, 1 << 30)))).toMatch(/^index: ufoai: faces 0: edges/);
    expect(refusal(() => mesh(patched('faces', 10, 0xffff, 2)))).toMatch(/^index: ufoai: faces 0: texture/);
    expect(refusal(() => mesh(patched('edges', 0, 0xffff, 2)))).toMatch(/^index: ufoai: edges 0: vertex/);
    expect(refusal(() => mesh(patched('surfEdges', 0, 1 << 30)))).toMatch(/^index: ufoai: surfEdges 0: edge/);
    expect(refusal(() => mesh(patched('vertexes', 0, 0x7fc00000)))).toMatch(/^value: ufoai: vertexes 0/);
    expect(refusal(() => mesh(patched('texinfo', 0, 0x7fc00000)))).toMatch(
      /^value: ufoai: faces \d+: has texture/,
    );
    expect(refusal(() => mesh(patched('texinfo', 0, 0x7fc00000), { by: 'brush' }))).toMatch(
      /^value: ufoai: texinfo 0: puts texel NaN/,
    );
  });

  it.each([...realMapNames('ufoai'), ''].slice(...(process.env.BSPKIT_ALL_MAPS ? [0] : [2, 5])))(
    `of real maps can be drawn: %s${skippedWithoutMaps}`,
    (name) => {
      if (!name) return;
      const file = readUfoai(readRealMap(name));
      for (const by of ['texture', 'contents'] as const) expect(meshFlaws(mesh(file, { by }))).toEqual([]);
    },
  );
});

describe('mesh by brush', () => {
  it('has clip brushes, and as many faces as the polygons of a world', () => {
    const clips = brushPolygons(house, { mask: CONTENTS_ACTORCLIP });
    expect(clips.length).toBeGreaterThan(0);
    expect(mesh(house, { by: 'brush', mask: CONTENTS_ACTORCLIP }).groups.length).toBe(
      new Set(clips.map(({ brush }) => brush)).size,
    );
    const world = createUfoaiWorld(house);
    const inWorld = brushPolygons(house).filter(({ model }) => model === 0);
    expect(inWorld.length).toBe(polygons(world, { clips: true }).length);
  });
});

describe('lightmaps', () => {
  /** The house with light: each face has its own colour, by day and another one by night. */
  function lit(): UfoaiFile {
    const records = house.lumps.faces.slice();
    const view = new DataView(records.buffer);
    const { surfaces, indices, texCoords } = mesh(house);
    const ends = new Map<number, number[]>();
    for (const [k, vertex] of indices.entries()) {
      const face = surfaces[Math.floor(k / 3)]!;
      const box = ends.get(face) ?? [Infinity, Infinity, -Infinity, -Infinity];
      for (let axis = 0; axis < 2; axis++) {
        box[axis] = Math.min(box[axis]!, texCoords![2 * vertex + axis]!);
        box[2 + axis] = Math.max(box[2 + axis]!, texCoords![2 * vertex + axis]!);
      }
      ends.set(face, box);
    }
    const [night, day] = [[4], [4]];
    for (let face = 0; face < records.length / 20; face++) {
      // Every tenth face is left without light.
      const offset = face % 10 === 9 ? -1 : day.length;
      for (const at of [12, 16]) view.setInt32(20 * face + at, offset, true);
      if (offset < 0) continue;
      const [a, b, c, d] = ends.get(face)!.map((texel, k) => (k < 2 ? Math.floor : Math.ceil)(texel / 16));
      for (let k = 0; k < (c! - a! + 1) * (d! - b! + 1); k++) {
        day.push(face % 100, 1, 2, 127, 127, 255);
        night.push(3, face % 100, 4, 127, 127, 255);
      }
    }
    return withLumps({
      ...{ faces: records, lightingDay: Uint8Array.from(day), lightingNight: Uint8Array.from(night) },
    });
  }

  it.each([false, true])('are where the coordinates of a mesh say, by night: %s', (night) => {
    const file = lit();
    const [atlas, made] = [lightmaps(file, { night })!, mesh(file)];
    expect(meshFlaws(made)).toEqual([]);
    const wrong: string[] = [];
    let numLit = 0;
    for (const { firstIndex, indexCount, isLightmapped } of made.groups) {
      for (let k = firstIndex; k < firstIndex + indexCount; k++) {
        const face = made.surfaces[Math.floor(k / 3)]!;
        if (isLightmapped !== (face % 10 !== 9)) wrong.push(`${face} is lit: ${isLightmapped}`);
        if (!isLightmapped) continue;
        numLit++;
        const vertex = made.indices[k]!;
        const [u, v] = [made.lightmapCoords![2 * vertex]!, made.lightmapCoords![2 * vertex + 1]!];
        const pixel = Math.floor(v * atlas.height) * atlas.width + Math.floor(u * atlas.width);
        const colors = [...atlas.pixels.subarray(4 * pixel, 4 * pixel + 4)].join(' ');
        if (colors !== (night ? `3 ${face % 100} 4 255` : `${face % 100} 1 2 255`))
          wrong.push(`${face}: ${colors}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(numLit).toBeGreaterThan(1000);
  });

  it('may be missing, but not beyond the end of the lump', () => {
    expect(lightmaps(house)).toBeUndefined();
    expect(mesh(house).lightmapCoords).toBeUndefined();
    const file = lit();
    const lightingNight = file.lumps.lightingNight.subarray(0, -1);
    const cut = { ...file, lumps: { ...file.lumps, lightingNight } };
    expect(refusal(() => lightmaps(cut))).toMatch(/^index: ufoai: faces \d+: bytes of light/);
    const lightingDay = Uint8Array.of(9, 0);
    const far = { ...file, lumps: { ...file.lumps, lightingNight: new Uint8Array(0), lightingDay } };
    expect(refusal(() => mesh(far))).toMatch(/^value: ufoai: lightingDay: samples are 2\^9/);
    const farAtNight = { ...file, lumps: { ...file.lumps, lightingNight: lightingDay } };
    expect(refusal(() => mesh(farAtNight))).toMatch(/^value: ufoai: lightingNight: samples are 2\^9/);
    // Both have the same places in the picture.
    const fine = Uint8Array.from(file.lumps.lightingDay).fill(3, 0, 1);
    const unlike = { ...file, lumps: { ...file.lumps, lightingDay: fine } };
    expect(refusal(() => lightmaps(unlike))).toBe(
      'value: ufoai: lightingDay: samples are 2^3 texels apart, but 2^4 at night',
    );
    expect(() => lightmaps(house, { night: 1 as never })).toThrow(TypeError);
  });
});
