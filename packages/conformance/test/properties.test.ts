import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

/** What a property's failure says, and its cause. */
function failureOf<T>(property: fc.IProperty<T>, options?: fc.Parameters<T>): Error {
  try {
    fc.assert(property, options);
  } catch (error) {
    return error as Error;
  }
  throw new Error('it holds');
}

describe('a property that does not hold', () => {
  const below = fc.property(
    fc.integer({ min: 0, max: 1000 }),
    (number) => void expect(number).toBeLessThan(5),
  );

  it('says for which case, why, and how to try that alone', () => {
    const { message, cause } = failureOf(below);
    const [, path, seed] = /\{ path: '(\d+)', seed: (\d+) \}$/.exec(message) ?? [];
    expect(message).toMatch(/^the property does not hold for case \d+, made as simple as possible: \[5\]\n/);
    expect((cause as Error).message).toContain('expected 5 to be less than 5');
    const again = failureOf(below, { path: path!, seed: Number(seed) });
    expect(again.message).toContain('case 1, made as simple as possible: [5]');
  });

  it('shows no more of it than can be read', () => {
    const long = fc.property(fc.constant('x'.repeat(100_000)), (text) => text === '');
    expect(failureOf(long).message.length).toBeLessThan(2000);
  });

  it('is also one that no case suits', () => {
    const none = fc.property(fc.integer(), () => fc.pre(false));
    expect(failureOf(none).message).toContain('too many pre-condition failures');
  });
});
