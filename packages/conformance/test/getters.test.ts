import { accessorsOf, expectAllOrNothing } from '@bspkit/testkit/getters';
import { expect, it } from 'vitest';

it('a call that changes something and then throws is noticed, and so is one that reads or changes too little', () => {
  let state = { a: 0, b: 0 };
  const fresh = (): { a: number; b: number } => {
    state = { a: 0, b: 0 };
    return { a: 1, b: 2 };
  };
  type Options = ReturnType<typeof fresh>;
  const changes: Record<string, (options: Options) => unknown> = {
    atOnce: ({ a, b }) => Object.assign(state, { a, b }),
    oneByOne: (options) => {
      state.a = options.a;
      state.b = options.b;
    },
    oneAlone: ({ a }) => Object.assign(state, { a }),
    none: ({ a, b }) => a + b,
    other: ({ a, b }) => {
      throw new TypeError(`${a} and ${b}`);
    },
  };
  const tried = (name: string) => (): void => expectAllOrNothing(fresh(), changes[name]!, () => state);
  tried('atOnce')();
  expect(tried('oneByOne')).toThrow('after read 2, of b');
  for (const name of ['oneAlone', 'none', 'other']) expect(tried(name), name).toThrow();
});

it('options may be accessors of a class', () => {
  const options = accessorsOf({ a: 1 });
  expect([Object.keys(options), options.a]).toEqual([[], 1]);
});
