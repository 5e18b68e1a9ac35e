/** What is known of a lump's trees so far: of each node, once its children are known. */
interface Trees {
  /** Two per node, below 0 for what is not a node. */
  readonly children: Int32Array;
  /** Per node: NEW, OPEN, or how many nodes there are on the longest way down, itself included. */
  readonly depths: Int32Array;
  /**
   * Per node: how many nodes there are below it, itself included, each counted as often as it is reached. May overflow to
   * Infinity.
   */
  readonly sizes: Float64Array;
  /** Whether two ways may lead to one node. */
  readonly shared: boolean;
  /** Throws: what is wrong with a node. */
  readonly refuse: (node: number, problem: string) => never;
}

const NEW = 0;
/** A node on the way down that is being followed. */
const OPEN = -1;

const SHARED = 'is reached twice: two branches share it';

/** The trees below some heads. Heads below 0 have none. */
export interface TreeMeasures {
  /** Nodes on the longest way down from any head. */
  readonly depth: number;
  /** The most nodes below a head, each counted as often as it is reached. */
  readonly unfolded: number;
}

/**
 * Measures trees of any depth, in time that is proportional to their nodes. Calls `refuse`, which throws, for a node that is below
 * itself and, unless `shared`, for one to which two ways lead.
 */
export function measureTrees(
  children: Int32Array,
  heads: ArrayLike<number>,
  shared: boolean,
  refuse: Trees['refuse'],
): TreeMeasures {
  const count = children.length / 2;
  const depths = new Int32Array(count);
  const sizes = new Float64Array(count);
  const trees: Trees = { children, depths, sizes, shared, refuse };
  let depth = 0;
  let unfolded = 0;
  for (let k = 0; k < heads.length; k++) {
    const head = heads[k]!;
    if (head < 0) continue;
    measureBelow(trees, head);
    depth = Math.max(depth, depths[head]!);
    unfolded = Math.max(unfolded, sizes[head]!);
  }
  return { depth, unfolded };
}

/** Each node stays on the stack until its children are known. */
function measureBelow(trees: Trees, head: number): void {
  const { depths, shared, refuse } = trees;
  const stack = [head];
  while (stack.length > 0) {
    const node = stack[stack.length - 1]!;
    if (depths[node] === NEW) {
      open(trees, node, stack);
      continue;
    }
    stack.pop();
    if (depths[node] === OPEN) close(trees, node);
    // Another branch or head led there first.
    else if (!shared) refuse(node, SHARED);
  }
}

/** Puts those of a node's children on the stack that have to be known before it is. */
function open({ children, depths, shared, refuse }: Trees, node: number, stack: number[]): void {
  depths[node] = OPEN;
  for (let side = 1; side >= 0; side--) {
    const child = children[2 * node + side]!;
    if (child < 0) continue;
    const depth = depths[child]!;
    if (depth === NEW) stack.push(child);
    else if (depth === OPEN) refuse(child, 'is below itself: the tree has a cycle');
    else if (!shared) refuse(child, SHARED);
  }
}

/** Measures a node whose children have been measured. */
function close({ children, depths, sizes }: Trees, node: number): void {
  let deepest = 0;
  let size = 1;
  for (let side = 0; side < 2; side++) {
    const child = children[2 * node + side]!;
    if (child < 0) continue;
    deepest = Math.max(deepest, depths[child]!);
    size += sizes[child]!;
  }
  depths[node] = 1 + deepest;
  sizes[node] = size;
}
