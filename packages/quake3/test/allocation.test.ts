import { createTrace } from '@bspkit/core';
import { arenaQuake3 } from '@bspkit/fixtures';
import { bytesPerCall } from '@bspkit/testkit/allocation';
import { describe, expect, it } from 'vitest';
import { boxEntity, createQuake3World, type Quake3Tracer, readQuake3 } from '../src/index.ts';
import { tracersOf } from './worlds.ts';

const world = createQuake3World(readQuake3(arenaQuake3()));
const door = world.model(1);
const tracers: Record<string, Quake3Tracer> = {
  ...tracersOf(world),
  exactSphere: world.sphere(12, { exact: true }),
  modelBox: door.box([-15, -15, -24], [15, 15, 32], { origin: [8, 0, 0] }),
  turnedModelCapsule: door.capsule({ radius: 12, height: 50 }, { angles: [0, 30, 0] }),
  boxEntity: boxEntity([-16, -16, -24], [16, 16, 32]).box([-4, -4, -4], [4, 4, 4], { origin: [0, 0, 64] }),
};

/** Moves all over the arena, made before anything is measured. */
const moves = Array.from({ length: 256 }, (_, k) => ({
  start: Float32Array.of(450 * Math.sin(k), 450 * Math.cos(3 * k), 100 + 90 * Math.sin(7 * k)),
  end: Float32Array.of(500 * Math.sin(5 * k), 500 * Math.cos(2 * k), 150 + 160 * Math.sin(k + 1)),
}));

describe('nothing is allocated by', () => {
  const out = createTrace();

  it.each(Object.entries(tracers))('%s: trace with out, and blocked', (_, tracer) => {
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
    const tracer = tracers.box!;
    expect(
      bytesPerCall((call) => void tracer.trace(moves[call & 255]!.start, moves[call & 255]!.start, out)),
    ).toBe(0);
  });

  it('changing size, filter and pose', () => {
    const tracer = tracers.modelBox!;
    const settings = {
      origin: new Float32Array(3),
      angles: new Float32Array(3),
      mins: [-8, -8, -8],
      maxs: [8, 8, 8],
    };
    const bytes = bytesPerCall((call) => {
      settings.origin[0] = call & 63;
      settings.angles[1] = call & 31;
      tracer.set(settings).trace(moves[call & 255]!.start, moves[call & 255]!.end, out);
    });
    expect(bytes).toBe(0);
  });

  it('and the measure does see what is allocated', () => {
    const tracer = tracers.ray!;
    const kept: unknown[] = [0];
    const bytes = bytesPerCall((call) => {
      kept[0] = tracer.trace(moves[call & 255]!.start, moves[call & 255]!.end);
    });
    expect(bytes).toBeGreaterThan(50);
  });
});
