import {
  askedModel,
  MODEL_OPTION,
  ORIGIN_OPTION,
  type TracerCatalog,
  type TracerKind,
} from '@bspkit/core/format';
import { contentsNames } from './constants.ts';
import type { ToyOptions, ToyWorld } from './world.ts';

const OPTIONS = ['mask', 'model', 'origin'];

function createTracer(shape: 'ray' | 'box'): TracerKind<ToyWorld>['create'] {
  return (world, size, { mask, ...values }) => {
    const number = askedModel(values, world.numModels);
    const target = number === 0 ? world : world.model(number);
    const options: ToyOptions = {
      mask: mask === undefined ? undefined : contentsNames.bits(mask),
      origin: values.origin,
    };
    return shape === 'ray' ? target.ray(options) : target.box(size.slice(0, 3), size.slice(3), options);
  };
}

export const tracers: TracerCatalog<ToyWorld> = {
  kinds: [
    {
      ...{ name: 'ray', help: 'a point', options: OPTIONS, mask: 'solid' },
      ...{ explains: true, create: createTracer('ray') },
    },
    {
      ...{ name: 'box', help: 'a box', size: 'box', sizeName: '<x1,y1,z1,x2,y2,z2>', options: OPTIONS },
      ...{ mask: 'solid', explains: true, create: createTracer('box') },
    },
  ],
  options: [
    { name: 'mask', type: 'text', group: 'filter', value: '<contents>', help: 'contents that stop it' },
    MODEL_OPTION,
    ORIGIN_OPTION,
  ],
  presets: [
    { name: 'ray', kind: 'ray', role: 'point', measured: true },
    { name: 'player', kind: 'box', size: [-16, -16, -24, 16, 16, 32], role: 'body', measured: true },
    { name: 'water', kind: 'ray', options: { mask: 'solid,water' }, role: 'point', measured: false },
  ],
  player: 'player',
};
