import {
  type BrushSpec,
  brushLumps,
  ibspFile,
  type PlaneSpec,
  planePairs,
  records,
  textLump,
} from '@bspkit/testkit/ibsp';

/** A tree as it will be in a map's file: plane nodes, union nodes above them, leafs. */
export type TreeSpec =
  | { readonly plane: number; readonly front: TreeSpec; readonly back: TreeSpec; readonly bounds?: Box }
  | { readonly union: readonly [TreeSpec, TreeSpec]; readonly bounds: Box }
  | { readonly contents: number; readonly brushes: readonly number[] };

/** mins xyz, maxs xyz. */
export type Box = readonly [number, number, number, number, number, number];

export interface MapSpec {
  readonly planes: readonly PlaneSpec[];
  readonly brushes: readonly BrushSpec[];
  /** Trees by model number. */
  readonly models: Readonly<Record<number, TreeSpec>>;
  readonly entities?: string;
  readonly version?: number;
  /** Bounds of every model. */
  readonly bounds?: Box;
}

const FAR: Box = [-512, -512, 0, 512, 512, 512];

/** Writes a map file. It contains what tracing needs, but no faces or light. */
export function writeMap(spec: MapSpec): Uint8Array {
  const nodes: number[][] = [];
  const leafs: number[][] = [
    [1, 0, 0],
    [0, 0, 0],
  ];
  const leafBrushes: number[] = [];
  const place = (tree: TreeSpec): number => {
    if ('contents' in tree) {
      leafs.push([tree.contents, leafBrushes.length, tree.brushes.length]);
      leafBrushes.push(...tree.brushes);
      return -leafs.length;
    }
    const node: number[] = [];
    const number = nodes.push(node) - 1;
    const [first, second] = 'union' in tree ? tree.union : [tree.front, tree.back];
    node.push('union' in tree ? -1 : 2 * tree.plane, place(first), place(second), ...(tree.bounds ?? FAR));
    return number;
  };
  const heads = new Map(Object.entries(spec.models).map(([model, tree]) => [Number(model), place(tree)]));
  const numModels = Math.max(259, ...[...heads.keys()].map((model) => model + 1));
  const bounds = spec.bounds ?? FAR;
  const lumps: Uint8Array[] = Array.from({ length: 17 }, () => new Uint8Array(0));
  lumps[0] = textLump(spec.entities ?? '');
  lumps[1] = planePairs(spec.planes);
  lumps[3] = routing(bounds);
  lumps[4] = records(
    nodes.map((node) => [...node, 0, 0]),
    'iiihhhhhhhh',
  );
  lumps[5] = texinfo(2);
  lumps[9] = records(
    leafs.map(([contents, first, count]) => [contents!, 0, 0, 0, 0, 0, 0, 0, first!, count!, 0]),
    'ihhhhhhhhhh',
  );
  lumps[10] = records(
    (leafBrushes.length ? leafBrushes : [0]).map((brush) => [brush]),
    'h',
  );
  lumps[13] = records(
    Array.from({ length: numModels }, (_, model) => [...bounds, 0, 0, 0, heads.get(model) ?? -1, 0, 0]),
    'fffffffffiii',
  );
  lumps.splice(14, 2, ...brushLumps(spec.brushes));
  return ibspFile(spec.version ?? 79, lumps);
}

/** Two blocks of twelve bytes in the run-length code: mins and maxs in cells. */
function routing(bounds: Box): Uint8Array {
  const cells = bounds.map((value, k) => {
    const cell = k % 3 === 2 ? value / 64 : value / 32 + 128;
    return k < 3 ? Math.floor(cell) : Math.ceil(cell) - 1;
  });
  const block = (three: readonly number[]): number[] => {
    const bytes = [...new Uint8Array(Int32Array.from(three).buffer)];
    // The first byte literally, the two zeros after the second as a run: both kinds of code are used.
    return [2, ...bytes.slice(0, 2), 0x80, 0, 8, ...bytes.slice(4), 0];
  };
  return Uint8Array.from([...block(cells.slice(0, 3)), ...block(cells.slice(3)), 0]);
}

function texinfo(count: number): Uint8Array {
  const bytes = new Uint8Array(72 * count);
  const view = new DataView(bytes.buffer);
  for (let k = 0; k < count; k++) {
    view.setUint32(72 * k + 32, 0x80 << k, true);
    bytes.set(
      Array.from(`test/texture${k}`, (letter) => letter.charCodeAt(0)),
      72 * k + 40,
    );
  }
  return bytes;
}

/** Collects boxes and planes for a map, and gives each box a tree of its own. */
export class MapBuilder {
  readonly planes: [number, number, number, number][] = [];
  readonly brushes: { contents: number; sides: number[] }[] = [];

  /** Adds a box and returns a tree that contains it alone: one leaf behind six planes. */
  box(bounds: Box, contents: number): TreeSpec {
    const first = this.planes.length;
    const number = this.brushes.length;
    for (let axis = 0; axis < 3; axis++) {
      const normal = [0, 1, 2].map((k) => (k === axis ? 1 : 0)) as [number, number, number];
      this.planes.push([...normal, bounds[axis]!], [...normal, bounds[3 + axis]!]);
    }
    const sides = [0, 1, 2, 3, 4, 5].map((k) => 2 * (first + k) + (k % 2 === 0 ? 1 : 0));
    this.brushes.push({ contents, sides });
    const empty: TreeSpec = { contents: 0, brushes: [] };
    let tree: TreeSpec = { contents, brushes: [number] };
    for (let k = 5; k >= 0; k--) {
      const inner: TreeSpec = tree;
      // Nodes have planes that face along the axes, so the box is in front of its lower planes.
      const lower = k % 2 === 0;
      tree = { plane: first + k, front: lower ? inner : empty, back: lower ? empty : inner, bounds };
    }
    return tree;
  }

  /** Puts trees under union nodes, as the compiler does with the blocks of a model. */
  static union(trees: readonly TreeSpec[], bounds: Box): TreeSpec {
    const [first, ...rest] = trees;
    if (rest.length === 0) return first!;
    return { union: [first!, MapBuilder.union(rest, bounds)], bounds };
  }
}
