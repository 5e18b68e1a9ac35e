import type { Tracer } from '@bspkit/core';
import {
  ANGLES_OPTION,
  askedModel,
  checkFlag,
  MODEL_OPTION,
  ORIGIN_OPTION,
  type TracerCatalog,
  type TracerKind,
  type TracerPreset,
  type TracerValues,
} from '@bspkit/core/format';
import type { Quake1Model } from './model.ts';
import type { HullRules, PlacedOptions } from './tracer.ts';
import type { Quake1World } from './world.ts';

const HULL_OPTIONS = ['rules', 'model', 'origin', 'angles'];

/** What options ask to trace against, with its pose if it has one. */
interface Asked {
  readonly target: Quake1World | Quake1Model;
  readonly options: PlacedOptions;
}

/** Whether models turn: by the rules that are asked for, or else by those of the map's game. Unknown ones are refused elsewhere. */
function turns(world: Quake1World, rules: unknown): boolean {
  return rules === undefined ? world.version === 30 : rules !== 'quake1' && rules !== 'quakeworld';
}

function asked(world: Quake1World, values: TracerValues): Asked {
  const { origin, angles, rules } = values;
  const number = askedModel(values, world.numModels);
  if (angles && !turns(world, rules)) {
    throw new RangeError('angles turn models by the rules of Half-Life; those of Quake do not turn them');
  }
  const options = {
    ...(origin && { origin }),
    ...(angles && { angles }),
    ...(rules !== undefined && { rules: rules as HullRules }),
  };
  return { target: number === 0 ? world : world.model(number), options };
}

/** The engine's tracer for the hull, or the precise one if options ask for that. */
function hullTracer(world: Quake1World, hull: number, values: TracerValues): Tracer {
  const { target, options } = asked(world, values);
  const precise = values.precise as boolean | undefined;
  checkFlag(precise, 'precise');
  if (!precise) return target.hull(hull, options);
  const { rules, ...others } = options;
  if (rules !== undefined)
    throw new RangeError('rules must be left out: precise traces do not follow those of an engine');
  return hull === 0 ? target.preciseRay(others) : target.preciseHull(hull, others);
}

const ray: TracerKind<Quake1World> = {
  name: 'ray',
  help: "a ray; the engine's point hull",
  options: ['precise', ...HULL_OPTIONS],
  explains: true,
  create: (world, _size, values): Tracer => hullTracer(world, 0, values),
};

const hull: TracerKind<Quake1World> = {
  name: 'hull',
  help: 'a hull that the map was compiled for, counted from 0',
  size: 'number',
  sizeName: '<n>',
  options: ['precise', ...HULL_OPTIONS],
  explains: true,
  create: (world, [number], values): Tracer => hullTracer(world, number!, values),
};

const box: TracerKind<Quake1World> = {
  name: 'box',
  help: 'a box by its lowest and highest corners; what moves is the hull that the engine picks for it',
  size: 'box',
  sizeName: '<x,y,z,x,y,z>',
  options: HULL_OPTIONS,
  explains: true,
  create(world, size, values): Tracer {
    const { target, options } = asked(world, values);
    return target.box(size.slice(0, 3), size.slice(3), options);
  },
};

const hullPreset = (hull: number): TracerPreset<Quake1World> => ({
  name: `hull${hull}`,
  kind: 'hull',
  size: [hull],
  role: hull === 0 ? 'point' : 'body',
  measured: true,
  suits: ({ hulls }) => hulls.length > hull,
});

const precisePreset = (hull: number): TracerPreset<Quake1World> => ({
  ...hullPreset(hull),
  name: hull === 0 ? 'precise' : `precise${hull}`,
  options: { precise: true },
  measured: hull === 0,
});

/** The tracers of a world by name. */
export const tracers: TracerCatalog<Quake1World> = {
  kinds: [ray, hull, box],
  options: [
    {
      name: 'precise',
      label: 'Double precision',
      type: 'on',
      group: 'shape',
      help: 'with --ray or --hull: in double precision, never stopped by rounding',
    },
    {
      name: 'rules',
      label: 'Rules of the engine',
      type: 'text',
      group: 'filter',
      value: '<name>',
      help: "quake1, quakeworld, halflife or halflife-player; by default those of the server of the map's game",
    },
    MODEL_OPTION,
    ORIGIN_OPTION,
    ANGLES_OPTION,
  ],
  presets: [hullPreset(0), precisePreset(0), hullPreset(1), precisePreset(1), hullPreset(2), hullPreset(3)],
  player: 'hull1',
};
