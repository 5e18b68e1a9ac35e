import { createRandom } from '@bspkit/geometry';
import { answerOneByOne, expectSameBatch } from '@bspkit/testkit/batch';
import { seedOf } from '@bspkit/testkit/seed';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  boxEntity,
  createQuake1World,
  type HullRules,
  type HullTracer,
  Quake1World,
  readQuake1,
} from '../src/index.ts';
import { boxTree, makeFile, point, runs, tree } from './make.ts';
import { drawMove, maps } from './moves.ts';

/** More than the kernel takes at a time, and not a multiple of what it processes together. */
const COUNT = 2 * 256 + 3;

/** Random moves as the segments of a batch. Of every sixteen, the last eight begin at one point. */
function drawSegments(seed: number, bounds: Quake1World['bounds'], count: number): Float32Array {
  const random = createRandom(seedOf(seed));
  const segments = new Float32Array(6 * count);
  for (let k = 0; k < count; k++) {
    const [start, end] = [segments.subarray(6 * k, 6 * k + 3), segments.subarray(6 * k + 3, 6 * k + 6)];
    drawMove(random, bounds, k, start, end);
    if (k % 16 > 8) start.set(segments.subarray(6 * k - 6, 6 * k - 3));
  }
  return segments;
}

const RULES: readonly HullRules[] = ['quake1', 'quakeworld', 'halflife', 'halflife-player'];

describe.each(maps)('batches answer as a loop of trace does: %s', (_, bytes) => {
  const wasm = createQuake1World(readQuake1(bytes));
  const js = Quake1World.from(wasm.data, { kernel: 'js' });
  const pose = { origin: [8, 0.5, -3], angles: [0.5, 1, -0.5] };
  const tracersIn = (world: Quake1World): [string, HullTracer][] => [
    ...RULES.map((rules, k): [string, HullTracer] => [
      `hull ${k % 3}, ${rules}`,
      world.hull(k % 3, { rules }),
    ]),
    ['sized', world.box([-16, -16, -24], [16, 16, 32])],
    ['model', world.model(1).hull(1, pose)],
    ['turned model', world.model(1).hull(0, { ...pose, rules: 'halflife' })],
    ['turned model that stops', world.model(1).hull(0, { ...pose, rules: 'halflife-player' })],
    ['box entity', boxEntity([-16, -16, -24], [16, 16, 32]).box([-9, -9, -9], [9, 9, 9])],
  ];
  const others = tracersIn(js);

  it.each(
    tracersIn(wasm).map(([name, tracer], k): [string, HullTracer, HullTracer] => [
      name,
      tracer,
      others[k]![1],
    ]),
  )('%s', (name, tracer, other) => {
    const bounds = tracer.model > 0 ? wasm.model(1).bounds : wasm.bounds;
    const segments = drawSegments(name.length, bounds, runs(COUNT).numRuns);
    const { batch, tests } = answerOneByOne(other, segments);
    expect(tests).toContain(1);
    for (const moved of [tracer, other]) {
      const answers = { ...moved.traceBatch(segments), blocked: moved.blockedBatch(segments) };
      expectSameBatch(answers, { ...batch, blocked: tests }, segments);
    }
  });

  it('in all lengths, with other tracers in between', () => {
    const [point, door] = [wasm.hull(0), wasm.model(1).hull(0, { origin: [30, 0, 0] })];
    const segments = drawSegments(1, wasm.bounds, 520);
    for (const count of [0, 1, 2, 3, 4, 5, 255, 256, 257, 520]) {
      for (const tracer of [point, door]) {
        const part = segments.subarray(0, 6 * count);
        const { batch, tests } = answerOneByOne(tracer, part);
        const answers = { ...tracer.traceBatch(part), blocked: tracer.blockedBatch(part) };
        expectSameBatch(answers, { ...batch, blocked: tests }, part);
      }
    }
  });
});

describe('batches answer as a loop of trace does', () => {
  it('in any tree, from one point and from many', () => {
    const moves = fc.array(fc.tuple(point, point), { minLength: 9, maxLength: 9 });
    fc.assert(
      fc.property(tree, tree, moves, fc.constantFrom(...RULES), (nodes, clip, list, rules) => {
        const made = makeFile([{ nodes: boxTree([-9, -9, -9], [9, 9, 9]) }, { nodes, hulls: [clip, -1] }]);
        const wasm = createQuake1World(made);
        const js = Quake1World.from(wasm.data, { kernel: 'js' });
        const bundle = Float32Array.from(list.flatMap(([, end]) => [...list[0]![0], ...end]));
        const mixed = Float32Array.from(list.flatMap(([start, end]) => [...start, ...end]));
        for (const hull of [0, 1]) {
          const [tracer, other] = [wasm, js].map((world) => world.model(1).hull(hull, { rules }));
          for (const segments of [bundle, mixed]) {
            const { batch, tests } = answerOneByOne(other!, segments);
            const answers = { ...tracer!.traceBatch(segments), blocked: tracer!.blockedBatch(segments) };
            expectSameBatch(answers, { ...batch, blocked: tests }, segments);
          }
        }
      }),
      runs(80),
    );
  });
});
