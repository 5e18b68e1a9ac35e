import type { Tracer } from '@bspkit/core';
import {
  ANGLES_OPTION,
  askedModel,
  checkFlag,
  MODEL_OPTION,
  ORIGIN_OPTION,
  type TracerCatalog,
  type TracerKind,
  type TracerValues,
} from '@bspkit/core/format';
import { contentsNames, TUTORIAL_EPSILON } from './constants.ts';
import { exactSphere } from './exact/sphere.ts';
import type { Quake3Model } from './model.ts';
import type { PlacedOptions } from './tracer.ts';
import type { Quake3World } from './world.ts';

/** A player, around the traced point. */
const PLAYER = [-15, -15, -24, 15, 15, 32];

const OPTIONS = ['mask', 'epsilon', 'curves', 'model', 'origin', 'angles'];

type Target = Quake3World | Quake3Model;

/** The `create` of a kind, which makes its tracer against what the options name. */
function against(
  make: (target: Target, size: readonly number[], options: PlacedOptions, values: TracerValues) => Tracer,
): TracerKind<Quake3World>['create'] {
  return (world, size, values) => {
    const number = askedModel(values, world.numModels);
    const { mask, epsilon, origin, angles } = values;
    const curves = values.curves as boolean | undefined; // checked by the tracer
    const options = {
      mask: mask === undefined ? undefined : contentsNames.bits(mask),
      epsilon,
      curves,
      origin,
      angles,
    };
    return make(number === 0 ? world : world.model(number), size, options, values);
  };
}

/** What can be asked of a world by name. */
export const tracers: TracerCatalog<Quake3World> = {
  kinds: [
    {
      name: 'ray',
      help: 'a ray',
      options: OPTIONS,
      mask: 'solid',
      explains: true,
      create: against((target, _size, options) => target.ray(options)),
    },
    {
      name: 'box',
      help: 'a box by its lowest and highest corners',
      size: 'box',
      sizeName: '<x,y,z,x,y,z>',
      options: OPTIONS,
      mask: 'solid',
      explains: true,
      create: against((target, size, options) => target.box(size.slice(0, 3), size.slice(3), options)),
    },
    {
      name: 'sphere',
      help: 'a sphere',
      size: 'number',
      sizeName: '<radius>',
      options: ['exact', ...OPTIONS],
      mask: 'solid',
      explains: true,
      create: against((target, [radius], options, values) => {
        const exact = values.exact as boolean | undefined;
        checkFlag(exact, 'exact');
        return exact ? exactSphere(target, radius!, options) : target.sphere(radius!, options);
      }),
    },
    {
      name: 'capsule',
      help: 'an upright capsule, also by the box around it',
      size: 'capsule',
      sizeName: '<radius,height>',
      options: OPTIONS,
      mask: 'solid',
      explains: true,
      create: against((target, size, options) =>
        size.length === 2
          ? target.capsule({ radius: size[0]!, height: size[1]! }, options)
          : target.capsule(size.slice(0, 3), size.slice(3), options),
      ),
    },
  ],
  options: [
    {
      name: 'exact',
      label: 'Exact sphere',
      type: 'on',
      group: 'shape',
      help: 'with --sphere: truly round at edges and corners',
    },
    {
      name: 'mask',
      label: 'Stopped by',
      type: 'text',
      group: 'filter',
      value: '<names>',
      help: 'contents that stop it, by name or number, such as solid,water; solid by default',
    },
    {
      name: 'epsilon',
      label: 'Gap to surfaces',
      type: 'number',
      group: 'filter',
      value: '<units>',
      help: 'distance kept from surfaces, 0.125 by default',
    },
    {
      name: 'curves',
      label: 'Curved patches',
      type: 'off',
      group: 'filter',
      help: 'ignore curved patches',
    },
    MODEL_OPTION,
    ORIGIN_OPTION,
    ANGLES_OPTION,
  ],
  presets: [
    { name: 'ray', kind: 'ray', role: 'point', measured: true },
    { name: 'tutorial', kind: 'ray', options: { epsilon: TUTORIAL_EPSILON }, role: 'point', measured: false },
    { name: 'flat', kind: 'ray', options: { curves: false }, role: 'point', measured: false },
    { name: 'box', kind: 'box', size: PLAYER, role: 'body', measured: true },
    { name: 'capsule', kind: 'capsule', size: PLAYER, role: 'body', measured: true },
    { name: 'sphere', kind: 'sphere', size: [16], role: 'ball', measured: true },
    { name: 'exact', kind: 'sphere', size: [16], options: { exact: true }, role: 'ball', measured: false },
  ],
  player: 'box',
  playerMask: 'playerSolid',
};
