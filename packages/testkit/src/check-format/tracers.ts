import { inspect } from 'node:util';
import {
  type Changeable,
  createTraceBatch,
  isBlocked,
  type Trace,
  type TraceBatch,
  type Tracer,
  type TracerChanges,
  type Vec3,
} from '@bspkit/core';
import type { BspFormat } from '@bspkit/core/format';
import { expect, it } from 'vitest';
import { expectSame } from '../same.ts';
import { expectCopies, expectOwnAnswers, expectSolid, problemsOf } from './answers.ts';
import { type NamedTracer, SMALL } from './catalog.ts';
import { answersOf, caught, flat, movesIn, NONE, type World } from './sample.ts';

export function checkTracer(
  { name, kind, create }: NamedTracer,
  format: BspFormat,
  world: World,
  hasOwnTest: boolean,
): void {
  const moves = movesIn(world);
  /** What stops it; 0 where contents are not bits, or a preset names others. */
  const mask = kind.mask === undefined || name.startsWith('preset') ? 0 : format.contents.bits(kind.mask);

  it(`${name}: gives the same answer however it is asked`, () => {
    const tracer = create(world);
    const out = tracer.createTrace();
    expect(flat(out)).toEqual(flat(create(world).createTrace()));
    expect(out).not.toBe(tracer.createTrace());
    const segments = Float32Array.from(moves.flatMap(([from, to]) => [...from, ...to]));
    const batch = tracer.traceBatch(segments);
    const tests = tracer.blockedBatch(segments);
    expect([batch.count, tests.length]).toEqual([moves.length, moves.length]);
    expect(Object.keys(batch)).toEqual(expect.arrayContaining(Object.keys(createTraceBatch(0))));
    for (const [k, [start, end]] of moves.entries()) {
      const same = tracer.trace(start, end, out) === out;
      const answer = flat(out);
      const again = flat(tracer.trace([...start], [...end]));
      const blocked = tracer.blocked(start, end);
      const row = batchRow(storeOf(out, batch), 0);
      expectSame(problemsOf(out, start, end, tracer, world, mask), []);
      expectSame([same, again, batchRow(batch, k)], [true, answer, row]);
      expectSame(tests[k], blocked ? 1 : 0);
      if (!hasOwnTest) expectSame(blocked, isBlocked(out));
      // The ends may lie in the answer.
      out.endPos.set(start);
      expectSame(flat(tracer.trace(out.endPos, end, out)), answer);
    }
  });

  it(`${name}: gives answers that nothing else changes`, () => {
    expectOwnAnswers(create(world), moves);
    const set = (mins: Vec3, maxs: Vec3) => (create(world) as Tracer & Changeable).set({ mins, maxs });
    const { shape } = create(world);
    // Not all boxes can be changed.
    if (shape.kind === 'box' && caught(() => set(shape.mins, shape.maxs)) === NONE) expectCopies(set, moves);
  });

  if (!hasOwnTest)
    it(`${name}: starts in solid behind what stops it`, () => {
      expectSolid(create(world), moves);
    });

  if (kind.size !== undefined && !name.startsWith('preset'))
    it(`${name}: is stopped where its size says`, () => {
      const small = kind.create(world, SMALL[kind.size!], {});
      expect(answersOf(small, moves)).not.toEqual(answersOf(create(world), moves));
    });

  it(`${name}: writes the fields that a batch has, also into shared memory`, () => {
    const tracer = create(world);
    const whole = moves.flatMap(([from, to]) => [...from, ...to]);
    const segments = new Float32Array(new SharedArrayBuffer(4 * whole.length));
    segments.set(whole);
    const every = tracer.traceBatch(segments);
    const some = createTraceBatch(moves.length + 1, {
      fields: ['normal', 'brush', 'allSolid'],
      shared: true,
    });
    some.brush.fill(99);
    expect(tracer.traceBatch(segments, some)).toBe(some);
    expect(Object.keys(some)).toEqual(['count', 'normal', 'brush', 'allSolid']);
    for (const [name, values] of Object.entries(some)) {
      if (typeof values === 'number') continue;
      const wanted = every[name as 'brush'];
      expectSame([...values.slice(0, wanted.length)], [...wanted], name);
    }
    expect(some.brush[moves.length]).toBe(99);
    const tests = new Uint8Array(new SharedArrayBuffer(moves.length + 1)).fill(7);
    expect(tracer.blockedBatch(segments, tests)).toBe(tests);
    expect([...tests]).toEqual([...tracer.blockedBatch(segments), 7]);
  });

  it(`${name}: refuses moves that are not numbers, and batches that do not fit`, () => {
    const tracer = create(world);
    const fine = [0, 0, 0];
    for (const wrong of [Number.NaN, Number.POSITIVE_INFINITY, 1e39]) {
      expect(() => tracer.trace([0, wrong, 0], fine)).toThrow(/start\[1\] must be a finite float32/);
      expect(() => tracer.blocked(fine, [0, 0, wrong])).toThrow(/end\[2\] must be a finite float32/);
      const kept = createTraceBatch(2);
      kept.fraction.fill(7);
      const segments = Float32Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, wrong, 0, 0);
      expect(() => tracer.traceBatch(segments, kept)).toThrow(RangeError);
      expect([...kept.fraction]).toEqual([7, 7]);
      expect(() => tracer.blockedBatch(segments)).toThrow(RangeError);
    }
    expect(() => tracer.trace([0, 0], fine)).toThrow(RangeError);
    expect(() => tracer.traceBatch(new Float32Array(7))).toThrow(RangeError);
    expect(() => tracer.traceBatch(new Float32Array(12), createTraceBatch(1))).toThrow(RangeError);
    expect(() => tracer.blockedBatch(new Float32Array(7))).toThrow(RangeError);
    expect(() => tracer.blockedBatch(new Float32Array(12), new Uint8Array(1))).toThrow(RangeError);
    const out = createTraceBatch(3);
    expect(tracer.traceBatch(new Float32Array(12), out)).toBe(out);
    const inside = new Float32Array(out.endPos.buffer, 12, 6);
    expect(() => tracer.traceBatch(inside, out)).toThrow('out must not overlap segments');
  });

  if ('set' in create(world))
    it(`${name}: changes all or nothing`, () => {
      const tracer = create(world) as Tracer & Changeable;
      const some = moves.slice(0, 40);
      const before = answersOf(tracer, some);
      const shape = JSON.stringify(tracer.shape);
      const corners = { mins: [-40, -40, -40], maxs: [40, 40, 40] };
      const wrongs: TracerChanges[] = [
        { mask: 0, ...corners, radius: -1 },
        { mask: 0, radius: Number.NaN },
        { mask: Number.NaN, ...corners },
        { mask: Number.NaN, radius: 40 },
        { mask: 0, ...corners, mins: [50, 0, 0] },
        { mask: 0, ...corners, maxs: [0, 0, Number.NaN] },
        { mask: 1.5 },
        { mask: 2 ** 40 },
      ];
      for (const wrong of wrongs) {
        const error = caught(() => tracer.set(wrong));
        expect(error instanceof RangeError || error instanceof TypeError, inspect(wrong)).toBe(true);
        expect(JSON.stringify(tracer.shape)).toBe(shape);
        expectSame(answersOf(tracer, some), before);
      }
      expect(tracer.set({})).toBe(tracer);
      expectSame(answersOf(tracer, some), before);
    });

  if (!name.startsWith('preset') && kind.mask !== undefined)
    it(`${name}: is stopped by what its kind names, unless it is given a mask`, () => {
      expect(format.contents.bits(kind.mask!)).not.toBe(0);
      expectSame(answersOf(create(world, { mask: kind.mask }), moves), answersOf(create(world), moves));
    });

  const masks = Object.keys(format.contents.table);
  const takesMask =
    !name.startsWith('preset') &&
    kind.options.includes('mask') &&
    // A kind with other filters for the world may take a mask for models alone.
    !(kind.mask === undefined && caught(() => create(world, { mask: masks[0] })) instanceof TypeError);
  if (takesMask)
    it(`${name}: takes a mask later as well as at the start`, () => {
      const answers = new Set<string>();
      for (const mask of masks) {
        const changed = create(world) as Tracer & Changeable;
        expect(changed.set({ mask: format.contents.bits(mask) })).toBe(changed);
        const made = create(world, { mask });
        const some = moves.slice(0, 40);
        const answered = answersOf(changed, some);
        expectSame(answered, answersOf(made, some), mask);
        answers.add(JSON.stringify(answered));
      }
      // What is solid stops something, and not all contents are in a map.
      expect(answers.size).toBeGreaterThan(1);
      expect(() => create(world, { mask: 'nothing-of-the-kind' })).toThrow(RangeError);
    });

  it(`${name}: cannot be placed, as the world cannot`, () => {
    expect('place' in create(world)).toBe(false);
  });
}

function batchRow(batch: TraceBatch, index: number): number[] {
  return Object.entries(batch).flatMap(([name, values]) => {
    if (name === 'count') return [];
    const width = name === 'endPos' || name === 'normal' ? 3 : 1;
    return Array.from((values as Float32Array).subarray(width * index, width * (index + 1)));
  });
}

/** A trace as a batch of one, with the fields of another. What it lacks is -1. */
function storeOf(trace: Trace, { count: _, ...arrays }: TraceBatch): TraceBatch {
  const batch: Record<string, unknown> = { count: 1 };
  for (const [name, array] of Object.entries(arrays)) {
    const value = (trace as unknown as Record<string, unknown>)[name] ?? -1;
    batch[name] = (array.constructor as Float32ArrayConstructor).from(
      ArrayBuffer.isView(value) ? (value as Float32Array) : [Number(value)],
    );
  }
  return batch as unknown as TraceBatch;
}
