import type { Tracer } from '@bspkit/core';
import {
  type BspFormat,
  suitedPresets,
  type TracerKind,
  type TracerValues,
  tracerKind,
} from '@bspkit/core/format';
import type { World } from './sample.ts';

/** A tracer of the catalog, under a name for titles. */
export interface NamedTracer {
  readonly name: string;
  readonly kind: TracerKind<World>;
  readonly isPreset: boolean;
  create(world: World, more?: TracerValues): Tracer;
}

/** Everything in the catalog that this world can be traced with: kinds in every size, and presets. */
export function tracersOf(format: BspFormat, world: World): NamedTracer[] {
  const { tracers } = format;
  const found: NamedTracer[] = [];
  for (const kind of tracers.kinds) {
    for (const size of SIZES[kind.size ?? 'none']) {
      found.push({
        name: `${kind.name} ${size}`.trim(),
        kind,
        isPreset: false,
        create: (target, more = {}) => kind.create(target, size, more),
      });
    }
  }
  for (const { name, kind: kindName, size = [], options } of suitedPresets(format, world)) {
    const kind = tracerKind(format, kindName);
    found.push({
      name: `preset ${name}`,
      kind,
      isPreset: true,
      create: (target, more) => kind.create(target, size, { ...options, ...more }),
    });
  }
  return found;
}

/** The smallest size of each kind. */
export const SMALL: Readonly<Record<NonNullable<TracerKind<unknown>['size']>, readonly number[]>> = {
  number: [0],
  box: [0, 0, 0, 0, 0, 0],
  capsule: [0, 0],
  radii: [0.125, 0.125, 0.125],
};

const BOX = [-16, -16, -24, 16, 16, 32];

export const SIZES: Readonly<Record<NonNullable<TracerKind<unknown>['size']> | 'none', readonly number[][]>> =
  {
    none: [[]],
    number: [[1]],
    box: [BOX],
    capsule: [[16, 56], BOX],
    radii: [[16, 16, 28]],
  };
