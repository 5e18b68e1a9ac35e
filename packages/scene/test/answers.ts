import { type Bounds, defineTracer, type Trace, type Tracer, type Vec3 } from '@bspkit/core';
import { type Body, type Collider, createBody, type RulesName } from '../src/index.ts';
import { RULES } from '../src/rules/index.ts';
import type { SeeingWorld } from '../src/visible.ts';

export const ALL_RULES = Object.keys(RULES) as readonly RulesName[];

export const everywhere: Bounds = { mins: [-1000, -1000, -1000], maxs: [1000, 1000, 1000] };

/** A collider that gives the same answer to everything, for the kinds that tests ask for. */
export interface Answering extends Collider {
  readonly bounds: Bounds;
  ray(): Tracer;
  box(): Tracer;
  /** The fields of its answers; may be changed. */
  answer: Partial<Trace>;
  /** How often it was asked. */
  asked: number;
}

/** A collider whose rays and boxes all end with the given answer. */
export function answering(answer: Partial<Trace>, bounds: Bounds = everywhere): Answering {
  const tracer = defineTracer({
    shape: { kind: 'ray' },
    trace: (_start, end, out) => {
      collider.asked++;
      out.endPos.set(Array.from(end));
      return Object.assign(out, collider.answer);
    },
  });
  const collider: Answering = { bounds, answer, asked: 0, ray: () => tracer, box: () => tracer };
  return collider;
}

export const hit = (fraction: number): Answering => answering({ fraction, brush: -1, contents: 1 });

export const miss = (): Answering => answering({});

/** The fields that most tests look at, as text. */
export function show({ fraction, startSolid, allSolid }: Trace): string {
  return `${fraction}${startSolid ? ' start' : ''}${allSolid ? ' all' : ''}`;
}

/** A move that meets a body at 50 0 0. */
export const ahead: [Vec3, Vec3] = [
  [0, 0, 0],
  [100, 0, 0],
];

/** A cube around 0 0 0. */
export const cube = (half: number): Body =>
  createBody({ kind: 'box', mins: [-half, -half, -half], maxs: [half, half, half] });

/** A world of slices along x, 100 units each, from -10 to 9: leafs 0 to 19; leaf 0 is solid. */
export function sliced(sees: (from: number, to: number) => boolean): {
  readonly world: Answering & SeeingWorld;
  linked(): number;
} {
  let linked = 0;
  // Takes the point, since V8 may box a number that is passed.
  const leaf = (point: Vec3): number => Math.min(Math.max(Math.floor(point[0]! / 100) + 10, 0), 19) | 0;
  const walk = (mins: Vec3, maxs: Vec3, out: Int32Array): number => {
    linked++;
    let count = 0;
    for (let at = Math.max(leaf(mins), 1); at <= leaf(maxs); at++) {
      if (count < out.length) out[count] = at;
      count++;
    }
    return count;
  };
  const world = {
    ...miss(),
    contents: () => 0,
    numLeafs: 20,
    leaf,
    visible: (from: number, to: number) => from === 0 || (to !== 0 && sees(from, to)),
    boxLeafs: walk as SeeingWorld['boxLeafs'],
  };
  return { world, linked: () => linked };
}
