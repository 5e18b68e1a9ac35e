import { between, byAxis, dot, type Point, point, readLeaf } from '@bspkit/brushes/reference';
import type { NodeStep, Recorder, Vec3 } from '@bspkit/core';
import type { Body } from '../kernel/body.ts';
import type { WorldMemory } from '../kernel/memory.ts';
import {
  LINE_HEAD_MODEL,
  LINE_HEAD_ROOT,
  LINE_HEAD_WORDS,
  MODEL_ROOT,
  TILE_LINE_HEADS,
  TILE_TEXTURES,
  TILE_WORDS,
} from '../layout.ts';
import { modelName } from '../levels.ts';
import type { LineQuirks, UfoaiLineTracer } from '../line-tracer.ts';
import type { UfoaiLineTrace } from '../trace.ts';
import type { TreeRecorder } from './box.ts';
import {
  cubeOf,
  engineReachOf,
  enterModel,
  leaveModel,
  prepareMove,
  prepareSize,
  reachOf,
  type Shift,
} from './prepare.ts';
import { firstNumbers, nothingIn, readLineNode, type TileFound, tileRange, traceTileTree } from './tree.ts';

// Line traces as the wiki page describes them, written out recursively over the trees of the file, without pruning, bounds or
// other shortcuts, and with the engine's rules where the page says nothing. Slow.

const f = Math.fround;

/** Contents of a leaf that stops lines, unless it is passable too. */
const BLOCKING = 0x1 | 0x10000 | 0x80000 | 0x2000000;
const PASSABLE = 0x20000;

/** The line test, and the trace with a place of impact. */
interface LineReference {
  readonly blocked: boolean;
  readonly trace: UfoaiLineTrace;
}

/** A plane that a line crossed, facing the way the line came from. */
interface Crossing {
  readonly normal: Point;
  readonly dist: number;
}

interface Piece {
  readonly start: Point;
  readonly end: Point;
  readonly from: number;
  readonly to: number;
  /** What the piece came in through; `undefined` at the start of the line. */
  readonly crossing: Crossing | undefined;
}

/** Where a piece entered what blocks. */
interface Hit {
  readonly at: Point;
  readonly crossing: Crossing | undefined;
}

/** A node as lines see it: a node of the file, with unions turned into what the engine makes of them. */
interface LineNode {
  readonly number: number;
  /** 0 to 2 axial, 3 any other, 6 a union whose children are both walked. */
  readonly type: number;
  readonly normal: Point;
  readonly dist: number;
  readonly front: number;
  readonly back: number;
}

/** Answers a line from what was requested of the tracer. Only the walks for the place of impact are recorded. */
export function referenceLine(
  tracer: UfoaiLineTracer,
  givenStart: Vec3,
  givenEnd: Vec3,
  record: Recorder,
  enterTree: TreeRecorder,
): LineReference {
  const [start, end] = [point(givenStart), point(givenEnd)];
  return {
    blocked: isBlocked(tracer, start, end),
    trace: traceLine(tracer, start, end, record, enterTree),
  };
}

function isBlocked(tracer: UfoaiLineTracer, start: Point, end: Point): boolean {
  const { _memory: memory, _target: target, _quirks: quirks } = tracer;
  const whole: Piece = { start, end, from: 0, to: 1, crossing: undefined };
  for (let tile = 0; tile < memory.places.tiles.count; tile++) {
    for (const { model, root } of tileHeads(memory, tile)) {
      if (!isSelected(tracer, model)) continue;
      const walk = new LineWalk(memory, tile, undefined);
      if (root < 0 ? walk.phantom(whole) : walk.walk(root, whole, 0)) return true;
    }
  }
  return target.bodies.some((body) => {
    if (misses(memory, body, start, end, quirks)) return false;
    const shift = target.engineBodies ? 'engine' : 'own frame';
    const found = traceBody(memory, body, shift, SIGHT, 1, start, end, true);
    return found.startSolid || found.fraction < 1;
  });
}

function traceLine(
  tracer: UfoaiLineTracer,
  start: Point,
  end: Point,
  record: Recorder,
  enterTree: TreeRecorder,
): UfoaiLineTrace {
  const { _memory: memory, _target: target, _quirks: quirks } = tracer;
  const whole: Piece = { start, end, from: 0, to: 1, crossing: undefined };
  let best: (Hit & { tile: number; model: number }) | undefined;
  for (let tile = 0; tile < memory.places.tiles.count; tile++) {
    let nearest: typeof best;
    for (const { model, root } of tileHeads(memory, tile)) {
      const isPhantom = root < 0;
      const all = quirks.maskIgnored && (!isPhantom || quirks.phantomHeads);
      if (!all && !isSelected(tracer, model)) continue;
      // A phantom's walk is the world's, whatever model has left it.
      enterTree(tile, modelName(model), 0);
      const walk = new LineWalk(memory, tile, record);
      const hit = isPhantom ? walk.phantom(whole) : walk.walk(root, whole, 0);
      if (hit && length(start, hit.at) < length(start, nearest?.at ?? end)) nearest = { ...hit, tile, model };
    }
    if (!nearest || !differ(nearest.at, end)) continue;
    if (length(start, nearest.at) < length(start, best?.at ?? end)) best = nearest;
  }
  const blocked = best !== undefined && differ(best.at, end);
  const hit = best?.at ?? end;
  const crossing = blocked ? best!.crossing : undefined;
  const answer: UfoaiLineTrace = {
    fraction: blocked ? fractionOf(start, end, hit) : 1,
    endPos: Float32Array.from(hit),
    normal: Float32Array.from(crossing?.normal ?? [0, 0, 0]),
    dist: crossing?.dist ?? 0,
    startSolid: best !== undefined && best.crossing === undefined,
    allSolid: false,
    contents: 0,
    surfaceFlags: 0,
    model: blocked ? 0 : -1,
    brush: -1,
    side: -1,
    texture: -1,
    patch: -1,
    plane: -1,
    blocked,
    tile: blocked ? best!.tile : -1,
    level: blocked ? best!.model : -1,
  };
  return target.engineBodies
    ? throughBodiesAsEngine(tracer, start, end, answer)
    : throughBodies(tracer, start, end, answer);
}

/** Models in order, each up to the nearest hit so far. */
function throughBodies(
  { _memory: memory, _target: { bodies }, _quirks: quirks }: UfoaiLineTracer,
  start: Point,
  end: Point,
  world: UfoaiLineTrace,
): UfoaiLineTrace {
  let answer = world;
  for (const body of bodies) {
    if (misses(memory, body, start, end, quirks)) continue;
    const hit = point(answer.endPos);
    const found = traceBody(memory, body, 'own frame', SIGHT, 1, start, hit, true);
    if (found.startSolid || found.fraction < 1) answer = bodyAnswer(memory, found, start, hit, end);
    if (found.startSolid) break;
  }
  return answer;
}

/**
 * The same as in the engine: any contents, no shift, and fractions of ever shorter lines compared as if they were of the same
 * line.
 */
function throughBodiesAsEngine(
  { _memory: memory, _target: { bodies }, _quirks: quirks }: UfoaiLineTracer,
  start: Point,
  end: Point,
  world: UfoaiLineTrace,
): UfoaiLineTrace {
  let answer = world;
  let last = 2;
  for (const body of bodies) {
    if (misses(memory, body, start, end, quirks)) continue;
    const hit = point(answer.endPos);
    const found = traceBody(memory, body, 'none', -1, last, start, hit, false);
    if (found.startSolid || found.fraction < last) answer = bodyAnswer(memory, found, start, hit, end);
    if (found.startSolid) break;
    last = Math.min(last, found.fraction);
  }
  return answer;
}

function bodyAnswer(
  { ints, places }: WorldMemory,
  found: TileFound,
  start: Point,
  hit: Point,
  end: Point,
): UfoaiLineTrace {
  const { startSolid, side, brush, tile } = found;
  const at = startSolid ? start : between(start, hit, found.fraction);
  const texture = side ? Math.max(-1, side.texture) : -1;
  const flags = ints[places.tiles.first + TILE_WORDS * tile + TILE_TEXTURES]!;
  return {
    fraction: fractionOf(start, end, at),
    endPos: Float32Array.from(at),
    normal: Float32Array.from(found.normal),
    dist: found.dist,
    startSolid,
    allSolid: false,
    contents: found.contents,
    surfaceFlags: texture < 0 ? 0 : ints[flags + texture]!,
    model: found.model,
    brush: brush?.number ?? -1,
    side: side?.number ?? -1,
    texture,
    patch: -1,
    plane: side?.plane ?? -1,
    blocked: true,
    tile,
    level: -1,
  };
}

/** Solid and water stop lines at models. */
const SIGHT = 0x21;

function traceBody(
  memory: WorldMemory,
  body: Body,
  shift: Shift,
  mask: number,
  limit: number,
  start: Point,
  end: Point,
  exact: boolean,
): TileFound {
  const size = prepareSize([0, 0, 0], [0, 0, 0]);
  const move = prepareMove(size, ...enterModel(memory, body, shift, [start, end]));
  const found = { ...nothingIn(Math.min(limit, 1)), tile: body.tile, model: body.number };
  const root = memory.ints[body.place + MODEL_ROOT]!;
  const query = { size, move, mask, reject: 0, record: () => {} };
  if (root >= 0) traceTileTree(memory, body.tile, root, query, found);
  if (found.fraction !== 1) found.normal = leaveModel(body, found.normal, exact);
  return found;
}

/** Whether a line is entirely beyond one side of a model's reach. */
function misses(memory: WorldMemory, body: Body, start: Point, end: Point, quirks: LineQuirks): boolean {
  const { mins, maxs } = quirks.cubes
    ? cubeOf(memory, body)
    : quirks.entities
      ? engineReachOf(memory, body)
      : reachOf(memory, body);
  return [0, 1, 2].some(
    (k) => (start[k]! < mins[k]! && end[k]! < mins[k]!) || (start[k]! > maxs[k]! && end[k]! > maxs[k]!),
  );
}

/**
 * The engine's rules for a line head of a model. Without its oddities, phantoms are left out, clips need no level, and light clip
 * can be selected.
 */
function isSelected(
  { _filter: { mask, lightClip }, _quirks: quirks }: UfoaiLineTracer,
  model: number,
): boolean {
  const levelMissing = model !== 0 && (mask & 255) !== 0 && (model & mask & 255) === 0;
  if (model === 256) return lightClip;
  if (model === 257 || model === 258) {
    const bit = model === 257 ? 0x200 : 0x100;
    return (mask & bit) !== 0 && !(quirks.maskBits && levelMissing);
  }
  return !levelMissing && (model < 259 || quirks.phantomHeads === true);
}

function tileHeads(memory: WorldMemory, tile: number): { model: number; root: number }[] {
  const { ints, places } = memory;
  return tileRange(memory, tile, TILE_LINE_HEADS).map((head) => {
    const at = places.lineHeads.first + LINE_HEAD_WORDS * head;
    return { model: ints[at + LINE_HEAD_MODEL]!, root: ints[at + LINE_HEAD_ROOT]! };
  });
}

class LineWalk {
  private readonly _memory: WorldMemory;
  private readonly _tile: number;
  private readonly _record: Recorder | undefined;

  constructor(memory: WorldMemory, tile: number, record: Recorder | undefined) {
    this._memory = memory;
    this._tile = tile;
    this._record = record;
  }

  /** The zero record that inline models leave: x = 0 splits the tile's first tree from itself. */
  phantom(piece: Piece): Hit | undefined {
    const root = tileHeads(this._memory, this._tile).find((head) => head.root >= 0)?.root;
    if (root === undefined) return undefined;
    const node = { number: -1, type: 0, normal: [1, 0, 0] as const, dist: 0, front: root, back: root };
    return this._visit(node, piece, 0);
  }

  /** The first place on the piece where something below a child blocks. */
  walk(child: number, piece: Piece, depth: number): Hit | undefined {
    if (child >= 0) return this._visit(this._node(child), piece, depth);
    const { number, contents } = readLeaf(this._memory, firstNumbers(this._memory, this._tile), -1 - child);
    const { from: startFraction, to: endFraction } = piece;
    this._record?.({ kind: 'leaf', leaf: number, depth, contents, startFraction, endFraction });
    const blocks = (contents & BLOCKING) !== 0 && (contents & PASSABLE) === 0;
    return blocks ? { at: piece.start, crossing: piece.crossing } : undefined;
  }

  private _node(child: number): LineNode {
    const { number, type, normal, dist, children, union } = readLineNode(this._memory, this._tile, child);
    const [first, second] = children;
    if (union === undefined || union < 0) return { number, type, normal, dist, front: first, back: second };
    // The second child of a union that splits lies in front.
    const facing: Point = union === 0 ? [1, 0, 0] : [0, 1, 0];
    return { number, type: union, normal: facing, dist, front: second, back: first };
  }

  private _visit(node: LineNode, piece: Piece, depth: number): Hit | undefined {
    const { start, end, from, to } = piece;
    const { type, normal, dist, front, back } = node;
    const height = (end: Point): number => f((type < 3 ? end[type]! : dot(end, normal)) - dist);
    const [startDist, endDist] = [height(start), height(end)];
    const shown = (children: (0 | 1)[]): NodeStep => ({
      kind: 'node',
      node: node.number,
      depth,
      normal,
      dist,
      start,
      end,
      startFraction: from,
      endFraction: to,
      startDist,
      endDist,
      offset: 0,
      children,
    });
    if (type === 6) {
      this._record?.(shown([0, 1]));
      const first = this.walk(front, piece, depth + 1);
      const second = this.walk(back, piece, depth + 1);
      if (first && second) return length(start, first.at) < length(start, second.at) ? first : second;
      return first ?? second;
    }
    if (startDist >= -0.1 && endDist >= -0.1) {
      this._record?.(shown([0]));
      return this.walk(front, piece, depth + 1);
    }
    if (startDist < 0.1 && endDist < 0.1) {
      this._record?.(shown([1]));
      return this.walk(back, piece, depth + 1);
    }
    const side = startDist < 0 ? 1 : 0;
    const t = f(startDist / f(startDist - endDist));
    // Not by a spread, which takes V8 many times as long: there are many steps.
    this._record?.(Object.assign(shown(side === 0 ? [0, 1] : [1, 0]), { split: { near: t, far: t } }));
    const middle = between(start, end, t);
    const along = from + (to - from) * t;
    const sign = side === 0 ? 1 : -1;
    const facing = type < 3 ? byAxis((k) => (k === type ? sign : 0)) : byAxis((k) => sign * normal[k]!);
    const crossing = { normal: facing, dist: sign * dist };
    const [nearChild, farChild] = side === 0 ? [front, back] : [back, front];
    return (
      this.walk(nearChild, { start, end: middle, from, to: along, crossing: piece.crossing }, depth + 1) ??
      this.walk(farChild, { start: middle, end, from: along, to, crossing }, depth + 1)
    );
  }
}

function length(a: Point, b: Point): number {
  const [x, y, z] = [f(a[0] - b[0]), f(a[1] - b[1]), f(a[2] - b[2])];
  return f(Math.sqrt(f(f(f(x * x) + f(y * y)) + f(z * z))));
}

/** Whether a hit is far enough from the end to count. */
function differ(a: Point, b: Point): boolean {
  return [0, 1, 2].some((k) => Math.abs(f(a[k]! - b[k]!)) > f(0.001));
}

/** Below 1, since the engine says that the line was stopped. */
function fractionOf(start: Point, end: Point, at: Point): number {
  const square = (a: Point, b: Point): number => {
    const [x, y, z] = [a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!];
    return x * x + y * y + z * z;
  };
  const whole = square(end, start);
  return whole > 0 ? Math.min(f(Math.sqrt(square(at, start) / whole)), 1 - 2 ** -24) : 0;
}
