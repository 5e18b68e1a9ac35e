import { readEngineMap } from '@bspkit/fixtures/engine';
import { bytesPerCall, expectNoBytes } from '@bspkit/testkit/allocation';
import { describe, expect, it } from 'vitest';
import { type Bounds, boxEntity, createQuake2World, Quake2World, readQuake2 } from '../src/index.ts';

const world = createQuake2World(readQuake2(readEngineMap('quake2/arena.bsp')));
const inScript = Quake2World.from(world.data, { kernel: 'js' });
const [mins, maxs] = [
  [-16, -16, -24],
  [16, 16, 32],
];
const pose = { origin: [10, 20, 5], angles: [0, 30, 0] };

const tracers = {
  ray: world.ray(),
  box: world.box(mins, maxs),
  model: world.model(1).box(mins, maxs, pose),
  rayInScript: inScript.ray(),
  boxInScript: inScript.box(mins, maxs),
  modelInScript: inScript.model(1).box(mins, maxs, pose),
  entity: boxEntity(mins, maxs).box(mins, maxs, { mask: -1 }),
};

interface Move {
  readonly start: Float32Array;
  readonly end: Float32Array;
}

/** Moves all over the arena, made before anything is measured. */
const moves: readonly Move[] = Array.from({ length: 256 }, (_, k) => ({
  start: Float32Array.of(300 + 800 * Math.sin(k), 500 * Math.cos(3 * k), 100 + 190 * Math.sin(7 * k)),
  end: Float32Array.of(300 + 800 * Math.sin(5 * k), 500 * Math.cos(2 * k), 120 + 200 * Math.sin(k + 1)),
}));

/** The same near the middle of the arena's first model and of the entity. */
const near = ({ mins, maxs }: Bounds): Move[] => {
  const middle = [0, 1, 2].map((k) => (mins[k]! + maxs[k]!) / 2);
  const scale = (end: Float32Array): Float32Array => end.map((x, k) => middle[k]! + x / 8);
  return moves.map(({ start, end }) => ({ start: scale(start), end: scale(end) }));
};

describe('nothing is allocated by', () => {
  it.each(Object.entries(tracers))('%s: trace with out, blocked, and position tests', (name, tracer) => {
    const here = /model/.test(name)
      ? near(world.model(1).bounds)
      : /entity/.test(name)
        ? near({ mins, maxs })
        : moves;
    const out = tracer.createTrace();
    let hits = 0;
    expectNoBytes((call) => {
      const { start, end } = here[call & 255]!;
      tracer.trace(start, (call & 3) === 0 ? start : end, out);
      if ((call & 7) === 1 && tracer.blocked(start, end)) hits++;
    });
    expect(hits).toBeGreaterThan(0);
  });

  it('changing filter, size and place', () => {
    const out = tracers.box.createTrace();
    const settings = { mask: 1, mins: [-8, -8, -8], maxs: [8, 8, 8] };
    const place = { origin: new Float32Array(3), angles: new Float32Array(3) };
    expectNoBytes((call) => {
      const { start, end } = moves[call & 255]!;
      settings.mask = call & 255;
      place.angles[1] = call & 31;
      tracers.model.place(place).trace(start, end, out);
      tracers.box.set(settings).trace(start, end, out);
    });
  });

  it('leafs that a box touches, and whether one sees another', () => {
    const leafs = new Int32Array(8);
    const corner = Float32Array.of(0, 0, 0);
    let found = 0;
    expectNoBytes((call) => {
      const { start } = moves[call & 255]!;
      for (let k = 0; k < 3; k++) corner[k] = start[k]! + 40;
      found += world.boxLeafs(start, corner, leafs);
      if (world.visible(world.leaf(start), leafs[0]!)) found++;
    });
    expect(found).toBeGreaterThan(1000);
  });

  it('contents at a point, of the world and of what stands somewhere', () => {
    const model = world.model(1);
    const entity = boxEntity(mins, maxs);
    const turned = { origin: Float32Array.of(4, 0, 0), angles: new Float32Array(3) };
    const here = near(model.bounds);
    let found = 0;
    expectNoBytes((call) => {
      const { start, end } = here[call & 255]!;
      turned.angles[1] = call & 31;
      if (model.contents(start, turned) + entity.contents(end, turned) + world.contents(end) !== 0) found++;
    });
    expect(found).toBeGreaterThan(0);
  });

  it('and the measure does see what is allocated', () => {
    const kept: unknown[] = [0];
    const bytes = bytesPerCall((call) => {
      kept[0] = tracers.ray.trace(moves[call & 255]!.start, moves[call & 255]!.end);
    }, 1_000);
    expect(bytes).toBeGreaterThan(8);
  });
});
