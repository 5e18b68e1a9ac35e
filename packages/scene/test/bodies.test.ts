import { inspect } from 'node:util';
import { type Bounds, createTrace, defineTracer, type Vec3 } from '@bspkit/core';
import { createRandom } from '@bspkit/geometry';
import { describe, expect, it } from 'vitest';
import {
  type BodyTraceOptions,
  type Collider,
  createBody,
  createScene,
  createSceneTrace,
  withPose,
} from '../src/index.ts';
import { answering, everywhere, hit, miss } from './answers.ts';

const ahead: [Vec3, Vec3] = [
  [0, 0, 0],
  [100, 0, 0],
];
const cube = (half: number) =>
  createBody({ kind: 'box', mins: [-half, -half, -half], maxs: [half, half, half] });

describe('what a scene tells of its bodies', () => {
  it('is how they stand, and what they are', () => {
    const scene = createScene();
    const collider = cube(5);
    const owner = scene.add(collider);
    const player = { name: 'Anna' };
    const number = scene.add(collider, { origin: [1, 2, 3], contents: 4, owner, data: player });
    const body = scene.body(number);
    expect(body).toMatchObject({ number, collider, contents: 4, owner, solid: 'box', data: player });
    expect([...(body.origin as Float32Array)]).toEqual([1, 2, 3]);
    expect([...(body.angles as Float32Array)]).toEqual([0, 0, 0]);
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

  it('is no more than they are: removed ones say so, also when the number came again', () => {
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

  it('comes by iterating, in the order of numbers', () => {
    const scene = createScene();
    for (let k = 0; k < 40; k++) scene.add(cube(1), { data: k });
    for (let body = 1; body <= 40; body += 3) scene.remove(body);
    const numbers = [...scene].map(({ number }) => number);
    expect(numbers).toHaveLength(scene.count);
    expect(numbers).toEqual(numbers.filter((number) => number % 3 !== 1));
    expect([...scene].every(({ number, data }) => data === number - 1)).toBe(true);
    // Bodies may go while one looks.
    for (const { number } of scene) scene.remove(number);
    expect([scene.count, [...scene]]).toEqual([0, []]);
  });

  it('is one line when printed', () => {
    const scene = createScene(cube(9), { rules: 'quake3' });
    scene.add(cube(1));
    expect(inspect(scene)).toBe('Scene { 1 bodies, rules quake3 }');
    expect(inspect(scene.box([-1, -1, -1], [1, 1, 2]))).toBe(
      'SceneTracer { box -1 -1 -1 to 1 1 2, 1 bodies, rules quake3 }',
    );
    expect(inspect(cube(1).sphere(3))).toBe('BodyTracer { sphere of radius 3 }');
  });
});

describe('touching', () => {
  const found = new Int32Array(8);
  const list = (scene: ReturnType<typeof createScene>, area: Bounds, mask = -1): number[] =>
    Array.from(found.subarray(0, scene.touching(area, mask, found)));

  it('finds boxes that meet a box or sphere, triggers too, and no others', () => {
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

  it('finds what is turned by the box around it', () => {
    const scene = createScene();
    const bounds: Bounds = { mins: [-40, -2, -1], maxs: [40, 2, 1] };
    const model = scene.add(hit(1), { bounds });
    const square = scene.add(cube(2), { origin: [0, 0, 100], angles: [0, 45, 0] });
    // A scene of its own knows that movers reach far; that is nothing to what is looked for here.
    scene.box([-100, -100, -100], [100, 100, 100]);
    expect(list(scene, { mins: [0, 20, 0], maxs: [0, 30, 0] })).toEqual([]);
    scene.move(model, { angles: [0, 90, 0] });
    expect(list(scene, { mins: [0, 20, 0], maxs: [0, 30, 0] })).toEqual([model]);
    expect(list(scene, { mins: [20, 0, 0], maxs: [30, 0, 0] })).toEqual([]);
    scene.move(model, { angles: [90, 0, 0] });
    expect(list(scene, { mins: [0, 0, -40], maxs: [0, 0, -39] })).toEqual([model]);
    // Boxes of someone's own making never turn.
    expect(list(scene, { mins: [2.1, 0, 100], maxs: [3, 0, 100] })).toEqual([]);
    expect(list(scene, { mins: [2, 0, 100], maxs: [3, 0, 100] })).toEqual([square]);
  });

  it('tells how many there are, in order, and writes as many as there is room for', () => {
    const scene = createScene();
    const random = createRandom(1);
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
    expect(() => scene.touching({ center: [0, 0, 0], radius: 1 }, 0.5, found)).toThrow('mask');
    expect(scene.touching({ center: [0, 0, 0], radius: 1 }, -1, found)).toBe(0);
  });
});

describe('`ignore`', () => {
  it('is a number, a set that may change, or an owner', () => {
    const scene = createScene();
    const [a, b, c] = [20, 50, 80].map((x) => scene.add(cube(5), { origin: [x, 0, 0] })) as [
      number,
      number,
      number,
    ];
    scene.move(b, { owner: a });
    const ray = scene.ray({ ignore: a });
    const entity = (): number => ray.trace(...ahead).entity;
    // By our own rules a number leaves out nothing but itself.
    expect(entity()).toBe(b);
    const set = new Set([a]);
    ray.set({ ignore: set });
    expect(entity()).toBe(b);
    set.add(b);
    expect(entity()).toBe(c);
    expect(ray.blocked([0, 0, 0], [60, 0, 0])).toBe(false);
    ray.set({ ignore: { owner: a } });
    expect(entity()).toBe(c);
    ray.set({ ignore: { owner: b } });
    expect(entity()).toBe(a);
    ray.set({ ignore: -1 });
    expect(entity()).toBe(a);
    expect(scene.ray({ ignore: new Set([a, b, c]) }).trace(...ahead).entity).toBe(-1);
  });

  it('must be such', () => {
    const scene = createScene();
    const ray = scene.ray();
    const wrong = (ignore: unknown) => () => ray.set({ ignore: ignore as number });
    expect(wrong(2 ** 40)).toThrow(
      new RangeError('ignore must be a whole number from -1 to 2147483647, got 1099511627776'),
    );
    expect(wrong(-2)).toThrow(RangeError);
    expect(wrong(Number.NaN)).toThrow(RangeError);
    expect(wrong(new Set([1, 0.5]))).toThrow('a number in ignore must be a whole number');
    expect(wrong({ owner: 1.5 })).toThrow('the owner in ignore must be a whole number');
    expect(wrong('1')).toThrow(
      new TypeError("ignore must be a number, a set of numbers or { owner }, got '1'"),
    );
    expect(wrong(null)).toThrow(TypeError);
    expect(() => scene.ray({ ignore: {} as never })).toThrow(TypeError);
    expect(() => scene.add(cube(1), { owner: 2 ** 31 })).toThrow('owner must be a whole number');
    expect(() => scene.add(cube(1), { solid: 'soft' as never })).toThrow(
      new RangeError("solid must be 'model', 'box', 'trigger' or 'none', got 'soft'"),
    );
  });
});

describe('without a mask', () => {
  /** As the box entities of formats: of contents that its own default mask has not. */
  const boxEntity = (): Collider & { resize(): void } => ({
    bounds: cube(5).bounds,
    resize() {},
    ray: (options) => cube(5).ray({ mask: 1, ...withoutUndefined(options) }),
  });
  const withoutUndefined = (options: unknown): object =>
    Object.fromEntries(Object.entries(options as object).filter(([, value]) => value !== undefined));

  it('boxes stop a trace, whoever made them, and models are asked for what stops it by default', () => {
    const scene = createScene();
    const entity = scene.add(boxEntity(), { origin: [50, 0, 0] });
    const ray = scene.ray();
    expect(ray.trace(...ahead).entity).toBe(entity);
    scene.move(entity, { origin: [0, 500, 0] });
    const body = scene.add(cube(5), { origin: [50, 0, 0] });
    expect(ray.trace(...ahead).entity).toBe(body);
    ray.set({ mask: 1 });
    expect(ray.trace(...ahead).entity).toBe(-1);
    scene.move(entity, { origin: [50, 0, 0] });
    expect(ray.trace(...ahead).entity).toBe(-1);
    expect(ray.set({ mask: 0x2000001 }).trace(...ahead).entity).toBe(entity);
    const { resize: _, ...model } = boxEntity();
    const other = createScene();
    other.add(model, { origin: [50, 0, 0] });
    expect(other.ray().trace(...ahead).entity).toBe(-1);
  });
});

describe('triggers, and what is not solid', () => {
  it('stop no trace', () => {
    const scene = createScene();
    const body = scene.add(cube(5), { origin: [50, 0, 0], solid: 'trigger' });
    const ray = scene.ray();
    expect(ray.trace(...ahead).entity).toBe(-1);
    scene.move(body, { solid: 'none' });
    expect(ray.blocked(...ahead)).toBe(false);
    scene.move(body, { solid: 'box' });
    expect(ray.trace(...ahead).entity).toBe(body);
  });
});

describe('shapes of the world', () => {
  const slab = cube(5);
  const hulls: Bounds[] = [
    { mins: [0, 0, 0], maxs: [0, 0, 0] },
    { mins: [-16, -16, -24], maxs: [16, 16, 32] },
  ];
  const asked: unknown[] = [];
  const world = {
    bounds: everywhere,
    hulls,
    hull: (hull: number, options?: { readonly rules?: string | undefined }) => {
      asked.push([hull, options]);
      return defineTracer({
        shape: { kind: 'box', ...hulls[hull]! },
        trace: (_s, end, out) => Object.assign(out, { endPos: Float32Array.from(end) }),
      });
    },
    line: () => miss().ray(),
  };

  it('are hulls, which bodies without hulls are met with as boxes', () => {
    const scene = createScene(world);
    const body = scene.add(slab, { origin: [50, 0, 0] });
    const own = scene.add({ bounds: everywhere, hull: (hull: number) => hit(hull === 1 ? 0.3 : 1).ray() });
    const tracer = scene.hull(1, { rules: 'x' });
    expect(asked).toEqual([[1, { rules: 'x' }]]);
    expect(tracer.shape).toEqual({
      kind: 'box',
      mins: Float32Array.from(hulls[1]!.mins),
      maxs: Float32Array.from(hulls[1]!.maxs),
    });
    expect(tracer.trace(...ahead)).toMatchObject({ entity: body });
    expect(tracer.trace(...ahead).endPos[0]).toBeCloseTo(50 - 5 - 16 - 0.125, 4);
    expect(tracer.set({ ignore: body }).trace(...ahead)).toMatchObject({ entity: own, fraction: 0.3 });
    expect(() => tracer.set({ mins: [0, 0, 0] })).toThrow(
      new TypeError('mins and maxs do not belong to a hull'),
    );
    expect(() => scene.hull(2)).toThrow(new RangeError('hull must be a whole number in 0..1, got 2'));
  });

  it('are lines, which bodies without lines are met with as rays', () => {
    const scene = createScene(world);
    const body = scene.add(slab, { origin: [50, 0, 0] });
    const own = scene.add({ bounds: everywhere, line: () => hit(0.2).ray() });
    const line = scene.line();
    expect(line.shape).toEqual({ kind: 'ray' });
    expect(line.trace(...ahead).entity).toBe(own);
    expect(line.set({ ignore: own }).trace(...ahead).entity).toBe(body);
    expect(() => createScene(slab as Collider as typeof world).hull(0)).toThrow(RangeError);
    expect(() => createScene({ bounds: everywhere, hulls } as typeof world).line()).toThrow(
      new TypeError('the world has no line(), so this scene cannot trace a line'),
    );
  });

  it('are capsules by corners or by size', () => {
    const scene = createScene();
    scene.add(slab, { origin: [50, 0, 0] });
    const [corners, size] = [
      scene.capsule([-8, -8, -20], [8, 8, 20], { epsilon: 0 }),
      scene.capsule({ radius: 8, height: 40 }, { epsilon: 0 }),
    ];
    expect(size.shape).toEqual(corners.shape);
    expect(size.trace(...ahead)).toEqual(corners.trace(...ahead));
    expect(size.trace(...ahead).endPos[0]).toBe(37);
    expect(() => scene.capsule({ radius: 8, height: 4 })).toThrow('height');
    expect(slab.capsule({ radius: 8, height: 40 }).shape).toEqual(corners.shape);
  });
});

describe('answers', () => {
  it('have what the world’s own have', () => {
    const create = () => Object.assign(createTrace(), { inOpen: false, depth: -1, path: [0] });
    const tracer = (answer: object) =>
      defineTracer({
        shape: { kind: 'ray' },
        createTrace: create,
        trace: (_s, end, out) => {
          out.endPos.set(end as Float32Array);
          return Object.assign(out, { inOpen: false, depth: -1 }, answer);
        },
      });
    const make = (answer: object) => ({ bounds: everywhere, ray: () => tracer(answer) });
    const scene = createScene(make({ inOpen: true, depth: 3 }));
    const ray = scene.ray();
    const out = ray.createTrace();
    expect(ray.trace(...ahead, out)).toMatchObject({ inOpen: true, depth: 3, entity: -1 });
    const body = scene.add(make({ fraction: 0.5, inOpen: true, depth: 9 }));
    expect(ray.trace(...ahead, out)).toMatchObject({ inOpen: true, depth: 9, entity: body });
    // A body that knows nothing of them.
    const other = scene.add(hit(0.25));
    expect(ray.trace(...ahead, out)).toMatchObject({ inOpen: false, depth: -1, entity: other, path: [0] });
    // And an answer that has no room for them.
    expect(
      createScene(hit(0.5))
        .ray()
        .trace(...ahead, createSceneTrace()),
    ).toMatchObject({ entity: 0 });
  });

  it('of scenes in scenes are those of the outer one', () => {
    const inner = createScene(miss());
    inner.add(cube(5), { origin: [10, 0, 0] });
    inner.add(cube(5), { origin: [50, 0, 0] });
    const outer = createScene(inner);
    expect(outer.ray().trace(...ahead)).toMatchObject({ entity: 0, startEntity: -1 });
    const body = outer.add(createScene(answering({ startSolid: true })), { bounds: everywhere });
    expect(outer.ray().trace(...ahead)).toMatchObject({ entity: 0, startEntity: body });
  });
});

describe('`set`', () => {
  it('changes all or nothing, also where a collider throws', () => {
    const scene = createScene();
    const slab = cube(5);
    scene.add(slab, { origin: [50, 0, 0] });
    const moody = {
      bounds: everywhere,
      sphere: (radius: number, options?: BodyTraceOptions) => {
        const inner = slab.sphere(radius, options).place({ origin: [80, 0, 0] });
        return {
          ...withPose(inner),
          set(changes: { readonly radius?: number | undefined }) {
            if (changes.radius === 3) throw new RangeError('not three');
            if (changes.radius === 4) throw new TypeError('not in place');
            inner.set(changes);
            return this;
          },
        };
      },
    };
    scene.add(moody);
    const sphere = scene.sphere(1);
    const before = sphere.trace(...ahead);
    expect(() => sphere.set({ radius: 3, mask: 1 })).toThrow('not three');
    expect(sphere.shape).toEqual({ kind: 'sphere', radius: 1 });
    expect(sphere.trace(...ahead)).toEqual(before);
    // What cannot be changed in place is made again.
    expect(sphere.set({ radius: 4 }).trace(...ahead)).toEqual(scene.sphere(4).trace(...ahead));
    expect(sphere.set({ mask: 1 }).trace(...ahead)).toEqual(scene.sphere(4, { mask: 1 }).trace(...ahead));
    expect(() => sphere.set({ radius: 9, mins: [0, 0, 0] })).toThrow(TypeError);
    expect(sphere.shape).toEqual({ kind: 'sphere', radius: 4 });
  });

  it('makes tracers again that take no masks', () => {
    const masks: unknown[] = [];
    const hard = {
      bounds: everywhere,
      box: (_mins: Vec3, _maxs: Vec3, options?: unknown) => {
        masks.push((options as { mask?: number }).mask);
        return {
          ...hit(0.5).box(),
          set(changes: object) {
            if ('mask' in changes && changes.mask !== undefined) throw new TypeError('no masks here');
            return this;
          },
        };
      },
    };
    const scene = createScene();
    scene.add(hard);
    const tracer = scene.box([-1, -1, -1], [1, 1, 1]);
    tracer.set({ mask: 3 });
    tracer.set({ mask: 4 });
    tracer.set({ mins: [-2, -2, -2] });
    expect(masks).toEqual([undefined, 3, 4]);
  });
});

describe('a collider that meddles', () => {
  const meddling = (act: () => void): Collider & { readonly bounds: Bounds } => ({
    bounds: everywhere,
    ray: () =>
      defineTracer({
        shape: { kind: 'ray' },
        trace: (_s, end, out) => {
          act();
          out.endPos.set(end as Float32Array);
          return out;
        },
      }),
  });

  it('cannot add, move or remove bodies while it is traced', () => {
    const scene = createScene();
    const victim = scene.add(cube(1), { origin: [50, 0, 0] });
    let act = (): void => {};
    scene.add(meddling(() => act()));
    const ray = scene.ray();
    const refused = 'bodies cannot be added, moved or removed by a collider while its scene is being traced';
    for (const wrong of [
      () => scene.add(cube(1)),
      () => scene.move(victim, {}),
      () => scene.remove(victim),
    ]) {
      act = wrong;
      expect(() => ray.trace(...ahead)).toThrow(new Error(refused));
      expect(() => ray.blocked([0, 5, 0], [9, 5, 0])).toThrow(new Error(refused));
    }
    // Nor while its tracers are made.
    const factory = {
      bounds: everywhere,
      ray: () => {
        scene.remove(victim);
        return hit(0.5).ray();
      },
    };
    expect(() => scene.add(factory)).toThrow(new Error(refused));
    act = () => {};
    // After that everything goes on as before.
    expect(ray.trace(...ahead).entity).toBe(victim);
    scene.remove(victim);
    expect(ray.trace(...ahead).entity).toBe(-1);
  });

  it('cannot use the tracer that is tracing it, but others of the same scene', () => {
    const scene = createScene();
    const victim = scene.add(cube(1), { origin: [50, 0, 0] });
    let act = (): unknown => undefined;
    const body = scene.add(meddling(() => act()));
    const ray = scene.ray();
    const other = scene.ray({ ignore: body });
    const refused = new Error('a collider cannot use the scene tracer that is tracing it');
    for (const wrong of [
      () => ray.trace(...ahead),
      () => ray.blocked(...ahead),
      () => ray.set({ mask: 1 }),
    ]) {
      act = wrong;
      expect(() => ray.trace(...ahead)).toThrow(refused);
    }
    const seen: number[] = [];
    act = () => seen.push(other.trace(...ahead).entity, scene.body(victim).origin[0]!);
    expect(ray.trace(...ahead).entity).toBe(victim);
    expect(seen).toEqual([victim, 50]);
    expect(ray.trace(...ahead).entity).toBe(victim);
  });
});

describe('anything but a collider', () => {
  it('is named', () => {
    const scene = createScene();
    expect(() => scene.add(null as never)).toThrow(
      new TypeError('collider must be an object that makes tracers, got null'),
    );
    expect(() => createScene(5 as never)).toThrow(
      new TypeError('world must be an object that makes tracers, got 5'),
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
