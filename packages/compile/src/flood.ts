import { entityVector } from '@bspkit/core';
import { type Vec, windingCenter } from '@bspkit/geometry';
import { type CompileWarning, createWarning, type SourcePlace, shortened } from './error.ts';
import type { Models } from './models.ts';
import type { PlaneSet } from './planes.ts';
import type { Cells, Tree, TreeLeaf } from './tree.ts';
import { leafAt, visitLeafs } from './tree-walk.ts';

/** An entity, which is inside a map if that is sealed. */
export interface Occupant {
  readonly point: Vec;
  readonly name: string;
  readonly place: SourcePlace;
}

/** A way out of a map that is not sealed. */
export interface Leak {
  readonly from: Occupant;
  /** Points on it, from the occupant to the outside; only the occupant's if that is outside the map. */
  readonly path: readonly Vec[];
}

/** The result of flooding a map from outside. */
export interface Flood {
  /** Leafs reached from outside. */
  readonly reached: ReadonlySet<TreeLeaf>;
  /** The occupants that are in the open: only these show what is inside. */
  readonly standing: readonly Occupant[];
  /** The first leak that was found, if any. */
  readonly leak: Leak | undefined;
}

/**
 * Floods a tree from outside its box through all leafs that `opens` accepts.
 *
 * @param cells - those of at least these leafs, in the order of the tree.
 * @param root - planes of the box the tree was built in.
 */
export function floodOutside(
  planes: PlaneSet,
  tree: Tree,
  cells: Cells,
  root: readonly number[],
  opens: (leaf: TreeLeaf) => boolean,
  occupants: readonly Occupant[],
): Flood {
  /** For each reached leaf, the leaf it was reached from, and the middle of the gap between them. */
  const from = new Map<TreeLeaf, { leaf: TreeLeaf | undefined; gap: Vec }>();
  const queue: TreeLeaf[] = [];
  const reach = (leaf: TreeLeaf, source: TreeLeaf | undefined, gap: Vec): void => {
    if (from.has(leaf) || !opens(leaf)) return;
    from.set(leaf, { leaf: source, gap });
    queue.push(leaf);
  };
  for (const [leaf, { planes: sides, windings }] of cells) {
    const side = sides.findIndex((plane) => root.includes(plane));
    if (side >= 0) reach(leaf, undefined, windingCenter(windings[side]!));
  }
  // Nearest first, so that the path out has few steps.
  for (let i = 0; i < queue.length; i++) {
    const leaf = queue[i]!;
    const { planes: sides, windings } = cells.get(leaf)!;
    sides.forEach((plane, side) => {
      visitLeafs(planes, tree, plane, windings[side]!, (next, winding) => {
        if (!from.has(next)) reach(next, leaf, windingCenter(winding));
      });
    });
  }
  const reached = new Set(from.keys());
  const standing = occupants.filter(({ point }) => opens(leafAt(planes, tree, ...point)));
  let astray: Leak | undefined;
  for (const occupant of standing) {
    const { point } = occupant;
    const path: Vec[] = [point];
    let leaf: TreeLeaf | undefined = leafAt(planes, tree, ...point);
    if (!reached.has(leaf)) continue;
    // An occupant beyond the box cannot go anywhere: all walls may be there. Others may show a way out.
    if (root.some((plane) => planes.distance(plane, ...point) > 0)) {
      astray ??= { from: occupant, path };
      continue;
    }
    while (leaf) {
      const step: { leaf: TreeLeaf | undefined; gap: Vec } = from.get(leaf)!;
      path.push(leaf.center, step.gap);
      leaf = step.leaf;
    }
    return { reached, standing, leak: { from: occupant, path } };
  }
  return { reached, standing, leak: astray };
}

/** The entities of a map that have a place. */
export function occupantsOf({ entities, sources }: Models): Occupant[] {
  return entities.flatMap((entity, k): Occupant[] => {
    const point = entity.model?.startsWith('*') ? undefined : entityVector(entity, 'origin');
    return point ? [{ point, name: entity.classname || 'an entity', place: sources[k]! }] : [];
  });
}

/** Warns that a map leaks, and of the consequences. */
export function warnOfLeak(warnings: CompileWarning[], { from, path }: Leak, result = ''): void {
  const at = `${shortened(from.name)} at (${pointText(from.point)})`;
  const way =
    path.length === 1
      ? `${at} stands outside`
      : `from ${at} there is a way out at (${pointText(path.at(-1)!)})`;
  warnings.push({ ...createWarning('leak', from.place, `the map leaks: ${way}${result}`), path });
}

/** Warns that the outside of a map is not filled: because it leaks, or because nothing shows what is inside. */
export function warnOfOutside(
  warnings: CompileWarning[],
  { leak, standing }: Pick<Flood, 'leak' | 'standing'>,
): void {
  if (leak) warnOfLeak(warnings, leak, '; the outside is not filled');
  else if (standing.length === 0) {
    const problem =
      'no entity with an origin stands in the open, so the outside cannot be distinguished from the inside and is not filled';
    warnings.push(createWarning('no-occupants', {}, problem));
  }
}

const pointText = (point: Vec): string => point.map((x) => Math.round(x)).join(' ');
