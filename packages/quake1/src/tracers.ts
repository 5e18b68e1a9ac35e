import type { Tracer } from '@bspkit/core';
import {
  ANGLES_OPTION,
  askedModel,
  MODEL_OPTION,
  ORIGIN_OPTION,
  type TracerCatalog,
  type TracerKind,
  type TracerPreset,
  type TracerValues,
} from '@bspkit/core/format';
import type { Quake1Model } from './model.ts';
import type { HullRules } from './tracer.ts';
import type { Quake1World } from './world.ts';

const PLACE_OPTIONS = ['model', 'origin', 'angles'];
const HULL_OPTIONS = ['rules', ...PLACE_OPTIONS];

/** What options ask to trace against, with its pose where it has one. */
interface Asked {
  readonly target: Quake1World | Quake1Model;
  readonly options: Record<string, unknown>;
}

function asked(world: Quake1World, values: TracerValues): Asked {
  const { origin, angles, rules } = values;
  const number = askedModel(values, world.numModels);
  if (angles && world.version !== 30) {
    throw new RangeError('angles rotate models of Half-Life; those of Quake do not rotate');
  }
  const options = {
    ...(origin && { origin }),
    ...(angles && { angles }),
    ...(rules !== undefined && { rules: rules as HullRules }),
  };
  return { target: number === 0 ? world : world.model(number), options };
}

const ray: TracerKind<Quake1World> = {
  name: 'ray',
  help: "a ray: the engine's point hull",
  options: HULL_OPTIONS,
  explains: true,
  create(world, _size, values): Tracer {
    const { target, options } = asked(world, values);
    return target.ray(options);
  },
};

const precise: TracerKind<Quake1World> = {
  name: 'precise',
  help: 'a ray in double precision that keeps no distance from surfaces',
  options: PLACE_OPTIONS,
  explains: true,
  create(world, _size, values): Tracer {
    const { target, options } = asked(world, values);
    return target.preciseRay(options);
  },
};

const hull: TracerKind<Quake1World> = {
  name: 'hull',
  help: 'a hull that the map was compiled for, from 0',
  size: 'number',
  sizeName: '<n>',
  options: HULL_OPTIONS,
  explains: true,
  create(world, [number], values): Tracer {
    const { target, options } = asked(world, values);
    return target.hull(number!, options);
  },
};

const box: TracerKind<Quake1World> = {
  name: 'box',
  help: 'a box by its lowest and highest corners; what moves is the hull that the engine picks for its size',
  size: 'box',
  sizeName: '<x,y,z,x,y,z>',
  options: HULL_OPTIONS,
  explains: true,
  create(world, size, values): Tracer {
    const { target, options } = asked(world, values);
    return target.box(size.slice(0, 3), size.slice(3), options);
  },
};

const preset = (
  name: string,
  role: TracerPreset<Quake1World>['role'],
  kind: string,
  hull?: number,
): TracerPreset<Quake1World> => ({
  name,
  kind,
  role,
  measured: true,
  ...(hull !== undefined && { size: [hull], suits: ({ hulls }: Quake1World) => hulls.length > hull }),
});

/** The tracers of a world by name. */
export const tracers: TracerCatalog<Quake1World> = {
  kinds: [ray, precise, hull, box],
  options: [
    {
      name: 'rules',
      type: 'text',
      group: 'filter',
      value: '<name>',
      help: "whose rules: quake, quakeworld, halflife or halflife-player; by default the server's of the map's game",
    },
    MODEL_OPTION,
    ORIGIN_OPTION,
    ANGLES_OPTION,
  ],
  presets: [
    preset('hull0', 'point', 'hull', 0),
    preset('precise', 'point', 'precise'),
    preset('hull1', 'body', 'hull', 1),
    preset('hull2', 'body', 'hull', 2),
    preset('hull3', 'body', 'hull', 3),
  ],
  player: 'hull1',
};
