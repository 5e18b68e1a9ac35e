/** Nodes of a treelet, at most. */
export const TREELET_NODES = 4;
/** Ways through it: a bit per node, 1 where the way goes to the back. */
export const TREELET_EXITS = 16;

/**
 * Trees cut into treelets: connected pieces of up to four nodes. A walk asks for the sides of all four at once,
 * by SIMD, and a table says where it leaves the treelet, so that one jump takes the place of two or three that nothing
 * can predict.
 */
export interface Treelets {
  readonly count: number;
  /** Four nodes per treelet, each after the one above it; -1 where there are fewer. */
  readonly nodes: Int32Array;
  /** 16 exits per treelet, by the sides of its nodes: the number of the treelet to go on with, or below 0 a leaf as given. */
  readonly exits: Int32Array;
  /** For each exit the nodes on the way to it: bit k for node k. */
  readonly paths: Uint8Array;
  /** Treelet that begins with a node; -1 where none does. */
  readonly numbers: Int32Array;
}

/**
 * Cuts the trees below `heads` into treelets, in depth-first order. Every treelet takes the nodes of greatest weight that
 * it can reach. Nodes may be shared, by trees or within one, as long as no way comes back to a node.
 *
 * @param children - front and back child of each node: a node's number, or anything below 0.
 * @param weights - by node; a node weighs as much as each below it, or more.
 * @param heads - numbers of nodes, or anything below 0.
 */
export function cutTreelets(children: Int32Array, weights: Float64Array, heads: ArrayLike<number>): Treelets {
  const most = children.length / 2;
  const numbers = new Int32Array(most).fill(-1);
  const nodes = new Int32Array(TREELET_NODES * most).fill(-1);
  const exits = new Int32Array(TREELET_EXITS * most);
  const paths = new Uint8Array(TREELET_EXITS * most);
  // For each node of a treelet: the nodes on the way to it, itself among them, and at which of them that goes to the back.
  const ways = new Int32Array(TREELET_NODES);
  const sides = new Int32Array(TREELET_NODES);
  const waiting: number[] = [];
  for (let k = heads.length - 1; k >= 0; k--) if (heads[k]! >= 0) waiting.push(heads[k]!);
  let count = 0;
  while (waiting.length > 0) {
    const head = waiting.pop()!;
    if (numbers[head]! >= 0) continue;
    numbers[head] = count;
    const firstNode = TREELET_NODES * count;
    const firstExit = TREELET_EXITS * count++;
    nodes[firstNode] = head;
    ways[0] = 1;
    sides[0] = 0;
    let used = 1;
    // Edges of the treelet's nodes, two bits each, that lead on within it.
    let inner = 0;
    while (used < TREELET_NODES) {
      const edge = heaviestEdge(children, weights, nodes, firstNode, used, inner);
      if (edge < 0) break;
      const above = edge >> 1;
      inner |= 1 << edge;
      nodes[firstNode + used] = children[2 * nodes[firstNode + above]! + (edge & 1)]!;
      ways[used] = ways[above]! | (1 << used);
      sides[used] = sides[above]! | ((edge & 1) << above);
      used++;
    }
    // All other edges are exits, for whatever sides the nodes off the way have. The heaviest is to come next: on top.
    const below = waiting.length;
    for (let edge = 0; edge < 2 * used; edge++) {
      if (((inner >> edge) & 1) !== 0) continue;
      const above = edge >> 1;
      const child = children[2 * nodes[firstNode + above]! + (edge & 1)]!;
      const taken = sides[above]! | ((edge & 1) << above);
      const free = ~ways[above]! & (TREELET_EXITS - 1);
      let others = 0;
      do {
        exits[firstExit + (taken | others)] = child;
        paths[firstExit + (taken | others)] = ways[above]!;
        others = (others - free) & free;
      } while (others !== 0);
      if (child < 0 || numbers[child]! >= 0) continue;
      let at = waiting.length;
      for (; at > below && weights[waiting[at - 1]!]! > weights[child]!; at--) waiting[at] = waiting[at - 1]!;
      waiting[at] = child;
    }
  }
  for (let k = 0; k < TREELET_EXITS * count; k++) if (exits[k]! >= 0) exits[k] = numbers[exits[k]!]!;
  return {
    count,
    nodes: nodes.subarray(0, TREELET_NODES * count),
    exits: exits.subarray(0, TREELET_EXITS * count),
    paths: paths.subarray(0, TREELET_EXITS * count),
    numbers,
  };
}

/** The edge out of a treelet's nodes that leads to the heaviest node: its node's place, then a bit for its side; or -1. */
function heaviestEdge(
  children: Int32Array,
  weights: Float64Array,
  nodes: Int32Array,
  first: number,
  used: number,
  inner: number,
): number {
  let best = -1;
  let most = -1;
  for (let edge = 0; edge < 2 * used; edge++) {
    const child = children[2 * nodes[first + (edge >> 1)]! + (edge & 1)]!;
    if (child >= 0 && ((inner >> edge) & 1) === 0 && weights[child]! > most) {
      most = weights[child]!;
      best = edge;
    }
  }
  return best;
}

/** For each node below `heads`, the sum of what `leafWeight` says of the leafs below it, each as often as it is reached. */
export function weighNodes(
  children: Int32Array,
  heads: ArrayLike<number>,
  leafWeight: (leaf: number) => number,
): Float64Array {
  const weights = new Float64Array(children.length / 2).fill(-1);
  const weigh = (child: number): number => (child < 0 ? leafWeight(child) : weights[child]!);
  const open: number[] = [];
  for (let k = 0; k < heads.length; k++) {
    if (heads[k]! >= 0) open.push(heads[k]!);
    while (open.length > 0) {
      const node = open[open.length - 1]!;
      const front = weigh(children[2 * node]!);
      const back = weigh(children[2 * node + 1]!);
      if (weights[node]! < 0 && front < 0) open.push(children[2 * node]!);
      else if (weights[node]! < 0 && back < 0) open.push(children[2 * node + 1]!);
      else {
        weights[node] = front + back;
        open.pop();
      }
    }
  }
  return weights;
}
