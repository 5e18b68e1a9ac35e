import {
  LINE_BLOCKED,
  LINE_BOX,
  LINE_BOX_WORDS,
  LINE_CULL_LIMIT,
  LINE_HEAD_KEY,
  LINE_HEAD_TREE,
  LINE_HEAD_WORDS,
  LINE_OBLIQUE,
  LINE_OPEN,
  TILE_LINE_HEADS,
  TILE_LINE_MINS,
  TILE_WORDS,
} from '../layout.ts';
import { isPhantom } from '../selection.ts';
import {
  A_CROSSING,
  A_HEAD,
  A_HEAD_CROSSING,
  L_END,
  L_HEAD_HIT,
  L_HIGH,
  L_HIT,
  L_LOW,
  L_REACH,
  L_ROOM,
  L_SLACK,
  L_START,
  L_TILE_HIT,
  LINE_FRAME_FLOATS,
  LINE_FRAME_INTS,
  type WorldMemory,
} from './memory.ts';

const f = Math.fround;

/**
 * The engine compares a float32 distance with 0.1 and -0.1 in double. This is the midpoint between the float32 below 0.1 and the
 * one above, which rounds to the one below; so `x <= SIDE` is `fround(x) < 0.1`, and `x >= -SIDE` is `fround(x) >= -0.1`, without
 * the rounding.
 */
const SIDE = 0.09999999776482582;
/** A hit this close to the end on every axis does not count. */
const AT_END = f(0.001);
/** What a frame of {@link walkTree}'s stack stands for; its comment has the whole table. */
const FAR = 0; // the far piece of a split waits
const SECOND = 1; // the second child of a union waits
const JOIN = 2; // the second child is being walked, the first one's hit waits

/** Whether both ends of the line are close enough for the bounds in the trees to hold. */
function canCull({ line }: WorldMemory): boolean {
  for (let k = 0; k < 6; k++) if (!(Math.abs(line[L_START + k]!) < LINE_CULL_LIMIT)) return false;
  return true;
}

/**
 * Traces the line in `memory.line` through the selected trees, and returns whether it is blocked.
 *
 * Without `place` (the wiki's line trace) all that matters is whether any blocking leaf is reached, so what cannot be reached is
 * skipped.
 *
 * With `place` (the engine's DM variant) it finds where the line is stopped, and writes that into `line` at `L_HIT`; `lineAnswer`
 * gets the head and the plane. A tile's answer is the nearest of its heads' hits, the world's is the nearest of its tiles'; of
 * equally near ones, the first counts. So what is certainly farther than the best hit so far can be skipped too.
 */
export function walkTrees(memory: WorldMemory, selection: number, place: boolean): boolean {
  const { ints, floats, places, line, lineAnswer } = memory;
  const cull = canCull(memory);
  copyPoint(line, L_END, L_HIT);
  lineAnswer[A_HEAD] = -1;
  lineAnswer[A_CROSSING] = -1;
  if (!cull) line[L_ROOM] = Infinity;
  else if (place) line[L_ROOM] = line[L_SLACK]!;
  else line[L_ROOM] = 0;
  boundLine(line, L_END, place);
  for (let tile = 0; tile < places.tiles.count; tile++) {
    const tileAt = places.tiles.first + TILE_WORDS * tile;
    if (isBeyond(floats, tileAt + TILE_LINE_MINS, line)) continue;
    if (place) copyPoint(line, L_END, L_TILE_HIT);
    const first = places.lineHeads.first + LINE_HEAD_WORDS * ints[tileAt + TILE_LINE_HEADS]!;
    const end = first + LINE_HEAD_WORDS * ints[tileAt + TILE_LINE_HEADS + 1]!;
    let tileHead = -1;
    let crossing = -1;
    for (let head = first; head < end; head += LINE_HEAD_WORDS) {
      const key = ints[head + LINE_HEAD_KEY]!;
      const root = ints[head + LINE_HEAD_TREE]!;
      if ((key & selection) === 0 || root === LINE_OPEN) continue;
      const phantom = isPhantom(key);
      // A phantom walks the tile's first tree; if the line does not straddle x = 0, exactly as that tree's own head does.
      if (phantom && (ints[first + LINE_HEAD_KEY]! & selection) !== 0 && !straddlesZero(line)) break;
      if (!isBeyond(floats, root + 1, line) && walkTree(memory, root, cull, place)) {
        if (!place) return true;
        if (isNearer(line, L_HEAD_HIT, L_TILE_HIT)) {
          copyPoint(line, L_HEAD_HIT, L_TILE_HIT);
          tileHead = head;
          crossing = lineAnswer[A_HEAD_CROSSING]!;
        }
      }
      // All phantoms of a tile walk the same way, so the first stands for the others.
      if (phantom) break;
    }
    if (tileHead >= 0 && !isAtEnd(line, L_TILE_HIT) && isNearer(line, L_TILE_HIT, L_HIT)) {
      copyPoint(line, L_TILE_HIT, L_HIT);
      lineAnswer[A_HEAD] = (tileHead - places.lineHeads.first) / LINE_HEAD_WORDS;
      lineAnswer[A_CROSSING] = crossing;
    }
  }
  return place && !isAtEnd(line, L_HIT);
}

function straddlesZero(line: Float64Array): boolean {
  const a = line[L_START]!;
  const b = line[L_END]!;
  return !((a >= -SIDE && b >= -SIDE) || (a <= SIDE && b <= SIDE));
}

function copyPoint(line: Float64Array, from: number, to: number): void {
  line[to] = line[from]!;
  line[to + 1] = line[from + 1]!;
  line[to + 2] = line[from + 2]!;
}

/** Whether the point at `a` is strictly nearer to the start than the one at `b`, by rounded lengths. */
function isNearer(line: Float64Array, a: number, b: number): boolean {
  const ax = f(line[L_START]! - line[a]!);
  const ay = f(line[L_START + 1]! - line[a + 1]!);
  const az = f(line[L_START + 2]! - line[a + 2]!);
  const bx = f(line[L_START]! - line[b]!);
  const by = f(line[L_START + 1]! - line[b + 1]!);
  const bz = f(line[L_START + 2]! - line[b + 2]!);
  const length = f(Math.sqrt(f(f(f(ax * ax) + f(ay * ay)) + f(az * az))));
  return length < f(Math.sqrt(f(f(f(bx * bx) + f(by * by)) + f(bz * bz))));
}

/**
 * Bounds the line up to a point: the box that trees are compared with, and how far from the start a piece may begin and still
 * matter, both with the room in `L_ROOM`; for a place of impact, which is compared by rounded points, with a little more.
 */
function boundLine(line: Float64Array, limit: number, place: boolean): void {
  const room = line[L_ROOM]!;
  for (let k = 0; k < 3; k++) {
    const a = line[L_START + k]!;
    const b = line[limit + k]!;
    line[L_LOW + k] = Math.min(a, b) - room;
    line[L_HIGH + k] = Math.max(a, b) + room;
  }
  if (!place) return;
  const x = line[limit]! - line[L_START]!;
  const y = line[limit + 1]! - line[L_START + 1]!;
  const z = line[limit + 2]! - line[L_START + 2]!;
  line[L_REACH] = Math.sqrt(x * x + y * y + z * z) + room;
}

/** Whether the bounds (mins xyz, maxs xyz) at a place are clear of the line's. */
function isBeyond(floats: Float32Array, at: number, line: Float64Array): boolean {
  return (
    floats[at]! > line[L_HIGH]! ||
    floats[at + 3]! < line[L_LOW]! ||
    floats[at + 1]! > line[L_HIGH + 1]! ||
    floats[at + 4]! < line[L_LOW + 1]! ||
    floats[at + 2]! > line[L_HIGH + 2]! ||
    floats[at + 5]! < line[L_LOW + 2]!
  );
}

function isAtEnd(line: Float64Array, at: number): boolean {
  return (
    Math.abs(f(line[at]! - line[L_END]!)) <= AT_END &&
    Math.abs(f(line[at + 1]! - line[L_END + 1]!)) <= AT_END &&
    Math.abs(f(line[at + 2]! - line[L_END + 2]!)) <= AT_END
  );
}

/**
 * Walks one tree for the first blocking leaf along the line, and returns whether there is any. With `place`, its hit is the start
 * of the piece that entered the leaf; at a union both children are walked, and the first one's hit stays only if it is strictly
 * nearer. Pieces that begin farther from the start than `L_REACH` of `line` are skipped, and each hit brings that in.
 *
 * Two kinds of nodes leave something for later, on a stack:
 *
 *       split: near piece a to m first            union: the whole piece a to b, twice
 *
 *        a ──── m ──── b                                  a ────────── b
 *         near  |  far                                   /              \
 *               |                              first child              second child
 *        push FAR (m, b)                       push SECOND (a, b)       push JOIN (a, hit of the first)
 *        walk the near child                   walk the first child     walk the second child
 *
 * A frame holds two points, its kind, a node, and the crossing: the plane through which the current piece was entered, which is
 * the plane that a hit reports. When a branch is done, with or without a hit, frames are popped:
 *
 * | frame  | points                   | node         | crossing        | after no hit     | after a hit                  |
 * | ------ | ------------------------ | ------------ | --------------- | ---------------- | ---------------------------- |
 * | FAR    | split point, piece's end | far child    | the split's     | walk it          | drop it: the hit is nearer   |
 * | SECOND | piece's start and end    | second child | the piece's     | walk it          | turn it into JOIN, walk it   |
 * | JOIN   | piece's start, first hit | none         | the first hit's | take the first   | take the first only if it is |
 * |        |                          |              |                 | hit              | strictly nearer              |
 *
 * A popped FAR or SECOND whose first point is beyond reach is dropped, and the result so far stays as it is. Without `place` the
 * first blocking leaf ends it all, so nothing is popped after a hit and there is no JOIN.
 */
function walkTree(memory: WorldMemory, root: number, cull: boolean, place: boolean): boolean {
  const { ints, floats, line, lineAnswer, lineFrames, lineFrameInts } = memory;
  const startX = line[0]!;
  const startY = line[1]!;
  const startZ = line[2]!;
  let reach = line[L_REACH]! * line[L_REACH]!;
  let ax = startX;
  let ay = startY;
  let az = startZ;
  let bx = line[3]!;
  let by = line[4]!;
  let bz = line[5]!;
  let node = root;
  let crossing = -1;
  let depth = 0;
  for (;;) {
    while (node > LINE_OPEN) {
      const kind = ints[node]!;
      if (kind === LINE_BOX) {
        const minX = floats[node + 1]!;
        const maxX = floats[node + 4]!;
        const minY = floats[node + 2]!;
        const maxY = floats[node + 5]!;
        const minZ = floats[node + 3]!;
        const maxZ = floats[node + 6]!;
        if (
          cull &&
          ((ax < minX && bx < minX) ||
            (ax > maxX && bx > maxX) ||
            (ay < minY && by < minY) ||
            (ay > maxY && by > maxY) ||
            (az < minZ && bz < minZ) ||
            (az > maxZ && bz > maxZ))
        ) {
          node = LINE_OPEN;
          break;
        }
        node += LINE_BOX_WORDS;
        continue;
      }
      const dist = floats[node + 1]!;
      let a: number;
      let b: number;
      if (kind === 0) {
        a = ax - dist;
        b = bx - dist;
      } else if (kind === 1) {
        a = ay - dist;
        b = by - dist;
      } else if (kind === 2) {
        a = az - dist;
        b = bz - dist;
      } else if (kind === LINE_OBLIQUE) {
        const x = floats[node + 4]!;
        const y = floats[node + 5]!;
        const z = floats[node + 6]!;
        a = f(f(f(ax * x) + f(ay * y)) + f(az * z)) - dist;
        b = f(f(f(bx * x) + f(by * y)) + f(bz * z)) - dist;
      } else {
        const frame = LINE_FRAME_FLOATS * depth;
        lineFrames[frame] = ax;
        lineFrames[frame + 1] = ay;
        lineFrames[frame + 2] = az;
        lineFrames[frame + 3] = bx;
        lineFrames[frame + 4] = by;
        lineFrames[frame + 5] = bz;
        pushInts(lineFrameInts, depth++, SECOND, ints[node + 3]!, crossing);
        node = ints[node + 2]!;
        continue;
      }
      if (a >= -SIDE && b >= -SIDE) {
        node = ints[node + 2]!;
        continue;
      }
      if (a <= SIDE && b <= SIDE) {
        node = ints[node + 3]!;
        continue;
      }
      const near = a < 0 ? 1 : 0;
      const nearChild = ints[node + 2 + near]!;
      const farChild = ints[node + 3 - near]!;
      // Both children of a split are reached, so if either blocks, the answer is known.
      if (!place && (nearChild === LINE_BLOCKED || farChild === LINE_BLOCKED)) return true;
      const t = f(f(a) / f(f(a) - f(b)));
      const x = f(ax + f(t * f(bx - ax)));
      const y = f(ay + f(t * f(by - ay)));
      const z = f(az + f(t * f(bz - az)));
      if (nearChild === LINE_OPEN) {
        ax = x;
        ay = y;
        az = z;
        crossing = 2 * node + near;
        node = farChild;
        continue;
      }
      if (farChild !== LINE_OPEN) {
        const frame = LINE_FRAME_FLOATS * depth;
        lineFrames[frame] = x;
        lineFrames[frame + 1] = y;
        lineFrames[frame + 2] = z;
        lineFrames[frame + 3] = bx;
        lineFrames[frame + 4] = by;
        lineFrames[frame + 5] = bz;
        pushInts(lineFrameInts, depth++, FAR, farChild, 2 * node + near);
      }
      bx = x;
      by = y;
      bz = z;
      node = nearChild;
    }
    let hit = node === LINE_BLOCKED;
    if (hit) {
      if (!place) return true;
      line[L_HEAD_HIT] = ax;
      line[L_HEAD_HIT + 1] = ay;
      line[L_HEAD_HIT + 2] = az;
      lineAnswer[A_HEAD_CROSSING] = crossing;
      const dx = ax - startX;
      const dy = ay - startY;
      const dz = az - startZ;
      if (Math.sqrt(dx * dx + dy * dy + dz * dz) + line[L_ROOM]! < line[L_REACH]!) {
        boundLine(line, L_HEAD_HIT, true);
        reach = line[L_REACH]! * line[L_REACH]!;
      }
    }
    // Back up to the latest piece that has still to be walked.
    for (;;) {
      if (depth === 0) return hit;
      const frame = LINE_FRAME_FLOATS * --depth;
      const at = LINE_FRAME_INTS * depth;
      const what = lineFrameInts[at]!;
      if (what === JOIN) {
        if (!hit || isFirstNearer(memory, frame)) {
          for (let k = 0; k < 3; k++) line[L_HEAD_HIT + k] = lineFrames[frame + 3 + k]!;
          lineAnswer[A_HEAD_CROSSING] = lineFrameInts[at + 2]!;
        }
        hit = true;
        continue;
      }
      if (hit && what === FAR) continue;
      ax = lineFrames[frame]!;
      ay = lineFrames[frame + 1]!;
      az = lineFrames[frame + 2]!;
      if (place) {
        const dx = ax - startX;
        const dy = ay - startY;
        const dz = az - startZ;
        if (dx * dx + dy * dy + dz * dz > reach) continue;
      }
      bx = lineFrames[frame + 3]!;
      by = lineFrames[frame + 4]!;
      bz = lineFrames[frame + 5]!;
      node = lineFrameInts[at + 1]!;
      crossing = lineFrameInts[at + 2]!;
      if (hit) {
        for (let k = 0; k < 3; k++) lineFrames[frame + 3 + k] = line[L_HEAD_HIT + k]!;
        pushInts(lineFrameInts, depth++, JOIN, 0, lineAnswer[A_HEAD_CROSSING]!);
      }
      break;
    }
  }
}

function pushInts(frames: Int32Array, depth: number, what: number, node: number, crossing: number): void {
  const at = LINE_FRAME_INTS * depth;
  frames[at] = what;
  frames[at + 1] = node;
  frames[at + 2] = crossing;
}

/** At the end of a union: whether the hit kept in a frame is strictly nearer to the piece's start than the new one. */
function isFirstNearer({ line, lineFrames }: WorldMemory, frame: number): boolean {
  let first = 0;
  let second = 0;
  for (let k = 0; k < 3; k++) {
    const start = lineFrames[frame + k]!;
    const a = f(start - lineFrames[frame + 3 + k]!);
    const b = f(start - line[L_HEAD_HIT + k]!);
    first = f(first + f(a * a));
    second = f(second + f(b * b));
  }
  return f(Math.sqrt(first)) < f(Math.sqrt(second));
}
