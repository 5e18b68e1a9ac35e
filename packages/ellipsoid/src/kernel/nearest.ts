import { PIECE_CORNERS, PIECE_NUM_CORNERS } from '../layout.ts';
import type { Memory } from './memory.ts';
import { Q_DISTANCE, Q_NEAREST, Q_RADII, Q_SCALE, Q_START } from './query.ts';

/**
 * Writes into the query how far a piece is from the centre at the start, in scaled space, and the nearest point, seen from the
 * centre.
 */
export function nearestOnPiece(memory: Memory, piece: number, query: Float64Array): void {
  const { ints, floats, doubles } = memory;
  const plane = piece >> 1;
  const cx = query[Q_START]!;
  const cy = query[Q_START + 1]!;
  const cz = query[Q_START + 2]!;
  const sx = query[Q_SCALE]!;
  const sy = query[Q_SCALE + 1]!;
  const sz = query[Q_SCALE + 2]!;
  // The plane's normal in scaled space, not of unit length.
  const nx = doubles[plane]! * query[Q_RADII]!;
  const ny = doubles[plane + 1]! * query[Q_RADII + 1]!;
  const nz = doubles[plane + 2]! * query[Q_RADII + 2]!;
  const first = ints[piece + PIECE_CORNERS]!;
  const count = ints[piece + PIECE_NUM_CORNERS]!;
  let at = first + 3 * (count - 1);
  let fx = floats[at]!;
  let fy = floats[at + 1]!;
  let fz = floats[at + 2]!;
  let ax = (fx - cx) * sx;
  let ay = (fy - cy) * sy;
  let az = (fz - cz) * sz;
  let inside = true;
  let least = Infinity;
  for (let k = 0; k < count; k++) {
    at = first + 3 * k;
    const gx = floats[at]!;
    const gy = floats[at + 1]!;
    const gz = floats[at + 2]!;
    // The edge, from the corners themselves: seen from far away, they are all at one point.
    const ux = (gx - fx) * sx;
    const uy = (gy - fy) * sy;
    const uz = (gz - fz) * sz;
    const turn = nx * (ay * uz - az * uy) + ny * (az * ux - ax * uz) + nz * (ax * uy - ay * ux);
    // If the centre is on the inner side of an edge, that is never the nearest.
    if (turn < 0) {
      inside = false;
      const uu = ux * ux + uy * uy + uz * uz;
      const along = -(ux * ax + uy * ay + uz * az) / uu;
      const share = along < 0 ? 0 : along > 1 ? 1 : along;
      let px = ax + share * ux;
      let py = ay + share * uy;
      let pz = az + share * uz;
      if (share === along) {
        // Once more: what rounding leaves along a long edge would turn the way out for a flat ellipsoid.
        const rest = (ux * px + uy * py + uz * pz) / uu;
        px -= rest * ux;
        py -= rest * uy;
        pz -= rest * uz;
      }
      const square = px * px + py * py + pz * pz;
      if (square < least) {
        least = square;
        query[Q_NEAREST] = px;
        query[Q_NEAREST + 1] = py;
        query[Q_NEAREST + 2] = pz;
      }
    }
    fx = gx;
    fy = gy;
    fz = gz;
    ax = (gx - cx) * sx;
    ay = (gy - cy) * sy;
    az = (gz - cz) * sz;
  }
  if (!inside) {
    query[Q_DISTANCE] = Math.sqrt(least);
    return;
  }
  // How far the plane is along its scaled normal; `a` is on it.
  const square = nx * nx + ny * ny + nz * nz;
  const reach = (nx * ax + ny * ay + nz * az) / square;
  query[Q_NEAREST] = reach * nx;
  query[Q_NEAREST + 1] = reach * ny;
  query[Q_NEAREST + 2] = reach * nz;
  query[Q_DISTANCE] = Math.abs(reach) * Math.sqrt(square);
}
