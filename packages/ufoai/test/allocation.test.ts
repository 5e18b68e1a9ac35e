import { readEngineMap } from '@bspkit/fixtures/engine';
import { bytesPerCall, expectNoBytes } from '@bspkit/testkit/allocation';
import { describe, expect, it } from 'vitest';
import {
  actorSight,
  computeRouting,
  createLightSampler,
  createPathfinder,
  createReach,
  createUfoaiWorld,
  readUfoai,
  UfoaiWorld,
} from '../src/index.ts';
import { lit } from './lit.ts';

const file = readUfoai(readEngineMap('ufoai/house.bsp'));
const world = createUfoaiWorld([{ file }, { file, x: 20, y: 0, z: 1 }]);
const models = world.models();
models[0]!.place({ angles: [0, 30, 0] });

// The kernel in TypeScript is measured by the tracers that do the most.
const inScript = UfoaiWorld.from(world.data, { kernel: 'js' });
const modelsInScript = inScript.models();
modelsInScript[0]!.place({ angles: [0, 30, 0] });

const lines = {
  line: world.line(),
  engineLine: world.line({ compat: 'engine' }),
  lineWithModels: world.line({ models }),
  engineLineWithModels: world.line({ models, compat: 'engine' }),
  engineLineInScript: inScript.line({ models: modelsInScript, compat: 'engine' }),
};
const boxes = {
  ray: world.ray(),
  box: world.box([-9, -9, -24], [9, 9, 20]),
  tileBox: world.box([-9, -9, -24], [9, 9, 20], { tile: 0 }),
  engineBoxWithModels: world.box([-9, -9, -24], [9, 9, 20], { models, compat: 'engine' }),
  modelBox: models[0]!.box([-9, -9, -24], [9, 9, 20]),
  engineBoxInScript: inScript.box([-9, -9, -24], [9, 9, 20], { models: modelsInScript, compat: 'engine' }),
};

/** Moves all over the house, made before anything is measured. */
const moves = Array.from({ length: 256 }, (_, k) => ({
  start: Float32Array.of(400 + 380 * Math.sin(k), 250 + 240 * Math.cos(3 * k), 100 + 90 * Math.sin(7 * k)),
  end: Float32Array.of(400 + 390 * Math.sin(5 * k), 250 + 250 * Math.cos(2 * k), 120 + 110 * Math.sin(k + 1)),
}));

describe('nothing is allocated by', () => {
  it('asking how light it is', () => {
    const sampler = createLightSampler(lit(file));
    const sample = sampler.createSample();
    expectNoBytes((call) => {
      sampler.at(moves[call & 255]!.start, sample);
    });
  });

  it.each(Object.entries(lines))('%s: trace with out, and blocked', (_, tracer) => {
    const out = tracer.createTrace();
    let hits = 0;
    expectNoBytes((call) => {
      const { start, end } = moves[call & 255]!;
      if (tracer.trace(start, end, out).blocked) hits++;
    });
    expectNoBytes((call) => {
      const { start, end } = moves[call & 255]!;
      if (tracer.blocked(start, end)) hits++;
    });
    expect(hits).toBeGreaterThan(0);
  });

  it.each(Object.entries(boxes))('%s: trace with out, blocked, and position tests', (_, tracer) => {
    const out = tracer.createTrace();
    expectNoBytes((call) => {
      const { start, end } = moves[call & 255]!;
      tracer.trace(start, end, out);
    });
    expectNoBytes((call) => {
      const { start, end } = moves[call & 255]!;
      tracer.trace(start, end, out);
      tracer.blocked(start, end);
    });
    expectNoBytes((call) => {
      const { start } = moves[call & 255]!;
      tracer.trace(start, start, out);
    });
  });

  it('changing filter, size and pose', () => {
    const out = boxes.box.createTrace();
    const settings = { levels: 1, mask: 1, mins: [-8, -8, -8], maxs: [8, 8, 8] };
    const filter = { levels: 1 };
    const placed = models[2]!.ray();
    const limits = [{ limit: 0.5 }, { limit: 0.25 }];
    const pose = { origin: new Float32Array(3), angles: new Float32Array(3) };
    expectNoBytes((call) => {
      const { start, end } = moves[call & 255]!;
      settings.levels = call & 255;
      filter.levels = call & 1023;
      pose.angles[1] = call & 31;
      models[1]!.place(pose);
      placed.place(pose).set(limits[call & 1]!);
      lines.line.set(filter).blocked(start, end);
      boxes.box.set(settings).trace(start, end, out);
    });
  });

  it('and what is allocated is measured', () => {
    const kept: unknown[] = [0];
    const bytes = bytesPerCall((call) => {
      kept[0] = lines.line.trace(moves[call & 255]!.start, moves[call & 255]!.end);
    }, 1_000);
    expect(bytes).toBeGreaterThan(8);
  });

  it('paths, in tables that are passed in', () => {
    const finder = createPathfinder(computeRouting(file));
    const reach = createReach();
    const options = { limit: 8, held: Int32Array.of(140, 131, 0, 1) };
    const cell: [number, number, number] = [0, 0, 0];
    let reached = 0;
    expectNoBytes((call) => {
      cell[0] = 128 + (call & 15);
      cell[1] = 128 + ((call >> 4) & 15);
      finder.reach(cell, options, reach);
      if (reach.cost(cell, true) === 0) reached++;
    });
    expect(reached).toBeGreaterThan(0);
  });

  it('the sight of actors, by a world or a line', () => {
    const routing = computeRouting(file);
    const house = createUfoaiWorld(file);
    const [door] = house.models();
    const line = house.line({ models: [door!], compat: 'engine' });
    const from = { cell: [130, 129, 0] as [number, number, number] };
    const to = { cell: [0, 0, 0] as [number, number, number], stance: 'crouching', size: 2 } as const;
    let seen = 0;
    expectNoBytes((call) => {
      to.cell[0] = 128 + (call & 15);
      to.cell[1] = 128 + ((call >> 4) & 15);
      if (actorSight(call & 1 ? house : line, routing, from, to) > 0) seen++;
    });
    expect(seen).toBeGreaterThan(0);
  });

  it('the sight of actors of whom a part is seen', () => {
    const routing = computeRouting(file);
    const house = createUfoaiWorld(file);
    const from = { cell: [146, 128, 0] } as const;
    const to = { cell: [151, 134, 0], stance: 'crouching' } as const;
    let halves = 0;
    expectNoBytes(() => {
      if (actorSight(house, routing, from, to) === 0.5) halves++;
    });
    expect(halves).toBeGreaterThan(0);
  });
});
