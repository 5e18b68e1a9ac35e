import { BspError, type BspErrorCode } from '../error.ts';
import { measureTrees } from './trees.ts';

/** Checks that readers make once, so that building and tracing may trust every number. All throw `BspError`. */
export interface Checks<L extends string> {
  /** Refuses the file: what is wrong with record `index` of a lump. */
  fail(code: BspErrorCode, lump: L, index: number | undefined, problem: string): never;
  /** Throws if one of the lumps that must have content is empty. */
  filled<K extends L>(lumps: Readonly<Record<K, Uint8Array>>, needed: readonly K[]): void;
  /**
   * Every value must be a number within ±2^24, as coordinates and distances are. A record has `width` of them. They are those of
   * all records, or of those from `first` on.
   */
  finite(lump: L, values: ArrayLike<number>, width: number, first?: number): void;
  /** Normals (three numbers each) must be of unit length, within 1e-6. */
  normals(lump: L, normals: ArrayLike<number>): void;
  /** The value must be the number of one of `count` things. */
  index(lump: L, record: number, what: string, value: number, count: number): void;
  /** {@link Checks.index} of every value. A record has `width` of them. */
  indexes(lump: L, what: string, values: ArrayLike<number>, count: number, width?: number): void;
  /** `length` things from `first` on must be among `count`. */
  range(lump: L, record: number, what: string, first: number, length: number, count: number): void;
  /** {@link Checks.range} of every record, and {@link Checks.owned} of all of them. */
  ranges(lump: L, what: string, firsts: ArrayLike<number>, lengths: ArrayLike<number>, count: number): void;
  /**
   * Records that each list a run of `count` things must not list far more of them together than there are: compilers
   * give every record things of its own, so that all of them together take time in proportion to the file. Up to 4 times
   * as many are accepted, and 16,384 more. `lengths` may be those of any records, one of them twice where two things lead
   * to it.
   */
  owned(lump: L, what: string, lengths: ArrayLike<number>, count: number): void;
  /**
   * Where work grows with the square of a record's length, a file must not cause far more of it than any known map does: the
   * squares of all lengths together are at most `most`.
   */
  squares(lump: L, what: string, lengths: ArrayLike<number>, most: number): void;
  /** The children of nodes, two each, are numbers of nodes or, below 0, -1 - those of leafs. */
  children(lump: L, children: Int32Array, nodes: number, leafs: number): void;
  /**
   * Number of nodes on the longest way down from any of the heads. Children are two per node; one below 0 ends the way.
   * Refuses a tree that comes back to a node, one deeper than `most` nodes and, unless `shared`, one that reaches a node
   * by two ways. Where branches are shared, refuses a head below which walks would take far longer than there are nodes:
   * with each branch counted as often as it is reached, at most 16 times as many as there are, and 2^20 more.
   */
  depth(lump: L, children: Int32Array, heads: ArrayLike<number>, options: DepthOptions): number;
}

/** What kind of tree {@link Checks.depth} accepts. */
export interface DepthOptions {
  /** Most nodes on one way down. */
  readonly most: number;
  /** Whether two ways may lead to one node. */
  readonly shared?: boolean | undefined;
}

/**
 * Greatest coordinate or distance that is accepted, in Quake units: beyond, float32 skips whole units. Engines hold
 * worlds of 2^13 to 2^17 units; the greatest number in 1,053 maps of Debian's packages and ours is 40,448.
 */
const MAX_COORDINATE = 2 ** 24;

/** How far a normal's length may be from 1. In 1,053 maps the greatest difference is 1.7e-7, which is float32's rounding. */
const NORMAL_TOLERANCE = 1e-6;

/** See {@link Checks.owned}. In each of 1,053 maps the records together list no more things than there are. */
const OWNED_FACTOR = 4;
const OWNED_SLACK = 16_384;

/** See {@link Checks.depth}. */
const UNFOLDED_FACTOR = 16;
const UNFOLDED_SLACK = 2 ** 20;

/**
 * The checks of a format, which is named in their errors. They run through whole files before any JavaScript engine has compiled
 * them, so they loop by index: iterators, and calls where nothing is wrong, would take longer than the checks themselves.
 */
export function createChecks<L extends string>(format: string): Checks<L> {
  const fail: Checks<L>['fail'] = (code, lump, index, problem) => {
    throw new BspError(code, { format, lump, index }, problem);
  };
  const checks: Checks<L> = {
    fail,
    filled(lumps, needed) {
      for (const lump of needed) {
        if (lumps[lump].length === 0) fail('empty', lump, undefined, 'is empty, but a map needs it');
      }
    },
    finite(lump, values, width, first = 0) {
      for (let i = 0; i < values.length; i++) {
        const value = values[i]!;
        if (!(Math.abs(value) <= MAX_COORDINATE)) {
          const problem = Number.isFinite(value) ? `within ±${MAX_COORDINATE}` : 'a finite number';
          fail('value', lump, first + Math.floor(i / width), `holds ${value}, which is not ${problem}`);
        }
      }
    },
    normals(lump, normals) {
      for (let i = 0; i < normals.length; i += 3) {
        const x = normals[i]!;
        const y = normals[i + 1]!;
        const z = normals[i + 2]!;
        const length = Math.sqrt(x * x + y * y + z * z);
        if (!(Math.abs(length - 1) <= NORMAL_TOLERANCE)) {
          const problem = `normal ${x} ${y} ${z} has length ${length}, which is not 1 within ${NORMAL_TOLERANCE}`;
          fail('value', lump, i / 3, problem);
        }
      }
    },
    index(lump, record, what, value, count) {
      if (value >= 0 && value < count) return;
      const problem = count > 0 ? `is not in 0..${count - 1}` : ', but there are none';
      fail('index', lump, record, `${what} ${value}${count > 0 ? ' ' : ''}${problem}`);
    },
    indexes(lump, what, values, count, width = 1) {
      for (let i = 0; i < values.length; i++) {
        if (!(values[i]! >= 0 && values[i]! < count)) {
          checks.index(lump, Math.floor(i / width), what, values[i]!, count);
        }
      }
    },
    range(lump, record, what, first, length, count) {
      if (first < 0 || length < 0 || first + length > count) {
        fail('index', lump, record, `${what} ${first} to ${first + length} are not within 0..${count}`);
      }
    },
    ranges(lump, what, firsts, lengths, count) {
      for (let i = 0; i < firsts.length; i++) {
        const first = firsts[i]!;
        const length = lengths[i]!;
        if (first < 0 || length < 0 || first + length > count)
          checks.range(lump, i, what, first, length, count);
      }
      checks.owned(lump, what, lengths, count);
    },
    owned(lump, what, lengths, count) {
      let sum = 0;
      for (let i = 0; i < lengths.length; i++) sum += lengths[i]!;
      if (sum <= OWNED_FACTOR * count + OWNED_SLACK) return;
      const most = `at most ${OWNED_FACTOR} times as many and ${OWNED_SLACK} more are accepted`;
      fail('limit', lump, undefined, `list ${sum} ${what}, but there are only ${count}: ${most}`);
    },
    squares(lump, what, lengths, most) {
      let sum = 0;
      for (let i = 0; i < lengths.length; i++) sum += lengths[i]! * lengths[i]!;
      if (sum <= most) return;
      const problem = `have too many ${what} each: the squares of their numbers make ${sum}, and at most ${most} is accepted`;
      fail('limit', lump, undefined, problem);
    },
    children(lump, children, nodes, leafs) {
      for (let i = 0; i < children.length; i++) {
        const child = children[i]!;
        if (child >= nodes) checks.index(lump, i >> 1, 'child', child, nodes);
        else if (child < -leafs) checks.index(lump, i >> 1, 'leaf', -1 - child, leafs);
      }
    },
    depth(lump, children, heads, { most, shared = false }) {
      const count = children.length / 2;
      const refuse = (node: number, problem: string): never => fail('cycle', lump, node, problem);
      const { depth, unfolded } = measureTrees(children, heads, shared, refuse);
      if (depth > most)
        fail('limit', lump, undefined, `is ${depth} nodes deep; at most ${most} are accepted`);
      if (unfolded > UNFOLDED_FACTOR * count + UNFOLDED_SLACK) {
        const limit = `at most ${UNFOLDED_FACTOR} times as many and ${UNFOLDED_SLACK} more are accepted`;
        const problem = `shared branches make ${unfolded} nodes of ${count}; ${limit}`;
        fail('limit', lump, undefined, problem);
      }
      return depth;
    },
  };
  return checks;
}

/** Whether `value` is a whole number in `0 .. count - 1`. */
export function isNumberIn(value: number, count: number): boolean {
  return Number.isInteger(value) && value >= 0 && value < count;
}
