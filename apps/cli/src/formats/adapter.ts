import type { Bounds, Explanation, Plane, Trace, Tracer } from '@bspkit/core';
import type { Point } from '../arguments.ts';
import type { DrawnBrush } from '../explain-svg.ts';
import type { OpenMap } from '../open-world.ts';
import type { FormatOption, TracerOptions } from '../tracer-options.ts';

/** What is in a map, for `bspkit info`. */
export interface MapInfo {
  readonly version: string;
  readonly bounds: Bounds;
  /** Figures that only this format has, by name. */
  readonly facts: Readonly<Record<string, number | string>>;
  readonly lumps: readonly LumpInfo[];
  readonly models: readonly ModelInfo[];
  readonly entities: readonly Readonly<Record<string, string | undefined>>[];
  /** Which mixes of contents there are, and how many of `what` have each. */
  readonly contents: { readonly what: string; readonly counts: ReadonlyMap<number, number> };
  /** Size of the world made for tracing, and of the lumps it was made from, in bytes. */
  readonly memory: { readonly world: number; readonly lumps: number };
}

export interface LumpInfo {
  readonly name: string;
  readonly bytes: number;
  /** How many records; undefined where the lump is not a list. */
  readonly records: number | undefined;
}

/** The world, a part of it, or an inline model. Figures by name. */
export interface ModelInfo {
  readonly name: string;
  readonly bounds: Bounds;
  readonly figures: Readonly<Record<string, number>>;
}

/** What an answer is made of, by name: `leafContents`. Machines get it as it is, people with the name in words. */
export type Fields = Readonly<
  Record<string, number | string | boolean | null | readonly (number | string)[]>
>;

/** The answer of a question that can be answered with no. */
export interface Verdict {
  readonly yes: boolean;
  readonly fields: Fields;
}

/** How a trace came about. Where several trees are walked, `trees` names each and tells its first step. */
export interface Walk extends Explanation {
  readonly trees?: readonly { readonly name: string; readonly step: number }[];
}

/** How the commands talk to one format. */
export interface FormatAdapter<M extends OpenMap> {
  /** Tracer options that it understands. */
  readonly options: readonly FormatOption[];
  info(map: M): MapInfo;
  /** Throws `RangeError`, `TypeError` or `UsageError` for options that cannot be. */
  createTracer(map: M, options: TracerOptions): Tracer;
  contentsNames(contents: number): string[];
  surfaceNames(flags: number): string[];
  textureName(map: M, texture: number): string | undefined;
  /** Fields of the answer that only this format has. */
  extras(trace: Trace): Fields;
  /** How a tracer of {@link FormatAdapter.createTracer} comes to its answer. */
  explain?(tracer: Tracer, from: Point, to: Point): Walk;
  /** All brushes of the map, to be drawn. */
  brushes?(map: M): Iterable<DrawnBrush>;
  /** What is at a point. */
  point?(map: M, at: Point): Fields;
  /** Whether a ball touches nothing solid. */
  sphere?(map: M, center: Point, radius: number): Verdict;
  /** Whether two points see each other. */
  sight?(map: M, from: Point, to: Point): Verdict;
}

/** Names of the models of maps that have the world as the first one. */
export const modelName = (number: number): string => (number === 0 ? 'world' : `*${number}`);

/** A plane of a file's list. */
export function planeOf(
  { normals, dists }: { readonly normals: Float32Array; readonly dists: Float32Array },
  plane: number,
): Plane {
  return { normal: normals.subarray(3 * plane, 3 * plane + 3), dist: dists[plane]! };
}
