import type { Bounds, Trace, Vec3 } from '@bspkit/core';
import { createRandom, pick } from '@bspkit/geometry';
import { describe, expect, it } from 'vitest';
import { type BodyOptions, clientBox, createBody, createScene, type RulesName } from '../src/index.ts';
import { answering, everywhere, hit, miss, show } from './answers.ts';

const ahead: [Vec3, Vec3] = [
  [0, 0, 0],
  [100, 0, 0],
];
const small: Bounds = { mins: [-8, -8, -8], maxs: [8, 8, 8] };

/** What becomes of the answers of a world and bodies, by some rules: text, and the body or world that was hit. */
function merged(rules: RulesName, world: Partial<Trace>, ...bodies: (Partial<Trace> & BodyOptions)[]) {
  const scene = createScene(answering(world), { rules });
  // All of them at one node of the engines' tree: the plane at 0 runs through them.
  for (const { origin, contents, solid, owner, ...answer } of bodies) {
    scene.add(answering(answer), { origin, contents, solid, owner });
  }
  const trace = scene.ray().trace(...ahead);
  return [show(trace), trace.entity, trace.startEntity];
}

const inside = { startSolid: true, allSolid: true, fraction: 0 };
const leaving = { startSolid: true, fraction: 1 };

describe("rules 'quake3'", () => {
  it('ask nobody where the world stops a move at once', () => {
    expect(merged('quake3', { fraction: 0 }, inside)).toEqual(['0', 0, -1]);
    expect(merged('quake3', { fraction: 0.5, startSolid: true }, { fraction: 0.25 })).toEqual([
      '0.25 start',
      1,
      0,
    ]);
  });

  it('keep the nearest hit, of equal ones that of the world, then of what was linked last', () => {
    expect(merged('quake3', { fraction: 0.5 }, { fraction: 0.5 })).toEqual(['0.5', 0, -1]);
    expect(merged('quake3', {}, { fraction: 0.5 }, { fraction: 0.5 })).toEqual(['0.5', 2, -1]);
    expect(merged('quake3', {}, { fraction: 0.25 }, { fraction: 0.5 })).toEqual(['0.25', 1, -1]);
  });

  it('keep a start in solid, also in what is farther off than the hit', () => {
    expect(merged('quake3', {}, { fraction: 0.25 }, leaving)).toEqual(['0.25 start', 1, 2]);
    expect(merged('quake3', {}, leaving, { fraction: 0.25 })).toEqual(['0.25 start', 2, 1]);
    expect(merged('quake3', {}, leaving)).toEqual(['1 start', -1, 1]);
  });

  it('stop when all is solid', () => {
    expect(merged('quake3', {}, leaving, inside)).toEqual(['0 start all', 2, 2]);
    // All solid at a hit that is not nearer: the mark alone.
    expect(merged('quake3', {}, { fraction: 0, allSolid: true }, { fraction: 0 })).toEqual(['0 all', 2, -1]);
  });

  it('keep the start in what is all solid but leaves the fraction at 1, as other engines do', () => {
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
  it('ask by number, and let a nearer hit forget a start in solid', () => {
    const rules = 'quake3-client';
    expect(merged(rules, {}, { fraction: 0.5 }, { fraction: 0.5 })).toEqual(['0.5', 1, -1]);
    expect(merged(rules, {}, leaving, { fraction: 0.5 })).toEqual(['0.5', 2, -1]);
    expect(merged(rules, {}, { fraction: 0.5 }, leaving)).toEqual(['0.5 start', 1, 2]);
    expect(merged(rules, { fraction: 0.5, startSolid: true }, { fraction: 0.25 })).toEqual(['0.25', 1, -1]);
  });

  it('ask bodies even where the world stops the move, and one where all is solid', () => {
    const rules = 'quake3-client';
    expect(merged(rules, { fraction: 0 }, leaving)).toEqual(['0 start', 0, 1]);
    const scene = createScene(answering(inside), { rules });
    const [first, second] = [answering({ ...inside, fraction: 0 }), answering(inside)];
    scene.add(first, { solid: 'trigger' });
    const body = scene.add(second);
    scene.add(first);
    expect(scene.ray().trace(...ahead).entity).toBe(body);
    expect([first.asked, second.asked]).toEqual([0, 1]);
  });

  it('know models, and boxes that are solid or bodies; one number to ignore, and no owners', () => {
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
  it('count the world as hit, also by what hits nothing, and ask nobody where it stops a move at once', () => {
    expect(merged('quake2', {})).toEqual(['1', 0, -1]);
    expect(merged('quake2', { fraction: 0 }, inside)).toEqual(['0', 0, -1]);
    expect(merged('quake2', inside, leaving)).toEqual(['0 start all', 0, 0]);
  });

  it('let a body that the move starts in replace what was there, and ask by number', () => {
    expect(merged('quake2', { fraction: 0.5 }, leaving)).toEqual(['1 start', 1, 1]);
    expect(merged('quake2', { fraction: 0.5 }, { fraction: 0.5 })).toEqual(['0.5', 0, -1]);
    expect(merged('quake2', {}, { fraction: 0.5 }, { fraction: 0.5 })).toEqual(['0.5', 1, -1]);
    expect(merged('quake2', {}, leaving, { fraction: 0.5 })).toEqual(['0.5 start', 2, 1]);
    expect(merged('quake2', {}, inside, leaving)).toEqual(['0 start all', 1, 1]);
  });

  it('ask what comes near the whole move: a turned body by its farthest coordinate', () => {
    const scene = createScene(hit(0.5), { rules: 'quake2' });
    const colliders = [hit(0.9), hit(0.9), hit(0.9)];
    // Its corner is 11.3 units from its origin, and the engine does not know.
    scene.add(colliders[0]!, { origin: [109, 0, 0], bounds: small, angles: [0, 45, 0], solid: 'model' });
    scene.add(colliders[1]!, { origin: [111, 0, 0], bounds: small, angles: [0, 45, 0], solid: 'model' });
    scene.add(colliders[2]!, { origin: [0, 0, 0], bounds: small, contents: 2 });
    scene.ray({ mask: 1 }).trace(...ahead);
    expect(colliders.map(({ asked }) => asked)).toEqual([1, 0, 0]);
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

  it('let what the move starts in take the place of a nearer hit, and keep that it started', () => {
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

  it('ask also where the world stops the move at once, and whatever the contents', () => {
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
    // One that is not there owns and is owned all the same.
    scene.move(4, { owner: 99 });
    expect(ray.set({ ignore: 99 }).trace(...ahead).entity).toBe(1);
    expect(ray.set({ ignore: new Set([1, 2, 3, 4]) }).trace(...ahead).entity).toBe(-1);
  });

  it('let what has no width pass what has some', () => {
    const point: Bounds = { mins: [0, -8, -8], maxs: [0, 8, 8] };
    const scene = scened(
      [0.1, { bounds: small, origin: [50, 0, 0] }],
      [0.2, { bounds: point, origin: [50, 0, 0] }],
    );
    expect(scene.ray({ ignore: 1 }).trace(...ahead).entity).toBe(-1);
    scene.move(1, { bounds: point });
    expect(scene.ray({ ignore: 1 }).trace(...ahead).entity).toBe(2);
  });

  it('know moves without monsters, which only models stop, and moves of missiles', () => {
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
    open.remove(2);
    expect(missile.trace(...ahead).entity).toBe(-1);
  });

  it('find items from farther off', () => {
    const item = hit(0.5);
    const scene = createScene(miss(), { rules: 'quake1' });
    const body = scene.add(item, { origin: [50, 20, 0], bounds: { mins: [0, 0, 0], maxs: [4, 4, 4] } });
    // Nearer than the margin of a scene's own search, not than one unit and one.
    const ray = scene.ray({ epsilon: 30 } as object);
    expect(ray.trace(...ahead).entity).toBe(-1);
    scene.move(body, { item: true, origin: [50, 15, 0] });
    expect(ray.trace(...ahead).entity).toBe(body);
    scene.move(body, { origin: [50, 0, 2.5] });
    expect(ray.trace(...ahead).entity).toBe(-1);
  });
});

describe("rules 'halflife'", () => {
  it('ask bodies for the way up to the world’s hit, and give fractions of the whole', () => {
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
  });

  it('ask nobody where the world stops the move at once', () => {
    expect(merged('halflife', { fraction: 0 }, leaving)).toEqual(['0', 0, -1]);
    expect(merged('halflife', { fraction: 0.5 }, leaving)).toEqual(['0.5 start', 1, 1]);
  });

  it('know pushable bodies, and models that clip monsters only', () => {
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

/** The engines' tree, literally: nodes with lists, walked from the root. */
class LiteralTree {
  private readonly _axis: number = -1;
  private readonly _dist: number = 0;
  private readonly _children: LiteralTree[] = [];
  readonly entities: number[] = [];

  constructor(depth: number, mins: number[], maxs: number[]) {
    if (depth === 4) return;
    this._axis = maxs[0]! - mins[0]! > maxs[1]! - mins[1]! ? 0 : 1;
    this._dist = 0.5 * (maxs[this._axis]! + mins[this._axis]!);
    const [middleMins, middleMaxs] = [[...mins], [...maxs]];
    middleMins[this._axis] = this._dist;
    middleMaxs[this._axis] = this._dist;
    this._children.push(
      new LiteralTree(depth + 1, middleMins, maxs),
      new LiteralTree(depth + 1, mins, middleMaxs),
    );
  }

  link(entity: number, mins: number[], maxs: number[], first: boolean): void {
    if (this._axis >= 0 && mins[this._axis]! > this._dist) this._children[0]!.link(entity, mins, maxs, first);
    else if (this._axis >= 0 && maxs[this._axis]! < this._dist) {
      this._children[1]!.link(entity, mins, maxs, first);
    } else if (first) this.entities.unshift(entity);
    else this.entities.push(entity);
  }

  unlink(entity: number): void {
    const at = this.entities.indexOf(entity);
    if (at >= 0) this.entities.splice(at, 1);
    for (const child of this._children) child.unlink(entity);
  }

  walk(mins: number[], maxs: number[], visit: (entity: number) => void): void {
    this.entities.forEach(visit);
    if (this._axis < 0) return;
    if (maxs[this._axis]! > this._dist) this._children[0]!.walk(mins, maxs, visit);
    if (mins[this._axis]! < this._dist) this._children[1]!.walk(mins, maxs, visit);
  }
}

describe('the order in which engines ask', () => {
  it.each([
    ['quake3', true],
    ['quake1', false],
  ] as const)('is that of their tree: %s', (rules, first) => {
    const random = createRandom(9);
    const whole = (most: number): number => Math.round((random() - 0.5) * 2 * most);
    let asked: number[] = [];
    let orders = 0;
    for (let run = 0; run < 20; run++) {
      const size = [300 + whole(200), 300 + whole(200), 100];
      const world = answering({}, { mins: size.map((x) => -x), maxs: size });
      const scene = createScene(world, { rules });
      const tree = new LiteralTree(
        0,
        size.map((x) => -x),
        size,
      );
      const boxes = new Map<number, [number[], number[]]>();
      const link = (body: number, origin: number[], half: number): void => {
        const [mins, maxs] = [origin.map((x) => x - half - 1), origin.map((x) => x + half + 1)];
        tree.unlink(body);
        tree.link(body, mins, maxs, first);
        boxes.set(body, [mins, maxs]);
      };
      const place = (): number[] => [whole(size[0]!), whole(size[1]!), 0];
      for (let k = 0; k < 40; k++) {
        const half = 1 + Math.round(random() * 30);
        const [origin, body] = [place(), k + 1];
        const bounds: Bounds = { mins: [-half, -half, -half], maxs: [half, half, half] };
        const collider = { ...answering({}), ray: () => recorder(body) };
        expect(scene.add(collider, { origin, bounds })).toBe(body);
        link(body, origin, half);
      }
      const recorder = (body: number) => {
        const tracer = miss().ray();
        return {
          ...tracer,
          trace: (...given: Parameters<typeof tracer.trace>) => {
            asked.push(body);
            return tracer.trace(...given);
          },
        };
      };
      const ray = scene.ray();
      for (let k = 0; k < 40; k++) {
        const body = pick(random, [...boxes.keys()]);
        const origin = place();
        const half = (boxes.get(body)![1][0]! - boxes.get(body)![0][0]!) / 2 - 1;
        scene.move(body, { origin });
        link(body, origin, half);
        const [start, end] = [place(), place()];
        const low = start.map((x, a) => Math.min(x, end[a]!) - 1);
        const high = start.map((x, a) => Math.max(x, end[a]!) + 1);
        const expected: number[] = [];
        tree.walk(low, high, (entity) => {
          const [mins, maxs] = boxes.get(entity)!;
          const apart = mins.some((x, a) => x > high[a]! || maxs[a]! < low[a]!);
          if (!apart) expected.push(entity);
        });
        asked = [];
        ray.trace(start, end);
        // A scene does not ask those that the move itself, rather than the box around it, does not come near.
        expect(asked).toEqual(expected.filter((entity) => asked.includes(entity)));
        if (asked.length > 2) orders++;
      }
    }
    expect(orders).toBeGreaterThan(100);
  });
});

describe('rules', () => {
  it('are named, and need what they need', () => {
    expect(createScene().rules).toBe('nearest');
    expect(createScene(miss(), { rules: 'halflife' }).rules).toBe('halflife');
    expect(() => createScene(undefined, { rules: 'quake3' })).toThrow(
      new TypeError("an engine's rules need a world that has bounds"),
    );
    expect(() => createScene(miss(), { rules: 'doom' as never })).toThrow(
      new RangeError(
        "rules must be 'nearest', 'quake3', 'quake3-client', 'quake2', 'quake1' or 'halflife', got 'doom'",
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

  it.each(['nearest', 'quake3', 'quake3-client', 'quake1', 'halflife'] as const)(
    'agree on what blocks: %s',
    (rules) => {
      const random = createRandom(3);
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
    },
  );
});

describe('contents at a point', () => {
  const at: Vec3 = [4, 0, 0];
  /** A model that tells its pose by its contents: 64, and the x of its origin. */
  const told = () =>
    Object.assign(hit(1), {
      contents: (_: Vec3, { origin }: { origin?: Vec3 } = {}) => 64 | Math.trunc(origin?.[0] ?? 0),
    });
  const world = () => Object.assign(miss(), { contents: (point: Vec3) => (point[0]! > 0 ? 1 : 0) });

  it('are those of the world and of models around it, where the rules have it so', () => {
    for (const [rules, expected] of [
      ['nearest', 1 | 64 | 2],
      ['quake3', 1 | 64 | 2],
      ['quake3-client', 1 | 64 | 2],
      ['quake2', 1 | 64 | 2],
      ['quake1', 1],
      ['halflife', 1],
    ] as const) {
      const scene = createScene(world(), { rules });
      scene.add(told(), { origin: [2, 0, 0], bounds: small, solid: 'model' });
      scene.add(told(), { origin: [32, 0, 0], bounds: small, solid: 'model' });
      scene.add(told(), { origin: [8, 0, 0], bounds: small, solid: 'box' });
      scene.add(hit(1), { origin: [0, 0, 0], bounds: small, solid: 'model' });
      expect(scene.contents(at), rules).toBe(expected);
    }
  });

  it('count up to the box of a body as it is linked', () => {
    for (const [rules, reach] of [
      ['quake3', 9],
      ['quake2', 9],
    ] as const) {
      const scene = createScene(world(), { rules });
      scene.add(told(), { bounds: small, solid: 'model' });
      expect([scene.contents([-reach, 0, 0]), scene.contents([-reach - 0.01, 0, 0])], rules).toEqual([64, 0]);
    }
  });

  it('need a world that tells them, and a point', () => {
    const mute = createScene(miss()) as unknown as { contents(point: Vec3): number };
    expect(() => mute.contents(at)).toThrow('the world has no contents()');
    expect(() => createScene(world()).contents([0, Number.NaN, 0])).toThrow(
      'point[1] must be a finite float32',
    );
  });
});
