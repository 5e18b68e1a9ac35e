import { bytesPerCall } from '@bspkit/testkit/allocation';
import { describe, expect, it } from 'vitest';
import { createBody, createScene, createSceneTrace, createTrace, copyTrace } from '../src/index.ts';

const player = { mins: [-15, -15, -24], maxs: [15, 15, 32] } as const;
const floor = createBody({ kind: 'box', mins: [-2000, -2000, -64], maxs: [2000, 2000, -24] });

/** Moves all over the place, made before anything is measured. */
const moves = Array.from({ length: 256 }, (_, k) => ({
  start: Float32Array.of(450 * Math.sin(k), 450 * Math.cos(3 * k), 100 + 90 * Math.sin(7 * k)),
  end: Float32Array.of(500 * Math.sin(5 * k), 500 * Math.cos(2 * k), 150 + 160 * Math.sin(k + 1)),
}));

describe('nothing is allocated by', () => {
  it('copy', () => {
    const a = createTrace(), b = createSceneTrace();
    expect(bytesPerCall((call) => { a.fraction = call * 0.001; a.dist = call * 0.1; copyTrace(a, b); })).toBe(0);
  });
  it('traces', () => {
    const scene = createScene(floor);
    const kinds = [
      createBody({ kind: 'box', ...player }), createBody({ kind: 'sphere', radius: 30 }), createBody({ kind: 'capsule', ...player })];
    for (let k = 0; k < 300; k++) scene.add(kinds[k % 3]!, { origin: moves[k & 255]!.start, angles: k % 7 ? [0,0,0]:[0,30,0] });
    const out = createSceneTrace();
    for (const tracer of [scene.ray(), scene.box(player.mins, player.maxs), scene.sphere(10), scene.capsule(player.mins, player.maxs)]) {
      let hits = 0;
      expect(bytesPerCall((call) => { const { start, end } = moves[call & 255]!; if (tracer.trace(start, end, out).entity > 0) hits++; }), tracer.shape.kind).toBe(0);
      expect(bytesPerCall((call) => { const { start, end } = moves[call & 255]!; if (tracer.blocked(start, end)) hits++; }), tracer.shape.kind).toBe(0);
      expect(hits).toBeGreaterThan(0);
    }
  });
});
