import { describe, expect, expectTypeOf, it, vi } from 'vitest';
import {
  capsuleBounds,
  checkBounds,
  checkMask,
  checkMove,
  checkNumber,
  checkPoint,
  checkPose,
  checkRadius,
  copyBounds,
} from '../src/format/index.ts';
import {
  copyTrace,
  createTrace,
  createTraceBatch,
  defineTracer,
  resetTrace,
  type Trace,
  type TraceBatch,
  type Tracer,
  traceEach,
  type Vec3,
} from '../src/index.ts';

/** A wall at x = 10: the smallest thing that can be traced. */
const wall = defineTracer({
  shape: { kind: 'ray' },
  trace(start, end, out) {
    out.endPos.set(Array.from(end));
    out.startSolid = start[0]! > 10;
    if (start[0]! <= 10 && end[0]! > 10) {
      out.fraction = (10 - start[0]!) / (end[0]! - start[0]!);
      for (let k = 0; k < 3; k++) out.endPos[k] = start[k]! + out.fraction * (end[k]! - start[k]!);
      out.normal[0] = -1;
      out.dist = -10;
      out.brush = 3;
    }
    return out;
  },
});

describe('defineTracer', () => {
  it('may be used by its own functions, also after these have thrown', () => {
    let fails = false;
    // The way above z = 0 continues below it, ten times as long; whether anything is in the way there, it asks the tracer itself.
    const portal: Tracer = defineTracer({
      shape: { kind: 'ray' },
      trace(start, end, out) {
        if (start[2]! < 0) {
          if (fails) throw new Error('of the collider');
          out.fraction = 0.25;
          out.endPos[0] = start[0]!;
          return out;
        }
        const beyond = [10 * start[0]!, 0, -1];
        const isBlocked = portal.blocked(beyond, [0, 0, -2]);
        out.fraction = portal.trace(beyond, [0, 0, -2]).fraction * (isBlocked ? end[0]! - start[0]! : 0);
        out.endPos.set(Array.from(end));
        return out;
      },
    });
    const out = portal.createTrace();
    const check = (): void => {
      expect(portal.trace([1, 2, 3], [3, 4, 5], out)).toBe(out);
      expect(out.fraction).toBe(0.5);
      expect(Array.from(out.endPos)).toEqual([3, 4, 5]);
      expect(portal.blocked([1, 2, 3], [3, 4, 5])).toBe(true);
      expect(portal.blocked([1, 2, 3], [5, 4, 5])).toBe(false);
      const segments = new Float32Array([1, 2, 3, 3, 4, 5, 1, 2, 3, 2, 4, 5]);
      expect(Array.from(portal.traceBatch(segments).fraction)).toEqual([0.5, 0.25]);
      expect(Array.from(portal.blockedBatch(segments))).toEqual([1, 1]);
    };
    check();
    fails = true;
    expect(() => portal.trace([1, 2, 3], [3, 4, 5])).toThrow('of the collider');
    expect(() => portal.blocked([1, 2, 3], [3, 4, 5])).toThrow('of the collider');
    fails = false;
    check();
  });

  it.each([
    [undefined, 'undefined'],
    [null, 'null'],
    ['box', "'box'"],
    [['box'], 'an array'],
  ])('refuses %j as the shape by what was written', (shape, shown) => {
    const parts = { shape, trace: () => createTrace() } as never;
    expect(() => defineTracer(parts)).toThrow(new TypeError(`parts.shape must be an object, got ${shown}`));
  });

  it('makes a trace when none is given and fills the one that is', () => {
    const trace = wall.trace([0, 0, 0], [20, 4, 0]);
    expect(trace).toMatchObject({ fraction: 0.5, startSolid: false, brush: 3, dist: -10, model: -1 });
    expect([...trace.endPos]).toEqual([10, 2, 0]);
    const again = wall.trace([0, 0, 0], [5, 0, 0], trace);
    expect(again).toBe(trace);
    expect(again).toMatchObject({ fraction: 1, brush: -1, dist: 0 });
    expect([...again.normal]).toEqual([0, 0, 0]);
  });

  it('is blocked by a hit and by a start in solid', () => {
    expect(wall.blocked([0, 0, 0], [20, 0, 0])).toBe(true);
    expect(wall.blocked([0, 0, 0], [5, 0, 0])).toBe(false);
    expect(wall.blocked([11, 0, 0], [20, 0, 0])).toBe(true);
  });

  it('traces batches like single traces', () => {
    const segments = Float32Array.of(0, 0, 0, 20, 4, 0, 0, 0, 0, 5, 0, 0, 11, 0, 0, 12, 0, 0);
    const batch = wall.traceBatch(segments);
    expect(batch.count).toBe(3);
    expect([...batch.fraction]).toEqual([0.5, 1, 1]);
    expect([...batch.endPos]).toEqual([10, 2, 0, 5, 0, 0, 12, 0, 0]);
    expect([...batch.normal.subarray(0, 3)]).toEqual([-1, 0, 0]);
    expect([...batch.startSolid]).toEqual([0, 0, 1]);
    expect([...batch.brush]).toEqual([3, -1, -1]);
    const larger = createTraceBatch(5);
    expect(wall.traceBatch(segments, larger)).toBe(larger);
    expect(larger.fraction[0]).toBe(0.5);
  });

  it('refuses tracers whose answers are no traces, given or their own', () => {
    const segments = new Float32Array(6);
    for (const wrong of [undefined, {}, { endPos: [0, 0, 0], normal: [0, 0, 0] }] as never[]) {
      const problem = 'trace must be a trace made by createTrace';
      expect(() => traceEach({ createTrace, trace: () => wrong }, segments)).toThrow(problem);
      const filling = { createTrace: () => wrong, trace: (_start: Vec3, _end: Vec3, out?: Trace) => out! };
      expect(() => traceEach(filling, segments)).toThrow(problem);
    }
  });

  it('refuses batches that do not fit', () => {
    expect(() => wall.traceBatch(new Float32Array(7))).toThrow('segments must be six numbers each');
    expect(() => wall.traceBatch(new Float32Array(12), createTraceBatch(1))).toThrow(
      'room in out must be 2 or more, got 1',
    );
    expect(() => createTraceBatch(-1)).toThrow(RangeError);
    expect(() => createTraceBatch(1.5)).toThrow(RangeError);
  });

  it('calls anything but arrays, numbers too, a wrong type', () => {
    const segments = new Float32Array(6);
    for (const wrong of [5, 'five', {}, [0, 0, 0, 0, 0, 0]] as never[]) {
      expect(() => wall.traceBatch(wrong)).toThrow(TypeError);
      expect(() => wall.blockedBatch(wrong)).toThrow(TypeError);
      expect(() => wall.traceBatch(segments, wrong as never)).toThrow(TypeError);
      expect(() => wall.blockedBatch(segments, wrong)).toThrow(TypeError);
    }
  });

  it('refuses answers that overlap the segments, and takes those that share a buffer side by side', () => {
    const memory = new ArrayBuffer(112);
    const floats = (at: number, length: number): Float32Array => new Float32Array(memory, at, length);
    const segments = floats(0, 12);
    const apart = { count: 2, fraction: floats(48, 2), dist: floats(56, 2), endPos: floats(64, 6) };
    expect(wall.traceBatch(segments, apart)).toBe(apart);
    const problem = RangeError('out must not overlap segments');
    expect(() => wall.traceBatch(segments, { ...apart, dist: floats(44, 2) })).toThrow(problem);
    const flags = { ...apart, startSolid: new Uint8Array(memory, 20, 2) };
    expect(() => wall.traceBatch(segments, flags)).toThrow(problem);
    // Arrays that are never written may be anywhere.
    expect(wall.traceBatch(segments, { ...apart, memory: new Uint8Array(memory) }).count).toBe(2);
  });

  it('trusts batches that createTraceBatch made, as nobody can put other arrays into them', () => {
    const segments = new Float32Array(12);
    const made = createTraceBatch(2);
    expect(() => Object.assign(made, { fraction: [] })).toThrow(TypeError);
    expect(wall.traceBatch(segments, made)).toBe(made);
    // A copy is a batch of the caller's.
    const problem = 'out must be made by createTraceBatch';
    expect(() => wall.traceBatch(segments, { ...made, fraction: [] } as never)).toThrow(problem);
    expect(() => wall.traceBatch(segments, { ...made, brush: new Int32Array(1) })).toThrow(problem);
    for (const count of [-1, 0.5, '2', undefined]) {
      expect(() => wall.traceBatch(new Float32Array(0), { ...made, count } as never)).toThrow(problem);
    }
    const over = new Float32Array(made.endPos.buffer, made.endPos.byteOffset, 6);
    expect(() => wall.traceBatch(over, made)).toThrow('out must not overlap segments');
    structuredClone(made.endPos.buffer, { transfer: [made.endPos.buffer as ArrayBuffer] });
    expect(() => wall.traceBatch(segments, made)).toThrow(problem);
  });

  it('takes batches that were put together, also where a library has added a method to all objects', () => {
    const segments = new Float32Array(12);
    const expected = wall.traceBatch(segments);
    const prototype = Object.prototype as { added?: () => void };
    prototype.added = () => {};
    try {
      expect(wall.traceBatch(segments, { ...createTraceBatch(2) }).fraction).toEqual(expected.fraction);
    } finally {
      delete prototype.added;
    }
  });

  it('refuses segments that were transferred to another thread', () => {
    const segments = new Float32Array(12);
    structuredClone(segments.buffer, { transfer: [segments.buffer] });
    expect(() => wall.traceBatch(segments)).toThrow(TypeError);
    expect(() => wall.blockedBatch(segments)).toThrow('segments must not have been transferred or cut off');
    expect(wall.traceBatch(new Float32Array(0)).count).toBe(0);
  });

  it('refuses them also where V8 has compiled checks for segments of resizable memory', async () => {
    // Functions of their own, so that no other test gets what is compiled for these. V8 is told to compile late in tests.
    vi.resetModules();
    const { checkSegments } = await import('../src/tracer.ts');
    const plain = new Float32Array(12);
    const elastic = new Float32Array(Reflect.construct(ArrayBuffer, [48, { maxByteLength: 96 }]));
    for (let k = 0; k < 120_000; k++) {
      checkSegments(plain);
      checkSegments(elastic);
    }
    structuredClone(plain.buffer, { transfer: [plain.buffer] });
    expect(() => checkSegments(plain)).toThrow('segments must not have been transferred or cut off');
  });

  it('refuses batches that were transferred, also where V8 has compiled checks for those in resizable memory', async () => {
    vi.resetModules();
    const { checkSegments } = await import('../src/tracer.ts');
    const segments = new Float32Array(12);
    const plain = { count: 2, fraction: new Float32Array(2) };
    const room = Reflect.construct(ArrayBuffer, [8, { maxByteLength: 16 }]);
    const elastic = { count: 2, fraction: new Float32Array(room) };
    for (let k = 0; k < 240_000; k++) {
      checkSegments(segments, plain);
      checkSegments(segments, elastic);
    }
    structuredClone(plain.fraction.buffer, { transfer: [plain.fraction.buffer] });
    expect(() => checkSegments(segments, plain)).toThrow('out must be made by createTraceBatch');
  });

  it('refuses bytes for answers that were transferred, also where V8 has compiled checks for those in resizable memory', async () => {
    vi.resetModules();
    const { checkTests } = await import('../src/tracer.ts');
    const segments = new Float32Array(12);
    const plain = new Uint8Array(2);
    const elastic = new Uint8Array(Reflect.construct(ArrayBuffer, [2, { maxByteLength: 4 }]));
    for (let k = 0; k < 240_000; k++) {
      checkTests(segments, plain);
      checkTests(segments, elastic);
    }
    structuredClone(plain.buffer, { transfer: [plain.buffer] });
    expect(() => checkTests(segments, plain)).toThrow('out must not have been transferred or cut off');
  });

  it('refuses answers that were transferred, also where V8 has compiled checks for those in resizable memory', async () => {
    vi.resetModules();
    const { isBlocked } = await import('../src/tracer.ts');
    const plain = createTrace();
    const room = Reflect.construct(ArrayBuffer, [12, { maxByteLength: 24 }]);
    const elastic = { ...createTrace(), endPos: new Float32Array(room), normal: new Float32Array(room) };
    for (let k = 0; k < 240_000; k++) {
      isBlocked(plain);
      isBlocked(elastic);
    }
    structuredClone(plain.endPos.buffer, { transfer: [plain.endPos.buffer as ArrayBuffer] });
    expect(() => isBlocked(plain)).toThrow('trace must be a trace made by createTrace');
  });

  it('writes the fields that a batch has, and no others', () => {
    const segments = Float32Array.of(0, 0, 0, 20, 4, 0, 0, 0, 0, 5, 0, 0);
    const some = createTraceBatch(3, { fields: ['endPos', 'brush', 'startSolid'] });
    expect(wall.traceBatch(segments, some)).toBe(some);
    expect(some).toEqual({
      count: 3,
      endPos: Float32Array.of(10, 2, 0, 5, 0, 0, 0, 0, 0),
      brush: Int32Array.of(3, -1, 0),
      startSolid: new Uint8Array(3),
    });
    expectTypeOf(some).not.toHaveProperty('fraction');
    expectTypeOf(some.endPos).toEqualTypeOf<Float32Array>();
    expectTypeOf(wall.traceBatch(segments, some)).toEqualTypeOf(some);
    expectTypeOf(wall.traceBatch(segments)).toEqualTypeOf<TraceBatch>();
    expect(wall.traceBatch(segments, createTraceBatch(2, { fields: [] }))).toEqual({ count: 2 });
    expect(() => createTraceBatch(1, { fields: ['speed' as 'dist'] })).toThrow(RangeError);
  });

  it('has arrays in one buffer, each with a place of its own', () => {
    for (const count of [0, 1, 3]) {
      const { count: _, ...batch } = createTraceBatch(count);
      const arrays = Object.values(batch);
      expect(new Set(arrays.map(({ buffer }) => buffer)).size).toBe(1);
      for (const [k, array] of arrays.entries()) array.fill(k + 1);
      for (const [k, array] of arrays.entries())
        expect(new Set(array)).toEqual(new Set(count ? [k + 1] : []));
    }
  });

  it('takes and makes shared memory, but makes none by default', () => {
    expect(createTraceBatch(1).fraction.buffer).toBeInstanceOf(ArrayBuffer);
    expect(wall.blockedBatch(new Float32Array(6)).buffer).toBeInstanceOf(ArrayBuffer);
    const segments = new Float32Array(new SharedArrayBuffer(48));
    segments.set([0, 0, 0, 20, 4, 0, 11, 0, 0, 12, 0, 0]);
    const shared = createTraceBatch(2, { shared: true });
    for (const array of Object.values(shared)) {
      if (typeof array !== 'number') expect(array.buffer).toBeInstanceOf(SharedArrayBuffer);
    }
    expect([...wall.traceBatch(segments, shared).fraction]).toEqual([0.5, 1]);
    const tests = new Uint8Array(new SharedArrayBuffer(3));
    expect(wall.blockedBatch(segments, tests)).toBe(tests);
    expect([...tests]).toEqual([1, 1, 0]);
  });

  it('tests batches like single segments', () => {
    const segments = Float32Array.of(0, 0, 0, 20, 4, 0, 0, 0, 0, 5, 0, 0, 11, 0, 0, 12, 0, 0);
    expect([...wall.blockedBatch(segments)]).toEqual([1, 0, 1]);
    expect(() => wall.blockedBatch(segments, new Uint8Array(2))).toThrow(
      'room in out must be 3 or more, got 2',
    );
    expect(() => wall.blockedBatch(segments, [0, 0, 0] as never)).toThrow('out must be a Uint8Array');
  });

  it('refuses wrong arguments before it writes anything', () => {
    const out = createTraceBatch(2);
    out.brush.fill(7);
    const wrong = Float32Array.of(0, 0, 0, 20, 4, 0, 0, 0, 0, Number.NaN, 0, 0);
    expect(() => wall.traceBatch(wrong, out)).toThrow('segments[9] must be a finite float32, got NaN');
    expect(() => wall.blockedBatch(wrong)).toThrow(RangeError);
    const { buffer } = out.endPos;
    expect(() => wall.traceBatch(new Float32Array(buffer), out)).toThrow('out must not overlap segments');
    expect(() => wall.blockedBatch(new Float32Array(buffer), new Uint8Array(buffer, 23))).toThrow(RangeError);
    expect([...out.brush]).toEqual([7, 7]);
    // Side by side in one buffer, they are fine.
    const room = new ArrayBuffer(26);
    expect([...wall.blockedBatch(new Float32Array(room, 0, 6), new Uint8Array(room, 24))]).toEqual([0, 0]);
  });

  it('uses a faster test or batch where there is one', () => {
    const calls: string[] = [];
    const quick = defineTracer({
      shape: { kind: 'ray' },
      trace: (_start, _end, out) => out,
      blocked: () => calls.push('blocked') > 0,
      traceBatch: (_segments, out) => {
        calls.push('batch');
        return out ?? createTraceBatch(0);
      },
      blockedBatch: (_segments, out = new Uint8Array(1)) => {
        calls.push('tests');
        return out;
      },
    });
    expect(quick.blocked([0, 0, 0], [1, 0, 0])).toBe(true);
    quick.traceBatch(new Float32Array(6));
    quick.blockedBatch(new Float32Array(6));
    expect(calls).toEqual(['blocked', 'batch', 'tests']);
  });

  it('takes what a test of its own returns as a condition, in batches and alone', () => {
    const answers: unknown[] = [undefined, null, 0, '', false, true, 1, 'wall', { fraction: 0.5 }];
    const meant = [false, false, false, false, false, true, true, true, true];
    let next = 0;
    const loose = defineTracer({
      shape: { kind: 'ray' },
      trace: (_start, _end, out) => out,
      blocked: () => answers[next++ % answers.length] as boolean,
    });
    expect(answers.map(() => loose.blocked([0, 0, 0], [1, 0, 0]))).toEqual(meant);
    expect([...loose.blockedBatch(new Float32Array(6 * answers.length))]).toEqual(meant.map(Number));
  });

  it('checks both ends of a trace and of a test', () => {
    expect(() => wall.trace([Number.NaN, 0, 0], [1, 0, 0])).toThrow('start[0] must be a finite float32');
    expect(() => wall.blocked([0, 0, 0], [0, 1e39, 0])).toThrow('end[1] must be a finite float32');
  });

  it('can start from its own answer', () => {
    const trace = wall.trace([0, 0, 0], [5, 0, 0]);
    expect(wall.trace(trace.endPos, [20, 0, 0], trace).fraction).toBeCloseTo(1 / 3, 6);
    expect(wall.trace([0, 0, 0], trace.endPos, trace)).toMatchObject({ fraction: 1 });
    expect(trace.endPos[0]).toBe(10);
  });

  it('makes traces of its own kind if it has a function for that', () => {
    const wet = defineTracer<Trace & { inWater: boolean }>({
      shape: { kind: 'ray' },
      createTrace: () => ({ ...createTrace(), inWater: false }),
      trace: (_start, _end, out) => Object.assign(out, { inWater: true }),
    });
    expect(wet.trace([0, 0, 0], [1, 0, 0]).inWater).toBe(true);
    expect(wet.createTrace().inWater).toBe(false);
  });
});

describe('copyTrace and resetTrace', () => {
  it('leave no field behind', () => {
    const full = wall.trace([0, 0, 0], [20, 4, 0]);
    const numbers = Object.keys(full).filter((key) => typeof full[key as keyof Trace] === 'number');
    for (const [k, key] of numbers.entries()) Object.assign(full, { [key]: k + 100 });
    full.startSolid = full.allSolid = true;
    const copy = copyTrace(full, createTrace());
    expect(copy).toEqual(full);
    expect(copy.endPos).not.toBe(full.endPos);
    expect(resetTrace(copy)).toEqual(createTrace());
  });
});

describe('argument checks', () => {
  it.each([
    [[Number.NaN, 0, 0], 'start[0] must be a finite float32, got NaN'],
    [[0, Number.POSITIVE_INFINITY, 0], 'start[1] must be a finite float32, got Infinity'],
    [[0, 0, 1e39], 'start[2] must be a finite float32, got 1e+39'],
    [[0, 0], 'start[2] must be a finite float32, got undefined'],
    [[], 'start[0] must be a finite float32, got undefined'],
    [new Float32Array(3).subarray(3), 'start[0] must be a finite float32, got undefined'],
    [{ 0: 1, 1: Number.NaN, 2: 3 } as never, 'start[1] must be a finite float32, got NaN'],
  ])('refuse the point %j', (point, message) => {
    expect(() => checkPoint(point, 'start')).toThrow(new RangeError(message));
  });

  it("say what another library's vector is when they refuse it, and take whatever holds numbers", () => {
    // Those of three.js have a method `length`.
    for (const more of [{}, { length: () => 14 ** 0.5 }]) {
      expect(() => checkPoint({ x: 1, y: 2, z: 3, ...more } as never, 'start')).toThrow(
        new TypeError('start must be three numbers, got an object'),
      );
    }
    expect(() => checkPoint('123' as never, 'start')).toThrow(
      new TypeError("start must be three numbers, got '123'"),
    );
    checkPoint({ 0: 1, 1: 2, 2: 3 } as never, 'start');
  });

  it('name the argument', () => {
    expect(() => checkMove([0, 0, 0], [0, Number.NaN, 0])).toThrow('end[1]');
    expect(() => checkRadius(-1)).toThrow('radius must be a finite float32, 0 or more, got -1');
    expect(() => checkRadius(Number.NaN, 'epsilon')).toThrow('epsilon');
    expect(() => checkBounds([0, 2, 0], [1, 1, 1])).toThrow('mins[1] must not be above maxs[1], got 2 and 1');
    expect(() => checkBounds([0, 0, 0], [1, Number.NaN, 1])).toThrow('maxs[1]');
    expect(() => checkNumber(3, 'leaf', 3)).toThrow('leaf must be a whole number in 0..2, got 3');
    expect(() => checkNumber(0, 'model', 0)).toThrow('there are none');
    expect(() => checkNumber(0.5, 'leaf', 3)).toThrow(RangeError);
  });

  it('of masks, poses and capsules say what they need', () => {
    checkMask(-1, 'mask');
    checkMask(0xffffffff, 'mask');
    expect(() => checkMask(2 ** 32, 'mask')).toThrow(
      'mask must be a whole number of 32 bits, got 4294967296',
    );
    expect(() => checkMask(0.5, 'mask')).toThrow(RangeError);
    checkPose({});
    expect(() => checkPose({ origin: [0, 0, Number.NaN] })).toThrow('origin[2]');
    expect(() => checkPose({ angles: [0, Number.NaN, 0] })).toThrow('angles[1]');
    expect(capsuleBounds({ radius: 2, height: 10 })).toEqual({ mins: [-2, -2, -5], maxs: [2, 2, 5] });
    expect(() => capsuleBounds({ radius: 2, height: 3 })).toThrow('height must be twice the radius or more');
    expect(() => capsuleBounds({ radius: Number.NaN, height: 3 })).toThrow('radius must be');
    expect(() => capsuleBounds({ radius: 1, height: 1e39 })).toThrow(RangeError);
  });

  it('copy bounds only when they are right', () => {
    const bounds = { mins: new Float32Array(3), maxs: new Float32Array(3) };
    copyBounds([-1, -2, -3], [1, 2, 3], bounds);
    expect([...bounds.mins, ...bounds.maxs]).toEqual([-1, -2, -3, 1, 2, 3]);
    expect(() => copyBounds([5, 0, 0], [4, 9, 9], bounds)).toThrow('mins[0]');
    expect([...bounds.mins, ...bounds.maxs]).toEqual([-1, -2, -3, 1, 2, 3]);
  });

  it('let good arguments pass', () => {
    checkMove([0, -0, 1e38], new Float32Array(3));
    checkRadius(0);
    checkBounds([0, 0, 0], [0, 0, 0]);
    expect(() => checkNumber(2, 'leaf', 3)).not.toThrow();
  });
});
