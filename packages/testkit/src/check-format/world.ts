import { inspect } from 'node:util';
import type { BoxWorld, Polygon } from '@bspkit/core';
import type { BspFormat } from '@bspkit/core/format';
import { expect, it } from 'vitest';
import { expectBelow, expectSame } from '../same.ts';
import { expectCopies } from './answers.ts';
import { tracersOf } from './catalog.ts';
import { windingSign } from './meshes.ts';
import { answersOf, dot, type FormatSample, movesIn, squareOf, type World } from './sample.ts';

export function checkWorld(format: BspFormat, { bytes }: FormatSample, world: World): void {
  it('keeps its entities and texture names', () => {
    expect(world.format).toBe(format.id);
    expect(world.entities().length).toBeGreaterThan(0);
    expect(world.textureNames().length).toBeGreaterThan(0);
    for (const name of world.textureNames()) expect(typeof name).toBe('string');
    expect(world.entities()).toBe(world.entities());
    expect(world.textureNames()).toBe(world.textureNames());
  });

  it('is the same when opened from a copy of its data', () => {
    const copy = format.open(structuredClone(world.data)) as World;
    expect(copy.bounds).toEqual(world.bounds);
    expect(copy.numModels).toBe(world.numModels);
    expect(copy.entities()).toEqual(world.entities());
    expect(copy.textureNames()).toEqual(world.textureNames());
    for (const { create } of tracersOf(format, world)) {
      expectSame(answersOf(create(copy), movesIn(world)), answersOf(create(world), movesIn(world)));
    }
  });

  it('makes boxes that keep copies of their corners', () => {
    const { box } = world as World & Partial<BoxWorld>;
    if (box) expectCopies((mins, maxs) => box.call(world, mins, maxs), movesIn(world));
  });

  it('numbers its models from 1', () => {
    expect(() => world.model(0)).toThrow('number must be 1 or more: 0 is the world');
    const message =
      world.numModels > 0
        ? `number must be a whole number from 1 to ${world.numModels}, got `
        : 'the map has no inline models';
    for (const wrong of [world.numModels + 1, -1, 1.5, Number.NaN]) {
      expect(() => world.model(wrong), String(wrong)).toThrow(RangeError);
      expect(() => world.model(wrong)).toThrow(message);
    }
  });

  it('prints in one line', () => {
    const things = [world, ...tracersOf(format, world).map(({ create }) => create(world))];
    if (world.numModels > 0) things.push(world.model(1) as never);
    for (const thing of things) {
      const line = inspect(thing);
      expect(line).toMatch(/^[A-Z]\w+ \{ .+ \}$/);
      expect(line.length).toBeLessThan(110);
    }
  });

  it('describes its contents', () => {
    const file = format.read(bytes);
    const info = format.info(file, world);
    expect(info.version).toBe(format.detect(bytes));
    expect(info.bounds).toEqual(world.bounds);
    expect(info.entities).toEqual(world.entities());
    expect(info.lumps.length).toBeGreaterThan(0);
    for (const { name, bytes: size, records } of info.lumps) {
      expect(size, name).toBeGreaterThanOrEqual(0);
      if (records !== undefined) expect(Number.isInteger(records) && records >= 0, name).toBe(true);
    }
    expect(info.models.length).toBeGreaterThan(world.numModels);
    for (const { name, bounds } of info.models) {
      expect(name).not.toBe('');
      expect([...Array.from(bounds.mins), ...Array.from(bounds.maxs)].every(Number.isFinite), name).toBe(
        true,
      );
    }
    expect(info.contents.what).not.toBe('');
    expect(info.contents.counts.size).toBeGreaterThan(0);
    for (const count of info.contents.counts.values()) expect(count).toBeGreaterThan(0);
    expect(info.memory.world).toBe(world.data.byteLength);
    expect(info.memory.lumps).toBeGreaterThan(0);
    // Machines get all of it.
    expect(JSON.parse(JSON.stringify(info.facts))).toEqual(info.facts);
  });

  it('returns its brushes, and its surfaces for drawing', () => {
    for (const { model, planes, textures } of format.brushes?.(format.read(bytes)) ?? []) {
      expect(model >= 0 && model <= world.numModels).toBe(true);
      expect(planes.length).toBeGreaterThanOrEqual(4);
      expect(textures).toHaveLength(planes.length);
      for (const texture of Array.from(textures)) expectBelow(texture, world.textureNames().length);
      for (const { normal } of planes) expectBelow(Math.abs(squareOf(normal) - 1), 0.0005);
    }
    const source = format.polygons(world);
    const polygons = source.polygons();
    expect(polygons.length).toBeGreaterThan(0);
    for (const { vertices, normal, dist, texture } of polygons) {
      expectBelow(Math.abs(squareOf(normal) - 1), 0.0005);
      expect(vertices.length).toBeGreaterThanOrEqual(9);
      for (let at = 0; at < vertices.length; at += 3) {
        expectBelow(Math.abs(dot(vertices.subarray(at, at + 3), normal) - dist), 0.25);
      }
      expectBelow(texture, world.textureNames().length);
      expectBelow(0, windingSign(vertices, normal));
    }
    // Points in the open are drawn from the bounds. In an assembly's part, floors may lie below them.
    const inside = polygons.filter(({ vertices }) =>
      vertices.every((x, k) => x >= world.bounds.mins[k % 3]! - 1 && x <= world.bounds.maxs[k % 3]! + 1),
    );
    expectBelow(polygons.length / 2, inside.length);
    expect(() => source.leafPolygons(-1)).toThrow(RangeError);
    expect(() => source.leafPolygons(0.5)).toThrow(RangeError);
    expect(source.leafPolygons(0)).toBeInstanceOf(Array);
    expect(polygons.some(source.isSolid)).toBe(true);
  });

  it('finds the leafs that a box touches, and in them every polygon that reaches into it', () => {
    const source = format.polygons(world);
    const found = new Int32Array(source.numLeafs);
    const keyOf = ({ surface, vertices }: Polygon): string => `${surface} ${vertices.join()}`;
    const polygons = source.polygons().slice(0, 400);
    for (let k = 0; k < polygons.length; k += 7) {
      const polygon = polygons[k]!;
      // Around a point in its middle, so that edges and their leafs are not near.
      const middle = [0, 1, 2].map((axis) => {
        const along = polygon.vertices.filter((_, at) => at % 3 === axis);
        return along.reduce((sum, x) => sum + x, 0) / along.length;
      });
      const corner = (by: number): number[] => middle.map((x) => x + by);
      const count = source.boxLeafs(corner(-2), corner(2), found);
      expect(count).toBeGreaterThan(0);
      const leafs = Array.from(found.subarray(0, count));
      expect(new Set(leafs).size).toBe(count);
      const keys = leafs.flatMap((leaf) => source.leafPolygons(leaf).map(keyOf));
      expect(keys.includes(keyOf(polygon)), `polygon ${k}`).toBe(true);
    }
    expect(source.boxLeafs([0, 0, 0], [1, 1, 1], new Int32Array(0))).toBeGreaterThan(0);
    expect(() => source.boxLeafs([1, 0, 0], [0, 0, 0], found)).toThrow(RangeError);
    expect(() => source.boxLeafs([Number.NaN, 0, 0], [0, 0, 0], found)).toThrow(RangeError);
  });
}
