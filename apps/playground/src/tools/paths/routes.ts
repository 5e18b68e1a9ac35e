import { ROOM, rampColor, type ValueClasses, type ValueLayer } from '@bspkit/bake/picture';
import type { Vec3 } from '@bspkit/core';
import type { WalkCells, WalkReach } from '@bspkit/core/format';

// What is shown of where walkers can go, without the page.

/** How far above a floor a way is drawn, in Quake units: about a walker's hips. */
const HIPS = 10;

/** Cheap is light, and dear is dark. */
const COSTS = [...ROOM].reverse();

/** How many colours there are, each for as many time units. */
const BANDS = 5;

/** What has no way that is short enough. */
const BEYOND = { name: 'out of reach', color: [120, 122, 128] } as const;

/** The cell on whose floor a point lies, or above it by less than a storey; -1 for none. */
export function cellAt({ positions, ways, size, levelHeight }: WalkCells, point: Vec3): number {
  let [found, least] = [-1, levelHeight];
  for (let k = 0; k < ways.length; k++) {
    if (Math.abs(positions[3 * k]! - point[0]!) > size / 2) continue;
    if (Math.abs(positions[3 * k + 1]! - point[1]!) > size / 2) continue;
    // Slopes rise above the middles of their cells.
    const above = point[2]! - positions[3 * k + 2]!;
    const off = above < 0 ? -2 * above : above;
    if (off < least) [found, least] = [k, off];
  }
  return found;
}

/** The cell whose middle is nearest to a point; -1 where there are no cells. */
export function nearestCell({ positions, ways }: WalkCells, point: Vec3): number {
  let [found, least] = [-1, Number.POSITIVE_INFINITY];
  for (let k = 0; k < ways.length; k++) {
    const away = [0, 1, 2].reduce((sum, axis) => sum + (positions[3 * k + axis]! - point[axis]!) ** 2, 0);
    if (away < least) [found, least] = [k, away];
  }
  return found;
}

/** The middle of a cell's floor. */
export const floorOf = ({ positions }: WalkCells, cell: number): [number, number, number] => [
  positions[3 * cell]!,
  positions[3 * cell + 1]!,
  positions[3 * cell + 2]!,
];

/** The cells of the way to one, from the start, both included; none where no way leads. */
export function wayTo({ costs, previous }: WalkReach, cell: number): number[] {
  const way: number[] = [];
  if (costs[cell]! < 0) return way;
  for (let at = cell; at >= 0; at = previous[at]!) way.push(at);
  return way.reverse();
}

/** A way as line segments. */
export function waySegments(cells: WalkCells, way: readonly number[]): number[] {
  const points = way.map((cell) => {
    const [x, y, z] = floorOf(cells, cell);
    return [x, y, z + HIPS];
  });
  return points.slice(1).flatMap((point, k) => [...points[k]!, ...point]);
}

/** The cell that it takes longest to come to: something to begin with. */
export function farthestCell({ costs }: WalkReach): number {
  let farthest = 0;
  for (let k = 0; k < costs.length; k++) if (costs[k]! > costs[farthest]!) farthest = k;
  return farthest;
}

/** The cells that can be come to, by bands of what it costs, and all others. */
export function reachLayers(cells: WalkCells, { costs }: WalkReach): [ValueLayer, ValueLayer] {
  const width = cells.mostTime / BANDS;
  const bands = Array.from({ length: BANDS }, (_, k) => ({
    name: `${k === 0 ? 0 : k * width + 1} to ${(k + 1) * width}`,
    color: rampColor(COSTS, k / (BANDS - 1)),
  }));
  const all = Array.from(costs.keys());
  const layer = (
    chosen: readonly number[],
    classOf: (cell: number) => number,
    classes: ValueClasses['classes'],
  ): ValueLayer => ({
    title: 'where actors can go',
    measure: 'time units to get there',
    nouns: ['cell', 'cells'],
    positions: Float32Array.from(chosen.flatMap((k) => floorOf(cells, k))),
    values: chosen.map(classOf),
    step: cells.size,
    scale: { classes },
    marks: [],
  });
  const within = all.filter((k) => costs[k]! >= 0);
  const beyond = all.filter((k) => costs[k]! < 0);
  return [
    layer(within, (k) => Math.max(0, Math.ceil(costs[k]! / width) - 1), bands),
    layer(beyond, () => 0, [BEYOND]),
  ];
}
