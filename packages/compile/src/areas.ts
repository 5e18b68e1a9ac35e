import { clipBehind, isTiny, type Winding } from '@bspkit/geometry';
import type { Brush } from './brushes.ts';
import { type CompileWarning, createWarning, type SourcePlace } from './error.ts';
import { CONTENTS } from './flags.ts';
import type { Occupant } from './flood.ts';
import type { Model, WorldClasses } from './models.ts';
import type { PlaneSet } from './planes.ts';
import { type Cells, type Tree, type TreeLeaf, treeLeafs } from './tree.ts';
import { leafAt, visitLeafs } from './tree-walk.ts';

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

/** An area portal during the search: where one of its brushes is from, all of them, and the areas around it. */
interface FoundPortal {
  readonly place: SourcePlace;
  readonly brushes: Brush[];
  readonly met: Set<number>;
}

/**
 * Divides the open leafs of a tree into areas: an area is everything that can be reached without passing an area portal. All
 * brushes of an entity are one portal; each of the world's own brushes is one by itself. Portals that stand one behind the other
 * without a space between them are an area too, so that the way is open only if all of them are. Portals between more than two
 * areas cannot be written to a file, and are left open.
 *
 * @param cells - those of at least the open leafs.
 * @param isOpen - whether a leaf is neither solid nor outside the map.
 * @param occupants - what shows that somebody gets to an area; all without a portal and an occupant are one.
 * @param isWorld - whether an entity of the source is the world.
 */
export function findAreas(
  planes: PlaneSet,
  tree: Tree,
  cells: Cells,
  brushes: readonly Brush[],
  isOpen: (leaf: TreeLeaf) => boolean,
  occupants: readonly Occupant[],
  isWorld: (entity: number) => boolean,
  warnings: CompileWarning[],
): Areas {
  const leafs = [...treeLeafs(tree)].filter(isOpen);
  const byKey = new Map<string, FoundPortal>();
  const byBrush = new Map<number, FoundPortal>();
  for (const [index, brush] of brushes.entries()) {
    if (!isPortal(brush)) continue;
    const { place } = brush;
    const { entity = 0, brush: number = 0 } = place;
    const key = isWorld(entity) ? `${entity} ${number}` : String(entity);
    const portal = byKey.get(key) ?? { place, brushes: [], met: new Set() };
    byKey.set(key, portal);
    byBrush.set(index, portal);
    portal.brushes.push(brush);
  }
  const portals = new Set(byKey.values());
  // A leaf may be in several: no face divides two that touch. It is open with the first that is.
  const portalsOf = ({ holders, brushes: all }: TreeLeaf): readonly FoundPortal[] => {
    if (!holders.some((brush) => byBrush.has(brush))) return [];
    const found = new Set(all.flatMap((brush) => byBrush.get(brush) ?? []));
    return [...found].every((portal) => portals.has(portal)) ? [...found] : [];
  };
  const visitNext: VisitNext = (leaf, visit) => {
    const { planes: sides, windings } = cells.get(leaf)!;
    sides.forEach((plane, side) => {
      visitLeafs(planes, tree, plane, windings[side]!, (next, window) => {
        if (isOpen(next)) visit(next, window);
      });
    });
  };
  for (;;) {
    const areas = new Map<TreeLeaf, number>();
    const count = flood(planes, leafs, areas, portalsOf, visitNext);
    const all = joinPortals(leafs, areas, count, portalsOf, visitNext);
    const wide = [...portals].filter(({ met }) => met.size > 2);
    if (wide.length === 0) {
      const held = occupants.map(({ point }) => areas.get(leafAt(planes, tree, ...point)));
      const numbers = numberAreas(all, [...[...portals].flatMap(({ met }) => [...met]), ...held]);
      const of = (leaf: TreeLeaf): number => {
        const [portal] = portalsOf(leaf);
        return numbers[areas.get(leaf) ?? (portal ? Math.min(...portal.met, count - 1) : 0)]!;
      };
      const most = numbers.reduce((most, number) => Math.max(most, number));
      return { of, count: most + 1, portals: numberPortals(portals, numbers, warnings) };
    }
    for (const portal of wide) {
      portals.delete(portal);
      warn(portal, warnings);
    }
    for (const { met } of portals) met.clear();
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

function warn({ place, met }: FoundPortal, warnings: CompileWarning[]): void {
  const areas = met.size;
  const problem = `the area portal touches ${areas} ${areas === 1 ? 'area' : 'areas'}, not two, and divides nothing`;
  warnings.push(createWarning('area-portal', place, problem));
}

/**
 * The numbers of areas in the file, by those of the search. All that are not `used` share one: there may be hundreds of them, as between
 * brushes that overlap.
 */
function numberAreas(count: number, used: Iterable<number | undefined>): number[] {
  const own = new Set(used);
  const numbers = [0];
  let next = 1;
  let shared = 0;
  for (let area = 1; area < count; area++) {
    if (!own.has(area) && shared === 0) shared = next++;
    numbers.push(own.has(area) ? next++ : shared);
  }
  return numbers;
}

function numberPortals(
  found: Iterable<FoundPortal>,
  numbers: readonly number[],
  warnings: CompileWarning[],
): AreaPortal[] {
  const portals: AreaPortal[] = [];
  for (const portal of found) {
    const [one, other] = portal.met;
    if (one === undefined || other === undefined) warn(portal, warnings);
    else
      portals.push({
        number: portals.length + 1,
        place: portal.place,
        areas: [numbers[one]!, numbers[other]!],
      });
  }
  return portals;
}

/** The portals that a leaf is in. */
type PortalsOf = (leaf: TreeLeaf) => readonly FoundPortal[];

/** Visits the open leafs beside a leaf, each with the window between them. */
type VisitNext = (leaf: TreeLeaf, visit: (next: TreeLeaf, window: Winding) => void) => void;

/** Numbers areas from 1, and notes at portals which of them they meet. Returns how many there are, including 0. */
function flood(
  planes: PlaneSet,
  leafs: readonly TreeLeaf[],
  areas: Map<TreeLeaf, number>,
  portalsOf: PortalsOf,
  visitNext: VisitNext,
): number {
  let count = 1;
  for (const first of leafs) {
    if (areas.has(first) || portalsOf(first).length > 0) continue;
    const area = count++;
    areas.set(first, area);
    const queue = [first];
    for (let leaf = queue.pop(); leaf; leaf = queue.pop()) {
      visitNext(leaf, (next, window) => {
        const portals = portalsOf(next);
        for (const { brushes, met } of portals) {
          const isMet = portals.length === 1 || brushes.some((brush) => touches(planes, brush, window));
          if (isMet) met.add(area);
        }
        if (portals.length === 0 && !areas.has(next)) {
          areas.set(next, area);
          queue.push(next);
        }
      });
    }
  }
  return count;
}

/** Whether any of a face is within a brush, or on one of its sides. */
function touches({ nx, ny, nz, dist }: PlaneSet, { solid }: Brush, face: Winding): boolean {
  let part: Winding | undefined = face;
  for (const plane of solid.planes) {
    part = clipBehind(part, nx[plane]!, ny[plane]!, nz[plane]!, dist[plane]!);
    if (!part) return false;
  }
  return !isTiny(part);
}

/**
 * Makes an area of the leafs of portals that touch each other, each of which meets one area at most, but together they meet
 * several. Portals between two areas that touch them, and so lead to a third, meet that, too. Returns how many areas there are
 * then.
 */
function joinPortals(
  leafs: readonly TreeLeaf[],
  areas: Map<TreeLeaf, number>,
  count: number,
  portalsOf: PortalsOf,
  visitNext: VisitNext,
): number {
  const reached = new Set<TreeLeaf>();
  for (const first of leafs) {
    const portals = new Set<FoundPortal>();
    const beside = new Set<FoundPortal>();
    const group: TreeLeaf[] = [];
    const reach = (leaf: TreeLeaf): void => {
      const all = portalsOf(leaf);
      const ending = all.filter(({ met }) => met.size < 2);
      if (group.length > 0 || ending.length > 0)
        for (const portal of all) if (portal.met.size >= 2) beside.add(portal);
      if (ending.length === 0 || reached.has(leaf)) return;
      for (const portal of ending) portals.add(portal);
      reached.add(leaf);
      group.push(leaf);
    };
    reach(first);
    // It grows meanwhile.
    for (const leaf of group) visitNext(leaf, reach);
    const areasOf = (some: Iterable<FoundPortal>): number[] => [...some].flatMap(({ met }) => [...met]);
    const ends = new Set(areasOf(portals));
    const all = [...ends, ...areasOf(beside)];
    for (const { met } of beside) for (const area of all) met.add(area);
    if (ends.size < 2) continue;
    for (const leaf of group) areas.set(leaf, count);
    for (const { met } of portals) met.add(count);
    count++;
  }
  for (const leaf of leafs) {
    const portals = portalsOf(leaf);
    if (portals.length === 0) continue;
    for (const portal of portals) for (const other of portals) crossPortals(portal, other);
    visitNext(leaf, (next) => {
      for (const portal of portals) for (const other of portalsOf(next)) crossPortals(portal, other);
    });
  }
  return count;
}

/** Two portals that touch lead from each other's areas to those of the other: as written, only if they have one in common. */
function crossPortals({ met }: FoundPortal, { met: other }: FoundPortal): void {
  if (met.size < 2 || other.size < 2 || [...met].some((area) => other.has(area))) return;
  for (const area of other) met.add(area);
  for (const area of met) other.add(area);
}
