import type { Recorder, StepVec } from '@bspkit/core';
import { blocksLines } from './build-lines.ts';
import { REGULAR_MODELS } from './constants.ts';
import type { WorldMemory } from './kernel.ts';
import { SECTIONS, TILE_LEAFS, TILE_LINE_HEADS, TILE_NODES } from './layout.ts';
import { type HeadFilter, passesFilter } from './line-heads.ts';

// Line traces as the wiki page tells them, written out recursively over the trees of the file, without pruning, bounds
// or any other shortcut, with the engine's rules where the page is silent. Slow. The kernels are tested against it, and
// its recorded steps are what `explain` gives.

const f = Math.fround;

/** What the literal algorithm answers for a line. */
export interface ReferenceLine {
  /** The line test. */
  readonly blocked: boolean;
  /** The variant with a place of impact: whether it counts as blocked, and the place. */
  readonly hitBlocked: boolean;
  readonly hit: StepVec;
}

/** Told when a head is taken up, before the steps in its tree. */
export type HeadRecorder = (tile: number, level: number) => void;

type Point = StepVec;

/** A node as lines meet it: file nodes, with unions turned into what the engine makes of them. */
interface Node {
  readonly number: number;
  /** 0 to 2 axial, 3 any other, 6 a union that both children are walked of. */
  readonly type: number;
  readonly normal: Point;
  readonly dist: number;
  readonly front: number;
  readonly back: number;
}

interface Piece {
  readonly start: Point;
  readonly end: Point;
  readonly from: number;
  readonly to: number;
}

/** Traces a line through the heads that each filter lets through. Only the second walk, for the place, is recorded. */
export function referenceLine(
  memory: WorldMemory,
  blockedFilter: HeadFilter,
  hitFilter: HeadFilter,
  start: Point,
  end: Point,
  record: Recorder,
  recordHead: HeadRecorder,
): ReferenceLine {
  const whole: Piece = { start, end, from: 0, to: 1 };
  let blocked = false;
  let hit = end;
  for (let tile = 0; tile < memory.places.tiles.count; tile++) {
    let tileHit = end;
    for (const head of tileHeads(memory, tile)) {
      if (passesFilter(head.level, blockedFilter)) {
        const walk = new LineWalk(memory, tile, undefined);
        blocked ||=
          head.root < 0 ? walk.phantom(whole) !== undefined : walk.walk(head.root, whole, 0) !== undefined;
      }
      if (!passesFilter(head.level, hitFilter)) continue;
      recordHead(tile, head.level);
      const walk = new LineWalk(memory, tile, record);
      const found = head.root < 0 ? walk.phantom(whole) : walk.walk(head.root, whole, 0);
      if (found && length(start, found) < length(start, tileHit)) tileHit = found;
    }
    if (differ(tileHit, end) && length(start, tileHit) < length(start, hit)) hit = tileHit;
  }
  return { blocked, hitBlocked: differ(hit, end), hit };
}

function tileHeads({ ints, places }: WorldMemory, tile: number): { level: number; root: number }[] {
  const range = places.tiles.first + SECTIONS.tiles * tile + TILE_LINE_HEADS;
  return Array.from({ length: ints[range + 1]! }, (_, k) => {
    const at = places.lineHeads.first + SECTIONS.lineHeads * (ints[range]! + k);
    return { level: ints[at]!, root: ints[at + 11]! };
  });
}

class LineWalk {
  private readonly _memory: WorldMemory;
  private readonly _tile: number;
  private readonly _record: Recorder | undefined;

  constructor(memory: WorldMemory, tile: number, record: Recorder | undefined) {
    this._memory = memory;
    this._tile = memory.places.tiles.first + SECTIONS.tiles * tile;
    this._record = record;
    this._firstRoot = tileHeads(memory, tile).find((head) => head.level < REGULAR_MODELS)?.root;
  }

  private readonly _firstRoot: number | undefined;

  /** The zero record that inline models leave: x = 0 splits the tile's first tree from itself. */
  phantom(piece: Piece): Point | undefined {
    const root = this._firstRoot;
    if (root === undefined) return undefined;
    const node = { number: -1, type: 0, normal: [1, 0, 0] as const, dist: 0, front: root, back: root };
    return this._visit(node, piece, 0);
  }

  /** The first place on the piece where something below a child blocks. */
  walk(child: number, piece: Piece, depth: number): Point | undefined {
    const { ints, places } = this._memory;
    if (child >= 0) return this._visit(this._node(child), piece, depth);
    const contents = ints[places.leafs.first + SECTIONS.leafs * (-1 - child)]!;
    const leaf = -1 - child - ints[this._tile + TILE_LEAFS]!;
    this._record?.({ kind: 'leaf', leaf, depth, contents, startFraction: piece.from, endFraction: piece.to });
    return blocksLines(contents) ? piece.start : undefined;
  }

  private _node(number: number): Node {
    const { ints, floats, places } = this._memory;
    const at = places.nodes.first + SECTIONS.nodes * number;
    const kind = ints[at]! & 15;
    const shown = { number, dist: floats[at + 1]! };
    const [first, second] = [ints[at + 2]!, ints[at + 3]!];
    if (kind === 6) return { ...shown, type: 6, normal: [0, 0, 0], front: first, back: second };
    if (kind === 4) return { ...shown, type: 0, normal: [1, 0, 0], front: second, back: first };
    if (kind === 5) return { ...shown, type: 1, normal: [0, 1, 0], front: second, back: first };
    const plane = places.planes.first + SECTIONS.planes * (ints[at]! >>> 4);
    const normal = [floats[plane]!, floats[plane + 1]!, floats[plane + 2]!] as const;
    return { ...shown, type: kind, normal, front: first, back: second };
  }

  private _visit(node: Node, piece: Piece, depth: number): Point | undefined {
    const { start, end } = piece;
    const startDist = f(this._height(node, start) - node.dist);
    const endDist = f(this._height(node, end) - node.dist);
    const show = (children: (0 | 1)[], t?: number): void => {
      this._record?.({
        kind: 'node',
        node: node.number < 0 ? -1 : node.number - this._memory.ints[this._tile + TILE_NODES]!,
        depth,
        normal: node.normal,
        dist: node.dist,
        start,
        end,
        startFraction: piece.from,
        endFraction: piece.to,
        startDist,
        endDist,
        offset: 0,
        children,
        ...(t === undefined ? {} : { split: { near: t, far: t } }),
      });
    };
    if (node.type === 6) {
      show([0, 1]);
      const first = this.walk(node.front, piece, depth + 1);
      const second = this.walk(node.back, piece, depth + 1);
      if (first && second) return length(start, first) < length(start, second) ? first : second;
      return first ?? second;
    }
    if (startDist >= -0.1 && endDist >= -0.1) {
      show([0]);
      return this.walk(node.front, piece, depth + 1);
    }
    if (startDist < 0.1 && endDist < 0.1) {
      show([1]);
      return this.walk(node.back, piece, depth + 1);
    }
    const side = startDist < 0 ? 1 : 0;
    const t = f(startDist / f(startDist - endDist));
    show(side === 0 ? [0, 1] : [1, 0], t);
    const middle = [0, 1, 2].map((k) => f(start[k]! + f(t * f(end[k]! - start[k]!)))) as unknown as Point;
    const along = piece.from + (piece.to - piece.from) * t;
    const near = { start, end: middle, from: piece.from, to: along };
    const far = { start: middle, end, from: along, to: piece.to };
    const [nearChild, farChild] = side === 0 ? [node.front, node.back] : [node.back, node.front];
    return this.walk(nearChild, near, depth + 1) ?? this.walk(farChild, far, depth + 1);
  }

  private _height({ type, normal }: Node, point: Point): number {
    if (type < 3) return point[type]!;
    return f(f(f(point[0] * normal[0]) + f(point[1] * normal[1])) + f(point[2] * normal[2]));
  }
}

function length(a: Point, b: Point): number {
  const [x, y, z] = [f(a[0] - b[0]), f(a[1] - b[1]), f(a[2] - b[2])];
  return f(Math.sqrt(f(f(f(x * x) + f(y * y)) + f(z * z))));
}

function differ(a: Point, b: Point): boolean {
  return [0, 1, 2].some((k) => Math.abs(f(a[k]! - b[k]!)) > f(0.001));
}
