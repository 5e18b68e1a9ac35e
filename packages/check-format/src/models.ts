import { isDeepStrictEqual } from 'node:util';
import type { Placeable, Tracer, Vec3 } from '@bspkit/core';
import type { BspFormat, TracerOption, TracerValues } from '@bspkit/core/format';
import { SIZES } from './catalog.ts';
import { caught, demand, demandSame, demandThrows, NONE, show } from './demand.ts';
import { answersOf, demandAnswers, type It, movesIn, showMove, type World } from './sample.ts';

/** As many models of a map are traced, at most. */
const MOST_MODELS = 8;

/** Tracers of inline models: where they are, and where they are put. */
export function checkModels(it: It, format: BspFormat, world: World): void {
  const { kinds, options } = format.tracers;
  const moves = movesIn(world, 1);
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
        const call = `place(${show(wrong)})`;
        demandThrows(() => tracer.place(wrong), RangeError, call);
        demandAnswers(answersOf(tracer, moves), atHome, moves, `${call} is refused, and has moved the model`);
      }
      demand(tracer.place({ origin }) === tracer, 'place(pose) does not return the tracer');
      origin[0] = 999;
      const placed = answersOf(tracer, moves);
      const made = answersOf(create({ origin: away }), moves);
      const what = `model 1 at ${away} answers differently placed by place(pose) and made with the option origin`;
      demandAnswers(placed, made, moves, what);
      const stays = `${moves.length} moves around model 1 have the same answers where it is in the map and at ${away}`;
      demand(!isDeepStrictEqual(placed, atHome), stays);
    });

    it(`${kind.name}: names the model that it hits`, () => {
      const tracer = create({});
      const hit = new Set(moves.map((move) => tracer.trace(...move).model));
      hit.delete(-1);
      demandSame([...hit], [1], 'model of all traces that hit model 1');
      for (let number = 2; number <= Math.min(world.numModels, MOST_MODELS); number++) {
        const other = create({ model: number });
        for (const move of movesIn(world, number)) {
          const { model } = other.trace(...move);
          // Not all models are of what stops it.
          const isRight = model === number || model === -1;
          demand(isRight, () => `a tracer of model ${number} hits model ${model}, ${showMove(move)}`);
        }
      }
    });

    // Of a format that reads several games, maps of some may have models that never turn.
    const [origin, angles] = [away, [0, 30, 0]];
    if (kind.options.includes('angles') && caught(() => create({ angles })) === NONE)
      it(`${kind.name}: a model can be turned`, () => {
        const tracer = create({ origin });
        const given = [...angles];
        demand(tracer.place({ angles: given }) === tracer, 'place(pose) does not return the tracer');
        given[1] = 90;
        const turned = answersOf(tracer, moves);
        const made = answersOf(create({ origin, angles }), moves);
        const what = `model 1 answers differently turned by place({ angles: [${angles}] }) and made with this option`;
        demandAnswers(turned, made, moves, what);
        const upright = answersOf(create({ origin }), moves);
        const stays = `${moves.length} moves around model 1 have the same answers at the angles ${angles}`;
        demand(!isDeepStrictEqual(turned, upright), stays);
        const elsewhere = Array.from(home, (x) => x - 4);
        tracer.place({ origin: elsewhere });
        const moved = answersOf(tracer, moves);
        const both = answersOf(create({ origin: elsewhere, angles }), moves);
        const keeps = `model 1 at the angles ${angles} answers differently moved by place({ origin: [${elsewhere}] }) and made there with these angles`;
        demandAnswers(moved, both, moves, keeps);
      });

    it(`${kind.name}: refuses missing models, and poses of the world`, () => {
      const model = world.numModels + 1;
      demandThrows(() => create({ model }), RangeError, `a tracer of model ${model} of ${world.numModels}`);
      const posed = options.filter(({ name }) => kind.options.includes(name) && name !== 'model');
      for (const { name } of posed.filter(({ type }: TracerOption) => type === 'points')) {
        const run = (): unknown => kind.create(world, size, { [name]: [0, 0, 0] });
        demandThrows(run, RangeError, `a tracer of the world with the option ${name}`);
      }
    });

    it(`${kind.name}: takes the pose of exactly one model`, () => {
      for (const wrong of [[], [24], [24, -8], [24, -8, 16, 0], [24, -8, 16, 0, 0, 0]]) {
        demandThrows(
          () => create({ origin: wrong }),
          RangeError,
          `a tracer of model 1 with the origin [${wrong}]`,
          `origin must have three numbers for each model, 3 in all, got ${wrong.length}`,
        );
      }
    });
  }
}
