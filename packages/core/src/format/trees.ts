const NEW = 0;
/** A node on the way down that is being followed. */
const OPEN = -1;

const SHARED = 'is reached twice: two branches share it';

/** The trees below some heads. */
export interface TreeMeasures {
  /** Nodes on the longest way down from any head. */
  readonly depth: number;
  /** The most nodes below a head, each counted as often as it is reached. May overflow to Infinity. */
  readonly unfolded: number;
}

/**
 * Measures trees of any depth, in time that is proportional to their nodes. Heads and children below 0 are not nodes. Calls
 * `refuse`, which throws, for a node that is below itself and, unless `shared`, for one to which two ways lead.
 */
export function measureTrees(
  children: Int32Array,
  heads: ArrayLike<number>,
  shared: boolean,
  refuse: (node: number, problem: string) => never,
): TreeMeasures {
  // Per node: NEW, OPEN, or how many nodes there are on the longest way down, itself included.
  const depths = new Int32Array(children.length / 2);
  // Per node that is neither: how many there are below it, itself included, each counted as often as it is reached.
  const sizes = new Float64Array(depths.length);
  // Each node stays on it until its children have been measured.
  const stack: number[] = [];

  const open = (node: number): void => {
    depths[node] = OPEN;
    for (let side = 1; side >= 0; side--) {
      const child = children[2 * node + side]!;
      if (child < 0) continue;
      if (depths[child] === NEW) stack.push(child);
      else if (depths[child] === OPEN) refuse(child, 'is below itself: the tree has a cycle');
      else if (!shared) refuse(child, SHARED);
    }
  };

  const close = (node: number): void => {
    let deepest = 0;
    let size = 1;
    for (let side = 1; side >= 0; side--) {
      const child = children[2 * node + side]!;
      if (child < 0) continue;
      deepest = Math.max(deepest, depths[child]!);
      size += sizes[child]!;
    }
    depths[node] = 1 + deepest;
    sizes[node] = size;
  };

  let depth = 0;
  let unfolded = 0;
  for (let k = 0; k < heads.length; k++) {
    const head = heads[k]!;
    if (head < 0) continue;
    stack.push(head);
    while (stack.length > 0) {
      const node = stack[stack.length - 1]!;
      if (depths[node] === NEW) open(node);
      else {
        stack.pop();
        if (depths[node] === OPEN) close(node);
        // Another branch or head led there first.
        else if (!shared) refuse(node, SHARED);
      }
    }
    depth = Math.max(depth, depths[head]!);
    unfolded = Math.max(unfolded, sizes[head]!);
  }
  return { depth, unfolded };
}
