import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PlaneSet } from '../src/planes.ts';

it('among several planes that equal another, takes the one with the least whole unit, then the oldest', () => {
  const planes = new PlaneSet();
  // Each differs from the next by less than a hundredth, and equals any plane in between.
  const [over, under, far] = [5.006, 4.995, 5.017].map((dist) => planes.find(0, 0, 1, dist));
  expect(new Set([over, under, far]).size).toBe(3);
  expect(planes.find(0, 0, 1, 5.0005)).toBe(under);
  expect(planes.find(0, 0, 1, 5.012)).toBe(over);
  expect(planes.find(0, 0, -1, -5.012)).toBe(over! ^ 1);
});

it('finds a plane whatever its distance', () => {
  fc.assert(
    fc.property(fc.double({ min: -70_000, max: 70_000, noNaN: true }), (dist) => {
      const planes = new PlaneSet();
      const plane = planes.find(1, 0, 0, dist);
      for (const near of [-0.005, 0, 0.005]) expect(planes.find(1, 0, 0, dist + near)).toBe(plane);
      expect(planes.find(1, 0, 0, dist + 0.03)).not.toBe(plane);
    }),
  );
});

it('keeps a plane that is not quite axial from having a component of 1, as engines would take it for one that is', () => {
  const tilt = 2 ** -16;
  for (const axis of [0, 1, 2]) {
    for (const other of [0, 1, 2]) {
      if (other === axis) continue;
      const planes = new PlaneSet();
      const normal = [0, 1, 2].map((k) => (k === axis ? 1 : k === other ? tilt : 0)) as [
        number,
        number,
        number,
      ];
      const plane = planes.find(...normal, 5);
      const stored = [planes.nx, planes.ny, planes.nz].map((components) => components[plane]);
      expect(stored).toEqual(normal.map((x) => (x === 1 ? 1 - 2 ** -24 : x)));
      expect(planes.type(plane)).toBe(3 + axis);
    }
  }
});
