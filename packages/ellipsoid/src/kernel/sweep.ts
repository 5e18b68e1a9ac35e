import {
  NODE_COUNT,
  NODE_LINK,
  NODE_WORDS,
  PIECE_CORNERS,
  PIECE_NUM_CORNERS,
  PIECE_WORDS,
} from '../layout.ts';
import type { Memory } from './memory.ts';
import { nearestOnPiece } from './nearest.ts';
import {
  Q_DEPTH,
  Q_DISTANCE,
  Q_ENTRY,
  Q_FACE,
  Q_GAP,
  Q_INVERSE,
  Q_MOVE,
  Q_NEAREST,
  Q_NORMAL,
  Q_OUT,
  Q_OVERLAP,
  Q_POINT,
  Q_RADII,
  Q_SCALE,
  Q_START,
  Q_STOP,
  Q_TIME,
  Q_WIDE,
} from './query.ts';

// The exact sweep: space is divided by the radii, so that the ellipsoid is a ball of radius 1; then the first time is searched
// for at which its centre is 1 away from a face, an edge or a corner. All in double precision.

/** The inverse of a move of zero: large, but not infinite, which would give NaN when multiplied by zero. */
const LARGEST = 1e300;
/** How far boxes are widened beyond the radii, for rounding. */
const SLACK = 1e-6;
/**
 * A contact that is approached by less than this share of the speed does not count: the ellipsoid glides past. Both are speeds in
 * space, as in scaled space a flat ellipsoid's speed along its short axis may be 1e9 times that along the others.
 */
export const GRAZING: number = 1e-9;

/** Derives what the walk needs from start, move and radii. */
export function prepareSweep(query: Float64Array): void {
  for (let k = 0; k < 3; k++) {
    const move = query[Q_MOVE + k]!;
    if (move === 0) query[Q_INVERSE + k] = LARGEST;
    else query[Q_INVERSE + k] = 1 / move;
    query[Q_SCALE + k] = 1 / query[Q_RADII + k]!;
    query[Q_WIDE + k] = query[Q_RADII + k]! + SLACK;
  }
  query[Q_TIME] = 1;
  query[Q_OVERLAP] = -1;
  query[Q_DEPTH] = -1;
}

/**
 * The place of the piece that is met first, or -1. The query then has the time and the normal. A piece that the ellipsoid
 * overlaps at the start is met at time 0 if the move goes deeper, and otherwise not at all: the distance from a convex piece
 * never falls again once it has begun to rise.
 *
 * @param any - whether any piece that is met will do.
 * @param tested - takes the pieces that are tested, in order.
 */
export function sweep(memory: Memory, query: Float64Array, any: boolean, tested?: number[]): number {
  const { ints, floats, places, stack, times } = memory;
  let hit = -1;
  let top = 0;
  let node = places.nodes.first;
  if (!enters(floats, node, query)) return hit;
  for (;;) {
    const count = ints[node + NODE_COUNT]!;
    if (count > 0) {
      const first = ints[node + NODE_LINK]!;
      for (let piece = first; piece < first + count * PIECE_WORDS; piece += PIECE_WORDS) {
        if (tested !== undefined) tested.push(piece);
        if (sweepPiece(memory, piece, query)) hit = piece;
      }
      if (any && hit >= 0) return hit;
    } else {
      const near = node + NODE_WORDS;
      const far = ints[node + NODE_LINK]!;
      const meetsNear = enters(floats, near, query);
      const nearTime = query[Q_ENTRY]!;
      const meetsFar = enters(floats, far, query);
      const farTime = query[Q_ENTRY]!;
      if (meetsNear && meetsFar) {
        // The later one is put on the stack.
        const isInOrder = nearTime <= farTime;
        stack[top] = isInOrder ? far : near;
        times[top++] = isInOrder ? farTime : nearTime;
        node = isInOrder ? near : far;
        continue;
      }
      if (meetsNear || meetsFar) {
        node = meetsNear ? near : far;
        continue;
      }
    }
    do {
      if (top === 0) return hit;
      top--;
    } while (times[top]! > query[Q_TIME]!);
    node = stack[top]!;
  }
}

/** After a sweep that has met something: when the move stops, so that the gap is kept, and the contact's normal, in space. */
export function stopBefore(query: Float64Array): void {
  // The scaled normal, transformed back: of unit length again, and with it the speed towards what was met.
  const x = query[Q_NORMAL]! * query[Q_SCALE]!;
  const y = query[Q_NORMAL + 1]! * query[Q_SCALE + 1]!;
  const z = query[Q_NORMAL + 2]! * query[Q_SCALE + 2]!;
  const length = Math.sqrt(x * x + y * y + z * z);
  const speed = (x * query[Q_MOVE]! + y * query[Q_MOVE + 1]! + z * query[Q_MOVE + 2]!) / -length;
  query[Q_OUT] = x / length;
  query[Q_OUT + 1] = y / length;
  query[Q_OUT + 2] = z / length;
  query[Q_STOP] = Math.max(0, query[Q_TIME]! - query[Q_GAP]! / speed);
}

/** Whether the centre enters a node's box, widened by the radii, before the best time so far; and when. */
function enters(floats: Float32Array, node: number, query: Float64Array): boolean {
  let enter = 0.5 - 0.5;
  let leave = query[Q_TIME]!;
  for (let k = 0; k < 3; k++) {
    const start = query[Q_START + k]!;
    const wide = query[Q_WIDE + k]!;
    const inverse = query[Q_INVERSE + k]!;
    const low = (floats[node + k]! - wide - start) * inverse;
    const high = (floats[node + 3 + k]! + wide - start) * inverse;
    if (low < high) {
      if (low > enter) enter = low;
      if (high < leave) leave = high;
    } else {
      if (high > enter) enter = high;
      if (low < leave) leave = low;
    }
  }
  query[Q_ENTRY] = enter;
  return enter <= leave;
}

/** Whether a piece is met before the best time so far; if so, the query gets time and normal. */
export function sweepPiece(memory: Memory, piece: number, query: Float64Array): boolean {
  const { ints, floats, doubles } = memory;
  const plane = piece >> 1;
  let nx = doubles[plane]!;
  let ny = doubles[plane + 1]!;
  let nz = doubles[plane + 2]!;
  const cx = query[Q_START]!;
  const cy = query[Q_START + 1]!;
  const cz = query[Q_START + 2]!;
  const mx = query[Q_MOVE]!;
  const my = query[Q_MOVE + 1]!;
  const mz = query[Q_MOVE + 2]!;
  const rx = query[Q_RADII]!;
  const ry = query[Q_RADII + 1]!;
  const rz = query[Q_RADII + 2]!;
  const best = query[Q_TIME]!;

  // Side values and the radius towards the plane, on whichever side the centre is.
  let side = nx * cx + ny * cy + nz * cz - doubles[plane + 3]!;
  let speed = nx * mx + ny * my + nz * mz;
  if (side < 0) {
    side = -side;
    speed = -speed;
    nx = -nx;
    ny = -ny;
    nz = -nz;
  }
  const ex = nx * rx;
  const ey = ny * ry;
  const ez = nz * rz;
  const square = ex * ex + ey * ey + ez * ez;
  const radius = Math.sqrt(square);
  const first = ints[piece + PIECE_CORNERS]!;
  const count = ints[piece + PIECE_NUM_CORNERS]!;
  if (side >= radius) {
    // Nothing of the piece is met before its plane is.
    const time = (radius - side) / speed;
    if (!(speed < 0 && time < best)) return false;
    query[Q_POINT] = cx + time * mx - (ex * rx) / radius;
    query[Q_POINT + 1] = cy + time * my - (ey * ry) / radius;
    query[Q_POINT + 2] = cz + time * mz - (ez * rz) / radius;
    if (isInside(memory, piece, query)) {
      query[Q_TIME] = time;
      query[Q_NORMAL] = ex / radius;
      query[Q_NORMAL + 1] = ey / radius;
      query[Q_NORMAL + 2] = ez / radius;
      return true;
    }
  }
  const sx = query[Q_SCALE]!;
  const sy = query[Q_SCALE + 1]!;
  const sz = query[Q_SCALE + 2]!;
  const dx = mx * sx;
  const dy = my * sy;
  const dz = mz * sz;
  const dd = dx * dx + dy * dy + dz * dz;
  if (side < radius) {
    nearestOnPiece(memory, piece, query);
    if (query[Q_DISTANCE]! < 1) {
      query[Q_FACE] = ex / radius;
      query[Q_FACE + 1] = ey / radius;
      query[Q_FACE + 2] = ez / radius;
      return meetOverlap(query);
    }
  }
  if (dd === 0) return false;

  // Edges, and the corners where they begin. `a` is a corner seen from the centre at the start, in scaled space.
  let at = first + 3 * (count - 1);
  let ax = (floats[at]! - cx) * sx;
  let ay = (floats[at + 1]! - cy) * sy;
  let az = (floats[at + 2]! - cz) * sz;
  let found = best;
  let hx = 0;
  let hy = 0;
  let hz = 0;
  // Roots are speeds in scaled space; over the scaled normal's length, transformed back, they are those in space.
  const grazing = GRAZING * GRAZING * (mx * mx + my * my + mz * mz);
  for (let k = 0; k < count; k++) {
    at = first + 3 * k;
    const bx = (floats[at]! - cx) * sx;
    const by = (floats[at + 1]! - cy) * sy;
    const bz = (floats[at + 2]! - cz) * sz;
    // The corner: the least root of |t d - b|² = 1, where the centre comes nearer. What is under the root is computed from where
    // the way comes nearest: seen from far away, the difference of the usual formula has no correct digits left.
    const approach = bx * dx + by * dy + bz * dz;
    if (approach > 0) {
      const nearest = approach / dd;
      const ox = nearest * dx - bx;
      const oy = nearest * dy - by;
      const oz = nearest * dz - bz;
      const disc = dd * (1 - (ox * ox + oy * oy + oz * oz));
      if (disc > 0) {
        const root = Math.sqrt(disc);
        const rest = bx * bx + by * by + bz * bz - 1;
        // If rounding puts the start inside, it is at the surface: overlaps have been dealt with.
        const time = rest > 0 ? rest / (approach + root) : 0;
        if (time < found) {
          const px = time * dx - bx;
          const py = time * dy - by;
          const pz = time * dz - bz;
          if (disc > grazing * (px * sx * px * sx + py * sy * py * sy + pz * sz * pz * sz)) {
            found = time;
            hx = px;
            hy = py;
            hz = pz;
          }
        }
      }
    }
    // The edge from a to b: the same, perpendicular to it.
    const ux = bx - ax;
    const uy = by - ay;
    const uz = bz - az;
    const uu = ux * ux + uy * uy + uz * uz;
    const ud = (ux * dx + uy * dy + uz * dz) / uu;
    const ua = (ux * ax + uy * ay + uz * az) / uu;
    // Perpendicular parts first, then their products: nothing cancels.
    const vx = dx - ud * ux;
    const vy = dy - ud * uy;
    const vz = dz - ud * uz;
    const wx = ax - ua * ux;
    const wy = ay - ua * uy;
    const wz = az - ua * uz;
    const across = wx * vx + wy * vy + wz * vz;
    if (across > 0) {
      const vv = vx * vx + vy * vy + vz * vz;
      const nearest = across / vv;
      const ox = nearest * vx - wx;
      const oy = nearest * vy - wy;
      const oz = nearest * vz - wz;
      const disc = vv * (1 - (ox * ox + oy * oy + oz * oz));
      if (disc > 0) {
        const root = Math.sqrt(disc);
        const rest = wx * wx + wy * wy + wz * wz - 1;
        const time = rest > 0 ? rest / (across + root) : 0;
        const along = time * ud - ua;
        if (time < found && along >= 0 && along <= 1) {
          let px = time * vx - wx;
          let py = time * vy - wy;
          let pz = time * vz - wz;
          // Once more, as in `nearestOnPiece`.
          const remains = (ux * px + uy * py + uz * pz) / uu;
          px -= remains * ux;
          py -= remains * uy;
          pz -= remains * uz;
          if (disc > grazing * (px * sx * px * sx + py * sy * py * sy + pz * sz * pz * sz)) {
            found = time;
            hx = px;
            hy = py;
            hz = pz;
          }
        }
      }
    }
    ax = bx;
    ay = by;
    az = bz;
  }
  if (found >= best) return false;
  query[Q_TIME] = found;
  query[Q_NORMAL] = hx;
  query[Q_NORMAL + 1] = hy;
  query[Q_NORMAL + 2] = hz;
  return true;
}

/**
 * For an overlap at the start: whether the move goes deeper. Of several such, the deepest stops it, in whatever order they come.
 * `nearest` has been computed; the plane's normal is of no use here.
 */
function meetOverlap(query: Float64Array): boolean {
  const distance = query[Q_DISTANCE]!;
  const depth = 1 - distance;
  let hx = -query[Q_NEAREST]! / distance;
  let hy = -query[Q_NEAREST + 1]! / distance;
  let hz = -query[Q_NEAREST + 2]! / distance;
  if (!(distance > 1e-12)) {
    hx = query[Q_FACE]!;
    hy = query[Q_FACE + 1]!;
    hz = query[Q_FACE + 2]!;
  }
  // The move that it takes to be free: the scaled distance rises by this much per unit.
  const x = hx * query[Q_SCALE]!;
  const y = hy * query[Q_SCALE + 1]!;
  const z = hz * query[Q_SCALE + 2]!;
  const rise = Math.sqrt(x * x + y * y + z * z);
  const overlap = depth / rise;
  if (overlap > query[Q_OVERLAP]!) query[Q_OVERLAP] = overlap;
  const mx = query[Q_MOVE]!;
  const my = query[Q_MOVE + 1]!;
  const mz = query[Q_MOVE + 2]!;
  const approach = (x * mx + y * my + z * mz) / rise;
  if (!(approach < -GRAZING * Math.sqrt(mx * mx + my * my + mz * mz)) || !(depth > query[Q_DEPTH]!))
    return false;
  query[Q_DEPTH] = depth;
  query[Q_TIME] = 0;
  query[Q_NORMAL] = hx;
  query[Q_NORMAL + 1] = hy;
  query[Q_NORMAL + 2] = hz;
  return true;
}

/** Whether the query's point, in a piece's plane, is within the piece's edges. */
function isInside({ ints, floats, doubles }: Memory, piece: number, query: Float64Array): boolean {
  const plane = piece >> 1;
  const first = ints[piece + PIECE_CORNERS]!;
  const count = ints[piece + PIECE_NUM_CORNERS]!;
  const px = query[Q_POINT]!;
  const py = query[Q_POINT + 1]!;
  const pz = query[Q_POINT + 2]!;
  const nx = doubles[plane]!;
  const ny = doubles[plane + 1]!;
  const nz = doubles[plane + 2]!;
  let at = first + 3 * (count - 1);
  let ax = floats[at]! - px;
  let ay = floats[at + 1]! - py;
  let az = floats[at + 2]! - pz;
  for (let k = 0; k < count; k++) {
    at = first + 3 * k;
    const bx = floats[at]! - px;
    const by = floats[at + 1]! - py;
    const bz = floats[at + 2]! - pz;
    // Counter-clockwise seen from the front: inside is left of every edge.
    const turn = nx * (ay * bz - az * by) + ny * (az * bx - ax * bz) + nz * (ax * by - ay * bx);
    if (turn < 0) return false;
    ax = bx;
    ay = by;
    az = bz;
  }
  return true;
}
