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

it('compares a plane with few others, however many are as far from the origin', () => {
  const planes = new PlaneSet();
  let looks = 0;
  const dist = new Proxy<number[]>([], {
    get(list, key) {
      looks++;
      return Reflect.get(list, key);
    },
  });
  Object.assign(planes, { dist });
  const count = 2000;
  for (let k = 0; k < count; k++) {
    const [z, angle] = [1 - (k + 0.5) / count, 2.4 * k];
    const across = Math.sqrt(1 - z * z);
    planes.find(across * Math.cos(angle), across * Math.sin(angle), z, 16);
  }
  expect(planes.size).toBe(2 * count);
  expect(looks / count).toBeLessThan(40);
});

it('finds the plane that a look at all of them finds', () => {
  const near = (least: number, most: number, by: number) =>
    fc
      .tuple(fc.integer({ min: least, max: most }), fc.double({ min: -by, max: by, noNaN: true }))
      .map(([whole, rest]) => whole / 8 + rest);
  const plane = fc.tuple(near(-8, 8, 3e-6), near(-8, 8, 3e-6), near(-40, 40, 0.03));
  fc.assert(
    fc.property(fc.array(plane, { minLength: 2, maxLength: 60 }), (all) => {
      const planes = new PlaneSet();
      for (const [x, y, dist] of all) {
        const length = Math.sqrt(x * x + y * y + 1);
        const normal = [x / length, y / length, 1 / length] as const;
        // The first of a pair faces the way of its largest component.
        const largest = normal.reduce((most, n) => (Math.abs(n) > Math.abs(most) ? n : most), 0);
        const sign = largest < 0 ? -1 : 1;
        const equal = Array.from({ length: planes.size / 2 }, (_, k) => 2 * k).filter(
          (k) =>
            Math.abs(planes.dist[k]! - sign * dist) < 0.01 &&
            [planes.nx, planes.ny, planes.nz].every(
              (list, axis) => Math.abs(list[k]! - sign * normal[axis]!) < 2e-6,
            ),
        );
        equal.sort((a, b) => Math.floor(planes.dist[a]!) - Math.floor(planes.dist[b]!) || a - b);
        const [first = planes.size] = equal;
        expect(planes.find(...normal, dist)).toBe(sign < 0 ? first ^ 1 : first);
      }
    }),
  );
});
