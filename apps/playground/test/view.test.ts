import { boxBrush, compileMap, roomBrushes } from '@bspkit/compile';
import { arenaQuake3, fixtureText } from '@bspkit/fixtures';
import type { ShaderMaterial } from 'three';
import { beforeAll, describe, expect, it } from 'vitest';
import { COLORINGS } from '../src/app/link.ts';
import type { OpenMap } from '../src/app/open-map.ts';
import { directionOf } from '../src/camera/math.ts';
import { openBytes } from '../src/loading/open.ts';
import { Layer } from '../src/view/layer.ts';
import { contentsSwatch, legendOf, SLOPES, textureColor, vertexColors } from '../src/view/palette.ts';
import { Pickable } from '../src/view/pick.ts';
import { type DrawArrays, drawnSurfaces, unseenBrushes } from '../src/view/surfaces.ts';

let arena: OpenMap;
let drawn: DrawArrays;

beforeAll(async () => {
  arena = await openBytes(arenaQuake3(), { name: 'arena', isOwn: true, text: fixtureText('arena') });
  drawn = drawnSurfaces(arena);
});

const eye = [0, -256, 58];
/** Directions all around, evenly. */
const directions = Array.from({ length: 300 }, (_, k) =>
  directionOf((k * 137.508) % 360, Math.asin(1 - (2 * k + 1) / 300) * 57.29),
);

describe('surfaces', () => {
  it('are where rays end', () => {
    const ray = arena.format.tracers.kinds.find(({ name }) => name === 'ray')!.create(arena.world, [], {});
    const pickable = new Pickable(drawn);
    let met = 0;
    for (const direction of directions) {
      const far = eye.map((x, k) => x + 4000 * direction[k]!);
      const { endPos } = ray.trace(eye, far);
      const hit = pickable.pick(eye, direction, ({ kind }) => kind === 'solid' || kind === 'sky')!;
      const off = hit.normal.reduce(
        (sum, n, k) => sum + n * (endPos[k]! - eye[k]! - hit.distance * direction[k]!),
        0,
      );
      // Lift and doors are drawn, but no part of the world that rays are traced through.
      if (off > -1 && off < 1) {
        met++;
        expect(Math.abs(off)).toBeLessThan(0.13);
      }
    }
    expect(met).toBeGreaterThan(270);
  });

  it('are met alike by lines of sight, however many of their bundles have frames', () => {
    let met = 0;
    // Also the clips, whose brushes are large and cut each other.
    for (const arrays of [drawn, unseenBrushes(arena)]) {
      const pickable = new Pickable(arrays);
      const axes = [0, 1, 2].flatMap((axis) =>
        [-1, 1].map((sign) => [0, 1, 2].map((k) => (k === axis ? sign : 0))),
      );
      const eyes = [eye, [0, 0, 900], [-1500, 700, 40], arrays.positions.slice(0, 3)];
      const found = () =>
        eyes.flatMap((from) =>
          [...directions, ...axes].flatMap((direction) => [
            pickable.pick(from, direction, () => true),
            pickable.pick(from, direction, ({ kind }) => kind !== 'sky', 200),
          ]),
        );
      const before = found();
      met += before.filter(Boolean).length;
      for (let goesOn = true; goesOn; ) {
        goesOn = pickable.frameMore();
        expect(found()).toEqual(before);
      }
    }
    expect(met).toBeGreaterThan(500);
  });

  it('come in order of kind, each triangle once', () => {
    const { groups, indices } = drawn;
    let first = 0;
    for (const group of groups) {
      expect(group.first).toBe(first);
      first += group.count;
    }
    expect(first).toBe(indices.length);
    expect(drawn.positions.every(Number.isFinite)).toBe(true);
    expect([...new Set(groups.map(({ kind }) => kind))]).toEqual(['solid', 'liquid', 'sky']);
    expect(
      unseenBrushes(arena).groups.map(({ contents }) => arena.format.contents.names(contents)),
    ).toContainEqual(expect.arrayContaining(['playerClip']));
  });

  it('are seen where the game shows them at first', async () => {
    const names = [
      'func_wall',
      'func_illusionary',
      'func_bossgate',
      'func_episodegate',
      'func_ladder',
      'trigger_once',
    ];
    const { bytes } = compileMap(
      {
        entities: [
          { properties: { classname: 'worldspawn' }, brushes: roomBrushes([0, 0, 0], [512, 256, 192], 16) },
          ...names.map((classname, k) => ({
            properties: { classname },
            brushes: [boxBrush([100 + 40 * k, 0, 0], [116 + 40 * k, 256, 96], { material: `m${k}` })],
          })),
        ],
      },
      { format: 'quake1' },
    );
    const map = await openBytes(bytes, { name: 'gates', isOwn: false, text: undefined });
    const { groups } = drawnSurfaces(map);
    const kindOf = (k: number): string | undefined => groups.find(({ name }) => name === `m${k}`)?.kind;
    expect(names.filter((_, k) => kindOf(k) === 'solid')).toEqual([
      'func_wall',
      'func_illusionary',
      'func_bossgate',
    ]);
    // The others can be shown.
    expect(names.filter((_, k) => kindOf(k) === 'hidden')).toHaveLength(3);
  });

  it('have the colour of what their names say', () => {
    expect(textureColor('base/lava')).not.toEqual(textureColor('base/water'));
    expect(textureColor('x/Brick1')).toEqual(textureColor('x/brick1'));
    expect(contentsSwatch(['solid']).color).not.toEqual(contentsSwatch(['playerClip']).color);
    for (const coloring of COLORINGS) {
      const colors = vertexColors(arena, drawn, coloring);
      for (const index of drawn.indices)
        expect(colors[3 * index]! + colors[3 * index + 1]!).toBeGreaterThan(0);
    }
  });

  it('have colours that are explained, as far as they are few', () => {
    const explained = (coloring: (typeof COLORINGS)[number], groups = drawn.groups): string[] =>
      legendOf(arena, groups, coloring).map(({ name }) => name);
    expect(explained('texture')).toEqual([]);
    expect(explained('contents')).toEqual(expect.arrayContaining(['solid', 'water']));
    expect(explained('slope').slice(0, SLOPES.length)).toEqual(SLOPES.map(({ name }) => name));
    // What is not drawn in the game has no texture of its own.
    expect(explained('texture', unseenBrushes(arena)!.groups)).toContain('playerClip');
    // Every colour that is there is in it, once.
    const colors = legendOf(arena, drawn.groups, 'contents').map(({ color }) => String(color));
    expect(new Set(colors).size).toBe(colors.length);
    const painted = vertexColors(arena, drawn, 'contents');
    for (const index of drawn.indices)
      expect(colors).toContain(String(painted.subarray(3 * index, 3 * index + 3)));
  });

  it('have the colour of what one can do on them: stand, or not', () => {
    const colors = vertexColors(arena, drawn, 'slope');
    const counts = new Map(SLOPES.map(({ name }) => [name, 0]));
    const walls = drawn.groups.filter(({ kind }) => kind === 'solid');
    for (const { first, count } of walls) {
      for (const index of drawn.indices.subarray(first, first + count)) {
        const color = [...colors.subarray(3 * index, 3 * index + 3)];
        const { name } = SLOPES.find((slope) => slope.color.every((part, k) => part === color[k]))!;
        counts.set(name, counts.get(name)! + 1);
        const z = drawn.normals[3 * index + 2]!;
        expect(name === 'floor').toBe(z >= Math.fround(0.7));
        expect(name === 'too steep').toBe(z > 0.01 && z < Math.fround(0.7));
      }
    }
    // The arena has all of them.
    expect(Math.min(...counts.values())).toBeGreaterThan(0);
    // By WCAG 2, for those to whom both have the same hue.
    const [floor, steep] = SLOPES.map(({ color }) => {
      const [r, g, b] = color.map((x) =>
        x / 255 <= 0.03928 ? x / 255 / 12.92 : ((x / 255 + 0.055) / 1.055) ** 2.4,
      );
      return 0.2126 * r! + 0.7152 * g! + 0.0722 * b! + 0.05;
    });
    expect(floor! / steep!).toBeGreaterThan(2);
    // Liquids are not stood on.
    const water = drawn.groups.find(({ kind }) => kind === 'liquid')!;
    const at = 3 * drawn.indices[water.first]!;
    expect(colors.slice(at, at + 3)).toEqual(vertexColors(arena, drawn, 'contents').slice(at, at + 3));
  });
});

describe('a layer', () => {
  it('leaves nothing on the graphics card when it is painted in other colours', () => {
    const layer = new Layer(arena, drawn, 'texture');
    const { geometry } = layer.mesh;
    const before = geometry.getAttribute('tint');
    const released: unknown[] = [];
    // The renderer deletes the buffers of what the geometry has then.
    geometry.addEventListener('dispose', () => released.push(geometry.getAttribute('tint')));
    layer.paint('contents');
    const after = geometry.getAttribute('tint');
    expect(after.array).not.toEqual(before.array);
    if (after !== before) expect(released).toEqual([before]);
  });

  it('of brushes is not lit by a corner of the lightmaps', () => {
    const { material, geometry } = new Layer(arena, unseenBrushes(arena), 'contents').mesh;
    expect(geometry.hasAttribute('lightCoord')).toBe(false);
    // Below 0, the shader asks for no light.
    for (const { defaultAttributeValues } of material as ShaderMaterial[])
      expect(defaultAttributeValues).toMatchObject({ lightCoord: [-1, -1] });
  });
});
