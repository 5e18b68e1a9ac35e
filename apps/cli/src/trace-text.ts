import type { Shape, Trace } from '@bspkit/core';
import type { Point } from './arguments.ts';
import { adapterOf } from './formats/index.ts';
import { cells, show, showVec } from './numbers.ts';
import type { OpenMap } from './open-world.ts';
import { heading, inWords, label, paint, showField } from './output.ts';
import { formatFields } from './table.ts';

/** What was asked for. */
export interface Move {
  readonly from: Point;
  readonly to: Point;
}

/** An answer for machines. */
export function traceObject(map: OpenMap, shape: Shape, { from, to }: Move, trace: Trace): object {
  const { contentsNames, surfaceNames, textureName, extras } = adapterOf(map);
  const { fraction, dist, startSolid, allSolid, contents, surfaceFlags } = trace;
  const { model, brush, side, texture, patch, plane } = trace;
  return {
    map: map.name,
    format: map.format,
    shape: plainShape(shape),
    from,
    to,
    fraction: cells([fraction])[0],
    endPos: cells(trace.endPos),
    normal: cells(trace.normal),
    dist: cells([dist])[0],
    startSolid,
    allSolid,
    contents,
    contentsNames: contentsNames(contents),
    surfaceFlags,
    surfaceNames: surfaceNames(surfaceFlags),
    ...{ model, brush, side, plane, patch, texture },
    textureName: textureName(map, texture) ?? null,
    ...extras(trace),
  };
}

function plainShape(shape: Shape): object {
  if ('mins' in shape) return { kind: shape.kind, mins: cells(shape.mins), maxs: cells(shape.maxs) };
  if (shape.kind === 'ellipsoid') return { kind: shape.kind, radii: cells(shape.radii) };
  return shape;
}

/** An answer for people. */
export function traceText(map: OpenMap, shape: Shape, { from, to }: Move, trace: Trace): string {
  const { contentsNames, surfaceNames, textureName, extras } = adapterOf(map);
  const length = Math.hypot(...from.map((x, k) => to[k]! - x));
  const fields: [string, string][] = [
    ['from', showVec(from)],
    ['to', showVec(to)],
    ['result', paint(trace.fraction < 1 || trace.startSolid ? 'yellow' : 'green', outcome(trace, length))],
    ['fraction', show(trace.fraction, 6)],
    ['end', showVec(trace.endPos)],
  ];
  if (trace.fraction < 1 && !trace.allSolid) {
    const { normal, dist, plane } = trace;
    const number = plane < 0 ? '' : `, plane ${plane}`;
    fields.push(['surface', `normal ${showVec(normal)}, distance ${show(dist)}${number}`]);
  }
  if (trace.contents !== 0) fields.push(['contents', contentsNames(trace.contents).join(', ')]);
  if (trace.surfaceFlags !== 0) fields.push(['flags', surfaceNames(trace.surfaceFlags).join(', ')]);
  const texture = textureName(map, trace.texture);
  if (texture !== undefined) fields.push(['texture', texture]);
  const hit = hitNumbers(trace);
  if (hit !== '') fields.push(['hit', hit]);
  for (const [name, value] of Object.entries(extras(trace))) fields.push([inWords(name), showField(value)]);
  return `${heading(map.name)}  ${showShape(shape)}\n${formatFields(fields, label)}`;
}

function outcome({ fraction, startSolid, allSolid }: Trace, length: number): string {
  if (allSolid) return length === 0 ? 'in solid' : 'in solid all the way';
  if (length === 0) return startSolid ? 'in solid' : 'in the open';
  const way =
    fraction < 1
      ? `stopped after ${show(fraction * length, 2)} of ${show(length, 2)} units`
      : 'nothing in the way';
  return startSolid ? `starts in solid, then ${way}` : way;
}

function hitNumbers({ model, brush, side, patch }: Trace): string {
  const parts: string[] = [];
  if (model === 0) parts.push('the world');
  if (model > 0) parts.push(`model *${model}`);
  if (brush >= 0) parts.push(`brush ${brush}`);
  if (side >= 0) parts.push(`side ${side}`);
  if (patch >= 0) parts.push(`patch ${patch}`);
  return parts.join(', ');
}

/** A shape for people. */
export function showShape(shape: Shape): string {
  if (shape.kind === 'sphere') return `sphere of radius ${show(shape.radius)}`;
  if ('mins' in shape) return `${shape.kind} from ${showVec(shape.mins)} to ${showVec(shape.maxs)}`;
  return shape.kind === 'ray' ? 'ray' : `ellipsoid of radii ${showVec(shape.radii)}`;
}
