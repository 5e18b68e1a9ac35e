import { describe, expect, it } from 'vitest';
import {
  boxBrush,
  COMPILE_TARGETS,
  type CompileError,
  type CompileOptions,
  compileMap,
  formatMap,
  type MapSource,
  moveBrush,
  parseMap,
  type SourceBrush,
} from '../src/index.ts';
import { PlaneSet } from '../src/planes.ts';
import { errorOf } from './error-of.ts';

const box = boxBrush([0, 0, 0], [64, 32, 16]);
const world = { properties: { classname: 'worldspawn' }, brushes: [box] };
const FAR = [2e5, 2 ** 31, 2 ** 53, 1e20, 1e300];

describe.each(COMPILE_TARGETS.map(({ id }) => id))('coordinates too far out for %s', (format) => {
  const errorFor = (source: MapSource | readonly SourceBrush[]): CompileError =>
    errorOf(() => compileMap(source, { format }));

  it.each(FAR)('are refused in a plane at %d', (far) => {
    const plane = { normal: [0, 0, 1], dist: far };
    expect(errorFor([box, { sides: [...box.sides, plane] }])).toMatchObject({
      code: 'limit',
      brush: 1,
      side: 6,
    });
    const aside = { sides: box.sides.map((side) => ({ ...side, dist: side.dist - far * side.normal[0]! })) };
    expect(errorFor([aside]).code).toBe('limit');
    expect(errorFor([moveBrush(box, [0, 0, 1e5])])).toMatchObject({ code: 'limit', brush: 0 });
  });

  const doorAt = (far: number): MapSource => {
    const door = { properties: { classname: 'func_door', origin: `${far} 0 0` }, brushes: [box] };
    return { entities: [world, door] };
  };

  it.each(FAR.filter((far) => Math.fround(far) < Infinity))('are refused in an origin at %d', (far) => {
    const error = errorFor(doorAt(far));
    expect(error).toMatchObject({ code: 'limit', entity: 1 });
    expect(error.message).toMatch(/^entity 1: the origin/);
  });

  it('are none in an origin that no game can hold', () => {
    const { warnings } = compileMap(doorAt(1e300), { format });
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'no-origin', entity: 1 }));
  });

  const patchAt = (far: number): MapSource => {
    const points = Array.from({ length: 9 }, (_, i) => [i % 3, i, i === 4 ? far : 0, 0, 0] as const);
    return { entities: [{ ...world, patches: [{ material: 'curve', width: 3, height: 3, points }] }] };
  };

  it.each(FAR)('are refused in a patch at %d', (far) => {
    expect(errorFor(patchAt(far))).toMatchObject({ code: 'limit', patch: 0 });
  });

  it('are those beyond 65,536 units in a patch', () => {
    for (const far of [65_536, -65_536]) {
      expect(() => compileMap(patchAt(far), { format })).not.toThrow();
      expect(errorFor(patchAt(1.0001 * far))).toMatchObject({ code: 'limit', patch: 0 });
    }
  });

  it('are refused in models, as these have them', () => {
    const door = { classname: 'func_door', origin: '-60000 0 0' };
    const points = Array.from({ length: 9 }, (_, i) => [60_000 + (i % 3), i, 0, 0, 0] as const);
    const patch = { material: 'curve', width: 3, height: 3, points };
    const brush = moveBrush(box, [60_000, 0, 0]);
    const errors = [{ brushes: [brush] }, { patches: [patch] }].map((parts) =>
      errorFor({ entities: [world, { properties: door, ...parts }] }),
    );
    for (const error of errors) expect(error).toMatchObject({ code: 'limit', entity: 1 });
    // As the point is in the source.
    expect(errors[1]!.message).toMatch(
      /the point 60000 0 0 lies .* from -60000 0 0, the origin of its model$/,
    );
  });

  it.each(FAR)('do no harm at %d where nothing is built', (far) => {
    const light = { properties: { classname: 'light', origin: `${far} 0 0` } };
    expect(compileMap({ entities: [world, light] }, { format }).bytes.length).toBeGreaterThan(100);
  });
});

describe('coordinates too far out', () => {
  it.each(FAR)('are refused in clip hulls (%d)', (far) => {
    const hulls = [{ mins: [-8, -8, -8], maxs: [8, far, 8] }];
    expect(() => compileMap([box], { format: 'quake1', hulls })).toThrow(/^hulls\[0\](\.maxs\[1\])? must/);
  });

  it.each(FAR)('are refused in text (%d)', (far) => {
    const text = formatMap({ entities: [world] }).replaceAll('64', String(far));
    expect(errorOf(() => compileMap(parseMap(text), { format: 'quake3' })).code).toBe('limit');
  });

  it('never leave a set of planes searching forever', () => {
    const planes = new PlaneSet();
    for (const [i, far] of FAR.entries()) expect(planes.find(0, 0, 1, far)).toBe(2 * i);
  });
});

describe('more models than the engine has numbers for', () => {
  const warningsFor = (models: number, options: CompileOptions) => {
    const door = { properties: { classname: 'func_door' }, brushes: [box] };
    return compileMap({ entities: [world, ...Array.from({ length: models - 1 }, () => door)] }, options)
      .warnings.filter(({ code }) => code === 'many-models')
      .map(({ message }) => message);
  };
  const many = (count: number, game: string, most: number): string =>
    `the map has ${count} models with the world's; ${game}'s own engine has room for ${most}, those of items and players included`;

  // Quake and Quake 2: MAX_MODELS is 256, with number 0 for none. ReHLDS: HL_MODEL_MAX is 512.
  it.each([
    ['Quake 1', 255, { format: 'quake1' }],
    ['Half-Life', 511, { format: 'quake1', version: 30 }],
    ['Quake 2', 255, { format: 'quake2' }],
  ] as const)('get a warning: %s', (game, most, options) => {
    expect(warningsFor(most, options)).toEqual([]);
    expect(warningsFor(most + 1, options)).toEqual([many(most + 1, game, most)]);
  });

  it('get none in files for engines with larger tables', () => {
    expect(warningsFor(256, { format: 'quake1', bsp2: true })).toEqual([]);
    expect(warningsFor(256, { format: 'quake2', qbsp: true })).toEqual([]);
  });
});
