import type { UfoaiRead } from './ufoai.ts';

const f = Math.fround;
type Triple = readonly [number, number, number];

/**
 * The cells that the game's own compiler would say a file covers, computed only from the file's records, in the same way: layers
 * of 256 x 256 x 8 cells are taken off until a test with the layer's box touches a brush of any tree with faces, of light clip or
 * of actor clip.
 */
export function referenceCells(file: UfoaiRead): { mins: number[]; maxs: number[] } {
  const heads = file.models.slice(0, 259).flatMap(({ head, faces }, model) => {
    return head >= 0 && (faces > 0 || model === 256 || model === 258) ? treesBelow(file, head) : [];
  });
  const lo = [0, 0, 0];
  const hi = [255, 255, 7];
  const corner = ([x, y, z]: readonly number[]): Triple => [32 * x! - 4096, 32 * y! - 4096, 64 * z!];
  const hit = (low: readonly number[], high: readonly number[]): boolean => {
    const mins = corner(low);
    const maxs = corner(high.map((cell) => cell + 1));
    return heads.some((head) => touches(file, head, mins, maxs));
  };
  for (let i = 0; i < 3; i++) {
    for (; hi[i]! > lo[i]!; hi[i]!--) if (hit(replaced(lo, i, hi[i]!), hi)) break;
    for (; hi[i]! > lo[i]!; lo[i]!++) if (hit(lo, replaced(hi, i, lo[i]!))) break;
  }
  const [x, y, z] = corner(hi.map((cell) => cell + 1));
  const [lowX, lowY, lowZ] = corner(lo);
  return {
    mins: [(lowX + 4096) / 32, (lowY + 4096) / 32, Math.min(7, lowZ / 64)],
    maxs: [(x + 4096) / 32, (y + 4096) / 32, Math.min(7, z / 64)],
  };
}

function treesBelow({ nodes }: UfoaiRead, node: number): number[] {
  const { plane, children } = nodes[node]!;
  return plane === -1 ? children.flatMap((child) => treesBelow({ nodes } as UfoaiRead, child)) : [node];
}

function touches(file: UfoaiRead, head: number, mins: Triple, maxs: Triple): boolean {
  const leafs: number[] = [];
  const collect = (node: number): void => {
    if (node < 0) {
      if (leafs.length < 1024) leafs.push(-1 - node);
      return;
    }
    const { plane, children } = file.nodes[node]!;
    const { n, d, type } = file.planes[plane]!;
    let front: boolean;
    let back: boolean;
    if (type < 3) {
      front = maxs[type]! > d + 0.001;
      back = mins[type]! < d - 0.001;
    } else {
      const far = n.map((c, k) => (c < 0 ? mins[k]! : maxs[k]!));
      const near = n.map((c, k) => (c < 0 ? maxs[k]! : mins[k]!));
      front = f(dot(n, far) - d) >= 0.001;
      back = f(dot(n, near) - d) < 0.001;
    }
    if (front === back) for (const child of children) collect(child);
    else collect(children[front ? 0 : 1]!);
  };
  collect(head);
  const start = mins.map((x, k) => f(f(x + maxs[k]!) * 0.5));
  const low = mins.map((x, k) => f(x - start[k]!));
  const high = maxs.map((x, k) => f(x - start[k]!));
  return leafs.some((leaf) => {
    const { contents, brushes } = file.leafs[leaf]!;
    return (
      contents !== 0 &&
      brushes.some((number) => {
        const brush = file.brushes[number]!;
        const sides = file.sides.slice(brush.first, brush.first + brush.count);
        return (
          brush.contents !== 0 &&
          sides.every(({ plane }) => {
            const { n, d } = file.planes[plane]!;
            const corner = n.map((c, k) => (c < 0 ? high[k]! : low[k]!));
            return !(f(dot(n, start) - f(d - dot(corner, n))) > 0);
          })
        );
      })
    );
  });
}

const dot = (a: readonly number[], b: readonly number[]): number =>
  f(f(f(a[0]! * b[0]!) + f(a[1]! * b[1]!)) + f(a[2]! * b[2]!));

const replaced = (list: readonly number[], at: number, value: number): number[] =>
  list.map((old, i) => (i === at ? value : old));
