import { createTrace, type Tracer, type Vec3 } from '@bspkit/core';
import { createRandom } from '@bspkit/geometry';
import { expectSame } from '@bspkit/testkit/same';
import { describe, expect, it } from 'vitest';
import { createBody, createScene, withPose } from '../src/index.ts';

// A trace may start from its own answer: its ends may be any of the vectors in `out`.

const RUNS = 200;
const player = { mins: [-15, -15, -24], maxs: [15, 15, 32] } as const;
const cube = createBody({ kind: 'box', mins: [-30, -30, -30], maxs: [30, 30, 30] });
const ball = createBody({ kind: 'sphere', radius: 40 });

function scene() {
  const made = createScene(createBody({ kind: 'box', mins: [-500, -500, -100], maxs: [500, 500, -60] }));
  made.add(cube, { origin: [50, 20, 0] });
  made.add(ball, { origin: [-60, -40, 10] });
  made.add(withPoseCollider, { origin: [0, 90, 0], angles: [0, 30, 10] });
  return made;
}

const withPoseCollider = { bounds: cube.bounds, ray: () => withPose(cube.ray()), box: cube.box };

const tracers: Readonly<Record<string, () => Tracer>> = {
  'a body of a box, by a box': () => cube.box(player.mins, player.maxs),
  'a body of a sphere, by a ray': () => ball.ray(),
  'what is placed': () => withPose(cube.ray()).place({ origin: [10, 20, 5], angles: [10, 40, 0] }),
  'what is placed twice': () => withPose(withPose(ball.ray())).place({ origin: [10, 20, 5] }),
  'a scene, by a ray': () => scene().ray(),
  'a scene, by a box': () => {
    const made = createScene(cube);
    made.add(ball, { origin: [-60, -40, 10] });
    return made.box(player.mins, player.maxs);
  },
};

describe('ends that lie in the answer are read before it is written', () => {
  it.each(Object.entries(tracers))('%s', (_, make) => {
    const tracer = make();
    const random = createRandom(5);
    const out = tracer.createTrace();
    const expected = tracer.createTrace();
    const point = (): Float32Array => Float32Array.from([0, 0, 0], () => 240 * (random() - 0.5));
    let hits = 0;
    for (let k = 0; k < RUNS; k++) {
      const [start, end] = [point(), point()];
      tracer.trace(start, end, expected);
      if (expected.fraction < 1) hits++;
      const pairs: [Vec3, Vec3][] = [
        [out.endPos, end],
        [start, out.endPos],
        [out.normal, end],
        [start, out.normal],
        [out.endPos, out.normal],
        [out.normal, out.endPos],
      ];
      for (const [from, to] of pairs) {
        (from as Float32Array).set(start);
        (to as Float32Array).set(end);
        expectSame(tracer.trace(from, to, out), expected);
      }
      out.endPos.set(start);
      const still = tracer.trace(start, start);
      expectSame(tracer.trace(out.endPos, out.endPos, out), still);
    }
    expect(hits).toBeGreaterThan(RUNS / 10);
  });

  it('can start from where it stopped', () => {
    const made = createScene();
    const door = made.add(cube, { origin: [200, 0, 0] });
    const ray = made.ray();
    const out = ray.createTrace();
    ray.trace([0, 0, 0], [100, 0, 0], out);
    expect(ray.trace(out.endPos, [300, 0, 0], out)).toMatchObject({ entity: door });
    expect(out.endPos[0]).toBeCloseTo(169.875, 4);
    expect(createTrace().fraction).toBe(1);
  });
});
