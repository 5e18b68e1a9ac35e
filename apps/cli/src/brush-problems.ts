import type { BspWorld } from '@bspkit/core';
import type { BspFile, BspFormat } from '@bspkit/core/format';
import { areaSize, type BodyPlanes, bodyVolume, isEndlessBody } from '@bspkit/geometry';
import { count, show, showVec } from '@bspkit/words';
import { BrushBody } from './brush-body.ts';
import { type Stop, StopFinder } from './brush-stops.ts';
import { withMapName } from './errors.ts';
import { cells } from './numbers.ts';
import type { OpenMap } from './open-map.ts';

type Point = readonly number[];

/** Something about a brush that neither a level's author nor its compiler can have meant. */
export interface BrushProblem {
  /** The map of an assembly that it is in; `null` for a single map. */
  readonly part: string | null;
  readonly brush: number;
  /** 0 for the world, k for the inline model `*k`; points are in its own frame. */
  readonly model: number;
  readonly contents: number;
  readonly contentsNames: readonly string[];
  /** The one on its largest face; `null` for none. */
  readonly texture: string | null;
  /** Corners of the box around it; `null` where it has no corners, or no end. */
  readonly mins: Point | null;
  readonly maxs: Point | null;
  readonly kind: 'in-air' | 'parallel' | 'no-volume' | 'not-closed' | 'sides' | 'crowded';
  /** `in-air`: how far from it players are stopped; `parallel`: how far apart the two sides are. */
  readonly gap: number | null;
  /** `in-air`: a move that it stops, of a box (two corners) by a mask, as `--box` and `--mask` take them; `null` for no mask. */
  readonly from: Point | null;
  readonly to: Point | null;
  readonly box: Point | null;
  readonly mask: string | null;
  /** `in-air`: where that ends, and the normal of the plane that it lacks. */
  readonly end: Point | null;
  readonly normal: Point | null;
  /** For people. */
  readonly problem: string;
}

type OnProgress = (stage: string, part: number) => void;

/** What was checked, and what is wrong. */
export interface CheckedBrushes {
  /** `null` for formats that keep no brushes. */
  readonly brushes: number | null;
  readonly problems: readonly BrushProblem[];
}

/**
 * Gaps above this are reported, in Quake units. Compilers round planes, which leaves gaps of a tenth in good maps; and engines stop
 * players up to an eighth in front of what they touch.
 */
export const GAP = 0.5;

/** Brushes with more sides are not examined: no compiler makes them, and the time grows with the cube of their number. */
const MOST_SIDES = 256;
/** Less volume than this is none, in cubic Quake units. */
const MIN_VOLUME = 1e-3;
/** How much normals of parallel sides may differ in each direction: by the rounding of float32. */
const PARALLEL = 1e-5;

/**
 * Looks for brushes that stop players where nothing is, and for those whose sides contradict each other: what compilers get wrong.
 * The worst come first.
 *
 * @param onProgress - is called with what is being done, and how far that is, 0 to 1.
 */
export function findBrushProblems(
  { name, format, file, parts, world }: OpenMap,
  gap: number,
  onProgress: OnProgress = () => {},
): CheckedBrushes {
  if (!format.brushes) return { brushes: null, problems: [] };
  if (file) return withMapName(name, () => checkFile(format, file, world, gap, null, onProgress));
  // Each map by itself, once: how brushes are made does not depend on where it is.
  const files = [...new Map(parts.map((part) => [part.file, part.name]))];
  const found = files.map(([file, name], k) => {
    const progress: OnProgress = (stage, part) => onProgress(stage, (k + part) / files.length);
    return withMapName(name, () => checkFile(format, file, format.createWorld([file]), gap, name, progress));
  });
  return {
    brushes: found.reduce((sum, { brushes }) => sum + brushes!, 0),
    problems: found.flatMap(({ problems }) => problems).sort(byGap),
  };
}

const byGap = (a: BrushProblem, b: BrushProblem): number =>
  (b.gap ?? Infinity) - (a.gap ?? Infinity) || a.brush - b.brush;

function checkFile(
  format: BspFormat,
  file: BspFile,
  world: BspWorld,
  gap: number,
  part: string | null,
  onProgress: OnProgress,
): CheckedBrushes {
  const brushes = [...format.brushes!(file)];
  const bodies = brushes.map((brush, k) => {
    onProgress('cutting faces', k / brushes.length);
    return new BrushBody(brush, MOST_SIDES);
  });
  const finder = new StopFinder(format, world, bodies);
  const names = world.textureNames();
  const problems = finder.leastCrowdedFirst().flatMap((body, k) => {
    onProgress('checking brushes', k / bodies.length);
    return faultsOf(body, finder, gap).map(({ kind, problem, gap: apart, stop }): BrushProblem => {
      const { brush, model, contents, textures } = body.brush;
      const bounds = kind === 'not-closed' ? undefined : body.bounds;
      return {
        ...{ part, brush, model, contents, contentsNames: format.contents.names(contents) },
        texture: names[textures[largest(body.faces)] ?? -1] || null,
        mins: bounds ? cells(bounds.mins) : null,
        maxs: bounds ? cells(bounds.maxs) : null,
        ...{ kind, gap: apart === undefined ? null : cells([apart])[0]! },
        ...(stop ? moveOf(stop) : NO_STOP),
        problem,
      };
    });
  });
  return { brushes: bodies.length, problems: problems.sort(byGap) };
}

/** What is wrong with a brush. */
interface Fault extends Pick<BrushProblem, 'kind' | 'problem'> {
  readonly gap?: number;
  readonly stop?: Stop;
}

function faultsOf(body: BrushBody, finder: StopFinder, gap: number): Fault[] {
  const { brush, planes, faces } = body;
  const sides = brush.planes.length;
  // The games skip these: they stop nothing, and no compiler's user can do anything about them.
  if (sides === 0) return [];
  if (sides > MOST_SIDES) {
    return [{ kind: 'sides', problem: `has ${count(sides, 'side')}, too many to check` }];
  }
  if (isEndlessBody(planes, faces)) return [{ kind: 'not-closed', problem: 'has no end: sides are missing' }];
  if (bodyVolume(faces) < MIN_VOLUME) {
    return [{ kind: 'no-volume', problem: 'has no volume: its sides leave nothing between them' }];
  }
  const faults: Fault[] = [];
  const stop = finder.find(body, gap);
  if (stop === 'crowded') {
    faults.push({
      kind: 'crowded',
      problem: 'is not checked for where it stops players: too many brushes of the map are in one place',
    });
  } else if (stop) faults.push({ kind: 'in-air', gap: stop.gap, stop, problem: stopText(stop) });
  const apart = parallelSides(planes);
  if (apart > gap) {
    const problem = `has two sides that face the same way, ${showGap(apart)} units apart`;
    faults.push({ kind: 'parallel', gap: apart, problem });
  }
  return faults;
}

/** With two digits behind the point, or what it begins with: it is not 0. */
function showGap(gap: number): string {
  const text = show(gap, 2);
  return text === '0' ? String(Number(gap.toPrecision(2))) : text;
}

const stopText = ({ gap, end }: Stop): string =>
  `stops players ${showGap(gap)} units away, at ${showVec(end, 2)}`;

/** How far apart two sides are at most that face the same way: the inner one cuts into the brush, or the outer one is of no use. */
function parallelSides(planes: BodyPlanes): number {
  let most = 0;
  for (let a = 0; a < planes.length; a += 4) {
    for (let b = a + 4; b < planes.length; b += 4) {
      const isSame = [0, 1, 2].every((k) => Math.abs(planes[a + k]! - planes[b + k]!) < PARALLEL);
      if (isSame) most = Math.max(most, Math.abs(planes[a + 3]! - planes[b + 3]!));
    }
  }
  return most;
}

function largest(faces: BrushBody['faces']): number {
  const areas = faces.map((face) => (face ? areaSize(face) : 0));
  return areas.indexOf(Math.max(...areas));
}

const moveOf = ({ from, to, box, mask, end, normal }: Stop) => ({ from, to, box, mask, end, normal });
const NO_STOP = { from: null, to: null, box: null, mask: null, end: null, normal: null };
