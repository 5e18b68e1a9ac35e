import { BspError, type BspErrorCode } from '../error.ts';

/** Checks that readers make once, so that building and tracing may trust every number. All throw `BspError`. */
export interface Checks<L extends string> {
  /** Refuses the file: what is wrong with record `index` of a lump. */
  fail(code: BspErrorCode, lump: L, index: number | undefined, problem: string): never;
  /** The lumps must have content. */
  filled(lengths: Readonly<Record<L, number>>, lumps: readonly L[]): void;
  /** Every value must be finite. A record has `width` of them. */
  finite(lump: L, values: ArrayLike<number>, width: number): void;
  /** The value must be the number of one of `count` things. */
  index(lump: L, record: number, what: string, value: number, count: number): void;
  /** {@link Checks.index} of every value. A record has `width` of them. */
  indexes(lump: L, what: string, values: ArrayLike<number>, count: number, width?: number): void;
  /** `length` things from `first` on must be among `count`. */
  range(lump: L, record: number, what: string, first: number, length: number, count: number): void;
  /** {@link Checks.range} of every record. */
  ranges(lump: L, what: string, firsts: ArrayLike<number>, lengths: ArrayLike<number>, count: number): void;
  /**
   * Number of nodes on the longest way down from any of the heads. Children are two per node; one below 0 ends the way.
   * Refuses a tree that comes back to a node, one deeper than `most` nodes and, unless `shared`, one that reaches a node
   * by two ways.
   */
  depth(lump: L, children: Int32Array, heads: ArrayLike<number>, options: DepthOptions): number;
}

/** What kind of tree {@link Checks.depth} accepts. */
export interface DepthOptions {
  /** Most nodes on one way down. */
  readonly most: number;
  /** Whether two ways may lead to one node. */
  readonly shared?: boolean;
}

const NEW = 0;
/** On the way that is being looked at. */
const OPEN = -1;

const SHARED = 'is reached twice: two branches share it';

/** The checks of a format, named in their errors. */
export function createChecks<L extends string>(format: string): Checks<L> {
  const fail: Checks<L>['fail'] = (code, lump, index, problem) => {
    throw new BspError(code, { format, lump, index }, problem);
  };
  const checks: Checks<L> = {
    fail,
    filled(lengths, lumps) {
      for (const lump of lumps) {
        if (lengths[lump] === 0) fail('empty', lump, undefined, 'is empty, but a map needs it');
      }
    },
    finite(lump, values, width) {
      for (let i = 0; i < values.length; i++) {
        if (!Number.isFinite(values[i]!)) {
          fail('value', lump, Math.floor(i / width), `holds ${values[i]}, which is not a finite number`);
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
      for (let i = 0; i < firsts.length; i++) checks.range(lump, i, what, firsts[i]!, lengths[i]!, count);
    },
    depth(lump, children, heads, { most, shared = false }) {
      // Per node: NEW, OPEN, or the length of its longest way down.
      const lengths = new Int32Array(children.length / 2);
      const lengthOf = (node: number): number => (node < 0 ? 0 : lengths[node]!);
      const stack: number[] = [];
      let depth = 0;
      const meet = (node: number): void => {
        if (node < 0) return;
        const length = lengths[node]!;
        if (length === OPEN) fail('cycle', lump, node, 'is below itself: the tree has a cycle');
        if (length !== NEW && !shared) fail('cycle', lump, node, SHARED);
        if (length === NEW) stack.push(node);
      };
      for (let k = 0; k < heads.length; k++) {
        meet(heads[k]!);
        while (stack.length > 0) {
          const node = stack[stack.length - 1]!;
          const front = children[2 * node]!;
          const back = children[2 * node + 1]!;
          if (lengths[node] === NEW) {
            lengths[node] = OPEN;
            meet(back);
            meet(front);
          } else {
            stack.pop();
            // Finished before it came to its turn: another branch led there first.
            if (lengths[node] !== OPEN && !shared) fail('cycle', lump, node, SHARED);
            if (lengths[node] === OPEN) lengths[node] = 1 + Math.max(lengthOf(front), lengthOf(back));
          }
        }
        depth = Math.max(depth, lengthOf(heads[k]!));
      }
      if (depth > most) fail('limit', lump, undefined, `is ${depth} nodes deep; at most ${most} are taken`);
      return depth;
    },
  };
  return checks;
}
