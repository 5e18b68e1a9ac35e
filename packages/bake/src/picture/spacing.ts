import { orderAlong } from './order.ts';

/** Used if there are no neighbours, in Quake units. */
const ALONE = 32;
/** Points whose nearest neighbours are looked for. */
const SAMPLE = 512;

/**
 * How far apart points are, seen from above, if nobody says: the median distance from one to the nearest other that is not above
 * or below it, along the axis on which these two are farther apart.
 */
export function spacing(positions: Float32Array): number {
  const count = positions.length / 3;
  const all = new Uint32Array(count);
  for (let k = 0; k < count; k++) all[k] = k;
  const order = orderAlong(0, positions, all);
  const distances: number[] = [];
  for (let k = 0; k < Math.min(SAMPLE, count); k++) {
    const place = Math.floor((k * count) / Math.min(SAMPLE, count));
    const distance = nearestAlong(order, place, positions);
    if (distance < Infinity) distances.push(distance);
  }
  if (distances.length === 0) return ALONE;
  return distances.sort((a, b) => a - b)[Math.floor(distances.length / 2)]!;
}

/** Looks to both sides of a place in the order of x, as far as another could be nearer. */
function nearestAlong(order: Uint32Array, place: number, positions: Float32Array): number {
  const [x, y] = [positions[3 * order[place]!]!, positions[3 * order[place]! + 1]!];
  let nearest = Infinity;
  for (const way of [-1, 1]) {
    for (let at = place + way; at >= 0 && at < order.length; at += way) {
      const away = Math.abs(positions[3 * order[at]!]! - x);
      if (away >= nearest) break;
      const distance = Math.max(away, Math.abs(positions[3 * order[at]! + 1]! - y));
      if (distance >= 1 && distance < nearest) nearest = distance;
    }
  }
  return nearest;
}
