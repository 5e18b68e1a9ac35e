import type { Bounds, Trace, Vec3 } from '@bspkit/core';
import { checkOptions } from '@bspkit/core/format';
import { createRandom, pick } from '@bspkit/geometry';
import { seedOf } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import { type BodyTraceOptions, type Collider, createBody, createScene, withPose } from '../src/index.ts';
import { ahead, cube, everywhere, hit, miss } from './answers.ts';

describe('`ignore`', () => {
  it('is a number, a number with one more, a set that may change, or an owner', () => {
    const scene = createScene();
    const [a, b, c] = [20, 50, 80].map((x) => scene.add(cube(5), { origin: [x, 0, 0] })) as [
      number,
      number,
      number,
    ];
    scene.move(b, { owner: a });
    const ray = scene.ray({ ignore: a });
    const entity = (): number => ray.trace(...ahead).entity;
    // With our own rules, a number leaves out nothing but itself.
    expect(entity()).toBe(b);
    const set = new Set([a]);
    ray.set({ ignore: set });
    expect(entity()).toBe(b);
    set.add(b);
    expect(entity()).toBe(c);
    expect(ray.blocked([0, 0, 0], [60, 0, 0])).toBe(false);
    ray.set({ ignore: { body: a, also: b } });
    expect(entity()).toBe(c);
    ray.set({ ignore: { body: -1, also: a } });
    expect(entity()).toBe(b);
    ray.set({ ignore: { body: a, also: -1 } });
    expect(entity()).toBe(b);
    ray.set({ ignore: { owner: a } });
    expect(entity()).toBe(c);
    ray.set({ ignore: { owner: b } });
    expect(entity()).toBe(a);
    ray.set({ ignore: -1 });
    expect(entity()).toBe(a);
    expect(scene.ray({ ignore: new Set([a, b, c]) }).trace(...ahead).entity).toBe(-1);
  });

  it('must be one of these', () => {
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
    expect(wrong({ body: 0.5, also: 1 })).toThrow('the body in ignore must be a whole number');
    expect(wrong({ body: 1, also: 0.5 })).toThrow('the other body in ignore must be a whole number');
    expect(wrong({ also: 1 })).toThrow('the body in ignore must be a whole number');
    expect(wrong({ body: 1, also: 1, owner: 1 })).toThrow(TypeError);
    expect(wrong('1')).toThrow(
      new TypeError("ignore must be a number, a set of numbers, { owner } or { body, also }, got '1'"),
    );
    expect(wrong(null)).toThrow(TypeError);
    expect(() => scene.ray({ ignore: {} as never })).toThrow(TypeError);
    // It has an owner, who is not meant.
    const body = scene.body(scene.add(cube(1)));
    // @ts-expect-error: its type does not fit either.
    expect(() => ray.set({ ignore: body })).toThrow(
      new TypeError('ignore must be a number, a set of numbers, { owner } or { body, also }, got an object'),
    );
    expect(() => scene.add(cube(1), { owner: 2 ** 31 })).toThrow('owner must be a whole number');
    expect(() => scene.add(cube(1), { solid: 'soft' as never })).toThrow(
      new RangeError("solid must be 'model', 'box', 'trigger' or 'none', got 'soft'"),
    );
  });
});

describe('without a mask', () => {
  /** Like the box entities of formats: with contents that are not in its own default mask. */
  const boxEntity = (): Collider & { resize(): void } => ({
    bounds: cube(5).bounds,
    resize() {},
    ray: (options) => cube(5).ray({ mask: 1, ...withoutUndefined(options) }),
  });
  const withoutUndefined = (options: unknown): object =>
    Object.fromEntries(Object.entries(options as object).filter(([, value]) => value !== undefined));

  it('boxes stop a trace, whoever made them, and models use their own default mask', () => {
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

describe('triggers and bodies that are not solid', () => {
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

describe('`set`', () => {
  it('changes all or nothing, even if a collider throws', () => {
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
    // A tracer that cannot be changed in place is made again.
    expect(sphere.set({ radius: 4 }).trace(...ahead)).toEqual(scene.sphere(4).trace(...ahead));
    expect(sphere.set({ mask: 1 }).trace(...ahead)).toEqual(scene.sphere(4, { mask: 1 }).trace(...ahead));
    expect(() => sphere.set({ radius: 3 })).toThrow('not three');
    expect(() => sphere.set({ radius: 9, mins: [0, 0, 0] })).toThrow(TypeError);
    expect(sphere.shape).toEqual({ kind: 'sphere', radius: 4 });
  });

  it('changes nothing, even if a collider throws again while changes are undone', () => {
    const slab = cube(5);
    let failures = 0;
    const fail = (): void => {
      if (failures > 0 && failures-- > 0) throw new RangeError('not now');
    };
    /** Of those that are changed together, the last one fails first. */
    const moody = (isLast: boolean, contents: number) => {
      const body = createBody({ kind: 'sphere', radius: 5 }, { contents });
      return {
        bounds: slab.bounds,
        sphere: (radius: number, options?: BodyTraceOptions) => {
          fail();
          const tracer = body.sphere(radius, options);
          const set = tracer.set.bind(tracer);
          tracer.set = (changes) => {
            if (isLast) fail();
            return set(changes);
          };
          return tracer;
        },
      };
    };
    const create = () => {
      const scene = createScene(moody(false, 4));
      scene.add(moody(false, 1), { origin: [50, 0, 0] });
      scene.add(moody(true, 1), { origin: [80, 0, 0] });
      return scene;
    };
    const away: [Vec3, Vec3] = [
      [0, 50, 0],
      [0, -50, 0],
    ];
    /** Past the bodies, for a sphere of 1. */
    const past: [Vec3, Vec3] = [
      [30, 10, 0],
      [100, 10, 0],
    ];
    type Sphere = ReturnType<ReturnType<typeof create>['sphere']>;
    /** Whatever is asked first completes what was left undone, or throws again. */
    const uses = [
      (sphere: Sphere) => [sphere.trace(...past).fraction < 1, sphere.trace(...away).fraction < 1],
      (sphere: Sphere) => [sphere.blocked(...past), sphere.blocked(...away)],
      (sphere: Sphere) => [sphere.set({ radius: 1 }).blocked(...past), sphere.blocked(...away)],
    ];
    for (const mask of [undefined, 5]) {
      for (const [count, use] of [1, 2, 3, 4].flatMap((count) => uses.map((use) => [count, use] as const))) {
        const sphere = create().sphere(1, { mask });
        const fresh = create().sphere(1, { mask });
        const before = [fresh.trace(...ahead), fresh.trace(...away)];
        failures = count;
        expect(() => sphere.set({ radius: 9, mask: 2 })).toThrow(RangeError);
        while (failures > 0) expect(() => use(sphere)).toThrow(RangeError);
        expect(use(sphere)).toEqual([false, true]);
        expect(sphere.shape).toEqual({ kind: 'sphere', radius: 1 });
        expect([sphere.trace(...ahead), sphere.trace(...away)]).toEqual(before);
        expect(sphere.set({ radius: 9, mask: 1 }).trace(...ahead)).toEqual(
          create()
            .sphere(9, { mask: 1 })
            .trace(...ahead),
        );
      }
    }
  });

  it('measures what is moved before it is done: an error there changes nothing, and bodies stay', () => {
    const scene = createScene();
    const slab = cube(5);
    let meddle = (): void => {};
    const box: typeof slab.box = (...given) => {
      const tracer = slab.box(...given);
      const { shape } = tracer;
      return Object.defineProperty(tracer, 'shape', {
        get() {
          meddle();
          return shape;
        },
      });
    };
    const body = scene.add({ bounds: slab.bounds, box }, { origin: [50, 0, 0] });
    const tracer = scene.box([-1, -1, -1], [1, 1, 1]);
    const before = tracer.trace(...ahead);
    for (const forbidden of [() => scene.remove(body), () => scene.move(body, {})]) {
      let isNew = true;
      meddle = () => {
        if (isNew) isNew = false;
        else return;
        forbidden();
      };
      expect(() => tracer.set({ mins: [-9, -9, -9], maxs: [9, 9, 9] })).toThrow('bodies cannot be');
      expect(tracer.trace(...ahead)).toEqual(before);
      const other = scene.add({ bounds: slab.bounds, box }, { origin: [50, 500, 0] });
      isNew = true;
      expect(() => tracer.trace(...ahead)).toThrow('bodies cannot be');
      expect(scene.count).toBe(2);
      expect(tracer.trace(...ahead)).toEqual(before);
      scene.remove(other);
    }
  });

  it('takes in bodies that came meanwhile, and changes nothing if one of these cannot be traced', () => {
    const scene = createScene();
    const slab = cube(5);
    const tracer = scene.box([-1, -1, -1], [1, 1, 1]);
    let fails = true;
    const shy: Collider & { readonly bounds: Bounds } = {
      bounds: slab.bounds,
      box: (mins, maxs) => {
        if (fails) throw new RangeError('no boxes');
        return slab.box(mins, maxs);
      },
    };
    scene.add(slab, { origin: [90, 0, 0] });
    const body = scene.add(shy, { origin: [50, 0, 0] });
    scene.add(slab, { origin: [70, 0, 0] });
    const larger = { mins: [-9, -9, -9] as Vec3, maxs: [9, 9, 9] as Vec3 };
    expect(() => tracer.set(larger)).toThrow(new RangeError('no boxes'));
    expect(tracer.shape).toEqual({
      kind: 'box',
      mins: new Float32Array(3).fill(-1),
      maxs: new Float32Array(3).fill(1),
    });
    fails = false;
    expect(tracer.trace(...ahead)).toMatchObject({ entity: body, endPos: new Float32Array([43.875, 0, 0]) });
    scene.remove(body);
    fails = true;
    // A body that has gone is no longer told.
    expect(tracer.set(larger).trace(...ahead).endPos[0]).toBeCloseTo(55.875);
  });

  describe('of what the world’s own tracers can change', () => {
    interface Told {
      readonly levels?: number | undefined;
    }
    /** A world or body whose tracers stop at half the way on level 1, and go through on others; what it is told is kept. */
    const storeys = (known: readonly string[] | undefined, told: unknown[] = []) => {
      const slab = cube(5);
      const ray = (options: Told & { readonly models?: readonly number[] } = {}) => {
        let { levels = 1 } = options;
        const inner = [hit(0.5).ray(), miss().ray()] as const;
        return {
          ...inner[0],
          trace: (start: Vec3, end: Vec3, out: Trace) => inner[levels === 1 ? 0 : 1].trace(start, end, out),
          blocked: () => levels === 1,
          set({ levels: wanted, ...rest }: Told) {
            checkOptions(rest, ['mask', 'mins', 'maxs'], 'settings');
            if (wanted !== undefined && !(wanted > 0)) throw new RangeError(`no level ${wanted}`);
            told.push({ levels: wanted, ...rest });
            levels = wanted ?? levels;
            return this;
          },
        };
      };
      return { bounds: slab.bounds, ray, ...(known && { traceOptions: known }) };
    };

    it.each([[['mask', 'levels', 'models']], [undefined]])('passes it on, where options are %j', (known) => {
      const told: unknown[] = [];
      const scene = createScene(storeys(known, told));
      const body = scene.add(cube(5), { origin: [80, 0, 0] });
      const ray = scene.ray();
      expect(ray.trace(...ahead).entity).toBe(0);
      expect(ray.set({ levels: 2 }).trace(...ahead).entity).toBe(body);
      expect(told).toEqual([{ levels: 2 }]);
      expect(ray.blocked(...ahead)).toBe(true);
      expect(ray.set({ ignore: body }).blocked(...ahead)).toBe(false);
      expect(ray.set({ levels: 1, ignore: -1, mask: -1 }).trace(...ahead).entity).toBe(0);
    });

    it.each([[['mask', 'levels', 'models']], [undefined]])(
      'changes nothing if the world refuses, where options are %j',
      (known) => {
        const scene = createScene(storeys(known));
        const body = scene.add(cube(5), { origin: [80, 0, 0] });
        const ray = scene.ray();
        expect(() => ray.set({ levels: 0, ignore: body, mask: 1 })).toThrow(new RangeError('no level 0'));
        expect(ray.trace(...ahead).entity).toBe(0);
        ray.set({ levels: 2 });
        expect(() => ray.set({ levels: -1, mask: 1 })).toThrow(new RangeError('no level -1'));
        expect(ray.trace(...ahead).entity).toBe(body);
        // Given when a tracer is made, but not changed by the world's own tracers.
        const wrong = { levels: 1, models: [1] };
        expect(() => ray.set(wrong)).toThrow("no option 'models' here; the options are mask, mins, maxs");
        for (const name of ['move', 'monsterClip', 'level']) {
          expect(() => ray.set({ [name]: 1, levels: 1 })).toThrow(`no option '${name}' here`);
        }
        expect(ray.trace(...ahead).entity).toBe(body);
        expect(ray.set({ mask: 0 }).trace(...ahead).entity).toBe(-1);
        expect(() => ray.set({ levels: 0, mask: -1 })).toThrow(new RangeError('no level 0'));
        expect(ray.trace(...ahead).entity).toBe(-1);
      },
    );

    it('names all settings if one is not known', () => {
      const ray = createScene(storeys(['mask', 'levels'])).ray();
      expect(() => ray.set({ ingore: 1 } as object)).toThrow(
        new TypeError(
          "there is no option 'ingore' here; the options are mask, ignore, radius, radii, mins, maxs, levels",
        ),
      );
      // One of a name that every object has, which a world refuses that does not list its options.
      const { traceOptions: _, ...unlisted } = cube(5);
      const other = createScene(unlisted).ray();
      expect(() => other.set({ toString: 1 } as object)).toThrow("no option 'toString' here");
      expect(other.set({ epsilon: 8 } as object).trace([50, 0, 0], [0, 0, 0]).endPos[0]).toBe(13);
      const { ray: fixed } = storeys(['levels']);
      const { set: __, ...unchangeable } = fixed();
      const scene = createScene({ ...storeys(['levels']), ray: () => unchangeable });
      expect(() => scene.ray().set({ levels: 2 } as object)).toThrow("no option 'levels' here");
    });

    it('passes it on to bodies that take it, and makes their tracers again if they cannot change it', () => {
      const scene = createScene(storeys(['levels']));
      const told: unknown[] = [];
      const near = scene.add({ ...storeys(['levels'], told), takesAnySize: true });
      const deaf = scene.add(storeys(['mask']));
      const ray = scene.ray({ levels: 2 });
      expect(ray.set({ ignore: deaf }).trace(...ahead).entity).toBe(-1);
      expect(ray.set({ levels: 1, ignore: near }).trace(...ahead).entity).toBe(0);
      ray.set({ levels: 3, mask: 1, ignore: -1 });
      // As told at once, before it is used, since it may refuse.
      expect(told).toEqual([{ levels: 1 }, { levels: 3 }]);
      expect(ray.trace(...ahead).entity).toBe(deaf);
      let made = 0;
      const body = scene.add({
        ...storeys(['levels']),
        ray: (options: Told = {}) => {
          made++;
          return (options.levels === 4 ? hit(0.4) : miss()).ray();
        },
      });
      expect(ray.set({ levels: 4 }).trace(...ahead).entity).toBe(body);
      expect(made).toBe(2);
    });

    it('is told alone, without what was set before', () => {
      const told: object[] = [];
      const masks: unknown[] = [];
      const scene = createScene({
        bounds: everywhere,
        traceOptions: ['levels', 'mask'],
        sphere: (radius: number, options: { readonly mask?: number | undefined } = {}) => {
          masks.push(options.mask);
          return {
            ...miss().ray(),
            shape: { kind: 'sphere', radius } as const,
            // Takes a mask only when it is made.
            set(changes: Told & { readonly radius?: number | undefined }) {
              checkOptions(changes, ['levels', 'radius'], 'settings');
              if (changes.levels === 0) throw new RangeError('no level 0');
              told.push({ ...changes });
              return this;
            },
          };
        },
      });
      const tracer = scene.sphere(3).set({ mask: 1 });
      tracer.set({ levels: 2 }).set({ radius: 5 }).set({ levels: 3 });
      expect(told).toEqual([{ levels: 2 }, { radius: 5 }, { levels: 3 }]);
      expect(() => tracer.set({ levels: 0 })).toThrow('no level 0');
      expect(masks).toEqual([undefined, 1, 1]);
    });

    it('keeps a pose to the world, as the scene says where bodies are', () => {
      const posed = (told: unknown[]) => ({
        bounds: everywhere,
        traceOptions: ['origin'],
        ray: () => ({
          ...miss().ray(),
          set({ origin }: { readonly origin?: Vec3 }) {
            told.push(origin);
            return this;
          },
        }),
      });
      const told: unknown[][] = [[], []];
      const scene = createScene(posed(told[0]!));
      scene.add(posed(told[1]!));
      scene.ray().set({ origin: [1, 2, 3] });
      expect(told).toEqual([[[1, 2, 3]], []]);
    });

    it('is undone for bodies, too, if one of them refuses', () => {
      const scene = createScene(storeys(['levels']));
      scene.add(storeys(['levels']));
      const strict = storeys(['levels']);
      const ray = () => ({
        ...strict.ray(),
        set({ levels }: Told) {
          if (levels === 3) throw new RangeError('not three');
          return this;
        },
      });
      scene.add({ ...strict, ray, takesAnySize: true }, { solid: 'none' });
      const tracer = scene.ray();
      expect(() => tracer.set({ levels: 3 })).toThrow('not three');
      expect(tracer.trace(...ahead).entity).toBe(0);
    });

    it('is undone for bodies that are gone before that was possible', () => {
      let fails = false;
      const told: unknown[] = [];
      // One is told before the lazy one, and one after it, whatever the order.
      const failing = () => {
        const made = storeys(['levels']);
        const ray = () => {
          if (fails) throw new Error('cannot be made');
          const set = () => {
            if (told.length === 0) return;
            fails = true;
            throw new Error('refuses');
          };
          return { ...made.ray({ levels: 2 }), set };
        };
        return { ...made, ray };
      };
      const made = storeys(['levels']);
      const scene = createScene({ ...made, ray: (_?: Told) => made.ray({ levels: 2 }) });
      scene.add(failing());
      const lazy = { ...storeys(['levels'], told), takesAnySize: true };
      const body = scene.add(lazy);
      const last = scene.add(failing());
      const tracer = scene.ray();
      expect(tracer.trace(...ahead).entity).toBe(body);
      expect(() => tracer.set({ levels: 2 })).toThrow('cannot be made');
      expect(told).toEqual([{ levels: 2 }]);
      scene.remove(body);
      scene.remove(last);
      fails = false;
      expect(tracer.trace(...ahead).entity).toBe(-1);
      expect(scene.add(lazy)).toBe(body);
      expect(tracer.trace(...ahead).entity).toBe(body);
    });

    it('reaches the worlds of scenes in scenes', () => {
      const inner = createScene(storeys(['levels']));
      const around = createScene(inner).ray();
      expect(around.set({ levels: 2 }).blocked(...ahead)).toBe(false);
      expect(() => around.set({ level: 2 } as object)).toThrow("no option 'level' here");
      expect(() => around.set({ levels: 0 })).toThrow('no level 0');
      const outer = createScene(storeys(['levels']));
      outer.add(inner, { bounds: everywhere });
      // One with another world does not mind.
      outer.add(createScene(cube(5)), { origin: [80, 0, 0], bounds: cube(5).bounds });
      // Nor does one whose tracers must be made again.
      const { set: _, ...fixed } = storeys(['levels']).ray({ levels: 2 });
      outer.add(createScene({ ...storeys(['levels']), ray: () => fixed }), { bounds: everywhere });
      const ray = outer.ray();
      expect(ray.set({ levels: 2 }).trace(...ahead).entity).toBe(2);
      expect(ray.set({ levels: 1 }).trace(...ahead).entity).toBe(0);
    });

    it('is the distance to keep, too, without a world', () => {
      const scene = createScene();
      scene.add(cube(5), { origin: [50, 0, 0] });
      const ray = scene.ray();
      const short: [Vec3, Vec3] = [
        [0, 0, 0],
        [41, 0, 0],
      ];
      expect(ray.blocked(...short)).toBe(false);
      // Farther than bodies are looked for by default.
      expect(ray.set({ epsilon: 8 }).trace(...ahead).endPos[0]).toBe(37);
      expect(ray.trace(...short)).toEqual(scene.ray({ epsilon: 8 }).trace(...short));
      for (const each of [ray, createScene().ray()]) {
        expect(() => each.set({ epsilon: -1 })).toThrow(
          new RangeError('epsilon must be a finite float32, 0 or more, got -1'),
        );
      }
      expect(() => ray.set({ curves: false } as object)).toThrow("no option 'curves' here");
    });

    it('is the size of ellipsoids', () => {
      const made: number[][] = [];
      const world = {
        bounds: everywhere,
        ellipsoid: (radii: Vec3) => {
          made.push([...radii]);
          return { ...miss().ray(), shape: { kind: 'ellipsoid', radii } } as const;
        },
      };
      const tracer = createScene(world).ellipsoid([1, 2, 3]);
      tracer.set({ radii: [4, 5, 6] } as object);
      expect(made).toEqual([
        [1, 2, 3],
        [4, 5, 6],
      ]);
      expect(tracer.shape).toEqual({ kind: 'ellipsoid', radii: Float32Array.of(4, 5, 6) });
      // Bodies are told, at once or when they are used next, what the shape has.
      for (const takesAnySize of [true, false]) {
        const told: number[][] = [];
        const body = {
          bounds: everywhere,
          takesAnySize,
          ellipsoid: (radii: Vec3) => ({
            ...world.ellipsoid(Float32Array.from(radii)),
            set(changes: { readonly radii?: Vec3 }) {
              told.push([...changes.radii!]);
              return this;
            },
          }),
        };
        const scene = createScene(world);
        scene.add(body);
        const among = scene.ellipsoid([1, 2, 3]);
        among.set({ radii: [0.1, 5, 6] } as object).trace(...ahead);
        expect(told).toEqual([[Math.fround(0.1), 5, 6]]);
        among.set({ radii: [0.1, 5, 6] } as object).trace(...ahead);
        expect(told).toHaveLength(1);
      }
      expect(() => tracer.set({ radii: [4, 0, 6] } as object)).toThrow('radii[1] must be above 0, got 0');
      const ray = createScene().ray();
      expect(() => ray.set({ radii: [4, 5, 6] } as object)).toThrow('radii do not belong to a ray');
    });
  });

  it('makes tracers again if they take no masks', () => {
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

  it('tells colliders that take any size of changes when they are next used, and all others at once', () => {
    const told: string[] = [];
    const slab = cube(5);
    const named = (name: string, takesAnySize?: boolean) => ({
      bounds: slab.bounds,
      takesAnySize,
      box: (mins: Vec3, maxs: Vec3) => {
        const tracer = slab.box(mins, maxs);
        const set = tracer.set.bind(tracer);
        tracer.set = (changes) => {
          told.push(name);
          return set(changes);
        };
        return tracer;
      },
    });
    const scene = createScene();
    scene.add(named('near', true), { origin: [50, 0, 0] });
    scene.add(named('far', true), { origin: [0, 500, 0] });
    scene.add(named('strict'), { origin: [0, 0, 500] });
    const box = scene.box([-1, -1, -1], [1, 1, 1]);
    box.set({ mins: [-2, -2, -2], maxs: [2, 2, 2] });
    box.set({ mins: [-4, -4, -4], maxs: [4, 4, 4] });
    expect(told).toEqual(['strict', 'strict']);
    expect(box.trace([0, 0, 0], [100, 0, 0]).endPos[0]).toBe(40.875);
    expect(told).toEqual(['strict', 'strict', 'near']);
    expect(box.trace([0, 400, 0], [0, 500, 0]).endPos[1]).toBe(490.875);
    expect(told).toEqual(['strict', 'strict', 'near', 'far']);
  });

  it('tells a collider at once from when its tracer, made again, moves more than it is asked to', () => {
    const told: string[] = [];
    const slab = cube(5);
    let made = 0;
    const grows = {
      bounds: slab.bounds,
      takesAnySize: true,
      box(mins: Vec3, maxs: Vec3) {
        const wide = made++ > 0 ? 10 : 0;
        const tracer = slab.box([mins[0]! - wide, mins[1]!, mins[2]!], [maxs[0]! + wide, maxs[1]!, maxs[2]!]);
        tracer.set = (changes) => {
          told.push(
            Object.keys(changes)
              .filter((name) => changes[name as 'mask'] !== undefined)
              .join(' '),
          );
          throw new TypeError('cannot be changed');
        };
        return tracer;
      },
    };
    const scene = createScene();
    for (let k = 0; k < 3; k++) scene.add(cube(5), { origin: [0, 900, 100 * k] });
    const body = scene.add(grows, { origin: [50, 0, 0] });
    const box = scene.box([-1, -1, -1], [1, 1, 1]);
    const move = [
      [34, 100, 0],
      [34, -100, 0],
    ] as const;
    box.set({ maxs: [1, 1, 2] });
    expect(told).toEqual([]);
    expect(box.trace([0, 0, 0], [100, 0, 0]).entity).toBe(body);
    expect(told).toEqual(['mins maxs']);
    box.set({ maxs: [1, 1, 3] });
    expect(told).toEqual(['mins maxs', 'maxs']);
    expect(box.trace(...move).entity).toBe(body);
    scene.remove(body);
    expect(box.set({ maxs: [1, 1, 4] }).trace(...move).entity).toBe(-1);
    expect(told).toEqual(['mins maxs', 'maxs']);
  });

  it('meets what comes back after a change with all that it moves then', () => {
    const slab = cube(5);
    const doubles = {
      bounds: slab.bounds,
      box(mins: Vec3, maxs: Vec3) {
        const twice = (size: Vec3): Vec3 => Array.from(size, (x) => 2 * x);
        const tracer = slab.box(twice(mins), twice(maxs));
        tracer.set = () => {
          throw new TypeError('cannot be changed');
        };
        return tracer;
      },
    };
    const scene = createScene();
    const box = scene.box([-1, -1, -1], [1, 1, 1]);
    const ahead = [
      [0, 0, 0],
      [100, 0, 0],
    ] as const;
    const first = scene.add(doubles, { origin: [50, 0, 0] });
    expect(box.trace(...ahead).entity).toBe(first);
    scene.remove(first);
    expect(box.trace(...ahead).entity).toBe(-1);
    box.set({ mins: [-20, -20, -20], maxs: [20, 20, 20] });
    // Only twice the size comes near it.
    const second = scene.add(doubles, { origin: [100, 44, 0] });
    expect(box.trace(...ahead).entity).toBe(second);
  });

  it('tells nobody what is as it was', () => {
    const told: object[] = [];
    const slab = cube(5);
    const spied = {
      bounds: slab.bounds,
      box: (mins: Vec3, maxs: Vec3) => {
        const tracer = slab.box(mins, maxs);
        const set = tracer.set.bind(tracer);
        tracer.set = (changes) => {
          told.push(Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)));
          return set(changes);
        };
        return tracer;
      },
      sphere: (radius: number) => {
        const tracer = slab.sphere(radius);
        const set = tracer.set.bind(tracer);
        tracer.set = (changes) => {
          told.push({ radius: changes.radius });
          return set(changes);
        };
        return tracer;
      },
    };
    const scene = createScene(spied);
    const box = scene.box([-1, -1, -0.1], [1, 1, 0], { mask: 1 });
    box.set({ mask: 1 }).set({ mins: [-1, -1, -0.1], maxs: [1, 1, 0], mask: 1, ignore: 3 });
    box.set({ maxs: box.shape.kind === 'box' ? box.shape.maxs : [] });
    const sphere = scene.sphere(8).set({ radius: 8 });
    expect(told).toEqual([]);
    sphere.set({ radius: 9 });
    box.set({ mask: 2, mins: [-1, -1, -0.1] });
    // Another zero is another size.
    box.set({ maxs: [1, 1, -0] });
    expect(told).toEqual([{ radius: 9 }, { mask: 2 }, { maxs: Float32Array.of(1, 1, -0) }]);
  });

  describe('and of colliders that take any size, once these have made a tracer of a kind', () => {
    /** Counts the tracers that are made of it, and fails where it is told to. */
    const counted = (traceOptions?: string[]) => {
      const slab = cube(5);
      const counts = {
        bounds: slab.bounds,
        takesAnySize: true,
        traceOptions,
        made: [] as string[],
        fails: false,
        box: (mins: Vec3, maxs: Vec3, options: BodyTraceOptions = {}) => {
          if (counts.fails) throw new Error('not now');
          const given = Object.entries(options).filter(([, value]) => value !== undefined);
          counts.made.push(['box', ...given.flat()].join(' '));
          return slab.box(mins, maxs, options);
        },
        ray: () => {
          counts.made.push('ray');
          return slab.ray();
        },
      };
      return counts;
    };
    const one: [Vec3, Vec3] = [
      [-1, -1, -1],
      [1, 1, 1],
    ];
    const aside: [Vec3, Vec3] = [
      [0, 500, 0],
      [100, 500, 0],
    ];

    it('makes others when they come near', () => {
      const scene = createScene();
      const collider = counted();
      const body = scene.add(collider, { origin: [50, 0, 0] });
      const first = scene.box(...one);
      expect(collider.made).toEqual(['box']);
      const second = scene.box(...one, { mask: 4 });
      second.trace(...aside);
      expect(second.blocked(...aside)).toBe(false);
      second.set({ mask: -2, mins: [-3, -3, -3] });
      // Of another kind, so it may not be able to.
      const ray = scene.ray();
      expect(collider.made).toEqual(['box', 'ray']);
      expect(second.trace(...ahead)).toMatchObject({ entity: body, fraction: Math.fround(0.43875) });
      expect(collider.made).toEqual(['box', 'ray', 'box mask -2']);
      // It is kept, for other bodies too.
      scene.remove(body);
      const [near, far] = [10, 40].map((x) => scene.add(collider, { origin: [x + 10, 0, 0] })) as [
        number,
        number,
      ];
      expect(second.trace(...ahead).entity).toBe(near);
      expect(second.set({ ignore: near }).trace(...ahead).entity).toBe(far);
      expect(first.trace(...ahead).entity).toBe(near);
      expect(collider.made).toHaveLength(3);
      // The other tracers wait for new colliders, too.
      const other = counted();
      scene.add(other, { origin: [70, 0, 0] });
      for (const tracer of [first, second, ray]) tracer.trace(...aside);
      expect(other.made).toEqual(['box', 'ray']);
    });

    it('does so at once if it is given options of its own, which it may refuse', () => {
      const scene = createScene();
      const [collider, deaf] = [counted(['mask', 'epsilon']), counted(['mask'])];
      scene.add(collider, { origin: [0, 900, 0] });
      scene.add(deaf, { origin: [0, 900, 0] });
      scene.box(...one);
      const second = scene.box(...one, { mask: 3 });
      scene.box(...one, { epsilon: 2 });
      expect(collider.made).toEqual(['box', 'box epsilon 2']);
      second.set({ mask: 5 });
      expect(collider.made).toHaveLength(2);
      collider.fails = true;
      expect(() => second.set({ epsilon: 1 })).toThrow('not now');
      expect(() => scene.box(...one, { epsilon: 1 })).toThrow('not now');
      collider.fails = false;
      second.set({ epsilon: 1 });
      expect(collider.made).toEqual(['box', 'box epsilon 2', 'box mask 5 epsilon 1']);
      expect(deaf.made).toHaveLength(1);
    });

    it('makes one for all bodies that share a collider, and tells it nothing that it was made with', () => {
      const scene = createScene();
      const collider = counted(['mask', 'epsilon']);
      const told: unknown[] = [];
      const { box } = collider;
      collider.box = (...given) => {
        const made = box(...given);
        const { set } = made;
        return Object.assign(made, {
          set(changes: object) {
            told.push({ ...changes });
            return set.call(made, changes);
          },
        });
      };
      for (const x of [20, 40]) scene.add(collider, { origin: [x, 0, 0] });
      scene.box(...one);
      const [second, third] = [scene.box(...one), scene.box(...one)];
      // From both at once, where neither is hit.
      const between: [Vec3, Vec3] = [
        [0, 6.5, 0],
        [100, 6.5, 0],
      ];
      expect([second.trace(...between).fraction, collider.made.length]).toEqual([1, 2]);
      third.set({ epsilon: 1 });
      expect([collider.made.length, told]).toEqual([3, []]);
      expect(third.trace(...ahead).fraction).toBeLessThan(second.trace(...ahead).fraction);
    });

    it('makes those of each hull at once for the first time, as there may be one that it does not have', () => {
      const slab = cube(5);
      const hulls = [4, 8].map(
        (half) => ({ mins: [-half, -half, -half], maxs: [half, half, half] }) as const,
      );
      const hullOf = (hull: number) => slab.box(hulls[hull]!.mins, hulls[hull]!.maxs);
      const scene = createScene({ bounds: everywhere, hulls, hull: hullOf, traceOptions: ['mask'] });
      const hull = (number: number) => {
        if (number === 1) throw new RangeError('no hull 1 here');
        return hullOf(number);
      };
      scene.add({ bounds: slab.bounds, takesAnySize: true, hull }, { origin: [900, 0, 0] });
      scene.hull(0);
      expect(() => scene.hull(1)).toThrow('no hull 1 here');
    });

    it('throws where it cannot, and changes nothing', () => {
      const scene = createScene();
      const collider = counted();
      const body = scene.add(collider, { origin: [50, 0, 0] });
      scene.box(...one);
      const second = scene.box(...one);
      collider.fails = true;
      for (let k = 0; k < 2; k++) {
        expect(() => second.trace(...ahead)).toThrow('not now');
        expect(() => second.blocked(...ahead)).toThrow('not now');
      }
      collider.fails = false;
      expect(second.trace(...ahead).entity).toBe(body);
      expect(collider.made).toHaveLength(2);
    });
  });

  it('passes no mask to a collider that takes none, nor makes a tracer again for one', () => {
    const told: unknown[] = [];
    let made = 0;
    const slab = cube(5);
    const create = (isBox: boolean) => ({
      bounds: slab.bounds,
      traceOptions: ['epsilon'],
      ...(isBox && { resize: () => {} }),
      box: (mins: Vec3, maxs: Vec3) => {
        made++;
        const tracer = slab.box(mins, maxs);
        const set = tracer.set.bind(tracer);
        tracer.set = ({ mask, ...sizes }) => {
          if (mask !== undefined) throw new TypeError('no masks here');
          told.push(sizes.mins && Array.from(sizes.mins));
          return set(sizes);
        };
        return tracer;
      },
    });
    const scene = createScene(create(false));
    scene.add(create(false), { origin: [50, 0, 0] });
    scene.add(create(true), { origin: [50, 0, 0] });
    const box = scene.box([-1, -1, -1], [1, 1, 1], { mask: 1 });
    expect(made).toBe(3);
    box.set({ mask: 2 });
    expect(told).toEqual([]);
    box.set({ mask: 4, mins: [-2, -2, -2] });
    expect(box.trace([30, 0, 0], [100, 0, 0]).endPos[0]).toBe(43.875);
    expect(told).toEqual([
      [-2, -2, -2],
      [-2, -2, -2],
      [-2, -2, -2],
    ]);
    expect(made).toBe(3);
  });

  it('tells boxes only when they are next used', () => {
    const told: unknown[] = [];
    const scene = createScene();
    for (let k = 0; k < 3; k++) {
      const body = cube(5);
      const box: typeof body.box = (...given) => {
        const tracer = body.box(...given);
        const set = tracer.set.bind(tracer);
        tracer.set = (changes) => {
          told.push([k, changes.mask, Array.from(changes.mins!), Array.from(changes.maxs!)]);
          return set(changes);
        };
        return tracer;
      };
      scene.add({ ...body, box }, { origin: [0, 50 * k, 0] });
    }
    const tracer = scene.box([-1, -1, -1], [1, 1, 1]);
    tracer
      .set({ mins: [-2, -2, -2] })
      .set({ mask: -1 })
      .set({ maxs: [3, 3, 3] });
    expect(told).toEqual([]);
    const endPos = Float32Array.of(-8.125, 50, 0);
    expect(tracer.trace([-20, 50, 0], [20, 50, 0])).toMatchObject({ entity: 2, endPos });
    expect(tracer.blocked([-20, 50, 0], [20, 50, 0])).toBe(true);
    expect(told).toEqual([[1, -1, [-2, -2, -2], [3, 3, 3]]]);
    // Nor is anything made again when a collider comes back that has not been used since.
    const made = told.length;
    const { collider } = scene.body(3);
    scene.remove(3);
    collider.box = () => expect.unreachable();
    expect(scene.add(collider, { origin: [0, 100, 0] })).toBe(3);
    expect(tracer.trace([-20, 100, 0], [20, 100, 0])).toMatchObject({ entity: 3 });
    expect(told).toHaveLength(made + 1);
  });

  it('tells a collider once, however many bodies share it, until the last of them is gone', () => {
    let told = 0;
    const telling = (): Collider => {
      const { ray } = hit(0.5);
      const set = function set<T>(this: T): T {
        told++;
        return this;
      };
      return { bounds: everywhere, ray: () => ({ ...ray(), set }) };
    };
    const scene = createScene();
    const [shared, other] = [telling(), telling()];
    // Numbers may be far apart.
    const bodies = [scene.add(shared, { number: 65_535 }), scene.add(other), scene.add(shared)];
    const ray = scene.ray();
    const toldBy = (mask: number): number => {
      told = 0;
      ray.set({ mask });
      return told;
    };
    expect(toldBy(1)).toBe(2);
    scene.remove(bodies[0]!);
    expect(toldBy(2)).toBe(2);
    scene.remove(bodies[2]!);
    expect(toldBy(3)).toBe(1);
    bodies.push(scene.add(shared));
    expect(toldBy(4)).toBe(2);
    for (const { number } of [...scene]) scene.remove(number);
    expect(toldBy(5)).toBe(0);
  });

  it('makes a tracer equal to a new one, whatever happens to the bodies meanwhile', () => {
    const random = createRandom(seedOf(31));
    const near = (most: number): number => Math.round((random() - 0.5) * 2 * most);
    const place = (): number[] => [near(60), near(60), near(20)];
    const sizes = () => ({ mins: [-near(9) - 9, -9, -9], maxs: [9, 9 + near(9), 9 + near(9)] });
    let hits = 0;
    for (let round = 0; round < 25; round++) {
      const scene = createScene();
      const colliders = Array.from({ length: 6 }, () =>
        createBody({ kind: 'box', ...sizes() }, { contents: 1 << (random() * 3) }),
      );
      const shared = scene.add(colliders[0]!, { origin: place() });
      const bodies = [shared, scene.add(colliders[0]!, { origin: place() })];
      const box = scene.box([-1, -1, -1], [1, 1, 1]);
      // Bodies make tracers for it when it first comes near them.
      const late = scene.box([-1, -1, -1], [1, 1, 1]);
      let options: { mask?: number; ignore?: number } = {};
      for (let step = 0; step < 40; step++) {
        const kind = Math.floor(random() * 7);
        const body = pick(random, bodies);
        if (kind === 0) bodies.push(scene.add(pick(random, colliders), { origin: place() }));
        else if (kind === 1 && bodies.length > 1) scene.remove(bodies.splice(bodies.indexOf(body), 1)[0]!);
        else if (kind === 2) scene.move(body, { origin: place() });
        else if (kind === 3) {
          pick(random, colliders).resize({ kind: 'box', ...sizes() });
          for (const each of bodies) scene.move(each, {});
        } else if (kind === 4) {
          options = { ...options, mask: 1 + Math.floor(random() * 7) };
          box.set(options);
          late.set(options);
        } else if (kind === 5) {
          const changed = sizes();
          box.set(changed);
          late.set(changed);
        } else {
          options = { ...options, ignore: random() < 0.3 ? -1 : body };
          box.set(options);
          late.set(options);
        }
        if (random() < 0.5) continue;
        const [start, end] = [place(), place()];
        const { mins, maxs } = box.shape as { mins: Vec3; maxs: Vec3 };
        const answer = box.trace(start, end);
        const fresh = scene.box(mins, maxs, options);
        expect(answer).toEqual(fresh.trace(start, end));
        expect(box.blocked(start, end)).toBe(fresh.blocked(start, end));
        expect(late.trace(start, end)).toEqual(answer);
        if (answer.fraction < 1) hits++;
      }
    }
    expect(hits).toBeGreaterThan(70);
  });
});
