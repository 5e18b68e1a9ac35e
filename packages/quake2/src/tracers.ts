import type { Tracer } from '@bspkit/core';
import {
  ANGLES_OPTION,
  askedModel,
  MODEL_OPTION,
  ORIGIN_OPTION,
  type TracerCatalog,
  type TracerKind,
} from '@bspkit/core/format';
import { contentsNames } from './constants.ts';
import type { Quake2Model } from './model.ts';
import type { PlacedOptions } from './tracer.ts';
import type { Quake2World } from './world.ts';

/** A player, around the traced point. */
const PLAYER = [-16, -16, -24, 16, 16, 32];

const OPTIONS = ['mask', 'model', 'origin', 'angles'];

type Target = Quake2World | Quake2Model;

/** The `create` of a kind, which makes its tracer against what the options name. */
function against(
  make: (target: Target, size: readonly number[], options: PlacedOptions) => Tracer,
): TracerKind<Quake2World>['create'] {
  return (world, size, values) => {
    const number = askedModel(values, world.numModels);
    const { mask, origin, angles } = values;
    const options = { mask: mask === undefined ? undefined : contentsNames.bits(mask), origin, angles };
    return make(number === 0 ? world : world.model(number), size, options);
  };
}

/** What can be asked of a world by name. */
export const tracers: TracerCatalog<Quake2World> = {
  kinds: [
    {
      name: 'ray',
      help: 'a ray',
      options: OPTIONS,
      mask: 'anySolid',
      explains: true,
      create: against((target, _size, options) => target.ray(options)),
    },
    {
      name: 'box',
      help: 'a box by its lowest and highest corners',
      size: 'box',
      sizeName: '<x,y,z,x,y,z>',
      options: OPTIONS,
      mask: 'anySolid',
      explains: true,
      create: against((target, size, options) => target.box(size.slice(0, 3), size.slice(3), options)),
    },
  ],
  options: [
    {
      name: 'mask',
      label: 'Stopped by',
      type: 'text',
      group: 'filter',
      value: '<names>',
      help: 'contents that stop it, by name or number, such as solid,water; solid and windows by default',
    },
    MODEL_OPTION,
    ORIGIN_OPTION,
    ANGLES_OPTION,
  ],
  presets: [
    { name: 'ray', kind: 'ray', role: 'point', measured: true },
    { name: 'box', kind: 'box', size: PLAYER, role: 'body', measured: true },
  ],
  player: 'box',
  playerMask: 'playerSolid',
};
