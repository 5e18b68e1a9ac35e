import type { Placeable, Pose, Tracer, Vec3 } from '@bspkit/core';
import type { KernelChoice } from '@bspkit/core/format';
import { between, createRandom, pick, type Random } from '@bspkit/geometry';
import { expectSameBatch } from '@bspkit/testkit/batch';
import { expectSame } from '@bspkit/testkit/same';
import { SEED } from '@bspkit/testkit/seed';
import { expect, it } from 'vitest';
import { pointIn, type Subject, subjectsOf } from './subjects.ts';

// Tracers of a world share its memory, and a kernel keeps there what the latest of them was set to, and what earlier moves have
// taught it. Whatever was done before, with a tracer itself and with all others, it answers as a new one with the same settings.

/** Steps for all tracers together, each with two comparisons of one of them. */
const STEPS = 800;

type Settings = Record<string, unknown>;

/** What may be set on some tracers, and is refused by others; the latter changes nothing. */
const SETTINGS: Readonly<Record<string, (random: Random) => unknown>> = {
  mask: (random) => pick(random, [-1, 1, 0x2000001, 0, 0x10001]),
  epsilon: (random) => pick(random, [0, 0.03125, 0.125, 2]),
  curves: (random) => random() < 0.5,
  rules: (random) => pick(random, ['quake1', 'quakeworld', 'halflife', 'halflife-player']),
  levels: (random) => pick(random, [1, 3, 0xff, 0x1ff]),
  reject: (random) => pick(random, [0, 1]),
  lightClip: (random) => random() < 0.5,
  limit: (random) => pick(random, [0.5, 1]),
  water: (random) => random() < 0.5,
  radius: (random) => pick(random, [0, 3, 24]),
  radii: (random) => [between(random, 1, 30), between(random, 1, 30), between(random, 1, 30)],
  mins: (random) => pick(random, [sizes(random), [-16, -16, -24]]).map((x) => -Math.abs(x)),
  maxs: (random) => pick(random, [sizes(random), [16, 16, 32]]),
  ignore: (random) => pick(random, [-1, 1, 2]),
};
const WRONG: readonly unknown[] = [Number.NaN, null, 'x', [0, Number.NaN, 0], { length: 3 }];

const sizes = (random: Random): number[] => [0, 1, 2].map(() => between(random, 0, 40));

/** A tracer, and what it was set to by calls that were not refused. */
class Live {
  readonly name: string;
  readonly subject: Subject;
  readonly tracer: Tracer;
  readonly out;
  settings: Settings = {};
  pose: Pose = {};

  constructor(name: string, subject: Subject) {
    this.name = name;
    this.subject = subject;
    this.tracer = subject.make();
    this.out = this.tracer.createTrace();
  }

  /** Another tracer that was made and set at once. */
  fresh(): Tracer {
    const tracer = this.subject.make();
    if (Object.keys(this.settings).length > 0) change(tracer, 'set', this.settings);
    if (Object.keys(this.pose).length > 0) change(tracer, 'place', this.pose);
    return tracer;
  }

  set(random: Random): void {
    const names = Object.keys(SETTINGS).filter((name) => name in this.settings || random() < 0.1);
    const settings: Settings = {};
    for (const name of names) settings[name] = SETTINGS[name]!(random);
    if (random() < 0.15) settings[pick(random, Object.keys(SETTINGS))] = pick(random, WRONG);
    // One by one as well, as most tracers have only some of them.
    const parts = random() < 0.5 ? [settings] : Object.entries(settings).map(([name, x]) => ({ [name]: x }));
    for (const part of parts) {
      if (!isTaken(this.tracer, 'set', part)) continue;
      this.settings = { ...this.settings, ...part };
    }
  }

  place(random: Random): void {
    if (!('place' in this.tracer)) return;
    const pose: { origin?: Vec3; angles?: Vec3 } = {};
    if (random() < 0.8) pose.origin = [0, 1, 2].map(() => between(random, -40, 40));
    if (random() < 0.5) pose.angles = [0, 0, 0].map(() => (random() < 0.3 ? 0 : between(random, -20, 20)));
    if (random() < 0.15) Object.assign(pose, { [random() < 0.5 ? 'origin' : 'angles']: pick(random, WRONG) });
    if (isTaken(this.tracer, 'place', pose)) this.pose = { ...this.pose, ...pose };
  }

  compare(random: Random): void {
    const { subject, tracer, out, name } = this;
    const what = (): string => `${name}, set to ${JSON.stringify([this.settings, this.pose])}`;
    const start = random() < 0.3 ? out.endPos.slice() : pointIn(random, subject.bounds);
    if (!start.every(Number.isFinite)) return;
    const end = random() < 0.1 ? start : pointIn(random, subject.bounds);
    const segments = Float32Array.of(...end, ...start, ...start, ...end, ...start, ...start);
    const isBatch = random() < 0.3;
    // First this tracer, from what it and the others have left behind.
    const batch = isBatch ? tracer.traceBatch(segments) : undefined;
    const blocked = tracer.blocked(start, end);
    const answer = random() < 0.5 ? tracer.trace(start, end, out) : tracer.trace(Array.from(start), end);
    const fresh = this.fresh();
    expectSame(answer, fresh.trace(start, end), what());
    expectSame(blocked, fresh.blocked(start, end), what());
    if (batch) expectSameBatch(batch, fresh.traceBatch(segments), segments, `a batch of ${what()}`);
    expectSame(tracer.shape, fresh.shape, what());
    // So that it is the latest to have traced when it is changed next.
    tracer.blocked(start, end);
  }
}

const change = (tracer: Tracer, name: 'set' | 'place', changes: object): unknown =>
  (tracer as Tracer & Placeable & { set(changes: object): unknown })[name](changes as never);

/** Whether a change is made; it may only be refused as arguments are. */
function isTaken(tracer: Tracer, name: 'set' | 'place', changes: object): boolean {
  if (!(name in tracer)) return false;
  try {
    change(tracer, name, changes);
    return true;
  } catch (error) {
    expect([RangeError, TypeError].some((type) => error instanceof type)).toBe(true);
    return false;
  }
}

it.each<KernelChoice>(['auto', 'js'])(
  'tracers answer as new ones, whatever was done before: kernel %s',
  (kernel) => {
    const random = createRandom(SEED);
    // The toy checks little.
    const subjects = [...subjectsOf(kernel)].filter(([name]) => !name.startsWith('toy'));
    const lives: Live[] = [];
    for (let step = 0; step < STEPS; step++) {
      if (lives.length < 40 || random() < 0.05) lives.push(new Live(...pick(random, subjects)));
      if (lives.length > 300) lives.splice(Math.floor(random() * lives.length), 1);
      const live = pick(random, lives);
      for (let round = 0; round < 2; round++) {
        if (random() < 0.4) live.set(random);
        if (random() < 0.3) live.place(random);
        live.compare(random);
      }
    }
  },
);
