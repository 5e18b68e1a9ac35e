import { describe, expect, it } from 'vitest';
import {
  type BodyPlanes,
  between,
  bodyFaces,
  bodyVolume,
  createRandom,
  direction,
  dot,
  drawnFaces,
  isEndlessBody,
  missingBevels,
  pushOut,
  unitPlanes,
  type Vec,
  windingArea,
} from '../src/index.ts';

const MINS = [-15, -15, -24];
const MAXS = [15, 15, 32];
const AXES: readonly Vec[] = [
  [-1, 0, 0],
  [1, 0, 0],
  [0, -1, 0],
  [0, 1, 0],
  [0, 0, -1],
  [0, 0, 1],
];
const CUBE = AXES.flatMap((axis) => [...axis, 8]);
/** Half of the cube, from edge to edge. */
const WEDGE = unitPlanes([...CUBE, 1, 0, 1, 0]);

const withBevels = (planes: BodyPlanes): BodyPlanes =>
  Float64Array.of(...planes, ...missingBevels(planes, bodyFaces(planes)));

const cornersOf = (planes: BodyPlanes): Vec[] =>
  bodyFaces(planes).flatMap((face) =>
    Array.from({ length: (face?.length ?? 0) / 3 }, (_, k) => face!.slice(3 * k, 3 * k + 3) as Vec),
  );

const reach = (corners: readonly Vec[], way: Vec): number =>
  Math.max(...corners.map((corner) => dot(corner, way)));

/** How far a box's traced point can be from the origin along a direction while the box touches a body with these corners. */
const reachTouching = (corners: readonly Vec[], way: Vec): number =>
  reach(corners, way) + way.reduce((sum, x, k) => sum - x * (x < 0 ? MAXS[k]! : MINS[k]!), 0);

describe('bodies', () => {
  it('have faces where their planes bound them, and a volume', () => {
    const cube = unitPlanes(CUBE);
    expect(bodyFaces(cube).map((face) => face?.length)).toEqual(Array(6).fill(12));
    expect(bodyVolume(bodyFaces(cube))).toBeCloseTo(16 ** 3, 6);
    // A plane that is there twice, and one that only touches an edge.
    const more = unitPlanes([...CUBE, ...CUBE.slice(0, 4), 1, 1, 0, 16]);
    expect(bodyFaces(more).map((face) => face !== undefined)).toEqual([...Array(6).fill(true), false, false]);
    expect(bodyVolume(bodyFaces(WEDGE))).toBeCloseTo(16 ** 3 / 2, 6);
  });

  it('have one face of parallel planes, however close these are: the innermost', () => {
    for (const gap of [1e-5, 1 / 512, 1]) {
      const inner = [1, 0, 0, 8 - gap];
      for (const planes of [unitPlanes([...CUBE, ...inner]), unitPlanes([...inner, ...CUBE])]) {
        const isOuter = (side: number): boolean => planes[4 * side] === 1 && planes[4 * side + 3] === 8;
        for (const faces of [bodyFaces(planes), drawnFaces(planes)])
          expect(faces.map((face, side) => !face === isOuter(side))).toEqual(Array(7).fill(true));
      }
    }
  });

  it.each([100_000, 2 ** 20])('have ends %d units out', (far) => {
    const planes = unitPlanes(AXES.flatMap((axis) => [...axis, far]));
    expect(bodyFaces(planes).map((face) => face?.length)).toEqual(Array(6).fill(12));
    expect(isEndlessBody(planes, bodyFaces(planes))).toBe(false);
    expect(isEndlessBody(planes.subarray(4), bodyFaces(planes.subarray(4)))).toBe(true);
  });

  it('have a volume far away, too', () => {
    const far = AXES.flatMap((axis) => [...axis, 0.5 + dot(axis, [40_000, -40_000, 40_000])]);
    const planes = unitPlanes(far);
    expect(bodyVolume(bodyFaces(planes))).toBeCloseTo(1, 3);
    expect(isEndlessBody(planes, bodyFaces(planes))).toBe(false);
  });

  it('have small faces, but none of hardly any area', () => {
    const small = AXES.flatMap((axis) => [...axis, 0.25]);
    // Planes through an edge, or as good as.
    const facesCut = (depth: number): number => {
      const dist = 0.25 * Math.SQRT2 - depth;
      const planes = unitPlanes([...small, Math.SQRT1_2, Math.SQRT1_2, 0, dist]);
      return bodyFaces(planes).filter((face) => face !== undefined).length;
    };
    expect([facesCut(0.1), facesCut(0.01), facesCut(5e-4), facesCut(0)]).toEqual([7, 7, 6, 6]);
  });

  it('have no volume where their planes leave nothing', () => {
    const nothing = unitPlanes([...CUBE, 1, 0, 0, -9]);
    expect(bodyFaces(nothing).every((face) => face === undefined)).toBe(true);
    expect(bodyVolume(bodyFaces(nothing))).toBe(0);
    expect(bodyVolume(bodyFaces(unitPlanes([...CUBE, 1, 0, 0, -8])))).toBeCloseTo(0, 6);
  });

  it('are endless if planes are missing', () => {
    const cube = unitPlanes(CUBE);
    expect(isEndlessBody(cube, bodyFaces(cube))).toBe(false);
    for (let side = 0; side < 6; side++) {
      const open = cube.filter((_, k) => Math.floor(k / 4) !== side);
      expect(isEndlessBody(open, bodyFaces(open))).toBe(true);
    }
  });

  it('are drawn counter-clockwise, without the faces that a missing plane leaves open', () => {
    const turned = [
      [2, 2, 1],
      [-2, 1, 2],
      [1, -2, 2],
    ].flatMap(([x, y, z]) => [-1, 1].flatMap((sign) => [sign * x!, sign * y!, sign * z!, 24]));
    for (const planes of [unitPlanes(CUBE), unitPlanes(turned)].map((all) =>
      all.map((x, k) => (k % 4 === 3 ? 8 : x)),
    )) {
      for (const missing of [-1, 0, 1, 2, 3, 4, 5]) {
        const given = planes.filter((_, k) => Math.floor(k / 4) !== missing);
        for (const [side, face] of drawnFaces(given).entries()) {
          const normal = [...given.subarray(4 * side, 4 * side + 3)];
          const isClosed = missing < 0 || normal.every((x, k) => x === -planes[4 * missing + k]!);
          expect(face?.length).toBe(isClosed ? 12 : undefined);
          if (face) expect(dot(windingArea(face), normal as unknown as Vec)).toBeCloseTo(-256);
        }
      }
    }
  });
});

describe('bevels', () => {
  it('are missing only where boxes reach beyond the planes', () => {
    const cube = unitPlanes(CUBE);
    expect(missingBevels(cube, bodyFaces(cube))).toHaveLength(0);
    // The wedge's sharp edges are along y: the cube's planes are all that it needs, and it has them.
    expect(missingBevels(WEDGE, bodyFaces(WEDGE))).toHaveLength(0);
    const bare = unitPlanes([-1, 0, 0, 8, 0, -1, 0, 8, 0, 1, 0, 8, 0, 0, -1, 8, 1, 0, 1, 0]);
    expect(Array.from(missingBevels(bare, bodyFaces(bare)), Math.round)).toEqual([1, 0, 0, 8, 0, 0, 1, 8]);
    const sloped = unitPlanes([...AXES.flatMap((axis) => [...axis, 8]), 1, 2, 3, 4]);
    const bevels = missingBevels(sloped, bodyFaces(sloped));
    expect(bevels.length).toBeGreaterThan(0);
    expect([...bevels].some((x) => Object.is(x, -0))).toBe(false);
  });

  it('make pushed-out planes bound exactly where a box touches the body', () => {
    const random = createRandom(11);
    let lacking = 0;
    let worst = 0;
    for (let k = 0; k < 40; k++) {
      const cuts = Array.from({ length: 1 + (k % 6) }, () => [...direction(random), between(random, 3, 9)]);
      const planes = unitPlanes([...CUBE, ...cuts.flat()]);
      const corners = cornersOf(planes);
      const bare = cornersOf(pushOut(planes, MINS, MAXS));
      const whole = cornersOf(pushOut(withBevels(planes), MINS, MAXS));
      let most = 0;
      for (let i = 0; i < 100; i++) {
        const way = direction(random);
        const far = reachTouching(corners, way);
        worst = Math.max(worst, Math.abs(reach(whole, way) - far));
        most = Math.max(most, reach(bare, way) - far);
      }
      if (most > 0.5) lacking++;
    }
    expect(worst).toBeLessThan(0.02);
    expect(lacking).toBeGreaterThan(30);
  });
});
