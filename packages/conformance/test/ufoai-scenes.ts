import { boxBrush, CONTENTS, compileMap } from '@bspkit/compile';
import type { Vec3 } from '@bspkit/core';
import { createRandom, pick } from '@bspkit/geometry';

// What UFO:AI's server was asked: a map full of blocks and models, entities that overlap each other, and moves among them. All
// coordinates are whole numbers, so no order of operations rounds.

const MODELS = 12;
const ROUNDS = 6;
const MOVES = 150;

interface Linked {
  readonly number: number;
  readonly origin: Vec3;
  readonly angles: Vec3;
  /** Number of the entity that owns it; -1 for none. */
  readonly owner: number;
}

interface Move {
  readonly start: Vec3;
  readonly end: Vec3;
  readonly mins: Vec3;
  readonly maxs: Vec3;
  /** Number of the entity that moves; -1 for none. */
  readonly ignore: number;
}

export interface Round {
  /** In the order in which they are linked. */
  readonly linked: readonly Linked[];
  readonly moves: readonly Move[];
}

type Whole = (low: number, high: number) => number;

const wholes =
  (random: () => number): Whole =>
  (low, high) =>
    low + Math.floor(random() * (high - low + 1));

const solid = { contents: CONTENTS.solid, levels: 255 };

export function crowdedMap(): Uint8Array {
  const whole = wholes(createRandom(1));
  const brushes = [boxBrush([-256, -192, 0], [256, 192, 8], solid)];
  for (let k = 0; k < 14; k++) {
    const at = [16 * whole(-15, 11), 16 * whole(-11, 7), 8 * whole(1, 10)] as const;
    const size = [16 * whole(1, 4), 16 * whole(1, 4), 16 * whole(1, 4)] as const;
    brushes.push(boxBrush(at, [at[0] + size[0], at[1] + size[1], at[2] + size[2]], solid));
  }
  const models = Array.from({ length: MODELS }, () => {
    const half = [8 * whole(2, 10), 8 * whole(2, 10), 8 * whole(2, 6)] as const;
    return {
      properties: { classname: 'func_breakable', health: '100' },
      brushes: [boxBrush([-half[0], -half[1], -half[2]], half, solid)],
    };
  });
  const entities = [
    { properties: { classname: 'worldspawn' }, brushes },
    ...models,
    { properties: { classname: 'info_player_start', origin: '0 0 40', team: '1' }, brushes: [] },
  ];
  return compileMap({ entities }, { format: 'ufoai' }).bytes;
}

/** @param turned - whether some of the entities are turned. */
export function rounds(turned: boolean): Round[] {
  const random = createRandom(turned ? 3 : 2);
  const whole = wholes(random);
  const point = (): [number, number, number] => [8 * whole(-26, 26), 8 * whole(-20, 20), 8 * whole(2, 15)];
  const round = (): Round => {
    const numbers = Array.from({ length: MODELS }, (_, k) => k + 1);
    for (let k = MODELS - 1; k > 0; k--) {
      const other = whole(0, k);
      [numbers[k], numbers[other]] = [numbers[other]!, numbers[k]!];
    }
    const linked = numbers.map((number): Linked => {
      const yaw = turned ? pick(random, [0, 37, 90, 200]) : 0;
      const owner = random() < 0.2 ? whole(1, MODELS) : -1;
      return { number, origin: point(), angles: [0, yaw, 0], owner: owner === number ? -1 : owner };
    });
    const moves = Array.from({ length: MOVES }, (): Move => {
      const near = pick(random, linked).origin;
      const start = [0, 1, 2].map((k) => {
        const limit = [240, 176, 120][k]!;
        return Math.max(k === 2 ? 8 : -limit, Math.min(limit, near[k]! + 4 * whole(-14, 14)));
      });
      const way = pick(random, [0, 8, 64, 128]);
      const end = [0, 1, 2].map((k) => {
        const limit = [240, 176, 120][k]!;
        return Math.max(k === 2 ? 8 : -limit, Math.min(limit, start[k]! + whole(-way, way)));
      });
      const half = pick(random, [0, 4, 9, 16]);
      const ignore = random() < 0.5 ? -1 : whole(1, MODELS);
      return { start, end, mins: [-half, -half, -half], maxs: [half, half, half], ignore };
    });
    return { linked, moves };
  };
  return Array.from({ length: ROUNDS }, round);
}
