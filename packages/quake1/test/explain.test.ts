import { defineTracer, type NodeStep } from '@bspkit/core';
import { describe, expect, it } from 'vitest';
import {
  boxEntity,
  contentsNames,
  createQuake1World,
  explain,
  type HullTracer,
  surfaceNames,
} from '../src/index.ts';
import type { Quake1PreciseTracer } from '../src/precise-tracer.ts';
import { traceHull, tracePrecise } from '../src/reference/trace.ts';
import type { Quake1Tracer } from '../src/tracer.ts';
import { across, makeFile, roomFile } from './make.ts';

describe('explain', () => {
  // Node 0 is x = 0 and node 1 y = 0, in front of it: open in front of both, then solid.
  const world = createQuake1World(
    makeFile([
      { nodes: { plane: across(0, 0), front: { plane: across(1, 0), front: -1, back: -3 }, back: -2 } },
    ]),
  );

  it('lists the nodes, the cuts and the leafs of a hull trace, in order', () => {
    const tracer = world.hull(0);
    const { trace, steps } = explain(tracer, [8, 4, 0], [-8, 4, 0]);
    expect(trace.endPos[0]).toBe(1 / 32);
    const reference = traceHull(tracer as Quake1Tracer, [8, 4, 0], [-8, 4, 0]);
    expect(reference).toMatchObject({ fraction: trace.fraction, plane: 0, normal: [1, 0, 0] });
    expect(steps.map(({ kind }) => kind)).toEqual(['node', 'node', 'leaf', 'leaf']);
    const cut = (8 - 1 / 32) / 16;
    expect(steps[0]).toEqual({
      ...{ kind: 'node', node: 0, depth: 0, normal: [1, 0, 0], dist: 0, offset: 0 },
      ...{ start: [8, 4, 0], end: [-8, 4, 0], startFraction: 0, endFraction: 1 },
      ...{ startDist: 8, endDist: -8, children: [0, 1], split: { near: cut, far: cut } },
    });
    expect(steps[1]).toMatchObject({ node: 1, depth: 1, children: [0], endFraction: cut });
    expect(steps[2]).toMatchObject({ leaf: 1, contents: -1, depth: 2 });
    expect(steps[3]).toMatchObject({ leaf: 0, contents: -2, startFraction: cut });
  });

  it('names the solid leaf that stops a hull trace, which need not be leaf 0', () => {
    const half = { plane: across(1, 0), front: -1, back: -3 };
    const file = makeFile([{ nodes: { plane: across(0, 0), front: half, back: half } }]);
    // Behind the first plane, in front of the second one.
    const leaf = -1 - file.nodes.children[2 * file.nodes.children[1]!]!;
    file.leafs.contents[leaf] = -2;
    const { trace, steps } = explain(createQuake1World(file).hull(0), [8, 4, 0], [-8, 4, 0]);
    expect(trace.fraction).toBeLessThan(1);
    expect(steps.at(-1)).toMatchObject({ kind: 'leaf', leaf, contents: -2 });
    expect(leaf).toBeGreaterThan(0);
  });

  it('lists the nodes behind the cut that lead to the solid leaf', () => {
    // Behind x = 0, only what is behind y = 0 is solid.
    const half = { plane: across(1, 0), front: -1, back: -2 };
    const halfSolid = createQuake1World(
      makeFile([{ nodes: { plane: across(0, 0), front: -1, back: half } }]),
    );
    const { trace, steps } = explain(halfSolid.hull(0), [8, -4, 0], [-8, 4, 0]);
    const { fraction } = trace;
    expect(fraction).toBeLessThan(1);
    expect(steps.map(({ kind }) => kind)).toEqual(['node', 'leaf', 'node', 'leaf']);
    expect(steps[2]).toMatchObject({
      ...{ kind: 'node', depth: 1, normal: [0, 1, 0], dist: 0, children: [1] },
      ...{ start: trace.endPos, end: trace.endPos, startFraction: fraction, endFraction: fraction },
      ...{ startDist: trace.endPos[1], endDist: trace.endPos[1] },
    });
    expect(steps[3]).toMatchObject({ kind: 'leaf', depth: 2, contents: -2, startFraction: fraction });
  });

  it('explains a precise ray', () => {
    const tracer = world.preciseRay();
    const { trace, steps } = explain(tracer, [8, 4, 0], [-8, 4, 0]);
    expect(trace.fraction).toBe(0.5);
    expect(tracePrecise(tracer as Quake1PreciseTracer, [8, 4, 0], [-8, 4, 0])).toEqual({
      time: 0.5,
      plane: 0,
      startsOutside: false,
    });
    expect(steps.map(({ kind }) => kind)).toEqual(['node', 'node', 'leaf', 'leaf']);
    expect(steps[0]).toMatchObject({
      node: 0,
      children: [0, 1],
      split: { near: 0.5, far: 0.5 },
      endDist: -8,
    });
  });

  it('names clip nodes by their number in the file, and works in the frame of the hull', () => {
    const room = createQuake1World(roomFile());
    const tracer = room.model(1).hull(1, { origin: [10, 0, 0] });
    const { steps } = explain(tracer, [50, 0, 0], [20, 0, 0]);
    const first = steps[0] as NodeStep;
    expect(first.node).toBe(roomFile().models[1]!.heads[1]);
    expect(first.start).toEqual([40, 0, 0]);
  });

  it('takes box entities, and no tracers from elsewhere', () => {
    const { steps } = explain(boxEntity([-8, -8, -8], [8, 8, 8]).ray(), [20, 0, 0], [0, 0, 0]);
    expect(steps[0]).toMatchObject({ kind: 'node', node: 0, normal: [1, 0, 0], dist: 8 });
    const other = defineTracer({ shape: { kind: 'ray' }, trace: (_start, _end, out) => out });
    expect(() => explain(other as HullTracer, [0, 0, 0], [1, 0, 0])).toThrow(TypeError);
  });
});

describe('contents', () => {
  it('are converted to names and back', () => {
    const { names, bits } = contentsNames;
    expect([-2, -14, -40, 0].map(names)).toEqual([['solid'], ['currentDown'], ['-40'], []]);
    expect(['Solid', ' current270 ', '-9', ['water']].map((name) => bits(name))).toEqual([-2, -12, -9, -3]);
    expect(() => bits('jelly')).toThrow(/unknown name 'jelly'; known names are empty, solid/);
    expect(() => bits('water,slime')).toThrow(RangeError);
    expect(() => bits([])).toThrow(/got 0 names/);
    expect([bits('-0'), bits(-2147483648)]).toEqual([0, -2147483648]);
    expect([bits('2147483648'), bits(-8 >>> 0)]).toEqual([-2147483648, -8]);
    for (const far of ['-2147483649', '4294967296', '9'.repeat(20)])
      expect(() => bits(far)).toThrow(new RangeError(`${far} has more than 32 bits`));
    for (const [name, number] of Object.entries(contentsNames.table)) {
      expect(names(number)).toEqual([name]);
      expect(bits(name)).toBe(number);
    }
  });

  it('are numbers, and surface flags are bits', () => {
    expect(surfaceNames.names(3)).toEqual(['special', '0x2']);
    expect(surfaceNames.bits('special')).toBe(1);
  });
});
