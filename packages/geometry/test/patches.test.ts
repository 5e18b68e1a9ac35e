import { expect, it } from 'vitest';
import { between, createRandom } from '../src/index.ts';
import { crossInto, normalize, type V3 } from '../src/patches/math.ts';

it('vectors of patches are rounded in the same way along each axis, at every step', () => {
  const random = createRandom(5);
  const vector = (): V3 => [0, 1, 2].map(() => Math.fround(between(random, -300, 300))) as V3;
  const turned = ([x, y, z]: V3): V3 => [y, z, x];
  for (let k = 0; k < 200; k++) {
    const [a, b] = [vector(), vector()];
    const across = crossInto([0, 0, 0], a, b);
    expect(crossInto([0, 0, 0], turned(a), turned(b))).toEqual(turned(across));
    expect(crossInto([0, 0, 0], turned(turned(a)), turned(turned(b)))).toEqual(turned(turned(across)));
    const length = normalize(across);
    expect([...across, length].map(Math.fround)).toEqual([...across, length]);
  }
});
