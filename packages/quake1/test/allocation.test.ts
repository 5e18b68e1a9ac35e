import { readEngineMap } from '@bspkit/fixtures/engine';
import { bytesPerCall, expectNoBytes } from '@bspkit/testkit/allocation';
import { describe, expect, it } from 'vitest';
import {
  boxEntity,
  createHullTrace,
  createLightSampler,
  createQuake1World,
  Quake1World,
  readQuake1,
} from '../src/index.ts';
import { lit } from './lit.ts';

const world = createQuake1World(readQuake1(readEngineMap('quake1/arena.bsp')));
const scripted = Quake1World.from(world.data, { kernel: 'js' });

/** Moves all over the arena, made before anything is measured. */
const moves = Array.from({ length: 256 }, (_, k) => ({
  start: Float32Array.of(450 * Math.sin(k), 450 * Math.cos(3 * k), 100 + 90 * Math.sin(7 * k)),
  end: Float32Array.of(500 * Math.sin(5 * k), 500 * Math.cos(2 * k), 150 + 160 * Math.sin(k + 1)),
}));

const tracers = {
  point: world.hull(0),
  player: world.hull(1),
  box: world.box([-8, -8, -8], [8, 8, 8]),
  'model that stands elsewhere': world.model(1).hull(1, { origin: [8, 0, 0] }),
  'model that is turned': world
    .model(1)
    .hull(1, { origin: [8, 0, 0], angles: [0, 30, 0], rules: 'halflife' }),
  'player, kernel js': scripted.hull(1),
  'model that is turned, kernel js': scripted
    .model(1)
    .hull(1, { origin: [8, 0, 0], angles: [0, 30, 0], rules: 'halflife' }),
  'box entity': boxEntity([-16, -16, -24], [16, 16, 32]).box([-4, -4, -4], [4, 4, 4]),
};

describe('nothing is allocated by', () => {
  const out = createHullTrace();
  const precise = world.preciseRay();
  const hull = world.preciseHull(1);
  const plain = precise.createTrace();
  /** Whole numbers: V8 may box a fraction that it reads from an object, as it sees fit. */
  const settings = { epsilon: 1, water: false };
  const leafs = new Int32Array(8);
  const model = world.model(1);
  const entity = boxEntity([-16, -16, -24], [16, 16, 32]);
  const turned = { origin: Float32Array.of(8, 0, 0), angles: Float32Array.of(0, 30, 0) };
  const corner = new Float32Array(3);
  const boxed = (a: Float32Array, b: Float32Array): Float32Array => {
    for (let k = 0; k < 3; k++) corner[k] = Math.max(a[k]!, b[k]!);
    return corner;
  };

  it.each(Object.entries(tracers))('%s: trace with out, and blocked', (_, tracer) => {
    expectNoBytes((call) => {
      const { start, end } = moves[call & 255]!;
      tracer.trace(start, end, out);
    });
    expectNoBytes((call) => {
      const { start, end } = moves[call & 255]!;
      tracer.blocked(start, end);
    });
  });

  it.each<[string, (start: Float32Array, end: Float32Array) => unknown]>([
    ['precise rays', (start, end) => precise.trace(start, end, plain)],
    ['precise hulls', (start, end) => hull.trace(start, end, plain)],
    ['precise hulls that are set', () => hull.set(settings)],
    ['precise rays that only ask', (start, end) => precise.blocked(start, end)],
    ['leaf', (start) => world.leaf(start)],
    ['contents', (start) => world.contents(start)],
    ['hullContents', (start) => world.hullContents(1, start)],
    ['hullContents, kernel js', (start) => scripted.hullContents(1, start)],
    ['contents of a model', (start) => model.contents(start, turned)],
    ['contents of a box entity', (start) => entity.contents(start, turned)],
    ['visible', () => world.visible(3, 4)],
    ['boxLeafs', (start, end) => world.boxLeafs(start, boxed(start, end), leafs)],
    ['sight', (start, end) => world.sight(start, end)],
  ])('%s', (_, ask) => {
    expectNoBytes((call) => {
      const { start, end } = moves[call & 255]!;
      ask(start, end);
    });
  });

  it('changing pose and box', () => {
    const tracer = tracers['box entity'];
    const pose = { origin: new Float32Array(3), angles: new Float32Array(3) };
    const box = { mins: [-8, -8, -8], maxs: [8, 8, 8] };
    expectNoBytes((call) => {
      pose.origin[0] = call & 63;
      box.maxs[0] = call & 15;
      tracer
        .set(box)
        .place(pose)
        .trace(moves[call & 255]!.start, moves[call & 255]!.end, out);
    });
  });

  it('changing the size of a box, and turning a model', () => {
    const tracer = tracers.box;
    const model = tracers['model that is turned'];
    const box = { mins: [-8, -8, -8], maxs: [8, 8, 8] };
    const pose = { angles: new Float32Array(3) };
    expectNoBytes((call) => {
      box.maxs[0] = call & 15;
      pose.angles[1] = call & 255;
      tracer.set(box).trace(moves[call & 255]!.start, moves[call & 255]!.end, out);
      model.place(pose).trace(moves[call & 255]!.start, moves[call & 255]!.end, out);
    });
  });

  it.each([false, true])('asking how light it is, smooth: %s', (smooth) => {
    const sampler = createLightSampler(lit(), { smooth, styles: [0.3, 1, 1, 2] });
    const sample = sampler.createSample();
    expectNoBytes((call) => {
      sampler.at(moves[call & 255]!.start, sample);
    });
  });

  it('and what is allocated is measured', () => {
    const kept: unknown[] = [0];
    const bytes = bytesPerCall((call) => {
      kept[0] = tracers.player.trace(moves[call & 255]!.start, moves[call & 255]!.end);
    }, 1_000);
    expect(bytes).toBeGreaterThan(8);
  });
});
