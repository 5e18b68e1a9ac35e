import { entityVector } from '@bspkit/core';
import { type Vec, windingCenter } from '@bspkit/geometry';
import { type CompileWarning, createWarning } from './error.ts';
import type { Models } from './models.ts';
import type { PlaneSet } from './planes.ts';
import { type Tree, type TreeLeaf, treeLeafs } from './tree.ts';
import { leafAt, visitLeafs } from './tree-walk.ts';

/** The result of flooding a map from outside. */
export interface Flood {
  /** Leafs reached from outside. */
  readonly reached: ReadonlySet<TreeLeaf>;
  /** For a map that is not sealed, points on a path from something inside to the outside. */
  readonly leak: readonly Vec[] | undefined;
}

/**
 * Floods a tree, which has kept its cells, from outside its box through all leafs that `opens` lets pass.
 *
 * @param root - planes of the box the tree was built in.
 * @param occupants - points that lie inside when the map is sealed.
 */
export function floodOutside(
  planes: PlaneSet,
  tree: Tree,
  root: readonly number[],
  opens: (leaf: TreeLeaf) => boolean,
  occupants: readonly Vec[],
): Flood {
  /** The leaf each reached leaf was reached from, and the middle of the gap between them. */
  const from = new Map<TreeLeaf, { leaf: TreeLeaf | undefined; gap: Vec }>();
  const queue: TreeLeaf[] = [];
  const reach = (leaf: TreeLeaf, source: TreeLeaf | undefined, gap: Vec): void => {
    if (from.has(leaf) || !opens(leaf)) return;
    from.set(leaf, { leaf: source, gap });
    queue.push(leaf);
  };
  for (const leaf of treeLeafs(tree)) {
    const { planes: sides, windings } = leaf.cell!;
    const side = sides.findIndex((plane) => root.includes(plane));
    if (side >= 0) reach(leaf, undefined, windingCenter(windings[side]!));
  }
  // Nearest first, so that the path out has few steps.
  for (let i = 0; i < queue.length; i++) {
    const leaf = queue[i]!;
    const { planes: sides, windings } = leaf.cell!;
    sides.forEach((plane, side) => {
      visitLeafs(planes, tree, plane, windings[side]!, (next, winding) => {
        if (!from.has(next)) reach(next, leaf, windingCenter(winding));
      });
    });
  }
  const reached = new Set(from.keys());
  for (const point of occupants) {
    const leak: Vec[] = [point];
    let leaf: TreeLeaf | undefined = leafAt(planes, tree, ...point);
    if (!reached.has(leaf)) continue;
    while (leaf) {
      const step: { leaf: TreeLeaf | undefined; gap: Vec } = from.get(leaf)!;
      leak.push(leaf.center, step.gap);
      leaf = step.leaf;
    }
    return { reached, leak };
  }
  return { reached, leak: undefined };
}

/** Points that lie inside a map when it is sealed: where its entities stand. */
export function occupantsOf({ entities }: Models): Vec[] {
  return entities.flatMap((entity): Vec[] => {
    const origin = entity.model?.startsWith('*') ? undefined : entityVector(entity, 'origin');
    return origin ? [origin] : [];
  });
}

/** Says that a map leaks, or that nobody can tell. */
export function warnOfLeak(
  warnings: CompileWarning[],
  leak: readonly Vec[] | undefined,
  occupants: readonly Vec[],
): void {
  if (leak) {
    const [start, end] = [leak[0]!, leak.at(-1)!];
    const problem = `the map leaks: from ${pointText(start)} there is a way out at ${pointText(end)}`;
    warnings.push({ ...createWarning('leak', {}, `${problem}; the outside is not filled`), path: leak });
  } else if (occupants.length === 0) {
    const problem =
      'no entity has an origin, so the outside cannot be distinguished from the inside and is not filled';
    warnings.push(createWarning('no-occupants', {}, problem));
  }
}

const pointText = (point: Vec): string => `(${point.map((x) => Math.round(x)).join(' ')})`;
