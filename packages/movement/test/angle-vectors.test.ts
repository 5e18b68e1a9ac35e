import { describe, expect, it } from 'vitest';
import { angleVectors } from '../src/index.ts';

const f = Math.fround;

/** The engines' `AngleVectors`, with the sines of this JavaScript engine, which are rounded to float32. */
function inEngine(angles: readonly number[]): number[] {
  const waves = angles.map((angle) => {
    const radians = f(angle * ((Math.PI * 2) / 360));
    return [f(Math.sin(radians)), f(Math.cos(radians))] as const;
  });
  const [[sp, cp], [sy, cy], [sr, cr]] = waves as [
    readonly [number, number],
    readonly [number, number],
    readonly [number, number],
  ];
  return [
    ...[f(cp * cy), f(cp * sy), -sp],
    ...[f(f(f(-sr * sp) * cy) + f(-cr * -sy)), f(f(f(-sr * sp) * sy) + f(-cr * cy)), f(-sr * cp)],
    ...[f(f(f(cr * sp) * cy) + f(-sr * -sy)), f(f(f(cr * sp) * sy) + f(-sr * cy)), f(cr * cp)],
  ];
}

describe('angleVectors', () => {
  it('gives the directions that the engines compute, whatever was asked before', () => {
    const [forward, right, up] = [new Float32Array(3), new Float32Array(3), new Float32Array(3)];
    for (let pitch = -90; pitch <= 90; pitch += 15) {
      for (let yaw = -360; yaw <= 360; yaw += 7) {
        for (const roll of [-0, 0, 33.5, -170]) {
          const angles = [pitch, yaw, roll];
          expect(angleVectors(angles, forward, right, up)).toBe(forward);
          expect([...forward, ...right, ...up], `${angles}`).toEqual(inEngine(angles));
        }
      }
    }
  });

  it('looks along x without angles, down by a positive pitch, and to the left by a positive yaw', () => {
    const right = new Float32Array(3);
    expect([...angleVectors([0, 0, 0], new Float32Array(3), right)]).toEqual([1, 0, -0]);
    expect([...right]).toEqual([0, -1, -0]);
    expect(angleVectors([30, 0, 0], new Float32Array(3))[2]).toBeCloseTo(-0.5, 6);
    expect(angleVectors([0, 30, 0], new Float32Array(3))[1]).toBeCloseTo(0.5, 6);
  });

  it('may write over the angles', () => {
    const own = Float32Array.of(10, 20, 30);
    const other = new Float32Array(3);
    angleVectors([10, 20, 30], other);
    expect(angleVectors(own, own)).toEqual(other);
  });

  it('writes nothing if a vector is too short', () => {
    const forward = Float32Array.of(7, 7, 7);
    expect(() => angleVectors([0, 0, 0], forward, undefined, new Float32Array(2))).toThrow(
      new RangeError('up must hold 3 numbers, got 2'),
    );
    expect([...forward]).toEqual([7, 7, 7]);
  });
});
