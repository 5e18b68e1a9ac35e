import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { plainOf } from '../src/format/index.ts';

it('an object is plain with all that can be read from it, but without what all objects have', () => {
  class Base {
    inherited = 0;
    get first(): number {
      return 1;
    }
    get second(): number {
      return -2;
    }
    method(): number {
      return 3;
    }
  }
  class Options extends Base {
    own = undefined;
    call = Math.abs;
    override get second(): number {
      return 2;
    }
  }
  expect(plainOf(new Options())).toStrictEqual({
    inherited: 0,
    own: undefined,
    call: Math.abs,
    second: 2,
    first: 1,
  });
  expect(plainOf(Object.create({ mask: 5, set: Math.abs }))).toStrictEqual({ mask: 5 });
  expect(plainOf(Object.assign(Object.create(null), { mask: 5 }))).toStrictEqual({ mask: 5 });
  expect(plainOf(runInNewContext('({ mask: 5 })'))).toStrictEqual({ mask: 5 });
  // A framework's mark, as Vue's markRaw makes it.
  expect(plainOf(Object.defineProperty({ mask: 5 }, '__v_skip', { value: true }))).toStrictEqual({ mask: 5 });
  const named = JSON.parse('{ "__proto__": 1 }');
  expect(Object.entries(plainOf(named))).toEqual([['__proto__', 1]]);
});
