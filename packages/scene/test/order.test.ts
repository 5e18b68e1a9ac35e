import type { Bounds } from '@bspkit/core';
import { createRandom, pick } from '@bspkit/geometry';
import { seedOf } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import { createScene } from '../src/index.ts';
import { answering, miss } from './answers.ts';

/** The engines' tree, taken literally: nodes with lists, walked from the root. */
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
    ['quake2', false],
    ['quake1', false],
  ] as const)('is that of their tree: %s', (rules, first) => {
    const random = createRandom(seedOf(9));
    const whole = (most: number): number => Math.round((random() - 0.5) * 2 * most);
    const out = new Int32Array(64);
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
        // A scene does not ask those that the box around the move meets but the move itself does not come near.
        expect(asked).toEqual(expected.filter((entity) => asked.includes(entity)));
        if (asked.length > 2) orders++;
        expect(scene.linked({ mins: low, maxs: high }, -1, out)).toBe(expected.length);
        expect([...out.subarray(0, expected.length)]).toEqual(expected);
      }
    }
    expect(orders).toBeGreaterThan(100);
  });
});
