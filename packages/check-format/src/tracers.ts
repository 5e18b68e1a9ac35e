import { isDeepStrictEqual } from 'node:util';
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
import { checkCopies, checkOwnAnswers, checkSolid, problemsOf } from './answers.ts';
import { type NamedTracer, SMALL } from './catalog.ts';
import { caught, demand, demandSame, demandThrows, isOf, NONE, said, show } from './demand.ts';
import { answersOf, demandAnswers, fieldsOf, type It, movesIn, showMove, type World } from './sample.ts';

/** So many times are all moves in a batch that is longer than what a kernel may take at once. */
const TIMES = 41;

/** One tracer of the catalog. */
export function checkTracer(
  it: It,
  { name, kind, isPreset, create }: NamedTracer,
  format: BspFormat,
  world: World,
  hasOwnTest: boolean,
): void {
  const moves = movesIn(world);
  /** What stops it; 0 where contents are not bits, or a preset names others. */
  const mask = kind.mask === undefined || isPreset ? 0 : format.contents.bits(kind.mask);

  it(`${name}: gives the same answer however it is asked`, () => {
    const tracer = create(world);
    const out = tracer.createTrace();
    const other = create(world).createTrace();
    demandSame(fieldsOf(out), fieldsOf(other), 'createTrace() of two tracers made alike differ');
    demand(out !== tracer.createTrace(), 'createTrace() returns the same object twice');
    const segments = Float32Array.from(moves.flatMap(([from, to]) => [...from, ...to]));
    const batch = tracer.traceBatch(segments);
    const tests = tracer.blockedBatch(segments);
    const unchanged = moves.flatMap(([from, to]) => [...from, ...to]);
    demandSame([...segments], unchanged, 'batches have changed segments, which belong to the caller');
    demandSame(batch.count, moves.length, `traceBatch(segments).count for ${moves.length} segments`);
    demandSame(tests.length, moves.length, `blockedBatch(segments).length for ${moves.length} segments`);
    const { count: _, ...usual } = createTraceBatch(0);
    const lacking = Object.keys(usual).filter((field) => !(field in batch));
    demandSame(lacking, [], 'traceBatch(segments) lacks fields');
    for (const [field, array] of Object.entries(usual))
      demandSame(
        batch[field as keyof typeof usual].constructor.name,
        array.constructor.name,
        `the array ${field} of traceBatch(segments)`,
      );
    demandSame(tests.constructor.name, 'Uint8Array', 'the array that blockedBatch(segments) returns');
    for (const [k, move] of moves.entries()) {
      const [start, end] = move;
      const on = (what: string) => (): string => `${what}, ${showMove(move)}`;
      demand(tracer.trace(start, end, out) === out, on('trace(start, end, out) does not return out'));
      const answer = fieldsOf(out);
      const problems = problemsOf(out, start, end, tracer, world, mask);
      demand(problems.length === 0, () => problems.join('\n'));
      const again = fieldsOf(tracer.trace([...start], [...end]));
      demandSame(again, answer, on('trace answers differently to points that are plain arrays, without out'));
      const blocked = tracer.blocked(start, end);
      const row = batchRow(storeOf(out, batch), 0);
      demandSame(batchRow(batch, k), row, on('traceBatch answers differently from trace'));
      demandSame(tests[k], blocked ? 1 : 0, on('blockedBatch answers differently from blocked'));
      if (!hasOwnTest) {
        demandSame(blocked, isBlocked(out), () =>
          on(`blocked does not say what trace does, which answers ${show(answer)}`)(),
        );
      }
      out.endPos.set(start);
      const same = fieldsOf(tracer.trace(out.endPos, end, out));
      demandSame(same, answer, on('trace answers differently where its start is the endPos of out'));
      out.endPos.set(end);
      const once = fieldsOf(tracer.trace(start, out.endPos, out));
      demandSame(once, answer, on('trace answers differently where its end is the endPos of out'));
    }
  });

  it(`${name}: gives answers that nothing else changes`, () => {
    checkOwnAnswers(create(world), moves);
    const set = (mins: Vec3, maxs: Vec3) => (create(world) as Tracer & Changeable).set({ mins, maxs });
    const { shape } = create(world);
    // Not all boxes can be changed.
    if (shape.kind === 'box' && caught(() => set(shape.mins, shape.maxs)) === NONE) checkCopies(set, moves);
  });

  if (!hasOwnTest)
    it(`${name}: starts in solid behind what stops it`, () => {
      checkSolid(create(world), moves);
    });

  if (kind.size !== undefined && !isPreset)
    it(`${name}: is stopped where its size says`, () => {
      const small = SMALL[kind.size!];
      const isSame = isDeepStrictEqual(
        answersOf(kind.create(world, small, {}), moves),
        answersOf(create(world), moves),
      );
      demand(!isSame, `all of ${moves.length} moves have the same answers with the size ${small}`);
    });

  if (kind.size !== undefined && !isPreset)
    it(`${name}: takes a size later as well as at the start`, () => {
      const made = answersOf(create(world), moves);
      for (const steps of changesTo(create(world).shape)) {
        const changed = kind.create(world, SMALL[kind.size!], {}) as Tracer & Changeable;
        // Not all sizes can be changed.
        if (caught(() => steps.map((step) => changed.set(step))) !== NONE) continue;
        const calls = steps.map((step) => `set(${show(step)})`).join(' and ');
        const what = `answers differ once ${calls} is called, and where it is made with this size`;
        demandAnswers(answersOf(changed, moves), made, moves, what);
        const says = `shape once ${calls} is called, and where it is made with this size, differ`;
        demandSame(JSON.stringify(changed.shape), JSON.stringify(create(world).shape), says);
      }
    });

  it(`${name}: writes the fields that a batch has, also into shared memory`, () => {
    const tracer = create(world);
    const whole = moves.flatMap(([from, to]) => [...from, ...to]);
    // A part of larger ones, as those who answer many callers have them.
    const segments = new Float32Array(new SharedArrayBuffer(4 * (whole.length + 12)), 24, whole.length);
    segments.set(whole);
    const every = tracer.traceBatch(Float32Array.from(whole));
    const some = createTraceBatch(moves.length + 1, {
      fields: ['normal', 'brush', 'allSolid'],
      shared: true,
    });
    some.brush.fill(99);
    demand(tracer.traceBatch(segments, some) === some, 'traceBatch(segments, out) does not return out');
    for (const [name, values] of Object.entries(some)) {
      if (typeof values === 'number') continue;
      const wanted = [...every[name as 'brush']];
      const what = `${name} differs between traceBatch(segments) and traceBatch(segments, out)`;
      demandSame([...values.slice(0, wanted.length)], wanted, what);
    }
    demandSame(some.brush[moves.length], 99, 'traceBatch(segments, out) writes past the last segment: brush');
    const held = new Uint8Array(new SharedArrayBuffer(moves.length + 2)).fill(7);
    const tests = held.subarray(1);
    demand(tracer.blockedBatch(segments, tests) === tests, 'blockedBatch(segments, out) does not return out');
    const wanted = [7, ...tracer.blockedBatch(Float32Array.from(whole)), 7];
    demandSame(
      [...held],
      wanted,
      'blockedBatch(segments, out) does not write what blockedBatch(segments) does',
    );
  });

  it(`${name}: answers batches of any length`, () => {
    const tracer = create(world);
    const few = Float32Array.from(moves.flatMap(([from, to]) => [...from, ...to]));
    const many = new Float32Array(TIMES * few.length);
    for (let k = 0; k < TIMES; k++) many.set(few, k * few.length);
    const [batch, tests] = [tracer.traceBatch(few), tracer.blockedBatch(few)];
    const [long, longTests] = [tracer.traceBatch(many), tracer.blockedBatch(many)];
    const of = `the same ${moves.length} segments again and again, ${TIMES * moves.length} in all`;
    demandSame(long.count, TIMES * moves.length, `traceBatch(segments).count for ${of}`);
    for (const [call, short, repeated] of [
      ...Object.entries(batch).map(
        ([field, values]) => [`${field} of traceBatch`, values, long[field as 'brush']] as const,
      ),
      ['blockedBatch', tests, longTests] as const,
    ]) {
      if (typeof short === 'number') continue;
      demandSame(repeated.length, TIMES * short.length, `the length of ${call} for ${of}`);
      const at = repeated.findIndex((value, k) => !Object.is(value, short[k % short.length]));
      const move = Math.floor((at * moves.length) / short.length);
      demand(
        at < 0,
        () => `${call} differs at segment ${move} from segment ${move % moves.length}, in ${of}`,
      );
    }
    const none = [
      tracer.traceBatch(few.subarray(0, 0)).count,
      tracer.blockedBatch(few.subarray(0, 0)).length,
    ];
    demandSame(none, [0, 0], 'traceBatch(segments).count and blockedBatch(segments).length for no segments');
  });

  it(`${name}: refuses moves that are not numbers, and batches that do not fit`, () => {
    const tracer = create(world);
    const fine = [0, 0, 0];
    const refuses = (call: string, run: () => unknown, words: string | RegExp = ''): void => {
      demandThrows(run, RangeError, call, words);
    };
    for (const wrong of [Number.NaN, Number.POSITIVE_INFINITY, 1e39]) {
      const [start, end] = [
        [0, wrong, 0],
        [0, 0, wrong],
      ] as const;
      const [atStart, atEnd] = [/start\[1\] must be a finite float32/, /end\[2\] must be a finite float32/];
      refuses(`trace([0, ${wrong}, 0], end)`, () => tracer.trace(start, fine), atStart);
      refuses(`blocked(start, [0, 0, ${wrong}])`, () => tracer.blocked(fine, end), atEnd);
      const kept = createTraceBatch(2);
      kept.fraction.fill(7);
      const segments = Float32Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, wrong, 0, 0);
      const of = `with ${wrong} in the second segment`;
      refuses(`traceBatch(segments, out) ${of}`, () => tracer.traceBatch(segments, kept));
      demandSame(
        [...kept.fraction],
        [7, 7],
        `traceBatch(segments, out) ${of} has written fractions into out`,
      );
      refuses(`blockedBatch(segments) ${of}`, () => tracer.blockedBatch(segments));
    }
    refuses('trace([0, 0], end)', () => tracer.trace([0, 0], fine));
    refuses('traceBatch of 7 numbers', () => tracer.traceBatch(new Float32Array(7)));
    const two = new Float32Array(12);
    refuses('traceBatch of 2 segments with out for 1', () => tracer.traceBatch(two, createTraceBatch(1)));
    refuses('blockedBatch of 7 numbers', () => tracer.blockedBatch(new Float32Array(7)));
    refuses('blockedBatch of 2 segments with out for 1', () => tracer.blockedBatch(two, new Uint8Array(1)));
    const out = createTraceBatch(3);
    const inside = new Float32Array(out.endPos.buffer, 12, 6);
    demandThrows(
      () => tracer.traceBatch(inside, out),
      Error,
      'traceBatch(segments, out) with segments that lie in out',
      'out must not overlap segments',
    );
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
        const call = `set(${show(wrong)})`;
        const error = caught(() => tracer.set(wrong));
        demand(
          isOf(error, RangeError) || isOf(error, TypeError),
          () => `${call} must throw a RangeError or a TypeError: ${said(error)}`,
        );
        demandSame(JSON.stringify(tracer.shape), shape, `${call} is refused, and has changed the shape`);
        demandAnswers(answersOf(tracer, some), before, some, `${call} is refused, and has changed answers`);
      }
      demand(tracer.set({}) === tracer, 'set({}) does not return the tracer');
      demandAnswers(answersOf(tracer, some), before, some, 'set({}) has changed answers');
    });

  if (!isPreset && kind.mask !== undefined)
    it(`${name}: is stopped by what its kind names, unless it is given a mask`, () => {
      demand(format.contents.bits(kind.mask!) !== 0, `its mask, '${kind.mask}', has no bits`);
      const asked = answersOf(create(world, { mask: kind.mask }), moves);
      const what = `answers differ with the mask '${kind.mask}', which its kind names, and without any`;
      demandAnswers(asked, answersOf(create(world), moves), moves, what);
    });

  const masks = Object.keys(format.contents.table);
  const takesMask =
    !isPreset &&
    kind.options.includes('mask') &&
    // A kind with other filters for the world may take a mask for models alone.
    !(
      kind.mask === undefined &&
      isOf(
        caught(() => create(world, { mask: masks[0] })),
        TypeError,
      )
    );
  if (takesMask)
    it(`${name}: takes a mask later as well as at the start`, () => {
      const answers = new Set<string>();
      const some = moves.slice(0, 40);
      for (const mask of masks) {
        const changed = create(world) as Tracer & Changeable;
        const set = changed.set({ mask: format.contents.bits(mask) });
        demand(set === changed, 'set({ mask }) does not return the tracer');
        const answered = answersOf(changed, some);
        const what = `answers differ once set({ mask }) is called, and where the option mask is given: '${mask}'`;
        demandAnswers(answered, answersOf(create(world, { mask }), some), some, what);
        answers.add(JSON.stringify(answered));
      }
      // What is solid stops something, and not all contents are in a map.
      demand(answers.size > 1, `answers are the same with each of the masks ${masks.join(', ')}`);
      demandThrows(
        () => create(world, { mask: 'nothing-of-the-kind' }),
        RangeError,
        "a tracer with the mask 'nothing-of-the-kind'",
      );
    });

  it(`${name}: refuses options that do not exist, and switches that are neither true nor false`, () => {
    const run = (): unknown => create(world, { nothingOfTheKind: 1 });
    demandThrows(run, TypeError, 'a tracer with the option nothingOfTheKind');
    for (const { name: option, type } of format.tracers.options) {
      if (!kind.options.includes(option) || (type !== 'on' && type !== 'off')) continue;
      demandThrows(() => create(world, { [option]: 'yes' }), TypeError, `a tracer with ${option}: 'yes'`);
    }
  });

  it(`${name}: cannot be placed, as the world cannot`, () => {
    demand(!('place' in create(world)), 'the tracer has place(pose), which is for those of models');
  });
}

/** Ways to change a small shape of a kind to another one, each by one or two calls of `set`. */
function changesTo(shape: Tracer['shape']): (readonly TracerChanges[])[] {
  if (shape.kind === 'sphere') return [[{ radius: shape.radius }]];
  if (shape.kind !== 'box') return [];
  const [mins, maxs] = [[...Array.from(shape.mins)], [...Array.from(shape.maxs)]];
  return [[{ mins, maxs }], [{ mins }, { maxs }]];
}

/** The fields of one answer in a batch, by name. */
function batchRow(batch: TraceBatch, index: number): Record<string, number[]> {
  const fields: Record<string, number[]> = {};
  for (const [name, values] of Object.entries(batch)) {
    if (name === 'count') continue;
    const width = name === 'endPos' || name === 'normal' ? 3 : 1;
    fields[name] = Array.from((values as Float32Array).subarray(width * index, width * (index + 1)));
  }
  return fields;
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
