import {
  type Bounds,
  createTraceBatch,
  defineTracer,
  type Pose,
  resetTrace,
  type Trace,
  type Vec3,
} from '@bspkit/core';
import { describe, expect, it } from 'vitest';
import {
  type Collider,
  createBody,
  createScene,
  createSceneTrace,
  createSceneTraceBatch,
  withPose,
} from '../src/index.ts';

const bounds: Bounds = { mins: [-1000, -1000, -1000], maxs: [1000, 1000, 1000] };

/** A collider whose rays all end with the given answer. */
function answering(answer: Partial<Trace>): Collider & { readonly bounds: Bounds } {
  const tracer = defineTracer({
    shape: { kind: 'ray' },
    trace: (_start, end, out) => {
      resetTrace(out).endPos.set(Array.from(end));
      return Object.assign(out, answer);
    },
  });
  return { bounds, ray: () => tracer };
}

const hit = (fraction: number, brush: number) => answering({ fraction, brush, contents: 1 });
const box = (half: number) =>
  createBody({ kind: 'box', mins: [-half, -half, -half], maxs: [half, half, half] });
const ahead: [Vec3, Vec3] = [
  [0, 0, 0],
  [100, 0, 0],
];

describe('a scene’s answer', () => {
  const askedOf = (world: Collider, ...bodies: (Collider & { readonly bounds: Bounds })[]) => {
    const scene = createScene(world as ReturnType<typeof hit> & { ray(): never });
    for (const body of bodies) scene.add(body);
    return scene.ray().trace(...ahead);
  };

  it('is the nearest hit, of the world or of a body', () => {
    expect(askedOf(hit(0.5, 1), hit(0.7, 2), hit(0.3, 3), hit(0.4, 4))).toMatchObject({
      fraction: 0.3,
      entity: 2,
      brush: 3,
      startEntity: -1,
    });
    expect(askedOf(hit(0.2, 1), hit(0.3, 2))).toMatchObject({ fraction: 0.2, entity: 0, brush: 1 });
    expect(askedOf(hit(1, -1), hit(1, -1))).toMatchObject({ fraction: 1, entity: -1, brush: -1 });
  });

  it('is, among equally near hits, that of the world, then that of the lowest number', () => {
    expect(askedOf(hit(0.5, 1), hit(0.5, 2))).toMatchObject({ entity: 0, brush: 1 });
    expect(askedOf(hit(1, 1), hit(0.5, 2), hit(0.5, 3))).toMatchObject({ entity: 1, brush: 2 });
  });

  it('keeps a start in solid, and says in what', () => {
    const stuck = answering({ startSolid: true });
    expect(askedOf(hit(0.5, 1), stuck, hit(0.3, 3))).toMatchObject({
      fraction: 0.3,
      startSolid: true,
      allSolid: false,
      entity: 2,
      startEntity: 1,
    });
    expect(askedOf(answering({ startSolid: true }), stuck)).toMatchObject({
      fraction: 1,
      entity: -1,
      startEntity: 0,
    });
  });

  it('keeps allSolid, with fraction 0', () => {
    const inside = answering({ startSolid: true, allSolid: true, fraction: 0, brush: 9 });
    expect(askedOf(hit(0.5, 1), inside, hit(0.3, 3))).toMatchObject({
      fraction: 0,
      startSolid: true,
      allSolid: true,
      entity: 1,
      startEntity: 1,
      brush: 9,
    });
  });

  it('is that of the world alone if it stops the move at once', () => {
    const inside = answering({ startSolid: true, allSolid: true, fraction: 0 });
    expect(askedOf(hit(0, 1), inside)).toMatchObject({
      fraction: 0,
      startSolid: false,
      allSolid: false,
      entity: 0,
      startEntity: -1,
    });
  });

  it('leaves nothing of an earlier one', () => {
    const scene = createScene();
    const body = scene.add(box(10), { origin: [50, 0, 0] });
    const ray = scene.ray();
    const out = createSceneTrace();
    expect(ray.trace(...ahead, out)).toBe(out);
    expect(out).toMatchObject({ entity: body, contents: 0x2000000, dist: 10 });
    expect(out.endPos[0]).toBeCloseTo(39.875, 5);
    const miss = { ...createSceneTrace(), endPos: Float32Array.of(0, 100, 0) };
    expect(ray.trace([0, 0, 0], [0, 100, 0], out)).toEqual(miss);
    scene.remove(body);
    expect(ray.trace(...ahead, out).entity).toBe(-1);
  });

  it('comes in batches too, with entities if there is room for them', () => {
    const scene = createScene();
    scene.add(box(10), { origin: [50, 0, 0] });
    const segments = Float32Array.of(0, 0, 0, 100, 0, 0, 0, 0, 0, 0, 0, 9, 50, 0, 0, 99, 0, 0);
    const ray = scene.ray();
    const batch = ray.traceBatch(segments) as ReturnType<typeof createSceneTraceBatch>;
    expect([...batch.entity]).toEqual([1, -1, -1]);
    expect([...batch.startEntity]).toEqual([-1, -1, 1]);
    expect([...batch.startSolid]).toEqual([0, 0, 1]);
    const plain = createTraceBatch(3);
    expect(ray.traceBatch(segments, plain)).toBe(plain);
    expect([...plain.fraction]).toEqual([...batch.fraction]);
    expect(ray.traceBatch(segments, createSceneTraceBatch(4))).toMatchObject({ count: 4 });
  });
});

describe('filters', () => {
  it('leave out the body that moves, and those whose contents are not in the mask', () => {
    const scene = createScene();
    const near = scene.add(box(5), { origin: [20, 0, 0], contents: 4 });
    const far = scene.add(box(5), { origin: [60, 0, 0], contents: 2 });
    const ray = scene.ray();
    const entity = (): number => ray.trace(...ahead).entity;
    expect(entity()).toBe(near);
    ray.set({ ignore: near });
    expect(entity()).toBe(far);
    expect(ray.blocked([0, 0, 0], [40, 0, 0])).toBe(false);
    ray.set({ ignore: -1, mask: 0x2000002 });
    expect(entity()).toBe(far);
    ray.set({ mask: -1 });
    expect(entity()).toBe(near);
    // The mask is passed on to the colliders: these have contents of their own.
    expect(scene.ray({ mask: 4 }).trace(...ahead).entity).toBe(-1);
    expect(scene.ray({ ignore: near }).trace(...ahead).entity).toBe(far);
  });

  it('change in size', () => {
    const scene = createScene();
    scene.add(box(10), { origin: [50, 0, 30] });
    const sphere = scene.sphere(10);
    expect(sphere.trace(...ahead).entity).toBe(-1);
    expect(sphere.set({ radius: 25 }).trace(...ahead).entity).toBe(1);
    expect(sphere.shape).toEqual({ kind: 'sphere', radius: 25 });
    const player = scene.box([-1, -1, -1], [1, 1, 1]);
    expect(player.trace(...ahead).entity).toBe(-1);
    player.set({ maxs: [1, 1, 25] });
    expect(player.trace(...ahead).endPos[0]).toBeCloseTo(38.875, 5);
  });

  it('are passed on to tracers without `set` by asking for new ones', () => {
    const masks: unknown[] = [];
    const collider: Collider & { readonly bounds: Bounds } = {
      bounds,
      ray: (options) => {
        masks.push((options as { mask?: number }).mask);
        return defineTracer({ shape: { kind: 'ray' }, trace: (_s, _e, out) => resetTrace(out) });
      },
    };
    const scene = createScene();
    scene.add(collider);
    const ray = scene.ray({ mask: 3 });
    ray.set({ mask: 5 });
    ray.set({ ignore: 1 });
    expect(masks).toEqual([3, 5]);
  });
});

describe('bodies', () => {
  it('are numbered from 1, and numbers are reused', () => {
    const scene = createScene();
    const ids = Array.from({ length: 40 }, () => scene.add(box(1)));
    expect(ids).toEqual(Array.from({ length: 40 }, (_, k) => k + 1));
    scene.remove(17);
    expect([scene.has(17), scene.has(18), scene.count]).toEqual([false, true, 39]);
    expect(scene.add(box(2))).toBe(17);
  });

  it('get the lowest free number, so that it does not matter which were removed before', () => {
    const scene = createScene();
    for (let k = 0; k < 40; k++) scene.add(box(1));
    const gone = [30, 7, 33, 12, 40, 8, 1];
    for (const number of gone) scene.remove(number);
    // As after a saved game was loaded: a scene into which the same bodies were put by their numbers.
    const again = createScene();
    for (const { number } of scene) again.add(box(1), { number });
    const numbers = [scene, again].map((each) => Array.from({ length: 40 }, () => each.add(box(1))));
    expect(numbers[0]).toEqual([1, 7, 8, 12, 30, 33, ...Array.from({ length: 34 }, (_, k) => 40 + k)]);
    expect(numbers[1]).toEqual(numbers[0]);
    // Numbers that were asked for are free when these are removed.
    again.remove(73);
    again.add(box(1), { number: 90 });
    again.remove(90);
    expect([again.add(box(1)), again.add(box(1))]).toEqual([73, 74]);
  });

  it('get a number that is asked for, and all others are still given once', () => {
    const scene = createScene(undefined, { rules: 'nearest' });
    const ray = scene.ray();
    expect(scene.add(box(1), { number: 3, origin: [20, 0, 0] })).toBe(3);
    expect(scene.add(box(5), { number: 700, origin: [50, 0, 0] })).toBe(700);
    expect(ray.trace(...ahead).entity).toBe(3);
    scene.remove(3);
    expect(ray.trace(...ahead).entity).toBe(700);
    const numbers = Array.from({ length: 1100 }, () => scene.add(box(1), { origin: [0, 900, 0] }));
    expect(numbers.slice(0, 5)).toEqual([1, 2, 3, 4, 5]);
    expect(new Set([...numbers, 700]).size).toBe(1101);
    expect(Math.max(...numbers)).toBe(1101);
  });

  it('cannot get a number that is taken or invalid, and keep theirs', () => {
    const scene = createScene();
    scene.add(box(1), { number: 2 });
    expect(() => scene.add(box(1), { number: 2 })).toThrow(
      new RangeError('number must be free, but there is a body 2'),
    );
    for (const number of [0, -1, 1.5, 65_536]) {
      expect(() => scene.add(box(1), { number })).toThrow('number must be a whole number from 1 to 65535');
    }
    expect(() => scene.move(2, { number: 3 } as never)).toThrow("there is no option 'number' here");
    expect([scene.count, scene.add(box(1))]).toEqual([1, 1]);
  });

  it('are where they are moved to, even if they share a collider', () => {
    const scene = createScene();
    const shared = box(5);
    const [a, b] = [scene.add(shared, { origin: [30, 0, 0] }), scene.add(shared, { origin: [60, 0, 0] })];
    const ray = scene.ray();
    const x = (): number => ray.trace(...ahead).endPos[0]!;
    expect(x()).toBeCloseTo(24.875, 5);
    scene.move(a, { origin: [0, 50, 0] });
    expect(x()).toBeCloseTo(54.875, 5);
    scene.move(b, { angles: [0, 45, 0] });
    expect(x()).toBeCloseTo(54.875, 5);
    scene.move(a, { origin: [10, 0, 0] });
    expect(x()).toBeCloseTo(4.875, 5);
  });

  it('may be resized, and are then moved so that their bounds are read', () => {
    const scene = createScene();
    const body = box(5);
    const id = scene.add(body, { origin: [50, 40, 0] });
    const ray = scene.ray();
    expect(ray.trace(...ahead).entity).toBe(-1);
    body.resize({ kind: 'sphere', radius: 45 });
    scene.move(id, {});
    expect(ray.trace(...ahead).entity).toBe(id);
  });

  it('keep bounds that were given, as they were then, and read those of their collider again', () => {
    const scene = createScene();
    const { ray, bounds: own } = box(5);
    const given = { mins: [-5, -5, -5], maxs: [5, 5, 5] };
    const body = scene.add({ ray, bounds: own }, { bounds: given });
    // The same object describes the next body.
    given.maxs = [90, 90, 90];
    given.mins[0] = -90;
    scene.move(body, { origin: [1, 0, 0] });
    expect([scene.body(body).bounds.mins[0], scene.body(body).bounds.maxs[0]]).toEqual([-5, 5]);
    // A collider may have other bounds instead of changing the numbers in those it had.
    const collider = { ray, bounds: own as Bounds | undefined };
    const other = scene.add(collider);
    collider.bounds = given;
    scene.move(other, {});
    expect([scene.body(other).bounds.mins[0], scene.body(other).bounds.maxs[0]]).toEqual([-90, 90]);
    for (const [wrong, problem] of [
      [undefined, 'bounds must be given: this collider has none of its own'],
      [{}, 'bounds.mins must be three numbers, got undefined'],
    ] as const) {
      collider.bounds = wrong as never;
      expect(() => scene.move(other, { origin: [7, 0, 0] })).toThrow(new TypeError(problem));
    }
    expect([scene.body(other).bounds.maxs[0], scene.body(other).origin[0]]).toEqual([90, 0]);
    scene.move(other, { bounds: own });
    scene.move(other, {});
    expect(scene.body(other).bounds.maxs[0]).toBe(5);
  });

  it('are placed themselves if they can be, and are where they say', () => {
    const inner = box(5);
    const tracer = inner.ray();
    const door = {
      bounds: inner.bounds,
      origin: Float32Array.of(50, 0, 0),
      angles: new Float32Array(3),
      // Without a `place` of its own: it follows the door.
      ray: () =>
        defineTracer({ shape: { kind: 'ray' }, trace: (from, to, out) => tracer.trace(from, to, out) }),
      place({ origin, angles }: Pose) {
        if (origin) door.origin.set(Array.from(origin));
        if (angles) door.angles.set(Array.from(angles));
        tracer.place({ origin: door.origin });
        return door;
      },
    };
    const scene = createScene();
    const body = scene.add(door);
    const ray = scene.ray();
    expect(ray.trace(...ahead).endPos[0]).toBeCloseTo(44.875, 5);
    scene.move(body, { origin: [70, 0, 0] });
    expect([...door.origin]).toEqual([70, 0, 0]);
    expect(ray.trace(...ahead).endPos[0]).toBeCloseTo(64.875, 5);
    expect(() => scene.add(door)).toThrow(
      new RangeError('collider is already in this scene, and can only be in one place'),
    );
    scene.remove(body);
    scene.add(door, { origin: [30, 0, 0] });
    expect(ray.trace(...ahead).endPos[0]).toBeCloseTo(24.875, 5);
  });

  it('are met by a capsule where it reaches beyond the box that it is given by', () => {
    const scene = createScene();
    const body = scene.add(box(4));
    const capsule = scene.capsule([-16, 4, -24], [16, 6, 24]);
    // Its middle is at 5 along y, and it is 32 wide.
    const entityAt = (y: number): number => capsule.trace([-100, y, 0], [100, y, 0]).entity;
    expect([-26, -24, 14, 16].map(entityAt)).toEqual([-1, body, body, -1]);
  });

  it('may be scenes of their own', () => {
    const crates = createScene();
    crates.add(box(5), { origin: [10, 0, 0] });
    crates.add(box(5), { origin: [30, 0, 0] });
    const scene = createScene();
    const lift = scene.add(crates, { bounds, origin: [0, 0, 100] });
    const ray = scene.ray();
    expect(ray.trace(...ahead).entity).toBe(-1);
    const trace = ray.trace([100, 0, 100], [0, 0, 100]);
    expect(trace.entity).toBe(lift);
    expect(trace.endPos[0]).toBeCloseTo(35.125, 5);
  });

  it('cannot hold the scene that they are in', () => {
    const inItself = new RangeError(
      'collider must not hold this scene: none can be in itself, directly or through others',
    );
    const [a, b, c] = [createScene(), createScene(), createScene()];
    expect(() => a.add(a, { bounds })).toThrow(inItself);
    a.add(b, { bounds });
    expect(() => b.add(a, { bounds })).toThrow(inItself);
    b.add(c, { bounds });
    expect(() => c.add(a, { bounds })).toThrow(inItself);
    const over = createScene(a);
    expect(() => c.add(over, { bounds })).toThrow(inItself);
    // Twice side by side is not a cycle.
    a.add(c, { bounds });
    expect(c.count).toBe(0);
    expect(over.ray().trace(...ahead).entity).toBe(-1);
  });

  describe('that are scenes', () => {
    const tooMany = new RangeError(
      'a scene must consist of at most 16384 scenes, each counted as often as it is held, in at most 64 levels',
    );

    it('are looked at once each, however often they are held', () => {
      // Sixty scenes, each of which holds the next twice: 2 ** 60 ways lead from the first to the last.
      const scenes = Array.from({ length: 60 }, () => createScene());
      const inside = createScene();
      const held: object[] = [];
      for (const [k, scene] of scenes.entries()) {
        for (const inner of [scenes[k + 1], scenes[k + 1], inside]) if (inner) held.push([scene, inner]);
      }
      // Not one too many yet, from the outermost on: what each holds is empty.
      for (const [outer, inner] of held as [typeof inside, typeof inside][]) outer.add(inner, { bounds });
      expect(() => inside.add(scenes[0]!, { bounds })).toThrow('collider must not hold this scene');
      for (const ask of [() => scenes[0]!.ray(), () => createScene(scenes[0]!).ray()])
        expect(ask).toThrow(tooMany);
      expect(() => createScene().add(scenes[0]!, { bounds })).toThrow(tooMany);
      expect(scenes[50]!.ray().trace(...ahead).fraction).toBe(1);
    });

    it('are refused where a trace would have to ask too many', () => {
      let scene = createScene();
      scene.add(box(5), { origin: [50, 0, 0] });
      for (let k = 0; k < 13; k++) {
        const outer = createScene();
        outer.add(scene, { bounds });
        outer.add(scene, { bounds, origin: [0, 2 ** (20 - k), 0] });
        scene = outer;
      }
      const ray = scene.ray();
      expect(ray.trace(...ahead).endPos[0]).toBeCloseTo(44.875, 5);
      const outer = createScene();
      outer.add(scene, { bounds });
      expect(() => outer.add(scene, { bounds })).toThrow(tooMany);
      expect(outer.count).toBe(1);
      // What is inside grows under a scene that is being traced already.
      const [last] = [...scene];
      const inner = last!.collider as typeof scene;
      inner.add(inner.body(1).collider, { bounds });
      inner.add(inner.body(1).collider, { bounds });
      for (const ask of [() => ray.trace(...ahead), () => ray.blocked(...ahead), () => scene.box(...ahead)]) {
        expect(ask).toThrow(tooMany);
      }
      inner.remove(4);
      inner.remove(3);
      expect(ray.trace(...ahead).endPos[0]).toBeCloseTo(44.875, 5);
    });

    it('are refused where they lie too deep in each other', () => {
      const scenes = Array.from({ length: 5000 }, () => createScene());
      for (let k = 1; k < 64; k++) scenes[k - 1]!.add(scenes[k]!, { bounds });
      scenes[63]!.add(box(5), { origin: [50, 0, 0] });
      const ray = scenes[0]!.ray();
      expect(ray.trace(...ahead).endPos[0]).toBeCloseTo(44.875, 5);
      for (let k = 64; k < scenes.length; k++) scenes[k - 1]!.add(scenes[k]!, { bounds });
      for (const ask of [() => ray.trace(...ahead), () => scenes[0]!.ray()]) expect(ask).toThrow(tooMany);
      expect(() => createScene().add(scenes[0]!, { bounds })).toThrow(tooMany);
      expect(() => createScene(scenes[4950]!).add(scenes[4940]!, { bounds })).not.toThrow();
    });

    it('are refused where they lie too deep in each other, also if each was asked before', () => {
      let scene = createScene();
      for (let level = 2; level <= 64; level++) {
        scene.ray();
        const outer = createScene();
        outer.add(scene, { bounds });
        scene = outer;
      }
      scene.ray();
      expect(() => createScene().add(scene, { bounds })).toThrow(tooMany);
    });
  });

  it('without rays are traced with a box of no size', () => {
    const { box: make, bounds: size } = box(5);
    const scene = createScene();
    scene.add({ box: make, bounds: size }, { origin: [50, 0, 0] });
    expect(scene.ray().trace(...ahead).endPos[0]).toBeCloseTo(44.875, 5);
  });

  it.each([
    ['part of a map', {}],
    ['a box', { resize: () => undefined }],
  ])('are met where a larger shape is really moved than was asked for, by %s', (_what, more) => {
    const big = box(5);
    const coarse = {
      ...more,
      bounds: big.bounds,
      box: () => {
        const tracer = big.box([-40, -40, -40], [40, 40, 40]);
        return Object.assign(tracer, { set: () => tracer });
      },
    };
    const scene = createScene();
    const body = scene.add(coarse, { origin: [50, 40, 0] });
    const mover = scene.box([-1, -1, -1], [1, 1, 1]);
    expect(mover.trace(...ahead).entity).toBe(body);
    // Even if others move no more than was asked for.
    scene.add(big, { origin: [50, 90, 0] });
    const changed = scene.box([-1, -1, -1], [1, 1, 1]).set({ maxs: [2, 2, 2] });
    for (const tracer of [mover, scene.box([-1, -1, -1], [1, 1, 1]), changed]) {
      for (const origin of [
        [50, 40, 0],
        [50, -40, 0],
        [50, 0, 40],
        [50, 0, -40],
      ]) {
        scene.move(body, { origin });
        expect(tracer.trace(...ahead).entity, `${origin}`).toBe(body);
      }
    }
  });
});

describe('turned bodies', () => {
  const flat = createBody({ kind: 'box', mins: [-10, -10, 0], maxs: [10, 10, 0] });
  const turning: Collider = {
    bounds: flat.bounds,
    box: (mins, maxs, options) => withPose(flat.box(mins, maxs, options as object)),
  };
  const passing: [Vec3, Vec3] = [
    [27, -8, 0],
    [27, 8, 0],
  ];

  it('are met by corners of a mover’s box, which turn with them and reach farther out', () => {
    const scene = createScene();
    const body = scene.add(turning, { angles: [0, 45, 0] });
    expect(scene.box([-10, -10, 0], [10, 10, 0]).trace(...passing).entity).toBe(body);
    expect(scene.box([-8, -8, 0], [8, 8, 0]).trace(...passing).entity).toBe(-1);
  });

  it('are met at their own corners, from which movers keep their distance along both sides', () => {
    const scene = createScene();
    const body = scene.add(turning, { angles: [0, 45, 0] });
    const point = scene.box([0, 0, 0], [0, 0, 0], { epsilon: 16 });
    // 26 units along both axes of the body's frame, so 36.8 along x.
    expect(point.trace([60, 0, 0], [35, 0, 0]).entity).toBe(body);
    expect(point.trace([60, 0, 0], [38, 0, 0]).entity).toBe(-1);
  });

  it('even if the mover has grown since, or the body was added later', () => {
    const scene = createScene();
    const box = scene.box([-1, -1, 0], [1, 1, 0]);
    const body = scene.add(turning, { angles: [0, 45, 0] });
    expect(box.trace(...passing).entity).toBe(-1);
    expect(box.set({ mins: [-10, -10, 0], maxs: [10, 10, 0] }).trace(...passing).entity).toBe(body);
    scene.remove(body);
    expect(box.trace(...passing).entity).toBe(-1);
    const later = scene.add(turning, { angles: [0, 45, 0] });
    expect(box.trace(...passing).entity).toBe(later);
  });

  it('are met by no mover once they are removed, not even by one that is larger than all before', () => {
    const scene = createScene();
    const gone = scene.add(turning, { angles: [0, 45, 0] });
    scene.add(turning, { origin: [0, 9000, 0] });
    scene.remove(gone);
    const large = scene.box([-200, -200, 0], [200, 200, 0]);
    expect(large.trace([300, 0, 0], [100, 0, 0]).entity).toBe(-1);
    const body = scene.add(turning, { angles: [0, 45, 0] });
    expect(large.trace([300, 0, 0], [100, 0, 0]).entity).toBe(body);
  });

  it('are asked only by movers that come near them, even in a scene that has had a large mover', () => {
    const scene = createScene();
    const asked: Vec3[] = [];
    const tracer = defineTracer({
      shape: { kind: 'ray' },
      trace: (start, _end, out) => {
        asked.push(Array.from(start));
        return resetTrace(out);
      },
    });
    const collider: Collider = { bounds: flat.bounds, ray: () => tracer, sphere: () => tracer };
    const body = scene.add(collider, { angles: [0, 45, 0] });
    const [ray, large] = [scene.ray(), scene.sphere(1000)];
    const far: [Vec3, Vec3] = [
      [0, 500, 0],
      [0, 600, 0],
    ];
    const asks = (mover: typeof ray): number => {
      asked.length = 0;
      mover.trace(...far);
      return asked.length;
    };
    expect([asks(ray), asks(large)]).toEqual([0, 1]);
    // Turned back and again, it is found where it is, and nowhere else.
    scene.move(body, { origin: [0, 550, 0], angles: [0, 0, 0] });
    expect([asks(ray), asks(large)]).toEqual([1, 1]);
    scene.move(body, { angles: [0, 90, 0] });
    expect([asks(ray), asks(large)]).toEqual([1, 1]);
    scene.move(body, { origin: [0, 2500, 0] });
    expect([asks(ray), asks(large)]).toEqual([0, 0]);
  });
});

describe('mistakes', () => {
  const eggs = () => createScene({ bounds, ellipsoid: () => box(1).ray() });

  it('are named when a body is added or a tracer made, and change nothing', () => {
    const scene = createScene();
    scene.sphere(4);
    const rays = { ray: box(1).ray, bounds };
    expect(() => scene.add(rays)).toThrow(
      new TypeError('the collider has no sphere(), so this scene cannot trace a sphere'),
    );
    expect(() => scene.add({ box: box(1).box })).toThrow(TypeError);
    scene.ray();
    expect(() => scene.add({ sphere: box(1).sphere, bounds })).toThrow(
      new TypeError('the collider has no ray(), so this scene cannot trace a ray'),
    );
    const missiles = createScene({ ...box(1), bounds }, { rules: 'quake1' });
    expect(missiles.add(rays)).toBe(1);
    missiles.remove(1);
    missiles.ray({ move: 'missile' });
    expect(() => missiles.add(rays)).toThrow(
      new TypeError('the collider has no box(), so this scene cannot trace a box'),
    );
    expect(() => scene.add({ ...box(1), bounds: undefined } as never)).toThrow('bounds must be given');
    expect(() => scene.add(box(1), { origin: [0, Number.NaN, 0] })).toThrow(
      'origin[1] must be a finite float32',
    );
    expect(() => scene.add(box(1), { angles: [0, 0, 1e99] })).toThrow('angles[2]');
    expect(() => scene.add(box(1), { contents: 0.5 })).toThrow(
      'contents must be a whole number of 32 bits, got 0.5',
    );
    expect(() => scene.add(box(1), { bounds: { mins: [1, 0, 0], maxs: [0, 0, 0] } })).toThrow('mins[0]');
    expect(scene.count).toBe(0);
    expect(() => scene.move(1, {})).toThrow(new RangeError('there is no body 1 in this scene'));
    expect(() => scene.remove(0)).toThrow(RangeError);
    const body = scene.add(box(1));
    expect(() => scene.move(body, { origin: [Number.POSITIVE_INFINITY, 0, 0] })).toThrow('origin[0]');
    expect(() => scene.box([1, 0, 0], [0, 0, 0])).toThrow('mins[0]');
    expect(() => scene.sphere(-1)).toThrow('radius');
    for (const radius of [0, -1]) {
      expect(() => createScene({ ellipsoid: () => box(1).ray() }).ellipsoid([4, 4, radius])).toThrow(
        new RangeError(`radii[2] must be above 0, got ${radius}`),
      );
    }
    const world = { ray: box(1).ray };
    expect(() => (createScene(world) as unknown as typeof scene).sphere(1)).toThrow(
      'the world has no sphere()',
    );
  });

  it('are named by tracers', () => {
    const scene = createScene();
    scene.add(box(1));
    const ray = scene.ray();
    expect(() => ray.trace([0, 0, Number.NaN], [0, 0, 0])).toThrow('start[2]');
    expect(() => ray.blocked([0, 0, 0], [Number.NaN, 0, 0])).toThrow('end[0]');
    expect(() => ray.set({ ignore: 0.5 })).toThrow(
      'ignore must be a whole number from -1 to 2147483647, got 0.5',
    );
    expect(() => ray.set({ mask: 2 ** 33 })).toThrow('mask must be a whole number of 32 bits');
    expect(() => ray.set({ radius: 1 })).toThrow(new TypeError('radius does not belong to a ray'));
    expect(() => ray.set({ mins: [0, 0, 0] })).toThrow(TypeError);
    expect(() => scene.ray({ ignore: 1.5 })).toThrow(RangeError);
    expect(() => (scene as unknown as ReturnType<typeof eggs>).ellipsoid([1, 2, 3])).toThrow(
      new TypeError('the collider has no ellipsoid(), so this scene cannot trace an ellipsoid'),
    );
    const egg = eggs().ellipsoid([1, 2, 3]);
    expect(() => egg.set({ radius: 1 })).toThrow(new TypeError('radius does not belong to an ellipsoid'));
    expect(() => egg.set({ maxs: [1, 2, 3] })).toThrow(
      new TypeError('mins and maxs do not belong to an ellipsoid'),
    );
  });
});
