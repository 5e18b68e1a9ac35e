import { describe, expect, it } from 'vitest';
import { cos, sin } from '../src/format/index.ts';

const f = Math.fround;

/** Angles whose sine or cosine differs from the platform's as float32, signs of zeros included. */
function differing(angles: Iterable<number>): number[] {
  const found: number[] = [];
  for (const x of angles) {
    const isSame = Object.is(f(sin(x)), f(Math.sin(x))) && Object.is(f(cos(x)), f(Math.cos(x)));
    if (!isSame) found.push(x);
  }
  return found;
}

/** In the games' arithmetic: the factor a double or a float32, the product rounded or not. */
function* radiansOf(degrees: number): Generator<number> {
  yield f(degrees * ((Math.PI * 2) / 360));
  yield f(f(degrees) * f((Math.PI * 2) / 360));
  yield degrees * (Math.PI / 180);
}

const viewAngles = function* (): Generator<number> {
  for (let k = -0x8000; k < 0x10000; k++) yield* radiansOf((k * 360) / 0x10000);
};

const some = function* (count: number, angle: (random: () => number) => number): Generator<number> {
  let state = 1;
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 0x100000000;
  };
  for (let k = 0; k < count; k++) yield angle(random);
};

describe('sine and cosine, as float32, are those of the platform', () => {
  it('for all 65,536 view angles', () => expect(differing(viewAngles())).toEqual([]));

  it('for 1,000,000 angles', () => {
    expect(differing(some(500_000, (random) => f((random() - 0.5) * 20)))).toEqual([]);
    expect(differing(some(500_000, (random) => (random() - 0.5) * 1e6))).toEqual([]);
  });

  it('for angles of any size, down to the smallest and up to the largest float32', () => {
    // Bits of a float32, positive and finite.
    const bits = new Uint32Array(1);
    const floats = new Float32Array(bits.buffer);
    const any = (random: () => number): number => {
      bits[0] = Math.floor(random() * 0x7f800000);
      return random() < 0.5 ? floats[0]! : -floats[0]!;
    };
    expect(differing(some(50_000, any))).toEqual([]);
    expect(differing([0, -0, 5e-324, 5e5, -5e5, 499_999.97, f(3.4028234663852886e38)])).toEqual([]);
    const quarters = Array.from({ length: 2000 }, (_, k) => (k - 1000) * (Math.PI / 4));
    expect(differing(quarters)).toEqual([]);
  });

  it('and NaN where they have none', () => {
    for (const x of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e39]) {
      expect([sin(x), cos(x)]).toEqual([Number.NaN, Number.NaN]);
    }
  });
});

it('sines are the same bits on every machine', () => {
  // The doubles nearest to the true values.
  expect([sin(1), cos(1), sin(100)]).toEqual([0.8414709848078965, 0.5403023058681398, -0.5063656411097588]);
  expect([cos(1e6), sin(1e22)]).toEqual([0.9367521275331447, -0.8522008497671888]);
});
