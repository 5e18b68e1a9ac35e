/** What the brushes of a file consist of. */
export interface BrushRecords {
  readonly planes: { readonly normals: Float32Array; readonly dists: Float32Array };
  readonly brushes: {
    readonly count: number;
    readonly firstSides: Int32Array;
    readonly numSides: Int32Array;
    readonly contents: Int32Array;
  };
  readonly sides: { readonly planes: Int32Array; readonly textures: Int32Array };
}

/** The same, and the trees whose leafs list them. */
export interface BrushFile extends BrushRecords {
  readonly nodes: { readonly children: Int32Array };
  readonly leafs: { readonly firstBrushes: Int32Array; readonly numBrushes: Int32Array };
  readonly leafBrushes: Int32Array;
}

/** mins xyz, maxs xyz. */
export type Bounds6 = [number, number, number, number, number, number];

/** The space within a brush's axial sides; it is infinite in directions without such a side. */
export function brushBounds(
  { planes: { normals }, brushes, sides }: BrushRecords,
  dists: Float32Array,
  brush: number,
): Bounds6 {
  const bounds: Bounds6 = [-Infinity, -Infinity, -Infinity, Infinity, Infinity, Infinity];
  const first = brushes.firstSides[brush]!;
  for (let side = first; side < first + brushes.numSides[brush]!; side++) {
    const plane = sides.planes[side]!;
    const axis = axisOf(normals, plane);
    if (axis < 0) continue;
    if (normals[3 * plane + axis]! > 0) bounds[3 + axis] = Math.min(bounds[3 + axis]!, dists[plane]!);
    else bounds[axis] = Math.max(bounds[axis]!, -dists[plane]!);
  }
  return bounds;
}

/** The axis that a plane is exactly perpendicular to, facing either way; -1 for none. */
function axisOf(normals: Float32Array, plane: number): number {
  const [x, y, z] = [normals[3 * plane]!, normals[3 * plane + 1]!, normals[3 * plane + 2]!];
  if (Math.abs(x) + Math.abs(y) + Math.abs(z) !== 1) return -1;
  return Math.abs(x) === 1 ? 0 : Math.abs(y) === 1 ? 1 : Math.abs(z) === 1 ? 2 : -1;
}

/**
 * Model of each brush: k if the tree of the inline model `*k` lists it, the last of several; else 0. `heads` has the roots of
 * inline models, from `*1` on; `undefined` for one without a tree.
 */
export function brushModels(
  { brushes, leafBrushes, leafs, nodes }: BrushFile,
  heads: readonly (number | undefined)[],
): Int32Array {
  const owners = new Int32Array(brushes.count);
  // From the last one on, so that a tree of several models is walked once.
  const walked = new Set<number>();
  for (let k = heads.length - 1; k >= 0; k--) {
    const head = heads[k];
    if (head === undefined || walked.has(head)) continue;
    walked.add(head);
    const stack = [head];
    for (let child = stack.pop(); child !== undefined; child = stack.pop()) {
      if (child >= 0) {
        stack.push(nodes.children[2 * child]!, nodes.children[2 * child + 1]!);
        continue;
      }
      const first = leafs.firstBrushes[-1 - child]!;
      for (const brush of leafBrushes.subarray(first, first + leafs.numBrushes[-1 - child]!)) {
        owners[brush] ||= k + 1;
      }
    }
  }
  return owners;
}
