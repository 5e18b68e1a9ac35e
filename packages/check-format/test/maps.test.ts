import type { Placeable, Pose, Tracer } from '@bspkit/core';
import { ANGLES_OPTION } from '@bspkit/core/format';
import { type ToyFormat, toy } from '@bspkit/testkit/toy-format';
import { expect, it } from 'vitest';
import { failuresOf, kinds, ROOM } from './wrong-toys.ts';

// What the suite says about mistakes in all but tracers of the world: by its test and message, a toy that nothing else finds.

type Changed = Partial<ToyFormat>;

/** Declares that a test of the suite says this of toys with these changes. */
function finds(test: string, toys: Readonly<Record<string, Changed>>): void {
  it.each(Object.entries(toys))(`${test}: %s`, async (failure, changed) => {
    const failures = await failuresOf(changed, [ROOM], {}, (title) => title.includes(test));
    expect(failures.filter((text) => text.includes(failure)).length, failures.join('\n')).toBeGreaterThan(0);
  });
}

/** The toy's models, placed in another way. */
const placed = (change: (place: (pose: Pose) => Tracer, pose: Pose) => Tracer | undefined): Changed =>
  kinds(({ create }) => ({
    create(...given) {
      const tracer = create(...given) as Tracer & Placeable;
      const place = tracer.place?.bind(tracer);
      return Object.assign(tracer, { place: (pose: Pose) => change(place, pose) });
    },
  }));

/** With kinds that take angles. */
const turning = ({ tracers = toy.tracers }: Changed): Changed => ({
  tracers: {
    ...tracers,
    options: [...tracers.options, ANGLES_OPTION],
    kinds: tracers.kinds.map((kind) => ({ ...kind, options: [...kind.options, 'angles'] })),
  },
});

const placesAndReturnsNothing = placed((place, pose) => {
  place(pose);
  return undefined;
});

finds('a model can be placed', {
  'place({ origin: [ 1, NaN, 0 ] }) throws nothing': placed((place, { origin = [] }) =>
    place({ origin: Array.from(origin, (x) => x || 0) }),
  ),
  'angles: [ 0, Infinity, 0 ] }) is refused, and has moved the model': placed((place, pose) => {
    place({ origin: pose.origin });
    return place(pose);
  }),
  'place(pose) does not return the tracer': placesAndReturnsNothing,
  'answers differently placed by place(pose) and made with the option origin': placed((place, pose) =>
    place({ ...pose, origin: Array.from(pose.origin!, (x) => x + 8) }),
  ),
  '100 moves around model 1 have the same answers where it is in the map and at 24,-8,16': kinds(
    ({ create }) => ({
      create(world, size, { origin: _, ...values }) {
        const tracer = create(world, size, values) as Tracer & Placeable;
        const place = tracer.place?.bind(tracer);
        return Object.assign(tracer, { place: (pose: Pose) => place(pose) && place({ origin: [0, 0, 0] }) });
      },
    }),
  ),
});

finds('a model can be turned', {
  'place(pose) does not return the tracer': turning(placesAndReturnsNothing),
  'model 1 answers differently turned by place({ angles: [0,30,0] })': turning(
    placed((place, pose) => place({ ...pose, origin: [0, 0, 8] })),
  ),
  '100 moves around model 1 have the same answers at the angles 0,30,0': turning({}),
});

finds('refuses missing models, and poses of the world', {
  'a tracer of model 2 of 1 throws nothing': kinds(({ create }) => ({
    create: (world, size, { model, ...values }) =>
      create(world, size, model === 1 ? { model, ...values } : values),
  })),
  'a tracer of the world with the option origin throws nothing': kinds(({ create }) => ({
    create: (world, size, values) => create(world, size, values.model ? values : {}),
  })),
});

finds('takes the pose of exactly one model', {
  'a tracer of model 1 with the origin [] throws nothing': kinds(({ create }) => ({
    create: (world, size, { model, origin }) =>
      create(world, size, origin?.length === 3 ? { model, origin } : { model }),
  })),
});
