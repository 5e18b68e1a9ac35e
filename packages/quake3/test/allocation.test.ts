import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createTrace } from '@bspkit/core';
import { arenaQuake3 } from '@bspkit/fixtures';
import { readRealMap, realMapNames } from '@bspkit/fixtures/real';
import { bytesPerCall } from '@bspkit/testkit/allocation';
import { describe, expect, it } from 'vitest';
import * as source from '../src/index.ts';
import { tracersOf } from './worlds.ts';

type Package = typeof source;

/** The package as users get it, where it has been built: its bundling must not make V8 box what the sources do not. */
const built = new URL('../dist/index.js', import.meta.url);
const packages: [name: string, package_: Package][] = [['sources', source]];
if (existsSync(built)) packages.push(['built package', (await import(fileURLToPath(built))) as Package]);

/** A map with patches where there is one: the arena has a single arch. */
const map = realMapNames('quake3').includes('quake3/oa_minia.bsp')
  ? readRealMap('quake3/oa_minia.bsp')
  : arenaQuake3();

function tracers({ readQuake3, createQuake3World, boxEntity }: Package): Record<string, source.Quake3Tracer> {
  const world = createQuake3World(readQuake3(map));
  const door = world.model(1);
  return {
    ...tracersOf(world),
    exactSphere: world.sphere(12, { exact: true }),
    modelBox: door.box([-15, -15, -24], [15, 15, 32], { origin: [8, 0, 0] }),
    turnedModelCapsule: door.capsule({ radius: 12, height: 50 }, { angles: [0, 30, 0] }),
    boxEntity: boxEntity([-16, -16, -24], [16, 16, 32]).box([-4, -4, -4], [4, 4, 4], { origin: [0, 0, 64] }),
  };
}

/** Moves all over the map, made before anything is measured. */
const moves = Array.from({ length: 256 }, (_, k) => ({
  start: Float32Array.of(450 * Math.sin(k), 450 * Math.cos(3 * k), 100 + 90 * Math.sin(7 * k)),
  end: Float32Array.of(500 * Math.sin(5 * k), 500 * Math.cos(2 * k), 150 + 160 * Math.sin(k + 1)),
}));

describe.each(packages)('%s: nothing is allocated by', (_name, package_) => {
  const out = createTrace();
  const all = tracers(package_);

  it.each(Object.entries(all))('%s: trace with out, and blocked', (_, tracer) => {
    let hits = 0;
    const traced = bytesPerCall((call) => {
      const { start, end } = moves[call & 255]!;
      if (tracer.trace(start, end, out).fraction < 1) hits++;
    });
    expect(traced).toBe(0);
    const blocked = bytesPerCall((call) => {
      const { start, end } = moves[call & 255]!;
      if (tracer.blocked(start, end)) hits++;
    });
    expect(blocked).toBe(0);
    expect(hits).toBeGreaterThanOrEqual(0);
  });

  it('position tests', () => {
    const tracer = all.box!;
    expect(
      bytesPerCall((call) => void tracer.trace(moves[call & 255]!.start, moves[call & 255]!.start, out)),
    ).toBe(0);
  });

  it('changing size, filter and pose', () => {
    const tracer = all.modelBox!;
    const settings = {
      origin: new Float32Array(3),
      angles: new Float32Array(3),
      mins: Float32Array.of(-8, -8, -8),
      maxs: Float32Array.of(8, 8, 8),
    };
    const bytes = bytesPerCall((call) => {
      settings.origin[0] = call & 63;
      settings.angles[1] = call & 31;
      tracer.set(settings).trace(moves[call & 255]!.start, moves[call & 255]!.end, out);
    });
    expect(bytes).toBe(0);
  });

  it('and the measure does see what is allocated', () => {
    const tracer = all.ray!;
    const kept: unknown[] = [0];
    const bytes = bytesPerCall((call) => {
      kept[0] = tracer.trace(moves[call & 255]!.start, moves[call & 255]!.end);
    });
    expect(bytes).toBeGreaterThan(8);
  });
});
