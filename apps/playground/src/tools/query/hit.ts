import type { Explanation, Trace, Vec3 } from '@bspkit/core';
import type { BspFile, FileBrush } from '@bspkit/core/format';
import { dot } from '@bspkit/geometry';
import type { ModelAt, ModelFrames } from '@bspkit/words';
import type { OpenMap } from '../../app/open-map.ts';
import { edgesOfFaces, type Face, faceOn, facesOf } from '../draw/polygons.ts';

/** What was hit, to be drawn: in the frame of the model that it belongs to. */
export interface HitOutline {
  /** Edges of the brush, as line segments; empty where no brush is known. */
  readonly brush: readonly number[];
  /** Corners of the side or surface; empty where none is known. */
  readonly side: ArrayLike<number>;
}

const brushLists: WeakMap<BspFile, ReadonlyMap<number, FileBrush>> = new WeakMap();
const faceLists: WeakMap<FileBrush, readonly Face[]> = new WeakMap();

/** The brushes of a map by number; none for formats that keep none. */
export function brushesOf({ format, file }: OpenMap): ReadonlyMap<number, FileBrush> {
  let list = brushLists.get(file);
  if (!list) {
    list = new Map([...(format.brushes?.(file) ?? [])].map((brush) => [brush.brush, brush]));
    brushLists.set(file, list);
  }
  return list;
}

/** The faces of a brush, found at the first need. */
export function brushFaces(brush: FileBrush): readonly Face[] {
  let faces = faceLists.get(brush);
  if (!faces) {
    faces = facesOf(brush.planes);
    faceLists.set(brush, faces);
  }
  return faces;
}

/** The edges of a brush. */
export const brushEdges = (brush: FileBrush): number[] => edgesOfFaces(brushFaces(brush));

/**
 * In which of a model's places a trace hit it. Traces name models only, so the steps are asked, which are in the tree of one place;
 * where there are none, it is the one whose brush is nearest to where the trace ends.
 */
export function placeHit(
  map: OpenMap,
  { model, brush, endPos }: Trace,
  frames: ModelFrames,
  explain: () => Explanation | undefined,
): ModelAt {
  const places = frames.placesOf(model);
  if (places.length < 2) return places[0]!;
  const stopped = placeOfStop(explain());
  if (stopped) return stopped;
  const planes = brushesOf(map).get(brush)?.planes ?? [];
  const away = (at: ModelAt): number => {
    const end = frames.of(at).enter(endPos);
    return Math.max(...planes.map(({ normal, dist }) => dot(normal, end) - dist));
  };
  return places.reduce((nearest, at) => (away(at) < away(nearest) ? at : nearest));
}

/** The place of the model in whose tree the last step is that stopped the move. */
function placeOfStop({ steps, trees = [] }: Partial<Explanation> = {}): ModelAt | undefined {
  let stop = -1;
  for (const [k, step] of steps?.entries() ?? [])
    if ('outcome' in step && (step.outcome === 'hit' || step.outcome === 'allSolid')) stop = k;
  const tree = trees.filter(({ step }) => step <= stop).at(-1);
  return tree?.listed === undefined ? undefined : tree;
}

/**
 * What a trace hit, to be drawn: the brush and the side that its file has, where it keeps brushes; otherwise the drawn
 * surface at that place.
 *
 * @param normal - that of the trace in the frame of the model that was hit, if that is turned.
 */
export function hitOutline(map: OpenMap, trace: Trace, normal: Vec3 = trace.normal): HitOutline {
  const brush = brushesOf(map).get(trace.brush);
  if (!brush) return { brush: [], side: map.format.surfaceAt(map.world, trace)?.polygon?.vertices ?? [] };
  return { brush: brushEdges(brush), side: faceOn(brushFaces(brush), normal, trace.dist)?.corners ?? [] };
}
