import { fileURLToPath } from 'node:url';
import { expectWritten } from '@bspkit/testkit/written';
import { describe, expect, it } from 'vitest';
import {
  EDGE,
  edgePicture,
  edgeRays,
  edgeWorld,
  floorPicture,
  pushedFrames,
  RADIUS,
  sweptFrames,
  WALL,
  wallPicture,
} from '../src/edges.ts';

describe('what the answers to questions say about edges', () => {
  const world = edgeWorld();

  it('no ray slips through where two walls meet', () => {
    const ray = world.ray();
    const trace = ray.createTrace();
    let free = 0;
    for (const [start, end] of edgeRays(100_000)) {
      ray.trace(start, end, trace);
      if (trace.endPos[0]! >= EDGE[0] || trace.endPos[1]! >= EDGE[1]) free++;
    }
    expect(free).toBe(0);
    // They do pass beyond the ends of the walls: it is the edge that stops them.
    expect(ray.blocked([100, 64, 100], [100, 320, 100])).toBe(false);
  });

  it('no box trips where two floors meet', () => {
    const player = world.box([-15, -15, -24], [15, 15, 32]);
    const trace = player.createTrace();
    const z = player.trace([64, 64, 100], [64, 64, 0], trace).endPos[2]!;
    let stopped = 0;
    for (let n = 0; n < 10_000; n++) {
      // Across the border at x = 256, at any angle, and back, standing on the floor.
      const y = 32 + (n % 75);
      const way = 32 + Math.floor(n / 134);
      for (const [from, to] of [
        [200, 320],
        [320, 200],
      ] as const) {
        if (player.trace([from, y, z], [to, way, z], trace).fraction < 1) stopped++;
      }
    }
    expect(stopped).toBe(0);
  });

  it('nothing swept goes through a wall, however fast', () => {
    const [swept, pushed] = [sweptFrames(), pushedFrames()];
    const last = WALL - RADIUS;
    for (const step of [1, 10, 20, 40, 100, 1000, 100_000]) {
      const count = Math.ceil(500 / step);
      expect(swept(step, count).at(-1), `${step} units per frame`).toBe(last - 1 / 8);
    }
    // What is pushed out of triangles does go through, if a frame's move is longer than its radius.
    expect(pushed(10, 50).at(-1)).toBeCloseTo(last, 3);
    expect(pushed(40, 50).at(-1)).toBeGreaterThan(WALL + 500);
  });

  it.each([
    ['edge', edgePicture],
    ['floor', floorPicture],
    ['wall', wallPicture],
  ])('the picture of the %s is of this', async (name, draw) => {
    const file = fileURLToPath(new URL(`../guides/pictures/${name}.svg`, import.meta.url));
    await expectWritten(draw(), file);
  });

  it('the pictures show what was found', () => {
    expect(edgePicture().match(/class="hit"/g)).toHaveLength(14);
    expect(floorPicture()).toContain('>not stopped<');
  });
});
