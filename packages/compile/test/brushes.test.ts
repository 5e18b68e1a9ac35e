import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  boxBrush,
  COMPILE_TARGETS,
  CompileError,
  type CompileErrorCode,
  compileMap,
  frustumBrush,
  hullBrush,
  moveBrush,
  pillarBrush,
  planeSide,
  prismBrush,
  rampBrush,
  roomBrushes,
  type SourceBrush,
  stairBrushes,
} from '../src/index.ts';
import { PlaneSet } from '../src/planes.ts';
import { cornersOf, createBoxSolid, cutSolid, solidBox, solidCenter } from '../src/solid.ts';
import { depth } from './brute.ts';
import { errorOf } from './error-of.ts';
import { reachOf } from './every-target.ts';
import { readQuake3File } from './read/quake3.ts';

const unitBox = boxBrush([0, 0, 0], [64, 32, 16]);
const side = (normal: readonly number[], dist: number): SourceBrush['sides'][number] => ({ normal, dist });

describe('checking brushes', () => {
  it.each<[string, SourceBrush['sides'], CompileErrorCode, number?]>([
    ['no sides', [], 'few-planes'],
    ['three planes', unitBox.sides.slice(0, 3), 'few-planes'],
    ['one plane four times', [...Array(4)].map(() => side([0, 0, 1], 8)), 'few-planes'],
    ['no top', unitBox.sides.slice(0, 5), 'not-closed'],
    ['planes past each other', [...unitBox.sides, side([0, 0, 1], -4)], 'zero-volume'],
    ['two faces in one plane', [...unitBox.sides.slice(0, 5), side([0, 0, 1], 0)], 'zero-volume'],
    ['a normal of no length', [...unitBox.sides, side([0, 0, 0], 4)], 'degenerate-plane', 6],
    ['a normal that is not a number', [side([0, Number.NaN, 0], 4), ...unitBox.sides], 'degenerate-plane', 0],
    [
      'a plane that is nowhere',
      [side([0, 1, 0], Number.POSITIVE_INFINITY), ...unitBox.sides],
      'degenerate-plane',
      0,
    ],
  ])('refuses %s', (_, sides, code, number) => {
    const error = errorOf(() => compileMap([unitBox, { sides }], { format: 'quake3' }));
    expect([error.code, error.brush, error.side]).toEqual([code, 1, number]);
  });

  it('counts planes in words', () => {
    const flat = { sides: [...Array(4)].map(() => side([0, 0, 1], 8)) };
    expect(() => compileMap([flat], { format: 'quake3' })).toThrow(
      /has 1 different plane; a closed brush needs four or more/,
    );
  });

  it('refuses materials that the table lacks, unless it may take them as solid', () => {
    const brush = { ...unitBox, material: 'moss' };
    const materials = { 'base/wall': { contents: 'solid' } };
    const compile = (options: object) => compileMap([brush], { format: 'quake3', ...options });
    expect(() => compile({ materials })).toThrow(/brush 0, side 0: material 'moss' is not known/);
    expect(() => compile({ unknownMaterial: 'error' })).toThrow(CompileError);
    expect(() => compile({ materials, unknownMaterial: 'solid' })).not.toThrow();
    expect(() => compile({ materials: (name: string) => (name === 'moss' ? {} : undefined) })).not.toThrow();
    expect(() => compileMap([{ ...unitBox, contents: 'jelly' }], { format: 'quake3' })).toThrow(RangeError);
  });

  it('warns about planes that do nothing and about mixed contents', () => {
    const odd = { sides: [...unitBox.sides, side([0, 0, 1], 99), side([0, 0, 2], 16)] };
    const wetOn = (wet: number, other: string): SourceBrush => ({
      sides: unitBox.sides.map((s, i) => ({ ...s, material: i === wet ? 'liquids/water' : other })),
    });
    const wet = [wetOn(3, 'wall'), wetOn(0, 'caulk'), wetOn(5, 'caulk'), wetOn(0, 'wall')];
    const { warnings } = compileMap([odd, ...wet], { format: 'quake3' });
    expect(warnings.map(({ code, brush, side: s }) => ({ code, brush, side: s }))).toEqual([
      { code: 'redundant-plane', brush: 0, side: 7 },
      { code: 'redundant-plane', brush: 0, side: 6 },
      { code: 'mixed-contents', brush: 1, side: undefined },
      { code: 'mixed-contents', brush: 3, side: undefined },
      { code: 'mixed-contents', brush: 4, side: undefined },
    ]);
    expect(warnings[2]!.message).toBe('entity 0, brush 1: sides differ in contents; taken as solid');
  });

  it('takes contents from the first side, as the compilers of the games do', () => {
    const made = (...materials: string[]): number => {
      const brush = { sides: unitBox.sides.map((s, i) => ({ ...s, material: materials[i] ?? 'caulk' })) };
      return readQuake3File(compileMap([brush], { format: 'quake3' }).bytes).shaders[0]!.contents;
    };
    expect(made('liquids/water')).toBe(0x20);
    expect(made('caulk', 'liquids/water')).toBe(1);
    expect(made('liquids/lava', 'liquids/water', 'wall')).toBe(8);
  });

  it('leaves out brushes without a volume where it is told to, and reports them', () => {
    const flat = { sides: [...unitBox.sides.slice(0, 5), side([0, 0, 1], 0)], line: 7 };
    const origin = { ...flat, material: 'origin' };
    const door = { properties: { classname: 'func_door', origin: '1 2 3' }, brushes: [origin, unitBox] };
    const map = { entities: [{ properties: { classname: 'worldspawn' }, brushes: [flat, unitBox] }, door] };
    const { bytes, warnings } = compileMap(map, { format: 'quake3', emptyBrush: 'leave-out' });
    const problem = 'no point lies more than 0.01 units behind all planes; left out';
    expect(warnings.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      `brush-left-out: line 7, entity 0, brush 0: ${problem}`,
      `brush-left-out: line 7, entity 1, brush 0: ${problem}`,
    ]);
    const file = readQuake3File(bytes);
    expect(file.brushes.length).toBe(2);
    expect(file.entities).toContain('"origin" "1 2 3"');
    for (const emptyBrush of ['error', undefined] as const)
      expect(() => compileMap(map, { format: 'quake3', emptyBrush })).toThrow(
        /line 7, entity 0, brush 0: no point/,
      );
    const inside = {
      sides: unitBox.sides.map(({ normal, dist }) =>
        side(
          [0, 1, 2].map((k) => -normal[k]!),
          -dist,
        ),
      ),
    };
    const turned = compileMap([inside, unitBox], { format: 'quake3', emptyBrush: 'leave-out' });
    expect(turned.warnings[0]!.message).toBe(
      'entity 0, brush 0: the brush is inside out: its sides face inwards; left out',
    );
    expect(() => compileMap([flat], { format: 'quake3', emptyBrush: 'leave-out' })).toThrow(
      expect.objectContaining({ code: 'empty' }),
    );
    // The reason, which nothing else would report.
    expect(() => compileMap([inside], { format: 'quake2', emptyBrush: 'leave-out' })).toThrow(
      'the map has no brushes or patches besides markers: entity 0, brush 0: the brush is inside out',
    );
  });

  it.each(COMPILE_TARGETS.map(({ id }) => id))('refuses whatever is out of reach for %s', (format) => {
    const brush = moveBrush(unitBox, [reachOf(format), 0, 0]);
    expect(() => compileMap([brush], { format })).toThrow(/reaches/);
  });
});

describe('shapes', () => {
  const inside = (brush: SourceBrush, point: readonly number[]): boolean => depth(brush, point) < 0;

  it('turn points into planes as .map text does', () => {
    expect(planeSide([0, 0, 5], [0, 1, 5], [1, 0, 5], 'm')).toEqual({
      normal: [0, 0, 1],
      dist: 5,
      material: 'm',
    });
    expect(() => planeSide([0, 0, 0], [1, 1, 1], [2, 2, 2])).toThrow(CompileError);
  });

  it('refuse boxes that are inside out and hulls that are flat', () => {
    expect(() => boxBrush([0, 0, 0], [8, 8, 0])).toThrow(/mins\[2\] must be below maxs\[2\]/);
    expect(() =>
      hullBrush([
        [0, 0, 0],
        [8, 0, 0],
        [0, 8, 0],
        [8, 8, 0],
      ]),
    ).toThrow(/no volume/);
    // Nor do rounded points of a plane make a body.
    const bumpy = [0, 0.0004, -0.0003, 0.0002, 0.0001, -0.0004];
    expect(() => hullBrush(bumpy.map((z, k) => [k % 3, Math.floor(k / 3), z]))).toThrow(/no volume/);
  });

  it('have a side for each edge and no more where they are flat', () => {
    const flat = [0.25, 0.05, 0.02].map((height) => frustumBrush([0, 0, 0], 64, 32, height, 32));
    expect(flat.map(({ sides }) => sides.length)).toEqual([34, 34, 34]);
    expect(frustumBrush([0, 0, 0], 64, 32, 0.25, 64).sides).toHaveLength(66);
  });

  it('keep all sides of a flat cone that a map can distinguish', () => {
    const cones = (
      [
        [512, 0.1, 32],
        [1000, 0.05, 64],
        [2000, 0.5, 64],
        [2795, 0.0087, 3],
      ] as const
    ).map(([radius, height, corners]) => frustumBrush([0, 0, 0], radius, 0, height, corners));
    expect(cones.map(({ sides }) => sides.length)).toEqual([33, 65, 65, 4]);
    const { warnings } = compileMap(cones.slice(2, 3), { format: 'quake3' });
    expect(warnings.filter(({ code }) => code === 'redundant-plane')).toEqual([]);
  });

  it('have one side where points in a plane are rounded far from the origin', () => {
    const [u, v] = [
      [0.8, 0.36, 0.48],
      [-0.6, 0.48, 0.64],
    ] as const;
    const corner = (a: number, b: number, up: number): Float32Array =>
      Float32Array.from(
        [-3001, 2503, 707],
        (at, k) => at + 91 * a * u[k]! + 71 * b * v[k]! + up * [0, -0.8, 0.6][k]!,
      );
    const corners = [0, 1].flatMap((a) => [0, 1].flatMap((b) => [0, 53].map((up) => corner(a, b, up))));
    expect(hullBrush(corners).sides).toHaveLength(6);
  });

  it('are as large as they say', () => {
    const planes = new PlaneSet();
    const volume = (brush: SourceBrush): number => {
      const { bytes } = compileMap([brush], { format: 'quake3' });
      expect(bytes.length).toBeGreaterThan(144);
      let solid = createBoxSolid(planes, { mins: [-999, -999, -999], maxs: [999, 999, 999] });
      for (const { normal, dist } of brush.sides) {
        const length = Math.hypot(...Array.from(normal));
        const [x, y, z] = Array.from(normal, (n) => n / length) as [number, number, number];
        solid = cutSolid(planes, solid, planes.find(x, y, z, dist)).back!;
      }
      return solidCenter(solid).volume;
    };
    expect(volume(unitBox)).toBeCloseTo(64 * 32 * 16, 3);
    expect(volume(rampBrush([0, 0, 0], [64, 32, 16], '+x'))).toBeCloseTo(32 * 32 * 16, 1);
    expect(
      volume(
        prismBrush(
          [
            [0, 0],
            [40, 0],
            [0, 30],
          ],
          5,
          15,
        ),
      ),
    ).toBeCloseTo(6000, 1);
    expect(volume(pillarBrush([0, 0, 0], 32, 10, 4))).toBeCloseTo(2 * 32 * 32 * 10, 0);
    expect(volume(frustumBrush([0, 0, 0], 32, 0, 30, 4)) / ((2 * 32 * 32 * 30) / 3)).toBeCloseTo(1, 4);
  });

  it('rise in the direction of their heading', () => {
    for (const [heading, low, high] of [
      ['+x', [2, 30], [58, 30]],
      ['-x', [58, 30], [2, 30]],
      ['+y', [30, 2], [30, 58]],
      ['-y', [30, 58], [30, 2]],
    ] as const) {
      const ramp = rampBrush([0, 0, 0], [60, 60, 40], heading);
      const steps = stairBrushes([0, 0, 0], [60, 60, 40], 4, heading);
      expect(inside(ramp, [...high, 30])).toBe(true);
      expect(inside(ramp, [...low, 10])).toBe(false);
      expect(steps.some((step) => inside(step, [...high, 39]))).toBe(true);
      expect(steps.filter((step) => inside(step, [...low, 9]))).toHaveLength(1);
      expect(steps.some((step) => inside(step, [...low, 11]))).toBe(false);
    }
  });

  it('make rooms whose walls do not overlap and leave no gap', () => {
    const walls = roomBrushes([0, 0, 0], [100, 80, 60], 10);
    expect(walls).toHaveLength(6);
    for (let x = -15; x < 120; x += 7.3) {
      for (let y = -15; y < 100; y += 7.3) {
        for (let z = -15; z < 80; z += 7.3) {
          const point = [x, y, z];
          const wall = [100, 80, 60].every((top, k) => point[k]! > -10 && point[k]! < top + 10);
          const air = [100, 80, 60].every((top, k) => point[k]! > 0 && point[k]! < top);
          expect(walls.filter((brush) => inside(brush, point))).toHaveLength(wall && !air ? 1 : 0);
        }
      }
    }
  });

  it('can be moved, texture and all', () => {
    const texture = { s: [1, 0, 0, 5], t: [0, 0.5, 0, 0] } as const;
    const brush = { sides: unitBox.sides.map((s) => ({ ...s, texture })) };
    const moved = moveBrush(brush, [10, 20, 30]);
    expect(inside(moved, [11, 21, 31])).toBe(true);
    expect(inside(moved, [9, 21, 31])).toBe(false);
    expect(moved.sides[0]!.texture).toEqual({ s: [1, 0, 0, -5], t: [0, 0.5, 0, -10] });
  });
});

describe('planes', () => {
  it('come in opposite pairs, the even one with its largest component positive', () => {
    const planes = new PlaneSet();
    expect(planes.find(0, 0, -1, 8)).toBe(1);
    expect(planes.find(0, 0, 1, -8)).toBe(0);
    const oblique = planes.find(0.6, -0.8, 0, 3);
    expect(oblique % 2).toBe(1);
    expect(planes.find(-0.6, 0.8, 0, -3)).toBe(oblique ^ 1);
    expect(planes.size).toBe(4);
    expect([planes.type(0), planes.type(oblique)]).toEqual([2, 4]);
  });

  it('tell a slope of one in 256 from level, and hold values as the file will', () => {
    const planes = new PlaneSet();
    const length = Math.hypot(1, 256);
    const slope = planes.find(1 / length, 0, 256 / length, 10.1);
    expect(planes.type(slope)).toBe(5);
    expect(planes.find(0, 0, 1, 10.1)).not.toBe(slope);
    expect(planes.dist[slope]).toBe(Math.fround(10.1));
  });
});

describe('cutting bodies', () => {
  it('knows their corners, each once', () => {
    const planes = new PlaneSet();
    const corners = cornersOf(createBoxSolid(planes, { mins: [1, 2, 3], maxs: [4, 6, 8] }));
    const found = Array.from({ length: corners.length / 3 }, (_, k) =>
      corners.slice(3 * k, 3 * k + 3).join(),
    );
    const expected = [1, 4].flatMap((x) => [2, 6].flatMap((y) => [3, 8].map((z) => [x, y, z].join())));
    expect(found.sort()).toEqual(expected.sort());
  });

  it('keeps their volume', () => {
    const number = (least: number, most: number) => fc.double({ min: least, max: most, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(number(-1, 1), number(-1, 1), number(-1, 1), number(-40, 40)), { maxLength: 6 }),
        (cuts) => {
          const planes = new PlaneSet();
          let parts = [createBoxSolid(planes, { mins: [-32, -48, -16], maxs: [32, 48, 16] })];
          for (const [x, y, z, dist] of cuts) {
            const length = Math.hypot(x, y, z);
            if (length < 0.01) continue;
            const plane = planes.find(x / length, y / length, z / length, dist);
            parts = parts.flatMap((part) => {
              const { front, back } = cutSolid(planes, part, plane);
              return [front, back].filter((piece) => piece !== undefined);
            });
          }
          const volume = parts.reduce((sum, part) => sum + solidCenter(part).volume, 0);
          expect(volume).toBeGreaterThan(64 * 96 * 32 - 60);
          expect(volume).toBeLessThan(64 * 96 * 32 + 60);
          for (const part of parts) {
            const { mins, maxs } = solidBox(part);
            const { center } = solidCenter(part);
            for (let k = 0; k < 3; k++) {
              expect(center[k]).toBeGreaterThanOrEqual(mins[k]! - 0.01);
              expect(center[k]).toBeLessThanOrEqual(maxs[k]! + 0.01);
            }
          }
        },
      ),
    );
  });
});
