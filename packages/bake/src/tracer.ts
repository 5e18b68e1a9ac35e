import type { BspWorld, Tracer } from '@bspkit/core';
import {
  type BspFormat,
  bodyPreset,
  checkChoice,
  checkList,
  checkObject,
  checkOptions,
  checkText,
  suitedPresets,
  type TracerPreset,
  type TracerValues,
  tracerOf,
} from '@bspkit/core/format';
import type { Json } from './job.ts';

// Tracers as jobs name them: by kind, size and options, as in the format's catalog.

/** A tracer as plain data, like the presets of a format's catalog. */
export type BakeTracer = {
  /** What is moved: `ray`, `box`, `hull`. */
  readonly kind: string;
  readonly size?: readonly number[] | undefined;
  readonly options?: { readonly [name: string]: Json | undefined } | undefined;
};

const FIELDS: readonly string[] = ['kind', 'size', 'options'] satisfies (keyof BakeTracer)[];

/** Checks a parameter that describes a tracer; `undefined` stays `undefined`. Throws TypeError naming what is wrong. */
export function checkTracerParameter(value: Json | undefined, name: string): BakeTracer | undefined {
  if (value === undefined) return undefined;
  checkOptions(value as object, FIELDS, name);
  const { kind, size, options } = value as BakeTracer;
  checkText(kind, `${name}.kind`);
  if (size !== undefined) checkList(size, `${name}.size`);
  if (options !== undefined) checkObject(options, `${name}.options`);
  return value as BakeTracer;
}

/**
 * Makes the tracer that a job describes. Throws RangeError or TypeError, in the terms of the catalog, for an invalid
 * one.
 */
export function createTracer(format: BspFormat, world: BspWorld, tracer: BakeTracer): Tracer {
  checkWorld(format, world);
  checkObject(tracer, 'tracer');
  const { kinds } = format.tracers;
  const { kind, size, options } = tracer;
  checkChoice(
    kind,
    'tracer.kind',
    kinds.map(({ name }) => name),
  );
  return tracerOf(format, world, { kind, size, options: options as TracerValues });
}

/** The format's tracer for lines of sight: its first tracer of points. Throws `RangeError` for a map that has none. */
export function sightTracer(format: BspFormat, world: BspWorld): BakeTracer {
  checkWorld(format, world);
  const [point] = suitedPresets(format, world, 'point');
  if (!point) throw new RangeError(`tracer is needed: this map of ${format.name} has nothing to see with`);
  return plain(point);
}

/**
 * The shape that players move as: the format's own player, or the first body that suits the map. Throws like {@link sightTracer}.
 */
export function bodyTracer(format: BspFormat, world: BspWorld): BakeTracer {
  checkWorld(format, world);
  const body = bodyPreset(format, world);
  if (!body) {
    throw new RangeError(`shape is needed: this map of ${format.name} has nothing that stands for a player`);
  }
  return plain(body);
}

function checkWorld(format: BspFormat, world: BspWorld): void {
  checkObject(format, 'format');
  checkObject(format.tracers, 'format.tracers');
  checkObject(world, 'world');
}

const plain = ({ kind, size, options }: TracerPreset<BspWorld>): BakeTracer => ({
  kind,
  ...(size && { size: [...size] }),
  ...(options && { options: options as { [name: string]: Json | undefined } }),
});
