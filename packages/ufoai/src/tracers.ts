import type { Tracer } from '@bspkit/core';
import {
  ANGLES_OPTION,
  askedModel,
  checkList,
  checkPlaces,
  checkWholeFrom,
  failArgument,
  MODEL_OPTION,
  ORIGIN_OPTION,
  showValue,
  type TracerCatalog,
  type TracerKind,
  type TracerOption,
  type TracerValues,
} from '@bspkit/core/format';
import { ACTOR_STANDING } from './cells.ts';
import { ALL_LEVELS, contentsNames } from './constants.ts';
import { levels } from './levels.ts';
import type { LineFilter } from './line-tracer.ts';
import type { UfoaiModel } from './model.ts';
import type { TraceOptions } from './tracer.ts';
import type { UfoaiWorld } from './world.ts';

const LEVELS_OPTION: TracerOption = {
  name: 'levels',
  label: 'Levels that block',
  type: 'text',
  group: 'filter',
  value: '<list>',
  help: 'levels whose walls block it, and clips, such as 1,3,actorClip; or a number as in the game, such as 0x105',
};
const COMPAT_OPTION: TracerOption = {
  name: 'compat',
  label: 'Compatibility',
  type: 'text',
  group: 'filter',
  value: '<name>',
  help: 'engine: as the game traces it, with all its oddities',
};
const MODELS_OPTION: TracerOption = {
  name: 'models',
  label: 'Doors and other models',
  type: 'text',
  group: 'filter',
  value: '<list>',
  help: 'doors and other inline models that block it too: 1,3 or all; where the map has them, or at --origin and --angles',
};
const MASK_OPTION: TracerOption = {
  name: 'mask',
  label: 'Stopped by',
  type: 'text',
  group: 'filter',
  value: '<names>',
  help: 'contents that stop it, by name or number, such as solid,water',
};

const OPTIONS = ['levels', 'compat', 'mask', 'models', 'model', 'origin', 'angles'];

const CLIPS = { actorclip: 'actorClip', weaponclip: 'weaponClip', lightclip: 'lightClip' } as const;

/** Turns `1,3,actorClip` into a line's filter. A number in `0x…` form is the game's own mask. */
function parseLevels(text: string): LineFilter {
  const list: number[] = [];
  let isAll = false;
  const filter: { -readonly [K in keyof LineFilter]: LineFilter[K] } = {};
  for (const part of text.split(',')) {
    const name = part.trim().toLowerCase();
    if (/^0x[0-9a-f]+$/.test(name)) filter.levels = (filter.levels ?? 0) | contentsNames.bits(name);
    else if (/^\d+$/.test(name)) list.push(Number(name));
    else if (Object.hasOwn(CLIPS, name)) filter[CLIPS[name as keyof typeof CLIPS]] = true;
    else if (name === 'all') isAll = true;
    else {
      throw new RangeError(
        `levels has ${showValue(part)}: it takes 1 to 8, all, actorClip, weaponClip, lightClip, or 0x…`,
      );
    }
  }
  if (list.length > 0) filter.levels = (filter.levels ?? 0) | levels(...list);
  // Alone, it is the default, which differs between lines and boxes.
  if (isAll && filter.levels !== undefined) filter.levels |= ALL_LEVELS;
  return filter;
}

/** A number is a mask, as `world.line` takes it and `levels(1, 3)` makes it; levels are listed only in text. */
function askedLevels({ levels }: TracerValues): LineFilter {
  if (levels === undefined || typeof levels === 'number') return { levels };
  if (typeof levels !== 'string') failArgument('levels', 'text or a number', levels);
  return parseLevels(levels);
}

/** As the tracers take it; they refuse anything else. */
const askedCompat = ({ compat }: TracerValues): 'engine' | undefined => compat as 'engine' | undefined;

/** Numbers of models in text, `1,3` or, as maps write them, `*1,*3`, or `all`; or in an array. */
function parseModels(models: NonNullable<TracerValues[string]>, numModels: number): readonly number[] {
  if (typeof models === 'object') {
    checkList(models, 'models');
    for (const [k, number] of models.entries()) checkWholeFrom(number, `models[${k}]`, 0);
    return models;
  }
  const text = String(models).trim();
  if (text.toLowerCase() === 'all') return Array.from({ length: numModels }, (_, k) => k + 1);
  return text.split(',').map((part) => {
    const [, number] = /^\s*\*?(\d+)\s*$/.exec(part) ?? [];
    if (number !== undefined) return Number(number);
    throw new RangeError(`models has ${showValue(part)}: it takes numbers with commas, or all`);
  });
}

/** The models that block a tracer of the world: where their entities put them, or where options put them. */
function askedModels(world: UfoaiWorld, values: TracerValues): readonly UfoaiModel[] | undefined {
  const { models, origin, angles } = values;
  if (models === undefined) return undefined;
  const numbers = parseModels(models, world.numModels);
  checkPlaces(values, numbers.length);
  return numbers.map((number, k) => {
    if (number === 0) throw new RangeError('models has 0, which is the world: they begin with 1');
    const model = world.model(askedModel({ model: number }, world.numModels));
    const [from, to] = [3 * k, 3 * k + 3];
    return model.place({ origin: origin?.slice(from, to), angles: angles?.slice(from, to) });
  });
}

/** The options of boxes and rays that the world and its models share. */
function boxOptions(values: TracerValues): Pick<TraceOptions, 'levels' | 'mask' | 'compat'> {
  const { actorClip, weaponClip, lightClip, levels } = askedLevels(values);
  if (actorClip || weaponClip || lightClip) {
    throw new TypeError(
      'clips in levels belong to lines of the world: boxes, rays and models have mask for them',
    );
  }
  const mask = values.mask === undefined ? undefined : contentsNames.bits(values.mask);
  return { levels, mask, compat: askedCompat(values) };
}

/** The model that options ask for, with the pose that they give; `undefined` for the world. */
function askedBody(world: UfoaiWorld, values: TracerValues): UfoaiModel | undefined {
  const { model, models, origin, angles } = values;
  // With `models`, the pose is that of the models.
  const number = askedModel(models === undefined ? values : { model }, world.numModels);
  if (number === 0) return undefined;
  if (models !== undefined) throw new TypeError('models belong to the world: a model is traced alone');
  return world.model(number).place({ origin, angles });
}

function createLine(world: UfoaiWorld, values: TracerValues): Tracer {
  const model = askedBody(world, values);
  if (model) return model.line(boxOptions(values));
  if (values.mask !== undefined) {
    throw new TypeError('mask belongs to a box, a ray or a model: lines of the world have levels');
  }
  return world.line({
    ...askedLevels(values),
    models: askedModels(world, values),
    compat: askedCompat(values),
  });
}

function createRay(world: UfoaiWorld, values: TracerValues): Tracer {
  const options = boxOptions(values);
  const model = askedBody(world, values);
  return model ? model.ray(options) : world.ray({ ...options, models: askedModels(world, values) });
}

function createBox(world: UfoaiWorld, size: readonly number[], values: TracerValues): Tracer {
  const options = boxOptions(values);
  const model = askedBody(world, values);
  const [mins, maxs] = [size.slice(0, 3), size.slice(3)];
  return model
    ? model.box(mins, maxs, options)
    : world.box(mins, maxs, { ...options, models: askedModels(world, values) });
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
    help: 'a ray; through the brushes, unlike --line',
    options: OPTIONS,
    mask: 'solidMask',
    explains: true,
    create: (world, _, values) => createRay(world, values),
  },
  {
    name: 'box',
    help: 'a box by its lowest and highest corners',
    size: 'box',
    sizeName: '<x,y,z,x,y,z>',
    options: OPTIONS,
    mask: 'impassable',
    explains: true,
    create: createBox,
  },
];

/** What can be traced in a UFO:AI world, by name. */
export const tracers: TracerCatalog<UfoaiWorld> = {
  kinds,
  options: [
    LEVELS_OPTION,
    COMPAT_OPTION,
    MASK_OPTION,
    MODELS_OPTION,
    MODEL_OPTION,
    ORIGIN_OPTION,
    ANGLES_OPTION,
  ],
  presets: [
    { name: 'line', kind: 'line', role: 'point', measured: true },
    { name: 'point', kind: 'ray', role: 'point', measured: false },
    { name: 'engine', kind: 'line', options: { compat: 'engine' }, role: 'point', measured: false },
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
