/** How far a body may move, on every axis, before its place in the tree is recomputed, in Quake units. */
const SLACK = 16;

/**
 * How many more levels one side of a node may have than the other; beyond that it is balanced, whatever that does to the surface.
 */
const LOPSIDED = 4;

/** From this length on, with its three parts added up, a move is tested against boxes as a line. */
const LONG = 128;

/** Places in a {@link TreeQuery}: box around the move, the move's middle, half the move, half the shape's size. */
export const T_LOW = 0;
export const T_HIGH = 3;
export const T_MIDDLE = 6;
export const T_WAY = 9;
export const T_HALF = 12;
/** For the caller: how much of the move is considered; as an argument V8 might box it. */
export const T_FRACTION = 15;
export const TREE_QUERY = 16;

/** What bodies' boxes are tested against: a box swept along a line, in double precision. */
export type TreeQuery = Float64Array;

/**
 * Boxes of bodies in a binary tree that is updated as they are added, moved and removed, so that a move is tested against few.
 * Flat arrays: node 2k is the leaf of body k, node 2k + 1 the k-th inner node, so that nothing moves when they grow. Leaves are
 * inserted where they add the least surface, with rotations on the way back up. For bodies in one place, or nested in each other,
 * that alone would make a list, so nodes that lean too much are balanced.
 */
export class BoundsTree {
  /** Tight boxes of bodies, six numbers each: mins, maxs. */
  bounds: Float32Array = new Float32Array(0);
  private _boxes: Float32Array = new Float32Array(0);
  private _parents: Int32Array = new Int32Array(0);
  /** Two children a node; free inner nodes are chained by the first. */
  private _children: Int32Array = new Int32Array(0);
  /** Levels below each node; none below a leaf. */
  private _heights: Int32Array = new Int32Array(0);
  private _stack: Int32Array = new Int32Array(1);
  private _root = -1;
  private _free = -1;
  /** The result of `_unionArea`: as a return value V8 might box it. */
  private readonly _areas: Float64Array = new Float64Array(1);

  /** Makes room for bodies `0 .. count - 1`; `count` only grows. */
  grow(count: number): void {
    const before = this._parents.length / 2;
    this.bounds = extended(this.bounds, new Float32Array(6 * count));
    this._boxes = extended(this._boxes, new Float32Array(12 * count));
    this._parents = extended(this._parents, new Int32Array(2 * count));
    this._children = extended(this._children, new Int32Array(4 * count));
    this._heights = extended(this._heights, new Int32Array(2 * count));
    // A walk pushes at most one node per level.
    this._stack = new Int32Array(count + 1);
    for (let k = count - 1; k >= before; k--) this._release(2 * k + 1);
  }

  /** Puts a body into the tree, at its box in `bounds`. */
  insert(body: number): void {
    const leaf = 2 * body;
    this._fatten(leaf);
    if (this._root < 0) {
      this._root = leaf;
      this._parents[leaf] = -1;
      return;
    }
    const sibling = this._bestSibling(leaf);
    const parent = this._parents[sibling]!;
    const node = this._free;
    this._free = this._children[2 * node]!;
    this._children[2 * node] = sibling;
    this._children[2 * node + 1] = leaf;
    this._parents[sibling] = node;
    this._parents[leaf] = node;
    this._replace(parent, sibling, node);
    this._refit(node);
  }

  /** Takes a body out of the tree. */
  remove(body: number): void {
    const leaf = 2 * body;
    const parent = this._parents[leaf]!;
    if (parent < 0) {
      this._root = -1;
      return;
    }
    const first = this._children[2 * parent]!;
    const sibling = first === leaf ? this._children[2 * parent + 1]! : first;
    const above = this._parents[parent]!;
    this._replace(above, parent, sibling);
    this._release(parent);
    if (above >= 0) this._refit(above);
  }

  /** Notes a body's new box in `bounds`: costs next to nothing while it stays within the slack. */
  update(body: number): void {
    const { bounds, _boxes: boxes } = this;
    const tight = 6 * body;
    const fat = 12 * body;
    let fits = true;
    for (let k = 0; k < 3; k++) {
      const low = bounds[tight + k]!;
      const high = bounds[tight + 3 + k]!;
      if (low < boxes[fat + k]! || high > boxes[fat + 3 + k]!) fits = false;
      // A body that shrank does not keep a box that is far too large.
      if (boxes[fat + 3 + k]! - boxes[fat + k]! > high - low + 4 * SLACK) fits = false;
    }
    if (fits) return;
    this.remove(body);
    this.insert(body);
  }

  get isEmpty(): boolean {
    return this._root < 0;
  }

  /**
   * Writes the bodies whose boxes the query may meet into `found`, in no order, after the `before` that are there already.
   * Returns how many there are then.
   */
  collect(query: TreeQuery, found: Int32Array, before = 0): number {
    if (this._root < 0) return before;
    const { _boxes: boxes, _children: children, _stack: stack, bounds } = this;
    const lowX = query[T_LOW]!;
    const lowY = query[T_LOW + 1]!;
    const lowZ = query[T_LOW + 2]!;
    const highX = query[T_HIGH]!;
    const highY = query[T_HIGH + 1]!;
    const highZ = query[T_HIGH + 2]!;
    // The box around a long slanted move contains much that the move does not come near.
    const isLong = Math.abs(query[T_WAY]!) + Math.abs(query[T_WAY + 1]!) + Math.abs(query[T_WAY + 2]!) > LONG;
    let count = before;
    let depth = 0;
    let node = this._root;
    for (;;) {
      const isLeaf = (node & 1) === 0;
      const from = isLeaf ? bounds : boxes;
      const at = isLeaf ? 3 * node : 6 * node;
      if (
        lowX <= from[at + 3]! &&
        highX >= from[at]! &&
        lowY <= from[at + 4]! &&
        highY >= from[at + 1]! &&
        lowZ <= from[at + 5]! &&
        highZ >= from[at + 2]! &&
        !(isLong && misses(query, from, at))
      ) {
        if (!isLeaf) {
          stack[depth++] = children[2 * node + 1]!;
          node = children[2 * node]!;
          continue;
        }
        found[count++] = node >> 1;
      }
      if (depth === 0) return count;
      node = stack[--depth]!;
    }
  }

  private _fatten(leaf: number): void {
    const { bounds, _boxes: boxes } = this;
    for (let k = 0; k < 3; k++) {
      boxes[6 * leaf + k] = bounds[3 * leaf + k]! - SLACK;
      boxes[6 * leaf + 3 + k] = bounds[3 * leaf + 3 + k]! + SLACK;
    }
  }

  private _release(node: number): void {
    this._children[2 * node] = this._free;
    this._free = node;
  }

  /** Puts `node` where `old` hangs below `parent`. */
  private _replace(parent: number, old: number, node: number): void {
    this._parents[node] = parent;
    if (parent < 0) this._root = node;
    else this._children[2 * parent + (this._children[2 * parent] === old ? 0 : 1)] = node;
  }

  /** Finds the node beside which a leaf adds the least surface to the tree. */
  private _bestSibling(leaf: number): number {
    const { _children: children, _areas: areas } = this;
    let node = this._root;
    while ((node & 1) !== 0) {
      this._unionArea(node, node);
      const own = areas[0]!;
      this._unionArea(node, leaf);
      const joined = areas[0]!;
      // What every node further down adds to this one.
      const inherited = joined - own;
      const first = children[2 * node]!;
      const second = children[2 * node + 1]!;
      this._addedArea(first, leaf);
      const firstCost = areas[0]! + inherited;
      this._addedArea(second, leaf);
      const secondCost = areas[0]! + inherited;
      if (joined < firstCost && joined < secondCost) break;
      node = firstCost < secondCost ? first : second;
    }
    return node;
  }

  /** The least surface that going below `node` adds: a leaf gets a new parent, an inner node grows. */
  private _addedArea(node: number, leaf: number): void {
    this._unionArea(node, node);
    const own = this._areas[0]!;
    this._unionArea(node, leaf);
    if ((node & 1) !== 0) this._areas[0]! -= own;
  }

  /** Half the surface of the box around two nodes, into `_areas[0]`. */
  private _unionArea(a: number, b: number): void {
    const boxes = this._boxes;
    const i = 6 * a;
    const j = 6 * b;
    const x = Math.max(boxes[i + 3]!, boxes[j + 3]!) - Math.min(boxes[i]!, boxes[j]!);
    const y = Math.max(boxes[i + 4]!, boxes[j + 4]!) - Math.min(boxes[i + 1]!, boxes[j + 1]!);
    const z = Math.max(boxes[i + 5]!, boxes[j + 5]!) - Math.min(boxes[i + 2]!, boxes[j + 2]!);
    this._areas[0] = x * y + y * z + z * x;
  }

  /** Recomputes the boxes of a node and all above it, with a rotation at each where that saves surface. */
  private _refit(node: number): void {
    for (; node >= 0; node = this._parents[node]!) {
      this._rotate(node);
      this._join(node);
    }
  }

  private _join(node: number): void {
    const { _boxes: boxes, _children: children } = this;
    const i = 6 * children[2 * node]!;
    const j = 6 * children[2 * node + 1]!;
    for (let k = 0; k < 3; k++) {
      boxes[6 * node + k] = Math.min(boxes[i + k]!, boxes[j + k]!);
      boxes[6 * node + 3 + k] = Math.max(boxes[i + 3 + k]!, boxes[j + 3 + k]!);
    }
    const { _heights: heights } = this;
    heights[node] = Math.max(heights[children[2 * node]!]!, heights[children[2 * node + 1]!]!) + 1;
  }

  /**
   * Swaps a child with a grandchild on the other side if that makes the other child smaller: the best of the four swaps. If one
   * side has far more levels, the child on the other side changes places with the deeper grandchild.
   */
  private _rotate(node: number): void {
    const { _children: children, _heights: heights, _areas: areas } = this;
    const higher = heights[children[2 * node]!]! < heights[children[2 * node + 1]!]! ? 1 : 0;
    const high = children[2 * node + higher]!;
    if (heights[high]! - heights[children[2 * node + 1 - higher]!]! > LOPSIDED) {
      const isFirst = heights[children[2 * high]!]! > heights[children[2 * high + 1]!]!;
      this._swap(node, higher, isFirst ? 0 : 1);
      return;
    }
    let saved = 0;
    let bestSide = -1;
    let bestGrandchild = 0;
    for (let side = 0; side < 2; side++) {
      const child = children[2 * node + side]!;
      if ((child & 1) === 0) continue;
      const other = children[2 * node + 1 - side]!;
      this._unionArea(child, child);
      const own = areas[0]!;
      for (let kept = 0; kept < 2; kept++) {
        this._unionArea(other, children[2 * child + kept]!);
        if (own - areas[0]! <= saved) continue;
        saved = own - areas[0]!;
        bestSide = side;
        bestGrandchild = 1 - kept;
      }
    }
    if (bestSide >= 0) this._swap(node, bestSide, bestGrandchild);
  }

  /** Swaps a grandchild below the child on `side` with the node's other child. */
  private _swap(node: number, side: number, grandchildSide: number): void {
    const { _children: children } = this;
    const child = children[2 * node + side]!;
    const other = children[2 * node + 1 - side]!;
    const grandchild = children[2 * child + grandchildSide]!;
    children[2 * node + 1 - side] = grandchild;
    children[2 * child + grandchildSide] = other;
    this._parents[grandchild] = node;
    this._parents[other] = child;
    this._join(child);
  }
}

/**
 * Whether an axis that is perpendicular to both the move and a side separates a swept box from the box at `at`, where their own
 * axes do not.
 */
function misses(query: TreeQuery, boxes: Float32Array, at: number): boolean {
  const hx = (boxes[at + 3]! - boxes[at]!) * 0.5 + query[T_HALF]!;
  const hy = (boxes[at + 4]! - boxes[at + 1]!) * 0.5 + query[T_HALF + 1]!;
  const hz = (boxes[at + 5]! - boxes[at + 2]!) * 0.5 + query[T_HALF + 2]!;
  const cx = (boxes[at + 3]! + boxes[at]!) * 0.5 - query[T_MIDDLE]!;
  const cy = (boxes[at + 4]! + boxes[at + 1]!) * 0.5 - query[T_MIDDLE + 1]!;
  const cz = (boxes[at + 5]! + boxes[at + 2]!) * 0.5 - query[T_MIDDLE + 2]!;
  const wx = query[T_WAY]!;
  const wy = query[T_WAY + 1]!;
  const wz = query[T_WAY + 2]!;
  const ax = Math.abs(wx);
  const ay = Math.abs(wy);
  const az = Math.abs(wz);
  return (
    Math.abs(cy * wz - cz * wy) > hy * az + hz * ay ||
    Math.abs(cz * wx - cx * wz) > hz * ax + hx * az ||
    Math.abs(cx * wy - cy * wx) > hx * ay + hy * ax
  );
}

/** Longer arrays that begin with what the shorter ones hold. */
export function extended<T extends Float32Array | Float64Array | Int32Array | Uint8Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
