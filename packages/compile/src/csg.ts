import {
  BEHIND,
  cutMeasured,
  IN_FRONT,
  isTiny,
  measureCorners,
  ON_EPSILON,
  type Winding,
  windingCenter,
} from '@bspkit/geometry';
import { addBox, type Box, boxAround, boxesTouch, emptyBox } from './box.ts';
import type { Brush } from './brushes.ts';
import { mergeWindings } from './merge.ts';
import type { PlaneSet } from './planes.ts';
import type { WorkCounts } from './work.ts';

/**
 * How a purpose (drawing, hull 1, lines of sight …) sees contents: the bits of everything at a point go in, a class comes out.
 * Only the border between two classes matters. A greater class hides a lesser one: of two brushes with the same side, the one of
 * the greater class gives the face. 0 is the class of nothing.
 */
export interface ContentsRule {
  classOf(bits: number): number;
  /** The class that nothing else changes: solid. */
  readonly solid: number;
}

/** Whether two rules see the same faces: whether every brush is either solid or nothing to both of them. */
export const seesSame = (brushes: readonly Brush[], one: ContentsRule, other: ContentsRule): boolean =>
  one.solid === other.solid &&
  brushes.every(({ contents }) => {
    const own = one.classOf(contents);
    return own === other.classOf(contents) && (own === 0 || own === one.solid);
  });

/** A piece of a brush side that borders on another class of contents. */
export interface Face {
  /** Plane with the face's brush behind it. */
  readonly plane: number;
  readonly winding: Winding;
  /** Brush and side the face comes from. */
  readonly brush: number;
  readonly side: number;
  /** Classes behind and in front of the face. */
  readonly back: number;
  readonly front: number;
}

interface Piece {
  readonly winding: Winding;
  readonly box: Box;
  /** Contents behind it and in front of it, and their classes. */
  readonly back: number;
  readonly front: number;
  readonly backClass: number;
  readonly frontClass: number;
}

/** What a brush does to the pieces of a side that are in it. */
interface Cutter {
  /** Its planes, without that of the side. */
  readonly planes: readonly number[];
  /** The contents that it adds behind pieces and in front of them. */
  readonly back: number;
  readonly front: number;
  /** Whether the side is also its own, and it gives the face. */
  readonly hides: boolean;
}

/** The most pieces in a group. */
const GROUP = 32;

/**
 * The pieces of a side in their order, in groups with bounds of their own. PERF: a side that is crossed by hundreds of brushes is
 * in as many pieces, most of which are nowhere near the next brush.
 */
class PieceList {
  private _groups: { readonly box: Box; readonly pieces: readonly Piece[] }[];
  private _count = 1;

  constructor(whole: Piece) {
    this._groups = [{ box: whole.box, pieces: [whole] }];
  }

  get count(): number {
    return this._count;
  }

  all(): Piece[] {
    return this._groups.flatMap(({ pieces }) => pieces);
  }

  /** Replaces the pieces that touch a box and that `split` makes others of. Returns how many are new. */
  replace(box: Box, split: (piece: Piece) => readonly Piece[] | undefined): number {
    let made = 0;
    const isAlone = this._groups.length === 1;
    const groups: typeof this._groups = [];
    for (const group of this._groups) {
      if (!boxesTouch(group.box, box, TOUCHING)) {
        groups.push(group);
        continue;
      }
      const pieces: Piece[] = [];
      let isChanged = false;
      for (const piece of group.pieces) {
        const parts = boxesTouch(piece.box, box, TOUCHING) ? split(piece) : undefined;
        if (parts) {
          isChanged = true;
          made += parts.length;
          for (const part of parts) pieces.push(part);
        } else pieces.push(piece);
      }
      if (!isChanged) {
        groups.push(group);
        continue;
      }
      this._count += pieces.length - group.pieces.length;
      // For a few pieces, the bounds of all of them are close enough.
      if (isAlone && pieces.length <= GROUP) groups.push({ box: group.box, pieces });
      else {
        for (let from = 0; from < pieces.length; from += GROUP) {
          const part = pieces.slice(from, from + GROUP);
          groups.push({ box: part.reduce((sum, piece) => addBox(sum, piece.box), emptyBox()), pieces: part });
        }
      }
    }
    this._groups = groups;
    return made;
  }
}

/** How far apart the bounds of a side and a brush that touch may be. */
const TOUCHING = 0.05;

/** A side in more pieces than this is cut next by the brushes that may cover most of it. */
const MANY_PIECES = 16;

/** Up to this many brushes cut in their own order, so that the faces of ordinary maps stay as they have been. */
const FEW_BRUSHES = 64;

/** For each brush, the numbers of the others whose boxes touch its own. */
function findNeighbors(brushes: readonly Pick<Brush, 'box' | 'place'>[], work: WorkCounts): number[][] {
  const order = brushes.map((_, i) => i);
  order.sort((a, b) => brushes[a]!.box.mins[0] - brushes[b]!.box.mins[0] || a - b);
  const neighbors: number[][] = brushes.map(() => []);
  for (let a = 0; a < order.length; a++) {
    const i = order[a]!;
    const { box, place } = brushes[i]!;
    let pairs = 0;
    for (let b = a + 1; b < order.length; b++) {
      const j = order[b]!;
      if (brushes[j]!.box.mins[0] > box.maxs[0] + 0.1) break;
      if (!boxesTouch(box, brushes[j]!.box, 0.1)) continue;
      neighbors[i]!.push(j);
      neighbors[j]!.push(i);
      pairs++;
    }
    work.add('pairs', pairs, place);
  }
  for (const list of neighbors) list.sort((a, b) => a - b);
  return neighbors;
}

/**
 * The order in which brushes cut what is left of a side: if many touch it, those that may cover most come first. PERF: then what
 * a large one covers is not first cut up by small ones, which took n³ time for n overlapping boxes: 200 took 20 times as long.
 * Not until a side is in many pieces: most sides are soon covered by whatever comes first, and sorting hundreds of brushes takes
 * longer than that.
 */
function largestFirst(
  brushes: readonly { readonly box: Box }[],
  neighbors: readonly number[],
  side: Box,
): readonly number[] {
  const { mins, maxs } = side;
  const sizes = new Map<number, number>();
  for (const brush of neighbors) {
    const { box } = brushes[brush]!;
    if (!boxesTouch(side, box, TOUCHING)) continue;
    let size = 1;
    // A side along an axis has no depth; a brush that touches it at its edge covers next to nothing.
    for (let k = 0; k < 3; k++)
      size *= Math.min(maxs[k]!, box.maxs[k]!) - Math.max(mins[k]!, box.mins[k]!) + 2 * TOUCHING;
    sizes.set(brush, size);
  }
  if (sizes.size <= FEW_BRUSHES) return neighbors;
  return [...sizes.keys()].sort((a, b) => sizes.get(b)! - sizes.get(a)! || a - b);
}

/**
 * The union of brushes, as faces: the pieces of brush sides that have different classes of contents behind and in front of them.
 * What is inside other brushes, or between two that touch, is gone.
 */
export function unionFaces(
  planes: PlaneSet,
  brushes: readonly Brush[],
  rule: ContentsRule,
  work: WorkCounts,
  onBrush?: (done: number) => void,
): Face[] {
  const neighbors = findNeighbors(brushes, work);
  const faces: Face[] = [];
  for (let i = 0; i < brushes.length; i++) {
    const { solid, contents, place } = brushes[i]!;
    const own = rule.classOf(contents);
    if (own !== 0) {
      for (let side = 0; side < solid.planes.length; side++) {
        const plane = solid.planes[side]!;
        const winding = solid.windings[side]!;
        const box = boxAround([winding]);
        const pieces = new PieceList({
          winding,
          box,
          back: contents,
          front: 0,
          backClass: own,
          frontClass: 0,
        });
        const cutBy = (j: number): void => {
          const other = brushes[j]!;
          if (!boxesTouch(box, other.box, TOUCHING)) return;
          const theirs = rule.classOf(other.contents);
          const cutter = cutterOf(other, plane, theirs > own || (theirs === own && j < i));
          const made = pieces.replace(other.box, (piece) => splitPiece(planes, piece, cutter, rule));
          work.add('pieces', made, place);
        };
        const others = neighbors[i]!;
        let next = 0;
        while (next < others.length && pieces.count > 0 && pieces.count <= MANY_PIECES)
          cutBy(others[next++]!);
        if (pieces.count > MANY_PIECES) {
          for (const j of largestFirst(brushes, others.slice(next), box)) if (pieces.count > 0) cutBy(j);
        }
        const joined = joinPieces(planes, pieces.all(), { plane, brush: i, side });
        work.add('faces', joined.length, place);
        for (const face of joined) faces.push(face);
      }
    }
    onBrush?.(i + 1);
  }
  return faces;
}

/** The pieces of a side that separate two classes, merged into as few faces as possible. */
function joinPieces(
  planes: PlaneSet,
  pieces: readonly Piece[],
  { plane, brush, side }: Pick<Face, 'plane' | 'brush' | 'side'>,
): Face[] {
  const groups = new Map<string, { back: number; front: number; windings: Winding[] }>();
  for (const piece of pieces) {
    const { winding, backClass: back, frontClass: front } = piece;
    if (back === front) continue;
    const key = `${back} ${front}`;
    const group = groups.get(key);
    if (group) group.windings.push(winding);
    else groups.set(key, { back, front, windings: [winding] });
  }
  const normal = [planes.nx[plane]!, planes.ny[plane]!, planes.nz[plane]!];
  return [...groups.values()].flatMap(({ back, front, windings }) =>
    mergeWindings(windings, normal).map((winding): Face => ({ plane, winding, brush, side, back, front })),
  );
}

/** How a brush cuts the pieces of a side on a plane: it is on both sides of them, unless the side is also one of its own. */
function cutterOf({ solid, contents }: Brush, plane: number, givesFace: boolean): Cutter {
  const same = solid.planes.includes(plane);
  const opposite = solid.planes.includes(plane ^ 1);
  return {
    planes: same || opposite ? solid.planes.filter((own) => own >> 1 !== plane >> 1) : solid.planes,
    back: opposite ? 0 : contents,
    front: same ? 0 : contents,
    hides: same && givesFace,
  };
}

/**
 * Splits a piece of a side into what is outside another brush and what is in it or on it; `undefined` if that changes nothing.
 */
function splitPiece(
  planes: PlaneSet,
  piece: Piece,
  cutter: Cutter,
  rule: ContentsRule,
): readonly Piece[] | undefined {
  const back = piece.back | cutter.back;
  const front = piece.front | cutter.front;
  const backClass = rule.classOf(back);
  const frontClass = rule.classOf(front);
  const dropped = cutter.hides || (backClass === rule.solid && frontClass === rule.solid);
  if (!dropped && backClass === piece.backClass && frontClass === piece.frontClass) return undefined;
  // PERF: checked first, so that it is not cut up needlessly.
  if (isOutside(planes, piece.winding, cutter.planes)) return undefined;
  const parts: Piece[] = [];
  let inside = piece.winding;
  for (const plane of cutter.planes) {
    const where = measureCorners(
      inside,
      planes.nx[plane]!,
      planes.ny[plane]!,
      planes.nz[plane]!,
      planes.dist[plane]!,
      ON_EPSILON,
    );
    if (where === BEHIND || (where === 0 && !isInFront(planes, plane, inside))) continue;
    if (where !== (IN_FRONT | BEHIND)) return undefined;
    const cut = cutMeasured(inside, ON_EPSILON);
    if (!isTiny(cut.front)) parts.push(partOf(piece, cut.front));
    inside = cut.back;
  }
  if (isTiny(inside)) return undefined;
  if (!dropped) parts.push({ winding: inside, box: boxAround([inside]), back, front, backClass, frontClass });
  return parts;
}

/** Written out. PERF: spreading the piece took a quarter of the time of heaps of brushes. */
const partOf = ({ back, front, backClass, frontClass }: Piece, winding: Winding): Piece => ({
  winding,
  box: boxAround([winding]),
  back,
  front,
  backClass,
  frontClass,
});

/** Whether a winding that is within rounding of a plane is in front of it, by its middle. */
function isInFront(planes: PlaneSet, plane: number, winding: Winding): boolean {
  const [x, y, z] = windingCenter(winding);
  return planes.distance(plane, x, y, z) >= 0;
}

/** Corners this far behind a plane do not count as behind it, wherever a winding is cut between them. */
const SURELY = ON_EPSILON - 1e-4;

/** Whether all of a winding is in front of one of a brush's planes by more than rounding, so that no part of it is in the brush. */
function isOutside({ nx, ny, nz, dist }: PlaneSet, winding: Winding, cutters: readonly number[]): boolean {
  for (const plane of cutters) {
    const x = nx[plane]!;
    const y = ny[plane]!;
    const z = nz[plane]!;
    const from = dist[plane]!;
    let most = 0;
    let i = 0;
    for (; i < winding.length; i += 3) {
      const distance = winding[i]! * x + winding[i + 1]! * y + winding[i + 2]! * z - from;
      if (distance <= -SURELY) break;
      if (distance > most) most = distance;
    }
    if (i >= winding.length && most > 2 * ON_EPSILON) return true;
  }
  return false;
}
