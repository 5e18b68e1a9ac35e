import { defineTracer } from '@bspkit/core';
import { describe, expect, it } from 'vitest';
import { createBody, withPose } from '../src/index.ts';

const slab = createBody({ kind: 'box', mins: [-10, -40, -5], maxs: [10, 40, 5] });
const placed = () => withPose(slab.ray({ epsilon: 0 }));

describe('withPose', () => {
  it('moves a thing', () => {
    const tracer = placed();
    tracer.place({ origin: [100, 0, 0] });
    const trace = tracer.trace([0, 0, 0], [200, 0, 0]);
    expect(trace.fraction).toBeCloseTo(0.45, 6);
    expect([...trace.normal]).toEqual([-1, 0, 0]);
    expect(trace.endPos[0]).toBeCloseTo(90, 4);
    expect(tracer.blocked([0, 0, 0], [89, 0, 0])).toBe(false);
    expect(tracer.blocked([0, 0, 0], [91, 0, 0])).toBe(true);
    expect([...tracer.trace([0, 7, 0], [0, 9, 0.1]).endPos]).toEqual([0, 9, Math.fround(0.1)]);
    expect([...tracer.traceBatch(Float32Array.of(0, 0, 0, 200, 0, 0)).fraction]).toEqual([trace.fraction]);
  });

  it('ends a move at its end where the fraction is above 1, as a game may have it for nothing at all', () => {
    const trace: Parameters<typeof defineTracer>[0]['trace'] = (_start, _end, out) =>
      Object.assign(out, { fraction: 2 });
    const tracer = withPose(defineTracer({ shape: { kind: 'ray' }, trace }));
    tracer.place({ origin: [1, 0, 0] });
    expect([...tracer.trace([0, 0, 0], [9, 0, 0]).endPos]).toEqual([9, 0, 0]);
  });

  it('without rotation leaves the normal as it is, signs of zero included', () => {
    const tracer = withPose(
      defineTracer({
        shape: { kind: 'ray' },
        trace: (_start, _end, out) => {
          out.normal.set([-0, 1, -0]);
          return out;
        },
      }),
    );
    tracer.place({ origin: [1, 2, 3], angles: [0, 0, 0] });
    expect([...tracer.trace([0, 0, 0], [9, 9, 9]).normal]).toEqual([-0, 1, -0]);
  });

  it.each([
    ['yaw', [0, 90, 0], [60, 0, 0], [1, 0, 0], 40],
    ['yaw back', [0, -90, 0], [60, 0, 0], [1, 0, 0], 40],
    ['pitch', [90, 0, 0], [0, 0, 60], [0, 0, 1], 10],
    ['roll', [0, 0, 90], [0, 0, 60], [0, 0, 1], 40],
    ['yaw 30', [0, 30, 0], [60 * Math.cos(Math.PI / 6), 30, 0], [Math.cos(Math.PI / 6), 0.5, 0], 10],
    // Positive pitch looks down, as in the engines.
    ['pitch 30', [30, 0, 0], [60 * Math.cos(Math.PI / 6), 0, -30], [Math.cos(Math.PI / 6), 0, -0.5], 10],
  ] as const)('turns a thing: %s', (_, angles, start, normal, distance) => {
    const tracer = placed();
    tracer.place({ angles });
    const trace = tracer.trace(start, [0, 0, 0]);
    for (let k = 0; k < 3; k++) {
      expect(trace.normal[k]).toBeCloseTo(normal[k]!, 5);
      expect(trace.endPos[k]).toBeCloseTo(normal[k]! * distance, 3);
    }
  });

  it('cannot be used or placed by the tracer in it while it traces, but afterwards', () => {
    const ray = slab.ray({ epsilon: 0 });
    let meddle = (): void => {};
    const curious = withPose(
      defineTracer({
        shape: { kind: 'ray' },
        trace(start, end, out) {
          meddle();
          return ray.trace(start, end, out);
        },
      }),
    ).place({ origin: [100, 0, 0] });
    const before = curious.trace([0, 0, 0], [200, 0, 0]);
    const other = [
      [0, 500, 0],
      [0, -500, 0],
    ] as const;
    for (const use of [
      () => curious.trace(...other),
      () => curious.blocked(...other),
      () => curious.place({ origin: [0, 0, 0] }),
    ]) {
      meddle = () => use();
      const problem = 'a tracer cannot use or place what withPose has made of it while that is tracing';
      expect(() => curious.trace([0, 0, 0], [200, 0, 0])).toThrow(problem);
      expect(() => curious.blocked([0, 0, 0], [200, 0, 0])).toThrow(problem);
      meddle = () => {};
      expect(curious.trace([0, 0, 0], [200, 0, 0])).toEqual(before);
    }
  });

  it('reads the ends before it keeps any of them, as a getter may trace', () => {
    const tracer = placed().place({ origin: [100, 0, 0] });
    const end = {
      ...[0, 0, 0],
      length: 3,
      get 0() {
        tracer.trace([7, 500, 0], [7, -500, 0]);
        return 200;
      },
    };
    expect(tracer.trace([0, 0, 0], end)).toEqual(tracer.trace([0, 0, 0], [200, 0, 0]));
  });

  it.each([
    ['moved', {}],
    ['turned', { angles: [20, 40, 60] }],
  ])('gives the tracer numbers of float32, however far away what it has %s is', (_, turn) => {
    const far = 3e38;
    const given: number[][] = [];
    const tracer = withPose(
      defineTracer({
        shape: { kind: 'ray' },
        trace: (start, end, out) => {
          given.push([...start], [...end]);
          return out;
        },
      }),
    ).place({ origin: [-far, far, -far], ...turn });
    tracer.trace([far, -far, far], [far, -far, 0]);
    tracer.blocked([0, -far, 0], [far, -far, far]);
    expect(given.length).toBe(4);
    expect(given.flat().every(Number.isFinite)).toBe(true);
    const slabs = placed().place({ origin: [-far, 0, 0], ...turn });
    expect(slabs.trace([far, 0, 0], [far, 9, 0]).fraction).toBe(1);
    expect([...slabs.blockedBatch(Float32Array.of(far, 0, 0, far, 9, 0))]).toEqual([0]);
  });

  it('passes other changes on to the tracer', () => {
    const tracer = withPose(slab.sphere(5, { epsilon: 0 }));
    tracer.place({ origin: [100, 0, 0] }).set({ radius: 20 });
    expect(tracer.shape).toEqual({ kind: 'sphere', radius: 20 });
    expect(tracer.trace([0, 0, 0], [200, 0, 0]).endPos[0]).toBeCloseTo(70, 4);
    tracer.set({ mask: 1 });
    expect(tracer.trace([0, 0, 0], [200, 0, 0]).fraction).toBe(1);
    const fixed = withPose(defineTracer({ shape: { kind: 'ray' }, trace: (_s, _e, out) => out }));
    expect(() => fixed.set({ mask: 1 })).toThrow(new TypeError('this tracer cannot change its size or mask'));
  });

  it('keeps what is left out, and refuses what is not finite', () => {
    const tracer = placed();
    tracer.place({ origin: [100, 0, 0] });
    tracer.place({ angles: [0, 90, 0] });
    tracer.place({});
    expect(tracer.trace([0, 0, 0], [200, 0, 0]).fraction).toBeCloseTo(0.3, 6);
    expect(() => tracer.place({ origin: [Number.NaN, 0, 0] })).toThrow('origin[0]');
    expect(() => tracer.place({ angles: [0, Number.NaN, 0] })).toThrow('angles[1]');
    expect(() => tracer.trace([0, 0, 0], [0, Number.NaN, 0])).toThrow('end[1]');
    expect(() => tracer.blocked([0, 0, 0], [0, Number.NaN, 0])).toThrow('end[1]');
  });
});
