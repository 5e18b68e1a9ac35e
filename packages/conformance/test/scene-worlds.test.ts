import { compileMap, roomBrushes } from '@bspkit/compile';
import type { Trace, Vec3 } from '@bspkit/core';
import { between, createRandom, pick } from '@bspkit/geometry';
import { createQuake1World, boxEntity as quake1BoxEntity, readQuake1 } from '@bspkit/quake1';
import { CONTENTS_MONSTER, boxEntity as quake2BoxEntity } from '@bspkit/quake2';
import {
  boxEntity,
  CONTENTS_BODY,
  type Quake3BoxEntity,
  type Quake3Model,
  type Quake3World,
} from '@bspkit/quake3';
import { type Body, createBody, createScene, createSceneTraceBatch, withPose } from '@bspkit/scene';
import { expectSame, moving } from '@bspkit/testkit/same';
import { seedOf } from '@bspkit/testkit/seed';
import { ACTOR_STANDING, cellSight, cellToWorld, createUfoaiTraceBatch, MASK_SOLID } from '@bspkit/ufoai';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bruteForce, expectTrace, type Point, place } from './scene-brute.ts';
import { quake1Arena, quake2Arena, quake3Arena, ufoaiHouse, worlds } from './worlds.ts';

const arena = quake3Arena();

describe('a capsule in a narrow box', () => {
  it("hits, beyond its box, what the game's server finds for it", () => {
    const scene = createScene(arena, { rules: 'quake3' });
    const body = scene.add(boxEntity([-16, -16, -24], [16, 16, 32]), { origin: [0, 0, 100] });
    const capsule = scene.capsule([-16, -4, -24], [16, 4, 32]);
    // Answers of ioquake3's dedicated server, as Debian builds it.
    for (const [start, end, fraction, endPos] of [
      [[-100, -44, 100], [100, -18, 100], 0.45673078298568726, [-8.653846740722656, -32.125, 100]],
      [
        [-100, -38, 100],
        [120, -20, 106],
        0.3263888955116272,
        [-28.194442749023438, -32.125, 101.95833587646484],
      ],
      // The server does not find the body: its box does not meet the one around the move.
      [[-100, -24, 100], [100, -26, 100], 1, [100, -26, 100]],
    ] as const) {
      const trace = capsule.trace(start, end);
      expect([trace.fraction, ...trace.endPos]).toEqual([fraction, ...endPos]);
      expect(trace.entity).toBe(fraction < 1 ? body : -1);
    }
  });
});

describe('contents at a point in a box entity', () => {
  const corners = [
    [-15, -15, -24],
    [15, 15, 32],
  ] as const;
  // High above everything, where the worlds have none.
  const [origin, inside, beside]: Point[] = [
    [0, 0, 3000],
    [14, 0, 3010],
    [17, 0, 3010],
  ];

  it('are those of the box, as the server of its game has it', () => {
    const quake2 = quake2Arena();
    const quake3 = quake3Arena();
    for (const [scene, box, bits] of [
      [createScene(quake3, { rules: 'quake3' }), boxEntity(...corners), CONTENTS_BODY],
      [createScene(quake3, { rules: 'quake3-client' }), boxEntity(...corners), 0],
      [createScene(quake3), boxEntity(...corners), 0],
      [createScene(quake2, { rules: 'quake2' }), quake2BoxEntity(...corners), CONTENTS_MONSTER],
    ] as const) {
      const body = scene.add(box, { origin });
      const without = scene.contents(inside!, { ignore: body });
      expect(scene.contents(inside!)).toBe(without | bits);
      expect(scene.contents(beside!)).toBe(without);
    }
  });
});

describe('bodies of a scene', () => {
  it('are hit by boxes and rays like box entities of Quake 3, bit for bit', () => {
    let hits = 0;
    let solid = 0;
    const eighths = (most: number) =>
      fc.noBias(fc.integer({ min: -8 * most, max: 8 * most })).map((x) => x / 8);
    const point = fc.tuple(eighths(80), eighths(80), eighths(80));
    const size = fc.tuple(fc.nat(320), fc.nat(320), fc.nat(320)).map((p) => p.map((x) => x / 8));
    const parts = fc.tuple(size, size, size, size, point, point, point, fc.boolean());
    type Parts = typeof parts extends fc.Arbitrary<infer T> ? T : never;
    const run = ([low, high, less, more, origin, start, end, still]: Parts): void => {
      const [mins, maxs] = [low.map((x) => -x), high];
      const [engine, own] = [boxEntity(mins, maxs), createBody({ kind: 'box', mins, maxs })];
      for (const make of [
        (thing: Body | Quake3BoxEntity) => thing.ray({ mask: -1 }),
        (thing: Body | Quake3BoxEntity) =>
          thing.box(
            less.map((x) => -x),
            more,
            { mask: -1 },
          ),
      ]) {
        const ours = place(make(own), { origin });
        const theirs = place(make(engine), { origin });
        const to = still ? start : end;
        const [a, b] = [ours.trace(start, to), theirs.trace(start, to)];
        const fields = ({ fraction, endPos, normal, dist, startSolid, allSolid, contents }: Trace) => ({
          fraction,
          endPos: [...endPos],
          normal: [...normal].map((x) => x + 0),
          dist: dist + 0,
          startSolid,
          allSolid,
          contents,
        });
        expectSame(fields(a), fields(b), moving(start, to));
        expectSame(ours.blocked(start, to), theirs.blocked(start, to), moving(start, to));
        if (a.fraction < 1) hits++;
        if (a.startSolid) solid++;
      }
    };
    fc.assert(fc.property(parts, run), { numRuns: 2000 });
    // Past an edge: it is left where it is entered, at 7/10 of the way, or a moment later.
    const eight = [8, 8, 8];
    for (const y of [10.875, 10.75])
      run([eight, eight, [0, 0, 0], [0, 0, 0], [0, 0, 0], [15.125, 0.875, 0], [5.125, y, 0], false]);
    expect(hits).toBeGreaterThan(100);
    expect(solid).toBeGreaterThan(100);
  });
});

describe('withPose', () => {
  it('moves a tracer as Quake 3 moves a model: bit for bit if it is not turned', () => {
    const random = createRandom(seedOf(7));
    let hits = 0;
    for (let k = 0; k < 2000; k++) {
      const model = arena.model(1 + (k % 3));
      const anywhere = (most: number): Point =>
        [0, 0, 0].map(() => Math.fround((random() - 0.5) * most)) as Point;
      const middle = [0, 1, 2].map((a) => (model.bounds.mins[a]! + model.bounds.maxs[a]!) / 2);
      const origin = anywhere(300);
      const angles = k % 2 === 0 ? anywhere(0) : anywhere(360);
      const near = (): Point =>
        anywhere(300).map((x, a) => Math.fround(x + origin[a]! + middle[a]!)) as Point;
      const [start, end] = [near(), near()];
      const placed = withPose(model.box([-8, -8, -8], [8, 8, 8]));
      placed.place({ origin, angles });
      const [ours, theirs] = [
        placed.trace(start, end),
        model.box([-8, -8, -8], [8, 8, 8], { origin, angles }).trace(start, end),
      ];
      expectSame(placed.blocked(start, end), ours.startSolid || ours.fraction < 1, moving(start, end));
      if (ours.fraction < 1) hits++;
      if (k % 2 === 0) {
        expectSame([ours.fraction, ...ours.normal], [theirs.fraction, ...theirs.normal]);
        expectSame(ours.brush, theirs.brush);
        // The engine computes the end even of an unhindered move against a model.
        if (ours.fraction < 1) expect([...ours.endPos]).toEqual([...theirs.endPos]);
        else expect([...ours.endPos]).toEqual(end);
      } else {
        expect(ours.fraction).toBeCloseTo(theirs.fraction, 4);
        for (let a = 0; a < 3; a++) expect(ours.normal[a]).toBeCloseTo(theirs.normal[a]!, 4);
      }
    }
    expect(hits).toBeGreaterThan(200);
  });
});

describe('a scene in a UFO:AI world', () => {
  const world = ufoaiHouse();

  it('finds the doors where the game does', () => {
    const random = createRandom(seedOf(11));
    const models = world.models();
    const scene = createScene(world);
    const bodies = models.map((model) => scene.add(model));
    const tracers = [
      [scene.box([-8, -8, -20], [8, 8, 20]), world.box([-8, -8, -20], [8, 8, 20], { models })],
      [scene.ray(), world.ray({ models })],
    ] as const;
    let hits = 0;
    for (let k = 0; k < 4000; k++) {
      if (k % 10 === 0) {
        const at = Math.floor(random() * models.length);
        const model = models[at]!;
        const origin = model.origin.map((x) => x + (random() - 0.5) * 4);
        scene.move(bodies[at]!, { origin, angles: [0, k < 3000 ? 0 : 90 * random(), 0] });
      }
      const near = pick(random, models);
      const place = (): number[] =>
        [0, 1, 2].map(
          (a) =>
            near.origin[a]! +
            (near.bounds.mins[a]! + near.bounds.maxs[a]!) / 2 +
            (random() - 0.5) * (a === 2 ? 60 : 200),
        );
      const [start, end] = [place(), place()];
      for (const [ours, theirs] of tracers) {
        const [a, b] = [ours.trace(start, end), theirs.trace(start, end)];
        if (a.entity > 0) hits++;
        if (k >= 3000) {
          // The game may miss models that are turned: it looks for them where they hardly reach.
          expect(a.fraction).toBeLessThanOrEqual(b.fraction);
          expect(a.startSolid || !b.startSolid).toBe(true);
          continue;
        }
        const asked = moving(start!, end!, `move ${k}, ${ours.shape.kind}`);
        expectSame([a.fraction, a.startSolid, a.allSolid], [b.fraction, b.startSolid, b.allSolid], asked);
        expectSame([...a.normal], [...b.normal], asked);
        expectSame(a.entity, b.fraction === 1 ? -1 : b.model > 0 ? bodies[b.model - 1] : 0, asked);
      }
    }
    expect(hits).toBeGreaterThan(100);
  });
});

describe('a scene in a Quake 1 world', () => {
  const world = quake1Arena();

  it('moves hulls, whose size the map decides, against doors and bodies', () => {
    const random = createRandom(seedOf(3));
    const scene = createScene(world);
    // Shapes that the world does not have are not offered.
    expect('sphere' in world).toBe(false);
    // A scene has no sphere to offer where the world has none.
    // @ts-expect-error: Property 'sphere' does not exist
    expect(() => scene.sphere(8)).toThrow(
      new TypeError('the world has no sphere(), so this scene cannot trace a sphere'),
    );
    const ours = scene.box([-8, -8, -8], [8, 8, 8]);
    const things = Array.from({ length: 30 }, (_, k) =>
      k % 2 ? world.model(1 + (k % world.numModels)) : quake1BoxEntity([-16, -16, -24], [16, 16, 32]),
    );
    const { mins, maxs } = world.bounds;
    const point = (): Point =>
      [0, 1, 2].map((k) => Math.fround(mins[k]! + random() * (maxs[k]! - mins[k]!))) as Point;
    const origins = things.map(() => point());
    const bodies = things.map((thing, k) => scene.add(thing, { origin: origins[k]! }));
    const traces = things.map((thing) => thing.box([-8, -8, -8], [8, 8, 8]));
    const alone = world.box([-8, -8, -8], [8, 8, 8]);
    const seen = { hits: 0, startSolid: 0 };
    for (let k = 0; k < 3000; k++) {
      const moved = k % things.length;
      origins[moved] = point();
      scene.move(bodies[moved]!, { origin: origins[moved] });
      const [start, end] = [point(), point()];
      const actual = ours.trace(start, end);
      const expected = bruteForce(
        alone.trace(start, end),
        bodies.map((body, at) => [
          body,
          () => place(traces[at]!, { origin: origins[at]! }).trace(start, end),
        ]),
      );
      expectTrace(actual, expected, `${start} -> ${end}`);
      if (actual.entity > 0) seen.hits++;
      if (actual.startEntity > 0) seen.startSolid++;
    }
    expect(seen.hits).toBeGreaterThan(30);
    expect(seen.startSolid).toBeGreaterThan(5);
  });

  it('tells models of its world of a size when they are next used, and those of other maps at once', () => {
    for (const [home, told] of [
      [world, 0],
      [quake1Arena(), 1],
    ] as const) {
      const model = home.model(1);
      let count = 0;
      const spied = Object.assign(Object.create(model) as typeof model, {
        box: (...size: [Vec3, Vec3]) => {
          const tracer = model.box(...size);
          const set = tracer.set.bind(tracer);
          return Object.assign(tracer, {
            set(settings: object) {
              count++;
              return set(settings);
            },
          });
        },
      });
      const scene = createScene(world);
      const body = scene.add(spied, { origin: [9000, 0, 0] });
      const box = scene.box([0, 0, 0], [0, 0, 0]);
      box.set({ mins: [-16, -16, -24], maxs: [16, 16, 32] });
      expect(count).toBe(told);
      scene.move(body, { origin: [0, 0, 0] });
      const middle = Array.from(model.bounds.mins, (x, k) => (x + model.bounds.maxs[k]!) / 2);
      const [from, to] = [[middle[0]!, middle[1]!, 4000], middle] as const;
      const alone = createScene(world);
      alone.add(world.model(1));
      const expected = alone.box([-16, -16, -24], [16, 16, 32]).trace(from, to);
      expect(box.trace(from, to)).toEqual(expected);
      expect(expected.entity).toBe(body);
      expect(count).toBe(1);
    }
  });
});

describe('a scene of UFO:AI', () => {
  const world = ufoaiHouse();
  const scene = createScene(world);
  const door = scene.add(world.model(1));
  const soldier = scene.add(createBody({ kind: 'box', ...ACTOR_STANDING }), {
    origin: cellToWorld([135, 130, 0]),
  });

  it('fills the numbers of its own traces in batches that have room for them', () => {
    const random = createRandom(seedOf(5));
    const { mins, maxs } = world.bounds;
    const count = 3000;
    const segments = Float32Array.from({ length: 6 * count }, (_, k) =>
      between(random, mins[k % 3]!, k % 3 === 2 ? 64 : maxs[k % 3]!),
    );
    const lines = scene.line();
    const boxes = scene.box([-4, -4, -4], [4, 4, 4]);
    const [lineOut, boxOut] = (['level', 'leaf'] as const).map((field) => ({
      ...createSceneTraceBatch(count),
      ...createUfoaiTraceBatch(count, { fields: ['tile', field] }),
    }));
    expect(lines.traceBatch(segments, lineOut!)).toBe(lineOut);
    boxes.traceBatch(segments, boxOut!);
    const hit = new Set<number>();
    for (let k = 0; k < count; k++) {
      const [from, to] = [segments.subarray(6 * k, 6 * k + 3), segments.subarray(6 * k + 3, 6 * k + 6)];
      const line = lines.trace(from, to);
      const box = boxes.trace(from, to);
      const { entity, tile, level } = lineOut!;
      expectSame([entity[k], tile[k], level![k]], [line.entity, line.tile, line.level], `line ${k}`);
      expectSame([boxOut!.tile[k], boxOut!.leaf![k]], [box.tile, box.leaf], `box ${k}`);
      hit.add(line.entity).add(box.entity);
    }
    expect([...hit].sort((a, b) => a - b)).toEqual([-1, 0, door, soldier]);
    const wrong = { ...lineOut!, tile: new Float32Array(count) };
    expect(() => lines.traceBatch(segments, wrong)).toThrow('out must be made by createTraceBatch');
  });

  it('follows a soldier through the levels, with the settings of the world’s own tracers', () => {
    const random = createRandom(seedOf(6));
    const { mins, maxs } = world.bounds;
    const point = (): Vec3 =>
      [0, 1, 2].map((k) => between(random, mins[k]!, k === 2 ? 256 : maxs[k]!)) as unknown as Vec3;
    const [line, box, ray] = [scene.line(), scene.box([-4, -4, -4], [4, 4, 4]), scene.ray()];
    let changed = 0;
    for (let k = 0; k < 1500; k++) {
      const at = 1 << (k % 8);
      const [start, end] = [point(), point()];
      const lines = { levels: at, actorClip: k % 3 === 0, weaponClip: k % 5 === 0, lightClip: k % 7 === 0 };
      const filter = { levels: at, mask: k % 3 ? -1 : MASK_SOLID, reject: k % 2 };
      const pairs = [
        [line.set(lines), scene.line(lines), scene.line()],
        [box.set(filter), scene.box([-4, -4, -4], [4, 4, 4], filter), scene.box([-4, -4, -4], [4, 4, 4])],
        [ray.set(filter), scene.ray(filter), scene.ray()],
      ] as const;
      for (const [ours, fresh, plain] of pairs) {
        const answer = ours.trace(start, end);
        expectSame(answer, fresh.trace(start, end), moving(start, end));
        expectSame(ours.blocked(start, end), fresh.blocked(start, end), moving(start, end));
        if (answer.fraction !== plain.trace(start, end).fraction) changed++;
      }
    }
    expect(changed).toBeGreaterThan(100);
    const before = line.trace([4000, 0, 32], [-4000, 0, 32]);
    const wrong: [() => unknown, string][] = [
      [() => line.set({ levels: 0.5, ignore: soldier }), 'levels must be'],
      [() => line.set({ levels: 1, actorClip: 1 as never }), 'actorClip must be'],
      [
        () => line.set({ levels: 1, models: [] } as object),
        "no option 'models' here; the options are levels",
      ],
      [() => box.set({ lightClip: true } as object), "no option 'lightClip' here; the options are levels"],
      [() => box.set({ reject: 0.5, mins: [-8, -8, -8] }), 'reject must be'],
    ];
    for (const [set, problem] of wrong) expect(set).toThrow(problem);
    expectSame(line.trace([4000, 0, 32], [-4000, 0, 32]), before);
    expect(box.shape).toMatchObject({ mins: Float32Array.of(-4, -4, -4) });
    // What was set one after another is made again at once.
    line.set({ actorClip: false, weaponClip: true }).set({ levels: 4 });
    const moves = Array.from({ length: 3000 }, (): [Vec3, Vec3] => [point(), point()]);
    const answers = (): boolean[] => moves.map((move) => line.blocked(...move));
    const there = answers();
    expect(() => line.set({ levels: 0.5 })).toThrow('levels must be');
    expectSame(answers(), there);
  });

  it('says what soldiers see from cell to cell', () => {
    const [from, to] = [
      [133, 130, 0],
      [137, 130, 0],
    ] as const;
    expect(cellSight(world, from, to)).toBe(1);
    expect(cellSight(scene.line(), from, to)).toBe(0);
    expect(cellSight(scene.line({ ignore: soldier }), from, to)).toBe(1);
    const [inside, outside] = [
      [139, 129, 0],
      [139, 133, 0],
    ] as const;
    expect(cellSight(scene.line(), inside, outside)).toBe(0);
    scene.move(door, { angles: [0, 90, 0] });
    expect(cellSight(scene.line(), inside, outside)).toBe(1);
    scene.move(door, { angles: [0, 0, 0] });
    expect(() => cellSight({} as never, from, to)).toThrow(
      'world must be a UfoaiWorld or a tracer, got an object',
    );
  });
});

describe('tracers of a scene with models', () => {
  it.each(Object.entries(worlds()))('answer like new ones after a change: %s', (_, world) => {
    const random = createRandom(seedOf(12));
    const { mins, maxs } = world.bounds;
    const point = (): Point => [0, 1, 2].map((k) => Math.round(between(random, mins[k]!, maxs[k]!))) as Point;
    const scene = createScene(world as Quake3World);
    for (let k = 1; k <= world.numModels; k++) {
      for (let copy = 0; copy < 3; copy++)
        scene.add(world.model(k) as Quake3Model, { origin: [0, 0, 40 * copy] });
    }
    const sizes = [
      [4, 12],
      [16, 32],
      [30, 40],
      [16, 10],
    ] as const;
    const tracer = scene.box([-8, -8, -8], [8, 8, 8]);
    let hits = 0;
    for (let k = 0; k < 1500; k++) {
      const [wide, high] = pick(random, sizes);
      const box = { mins: [-wide, -wide, -24], maxs: [wide, wide, high] };
      tracer.set(box);
      const fresh = k % 10 === 0 ? scene.box(box.mins, box.maxs) : undefined;
      const [from, to] = [point(), point()];
      const found = tracer.trace(from, to);
      if (found.entity > 0) hits++;
      if (fresh) expectTrace(found, fresh.trace(from, to), `${k}`);
      expect(tracer.blocked(from, to)).toBe(found.fraction < 1 || found.startSolid);
    }
    expect(hits).toBeGreaterThan(0);
  });
});

// A server of Quake gave these answers. So far away, float32 leads a move many units away from its line.
describe('moves from very far away', () => {
  const room = compileMap(roomBrushes([-256, -256, -256], [256, 256, 256], 16), { format: 'quake1' });
  const scene = createScene(createQuake1World(readQuake1(room.bytes)), { rules: 'quake1' });
  const box = quake1BoxEntity([-16, -16, -16], [16, 16, 16]);
  const [above, beside] = [scene.add(box, { origin: [0, 0, 600] }), scene.add(box, { origin: [64, 0, 0] })];

  it.each([
    [
      [2624572160, -1577233280, 2170456064],
      [43, 10, -60],
      {
        fraction: Math.fround(0.9),
        endPos: [262457408, -157723392, 217045632],
        normal: [1, 0, 0],
        entity: beside,
      },
    ],
    [
      [-808524736, -1233144576, 2455257856],
      [8085295.5, 12331487, -24552012],
      {
        fraction: 0.8910890221595764,
        endPos: [-80852480, -123314432, 245526368],
        normal: [-1, 0, 0],
        entity: above,
      },
    ],
  ] as const)('meet what rounding leads them to: %j', (start, end, { endPos, normal, ...answer }) => {
    const trace = scene.box([0, 0, 0], [0, 0, 0]).trace(start, end);
    expect(trace).toMatchObject({ ...answer, dist: 16, startSolid: false, allSolid: false });
    expect(Array.from(trace.endPos)).toEqual(endPos);
    expect(Array.from(trace.normal)).toEqual(normal);
  });
});
