/** Bounds that grow: an axis-aligned box in Quake units. */
export interface Box {
  readonly mins: [number, number, number];
  readonly maxs: [number, number, number];
}

/** The farthest that coordinates may be from the origin; no format reaches beyond. */
export const REACH = 65536;

/** A box that contains nothing yet. */
export const emptyBox = (): Box => ({
  mins: [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
  maxs: [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY],
});

/** The box around points, given as triples in one list or several. PERF: coordinates are written once, when they are known. */
export function boxAround(lists: readonly (readonly number[])[]): Box {
  let minX = Number.POSITIVE_INFINITY;
  let minY = Number.POSITIVE_INFINITY;
  let minZ = Number.POSITIVE_INFINITY;
  let maxX = Number.NEGATIVE_INFINITY;
  let maxY = Number.NEGATIVE_INFINITY;
  let maxZ = Number.NEGATIVE_INFINITY;
  for (const points of lists) {
    for (let i = 0; i < points.length; i += 3) {
      const x = points[i]!;
      const y = points[i + 1]!;
      const z = points[i + 2]!;
      if (x < minX) minX = x;
      if (x > maxX) maxX = x;
      if (y < minY) minY = y;
      if (y > maxY) maxY = y;
      if (z < minZ) minZ = z;
      if (z > maxZ) maxZ = z;
    }
  }
  return { mins: [minX, minY, minZ], maxs: [maxX, maxY, maxZ] };
}

/** Grows a box to contain another one. */
export function addBox(box: Box, other: Box): Box {
  for (let k = 0; k < 3; k++) {
    box.mins[k] = Math.min(box.mins[k]!, other.mins[k]!);
    box.maxs[k] = Math.max(box.maxs[k]!, other.maxs[k]!);
  }
  return box;
}

/** A box wider by `margin` on all six sides. */
const growBox = ({ mins, maxs }: Box, margin: number): Box => ({
  mins: [mins[0] - margin, mins[1] - margin, mins[2] - margin],
  maxs: [maxs[0] + margin, maxs[1] + margin, maxs[2] + margin],
});

/** Whether two boxes overlap or come within `margin` of each other. */
export function boxesTouch(a: Box, b: Box, margin: number): boolean {
  return !(
    a.mins[0] > b.maxs[0] + margin ||
    b.mins[0] > a.maxs[0] + margin ||
    a.mins[1] > b.maxs[1] + margin ||
    b.mins[1] > a.maxs[1] + margin ||
    a.mins[2] > b.maxs[2] + margin ||
    b.mins[2] > a.maxs[2] + margin
  );
}

/** The smallest box with whole coordinates around another. */
export function roundBox({ mins, maxs }: Box): Box {
  const down = (x: number): number => Math.floor(x + 0.01) + 0;
  const up = (x: number): number => Math.ceil(x - 0.01) + 0;
  return {
    mins: [down(mins[0]), down(mins[1]), down(mins[2])],
    maxs: [up(maxs[0]), up(maxs[1]), up(maxs[2])],
  };
}

/** A box as files store it: a point if it contains nothing. */
export const orPoint = (box: Box): Box =>
  box.mins[0] > box.maxs[0] ? { mins: [0, 0, 0], maxs: [0, 0, 0] } : box;

/** The box to build a tree in: larger than everything in `box`, with whole coordinates. */
export const treeBounds = (box: Box): Box => growBox(roundBox(orPoint(box)), 32);
