import { type Bounds, createTrace, defineTracer, type Trace, type Tracer, type Vec3 } from '@bspkit/core';
import { createRandom, pick } from '@bspkit/geometry';
import { expectAllOrNothing } from '@bspkit/testkit/getters';
import { seedOf } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import {
  type BodySolid,
  type Collider,
  createBody,
  createScene,
  createSceneTrace,
  withPose,
} from '../src/index.ts';
import { ahead, answering, cube, everywhere, hit, miss } from './answers.ts';

describe('a tracer that does not fill out', () => {
  const ray = hit(0.5).ray();
  const careless = { ...ray, trace: (start: Vec3, end: Vec3) => ray.trace(start, end) };
  const collider = { bounds: everywhere, ray: () => careless };

  it.each<[string, () => unknown]>([
    [
      'of a world',
      () =>
        createScene(collider)
          .ray()
          .trace(...ahead),
    ],
    [
      'of a body',
      () => {
        const scene = createScene();
        scene.add(collider);
        return scene.ray().trace(...ahead);
      },
    ],
    [
      'of a body that places it itself',
      () => {
        const scene = createScene();
        const placed = { ...careless, place: () => placed };
        scene.add({ bounds: everywhere, ray: () => placed });
        return scene.ray().trace(...ahead);
      },
    ],
    ['that is placed', () => withPose(careless).trace(...ahead)],
  ])('is refused: %s', (_, use) => {
    expect(use).toThrow(new TypeError('trace of a tracer must fill the answer given as out, and return it'));
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

  it('are hulls, which meet bodies without hulls as boxes', () => {
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
    for (const none of [slab, { ...world, hulls: [] }]) {
      const problem = new RangeError('hull must be left out: the world has no hulls');
      expect(() => createScene(none as Collider as typeof world).hull(0)).toThrow(problem);
    }
  });

  it('are hulls, whose sizes cannot be changed', () => {
    const told: object[] = [];
    const hull = () => {
      const tracer = slab.box(...([hulls[1]!.mins, hulls[1]!.maxs] as const));
      tracer.set = (changes) => {
        told.push({ ...changes });
        return tracer;
      };
      return tracer;
    };
    const scene = createScene(world);
    scene.add({ ...slab, hull }, { origin: [50, 0, 0] });
    expect(
      scene
        .hull(1)
        .set({ mask: 7 })
        .trace(...ahead).entity,
    ).toBe(1);
    expect(told).toEqual([{ mask: 7 }]);
  });

  it("list each option once, whether it is the scene's, the world's or both", () => {
    const taking = { ...world, traceOptions: ['mask', 'epsilon', 'curves'] };
    expect(() => createScene(taking).hull(1, { mesk: 1 } as never)).toThrow(
      new TypeError(
        "there is no option 'mesk' here; the options are mask, ignore, move, monsterClip, epsilon, curves",
      ),
    );
  });

  it('take no epsilon if the world takes none, even if bodies would', () => {
    const taking = { ...world, traceOptions: ['mask'] };
    const scene = createScene(taking);
    scene.add(slab);
    expect(() => scene.hull(1, { epsilon: 1 } as never)).toThrow(
      new TypeError("there is no option 'epsilon' here; the options are mask, ignore, move, monsterClip"),
    );
    // A world that does not list its options may take it, and so do our own bodies.
    expect(() => createScene(slab).ray({ epsilon: 1 })).not.toThrow();
    expect(() => createScene(world).hull(1, { epsilon: 1 } as never)).not.toThrow();
    expect(() => createScene().ray({ epsilon: 1 })).not.toThrow();
    expect(() => createScene().ray({ curves: false } as never)).toThrow("no option 'curves'");
  });

  it('are lines, which meet bodies without lines as rays', () => {
    const scene = createScene(world);
    const body = scene.add(slab, { origin: [50, 0, 0] });
    const own = scene.add({ bounds: everywhere, line: () => hit(0.2).ray() });
    const line = scene.line();
    expect(line.shape).toEqual({ kind: 'ray' });
    expect(line.trace(...ahead).entity).toBe(own);
    expect(line.set({ ignore: own }).trace(...ahead).entity).toBe(body);
    expect(() =>
      createScene({ bounds: everywhere, ray: hit(0.5).ray } as unknown as typeof world).line(),
    ).toThrow(new TypeError('the world has no line(), so this scene cannot trace a line'));
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

  it.each([22, -22])('are capsules that reach beyond narrow boxes around them, to a body at y %i', (y) => {
    const scene = createScene();
    const body = scene.add(createBody({ kind: 'box', mins: [-8, -8, -8], maxs: [8, 8, 8] }), {
      origin: [50, y, 0],
    });
    const narrow = scene.capsule([-16, -2, -20], [16, 2, 20], { epsilon: 0 });
    expect(narrow.trace(...ahead).entity).toBe(body);
    expect(narrow.set({ maxs: [16, 4, 20], mins: [-16, -4, -20] }).blocked(...ahead)).toBe(true);
    expect(narrow.set({ maxs: [10, 4, 20], mins: [-10, -4, -20] }).blocked(...ahead)).toBe(false);
  });

  it('ask a body once whether its tracers take options, if these refuse them', () => {
    const scene = createScene();
    let asked = 0;
    const refusing = () =>
      Object.assign(hit(0.5).ray(), {
        set: () => {
          asked++;
          throw new TypeError('no options here');
        },
      });
    const body = scene.add({ bounds: everywhere, ray: refusing });
    const ray = scene.ray();
    for (let mask = 1; mask <= 3; mask++) expect(ray.set({ mask }).trace(...ahead).entity).toBe(body);
    expect(asked).toBe(1);
  });
});

describe('answers', () => {
  it('have the fields of the world’s own', () => {
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
    // A body whose traces do not have these fields.
    const other = scene.add(hit(0.25));
    expect(ray.trace(...ahead, out)).toMatchObject({ inOpen: false, depth: -1, entity: other, path: [0] });
    // And an answer without room for them.
    expect(
      createScene(hit(0.5))
        .ray()
        .trace(...ahead, createSceneTrace()),
    ).toMatchObject({ entity: 0 });
  });

  it('have points of the world’s own too, by their numbers', () => {
    const create = () => Object.assign(createTrace(), { touched: new Float32Array(2) });
    const make = (fraction: number, ...touched: number[]) => ({
      bounds: everywhere,
      ray: () =>
        defineTracer({
          shape: { kind: 'ray' },
          createTrace: create,
          trace: (_s, _e, out) => {
            out.touched.set(touched);
            return Object.assign(out, { fraction });
          },
        }),
    });
    const scene = createScene(make(0.75, 1, 2));
    const ray = scene.ray();
    const out = ray.createTrace();
    const { touched } = out;
    expect(ray.trace(...ahead, out).touched).toEqual(Float32Array.of(1, 2));
    scene.add(make(0.5, 3, 4));
    expect(ray.trace(...ahead, out)).toMatchObject({ entity: 1, touched: Float32Array.of(3, 4) });
    // A body whose traces do not have these fields clears those of the world.
    scene.add(hit(0.25));
    expect(ray.trace(...ahead, out)).toMatchObject({ entity: 2, touched: new Float32Array(2) });
    expect(out.touched).toBe(touched);
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

describe('a collider that throws', () => {
  it('is searched for as far away as needed, once it no longer does', () => {
    const slab = cube(5);
    let fails = true;
    // It moves something larger than it was asked to.
    const shy: Collider & { readonly bounds: Bounds } = {
      bounds: slab.bounds,
      box() {
        const tracer = slab.box([-40, -40, -40], [40, 40, 40]);
        const { shape } = tracer;
        return Object.defineProperty(tracer, 'shape', {
          get() {
            if (fails) throw new Error('not now');
            return shape;
          },
        });
      },
    };
    const aside: [Vec3, Vec3] = [
      [0, 30, 0],
      [100, 30, 0],
    ];
    const scene = createScene();
    const inner = createScene();
    const box = scene.box([-1, -1, -1], [1, 1, 1]);
    const body = scene.add(inner, { origin: [50, 0, 0], bounds: slab.bounds });
    expect(box.trace(...aside).entity).toBe(-1);
    for (const [owner, entity] of [
      [inner, body],
      [scene, 2],
    ] as const) {
      const shyOne = owner.add(shy, { origin: [owner === scene ? 50 : 0, 0, 0] });
      fails = true;
      for (let n = 0; n < 2; n++) {
        expect(() => box.trace(...aside)).toThrow('not now');
        expect(() => box.blocked(...aside)).toThrow('not now');
        expect(() => box.set({ mask: -1 })).toThrow('not now');
      }
      fails = false;
      expect(box.trace(...aside).entity).toBe(entity);
      owner.remove(shyOne);
      expect(box.trace(...aside).entity).toBe(-1);
    }
    // A scene that has gone is not asked for its own bodies.
    scene.remove(body);
    inner.add(shy);
    fails = true;
    expect(box.trace(...aside).entity).toBe(-1);
  });

  it('is placed again after its tracer could not be placed, whichever body is next', () => {
    const slab = cube(5);
    let fails = false;
    const collider = {
      bounds: slab.bounds,
      ray: () => {
        const tracer = slab.ray();
        const place = tracer.place.bind(tracer);
        tracer.place = (pose) => {
          place({ origin: [0, 0, 0] });
          if (fails) throw new Error('not now');
          return place(pose);
        };
        return tracer;
      },
    };
    const scene = createScene();
    const near = scene.add(collider, { origin: [50, 0, 0] });
    const far = scene.add(collider, { origin: [50, 500, 0] });
    const ray = scene.ray();
    const beside: [Vec3, Vec3] = [
      [0, 500, 0],
      [100, 500, 0],
    ];
    const answers = [ray.trace(...ahead), ray.trace(...beside), ray.trace(...ahead)];
    expect(answers.map(({ entity }) => entity)).toEqual([near, far, near]);
    fails = true;
    for (const move of [beside, ahead]) {
      expect(() => ray.trace(...move)).toThrow('not now');
      expect(() => ray.blocked(...move)).toThrow('not now');
    }
    fails = false;
    expect(ray.trace(...ahead)).toEqual(answers[0]);
    expect(ray.trace(...beside)).toEqual(answers[1]);
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

  it('cannot add, move or remove bodies while it is being traced', () => {
    const scene = createScene();
    const victim = scene.add(cube(1), { origin: [50, 0, 0] });
    let act = (): void => {};
    scene.add(meddling(() => act()));
    const ray = scene.ray();
    const refused = 'bodies cannot be added, moved or removed while their scene is being traced or changed';
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
    act = () => {};
    const late = scene.add(factory);
    expect(() => ray.trace(...ahead)).toThrow(new Error(refused));
    expect(() => scene.ray()).toThrow(new Error(refused));
    scene.remove(late);
    // Afterwards everything works as before.
    expect(ray.trace(...ahead).entity).toBe(victim);
    scene.remove(victim);
    expect(ray.trace(...ahead).entity).toBe(-1);
  });

  it('cannot do so from a getter of an option either, while a body is added or moved', () => {
    const scene = createScene();
    const victim = scene.add(cube(1), { origin: [50, 0, 0] });
    const options = {
      get contents() {
        scene.remove(victim);
        return 1;
      },
    };
    const refused = 'bodies cannot be added, moved or removed while their scene is being traced or changed';
    expect(() => scene.move(victim, options)).toThrow(new Error(refused));
    expect(() => scene.add(cube(1), options)).toThrow(new Error(refused));
    expect(scene.ray().trace(...ahead).entity).toBe(victim);
    scene.remove(victim);
    expect(scene.count).toBe(0);
  });

  it('changes nothing where a getter of an option throws, however late it does', () => {
    const scene = createScene();
    const body = scene.add(cube(2), { origin: [50, 0, 0] });
    const ray = scene.ray();
    const state = () => [
      ...[...scene].map((view) => Object.keys(whole).map((name) => view[name as keyof typeof whole])),
      { ...ray.trace(...ahead) },
    ];
    const whole = {
      ...{ origin: [20, 0, 0], angles: [0, 90, 0], bounds: { mins: [-3, -3, -3], maxs: [3, 3, 3] } },
      ...{ contents: 4, solid: 'trigger' as BodySolid, owner: body, data: 'other' },
      ...{ monster: true, item: true, pushable: true, monsterClip: true },
    } as const;
    expectAllOrNothing(whole, (changes) => scene.move(body, changes), state);
    expectAllOrNothing({ ...whole, number: 9 }, (options) => scene.add(cube(1), options), state);
    // Numbers of a vector may be getters too.
    const vector = [30, 1, 60];
    for (const name of ['origin', 'angles'] as const) {
      const changed = (numbers: number[]) => ({ data: name, [name]: Object.assign(numbers, { length: 3 }) });
      expectAllOrNothing(vector, (numbers) => scene.move(body, changed(numbers)), state);
      expectAllOrNothing(vector, (numbers) => scene.add(cube(1), changed(numbers)), state);
    }

    const tracer = cube(1).box([-1, -1, -1], [1, 1, 1]);
    const posed = withPose(cube(1).ray());
    const answers = () => [tracer, posed].map((each) => ({ ...each.trace([100, 0, 0], [-100, 0, 0]) }));
    const settings = { mask: -1, epsilon: 3, mins: [-2, -2, -2], maxs: [2, 2, 2] };
    const pose = { origin: [50, 0, 0], angles: [0, 90, 0] };
    expectAllOrNothing(
      settings,
      (changes) => tracer.set(changes),
      () => [answers(), tracer.shape],
    );
    for (const placed of [tracer, posed]) expectAllOrNothing(pose, (where) => placed.place(where), answers);
  });

  it('changes nothing where a shape or those to ignore cannot be read as they are taken', () => {
    const slab = cube(8);
    const answer = (tracer: Tracer) => ({ ...tracer.trace(...ahead) });
    const bodyState = () => [slab.bounds, answer(slab.ray()), answer(slab.sphere(2))];
    const corners = { mins: [-3, -4, -5], maxs: [6, 7, 8] };
    expectAllOrNothing({ kind: 'sphere', radius: 3 } as const, (shape) => slab.resize(shape), bodyState);
    for (const kind of ['box', 'capsule'] as const) {
      expectAllOrNothing({ kind, ...corners }, (shape) => slab.resize(shape), bodyState);
      const mins = (numbers: number[]) => ({ kind, ...corners, mins: Object.assign(numbers, { length: 3 }) });
      expectAllOrNothing([-2, -2, -2], (numbers) => slab.resize(mins(numbers)), bodyState);
    }

    const scene = createScene();
    const first = scene.add(cube(2), { origin: [40, 0, 0] });
    const second = scene.add(cube(2), { origin: [60, 0, 0], owner: first });
    for (const ignore of [{ body: first, also: second }, { owner: first }]) {
      const box = scene.box([-1, -1, -1], [1, 1, 1]);
      const boxState = () => [box.shape, answer(box), { ...box.trace([60, 0, 0], [60, 0, 0]) }];
      const sizes = { mins: [-3, -3, -3], maxs: [3, 3, 3] };
      expectAllOrNothing(ignore, (given) => box.set({ ...sizes, ignore: given as typeof ignore }), boxState);
    }
  });

  it('cannot use the tracer that is tracing it, but can use others of the same scene', () => {
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

  it('cannot transfer the answers of a batch in silence, whichever they are', () => {
    let gone: ArrayBuffer | undefined;
    const ray = hit(0.5).ray();
    const thief = {
      bounds: everywhere,
      ray: () => ({
        ...ray,
        trace(start: Vec3, end: Vec3, out: Trace) {
          if (gone) structuredClone(gone, { transfer: [gone] });
          gone = undefined;
          return ray.trace(start, end, out);
        },
        blocked(start: Vec3, end: Vec3) {
          return this.trace(start, end, createTrace()).fraction < 1;
        },
      }),
    } satisfies Collider;
    const tracer = createScene(thief).ray();
    for (const field of ['fraction', 'startEntity'] as const) {
      const out = { count: 2, fraction: new Float32Array(2), startEntity: new Int32Array(2) };
      gone = out[field].buffer as ArrayBuffer;
      expect(() => tracer.traceBatch(new Float32Array(12), out)).toThrow(
        new TypeError('out must be made by createTraceBatch, got an object'),
      );
    }
    const tests = new Uint8Array(2);
    gone = tests.buffer;
    expect(() => tracer.blockedBatch(new Float32Array(12), tests)).toThrow(
      new TypeError('out must not have been transferred or cut off'),
    );
  });
});

describe('tracers that nobody uses any more', () => {
  it('are not told of bodies that come and go', () => {
    const scene = createScene();
    const slab = cube(5);
    let made = 0;
    // Not one that takes any size: its tracers are made at once.
    const collider = {
      bounds: slab.bounds,
      ray: () => {
        made++;
        return slab.ray();
      },
    };
    const kept = scene.ray();
    for (let k = 0; k < 1000; k++) scene.ray();
    const body = scene.add(collider, { origin: [50, 0, 0] });
    expect(made).toBe(0);
    expect(kept.trace(...ahead).entity).toBe(body);
    for (let k = 0; k < 10; k++) {
      scene.remove(body);
      scene.add(collider, { origin: [50, 0, 0] });
    }
    expect(kept.trace(...ahead).entity).toBe(body);
    expect(made).toBe(1);
  });
});

describe('tracers that are used now and then', () => {
  it('answer like new ones, whatever has come and gone in their scene and in scenes among its bodies', () => {
    const random = createRandom(seedOf(7));
    const place = (): number[] => [0, 0, 0].map(() => Math.round((random() - 0.5) * 120));
    const slabs = [4, 6, 9].map(cube);
    // Some move something larger than they were asked to.
    const wide = [12, 30].map((half) => ({
      bounds: slabs[0]!.bounds,
      box: () => slabs[0]!.box([-half, -half, -half], [half, half, half]),
    }));
    const world = { ...cube(8), bounds: everywhere };
    const size: [Vec3, Vec3] = [
      [-2, -2, -2],
      [2, 2, 2],
    ];
    let hits = 0;
    for (const [rules, move] of [
      ['nearest', 'normal'],
      ['quake1', 'missile'],
    ] as const) {
      for (let round = 0; round < 15; round++) {
        const scene = createScene(world, { rules });
        const inner = [createScene(), createScene(undefined, { rules: 'nearest' })] as const;
        inner[0].add(inner[1], { bounds: everywhere });
        const owners = [scene, ...inner];
        const options = rules === 'quake1' ? { move } : {};
        const tracers = Array.from({ length: 4 }, () => scene.box(...size, options));
        const bodies = owners.map((): number[] => []);
        for (let step = 0; step < 120; step++) {
          const at = Math.floor(random() * owners.length);
          const [owner, own] = [owners[at]!, bodies[at]!];
          if (random() < 0.5) {
            const collider = random() < 0.2 ? pick(random, wide) : pick(random, slabs);
            own.push(owner.add(collider, { origin: place(), monster: random() < 0.3 }));
          } else if (own.length > 0) {
            owner.remove(own.splice(Math.floor(random() * own.length), 1)[0]!);
          }
          if (at === 0 && random() < 0.1 && !Array.from(scene).some((body) => body.collider === inner[0])) {
            own.push(scene.add(inner[0], { origin: place(), bounds: everywhere }));
          }
          if (random() < 0.4) continue;
          const [start, end] = [place(), place()];
          const fresh = scene.box(...size, options);
          const answer = fresh.trace(start, end);
          // The first most often, the last hardly ever.
          const tracer = tracers[Math.floor(random() ** 3 * tracers.length)]!;
          expect(tracer.trace(start, end)).toEqual(answer);
          expect(tracer.blocked(start, end)).toBe(fresh.blocked(start, end));
          if (answer.entity > 0) hits++;
        }
      }
    }
    expect(hits).toBeGreaterThan(300);
  });
});
