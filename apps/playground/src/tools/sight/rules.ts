import type { BspWorld, Trace, Vec3 } from '@bspkit/core';

/** How a game looks from cell to cell. Heights are above the middle of a cell, in Quake units. */
export interface SightRules {
  /** Of a cell, in Quake units. */
  readonly size: readonly [width: number, height: number];
  /** Levels, counted from 1. */
  readonly levels: number;
  /** Where eyes are, by posture. */
  readonly eyes: Readonly<Record<'standing' | 'crouching', number>>;
  /** Heights of the target that are looked at, by name. */
  readonly heights: Readonly<Record<string, number>>;
  /** What may stop a line besides walls, by the name of its option. */
  readonly clips: Readonly<Record<string, string>>;
  cellAt(point: Vec3): readonly number[];
  middleOf(cell: readonly number[]): readonly number[];
  /** What looks along lines. */
  createLook(world: BspWorld): Look;
}

/** Looks along lines, with a mask of levels. */
export interface Look {
  set(filter: { readonly levels: number; readonly clips: readonly string[] }): void;
  /** Whether anything is in the way. */
  blocked(start: Vec3, end: Vec3): boolean;
  trace(start: Vec3, end: Vec3): Trace;
}

/** What an eye in one cell sees of whoever stands in another. */
export interface Sight {
  readonly name: string;
  readonly start: readonly number[];
  readonly end: readonly number[];
  readonly isBlocked: boolean;
  /** Where the line stops; its end where nothing is in the way. */
  readonly stop: readonly number[];
  readonly fraction: number;
}

/** Looks from the eye in one cell at every height of a target in another. */
export function lookAt(
  rules: SightRules,
  look: Look,
  from: readonly number[],
  to: readonly number[],
  posture: keyof SightRules['eyes'],
): Sight[] {
  const lift = (point: readonly number[], by: number): number[] => [point[0]!, point[1]!, point[2]! + by];
  const start = lift(rules.middleOf(from), rules.eyes[posture]);
  const middle = rules.middleOf(to);
  return Object.entries(rules.heights).map(([name, height]) => {
    const end = lift(middle, height);
    const isBlocked = look.blocked(start, end);
    const { fraction, endPos } = look.trace(start, end);
    return { name, start, end, isBlocked, stop: isBlocked ? Array.from(endPos) : end, fraction };
  });
}
