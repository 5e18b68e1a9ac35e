/** Nodes of a treelet, at most. */
export const TREELET_NODES = 4;
/** Ways through it: a bit per node, 1 where the way goes to the back. */
export const TREELET_EXITS = 16;

/**
 * Trees cut into treelets: pieces of up to four nodes that hang together. A walk asks for the sides of all four at once,
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
  const count = children.length / 2;
  const numbers = new Int32Array(count).fill(-1);
  const nodes: number[] = [];
  const exits: number[] = [];
  const paths: number[] = [];
  const lanes = new Int32Array(TREELET_NODES);
  // By node of the treelet and side: which node of it is there, -1 for none.
  const inner = new Int32Array(2 * TREELET_NODES);
  const waiting: number[] = [];
  for (let k = heads.length - 1; k >= 0; k--) if (heads[k]! >= 0) waiting.push(heads[k]!);
  let made = 0;
  while (waiting.length > 0) {
    const head = waiting.pop()!;
    if (numbers[head]! >= 0) continue;
    numbers[head] = made++;
    const used = chooseNodes(head, children, weights, lanes, inner);
    for (let lane = 0; lane < TREELET_NODES; lane++) nodes.push(lane < used ? lanes[lane]! : -1);
    for (let sides = 0; sides < TREELET_EXITS; sides++) {
      let lane = 0;
      let path = 0;
      let edge: number;
      do {
        path |= 1 << lane;
        edge = 2 * lane + ((sides >> lane) & 1);
        lane = inner[edge]!;
      } while (lane >= 0);
      exits.push(children[2 * lanes[edge >> 1]! + (edge & 1)]!);
      paths.push(path);
    }
    // What is heaviest comes next: it is put on top.
    const below: number[] = [];
    for (let edge = 0; edge < 2 * used; edge++) {
      const child = children[2 * lanes[edge >> 1]! + (edge & 1)]!;
      if (inner[edge]! < 0 && child >= 0 && numbers[child]! < 0) below.push(child);
    }
    below.sort((a, b) => weights[a]! - weights[b]!);
    for (const child of below) waiting.push(child);
  }
  const numbered = Int32Array.from(exits, (child) => (child < 0 ? child : numbers[child]!));
  return {
    count: made,
    nodes: Int32Array.from(nodes),
    exits: numbered,
    paths: Uint8Array.from(paths),
    numbers,
  };
}

/** Fills a treelet from its head on, and returns how many nodes it has. */
function chooseNodes(
  head: number,
  children: Int32Array,
  weights: Float64Array,
  lanes: Int32Array,
  inner: Int32Array,
): number {
  inner.fill(-1);
  lanes[0] = head;
  let used = 1;
  while (used < TREELET_NODES) {
    let best = -1;
    let most = -1;
    for (let edge = 0; edge < 2 * used; edge++) {
      const child = children[2 * lanes[edge >> 1]! + (edge & 1)]!;
      if (inner[edge]! < 0 && child >= 0 && weights[child]! > most) {
        most = weights[child]!;
        best = edge;
      }
    }
    if (best < 0) break;
    inner[best] = used;
    lanes[used++] = children[2 * lanes[best >> 1]! + (best & 1)]!;
  }
  return used;
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
