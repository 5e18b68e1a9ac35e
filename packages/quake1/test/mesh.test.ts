import { meshFlaws } from '@bspkit/check-format';
import { MeshBuilder } from '@bspkit/core/format';
import { arenaQuake1 } from '@bspkit/fixtures';
import { readRealMap, realMapNames, skippedWithoutMaps } from '@bspkit/fixtures/real';
import { dot } from '@bspkit/geometry';
import { refusal } from '@bspkit/testkit/refusals';
import { describe, expect, it, vi } from 'vitest';
import {
  brushPolygons,
  CONTENTS_CLIP,
  CONTENTS_SOLID,
  CONTENTS_WATER,
  createPalette,
  embeddedTextures,
  type LightmapAtlas,
  lightmaps,
  mesh,
  type Quake1File,
  readQuake1,
} from '../src/index.ts';
import { textureKind } from '../src/texture-kinds.ts';

const arena = readQuake1(arenaQuake1());

const at = (values: Float32Array, vertex: number): number[] => [
  ...values.subarray(3 * vertex, 3 * vertex + 3),
];

describe('mesh by texture', () => {
  it('has every face of the arena, in its plane, with its texture', () => {
    const made = mesh(arena);
    expect(meshFlaws(made)).toEqual([]);
    expect(made.texCoordUnit).toBe('texture');
    let [farthest, cosine, stretched] = [0, 1, 0];
    for (const { texture, firstIndex, indexCount } of made.groups) {
      const { width, height } = arena.textures[texture]!;
      for (let k = firstIndex; k < firstIndex + indexCount; k++) {
        const face = made.surfaces[Math.floor(k / 3)]!;
        const plane = arena.faces.planes[face]!;
        const facing = arena.faces.sides[face] === 0 ? 1 : -1;
        const normal = at(arena.planes.normals, plane).map((x) => facing * x);
        const vertex = made.indices[k]!;
        const position = at(made.positions, vertex);
        farthest = Math.max(farthest, Math.abs(dot(position, normal) - facing * arena.planes.dists[plane]!));
        cosine = Math.min(cosine, dot(at(made.normals, vertex), normal));
        const axes = arena.texInfos.vectors.subarray(8 * arena.faces.texInfos[face]!);
        const u = (dot(position, axes) + axes[3]!) / width;
        const v = (dot(position, axes.subarray(4)) + axes[7]!) / height;
        const off = Math.max(
          Math.abs(u - made.texCoords![2 * vertex]!),
          Math.abs(v - made.texCoords![2 * vertex + 1]!),
        );
        stretched = Math.max(stretched, off);
      }
    }
    expect(farthest).toBeLessThan(0.05);
    expect(cosine).toBeGreaterThan(0.9999);
    expect(stretched).toBeLessThan(1e-4);
    expect(new Set(made.surfaces).size).toBe(arena.faces.count);
  });

  it('recognises sky, liquids and hidden faces by names', () => {
    const { groups } = mesh(arena);
    const named = (is: (group: (typeof groups)[number]) => boolean): string[] =>
      groups
        .filter(is)
        .map(({ name }) => name)
        .sort();
    expect(named(({ isSky }) => isSky)).toEqual(['sky_arena']);
    expect(named(({ isLiquid }) => isLiquid)).toEqual(['*lava_vent', '*pool_water', '*slime_pool']);
    expect(named(({ isHidden }) => isHidden)).toEqual([]);
    expect(
      ['SKY4', '*LAVA1', '!slime', '*teleport', 'clip', 'wall'].map((name) => textureKind(name)),
    ).toEqual([
      { contents: -6, isSky: true, isLiquid: false, isHidden: false },
      { contents: -5, isSky: false, isLiquid: true, isHidden: false },
      { contents: -4, isSky: false, isLiquid: true, isHidden: false },
      { contents: -3, isSky: false, isLiquid: true, isHidden: false },
      { contents: -1, isSky: false, isLiquid: false, isHidden: true },
      { contents: -2, isSky: false, isLiquid: false, isHidden: false },
    ]);
    const water = mesh(arena, { mask: CONTENTS_WATER });
    expect(water.groups.map(({ name }) => name)).toEqual(['*pool_water']);
  });

  it('takes 16 texels for a texture whose size is not in the file', () => {
    const [none, known] = [mesh({ ...arena, textures: [] }), mesh(arena)];
    expect(meshFlaws(none)).toEqual([]);
    expect(none.groups[0]).toMatchObject({ texture: -1, name: '' });
    const vertex = none.indices[0]!;
    const face = none.surfaces[0]!;
    const { width } = arena.textures[arena.texInfos.textures[arena.faces.texInfos[face]!]!]!;
    expect(16 * none.texCoords![2 * vertex]!).toBeCloseTo(width * known.texCoords![2 * vertex]!, 2);
  });

  it('has triangles of some area, where compilers put corners on edges', () => {
    const made = mesh(arena);
    let thin = 0;
    for (let k = 0; k < made.indices.length; k += 3) {
      const [a, b, c] = [0, 1, 2].map((i) => at(made.positions, made.indices[k + i]!)) as [
        number[],
        number[],
        number[],
      ];
      const [u, v] = [b, c].map((p) => p.map((x, i) => x - a[i]!)) as [number[], number[]];
      const cross = [0, 1, 2].map(
        (i) => u[(i + 1) % 3]! * v[(i + 2) % 3]! - u[(i + 2) % 3]! * v[(i + 1) % 3]!,
      );
      if (dot(cross, cross) < 1e-2) thin++;
    }
    expect(thin).toBeLessThan(made.indices.length / 3 / 50);
  });

  it('refuses a face with more corners than any has', () => {
    const numEdges = arena.faces.numEdges.slice();
    numEdges[0] = 1025;
    const faces = { ...arena.faces, numEdges };
    expect(refusal(() => mesh({ ...arena, faces }))).toMatch(/^limit: quake1: faces 0: has 1025 corners/);
  });

  it('refuses texture axes that give no finite coordinates', () => {
    const vectors = arena.texInfos.vectors.map(() => Number.NaN);
    expect(refusal(() => mesh({ ...arena, texInfos: { ...arena.texInfos, vectors } }))).toMatch(
      /^value: quake1: faces \d+: has texture coordinate NaN/,
    );
  });

  it.each([...realMapNames('quake1'), ''].slice(0, process.env.BSPKIT_ALL_MAPS ? undefined : 2))(
    `of real maps can be drawn: %s${skippedWithoutMaps}`,
    (name) => {
      if (!name) return;
      const file = readQuake1(readRealMap(name));
      for (const by of ['texture', 'contents'] as const) expect(meshFlaws(mesh(file, { by }))).toEqual([]);
      const atlas = lightmaps(file)!;
      expect(atlas.pixels.length).toBe(4 * atlas.width * atlas.height);
      expect(embeddedTextures(file).length).toBe(file.textures.filter(Boolean).length);
    },
  );
});

/** A file with light: faces have their own sample value, which grows with their number, in each of `styles`. */
function lit(styles: readonly number[], version: 29 | 30 = 29): Quake1File {
  const { faces, texInfos, vertexes, surfEdges, edges } = arena;
  const bytes: number[] = [];
  const lightOffsets = new Int32Array(faces.count).fill(-1);
  for (let face = 0; face < faces.count; face++) {
    const texInfo = faces.texInfos[face]!;
    // Every tenth face is left without light.
    if (texInfos.flags[texInfo]! & 1 || face % 10 === 9) continue;
    let samples = 1;
    for (let axis = 0; axis < 2; axis++) {
      const axes = texInfos.vectors.subarray(8 * texInfo + 4 * axis);
      const texels = Array.from({ length: faces.numEdges[face]! }, (_, k) => {
        const edge = surfEdges[faces.firstEdges[face]! + k]!;
        const vertex = edge < 0 ? edges[1 - 2 * edge]! : edges[2 * edge]!;
        return Math.fround(dot(at(vertexes.positions, vertex), axes) + axes[3]!);
      });
      samples *= Math.ceil(Math.max(...texels) / 16) - Math.floor(Math.min(...texels) / 16) + 1;
    }
    lightOffsets[face] = bytes.length;
    for (const style of styles) {
      for (let k = 0; k < samples; k++) {
        const value = sampleOf(face) + style;
        bytes.push(...(version === 30 ? [value, value + 1, value + 2] : [value]));
      }
    }
  }
  const all = new Uint8Array(4 * faces.count).fill(255);
  for (let face = 0; face < faces.count; face++) all.set(styles, 4 * face);
  return {
    ...arena,
    version,
    lighting: Uint8Array.from(bytes),
    faces: { ...faces, styles: all, lightOffsets },
  };
}

const sampleOf = (face: number): number => 1 + (face % 100);

/** Pixels of an atlas at the corners of a mesh's triangles, by face. */
function lightBy(file: Quake1File, atlas: LightmapAtlas): Map<number, Set<string>> {
  const made = mesh(file);
  expect(meshFlaws(made)).toEqual([]);
  const found = new Map<number, Set<string>>();
  for (const { firstIndex, indexCount, isLightmapped } of made.groups) {
    for (let k = firstIndex; k < firstIndex + indexCount; k++) {
      const vertex = made.indices[k]!;
      const [u, v] = [made.lightmapCoords![2 * vertex]!, made.lightmapCoords![2 * vertex + 1]!];
      const pixel = Math.floor(v * atlas.height) * atlas.width + Math.floor(u * atlas.width);
      const colors = [...atlas.pixels.subarray(4 * pixel, 4 * pixel + 4)].join(' ');
      const face = made.surfaces[Math.floor(k / 3)]!;
      found.set(face, (found.get(face) ?? new Set()).add(isLightmapped ? colors : 'unlit'));
    }
  }
  return found;
}

describe('lightmaps', () => {
  it('are where the coordinates of a mesh say, and dark for faces without', () => {
    const file = lit([0]);
    const atlas = lightmaps(file, { brightness: 1 })!;
    expect(atlas.styles).toEqual([0]);
    for (const [face, colors] of lightBy(file, atlas)) {
      const isSpecial = (arena.texInfos.flags[arena.faces.texInfos[face]!]! & 1) !== 0;
      const value = face % 10 === 9 ? 0 : sampleOf(face);
      expect([...colors], `face ${face}`).toEqual([isSpecial ? 'unlit' : `${value} ${value} ${value} 255`]);
    }
  });

  it('are twice as bright by default, and clamped', () => {
    const file = lit([0]);
    const bright = lightBy(file, lightmaps(file)!);
    expect([...bright.get(70)!]).toEqual(['142 142 142 255']);
    expect([...lightBy(file, lightmaps(file, { brightness: 9 })!).get(70)!]).toEqual(['255 255 255 255']);
  });

  it('sum the light of all styles, as bright as each of them is', () => {
    const file = lit([0, 32]);
    const atlas = lightmaps(file, { brightness: 1 })!;
    expect(atlas.styles).toEqual([0, 32]);
    expect([...lightBy(file, atlas).get(70)!]).toEqual(['174 174 174 255']);
    const styles = new Float32Array(33).fill(1);
    styles[32] = 0;
    const off = lightmaps(file, { brightness: 1, styles })!;
    expect([...lightBy(file, off).get(70)!]).toEqual(['71 71 71 255']);
    // Those of faces without light are not in the picture.
    const others = file.faces.styles.map((style, k) => (file.faces.lightOffsets[k >> 2]! < 0 ? 5 : style));
    expect(lightmaps({ ...file, faces: { ...file.faces, styles: others } })!.styles).toEqual([0, 32]);
  });

  it('are coloured in Half-Life', () => {
    const file = lit([0], 30);
    expect([...lightBy(file, lightmaps(file, { brightness: 1 })!).get(70)!]).toEqual(['71 72 73 255']);
    // Too bright ones are cut off, each colour for itself.
    expect([...lightBy(file, lightmaps(file, { brightness: 3.53 })!).get(70)!]).toEqual(['251 254 255 255']);
  });

  describe('of Quake in colour', () => {
    const grey = lit([0, 32]);
    // One colour per sample: its grey, and the two after that.
    const colors = [...grey.lighting].flatMap((value) => [value, value + 1, value + 2]);
    const extended = (bytes: readonly number[], file = grey): Quake1File => ({
      ...file,
      extensions: [{ name: 'RGBLIGHTING', bytes: Uint8Array.from(bytes) }],
    });
    const header = [...'QLIT'].map((letter) => letter.charCodeAt(0));
    const litFile = Uint8Array.from([...header, 1, 0, 0, 0, ...colors]);

    it('are read from the file, and from a .lit file beside it', () => {
      for (const atlas of [
        lightmaps(extended(colors), { brightness: 1 })!,
        lightmaps(grey, { brightness: 1, lit: litFile })!,
      ]) {
        const found = lightBy(grey, atlas);
        expect([...found.get(70)!]).toEqual(['174 176 178 255']);
        expect([...found.get(9)!]).toEqual(['0 0 0 255']);
        expect(atlas.styles).toEqual([0, 32]);
      }
      // What is asked for outweighs what is there.
      const black = Uint8Array.from(litFile, (byte, k) => (k < 8 ? byte : 0));
      expect(
        lightmaps(extended(colors), { lit: Uint8Array.from(black).buffer })!.pixels.filter(
          (x) => x > 0 && x < 255,
        ),
      ).toHaveLength(0);
    });

    it('are read where the map has no grey light', () => {
      const file = extended(colors, { ...grey, lighting: new Uint8Array(0) });
      expect(lightmaps(file)).toEqual(lightmaps(extended(colors)));
      expect(mesh(file)).toEqual(mesh(grey));
      expect(lightmaps(file, { lit: litFile })).toEqual(lightmaps(file));
    });

    it('must be as many as the samples, or grey light is read where there is any', () => {
      for (const wrong of [colors.slice(0, -1), colors.slice(0, -3), [...colors, 0, 0, 0], []]) {
        expect(lightmaps(extended(wrong))).toEqual(lightmaps(grey));
        expect(mesh(extended(wrong))).toEqual(mesh(grey));
      }
      const odd = extended(colors.slice(0, 4), { ...grey, lighting: new Uint8Array(0) });
      expect(lightmaps(odd)).toBeUndefined();
      expect(mesh(odd).lightmapCoords).toBeUndefined();
    });

    it('must be as many in a .lit file as the samples', () => {
      const { length } = grey.lighting;
      const words = `bytes of colours, but the map's ${length} light samples need ${3 * length}: it may belong to another version of the map`;
      const cut = litFile.subarray(0, litFile.length - 3);
      expect(refusal(() => lightmaps(grey, { lit: cut }))).toBe(
        `lump-size: quake1: lit: has ${cut.length - 8} ${words}`,
      );
      expect(refusal(() => lightmaps(arena, { lit: litFile }))).toBe(
        `lump-size: quake1: lit: has ${litFile.length - 8} bytes of colours, but the map has no light: the map may be a version from before it was lit`,
      );
      expect(lightmaps(arena, { lit: litFile.subarray(0, 8) })).toBeUndefined();
    });

    it('are refused in other files, and for Half-Life', () => {
      const changed = (at: number, byte: number): Uint8Array =>
        Uint8Array.from(litFile, (own, k) => (k === at ? byte : own));
      const of = (lit: Uint8Array) => refusal(() => lightmaps(grey, { lit }));
      expect(of(litFile.subarray(0, 7))).toBe('truncated: quake1: lit: needs 8 bytes, but has 7');
      expect(of(changed(0, 0))).toBe('magic: quake1: lit: is not a .lit file, which begins with QLIT');
      expect(of(changed(6, 1))).toBe('version: quake1: lit: has version 65537; only version 1 is read');
      expect(() => lightmaps(grey, { lit: [1, 2] as never })).toThrow(TypeError);
      expect(() => lightmaps(lit([0], 30), { lit: litFile })).toThrow(
        'lit must not be given for a map of Half-Life, whose own light is coloured',
      );
      expect(lightmaps(extended(colors, lit([0], 30)))).toEqual(lightmaps(lit([0], 30)));
    });
  });

  it('are in the picture even where texture coordinates are beyond 32 bits', () => {
    const { texInfos, ...file } = lit([0]);
    const vectors = texInfos.vectors.map((x, k) => (k % 4 === 3 ? 1e12 : x));
    const { lightmapCoords } = mesh({ ...file, texInfos: { ...texInfos, vectors } });
    expect(lightmapCoords!.filter((x) => !(x >= 0 && x <= 1))).toEqual(new Float32Array());
  });

  it('may be missing, but not beyond the end of the lump', () => {
    expect(lightmaps(arena)).toBeUndefined();
    expect(mesh(arena).lightmapCoords).toBeUndefined();
    const file = lit([0]);
    const cut = { ...file, lighting: file.lighting.subarray(0, file.lighting.length - 1) };
    expect(refusal(() => lightmaps(cut))).toMatch(/^index: quake1: faces \d+: bytes of light/);
    expect(refusal(() => mesh(cut))).toMatch(/^index: quake1: faces/);
    for (const face of [0, 1, arena.faces.count - 2]) {
      const lightOffsets = file.faces.lightOffsets.slice();
      expect(lightOffsets[face]).toBeGreaterThanOrEqual(0);
      lightOffsets[face] = file.lighting.length;
      expect(refusal(() => lightmaps({ ...file, faces: { ...file.faces, lightOffsets } }))).toContain(
        `index: quake1: faces ${face}: bytes of light`,
      );
    }
    // All of them at once cost far more than the lump has.
    const { faces } = file;
    const large = {
      ...file,
      texInfos: { ...arena.texInfos, vectors: arena.texInfos.vectors.map((x) => 10 * x) },
    };
    const sharing = {
      ...large,
      lighting: new Uint8Array(2 ** 18),
      faces: { ...faces, lightOffsets: faces.lightOffsets.map(() => 0) },
    };
    expect(refusal(() => lightmaps(sharing))).toMatch(/^limit: quake1: faces: list \d+ bytes of light/);
    const vectors = arena.texInfos.vectors.map((x) => 1000 * x);
    expect(refusal(() => lightmaps({ ...file, texInfos: { ...arena.texInfos, vectors } }))).toMatch(
      /^limit: quake1: faces \d+: is \d+ light samples long/,
    );
  });
});

/** A list of brushes: boxes with contents and more planes. */
function listed(
  brushes: readonly { contents: number; mins: number[]; maxs: number[]; planes?: number[][] }[],
  model = 0,
): Quake1File {
  const words: [kind: 'i' | 'f' | 's', value: number][] = [
    ['i', 1],
    ['i', model],
    ['i', brushes.length],
    ['i', 0],
  ];
  for (const { contents, mins, maxs, planes = [] } of brushes) {
    for (const x of [...mins, ...maxs]) words.push(['f', x]);
    words.push(['s', contents], ['s', planes.length]);
    for (const x of planes.flat()) words.push(['f', x]);
  }
  const bytes = new DataView(new ArrayBuffer(words.reduce((sum, [kind]) => sum + (kind === 's' ? 2 : 4), 0)));
  let offset = 0;
  for (const [kind, value] of words) {
    if (kind === 'i') bytes.setInt32(offset, value, true);
    else if (kind === 'f') bytes.setFloat32(offset, value, true);
    else bytes.setInt16(offset, value, true);
    offset += kind === 's' ? 2 : 4;
  }
  return { ...arena, extensions: [{ name: 'BRUSHLIST', bytes: new Uint8Array(bytes.buffer) }] };
}

describe('brushes of the list', () => {
  const box = { contents: CONTENTS_SOLID, mins: [0, 0, 0], maxs: [64, 32, 16] };
  const clip = {
    ...{ contents: CONTENTS_CLIP, mins: [0, 0, 0], maxs: [10, 10, 10] },
    planes: [[Math.SQRT1_2, Math.SQRT1_2, 0, 10 * Math.SQRT1_2]],
  };

  it('are cut to faces', () => {
    const file = listed([box, clip]);
    const faces = brushPolygons(file);
    expect(faces.map(({ brush }) => brush)).toEqual([0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1]);
    expect(faces.every(({ side, texture, model }) => side === -1 && texture === -1 && model === 0)).toBe(
      true,
    );
    expect(brushPolygons(file, { mask: CONTENTS_CLIP }).length).toBe(5);
    const made = mesh(file, { by: 'brush' });
    expect(meshFlaws(made)).toEqual([]);
    expect(made.groups).toMatchObject([
      { brush: 0, contents: -2, indexCount: 36 },
      { brush: 1, contents: -8, indexCount: 24 },
    ]);
    expect(mesh(file, { by: 'contents' }).groups.map(({ contents }) => contents)).toEqual([-2, -8]);
  });

  it('have their room in a mesh from the beginning, and no others', () => {
    const original = MeshBuilder.prototype.add;
    const add = vi.spyOn(MeshBuilder.prototype, 'add');
    const room = (mask?: number): number[] => {
      const sizes: number[] = [];
      add.mockImplementation(function (this: MeshBuilder, ...part) {
        original.apply(this, part);
        sizes.push(this.positions.length, this.indices.length);
      });
      mesh(listed([clip, ...Array.from({ length: 100 }, () => box)]), { by: 'brush', mask });
      return [...new Set(sizes)];
    };
    expect(room(CONTENTS_SOLID)).toEqual([3 * 4 * 600, 6 * 600]);
    expect(room(CONTENTS_CLIP)).toEqual([3 * 4 * 7, 6 * 7]);
    expect(room()).toEqual([3 * 4 * 607, 6 * 607]);
    add.mockRestore();
  });

  it('and faces can be asked for by contents without a sign', () => {
    const file = listed([box, clip]);
    expect(brushPolygons(file, { mask: CONTENTS_CLIP >>> 0 }).length).toBe(5);
    for (const [of, mask] of [
      [file, CONTENTS_CLIP],
      [arena, CONTENTS_WATER],
    ] as const) {
      const made = mesh(of, { by: 'contents', mask });
      expect(made.groups.length).toBe(1);
      expect(mesh(of, { by: 'contents', mask: mask >>> 0 })).toEqual(made);
    }
  });

  it('are liquids if they are water, slime, lava or a current', () => {
    const file = listed(
      [0, -1, -2, -3, -4, -5, -6, -7, -8, -9, -14, -15].map((contents) => ({ ...box, contents })),
    );
    for (const by of ['brush', 'contents'] as const) {
      const liquids = mesh(file, { by }).groups.filter(({ isLiquid }) => isLiquid);
      expect(liquids.map(({ contents }) => contents)).toEqual([-3, -4, -5, -9, -14]);
    }
  });

  it('are missing in most maps: then contents are those of faces', () => {
    for (const work of [() => brushPolygons(arena), () => mesh(arena, { by: 'brush' })]) {
      expect(refusal(work)).toMatch(/^empty: quake1: BRUSHLIST: the map has no list/);
    }
    const { groups, surfaces } = mesh(arena, { by: 'contents' });
    expect(new Set(groups.map(({ contents }) => contents))).toEqual(new Set([-2, -3, -4, -5, -6]));
    expect(new Set(surfaces).size).toBe(arena.faces.count);
  });

  it('count as missing in a version that is not known', () => {
    const { extensions, ...others } = listed([box]);
    const [{ name, bytes }] = extensions as [(typeof extensions)[number]];
    const later = { ...others, extensions: [{ name, bytes: Uint8Array.of(2, ...bytes.subarray(1)) }] };
    expect(refusal(() => brushPolygons(later))).toMatch(/^empty: quake1: BRUSHLIST: the map has no list/);
    expect(mesh(later, { by: 'contents' })).toEqual(mesh(arena, { by: 'contents' }));
  });

  it('are refused if no map can have them', () => {
    const far = listed([{ ...box, maxs: [Number.NaN, 1, 1] }]);
    const bent = listed([{ ...clip, planes: [[1, 1, 0, 0]] }]);
    for (const file of [far, bent]) {
      expect(refusal(() => mesh(file, { by: 'brush' }))).toMatch(/^value: quake1: BRUSHLIST 0: has a side/);
    }
    expect(refusal(() => brushPolygons(listed([box], 99)))).toMatch(/^index: quake1: BRUSHLIST 0: model 99/);
    const many = Array.from({ length: 87_400 }, () => box);
    expect(refusal(() => brushPolygons(listed(many)))).toMatch(
      /^limit: quake1: BRUSHLIST 87381: has more than/,
    );
    // The second of two models, and its brush.
    const after = (second: Quake1File): Quake1File => {
      const lists = [listed([box]), second].map(({ extensions }) => [...extensions[0]!.bytes]);
      return { ...second, extensions: [{ name: 'BRUSHLIST', bytes: Uint8Array.from(lists.flat()) }] };
    };
    expect(refusal(() => brushPolygons(after(listed([box], 99))))).toMatch(/BRUSHLIST 1: model 99/);
    expect(refusal(() => brushPolygons(after(bent)))).toMatch(/BRUSHLIST 1: has a side/);
    expect(refusal(() => brushPolygons(after(listed(many))))).toMatch(/BRUSHLIST 87381: has more than/);
    const round = (sides: number) => ({
      ...clip,
      planes: Array.from({ length: sides - 6 }, () => clip.planes[0]!),
    });
    // Nothing is cut where nobody wants it.
    const rounds = (count: number, sides: number): string => {
      const file = listed(Array.from({ length: count }, () => round(sides)));
      return refusal(() => brushPolygons(file, { mask: CONTENTS_WATER }));
    };
    expect(rounds(1, 2600)).toMatch(/^limit: quake1: BRUSHLIST: have too many sides .* at most 6000000 is/);
    // A list may be long, of brushes that do not have many sides each.
    expect(rounds(11_000, 24)).toBe('');
    expect(rounds(11_000, 25)).toMatch(
      /^limit: quake1: BRUSHLIST: have too many sides .* at most 6600000 is/,
    );
  });
});

/** A texture of two by one texels, with the offsets of four pictures and what follows them. */
function picture(
  name: string,
  offset: number,
  texels: readonly number[],
  behind: readonly number[] = [],
  [width, height]: readonly [number, number] = [2, 1],
): Quake1File {
  const bytes = new Uint8Array(40 + texels.length + behind.length);
  const view = new DataView(bytes.buffer);
  for (const [k, value] of [width, height, offset, offset, offset, 40 + texels.length].entries()) {
    view.setUint32(16 + 4 * k, value, true);
  }
  bytes.set(texels, 40);
  bytes.set(behind, 40 + texels.length);
  return { ...arena, textures: [undefined, { name, width, height, bytes }] };
}

/** A WAD file: each entry has a type, a name, and bytes. */
function wad(magic: string, ...entries: readonly (readonly [number, string, Uint8Array])[]): Uint8Array {
  const size = entries.reduce((sum, [, , bytes]) => sum + bytes.length, 12);
  const file = new Uint8Array(size + 32 * entries.length);
  const view = new DataView(file.buffer);
  const write = (text: string, at: number): void => file.set(new TextEncoder().encode(text), at);
  write(magic, 0);
  view.setUint32(4, entries.length, true);
  view.setUint32(8, size, true);
  let at = 12;
  for (const [k, [type, name, bytes]] of entries.entries()) {
    file.set(bytes, at);
    for (const [word, value] of [at, bytes.length, bytes.length].entries()) {
      view.setUint32(size + 32 * k + 4 * word, value, true);
    }
    file[size + 32 * k + 12] = type;
    write(name, size + 32 * k + 16);
    at += bytes.length;
  }
  return file;
}

describe('embedded textures', () => {
  it('have the colours of a palette', () => {
    const textures = embeddedTextures(arena);
    expect(textures.map(({ name }) => name)).toEqual(arena.textures.map((texture) => texture!.name));
    const { width, height, pixels } = textures[0]!;
    expect(pixels.length).toBe(4 * width * height);
    const own = createPalette();
    // Our compiler draws checks in colours 5 and 8.
    expect([...pixels.subarray(0, 4)]).toEqual([...own.subarray(15, 18), 255]);
    expect([...pixels.subarray(32, 36)]).toEqual([...own.subarray(24, 27), 255]);
    const palette = Uint8Array.from({ length: 768 }, (_, k) => k % 251);
    expect([...embeddedTextures(arena, { palette })[0]!.pixels.subarray(0, 4)]).toEqual([15, 16, 17, 255]);
  });

  it('are transparent if their name says so', () => {
    const [fence] = embeddedTextures(picture('{fence', 40, [255, 0]));
    expect([fence!.texture, fence!.pixels[3], fence!.pixels[7]]).toEqual([1, 0, 255]);
    expect(embeddedTextures(picture('fence', 40, [255, 0]))[0]!.pixels[3]).toBe(255);
  });

  it('have palettes of their own in Half-Life, and may be in another file', () => {
    const file = picture('wall', 40, [1, 0], [2, 0, 10, 20, 30, 40, 50, 60]);
    expect([...embeddedTextures({ ...file, version: 30 })[0]!.pixels]).toEqual([
      40, 50, 60, 255, 10, 20, 30, 255,
    ]);
    // Behind the smallest picture, of 3 x 2.
    const texels = Array.from({ length: 24 * 16 }, (_, k) => k % 2);
    const colors = [...Array<number>(6).fill(9), 2, 0, 10, 20, 30, 40, 50, 60];
    const large = picture('wall', 40, texels, colors, [24, 16]);
    expect([...embeddedTextures({ ...large, version: 30 })[0]!.pixels.subarray(0, 8)]).toEqual([
      10, 20, 30, 255, 40, 50, 60, 255,
    ]);
    expect(embeddedTextures(picture('wall', 0, []))).toEqual([]);
  });

  it('may be in WAD files, of Half-Life with palettes and of Quake without', () => {
    const wall = picture('WALL', 40, [1, 0], [2, 0, 10, 20, 30, 40, 50, 60]).textures[1]!;
    const plain = picture('wall', 40, [5, 8]).textures[1]!;
    const named = picture('wall', 0, []);
    const other = wad('WAD3', [0x43, 'other', wall.bytes]);
    const [half, quake] = [
      wad('WAD3', [0x46, 'font', wall.bytes], [0x43, 'WALL', wall.bytes]),
      wad('WAD2', [0x44, 'wall', plain.bytes]),
    ];
    expect(embeddedTextures(named, { wads: [other] })).toEqual([]);
    const [found] = embeddedTextures({ ...named, version: 30 }, { wads: [other, half, quake] });
    expect(found).toEqual({
      texture: 1,
      name: 'wall',
      width: 2,
      height: 1,
      pixels: Uint8Array.of(40, 50, 60, 255, 10, 20, 30, 255),
    });
    const palette = Uint8Array.from({ length: 768 }, (_, k) => k % 251);
    expect([...embeddedTextures(named, { wads: [quake, half], palette })[0]!.pixels]).toEqual([
      15, 16, 17, 255, 24, 25, 26, 255,
    ]);
    // An entry that only names a texture does not hide a picture after it.
    const empty = picture('wall', 0, []).textures[1]!;
    const first = wad('WAD2', [0x44, 'wall', empty.bytes], [0x44, 'wall', plain.bytes]);
    for (const wads of [[first], [wad('WAD2', [0x44, 'wall', empty.bytes]), quake]])
      expect(embeddedTextures(named, { wads })).toEqual(embeddedTextures(named, { wads: [quake] }));
    // Those of the map come first.
    const own = picture('wall', 40, [5, 8]);
    expect(embeddedTextures(own, { wads: [half], palette })).toEqual(embeddedTextures(own, { palette }));
    const buffers = { wads: [Uint8Array.from(quake).buffer], palette: Uint8Array.from(palette).buffer };
    expect(embeddedTextures(named, buffers)).toEqual(embeddedTextures(named, { wads: [quake], palette }));
  });

  it('are refused in WAD files that are none, cut off, or listed more often than there is room for', () => {
    const wall = picture('wall', 40, Array<number>(400).fill(1), [2, 0, 1, 2, 3, 4, 5, 6], [20, 20]);
    const half = wad('WAD3', [0x43, 'wall', wall.textures[1]!.bytes]);
    const from = (wads: readonly Uint8Array[], file = picture('wall', 0, [])): string =>
      refusal(() => embeddedTextures(file, { wads }));
    expect(from([half, Uint8Array.of(1, 2, 3)])).toMatch(/^magic: quake1: wads\[1\]: is not a WAD file/);
    expect(from([half.subarray(0, half.length - 1)])).toMatch(/^lump-range: quake1: wads\[0\]/);
    const cut = wad('WAD3', [0x43, 'wall', wall.textures[1]!.bytes.subarray(0, 100)]);
    expect(from([cut])).toMatch(/^lump-range: quake1: wads\[0\]/);
    const wide = wall.textures[1]!.bytes.slice();
    wide[18] = 255;
    expect(from([half, wad('WAD3', [0x43, 'WALL2', wide])], picture('wall2', 0, []))).toMatch(
      /^lump-range: quake1: wads\[1\]/,
    );
    // What the map does not name may be anything, as the letters of Quake's own file.
    expect(from([wad('WAD2', [0x44, 'CONCHARS', Uint8Array.of(1)])])).toBe('');
    const [named] = picture('wall', 0, []).textures.slice(1);
    const often = { ...arena, textures: Array<typeof named>(5000).fill(named) };
    expect(from([half], often)).toMatch(/^limit: quake1: textures/);
    expect(() => embeddedTextures(arena, { wads: [[]] as never })).toThrow('wads[0]');
    expect(() => embeddedTextures(arena, { wads: Array(1) })).toThrow('wads[0]');
    expect(() => embeddedTextures(arena, { palette: null as never })).toThrow(
      new TypeError('palette must be a Uint8Array or an ArrayBuffer, got null'),
    );
  });

  it('are refused if they are not in the file, or larger than it', () => {
    expect(refusal(() => embeddedTextures(picture('wall', 41, [0, 0])))).toMatch(
      /^lump-range: quake1: textures/,
    );
    const bytes = new Uint8Array(40);
    const large = { name: 'wall', width: 1 << 20, height: 1 << 20, bytes };
    // In another file, they may be as large as they like, and any number of them.
    expect(embeddedTextures({ ...arena, textures: Array<typeof large>(99).fill(large) })).toEqual([]);
    bytes[24] = 40;
    expect(refusal(() => embeddedTextures({ ...arena, textures: [large] }))).toMatch(
      /^lump-range: quake1: textures/,
    );
    expect(() => embeddedTextures(arena, { palette: new Uint8Array(767) })).toThrow(RangeError);
  });

  it('are named if they are refused, as is what is missing of them', () => {
    const message = (file: Quake1File): string =>
      refusal(() => embeddedTextures(file)).replace(/^.*textures: /, '');
    expect(message(picture('wall', 41, [0, 0]))).toBe(
      "the picture of 'wall' lies at bytes 41 to 43 from its header on, but there are only 42",
    );
    const without = { ...picture('wall', 40, [1, 0]), version: 30 } as const;
    expect(message(without)).toBe(
      "the palette of 'wall' lies at bytes 42 to 44 from its header on, but there are only 42",
    );
    const half = { ...picture('wall', 40, [1, 0], [2, 0, 10, 20, 30, 40]), version: 30 } as const;
    expect(message(half)).toBe(
      "the palette of 'wall' lies at bytes 44 to 50 from its header on, but there are only 48",
    );
  });

  it('have a palette of ramps by default', () => {
    const palette = createPalette();
    const bright = (color: number): number =>
      palette[3 * color]! + palette[3 * color + 1]! + palette[3 * color + 2]!;
    for (let row = 0; row < 16; row++) {
      const isBackward = row >= 8 && row <= 13;
      for (let k = 1; k < 16; k++) {
        const [a, b] = [bright(16 * row + k - 1), bright(16 * row + k)];
        expect(isBackward ? a > b : a < b, `row ${row}`).toBe(true);
      }
    }
  });
});
