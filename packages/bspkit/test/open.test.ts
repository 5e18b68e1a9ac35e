import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as core from '@bspkit/core';
import { findRealData, readRealMap, realMapNames, skippedWithoutMaps } from '@bspkit/fixtures/real';
import { Quake1World } from '@bspkit/quake1';
import { Quake3World } from '@bspkit/quake3';
import { UfoaiWorld } from '@bspkit/ufoai';
import { describe, expect, expectTypeOf, it } from 'vitest';
import * as bspkit from '../src/index.ts';
import { type BspMap, createWorld, detectBsp, openBsp, readBsp, type Tracer } from '../src/index.ts';
import { maps } from './maps.ts';

const classes = { quake1: Quake1World, quake3: Quake3World, ufoai: UfoaiWorld };

describe.each(Object.entries(maps))('%s', (format, bytes) => {
  it('opens as the world of its package', async () => {
    const world = await openBsp(bytes);
    expect(world).toBeInstanceOf(classes[format as keyof typeof classes]);
    expect(world.format).toBe(format);
    expect(world.data).toBeInstanceOf(ArrayBuffer);
  });

  it('opens from an ArrayBuffer, as fetch gives it', async () => {
    const world = await openBsp(bytes.slice().buffer);
    expect(new Uint8Array(world.data)).toEqual(new Uint8Array((await openBsp(bytes)).data));
  });

  it('opens into shared memory', async () => {
    expect((await openBsp(bytes, { shared: true })).data).toBeInstanceOf(SharedArrayBuffer);
  });

  it('is read as a file, which a world can be built of', async () => {
    const file = await readBsp(bytes);
    const found = detectBsp(bytes);
    expect([file.format, file.version]).toEqual([found.format, found.version]);
    const world = await createWorld(file);
    expect(new Uint8Array(world.data)).toEqual(new Uint8Array((await openBsp(bytes)).data));
  });

  it('has tracers of its own, taken without asking which', async () => {
    const world = await openBsp(bytes);
    const tracers: Tracer[] = [world.ray(), world.box([-8, -8, -8], [8, 8, 8])];
    const [x, y, z] = [0, 1, 2].map((k) => (world.bounds.mins[k]! + world.bounds.maxs[k]!) / 2);
    for (const tracer of tracers) {
      const { fraction } = tracer.trace([x!, y!, z!], [x!, y!, z! - 10_000]);
      expect(fraction).toBeLessThan(1);
    }
  });

  it('is refused when it is cut short, as its package does', async () => {
    const error = await openBsp(bytes.subarray(0, 1000)).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(bspkit.BspError);
    expect(error).toMatchObject({ format });
  });
});

describe('types', () => {
  it('are narrowed by format', async () => {
    const world = await openBsp(maps.quake3);
    expectTypeOf(world).toEqualTypeOf<BspMap>();
    expectTypeOf<BspMap['format']>().toEqualTypeOf<'quake1' | 'quake3' | 'ufoai'>();
    if (world.format === 'quake3') expectTypeOf(world).toEqualTypeOf<Quake3World>();
    if (world.format === 'quake1') expectTypeOf(world.hull(1)).toExtend<Tracer>();
    if (world.format === 'ufoai') expectTypeOf(world.line()).toExtend<Tracer>();
    expect(world.format).toBe('quake3');
  });

  it('of what is detected are narrowed too', () => {
    const found = detectBsp(maps.ufoai);
    if (found.format === 'ufoai') expectTypeOf(found.version).toEqualTypeOf<78 | 79>();
    if (found.format === undefined) expectTypeOf(found.advice).toEqualTypeOf<string>();
    expect(found.version).toBe(79);
  });
});

describe('core', () => {
  it('comes with it, whole', () => {
    expect({ ...bspkit }).toMatchObject({ ...core });
  });
});

describe.skipIf(!findRealData())(`real maps${skippedWithoutMaps}`, () => {
  it.each(['quake1', 'quake3', 'ufoai'])('of %s open', async (format) => {
    const [name] = realMapNames(format);
    expect((await openBsp(readRealMap(name!))).format).toBe(format);
  });
});

const built = ['bspkit', 'quake1', 'quake3', 'ufoai', 'core'].every((name) =>
  existsSync(fileURLToPath(new URL(`../../${name}/dist/index.cjs`, import.meta.url))),
);

describe.skipIf(!built)(`as CommonJS${built ? '' : ' (skipped: not built)'}`, () => {
  it('opens worlds and throws errors of the classes that are required', () => {
    // In a process of its own: the test runner has Node resolve to sources.
    const code = `
      const { openBsp, BspError } = require('bspkit');
      const bytes = require('node:fs').readFileSync(0);
      (async () => {
        const world = await openBsp(bytes);
        const error = await openBsp(bytes.subarray(0, 1000)).catch((error) => error);
        console.log(
          world instanceof require('@bspkit/ufoai').UfoaiWorld,
          error instanceof require('@bspkit/core').BspError,
          BspError === require('@bspkit/core').BspError,
        );
      })();`;
    const output = execFileSync(process.execPath, ['--eval', code], {
      cwd: fileURLToPath(new URL('..', import.meta.url)),
      env: {},
      input: maps.ufoai,
      encoding: 'utf8',
    });
    expect(output).toBe('true true true\n');
  });
});
