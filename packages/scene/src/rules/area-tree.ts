import type { Bounds } from '@bspkit/core';
import { checkBounds } from '@bspkit/core/format';
import type { Bodies } from '../bodies.ts';
import type { Query } from '../query.ts';
import { sortBodies } from '../sort.ts';
import { extended } from '../tree.ts';
import { type BodyOrder, keepMet } from './boxes.ts';

const f = Math.fround;

/** Levels of splits below the root. */
const DEPTH = 4;
const NODES = 2 ** (DEPTH + 1) - 1;

/** More than there are links: the counter of changes stays below this for as long as anyone plays. */
const NODE_KEYS = 2 ** 46;

/**
 * The order in which the engines ask bodies. They keep entities in a fixed tree over the world's x and y, each at the first node
 * whose plane its box touches, in a list by when it was linked. A move takes a node's own entities, then those of its upper half,
 * then those of its lower half. Nodes are numbered in that order here, so no tree has to be walked: the bodies that a move comes
 * near are found elsewhere, and sorted by node and link.
 */
export class AreaTree implements BodyOrder {
  /** Boxes of the bodies as they were linked. */
  boxes: Float32Array = new Float32Array(0);
  private readonly _bodies: Bodies;
  private readonly _latestFirst: boolean;
  /** By node: the axis of its plane, 0 or 1, and the plane's coordinate. */
  private readonly _axes: Uint8Array = new Uint8Array(NODES);
  private readonly _splits: Float32Array = new Float32Array(NODES);
  /** By body: lower for those that are asked earlier. */
  keys: Float64Array = new Float64Array(0);
  /** The box around a move. */
  private readonly _move: Float32Array = new Float32Array(6);

  /**
   * @param latestFirst - whether, within a node, what was linked last is asked first.
   * @param bounds - what is split, if not the world's bounds.
   * @throws TypeError when the world has no bounds, RangeError for a number in them that is out of range.
   */
  constructor(bodies: Bodies, latestFirst: boolean, bounds: Bounds | undefined = bodies.world?.bounds) {
    this._bodies = bodies;
    this._latestFirst = latestFirst;
    if (!bounds) throw new TypeError("rules with the order of an engine's tree need a world that has bounds");
    const { mins, maxs } = bounds;
    checkBounds(mins, maxs);
    this._split(0, 0, f(mins[0]!), f(mins[1]!), f(maxs[0]!), f(maxs[1]!));
  }

  grow(capacity: number): void {
    this.boxes = extended(this.boxes, new Float32Array(6 * capacity));
    this.keys = extended(this.keys, new Float64Array(capacity));
  }

  /** Links a body with its box in `boxes`, before or after everything that was linked earlier. */
  link(body: number): void {
    const { boxes, _axes: axes, _splits: splits } = this;
    let node = 0;
    for (let level = 0; level < DEPTH; level++) {
      const at = 6 * body + axes[node]!;
      if (boxes[at]! > splits[node]!) node = upperHalf(node);
      else if (boxes[at + 3]! < splits[node]!) node = lowerHalf(node, level);
      else break;
    }
    const link = this._bodies.changes[body]!;
    this.keys[body] = node * NODE_KEYS + (this._latestFirst ? NODE_KEYS - link : link);
  }

  order(query: Query, near: number, box: Float32Array): number {
    const count = keepMet(query, near, box, this.boxes, this._move);
    sortBodies(query.found, count, this.keys);
    return count;
  }

  /** Splits a node's box along the longer of x and y; along x only if it is strictly longer. */
  private _split(node: number, level: number, x0: number, y0: number, x1: number, y1: number): void {
    if (level === DEPTH) return;
    const isX = f(x1 - x0) > f(y1 - y0);
    const at = f(0.5 * (isX ? f(x1 + x0) : f(y1 + y0)));
    this._axes[node] = isX ? 0 : 1;
    this._splits[node] = at;
    this._split(upperHalf(node), level + 1, isX ? at : x0, isX ? y0 : at, x1, y1);
    this._split(lowerHalf(node, level), level + 1, x0, y0, isX ? at : x1, isX ? y1 : at);
  }
}

/** The child above a node's plane: it and everything below it are numbered before the other child. */
const upperHalf = (node: number): number => node + 1;

/** The child below the plane of a node, which is on the given level. */
const lowerHalf = (node: number, level: number): number => node + 2 ** (DEPTH - level);
