import type { Bounds, Tracer, Vec3 } from '@bspkit/core';
import { between, createRandom, pick, type Random } from '@bspkit/geometry';
import { boxEntity as quake1Entity } from '@bspkit/quake1';
import { boxEntity as quake2Entity } from '@bspkit/quake2';
import { type Quake3World, boxEntity as quake3Entity } from '@bspkit/quake3';
import { type BodyChanges, type Collider, createScene, type RulesName, type Scene } from '@bspkit/scene';
import { expectSame } from '@bspkit/testkit/same';
import { SEED } from '@bspkit/testkit/seed';
import { expect, it } from 'vitest';
import { pointIn } from './subjects.ts';
import { quake1Arena, quake2Arena, quake3Arena } from './worlds.ts';

// What a scene answers depends on the bodies that there are, and with an engine's rules on the order in which they were linked
// last: not on those that there were, on when its tracers were made, nor on calls that were refused.

/** Changes in each scene; after each, two of its tracers are compared with those of a new scene. */
const STEPS = 120;

type Game = Scene<Quake3World>;

const quake1 = quake1Arena();
const quake2 = quake2Arena();
const quake3 = quake3Arena();

interface Setup {
  readonly world: { readonly bounds: Bounds; model(number: number): Collider };
  entity(mins: Vec3, maxs: Vec3): Collider & { resize(mins: Vec3, maxs: Vec3): void };
}
const QUAKE1: Setup = { world: quake1 as never, entity: quake1Entity as never };
const QUAKE2: Setup = { world: quake2 as never, entity: quake2Entity as never };
const QUAKE3: Setup = { world: quake3 as never, entity: quake3Entity as never };

/** A body, to be added anew: what it is, and its changes put together. */
interface Kept {
  /** Makes its collider, of its own or one that others share. */
  readonly make: () => Collider;
  readonly collider: Collider;
  changes: BodyChanges;
  size: readonly [Vec3, Vec3] | undefined;
  link: number;
}

/** A tracer that was made some time ago, and what it is set to. */
interface Live {
  readonly tracer: Tracer & { set(settings: object): unknown };
  readonly kind: 'box' | 'ray';
  settings: Record<string, unknown>;
}

const WRONG: readonly object[] = [
  { origin: [0, Number.NaN, 0] },
  { angles: null },
  { contents: 0.5 },
  { bounds: { mins: [1, 1, 1], maxs: [0, 0, 0] } },
  { solid: 'liquid' },
  { owner: -2 },
  { colour: 'red' },
];

/** A size that every game takes: in Quake's, it chooses a hull. */
const sizeOf = (random: Random): readonly [Vec3, Vec3] =>
  pick(random, [
    [
      [-16, -16, -24],
      [16, 16, 32],
    ],
    [
      [-8, -8, -8],
      [8, 8, 8],
    ],
    [
      [-30, -30, -24],
      [30, 30, 60],
    ],
  ]);

class Sequence {
  readonly random: Random;
  readonly setup: Setup;
  readonly rules: RulesName;
  readonly scene: Game;
  readonly bodies: Map<number, Kept> = new Map();
  readonly lives: Live[] = [];
  /** Boxes that several bodies share. */
  private readonly _shared: Collider[];
  private _links = 0;

  constructor(seed: number, setup: Setup, rules: RulesName) {
    this.random = createRandom(seed);
    this.setup = setup;
    this.rules = rules;
    this.scene = createScene(setup.world as never, { rules }) as never;
    this._shared = [setup.entity([-9, -9, -9], [9, 9, 30]), setup.world.model(1)];
  }

  private _place(): number[] {
    const { random, bodies } = this;
    const other =
      random() < 0.5 && bodies.size > 0 ? pick(random, [...bodies.values()]).changes.origin : undefined;
    const near = other ?? pointIn(random, this.setup.world.bounds);
    return Array.from(near, (x) => Math.fround(x + between(random, -60, 60)));
  }

  private _changes(): BodyChanges {
    const { random } = this;
    return {
      ...(random() < 0.9 && { origin: this._place() }),
      ...(random() < 0.2 && {
        angles: [0, 0, 0].map(() => (random() < 0.5 ? 0 : between(random, -180, 180))),
      }),
      ...(random() < 0.2 && { contents: pick(random, [-1, 1, 0x2000000, 4]) }),
      ...(random() < 0.2 && { owner: pick(random, [-1, 1, 2, 3, 40]) }),
      ...(random() < 0.1 && { solid: pick(random, ['model', 'box', 'trigger', 'none'] as const) }),
      ...(random() < 0.1 && { [pick(random, ['monster', 'item', 'pushable'])]: random() < 0.5 }),
    };
  }

  /** Does something to the scene, which may be refused. */
  change(): void {
    const { random, scene, bodies } = this;
    const what = random();
    if (random() < 0.1) {
      const wrong = pick(random, WRONG) as BodyChanges;
      const body = bodies.size > 0 ? pick(random, [...bodies.keys()]) : 1;
      expect(() => (random() < 0.5 ? scene.add(this._shared[0]!, wrong) : scene.move(body, wrong))).toThrow();
      expect(() => scene.remove(999)).toThrow(RangeError);
    }
    if (bodies.size === 0 || what < 0.3) this._add();
    else if (what < 0.45) this._remove(pick(random, [...bodies.keys()]));
    else {
      const body = pick(random, [...bodies.keys()]);
      const kept = bodies.get(body)!;
      if (kept.size && random() < 0.4) {
        kept.size = sizeOf(random);
        (kept.collider as ReturnType<Setup['entity']>).resize(...kept.size);
      }
      const changes = this._changes();
      scene.move(body, changes);
      kept.changes = { ...kept.changes, ...changes };
      kept.link = ++this._links;
    }
  }

  private _add(): void {
    const { random, setup, bodies } = this;
    const kind = random();
    const size = kind < 0.4 ? sizeOf(random) : undefined;
    const shared = pick(random, this._shared);
    const number = pick(random, [1, 2, 3]);
    const make = size
      ? (): Collider => setup.entity(...size)
      : kind < 0.7
        ? (): Collider => setup.world.model(number)
        : (): Collider => shared;
    const collider = make();
    const changes = this._changes();
    const body = this.scene.add(collider, changes);
    let lowest = 1;
    while (bodies.has(lowest)) lowest++;
    expectSame(body, lowest);
    bodies.set(body, { make, collider, changes, size, link: ++this._links });
  }

  private _remove(body: number): void {
    this.scene.remove(body);
    this.bodies.delete(body);
    for (const kept of this.bodies.values())
      if (kept.changes.owner === body) kept.changes = { ...kept.changes, owner: -1 };
  }

  /** A new scene in the same state. */
  private _fresh(): Game {
    const { setup, rules, bodies } = this;
    const scene: Game = createScene(setup.world as never, { rules }) as never;
    for (const [number, { make, changes, size }] of [...bodies].sort(([, a], [, b]) => a.link - b.link))
      scene.add(size ? setup.entity(...size) : make(), { ...changes, number });
    return scene;
  }

  private _settings(): Record<string, unknown> {
    const { random, bodies } = this;
    const some = (): number => pick(random, [-1, 0, 1, 2, ...bodies.keys()]);
    const ignore = pick(random, [some(), { owner: some() }, new Set([some(), some()])]);
    const mask = pick(random, [-1, 1, 0x2000001]);
    return { ...(random() < 0.5 && { ignore }), ...(random() < 0.4 && { mask }) };
  }

  private _make(scene: Game, { kind, settings }: Omit<Live, 'tracer'>): Live['tracer'] {
    const { mins, maxs, ...options } = settings;
    return (kind === 'ray' ? scene.ray(options) : scene.box(mins as Vec3, maxs as Vec3, options)) as never;
  }

  /** Changes one of the tracers, or makes another. */
  prepare(): Live {
    const { random, lives } = this;
    if (lives.length < 12 && random() < 0.3) {
      const kind = random() < 0.5 ? 'ray' : 'box';
      const [mins, maxs] = sizeOf(random);
      const settings = { ...this._settings(), ...(kind === 'box' && { mins, maxs }) };
      lives.push({ kind, settings, tracer: this._make(this.scene, { kind, settings }) });
    }
    const live = lives.length > 0 ? pick(random, lives) : this.prepare();
    if (random() < 0.4) {
      const [mins, maxs] = sizeOf(random);
      const settings = { ...this._settings(), ...(live.kind === 'box' && random() < 0.5 && { mins, maxs }) };
      live.tracer.set(settings);
      live.settings = { ...live.settings, ...settings };
      const wrong = pick(random, [
        { ignore: 0, mask: 0.5 },
        { mask: 1, radius: 3 },
        { mask: 1, colour: 2 },
      ]);
      expect(() => live.tracer.set(wrong)).toThrow();
    }
    return live;
  }

  compare(step: number): void {
    const { random, scene } = this;
    const live = this.prepare();
    const [start, end] = [this._place(), this._place()];
    const answer = live.tracer.trace(start, end);
    const blocked = live.tracer.blocked(start, end);
    const fresh = this._fresh();
    const tracer = this._make(fresh, live);
    expectSame(answer, tracer.trace(start, end), `step ${step}`);
    expectSame(blocked, tracer.blocked(start, end), `step ${step}`);
    const [found, wanted] = [new Int32Array(8), new Int32Array(8)];
    const area = { center: start, radius: between(random, 0, 120) };
    expectSame(scene.touching(area, -1, found), fresh.touching(area, -1, wanted));
    expectSame(found, wanted);
    expectSame(scene.visibleFrom(end, -1, found), fresh.visibleFrom(end, -1, wanted));
    expectSame(found, wanted);
    expectSame(scene.contents(start, { ignore: 1 }), fresh.contents(start, { ignore: 1 }));
    const list = (of: Game): unknown =>
      Array.from(
        of,
        ({ number, origin, angles, bounds, contents, solid, owner, monster, item, pushable }) => {
          return { number, origin, angles, bounds, contents, solid, owner, monster, item, pushable };
        },
      );
    expectSame(list(scene), list(fresh), `step ${step}`);
  }
}

it.each<[RulesName, string, Setup]>([
  ['nearest', 'Quake 3', QUAKE3],
  ['quake3', 'Quake 3', QUAKE3],
  ['quake3-client', 'Quake 3', QUAKE3],
  ['nearest', 'Quake 2', QUAKE2],
  ['quake2', 'Quake 2', QUAKE2],
  ['quake2-list', 'Quake 2', QUAKE2],
  ['nearest', 'Quake', QUAKE1],
  ['quake1', 'Quake', QUAKE1],
  ['halflife', 'Quake', QUAKE1],
])('scenes answer as new ones with the same bodies do: rules %s, in a world of %s', (rules, _, setup) => {
  const sequence = new Sequence(SEED, setup, rules);
  for (let step = 0; step < STEPS; step++) {
    sequence.change();
    sequence.compare(step);
    sequence.compare(step);
  }
  expect(sequence.bodies.size).toBeGreaterThan(3);
});
