import type { Tracer } from '@bspkit/core';
import {
  ANGLES_OPTION,
  askedModel,
  MODEL_OPTION,
  ORIGIN_OPTION,
  type TracerCatalog,
  type TracerKind,
  type TracerOption,
  type TracerValues,
} from '@bspkit/core/format';
import { ACTOR_STANDING } from './cells.ts';
import { contentsNames } from './constants.ts';
import { levels } from './levels.ts';
import type { LineFilter } from './line-tracer.ts';
import type { UfoaiModel } from './model.ts';
import type { ModelTraceOptions, TraceOptions } from './tracer.ts';
import type { UfoaiWorld } from './world.ts';

const LEVELS_OPTION: TracerOption = {
  name: 'levels',
  type: 'text',
  group: 'filter',
  value: '<list>',
  help: 'levels and clips: 1,3,actorClip; or a number as in the game: 0x105',
};
const ENGINE_OPTION: TracerOption = {
  name: 'engine',
  type: 'on',
  group: 'filter',
  help: "with all of the game's oddities",
};
const MASK_OPTION: TracerOption = {
  name: 'mask',
  type: 'text',
  group: 'filter',
  value: '<names>',
  help: 'contents that stop it, by name or number: solid,actorClip',
};

const OPTIONS = ['levels', 'engine', 'mask', 'model', 'origin', 'angles'];

const CLIPS = { actorclip: 'actorClip', weaponclip: 'weaponClip', lightclip: 'lightClip' } as const;

/** `1,3,actorClip` as a line's filter. A number in `0x…` form is the game's own mask. */
function parseLevels(text: string): LineFilter {
  const list: number[] = [];
  const filter: { -readonly [K in keyof LineFilter]: LineFilter[K] } = {};
  for (const part of text.toLowerCase().split(',')) {
    const name = part.trim();
    if (/^0x[0-9a-f]+$/.test(name)) filter.levels = (filter.levels ?? 0) | contentsNames.bits(name);
    else if (/^\d+$/.test(name)) list.push(Number(name));
    else if (Object.hasOwn(CLIPS, name)) filter[CLIPS[name as keyof typeof CLIPS]] = true;
    else if (name !== 'all') {
      throw new RangeError(
        `levels has '${part}': it takes 1 to 8, all, actorClip, weaponClip, lightClip, or 0x…`,
      );
    }
  }
  if (list.length > 0) filter.levels = (filter.levels ?? 0) | levels(...list);
  return filter;
}

/** A number is a mask, as `world.line` takes it and `levels(1, 3)` makes it; only text lists levels. */
function askedLevels({ levels }: TracerValues): LineFilter {
  if (levels === undefined || typeof levels === 'number') return { levels };
  return parseLevels(String(levels));
}

const askedCompat = ({ engine }: TracerValues): 'engine' | undefined => (engine ? 'engine' : undefined);

/** The options of boxes and rays. */
function boxOptions(values: TracerValues): TraceOptions & ModelTraceOptions {
  const { actorClip, weaponClip, lightClip, levels } = askedLevels(values);
  if (actorClip || weaponClip || lightClip) {
    throw new TypeError(
      'clips in levels belong to lines of the world: boxes, rays and models have mask for them',
    );
  }
  const mask = values.mask === undefined ? undefined : contentsNames.bits(values.mask);
  return { levels, mask, compat: askedCompat(values) };
}

/** The model that is asked for, where it is asked to stand; `undefined` for the world. */
function askedBody(world: UfoaiWorld, values: TracerValues): UfoaiModel | undefined {
  const number = askedModel(values, world.numModels);
  return number === 0
    ? undefined
    : world.model(number).place({ origin: values.origin, angles: values.angles });
}

function createLine(world: UfoaiWorld, values: TracerValues): Tracer {
  const model = askedBody(world, values);
  if (model) return model.line(boxOptions(values));
  if (values.mask !== undefined) {
    throw new TypeError('mask belongs to a box, a ray or a model: lines of the world have levels');
  }
  return world.line({ ...askedLevels(values), compat: askedCompat(values) });
}

const kinds: readonly TracerKind<UfoaiWorld>[] = [
  {
    name: 'line',
    help: 'a line of sight or fire',
    options: OPTIONS,
    explains: true,
    create: (world, _, values) => createLine(world, values),
  },
  {
    name: 'ray',
    help: 'a point traced through the brushes',
    options: OPTIONS,
    explains: true,
    create: (world, _, values) => (askedBody(world, values) ?? world).ray(boxOptions(values)),
  },
  {
    name: 'box',
    help: 'a box by its lowest and highest corners',
    size: 'box',
    sizeName: '<x,y,z,x,y,z>',
    options: OPTIONS,
    explains: true,
    create: (world, size, values) =>
      (askedBody(world, values) ?? world).box(size.slice(0, 3), size.slice(3), boxOptions(values)),
  },
];

/** What can be asked of a UFO:AI world by name. */
export const tracers: TracerCatalog<UfoaiWorld> = {
  kinds,
  options: [LEVELS_OPTION, ENGINE_OPTION, MASK_OPTION, MODEL_OPTION, ORIGIN_OPTION, ANGLES_OPTION],
  presets: [
    { name: 'line', kind: 'line', role: 'point', measured: true },
    { name: 'point', kind: 'ray', role: 'point', measured: false },
    { name: 'engine', kind: 'line', options: { engine: true }, role: 'point', measured: false },
    {
      name: 'box',
      kind: 'box',
      size: [...ACTOR_STANDING.mins, ...ACTOR_STANDING.maxs],
      role: 'body',
      measured: true,
    },
  ],
  player: 'box',
};
