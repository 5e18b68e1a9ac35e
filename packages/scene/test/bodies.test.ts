import { inspect } from 'node:util';
import type { Bounds, Pose, Vec3 } from '@bspkit/core';
import { between, createRandom } from '@bspkit/geometry';
import { seedOf } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import { Bodies } from '../src/bodies.ts';
import { createBody, createScene, withPose } from '../src/index.ts';
import { RULES } from '../src/rules/index.ts';
import { cube, hit, miss } from './answers.ts';

describe('what a scene says about its bodies', () => {
  it('is where they are, and what they are', () => {
    const scene = createScene();
    const collider = cube(5);
    const owner = scene.add(collider);
    const player = { name: 'Anna' };
    const number = scene.add(collider, { origin: [1, 2, 3], contents: 4, owner, data: player });
    const body = scene.body(number);
    expect(body).toMatchObject({ number, collider, contents: 4, owner, solid: 'box', data: player });
    expect([...body.origin]).toEqual([1, 2, 3]);
    expect([...body.angles]).toEqual([0, 0, 0]);
    expect([...(body.bounds.mins as Float32Array)]).toEqual([-5, -5, -5]);
    expect([...(body.bounds.maxs as Float32Array)]).toEqual([5, 5, 5]);
    scene.move(number, { origin: [9, 9, 9], solid: 'trigger', data: 'other' });
    expect(body).toMatchObject({ solid: 'trigger', data: 'other', contents: 4 });
    expect(body.origin[0]).toBe(9);
    body.data = 7;
    expect(scene.body(number).data).toBe(7);
    scene.move(number, { solid: 'none', bounds: { mins: [0, 0, 0], maxs: [1, 1, 1] }, angles: [0, 90, 0] });
    expect([body.solid, body.bounds.maxs[0], body.angles[1]]).toEqual(['none', 1, 90]);
    scene.move(number, { solid: 'model', contents: 0, owner: -1 });
    expect([body.solid, body.contents, body.owner]).toEqual(['model', 0, -1]);
  });

  it('is that boxes with `resize` do not turn, whoever made them', () => {
    const slab = createBody({ kind: 'box', mins: [-5, -40, -5], maxs: [5, 40, 5] });
    const ray = slab.ray({ epsilon: 0 });
    // Without `place`, so that the scene moves it.
    const unplaced = { shape: ray.shape, createTrace: ray.createTrace, set: ray.set.bind(ray) };
    const { bounds } = slab;
    const collider = {
      bounds,
      contents: (_point: Vec3, { angles }: Pose) => (angles![1] === 0 ? 1 : 2),
      resize: () => {},
      ray: () => ({ ...unplaced, trace: ray.trace.bind(ray), blocked: ray.blocked.bind(ray) }) as typeof ray,
    };
    const scene = createScene({ ...miss(), contents: () => 0 });
    const body = scene.add(collider, { origin: [100, 0, 0], angles: [0, 90, 0], solid: 'model' });
    const found = new Int32Array(1);
    expect(scene.ray().trace([0, 39, 0], [200, 39, 0]).fraction).toBeCloseTo(95 / 200, 6);
    expect(scene.ray().blocked([61, -50, 0], [61, 50, 0])).toBe(false);
    expect(scene.touching({ center: [100, 39, 0], radius: 0 }, -1, found)).toBe(1);
    expect(scene.touching({ center: [61, 0, 0], radius: 0 }, -1, found)).toBe(0);
    expect(scene.contents([100, 39, 0])).toBe(1);
    expect([...scene.body(body).angles]).toEqual([0, 90, 0]);
  });

  it.each([
    ['mins', { mins: [-9, -5, -5], maxs: [5, 5, 5] }],
    ['maxs', { mins: [-5, -5, -5], maxs: [5, 5, 9] }],
  ])('is the size that their collider has when they are moved, if only its %s have changed', (_, larger) => {
    const collider = hit(1);
    const own = (bounds: Bounds) => Object.assign(collider, { bounds });
    const scene = createScene();
    scene.add(cube(5));
    const body = scene.add(own({ mins: [-5, -5, -5], maxs: [5, 5, 5] }));
    own(larger);
    scene.move(body, {});
    const { mins, maxs } = scene.ownBounds(body);
    expect({ mins: [...mins], maxs: [...maxs] }).toEqual(larger);
  });

  it('is not in a copy, which TypeScript refuses', () => {
    const scene = createScene();
    const body = scene.body(scene.add(cube(5), { origin: [1, 2, 3] }));
    const copy = { ...body };
    // @ts-expect-error it has no property
    expect(copy.origin).toBeUndefined();
    const { origin } = body;
    expect([...origin]).toEqual([1, 2, 3]);
    // Passed on whole, it is a pose, and the same body in another scene.
    const other = createScene();
    expect([...other.body(other.add(body.collider, body)).origin]).toEqual([1, 2, 3]);
  });

  it('is what engines know of them besides', () => {
    const scene = createScene();
    const number = scene.add(cube(5));
    const body = scene.body(number);
    for (const name of ['monster', 'item', 'pushable', 'monsterClip'] as const) {
      expect(body[name]).toBe(false);
      scene.move(number, { [name]: true, solid: 'trigger' });
      const { monster, item, pushable, monsterClip } = body;
      expect({ monster, item, pushable, monsterClip, [name]: false }).toEqual({
        ...{ monster: false, item: false, pushable: false, monsterClip: false },
      });
      expect([body[name], body.solid]).toEqual([true, 'trigger']);
      scene.move(number, { [name]: false });
      expect(body[name]).toBe(false);
    }
    expect(scene.body(scene.add(cube(5), { monster: true, item: true }))).toMatchObject({
      ...{ monster: true, item: true, pushable: false, monsterClip: false },
    });
  });

  it('ends when they are removed, even if the number is reused', () => {
    const scene = createScene();
    const first = scene.add(cube(1));
    const owned = scene.add(cube(1), { owner: first });
    const body = scene.body(first);
    scene.remove(first);
    expect(() => body.origin).toThrow(new RangeError(`there is no body ${first} in this scene`));
    expect(() => scene.body(first)).toThrow(RangeError);
    expect(scene.body(owned).owner).toBe(-1);
    expect(scene.add(cube(2))).toBe(first);
    expect(() => body.data).toThrow(
      new RangeError(`body ${first} was removed, and another has its number now`),
    );
    expect(scene.body(first).data).toBeUndefined();
  });

  it('is who owns them, wherever owners come and go', () => {
    const random = createRandom(seedOf(11));
    const scene = createScene();
    const owners = new Map<number, number>();
    for (let step = 0; step < 3000; step++) {
      const body = 1 + Math.floor(between(random, 0, 200));
      // Those above 200 are nobody's numbers, and so are many others.
      const owner = Math.floor(between(random, -1, 300));
      if (!owners.has(body)) {
        scene.add(cube(1), { number: body, owner });
        owners.set(body, owner);
      } else if (step % 3 === 0) {
        scene.move(body, { owner });
        owners.set(body, owner);
      } else {
        scene.remove(body);
        owners.delete(body);
        for (const [owned, its] of owners) if (its === body) owners.set(owned, -1);
      }
      if (step % 50 === 0)
        expect(new Map([...scene].map((each) => [each.number, each.owner]))).toEqual(owners);
    }
  });

  it('does not take a look at all of them to remove one, however many are owned', () => {
    const bodies = new Bodies(undefined, RULES.nearest);
    const owner = bodies.add(cube(1), {});
    for (let k = 0; k < 500; k++) bodies.add(cube(1), { owner });
    let reads = 0;
    bodies.owners = new Proxy(bodies.owners, {
      get(owners, body) {
        reads++;
        return Reflect.get(owners, body);
      },
    });
    for (let body = 2; body < 102; body++) bodies.remove(body);
    expect(reads).toBeLessThan(10 * 100);
  });

  it('is a pose', () => {
    const scene = createScene();
    const body = scene.body(scene.add(cube(5), { origin: [1, 2, 3], angles: [0, 90, 0] }));
    const ray = withPose(cube(5).ray());
    ray.place(body);
    expect(ray.trace([1, 2, 30], [1, 2, -30]).endPos[2]).toBe(8.125);
  });

  it('is a pose that is written where one likes', () => {
    const scene = createScene();
    const body = scene.add(cube(5), { origin: [1, 2, -0], angles: [0, 90, 0] });
    const out = { origin: new Float32Array(3), angles: new Float32Array(3) };
    expect(scene.pose(body, out)).toBe(out);
    expect(out).toEqual({ origin: Float32Array.of(1, 2, -0), angles: Float32Array.of(0, 90, 0) });
    const other = scene.add(cube(5), { origin: [3, 4, 5], angles: [1, 2, 3] });
    expect(scene.pose(other, out)).toEqual({
      origin: Float32Array.of(3, 4, 5),
      angles: Float32Array.of(1, 2, 3),
    });
    scene.remove(other);
    expect(() => scene.pose(body + 1, out)).toThrow(new RangeError('there is no body 2 in this scene'));
    for (const name of ['origin', 'angles'] as const) {
      const wrong = { ...out, [name]: [0, 0, 0] };
      const wanted = `out.${name} must be a Float32Array, got an array`;
      expect(() => scene.pose(body, wrong as never)).toThrow(new TypeError(wanted));
      const short = { ...out, [name]: new Float32Array(2) };
      expect(() => scene.pose(body, short)).toThrow(new RangeError(`out.${name} must hold 3 numbers, got 2`));
    }
  });

  it('is available by iterating, in the order of numbers', () => {
    const scene = createScene();
    for (let k = 0; k < 40; k++) scene.add(cube(1), { data: k });
    for (let body = 2; body <= 40; body += 3) scene.remove(body);
    const numbers = [...scene].map(({ number }) => number);
    expect(numbers).toHaveLength(scene.count);
    expect([numbers[0], numbers.at(-1)]).toEqual([1, 40]);
    expect(numbers).toEqual(numbers.filter((number) => number % 3 !== 2));
    expect([...scene].every(({ number, data }) => data === number - 1)).toBe(true);
    // Bodies may be removed during the iteration.
    for (const { number } of scene) scene.remove(number);
    expect([scene.count, [...scene]]).toEqual([0, []]);
  });

  it('is one line when printed', () => {
    const scene = createScene(cube(9), { rules: 'quake3' });
    scene.add(cube(1));
    expect(inspect(scene)).toBe('Scene { 1 body, rules quake3 }');
    expect(inspect(scene.box([-1, -1, -1], [1, 1, 2]))).toBe(
      'SceneTracer { box -1 -1 -1 to 1 1 2, 1 body, rules quake3 }',
    );
    const first = scene.body(1);
    expect(inspect(first)).toBe('SceneBody { number 1, box at 0 0 0 }');
    scene.remove(1);
    expect(`${first}`).toBe('SceneBody { number 1, removed }');
    scene.add(cube(1), { origin: [1 / 3, 0, 0] });
    expect(`${first} ${scene.body(1)}`).toBe(
      'SceneBody { number 1, removed } SceneBody { number 1, box at 0.3333 0 0 }',
    );
    expect(inspect(cube(1).sphere(3))).toBe('BodyTracer { sphere of radius 3 }');
  });
});

describe('what cannot be a body', () => {
  it.each([['box'], ['capsule']])('is a %s without corners: the error says what one needs', (kind) => {
    const shape = { kind, radius: 16, height: 56 } as never;
    expect(() => createBody(shape)).toThrow(
      new TypeError(
        `shape must be a ${kind} with mins and maxs, the corners of the box around it, got an object`,
      ),
    );
    expect(() => createBody({ kind, mins: [0, 0, 0] } as never)).toThrow('maxs must be three numbers');
  });

  it('is a model whose bounds are inside out, as a file may have them', () => {
    const scene = createScene();
    const bounds = { mins: [0, 5, 0], maxs: [1, 4, 1] };
    const collider = { box: createBody({ kind: 'sphere', radius: 1 }).box, bounds };
    const wrong = new RangeError('bounds.mins[1] must not be above bounds.maxs[1], got 5 and 4');
    expect(() => scene.add(collider as never)).toThrow(wrong);
    expect(scene.count).toBe(0);
    const body = scene.add(createBody({ kind: 'sphere', radius: 1 }));
    expect(() => scene.move(body, { bounds })).toThrow(wrong);
  });
});

describe('touching', () => {
  it('begins where an area and a body have one point in common, on every side', () => {
    const scene = createScene();
    scene.add(cube(8), { origin: [100, 200, 300] });
    const out = new Int32Array(1);
    for (let axis = 0; axis < 3; axis++) {
      for (const side of [-1, 1]) {
        for (const [far, touches] of [
          [8, 1],
          [8.125, 0],
        ] as const) {
          const corner = [100, 200, 300];
          corner[axis]! += side * far;
          const beyond = [...corner];
          beyond[axis]! += 4 * side;
          const [mins, maxs] = side > 0 ? [corner, beyond] : [beyond, corner];
          const name = `axis ${axis}, ${side * far}`;
          expect(scene.touching({ mins, maxs }, -1, out), name).toBe(touches);
          expect(scene.touching({ center: corner, radius: 0 }, -1, out), name).toBe(touches);
          expect(scene.touching({ center: beyond, radius: 4 }, -1, out), name).toBe(touches);
        }
      }
    }
  });

  it('has that point wherever the body is, also where float32 has no number for its sides', () => {
    const random = createRandom(seedOf(3));
    const out = new Int32Array(1);
    for (let k = 0; k < 200; k++) {
      const scene = createScene();
      const origin = [0, 0, 0].map(() => Math.fround(8000 * (random() - 0.5)));
      const half = Math.fround(30 * random());
      scene.add(cube(half), { origin });
      for (const side of [-1, 1]) {
        const [mins, maxs] = [[...origin], [...origin]];
        const at = origin[k % 3]! + side * half;
        mins[k % 3] = Math.min(at, at + side);
        maxs[k % 3] = Math.max(at, at + side);
        expect(scene.touching({ mins, maxs }, -1, out), `${at}`).toBe(1);
        expect(
          scene.touching(
            { mins: mins.map((x) => x + 0.01 * side), maxs: maxs.map((x) => x + 0.01 * side) },
            -1,
            out,
          ),
          `${at}`,
        ).toBe(0);
      }
    }
  });

  const found = new Int32Array(8);
  const list = (scene: ReturnType<typeof createScene>, area: Bounds, mask = -1): number[] =>
    Array.from(found.subarray(0, scene.touching(area, mask, found)));

  it('finds boxes that meet a box or sphere, including triggers, and no others', () => {
    const scene = createScene();
    const model = hit(1);
    const bounds: Bounds = { mins: [-10, -10, -10], maxs: [10, 10, 10] };
    const near = scene.add(model, { bounds });
    const trigger = scene.add(hit(1), { bounds, origin: [20, 0, 0], solid: 'trigger', contents: 2 });
    scene.add(hit(1), { bounds, origin: [20, 0, 0], solid: 'none' });
    const far = scene.add(hit(1), { bounds, origin: [200, 0, 0] });
    // Touching is enough.
    expect(list(scene, { mins: [10, 0, 0], maxs: [10, 0, 0] })).toEqual([near, trigger]);
    expect(list(scene, { mins: [10.01, 0, 0], maxs: [11, 0, 0] })).toEqual([trigger]);
    expect(list(scene, { mins: [10, 0, 0], maxs: [10, 0, 0] }, 2)).toEqual([near, trigger]);
    expect(list(scene, { mins: [10, 0, 0], maxs: [10, 0, 0] }, 4)).toEqual([near]);
    expect(scene.touching({ center: [215, 0, 0], radius: 5 }, -1, found)).toBe(1);
    expect(found[0]).toBe(far);
    // A corner is farther than any face.
    expect(scene.touching({ center: [13, 13, 13], radius: 5 }, -1, found)).toBe(1);
    expect(scene.touching({ center: [13, 13, 13], radius: 5.2 }, -1, found)).toBe(2);
  });

  it('finds bodies of `createBody` by their true shapes', () => {
    const scene = createScene();
    const sphere = createBody({ kind: 'sphere', radius: 10 });
    const ball = scene.add(sphere);
    const pill = scene.add(createBody({ kind: 'capsule', mins: [-5, -5, -20], maxs: [5, 5, 20] }), {
      origin: [100, 0, 0],
    });
    expect(list(scene, { mins: [7, 7, 0], maxs: [9, 9, 0] })).toEqual([ball]);
    expect(list(scene, { mins: [7.1, 7.1, 0], maxs: [9, 9, 0] })).toEqual([]);
    expect(scene.touching({ center: [14, 14, 0], radius: 10 }, -1, found)).toBe(1);
    expect(scene.touching({ center: [15, 15, 0], radius: 10 }, -1, found)).toBe(0);
    expect(list(scene, { mins: [103, 3, 14], maxs: [104, 4, 30] })).toEqual([pill]);
    expect(list(scene, { mins: [104, 4, 18], maxs: [104, 4, 30] })).toEqual([]);
    sphere.resize({ kind: 'sphere', radius: 30 });
    scene.move(ball, {});
    expect(list(scene, { mins: [20, 20, 0], maxs: [20, 20, 0] })).toEqual([ball]);
  });

  it('finds turned bodies by the box around them', () => {
    const scene = createScene();
    const bounds: Bounds = { mins: [-40, -2, -1], maxs: [40, 2, 1] };
    const model = scene.add(hit(1), { bounds });
    const square = scene.add(cube(2), { origin: [0, 0, 100], angles: [0, 45, 0] });
    // In this scene, movers reach far; that has no effect on what is found here.
    scene.box([-100, -100, -100], [100, 100, 100]);
    expect(list(scene, { mins: [0, 20, 0], maxs: [0, 30, 0] })).toEqual([]);
    scene.move(model, { angles: [0, 90, 0] });
    expect(list(scene, { mins: [0, 20, 0], maxs: [0, 30, 0] })).toEqual([model]);
    expect(list(scene, { mins: [20, 0, 0], maxs: [30, 0, 0] })).toEqual([]);
    scene.move(model, { angles: [90, 0, 0] });
    expect(list(scene, { mins: [0, 0, -40], maxs: [0, 0, -39] })).toEqual([model]);
    // Boxes that are not part of a map never turn.
    expect(list(scene, { mins: [2.1, 0, 100], maxs: [3, 0, 100] })).toEqual([]);
    expect(list(scene, { mins: [2, 0, 100], maxs: [3, 0, 100] })).toEqual([square]);
  });

  it.each([
    { angles: [0, 90, 0], axis: 1, low: -40, high: 10 },
    { angles: [0, 180, 0], axis: 0, low: -10, high: 40 },
    { angles: [0, -90, 0], axis: 1, low: -10, high: 40 },
    { angles: [90, 0, 0], axis: 2, low: -10, high: 40 },
  ])(
    'finds a body that reaches farther ahead than back, turned by $angles',
    ({ angles, axis, low, high }) => {
      const scene = createScene();
      const model = scene.add(hit(1), { bounds: { mins: [-40, -2, -1], maxs: [10, 2, 1] }, angles });
      const at = (x: number): number[] => {
        const point = [0, 0, 0].map((_, k) => (k === axis ? x : 0));
        return list(scene, { mins: point, maxs: point });
      };
      expect([low - 0.1, low + 0.1, high - 0.1, high + 0.1].map(at)).toEqual([[], [model], [model], []]);
    },
  );

  it('returns how many there are, and writes as many as there is room for, in order', () => {
    const scene = createScene();
    const random = createRandom(seedOf(1));
    const place = (): number[] => [0, 0, 0].map(() => 400 * (random() - 0.5));
    const origins = Array.from({ length: 300 }, place);
    for (const origin of origins) scene.add(cube(10), { origin });
    const out = new Int32Array(300);
    let most = 0;
    for (let k = 0; k < 50; k++) {
      const center = place();
      const radius = 150 * random();
      const expected = origins.flatMap((origin, body) => {
        const apart = origin.map((x, a) => Math.max(Math.abs(Math.fround(x) - center[a]!) - 10, 0));
        return apart.reduce((sum, x) => sum + x * x, 0) <= radius * radius ? [body + 1] : [];
      });
      expect(scene.touching({ center, radius }, -1, out)).toBe(expected.length);
      expect([...out.subarray(0, expected.length)]).toEqual(expected);
      const few = new Int32Array(3);
      expect(scene.touching({ center, radius }, -1, few)).toBe(expected.length);
      expect([...few]).toEqual([0, 1, 2].map((at) => expected[at] ?? 0));
      most = Math.max(most, expected.length);
    }
    expect(most).toBeGreaterThan(30);
  });

  it('refuses anything but an area', () => {
    const scene = createScene();
    expect(() => scene.touching({ mins: [1, 0, 0], maxs: [0, 0, 0] }, -1, found)).toThrow('mins[0]');
    expect(() => scene.touching({ center: [0, 0, 0], radius: -1 }, -1, found)).toThrow('radius');
    expect(() => scene.touching({ center: [Number.NaN, 0, 0], radius: 1 }, -1, found)).toThrow('center[0]');
    expect(() => scene.touching({ center: [0, 0, 0] } as never, -1, found)).toThrow('radius must be');
    expect(() => scene.touching({ center: [0, 0, 0], radius: 1 }, 0.5, found)).toThrow('mask');
    expect(scene.touching({ center: [0, 0, 0], radius: 1 }, -1, found)).toBe(0);
    const gone = new Int32Array(4);
    structuredClone(gone.buffer, { transfer: [gone.buffer] });
    expect(() => scene.touching({ center: [0, 0, 0], radius: 1 }, -1, gone)).toThrow(
      new TypeError('out must not have been transferred or cut off'),
    );
  });
});

describe('linked boxes', () => {
  const around = { mins: [-300, -300, -300], maxs: [300, 300, 300] };
  const world = { ...miss(), bounds: around };
  const long: Bounds = { mins: [-10, -2, -3], maxs: [40, 2, 3] };

  it.each([
    ['nearest', 1, 0, Math.hypot(40, 2, 3) + 1],
    ['quake1', 1, 15, 0],
    ['quake2', 1, 0, 41],
    ['quake3', 1, 0, Math.fround(Math.hypot(40, 2, 3)) + 1],
    ['ufoai', 0, 0, 0],
  ] as const)('are those of the engine, and found where they meet: %s', (rules, margin, item, turned) => {
    const scene = createScene(world, { rules });
    const at = { origin: [50, 0, 0] };
    const wide = item || margin;
    const [body, thing, trigger] = [{}, { item: true }, { solid: 'trigger' }].map((options) =>
      scene.add(hit(1), { bounds: long, ...at, ...(options as object) }),
    ) as [number, number, number];
    scene.add(hit(1), { bounds: long, ...at, solid: 'none' });
    const box = (number: number): number[] => {
      const { mins, maxs } = scene.linkedBounds(number);
      return [...mins, ...maxs];
    };
    const usual = [40 - margin, -2 - margin, -3 - margin, 90 + margin, 2 + margin, 3 + margin];
    const [low, high] = [item ? -3 : -3 - margin, item ? 3 : 3 + margin];
    expect([body, trigger].map(box)).toEqual([usual, usual]);
    expect(box(thing)).toEqual([40 - wide, -2 - wide, low, 90 + wide, 2 + wide, high]);
    const found = (x: number): number[] => {
      const out = new Int32Array(8);
      const point = [x, 0, 0];
      return [...out.subarray(0, scene.linked({ mins: point, maxs: point }, -1, out))].sort();
    };
    expect(found(90 + margin)).toEqual([body, thing, trigger]);
    expect(found(90.01 + margin)).toEqual(item ? [thing] : []);
    expect(found(90 + wide)).toContain(thing);
    expect(found(90.01 + wide)).toEqual([]);
    scene.move(body, { angles: [0, 90, 0] });
    if (turned > 0) {
      const reach = Math.fround(50 + turned);
      expect(box(body)[3]).toBeCloseTo(reach, 5);
      expect(found(box(body)[3]!)).toContain(body);
      expect(found(reach + 0.01)).not.toContain(body);
    }
  });

  it('stay where they are if a body is moved without being linked, which is found there, but hit where it is', () => {
    const scene = createScene(world, { rules: 'quake3' });
    const out = new Int32Array(2);
    const body = scene.add(cube(5));
    const other = scene.add(cube(5), { origin: [30, 0, 0] });
    const ray = scene.ray();
    const stop = (): number => ray.trace([-50, 0, 0], [0, 0, 0]).endPos[0]!;
    const before = scene.linkedBounds(body);
    scene.move(body, { origin: [2, 0, 0], link: false });
    expect(stop()).toBeCloseTo(-3, 0);
    expect(scene.linkedBounds(body)).toEqual(before);
    // What was linked last comes first.
    expect([scene.linked(around, -1, out), ...out]).toEqual([2, other, body]);
    scene.move(body, { origin: [-20, 0, 0], link: false });
    const point = [5.5, 0, 0];
    expect(scene.linked({ mins: point, maxs: point }, -1, out)).toBe(1);
    scene.move(body, {});
    expect(stop()).toBeCloseTo(-25, 0);
    expect([scene.linked(around, -1, out), ...out]).toEqual([2, body, other]);
    expect(scene.linked({ mins: point, maxs: point }, -1, out)).toBe(0);
  });

  it.each([
    ['nearest', 90],
    ['quake3-client', 90],
    ['quake2-list', 0],
  ] as const)('are where the body is now, unless the rules link bodies: %s', (rules, where) => {
    const scene = createScene(world, { rules });
    const body = scene.add(cube(5));
    scene.move(body, { origin: [90, 0, 0], link: false });
    expect(scene.linkedBounds(body).maxs[0]).toBe(where + 6);
  });

  it('are looked for no farther away than any of them is from its body now', () => {
    const bodies = new Bodies(world, RULES.quake3);
    const [one, other] = [bodies.add(cube(5), {}), bodies.add(cube(5), {})];
    const reach = (): number => bodies.widest.find()[0]!;
    const usual = reach();
    expect(usual).toBeLessThan(20);
    bodies.move(one, { origin: [100, 0, 0], link: false });
    bodies.move(other, { origin: [0, -150, 0], link: false });
    expect(reach()).toBe(151);
    bodies.move(other, {});
    expect(reach()).toBe(101);
    bodies.remove(one);
    expect(reach()).toBe(usual);
    bodies.move(other, { origin: [0, 0, 0], link: false });
    expect(reach()).toBe(151);
  });

  it('are found by contents, and as many as there is room for', () => {
    const scene = createScene(world, { rules: 'quake3' });
    for (let k = 0; k < 5; k++) scene.add(hit(1), { bounds: long, contents: 1 << k });
    const out = new Int32Array(2);
    expect(scene.linked(around, -1, out)).toBe(5);
    // What was linked last comes first.
    expect([...out]).toEqual([5, 4]);
    expect(scene.linked(around, 5, out)).toBe(2);
    expect([...out]).toEqual([3, 1]);
    // One without any is among all.
    scene.move(3, { contents: 0 });
    expect([scene.linked(around, -1, out), scene.linked(around, 5, out)]).toEqual([5, 1]);
    expect([scene.touching(around, -1, out), scene.touching(around, 5, out)]).toEqual([5, 1]);
  });

  it('are found far away too, where numbers are coarse', () => {
    const scene = createScene();
    const out = new Int32Array(1);
    const x = Math.fround(1e8);
    const body = scene.add(cube(5), { origin: [x, 0, 0] });
    for (const side of ['mins', 'maxs'] as const) {
      const point = [...scene.linkedBounds(body)[side]];
      expect(scene.linked({ mins: point, maxs: point }, -1, out)).toBe(1);
    }
  });

  it('are written into what is given, which must have room', () => {
    const scene = createScene();
    const body = scene.add(cube(5));
    const out = { mins: new Float32Array(3), maxs: new Float32Array(4) };
    expect(scene.linkedBounds(body, out)).toBe(out);
    expect([...out.mins, ...out.maxs]).toEqual([-6, -6, -6, 6, 6, 6, 0]);
    for (const name of ['mins', 'maxs'] as const) {
      const short = { ...out, [name]: new Float32Array(2) };
      expect(() => scene.linkedBounds(body, short)).toThrow(
        new RangeError(`out.${name} must hold 3 numbers, got 2`),
      );
    }
    expect(() => scene.linkedBounds(2, out)).toThrow(new RangeError('there is no body 2 in this scene'));
  });

  it('are wider than the own boxes of bodies, which can be read too', () => {
    const scene = createScene();
    const body = scene.add(cube(5), { origin: [100, 0, 0] });
    const out = { mins: new Float32Array(3), maxs: new Float32Array(3) };
    expect(scene.ownBounds(body, out)).toBe(out);
    expect(scene.ownBounds(body)).toEqual({
      mins: Float32Array.of(-5, -5, -5),
      maxs: Float32Array.of(5, 5, 5),
    });
    expect(out).toEqual(scene.ownBounds(body));
    const other = scene.add(cube(7));
    expect([...scene.ownBounds(other).mins, ...scene.ownBounds(other).maxs]).toEqual([-7, -7, -7, 7, 7, 7]);
    scene.remove(other);
    expect(() => scene.ownBounds(2)).toThrow(new RangeError('there is no body 2 in this scene'));
  });
});

describe('anything but a collider', () => {
  it('is named', () => {
    const scene = createScene();
    expect(() => scene.add(null as never)).toThrow(
      new TypeError(
        'collider must be a world, as openBsp opens it, a model, or made by createBody, got null',
      ),
    );
    expect(() => createScene(5 as never)).toThrow(
      new TypeError('world must be a world, as openBsp opens it, a model, or made by createBody, got 5'),
    );
    // As when an await was forgotten.
    expect(() => createScene(Promise.resolve() as never)).toThrow(
      new TypeError(
        'world must be a world, as openBsp opens it, a model, or made by createBody, got Promise',
      ),
    );
    expect(() => createScene(null as never)).toThrow(TypeError);
    expect(() => createBody({ kind: 'cube' } as never)).toThrow(
      new RangeError("shape.kind must be 'box', 'sphere' or 'capsule', got 'cube'"),
    );
    expect(() => createBody({} as never)).toThrow(TypeError);
    expect(() => scene.sphere(-1)).toThrow('radius');
    expect(() => scene.ray({ epsilon: -1 })).toThrow('epsilon');
  });
});

describe('round shapes on a row of boxes', () => {
  it.each(['sphere', 'capsule'] as const)('roll over the edges between them: %s', (kind) => {
    const scene = createScene();
    for (let k = 0; k < 8; k++) {
      const box = createBody({ kind: 'box', mins: [-16, -64, -8], maxs: [16, 64, 8] });
      scene.add(box, { origin: [32 * k, 0, 100] });
    }
    const tracer = kind === 'sphere' ? scene.sphere(12) : scene.capsule([-12, -12, -12], [12, 12, 30]);
    const random = createRandom(seedOf(1));
    const stops: string[] = [];
    for (let k = 0; k < 500; k++) {
      const y = between(random, -30, 30);
      const above: Vec3 = [0, y, between(random, 125, 300)];
      const floor = tracer.trace(above, [0, y, 0]);
      expect(floor.normal[2]).toBe(1);
      const start = [...floor.endPos];
      const roll = tracer.trace(start, [224, y + between(random, -30, 30), start[2]!]);
      if (roll.fraction < 1) stops.push(`${k}: ${roll.endPos[0]}`);
      // What it would come nearer to still stops it.
      expect(tracer.trace([...roll.endPos], [224, y, start[2]! - 1]).fraction).toBeLessThan(1e-3);
    }
    expect(stops).toEqual([]);
  });
});
