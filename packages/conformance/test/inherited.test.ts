import { createJob, pointBytes } from '@bspkit/bake';
import { drawBake } from '@bspkit/bake/picture';
import { boxBrush, compileMap, hullBrush, stairBrushes } from '@bspkit/compile';
import type { Tracer } from '@bspkit/core';
import { createEllipsoidWorld } from '@bspkit/ellipsoid';
import { arenaQuake3 } from '@bspkit/fixtures';
import { createBody, createScene } from '@bspkit/scene';
import { accessorsOf } from '@bspkit/testkit/getters';
import { formatOf, openBsp } from 'bspkit';
import { expect, it } from 'vitest';

// Options may be accessors of a class, of which copies by spreading have nothing.

const bytes = arenaQuake3();
const world = await openBsp(bytes, { format: 'quake3' });
const format = await formatOf(world);
const inputs = { points: pointBytes([0, 0, 64, 100, 0, 64, 500, 0, 64]) };

/** Where a tracer's moves end. */
const ends = (tracer: Tracer): unknown =>
  [-200, 0, 200].map((x) => tracer.trace([x, -200, 64], [300 - x, -180, -100]).endPos);

function scene(): ReturnType<typeof createScene<typeof world>> {
  const made = createScene(world);
  made.add(createBody({ kind: 'box', mins: [-50, -50, -50], maxs: [50, 50, 50] }), { origin: [0, -190, 0] });
  return made;
}

const outcome = {
  kind: 'exposure',
  parameters: {},
  result: { points: Float32Array.of(0, 0, 64, 100, 0, 64), exposure: Float32Array.of(0, 1) },
} as const;

const CORNERS = [
  [0, 0, 0],
  [8, 0, 0],
  [0, 8, 0],
  [0, 0, 8],
];

const calls: Readonly<Record<string, readonly [options: object, call: (options: never) => unknown]>> = {
  'rays of a scene': [{ mask: 0x20 }, (options) => ends(scene().ray(options))],
  'boxes of a scene': [{ epsilon: 4 }, (options) => ends(scene().box([-8, -8, -8], [8, 8, 8], options))],
  'rays of a scene without a world': [
    { epsilon: 4 },
    (options) => {
      const made = createScene();
      made.add(createBody({ kind: 'sphere', radius: 150 }), { origin: [0, -190, 0] });
      return ends(made.ray(options));
    },
  ],
  'rays of a scene whose world lists no options': [
    { epsilon: 4 },
    (options) => ends(createScene({ ray: (given?: object) => world.ray(given) }).ray(options)),
  ],
  ellipsoids: [
    { epsilon: 4 },
    (options) => ends(createEllipsoidWorld(format.polygons!(world)).ellipsoid([9, 9, 9], options)),
  ],
  'compiled maps': [
    { emptyBrush: 'leave-out', hulls: [] },
    (options: object) => {
      const room = [boxBrush([-64, -64, -64], [64, 64, 64])];
      return compileMap(room, Object.assign(Object.create(options), { format: 'quake1' })).bytes.length;
    },
  ],
  boxes: [{ contents: 'water', levels: 3 }, (options) => boxBrush([0, 0, 0], [8, 8, 8], options)],
  stairs: [
    { material: 'clip' },
    (options) => stairBrushes([0, 0, 0], [8, 8, 8], 2, '+x', options).concat(hullBrush(CORNERS, options)),
  ],
  'parameters of jobs': [
    { eye: 24 },
    async (parameters) => {
      const job = await createJob({ kind: 'exposure', map: bytes, inputs, parameters });
      return job.parameters;
    },
  ],
  pictures: [{ width: 900, name: 'arena' }, (options) => drawBake(outcome, options).width],
};

it.each(Object.entries(calls))(
  '%s take options that are accessors of a class',
  async (_, [options, call]) => {
    const own = await call(options as never);
    expect(own).not.toEqual(await call({} as never));
    expect(await call(accessorsOf(options) as never)).toEqual(own);
    expect(await call(Object.create(options) as never)).toEqual(own);
  },
);
