import type { Brush } from './brushes.ts';
import { type CompileWarning, createWarning, type SourcePlace } from './error.ts';
import { CONTENTS } from './flags.ts';
import type { Model, WorldClasses } from './models.ts';
import type { PlaneSet } from './planes.ts';
import { type Cells, type Tree, type TreeLeaf, treeLeafs } from './tree.ts';
import { visitLeafs } from './tree-walk.ts';

/** The class of entities whose brushes are area portals of the world. */
export const AREA_PORTAL = 'func_areaportal';

/** The same with what its brushes become, whatever their material: as the game that has the class takes them. */
export const PORTAL_CLASSES: WorldClasses = { func_areaportal: 'areaportal' };

/** Whether a brush only divides the map into areas, and is nothing else, whatever its material. */
export const isPortal = ({ contents }: Brush): boolean => (contents & CONTENTS.areaportal) !== 0;

/** An area portal, which can close the way between two areas. */
interface AreaPortal {
  /** Number by which the game opens and closes it, from 1. */
  readonly number: number;
  /** The entity of the source that it belongs to, and one of its brushes. */
  readonly place: SourcePlace;
  /** The two areas. */
  readonly areas: readonly [number, number];
}

/** How a map is divided. */
export interface Areas {
  /** Area of each open leaf, from 1; 0 for solid. */
  readonly of: (leaf: TreeLeaf) => number;
  /** How many areas there are, including that of solid leafs (0). */
  readonly count: number;
  readonly portals: readonly AreaPortal[];
}

/** An area portal during the search: one of its brushes, and the areas around it. */
interface FoundPortal {
  readonly place: SourcePlace;
  readonly met: Set<number>;
}

/**
 * Divides the open leafs of a tree into areas: an area is everything that can be reached without passing an area portal. All
 * brushes of an entity are one portal; each of the world's own brushes is one by itself. Portals between more than two areas
 * cannot be written to a file, and are left open.
 *
 * @param cells - those of at least the open leafs.
 * @param isOpen - whether a leaf is neither solid nor outside the map.
 * @param isWorld - whether an entity of the source is the world.
 */
export function findAreas(
  planes: PlaneSet,
  tree: Tree,
  cells: Cells,
  brushes: readonly Brush[],
  isOpen: (leaf: TreeLeaf) => boolean,
  isWorld: (entity: number) => boolean,
  warnings: CompileWarning[],
): Areas {
  const leafs = [...treeLeafs(tree)].filter(isOpen);
  const places = new Map<string, SourcePlace>();
  const keys = new Map<number, string>();
  for (const [index, brush] of brushes.entries()) {
    if (!isPortal(brush)) continue;
    const { entity = 0, brush: number = 0 } = brush.place;
    const key = isWorld(entity) ? `${entity} ${number}` : String(entity);
    keys.set(index, key);
    if (!places.has(key)) places.set(key, brush.place);
  }
  for (;;) {
    // A leaf may be in several: no face divides two that are side by side.
    const portalsOf = ({ holders, brushes: all }: TreeLeaf): string[] => {
      const isCounted = (brush: number): boolean => places.has(keys.get(brush) ?? '');
      if (!holders.some(isCounted)) return [];
      return [...new Set(all.filter(isCounted).map((brush) => keys.get(brush)!))];
    };
    const found = new Map(
      [...places].map(([key, place]): [string, FoundPortal] => [key, { place, met: new Set() }]),
    );
    const { areas, count } = flood(planes, tree, cells, leafs, isOpen, (leaf) =>
      portalsOf(leaf).map((key) => found.get(key)!),
    );
    const wide = [...found].filter(([, { met }]) => met.size > 2);
    if (wide.length === 0) {
      const of = (leaf: TreeLeaf): number => {
        const [key] = portalsOf(leaf);
        return key === undefined ? (areas.get(leaf) ?? 0) : Math.min(...found.get(key)!.met, count - 1);
      };
      return { of, count, portals: numberPortals([...found.values()], warnings) };
    }
    for (const [key, { place, met }] of wide) {
      places.delete(key);
      warn(place, met.size, warnings);
    }
  }
}

/**
 * Warns of area portals that divide nothing wherever they are: those of models, which may move, and those of the world that do
 * not shape its tree.
 *
 * @param isShaping - whether a brush of the world is among those that shape its tree.
 */
export function warnOfIdlePortals(
  [world, ...others]: readonly Model[],
  isShaping: (brush: Brush) => boolean,
  warnings: CompileWarning[],
): void {
  const say = (brushes: readonly Brush[], why: string): void => {
    for (const brush of brushes) {
      if (!isPortal(brush)) continue;
      warnings.push(createWarning('area-portal', brush.place, `the area portal ${why}, and divides nothing`));
    }
  };
  say(
    world!.brushes.filter((brush) => !isShaping(brush)),
    'is detail',
  );
  for (const { brushes } of others) say(brushes, 'is part of a model');
}

function warn(place: SourcePlace, areas: number, warnings: CompileWarning[]): void {
  const problem = `the area portal touches ${areas} ${areas === 1 ? 'area' : 'areas'}, not two, and divides nothing`;
  warnings.push(createWarning('area-portal', place, problem));
}

function numberPortals(found: readonly FoundPortal[], warnings: CompileWarning[]): AreaPortal[] {
  const portals: AreaPortal[] = [];
  for (const { place, met } of found) {
    const [one, other] = met;
    if (one === undefined || other === undefined) warn(place, met.size, warnings);
    else portals.push({ number: portals.length + 1, place, areas: [one, other] });
  }
  return portals;
}

/** Numbers areas from 1, and notes at portals which of them they meet. */
function flood(
  planes: PlaneSet,
  tree: Tree,
  cells: Cells,
  leafs: readonly TreeLeaf[],
  isOpen: (leaf: TreeLeaf) => boolean,
  portalsOf: (leaf: TreeLeaf) => readonly FoundPortal[],
): { areas: Map<TreeLeaf, number>; count: number } {
  const areas = new Map<TreeLeaf, number>();
  let count = 1;
  for (const first of leafs) {
    if (areas.has(first) || portalsOf(first).length > 0) continue;
    const area = count++;
    areas.set(first, area);
    const queue = [first];
    for (let leaf = queue.pop(); leaf; leaf = queue.pop()) {
      const { planes: sides, windings } = cells.get(leaf)!;
      sides.forEach((plane, side) => {
        visitLeafs(planes, tree, plane, windings[side]!, (next) => {
          if (!isOpen(next)) return;
          const portals = portalsOf(next);
          for (const { met } of portals) met.add(area);
          if (portals.length === 0 && !areas.has(next)) {
            areas.set(next, area);
            queue.push(next);
          }
        });
      });
    }
  }
  return { areas, count };
}
