import { readBake } from '@bspkit/bake';
import { rampColor, readOutcome } from '@bspkit/bake/picture';
import { compileMap, roomBrushes } from '@bspkit/compile';
import type { Mesh } from '@bspkit/core';
import type { BspFormat } from '@bspkit/core/format';
import { formatOf } from 'bspkit';
import { describe, expect, it } from 'vitest';
import { computeBake, type HereKind } from '../../src/tools/bake/compute.ts';
import { coloredTriangles, nearestPlace, placedValues, valueColor } from '../../src/tools/bake/values.ts';
import { openFixture } from './maps.ts';

const cells = {
  kind: 'exposure',
  parameters: { step: 32, floor: 24 },
  result: { points: Float32Array.from([0, 0, 24, 32, 0, 24]), exposure: Float32Array.from([0.4, 0.8]) },
};

describe('values of a bake', () => {
  it('lie on the floor as squares of their colours, facing up', () => {
    const values = placedValues(cells, undefined);
    const { positions, colors, indices, every } = coloredTriangles(values, undefined);
    expect([positions.length, colors.length, Array.from(indices), every]).toEqual([
      24,
      24,
      [0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7],
      1,
    ]);
    const color = valueColor(values.layer);
    expect(Array.from(colors.subarray(12, 15))).toEqual([...color(Math.fround(0.8))]);
    expect(color(0.4)).not.toEqual(color(0.8));
    // Of a scale that ends at 100.
    const ramp = [[0, 0, 0] as const, [100, 200, 0] as const];
    const wide = { ...values.layer, scale: { ramp, unit: 'units', high: 90, most: 90 } } as const;
    expect(valueColor(wide)(50)).toEqual(rampColor(ramp, 0.5));
    // Less than a step wide, just above the floor, counter-clockwise from above.
    expect(positions[0]! + 16).toBeCloseTo(1, 0);
    expect(positions[2]).toBe(0.75);
    const turn =
      (positions[3]! - positions[0]!) * (positions[7]! - positions[1]!) -
      (positions[4]! - positions[1]!) * (positions[6]! - positions[0]!);
    expect(turn).toBeGreaterThan(0);
  });

  it.each([
    ['wall', [1, 0, 0]],
    ['ceiling', [0, 0, -1]],
    ['slope', [0, 0.6, 0.8]],
    ['slope between two axes', [0.48, 0.36, 0.8]],
    ['corner', [-Math.SQRT1_2, Math.SQRT1_2, 0]],
  ])('lie on a %s, facing the open', (_, normal) => {
    const points = Float32Array.from([64, 64, 64]);
    const bake = {
      kind: 'occlusion',
      parameters: { step: 16 },
      result: { points, normals: Float32Array.from(normal), visibility: Float32Array.of(1) },
    };
    const { positions } = coloredTriangles(placedValues(bake, undefined), undefined);
    const corner = (k: number): number[] => [0, 1, 2].map((axis) => positions[3 * k + axis]! - 64);
    const dot = (a: readonly number[], b: readonly number[]): number =>
      a.reduce((sum, x, k) => sum + x * b[k]!, 0);
    for (let k = 0; k < 4; k++) expect(dot(corner(k), normal)).toBeCloseTo(0.75, 4);
    const [a, b, c] = [corner(0), corner(1), corner(2)];
    const [u, v] = [b!.map((x, k) => x - a![k]!), c!.map((x, k) => x - a![k]!)];
    const cross = [
      u[1]! * v[2]! - u[2]! * v[1]!,
      u[2]! * v[0]! - u[0]! * v[2]!,
      u[0]! * v[1]! - u[1]! * v[0]!,
    ];
    // Seen along the axis that it faces most, it is as large as a step of the grid.
    expect(dot(cross, normal)).toBeGreaterThan(0);
    expect(Math.max(...cross.map(Math.abs))).toBeCloseTo(256, 0);
  });

  it('are the colours of the vertices where they are of a mesh', () => {
    const group = { model: 0, isSky: false, isHidden: false, firstIndex: 0, indexCount: 3 };
    const mesh = {
      positions: Float32Array.from([0, 0, 0, 64, 0, 0, 64, 64, 0, 0, 64, 0]),
      indices: Uint32Array.from([0, 1, 2, 0, 2, 3]),
      groups: [
        { ...group, isSky: true },
        { ...group, isHidden: true },
        { ...group, model: 1 },
        { ...group, firstIndex: 3 },
        group,
      ],
    } as unknown as Mesh;
    const result = {
      points: mesh.positions.slice(),
      normals: Float32Array.from({ length: 12 }, (_, k) => (k % 3 === 2 ? 1 : 0)),
      visibility: Float32Array.of(0, 0.5, 1, 1),
    };
    const values = placedValues({ kind: 'occlusion', parameters: {}, result }, undefined);
    const { positions, indices, colors } = coloredTriangles(values, mesh);
    expect(Array.from(positions)).toEqual(Array.from(mesh.positions));
    expect(Array.from(indices)).toEqual([0, 2, 3, 0, 1, 2]);
    expect(Array.from(colors.subarray(3, 6))).toEqual([...valueColor(values.layer)(0.5)]);
    // Of another mesh, or on floors, they are squares.
    const more = Float32Array.from([...mesh.positions, 0, 0, 64]);
    for (const others of [new Float32Array(12), more])
      expect(coloredTriangles(values, { ...mesh, positions: others }).positions).toHaveLength(48);
    expect(coloredTriangles({ ...values, normals: undefined }, mesh).positions).toHaveLength(48);
  });

  it('are drawn in part where they are very many', () => {
    const { layer } = placedValues(cells, undefined);
    const drawn = (count: number) => {
      const positions = Float32Array.from({ length: 3 * count }, (_, k) => (k % 3 === 0 ? (32 * k) / 3 : 0));
      const values = new Float32Array(count);
      return coloredTriangles({ layer: { ...layer, positions, values }, normals: undefined }, undefined);
    };
    const { positions, every } = drawn(250_001);
    expect([every, positions.length]).toEqual([2, 12 * 125_001]);
    expect((positions[12]! + positions[15]!) / 2).toBe(64);
    expect(drawn(250_000).every).toBe(1);
    expect(drawn(0).every).toBe(1);
  });

  it('are found by their places', () => {
    const positions = [0, 0, 0, 32, 0, 0, 32, 0, 64];
    expect(nearestPlace(positions, [30, 2, 5], 64)).toBe(1);
    expect(nearestPlace(positions, [30, 2, 50], 64)).toBe(2);
    expect(nearestPlace(positions, [300, 2, 50], 64)).toBe(-1);
    expect(nearestPlace(positions, [16, 0, 0], 64)).toBe(0);
  });
});

describe('a bake of a map', () => {
  it.each([
    ['quake1', 'sight'],
    ['quake2', 'exposure'],
    ['quake3', 'occlusion'],
    ['ufoai', 'occlusion'],
    ['ufoai', 'sight'],
  ] as const)('of %s is computed: %s', async (id, kind) => {
    const { format, bytes, world } = await openFixture('house', id);
    const parts: number[] = [];
    const step = 64;
    const bake = await computeBake(format, bytes, { kind, step }, (part) => parts.push(part));
    expect(parts.at(-1)).toBe(1);
    expect(parts).toEqual([...parts].sort((a, b) => a - b));
    const { job } = readBake(bake);
    expect([job.parameters.step, job.inputs.normals !== undefined]).toEqual([step, kind === 'occlusion']);
    const { layer } = placedValues(readOutcome(bake), undefined);
    expect(layer.values.length).toBeGreaterThan(30);
    expect(new Set(Array.from(layer.values)).size).toBeGreaterThan(5);
    const { mins, maxs } = world.bounds;
    const isInside = (x: number, k: number): boolean => x >= mins[k % 3]! - 1 && x <= maxs[k % 3]! + 1;
    expect(Array.from(layer.positions).every(isInside)).toBe(true);
  });

  it('needs surfaces, or places to stand', async () => {
    const { bytes } = compileMap(roomBrushes([0, 0, 0], [256, 256, 256], 16), { format: 'quake3' });
    const format = (await formatOf('quake3')) as unknown as BspFormat;
    const compute = (given: typeof format, kind: HereKind) =>
      computeBake(given, bytes, { kind, step: 32 }, () => {});
    await expect(compute(format, 'sight')).rejects.toThrow('players come to no place here');
    const bare = {
      ...format,
      mesh: () => ({ ...format.mesh!(format.read(bytes)), indices: new Uint32Array(), groups: [] }),
    };
    await expect(compute(bare, 'occlusion')).rejects.toThrow('the map has no surfaces');
  });
});
