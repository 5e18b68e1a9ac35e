/** Nodes with at most this many points are not divided. */
const FEW = 8;

/** Numbers that are kept per node: its first point, the one after its last, and its children's number, 0 for none. */
const NODE = 3;

/**
 * Points in space, each different from the others, to find those along a line. Nodes are halved where their points are, so that
 * it takes no longer where these are crowded.
 */
export class PointTree {
  private readonly _points: Float64Array;
  /** The points' numbers, those of each node together. */
  private readonly _order: Int32Array;
  private readonly _nodes: number[] = [];
  /** Six numbers per node. */
  private readonly _bounds: number[] = [];
  private readonly _pending: number[] = [];

  /** @param points - three numbers each. */
  constructor(points: Float64Array) {
    this._points = points;
    this._order = Int32Array.from({ length: points.length / 3 }, (_, k) => k);
    if (points.length === 0) return;
    this._add(0, this._order.length);
    for (let node = 0; NODE * node < this._nodes.length; node++) this._divide(node);
  }

  /**
   * Visits the points that are closer than `distance` to the line between two of them, and farther than that from both ends. For
   * the same two in the other order, the same points are visited.
   */
  visitBetween(
    one: number,
    other: number,
    distance: number,
    visit: (point: number, along: number) => void,
  ): void {
    const { _points: points, _order: order, _nodes: nodes, _pending: pending } = this;
    const from = 3 * Math.min(one, other);
    const to = 3 * Math.max(one, other);
    const [x, y, z] = [points[from]!, points[from + 1]!, points[from + 2]!];
    const [dx, dy, dz] = [points[to]! - x, points[to + 1]! - y, points[to + 2]! - z];
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
    if (!(length > 2 * distance)) return;
    pending.push(0);
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      if (!this._isCrossed(node, x, y, z, dx, dy, dz, distance)) continue;
      const children = nodes[NODE * node + 2]!;
      if (children > 0) {
        pending.push(children, children + 1);
        continue;
      }
      for (let k = nodes[NODE * node]!; k < nodes[NODE * node + 1]!; k++) {
        const at = 3 * order[k]!;
        const [px, py, pz] = [points[at]! - x, points[at + 1]! - y, points[at + 2]! - z];
        const part = (px * dx + py * dy + pz * dz) / (length * length);
        const along = part * length;
        if (!(along > distance && along < length - distance)) continue;
        const [ax, ay, az] = [px - part * dx, py - part * dy, pz - part * dz];
        if (ax * ax + ay * ay + az * az < distance * distance) visit(order[k]!, along);
      }
    }
  }

  /** Whether a line comes within some distance of a node's bounds, or almost does. */
  private _isCrossed(
    node: number,
    x: number,
    y: number,
    z: number,
    dx: number,
    dy: number,
    dz: number,
    distance: number,
  ): boolean {
    const bounds = this._bounds;
    let enter = 0;
    let leave = 1;
    for (let k = 0; k < 3; k++) {
      const start = k === 0 ? x : k === 1 ? y : z;
      const way = k === 0 ? dx : k === 1 ? dy : dz;
      const low = bounds[6 * node + k]! - distance - start;
      const high = bounds[6 * node + k + 3]! + distance - start;
      if (way === 0) {
        if (low > 0 || high < 0) return false;
        continue;
      }
      enter = Math.max(enter, Math.min(low / way, high / way));
      leave = Math.min(leave, Math.max(low / way, high / way));
    }
    return enter <= leave;
  }

  private _add(from: number, to: number): void {
    const { _points: points, _order: order } = this;
    const bounds = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
    for (let i = from; i < to; i++) {
      for (let k = 0; k < 3; k++) {
        const value = points[3 * order[i]! + k]!;
        if (value < bounds[k]!) bounds[k] = value;
        if (value > bounds[k + 3]!) bounds[k + 3] = value;
      }
    }
    this._nodes.push(from, to, 0);
    this._bounds.push(...bounds);
  }

  /** Halves a node across its longest side. Both halves have points, as both ends of that side do. */
  private _divide(node: number): void {
    const { _points: points, _order: order, _nodes: nodes, _bounds: bounds } = this;
    const from = nodes[NODE * node]!;
    const to = nodes[NODE * node + 1]!;
    if (to - from <= FEW) return;
    const sizeOf = (k: number): number => bounds[6 * node + k + 3]! - bounds[6 * node + k]!;
    const axis = sizeOf(0) >= sizeOf(1) && sizeOf(0) >= sizeOf(2) ? 0 : sizeOf(1) >= sizeOf(2) ? 1 : 2;
    const middle = bounds[6 * node + axis]! + sizeOf(axis) / 2;
    let low = from;
    let high = to - 1;
    while (low <= high) {
      if (points[3 * order[low]! + axis]! < middle) {
        low++;
        continue;
      }
      const moved = order[low]!;
      order[low] = order[high]!;
      order[high--] = moved;
    }
    nodes[NODE * node + 2] = nodes.length / NODE;
    this._add(from, low);
    this._add(low, to);
  }
}
