import type { Placeable, Tracer, Vec3 } from '@bspkit/core';
import type { BspFormat, TracerOption, TracerValues } from '@bspkit/core/format';
import { expect, it } from 'vitest';
import { expectSame } from '../same.ts';
import { SIZES } from './catalog.ts';
import { answersOf, caught, movesIn, NONE, type World } from './sample.ts';

export function checkModels(format: BspFormat, world: World): void {
  const { kinds, options } = format.tracers;
  const moves = movesIn(world, world.numModels);
  // A little away from where it is in the map: moves around it meet it there too.
  const { origin: home = [0, 0, 0] } = world.model(1) as { readonly origin?: Vec3 };
  const away = [24, -8, 16].map((by, k) => home[k]! + by);
  for (const kind of kinds.filter((some) => some.options.includes('model'))) {
    const size = SIZES[kind.size ?? 'none'][0]!;
    const create = (values: TracerValues): Tracer & Placeable =>
      kind.create(world, size, { model: 1, ...values }) as Tracer & Placeable;

    it(`${kind.name}: a model can be placed, all or nothing`, () => {
      const tracer = create({});
      const atHome = answersOf(tracer, moves);
      const origin = [...away];
      for (const wrong of [
        { origin: [1, Number.NaN, 0] },
        { origin, angles: [0, Number.POSITIVE_INFINITY, 0] },
        { origin: [0, 0, 1e39], angles: [0, 90, 0] },
      ]) {
        expect(() => tracer.place(wrong)).toThrow(RangeError);
        expectSame(answersOf(tracer, moves), atHome);
      }
      expect(tracer.place({ origin })).toBe(tracer);
      origin[0] = 999;
      const placed = answersOf(tracer, moves);
      expect(placed).toEqual(answersOf(create({ origin: away }), moves));
      expect(placed).not.toEqual(atHome);
    });

    // Of a format that reads several games, maps of some may have models that never turn.
    const [origin, angles] = [away, [0, 30, 0]];
    if (kind.options.includes('angles') && caught(() => create({ angles })) === NONE)
      it(`${kind.name}: a model can be turned`, () => {
        const tracer = create({ origin });
        expect(tracer.place({ angles })).toBe(tracer);
        const turned = answersOf(tracer, moves);
        expectSame(turned, answersOf(create({ origin, angles }), moves));
        expect(turned).not.toEqual(answersOf(create({ origin }), moves));
      });

    it(`${kind.name}: refuses missing models, and poses of the world`, () => {
      expect(() => create({ model: world.numModels + 1 })).toThrow(RangeError);
      const posed = options.filter(({ name }) => kind.options.includes(name) && name !== 'model');
      for (const option of posed.filter(({ type }: TracerOption) => type === 'points')) {
        expect(() => kind.create(world, size, { [option.name]: [0, 0, 0] }), option.name).toThrow(RangeError);
      }
    });

    it(`${kind.name}: takes the pose of exactly one model`, () => {
      for (const wrong of [[], [24], [24, -8], [24, -8, 16, 0], [24, -8, 16, 0, 0, 0]]) {
        const ask = (): Tracer => create({ origin: wrong });
        expect(ask).toThrow(RangeError);
        expect(ask).toThrow(
          `origin must have three numbers for each model, 3 in all, and has ${wrong.length}`,
        );
      }
    });
  }
}
