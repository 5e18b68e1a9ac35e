import type { Bounds, Trace, Vec3 } from '@bspkit/core';
import { createRandom } from '@bspkit/geometry';
import { seedOf } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import { type BodyOptions, clientBox, createBody, createScene, type RulesName } from '../src/index.ts';
import { ALL_RULES, answering, everywhere, hit, miss, show } from './answers.ts';

const ahead: [Vec3, Vec3] = [
  [0, 0, 0],
  [100, 0, 0],
];
const small: Bounds = { mins: [-8, -8, -8], maxs: [8, 8, 8] };

/** What some rules make of the answers of a world and bodies: text, and the body or world that was hit. */
function merged(rules: RulesName, world: Partial<Trace>, ...bodies: (Partial<Trace> & BodyOptions)[]) {
  const scene = createScene(answering(world), { rules });
  // All of them at one node of the engines' tree, whose plane at 0 runs through them.
  for (const { origin, contents, solid, owner, ...answer } of bodies) {
    scene.add(answering(answer), { origin, contents, solid, owner });
  }
  const trace = scene.ray().trace(...ahead);
  return [show(trace), trace.entity, trace.startEntity];
}

const inside = { startSolid: true, allSolid: true, fraction: 0 };
const leaving = { startSolid: true, fraction: 1 };

describe("rules 'nearest'", () => {
  it('ask no body where the world stops a move at once, and all where it stops it a little later', () => {
    expect(merged('nearest', { fraction: 0 }, inside)).toEqual(['0', 0, -1]);
    expect(merged('nearest', { fraction: 0.001 }, inside)).toEqual(['0 start all', 1, 1]);
    expect(merged('nearest', { fraction: 0.001 }, leaving)).toEqual(['0.001 start', 0, 1]);
  });

  it('leave a fraction above 1 to the world, as some have beyond their tiles, unless a body is hit', () => {
    expect(merged('nearest', { fraction: 2 }, {})).toEqual(['2', -1, -1]);
    expect(merged('nearest', { fraction: 2 }, leaving)).toEqual(['2 start', -1, 1]);
    expect(merged('nearest', { fraction: 2 }, {}, { fraction: 0.5 })).toEqual(['0.5', 2, -1]);
  });
});

describe("rules 'quake3'", () => {
  it('ask no body where the world stops a move at once', () => {
    expect(merged('quake3', { fraction: 0 }, inside)).toEqual(['0', 0, -1]);
    expect(merged('quake3', { fraction: 0.5, startSolid: true }, { fraction: 0.25 })).toEqual([
      '0.25 start',
      1,
      0,
    ]);
  });

  it('keep the nearest hit; of equally near ones that of the world, then that of the body linked last', () => {
    expect(merged('quake3', { fraction: 0.5 }, { fraction: 0.5 })).toEqual(['0.5', 0, -1]);
    expect(merged('quake3', {}, { fraction: 0.5 }, { fraction: 0.5 })).toEqual(['0.5', 2, -1]);
    expect(merged('quake3', {}, { fraction: 0.25 }, { fraction: 0.5 })).toEqual(['0.25', 1, -1]);
  });

  it('keep a start in solid, even in a body farther away than the hit', () => {
    expect(merged('quake3', {}, { fraction: 0.25 }, leaving)).toEqual(['0.25 start', 1, 2]);
    expect(merged('quake3', {}, leaving, { fraction: 0.25 })).toEqual(['0.25 start', 2, 1]);
    expect(merged('quake3', {}, leaving)).toEqual(['1 start', -1, 1]);
  });

  it('stop when all is solid', () => {
    expect(merged('quake3', {}, leaving, inside)).toEqual(['0 start all', 2, 2]);
    // All solid without a nearer hit: only the flag is set.
    expect(merged('quake3', {}, { fraction: 0, allSolid: true }, { fraction: 0 })).toEqual(['0 all', 2, -1]);
  });

  it('keep the start in a body that is all solid with fraction 1, as other engines leave it', () => {
    const within = { startSolid: true, allSolid: true };
    expect(merged('quake3', {}, within)).toEqual(['1 start all', -1, 1]);
    expect(merged('quake3', { fraction: 0.5 }, within)).toEqual(['0.5 start all', 0, 1]);
  });

  it('leave out the mover, what it owns and what has the same owner, but not its owner', () => {
    const scene = createScene(miss(), { rules: 'quake3' });
    const bodies = [0.1, 0.2, 0.3, 0.4].map((fraction) => scene.add(hit(fraction)));
    const [mover, owned, owner, sibling] = bodies as [number, number, number, number];
    scene.move(owned, { owner: mover });
    const ray = scene.ray({ ignore: mover });
    const entity = (): number => ray.trace(...ahead).entity;
    expect(entity()).toBe(owner);
    scene.move(mover, { owner });
    expect(entity()).toBe(owner);
    scene.remove(owner);
    expect(entity()).toBe(sibling);
    const other = scene.add(hit(0.05));
    scene.move(sibling, { owner: other });
    scene.move(mover, { owner: other });
    expect(entity()).toBe(other);
    ray.set({ ignore: new Set([other]) });
    expect(entity()).toBe(mover);
    ray.set({ ignore: { owner: other } });
    expect(entity()).toBe(owned);
  });

  it('look at contents, and ask only what comes near the whole move', () => {
    const scene = createScene(hit(0.5), { rules: 'quake3' });
    const near = hit(0.9);
    const far = hit(0.1);
    const corpse = hit(0.1);
    scene.add(near, { origin: [90, 0, 0], bounds: small });
    scene.add(far, { origin: [130, 0, 0], bounds: small });
    scene.add(corpse, { contents: 2 });
    expect(scene.ray({ mask: 1 }).trace(...ahead)).toMatchObject({ fraction: 0.5, entity: 0 });
    expect([near.asked, far.asked, corpse.asked]).toEqual([1, 0, 0]);
  });
});

describe("rules 'quake3-client'", () => {
  it('ask by number, and forget a start in solid at a nearer hit', () => {
    const rules = 'quake3-client';
    expect(merged(rules, {}, { fraction: 0.5 }, { fraction: 0.5 })).toEqual(['0.5', 1, -1]);
    expect(merged(rules, {}, leaving, { fraction: 0.5 })).toEqual(['0.5', 2, -1]);
    expect(merged(rules, {}, { fraction: 0.5 }, leaving)).toEqual(['0.5 start', 1, 2]);
    expect(merged(rules, { fraction: 0.5, startSolid: true }, { fraction: 0.25 })).toEqual(['0.25', 1, -1]);
  });

  it('ask bodies even where the world stops the move, and one body even where all is solid', () => {
    const rules = 'quake3-client';
    expect(merged(rules, { fraction: 0 }, leaving)).toEqual(['0 start', 0, 1]);
    const scene = createScene(answering(inside), { rules });
    const [first, second] = [answering({ ...inside, fraction: 0 }), answering(inside)];
    scene.add(first, { solid: 'trigger' });
    const body = scene.add(second);
    scene.add(first);
    expect(scene.ray().trace(...ahead).entity).toBe(body);
    expect([first.asked, second.asked]).toEqual([0, 1]);
    // That body may end it, if it is all solid with a fraction other than 0; unless it is somewhere else.
    const solid = { startSolid: true, allSolid: true };
    expect(merged(rules, solid, { fraction: 0.5 }, { fraction: 0.25 })).toEqual(['0.25', 2, -1]);
    const far = createScene(answering(solid), { rules });
    far.add(hit(0.5), { origin: [9000, 9000, 0] });
    far.add(hit(0.25));
    expect(far.ray().trace(...ahead)).toMatchObject({ fraction: 1, entity: -1, allSolid: true });
  });

  it('take models, and boxes that are solid or bodies; ignore one number, and know no owners', () => {
    const scene = createScene(miss(), { rules: 'quake3-client' });
    scene.add(hit(0.1), { solid: 'box', contents: 0x4000000 });
    scene.add(hit(0.2), { solid: 'trigger' });
    const mover = scene.add(hit(0.3), { contents: 0 });
    const owned = scene.add(hit(0.4), { solid: 'box', contents: 1, owner: mover });
    expect(scene.ray().trace(...ahead).entity).toBe(mover);
    expect(scene.ray({ ignore: mover }).trace(...ahead).entity).toBe(owned);
    expect(scene.ray({ ignore: { owner: mover } }).trace(...ahead).entity).toBe(-1);
  });

  it('get boxes in whole numbers, square and within a byte', () => {
    expect(clientBox([-15.5, -15, -24.9], [15.9, 15, 32.5])).toEqual({
      mins: [-15, -15, -24],
      maxs: [15, 15, 32],
    });
    expect(clientBox([-400, -400, 4], [400, 10, -40])).toEqual({
      mins: [-255, -255, -1],
      maxs: [255, 255, -31],
    });
    expect(clientBox([0, 0, -300], [0.5, 9, 300]).maxs).toEqual([1, 1, 223]);
  });
});

describe("rules 'quake2'", () => {
  it('count the world as hit, even if nothing was, and ask no body where it stops a move at once', () => {
    expect(merged('quake2', {})).toEqual(['1', 0, -1]);
    expect(merged('quake2', { fraction: 0 }, inside)).toEqual(['0', 0, -1]);
    expect(merged('quake2', inside, leaving)).toEqual(['0 start all', 0, 0]);
  });

  it.each(['quake2', 'quake2-list'] as const)(
    'let a body that the move starts in replace what was there: %s',
    (rules) => {
      expect(merged(rules, { fraction: 0.5 }, leaving)).toEqual(['1 start', 1, 1]);
      expect(merged(rules, { fraction: 0.5 }, { fraction: 0.5 })).toEqual(['0.5', 0, -1]);
      expect(merged(rules, {}, { fraction: 0.5 }, { fraction: 0.5 })).toEqual(['0.5', 1, -1]);
      expect(merged(rules, {}, leaving, { fraction: 0.5 })).toEqual(['0.5 start', 2, 1]);
      expect(merged(rules, {}, inside, leaving)).toEqual(['0 start all', 1, 1]);
    },
  );

  it('ask in the order of linking, or of numbers', () => {
    for (const [rules, first] of [
      ['quake2', 2],
      ['quake2-list', 1],
    ] as const) {
      const scene = createScene(miss(), { rules });
      scene.add(hit(0.5));
      scene.add(hit(0.5));
      scene.move(1, {});
      expect(scene.ray().trace(...ahead).entity, rules).toBe(first);
    }
  });

  it('leave out the mover, and on the server what it owns and what owns it', () => {
    const scene = createScene(miss(), { rules: 'quake2' });
    const bodies = [0.1, 0.2, 0.3, 0.4].map((fraction) => scene.add(hit(fraction)));
    const [mover, owned, owner, sibling] = bodies as [number, number, number, number];
    scene.move(owned, { owner: mover });
    const ray = scene.ray({ ignore: mover });
    const entity = (): number => ray.trace(...ahead).entity;
    expect(entity()).toBe(owner);
    scene.move(mover, { owner });
    scene.move(sibling, { owner });
    expect(entity()).toBe(sibling);
    ray.set({ ignore: -1 });
    expect(entity()).toBe(mover);
    // There is no body with this number; what it owns is left out all the same.
    scene.move(mover, { owner: 99 });
    ray.set({ ignore: 99 });
    expect(entity()).toBe(owned);
    const list = createScene(miss(), { rules: 'quake2-list' });
    const alone = list.add(hit(0.1));
    const own = list.add(hit(0.2), { owner: alone });
    expect(list.ray({ ignore: alone }).trace(...ahead).entity).toBe(own);
  });

  it('ask what comes near the whole move: a turned body by its farthest coordinate', () => {
    // Its corners are 13.9 units from its origin, which the engine ignores: 8 units, one of the body's link, and one of the move's.
    const beside = (far: number): Vec3[] =>
      [1, 2].flatMap((axis) => [-far, far].map((x) => [50, axis === 1 ? x : 0, axis === 2 ? x : 0]));
    const around = (far: number): Vec3[] => [[-far, 0, 0], [100 + far, 0, 0], ...beside(far)];
    for (const [far, asks] of [
      [9, 1],
      [10, 1],
      [10.01, 0],
      [11, 0],
    ] as const) {
      const scene = createScene(hit(0.5), { rules: 'quake2' });
      const colliders = around(far).map((origin) => {
        const collider = hit(0.9);
        scene.add(collider, { origin, bounds: small, angles: [0, 45, 0], solid: 'model' });
        return collider;
      });
      scene.add(hit(0.9), { origin: [0, 0, 0], bounds: small, contents: 2 });
      scene.ray({ mask: 1 }).trace(...ahead);
      expect(
        colliders.map(({ asked }) => asked),
        `${far} away`,
      ).toEqual(Array(6).fill(asks));
    }
  });

  it('ask no body that no contents of the mask are of', () => {
    const scene = createScene(miss(), { rules: 'quake2' });
    const water = hit(0.9);
    scene.add(water, { bounds: small, contents: 2 });
    for (const [mask, asked] of [
      [1, 0],
      [3, 1],
    ]) {
      scene.ray({ mask }).trace(...ahead);
      expect(water.asked).toBe(asked);
    }
  });
});

describe("rules 'quake1'", () => {
  const scened = (...bodies: [number | Partial<Trace>, BodyOptions?][]) => {
    const scene = createScene(miss(), { rules: 'quake1' });
    for (const [answer, options] of bodies) {
      scene.add(typeof answer === 'number' ? hit(answer) : answering(answer), options);
    }
    return scene;
  };

  it('let a body that the move starts in replace a nearer hit, and keep startSolid', () => {
    expect(merged('quake1', {}, { fraction: 0.25 }, leaving)).toEqual(['1 start', 2, 2]);
    expect(merged('quake1', {}, leaving, { fraction: 0.25 })).toEqual(['0.25 start', 2, 1]);
    expect(merged('quake1', { fraction: 0.5, startSolid: true }, { fraction: 0.5 })).toEqual([
      '0.5 start',
      0,
      0,
    ]);
    expect(merged('quake1', { startSolid: true })).toEqual(['1 start', 0, 0]);
  });

  it('ask in the order of linking, until all is solid', () => {
    expect(merged('quake1', {}, { fraction: 0.5 }, { fraction: 0.5 })).toEqual(['0.5', 1, -1]);
    expect(merged('quake1', {}, inside, leaving)).toEqual(['0 start all', 1, 1]);
    expect(merged('quake1', inside, leaving)).toEqual(['0 start all', 0, 0]);
    const scene = scened([0.5], [0.5]);
    scene.move(1, {});
    expect(scene.ray().trace(...ahead).entity).toBe(2);
  });

  it('ask even where the world stops the move at once, and whatever the contents', () => {
    expect(merged('quake1', { fraction: 0 }, leaving)).toEqual(['1 start', 1, 1]);
    expect(
      scened([0.5, { contents: 2 }])
        .ray({ mask: 1 })
        .trace(...ahead).entity,
    ).toBe(1);
    expect(
      scened([0.5, { solid: 'none' }], [0.5, { solid: 'trigger' }])
        .ray()
        .trace(...ahead).entity,
    ).toBe(-1);
  });

  it('leave out the mover, what it owns and its owner', () => {
    const scene = scened([0.1], [0.2, { owner: 1 }], [0.3], [0.4]);
    const ray = scene.ray({ ignore: 1 });
    expect(ray.trace(...ahead).entity).toBe(3);
    scene.move(1, { owner: 3 });
    expect(ray.trace(...ahead).entity).toBe(4);
    // A number without a body can own and be owned all the same.
    scene.move(4, { owner: 99 });
    expect(ray.set({ ignore: 99 }).trace(...ahead).entity).toBe(1);
    expect(ray.set({ ignore: new Set([1, 2, 3, 4]) }).trace(...ahead).entity).toBe(-1);
  });

  // As a server of Quake answered QuakeC's traceline(a, b, FALSE, world).
  it('leave out what has no owner, if the world is passed over', () => {
    const scene = scened([0.1], [0.2, { owner: 1 }], [0.3]);
    const ray = scene.ray({ ignore: 0 });
    expect(ray.trace(...ahead).entity).toBe(2);
    expect(ray.blocked([0, 0, 0], [15, 0, 0])).toBe(true);
    scene.remove(2);
    expect(ray.trace(...ahead).entity).toBe(-1);
    expect(ray.set({ ignore: -1 }).trace(...ahead).entity).toBe(1);
    expect(merged('quake1', { fraction: 0.5 })).toEqual(['0.5', 0, -1]);
    const halflife = createScene(miss(), { rules: 'halflife' });
    halflife.add(hit(0.1));
    expect(halflife.ray({ ignore: 0 }).trace(...ahead).entity).toBe(1);
  });

  it('let movers with some width pass bodies without', () => {
    const point: Bounds = { mins: [0, -8, -8], maxs: [0, 8, 8] };
    const scene = scened(
      [0.1, { bounds: small, origin: [50, 0, 0] }],
      [0.2, { bounds: point, origin: [50, 0, 0] }],
    );
    expect(scene.ray({ ignore: 1 }).trace(...ahead).entity).toBe(-1);
    scene.move(1, { bounds: point });
    expect(scene.ray({ ignore: 1 }).trace(...ahead).entity).toBe(2);
  });

  it('have moves without monsters, which only models stop, and moves of missiles', () => {
    const scene = scened([0.1, { solid: 'box' }], [0.2]);
    expect(scene.ray().trace(...ahead).entity).toBe(1);
    expect(scene.ray({ move: 'no-monsters' }).trace(...ahead).entity).toBe(2);
    const open = createScene(miss(), { rules: 'quake1' });
    const monster = createBody({ kind: 'box', ...small });
    open.add(monster, { origin: [50, 20, 0], monster: true });
    open.add(monster, { origin: [90, 20, 0] });
    const missile = open.ray({ move: 'missile' });
    expect(open.ray().trace(...ahead).entity).toBe(-1);
    expect(missile.trace(...ahead).entity).toBe(1);
    expect(missile.blocked(...ahead)).toBe(true);
    open.move(1, { monster: false });
    expect(missile.trace(...ahead).entity).toBe(-1);
    open.move(2, { monster: true });
    expect(missile.set({ mask: 1 }).trace(...ahead).entity).toBe(-1);
    expect(missile.set({ mask: -1 }).trace(...ahead).entity).toBe(2);
    // Their box has one size, whatever else is set together with another.
    const told: unknown[] = [];
    const box = ([left]: Vec3) => ({
      ...miss().box(),
      set(changes: object) {
        told.push([left, { ...changes }]);
        return this;
      },
    });
    const sized = open.box([-1, -1, -1], [1, 1, 1], { move: 'missile' });
    open.add({ bounds: everywhere, box }, { monster: true, number: 3 });
    const sizes = { mins: [-2, -2, -2], maxs: [2, 2, 2] } as const;
    expect(
      sized
        .set({ mask: 0, ...sizes })
        .set({ maxs: [3, 3, 3] })
        .trace(...ahead).entity,
    ).toBe(-1);
    expect(told).toMatchObject([
      [-1, { mask: 0, mins: Float32Array.from(sizes.mins) }],
      [-15, { mask: 0, mins: undefined, maxs: undefined }],
      [-1, { maxs: Float32Array.of(3, 3, 3) }],
    ]);
    open.remove(3);
    open.remove(2);
    expect(missile.trace(...ahead).entity).toBe(-1);
    const early = createScene(miss(), { rules: 'quake1' });
    const first = early.ray({ move: 'missile' });
    const later = early.add(monster, { origin: [50, 20, 0], monster: true });
    expect(first.trace(...ahead).entity).toBe(later);
  });

  it('find items from farther away', () => {
    const item = hit(0.5);
    const scene = createScene(miss(), { rules: 'quake1' });
    const body = scene.add(item, { origin: [50, 20, 0], bounds: { mins: [0, 0, 0], maxs: [4, 4, 4] } });
    // Closer than the margin of a scene's own search, but farther than two units.
    const ray = scene.ray({ epsilon: 30 } as object);
    expect(ray.trace(...ahead).entity).toBe(-1);
    scene.move(body, { item: true, origin: [50, 15, 0] });
    expect(ray.trace(...ahead).entity).toBe(body);
    scene.move(body, { origin: [50, 0, 2.5] });
    expect(ray.trace(...ahead).entity).toBe(-1);
  });
});

describe("rules 'halflife'", () => {
  it('ask bodies about the way up to the world’s hit, and return fractions of the whole move', () => {
    const scene = createScene(createBody({ kind: 'box', mins: [50, -99, -99], maxs: [60, 99, 99] }), {
      rules: 'halflife',
    });
    const cube = createBody({ kind: 'box', ...small });
    const ray = scene.ray({ epsilon: 0 });
    expect(ray.trace(...ahead)).toMatchObject({ fraction: 0.5, entity: 0 });
    const body = scene.add(cube, { origin: [33, 0, 0] });
    expect(ray.trace(...ahead)).toMatchObject({ fraction: 0.25, entity: body });
    expect(ray.trace(...ahead).endPos[0]).toBe(25);
    scene.move(body, { origin: [70, 0, 0] });
    expect(ray.trace(...ahead)).toMatchObject({ fraction: 0.5, entity: 0 });
    // As a float32, like all fractions.
    expect(merged('halflife', { fraction: Math.fround(0.7) }, { fraction: Math.fround(0.3) })[0]).toBe(
      String(Math.fround(Math.fround(0.7) * Math.fround(0.3))),
    );
  });

  it('ask no body where the world stops the move at once', () => {
    expect(merged('halflife', { fraction: 0 }, leaving)).toEqual(['0', 0, -1]);
    expect(merged('halflife', { fraction: 0.5 }, leaving)).toEqual(['0.5 start', 1, 1]);
  });

  it('leave a fraction as it is where all is solid, whatever was hit before', () => {
    const world = answering({ fraction: 0.5 });
    const scene = createScene(world, { rules: 'halflife' });
    const ray = scene.ray();
    expect(show(ray.trace(...ahead))).toBe('0.5');
    world.answer = { startSolid: true, allSolid: true };
    expect(show(ray.trace(...ahead))).toBe('1 start all');
  });

  it('have pushable bodies, and models that clip only monsters', () => {
    const scene = createScene(miss(), { rules: 'halflife' });
    scene.add(hit(0.1), { solid: 'box' });
    scene.add(hit(0.2), { solid: 'box', pushable: true });
    const clip = scene.add(hit(0.05), { monsterClip: true });
    expect(scene.ray().trace(...ahead).entity).toBe(1);
    expect(scene.ray({ move: 'no-monsters' }).trace(...ahead).entity).toBe(2);
    expect(scene.ray({ monsterClip: true }).trace(...ahead).entity).toBe(clip);
    scene.move(clip, { monsterClip: false });
    expect(scene.ray().trace(...ahead).entity).toBe(clip);
  });

  it('find models as far as they reach when turned', () => {
    const scene = createScene(miss(), { rules: 'halflife' });
    const long = hit(0.5);
    scene.add(long, { origin: [50, 30, 0], bounds: { mins: [-40, -1, -1], maxs: [40, 1, 1] } });
    expect(scene.ray().trace(...ahead).entity).toBe(-1);
    scene.move(1, { angles: [0, 90, 0] });
    expect(scene.ray().trace(...ahead).entity).toBe(1);
  });
});

describe("rules 'ufoai'", () => {
  const within = { startSolid: true, allSolid: true };

  it('take a nearer hit, or a body that is all solid, and keep a start in solid', () => {
    expect(merged('ufoai', { fraction: 0.5 }, { fraction: 0.25 })).toEqual(['0.25', 1, -1]);
    expect(merged('ufoai', { fraction: 0.5 }, { fraction: 0.5 })).toEqual(['0.5', 0, -1]);
    expect(merged('ufoai', {}, { fraction: 0.5 }, { fraction: 0.5 })).toEqual(['0.5', 2, -1]);
    expect(merged('ufoai', { fraction: 0.5 }, within)).toEqual(['1 start all', 1, 1]);
    expect(merged('ufoai', { fraction: 0.5 }, leaving)).toEqual(['0.5 start', 0, 1]);
    expect(merged('ufoai', { fraction: 0.5, startSolid: true }, { fraction: 0.25 })).toEqual([
      '0.25 start',
      1,
      0,
    ]);
    expect(merged('ufoai', {})).toEqual(['1', -1, -1]);
  });

  it('ask no body where the world stops the move at once, or all is solid', () => {
    expect(merged('ufoai', { fraction: 0 }, within)).toEqual(['0', 0, -1]);
    expect(merged('ufoai', within, { fraction: 0.5 })).toEqual(['1 start all', -1, 0]);
    expect(merged('ufoai', {}, { fraction: 0.25 }, within)).toEqual(['1 start all', 2, 2]);
  });

  it('take a body near a move that has fraction 2, beyond all tiles, even if that misses it', () => {
    expect(merged('ufoai', { fraction: 2 }, {}, {})).toEqual(['1', 2, -1]);
    const scene = createScene(answering({ fraction: 2 }), { rules: 'ufoai' });
    scene.add(miss(), { origin: [500, -500, 0], bounds: small });
    const ray = scene.ray();
    const entity = (size: number): number => ray.trace([-size, -size, 0], [size, size, 0]).entity;
    // In the box around the whole move, though far from its line; and outside of that box.
    expect([600, 400].map(entity)).toEqual([1, -1]);
    expect(ray.blocked([-600, -600, 0], [600, 600, 0])).toBe(false);
  });

  it('link a turned model between two of its corners', () => {
    const scene = createScene(miss(), { rules: 'ufoai' });
    scene.add(hit(0.5), { origin: [50, 38, 0], bounds: { mins: [-40, -1, -1], maxs: [40, 1, 1] } });
    const ray = scene.ray();
    const entity = (yaw: number): number => {
      scene.move(1, { angles: [0, yaw, 0] });
      return ray.trace(...ahead).entity;
    };
    // At a right angle it is 40 long; at 60 degrees about 34 and a half, with its corner, which does not count, 35.
    expect([0, 90, 60].map(entity)).toEqual([-1, 1, -1]);
  });

  it('divide the bounds that a world has for links', () => {
    const asked = [undefined, { mins: [-120, -50, -50], maxs: [200, 50, 50] }].map((linkBounds) => {
      const scene = createScene(Object.assign(miss(), { linkBounds }), { rules: 'ufoai' });
      for (const x of [60, 20]) scene.add(hit(0.5), { origin: [x, 0, 0], bounds: small });
      return scene.ray().trace(...ahead).entity;
    });
    // Both are at the root; then the plane at 40 is between them, and what is above it comes first.
    expect(asked).toEqual([2, 1]);
    const bad = Object.assign(miss(), { linkBounds: { mins: [0, 0], maxs: [1, 1, 1] } });
    expect(() => createScene(bad as never, { rules: 'ufoai' })).toThrow(RangeError);
  });
});

describe('rules', () => {
  it('are chosen by name, and say what they need', () => {
    expect(createScene().rules).toBe('nearest');
    expect(createScene(miss(), { rules: 'halflife' }).rules).toBe('halflife');
    expect(() => createScene(undefined, { rules: 'quake3' })).toThrow(
      new TypeError("rules with the order of an engine's tree need a world that has bounds"),
    );
    expect(() => createScene(miss(), { rules: 'doom' as never })).toThrow(
      new RangeError(
        "rules must be 'nearest', 'quake3', 'quake3-client', 'quake2', 'quake2-list', 'quake1', 'halflife' or 'ufoai', got 'doom'",
      ),
    );
    const scene = createScene(miss(), { rules: 'quake3' });
    expect(() => scene.ray({ move: 'missile' })).toThrow(
      new TypeError("rules 'quake3' have no option 'move'"),
    );
    expect(() => scene.ray({ monsterClip: true })).toThrow(TypeError);
    expect(() => createScene(miss(), { rules: 'quake1' }).ray({ move: 'fly' as never })).toThrow(
      new RangeError("move must be 'normal', 'no-monsters' or 'missile', got 'fly'"),
    );
    expect(everywhere.mins).toHaveLength(3);
  });

  it.each(ALL_RULES)('agree on what blocks: %s', (rules) => {
    const random = createRandom(seedOf(3));
    const floor = createBody({ kind: 'box', mins: [-200, -200, -50], maxs: [200, 200, -30] });
    const scene = createScene(floor, { rules });
    const cube = createBody({ kind: 'box', ...small });
    const place = (): number[] => [0, 0, 0].map(() => 120 * (random() - 0.5));
    for (let k = 0; k < 12; k++) scene.add(cube, { origin: place(), angles: [0, 30 * (k % 2), 0] });
    const tracer = scene.box([-4, -4, -4], [4, 4, 4]);
    const seen = { blocked: 0, free: 0, solid: 0 };
    for (let k = 0; k < 400; k++) {
      const [start, end] = [place(), place()];
      const trace = tracer.trace(start, end);
      const blocked = tracer.blocked(start, end);
      expect(blocked).toBe(trace.startSolid || trace.fraction < 1);
      if (blocked) seen.blocked++;
      else seen.free++;
      if (trace.startSolid) seen.solid++;
    }
    for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(20);
  });
});
