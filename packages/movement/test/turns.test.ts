import { expect, it } from 'vitest';
import { createTurns, turnVectors } from '../src/turns.ts';

it('directions forward and right do not depend on earlier angles, signs of zero included', () => {
  const factor = Math.PI / 180;
  const angles = [
    [0, 0, 0],
    [-0, 0, 0],
    [-0, -0, -0],
    [30, 0, -0],
    [30, 90, 0],
    [0, 90, 0],
  ];
  const used = createTurns(factor);
  for (const turned of angles) {
    const [v, fresh] = [Float32Array.from([...turned, 0, 0, 0, 0, 0, 0]), new Float32Array(9)];
    fresh.set(v);
    turnVectors(used, v, 0, 3, 6);
    turnVectors(createTurns(factor), fresh, 0, 3, 6);
    for (const [k, x] of v.entries()) expect(Object.is(x, fresh[k]), `${turned}, ${k}`).toBe(true);
  }
});
