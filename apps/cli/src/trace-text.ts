import type { Shape, Trace } from '@bspkit/core';
import { hitText, inWords, outcomeText, show, showFraction, showVec } from '@bspkit/words';
import type { Point } from './arguments.ts';
import { cells } from './numbers.ts';
import type { OpenMap } from './open-map.ts';
import type { Page } from './page.ts';
import { printable } from './printable.ts';
import type { MadeTracer } from './tracer-options.ts';

/** A requested move. */
export interface Move {
  readonly from: Point;
  readonly to: Point;
}

/** An answer for programs. */
export function traceObject(map: OpenMap, made: MadeTracer, move: Move, trace: Trace): object {
  return { ...requestObject(map, made, move), ...answerObject(map, trace) };
}

/** What was asked, for programs. */
export function requestObject(map: OpenMap, { kind, tracer }: MadeTracer, { from, to }: Move): object {
  return {
    map: map.name,
    format: map.format.id,
    tracer: kind.name,
    shape: plainShape(tracer.shape),
    from,
    to,
  };
}

/** What was answered, for programs. */
export function answerObject(map: OpenMap, trace: Trace): object {
  const { format } = map;
  const { fraction, dist, startSolid, allSolid, contents, surfaceFlags } = trace;
  const { model, brush, side, texture, patch, plane } = trace;
  return {
    fraction: cells([fraction])[0],
    endPos: cells(trace.endPos),
    normal: cells(trace.normal),
    dist: cells([dist])[0],
    startSolid,
    allSolid,
    contents,
    contentsNames: format.contents.names(contents),
    surfaceFlags,
    surfaceNames: format.surfaceFlags.names(surfaceFlags),
    ...{ model, brush, side, plane, patch, texture },
    textureName: textureOf(map, trace) ?? null,
    ...format.traceFields(trace),
  };
}

function plainShape(shape: Shape): object {
  if ('mins' in shape) return { kind: shape.kind, mins: cells(shape.mins), maxs: cells(shape.maxs) };
  if (shape.kind === 'ellipsoid') return { kind: shape.kind, radii: cells(shape.radii) };
  return shape;
}

/** Name of the texture that a trace hit; `undefined` if it is not known: a surface that is not drawn has none. */
const textureOf = ({ format, world }: OpenMap, trace: Trace): string | undefined =>
  world.textureNames()[trace.texture] || format.surfaceAt(world, trace)?.name || undefined;

/** An answer for people. */
export function traceText(
  map: OpenMap,
  made: MadeTracer,
  { from, to }: Move,
  trace: Trace,
  page: Page,
): string {
  const { format } = map;
  const length = Math.hypot(...from.map((x, k) => to[k]! - x));
  const fields: [string, string][] = [
    ['from', showVec(from)],
    ['to', showVec(to)],
    [
      'result',
      page.paint(trace.fraction < 1 || trace.startSolid ? 'yellow' : 'green', outcomeText(trace, length)),
    ],
    ['fraction', showFraction(trace.fraction)],
    ['end', showVec(trace.endPos)],
  ];
  const other = otherSize(made);
  if (other !== undefined) fields.unshift(['asked for', other]);
  const { normal, dist, plane } = trace;
  // A line that starts in solid is stopped by no surface.
  if (trace.fraction < 1 && !trace.allSolid && normal.some((part) => part !== 0)) {
    const number = plane < 0 ? '' : `, plane ${plane}`;
    fields.push(['surface', `normal ${showVec(normal)}, distance ${show(dist)}${number}`]);
  }
  if (trace.contents !== 0) fields.push(['contents', format.contents.names(trace.contents).join(', ')]);
  if (trace.surfaceFlags !== 0) {
    fields.push(['flags', format.surfaceFlags.names(trace.surfaceFlags).join(', ')]);
  }
  const texture = textureOf(map, trace);
  if (texture !== undefined) fields.push(['texture', printable(texture)]);
  const hit = hitText(trace);
  if (hit !== '') fields.push(['hit', hit]);
  for (const [name, value] of Object.entries(format.traceFields(trace))) {
    fields.push([inWords(name), page.field(value)]);
  }
  return `${page.title(map.name, nameOf(made))}\n${page.fields(fields)}`;
}

/** The requested box, if the format moves another one in its place. */
function otherSize({ kind, size, tracer }: MadeTracer): string | undefined {
  const { shape } = tracer;
  if (kind.size !== 'box' || !('mins' in shape)) return undefined;
  const moved = [...Array.from(shape.mins), ...Array.from(shape.maxs)];
  if (moved.every((x, k) => x === Math.fround(size[k]!))) return undefined;
  return `box from ${showVec(size.slice(0, 3))} to ${showVec(size.slice(3))}; traced as the box above`;
}

/** What is traced, for people: points by the name of their tracer, as a game may have several. */
const nameOf = ({ kind, tracer: { shape } }: MadeTracer): string =>
  kind.size === undefined ? kind.name : showShape(shape);

/** A shape for people. */
export function showShape(shape: Shape): string {
  if (shape.kind === 'sphere') return `sphere of radius ${show(shape.radius)}`;
  if ('mins' in shape) return `${shape.kind} from ${showVec(shape.mins)} to ${showVec(shape.maxs)}`;
  return shape.kind === 'ray' ? 'ray' : `ellipsoid of radii ${showVec(shape.radii)}`;
}
