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

it.each([
  // Printed by a C program with the engines' own formula, in SSE. Players in recorded moves seldom lean to the side.
  [
    [-180, -132.75, 92],
    [0.678800762, 0.734322488, -8.74227766e-8],
    [0.0256275199, -0.0236897189, 0.999390841],
  ],
  [
    [119.25, -167.5, -160.75],
    [0.47703886, 0.105757028, -0.872496068],
    [-0.0764968395, -0.983970046, -0.161093786],
  ],
  [
    [-42, -156, -29.75],
    [-0.678896606, -0.302264184, 0.669130623],
    [-0.049800396, 0.928189337, 0.368760705],
  ],
  [
    [47.75, 92.25, 176.75],
    [-0.0263969582, 0.671848416, -0.740218103],
    [-0.995974422, -0.0811293423, -0.038118396],
  ],
])('directions are those of native code, to the last bit: %j', (angles, forward, right) => {
  const v = new Float32Array(9);
  v.set(angles);
  turnVectors(createTurns(), v, 0, 3, 6);
  expect(v.subarray(3)).toEqual(Float32Array.of(...forward, ...right));
});
