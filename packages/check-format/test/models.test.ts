import type { Placeable, Pose, Tracer, Vec3 } from '@bspkit/core';
import { ANGLES_OPTION } from '@bspkit/core/format';
import { toy, writeToy } from '@bspkit/testkit/toy';
import { expect, it } from 'vitest';
import { type Changed, failuresOf, finds, kinds, ROOM, tracers } from './wrong-toys.ts';

// What the suite says about mistakes in tracers of models: each of its messages, and a toy that it is said of.

/** The toy's models, placed in another way. */
const placed = (change: (place: (pose: Pose) => Tracer, pose: Pose) => Tracer | undefined): Changed =>
  kinds(({ create }) => ({
    create(...given) {
      const tracer = create(...given) as Tracer & Placeable;
      const place = tracer.place?.bind(tracer);
      return Object.assign(tracer, { place: (pose: Pose) => change(place, pose) });
    },
  }));

/** With kinds that take angles, and turn nothing. */
const turning = ({ tracers = toy.tracers }: Changed): Changed => ({
  tracers: {
    ...tracers,
    options: [...tracers.options, ANGLES_OPTION],
    kinds: tracers.kinds.map((kind) => ({
      ...kind,
      options: [...kind.options, 'angles'],
      create: (world, size, { angles: _, ...values }) => kind.create(world, size, values),
    })),
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

/** With kinds whose models are raised by their yaw, in place of being turned; how a pose is kept may be wrong. */
const raising = (
  keep: (pose: Pose, kept: Readonly<Record<keyof Pose, Vec3>>) => Record<keyof Pose, Vec3>,
): Changed => ({
  tracers: {
    ...toy.tracers,
    options: [...toy.tracers.options, ANGLES_OPTION],
    kinds: toy.tracers.kinds.map((kind) => ({
      ...kind,
      options: [...kind.options, 'angles'],
      create(world, size, { angles = [0, 0, 0], origin = [0, 0, 0], ...values }) {
        const tracer = kind.create(world, size, values);
        if (!values.model) return tracer;
        let kept: Record<keyof Pose, Vec3> = { origin, angles };
        const model = tracer as Tracer & Placeable;
        const [place, trace, blocked] = [model.place, model.trace, model.blocked].map((call) =>
          call.bind(model as never),
        ) as [Placeable['place'], Tracer['trace'], Tracer['blocked']];
        const put = (): void => {
          const [x, y, z] = Array.from(kept.origin);
          place({ origin: [x!, y!, z! + kept.angles[1]!] });
        };
        return Object.assign(tracer, {
          place(pose: Pose) {
            kept = keep(pose, kept);
            return tracer;
          },
          trace(...given: Parameters<Tracer['trace']>) {
            put();
            return trace(...given);
          },
          blocked(...given: Parameters<Tracer['blocked']>) {
            put();
            return blocked(...given);
          },
        });
      },
    })),
  },
});
const copyOf = (point: Vec3): Vec3 => Array.from(point);

finds('a model can be turned', {
  'model 1 answers differently turned by place({ angles: [0,30,0] })': raising(
    ({ origin, angles }, kept) => ({ origin: copyOf(origin ?? kept.origin), angles: angles ?? kept.angles }),
  ),
  'model 1 at the angles 0,30,0 answers differently moved by place({ origin: [': raising(
    ({ origin, angles = [0, 0, 0] }, kept) => ({
      origin: copyOf(origin ?? kept.origin),
      angles: copyOf(angles),
    }),
  ),
});

it('a model can be turned: a pose that keeps what it does not name, and copies what it does', async () => {
  const right = raising((pose, kept) => ({
    origin: copyOf(pose.origin ?? kept.origin),
    angles: copyOf(pose.angles ?? kept.angles),
  }));
  const titles: string[] = [];
  const isAsked = (title: string): boolean => title.includes('can be turned') && titles.push(title) > 0;
  expect(await failuresOf(right, [ROOM], {}, isAsked)).toEqual([]);
  expect(titles).toHaveLength(2);
});

it('names the model that it hits: one of several', async () => {
  const boxes = [0, 1, 2].map((k) => ({
    ...{ mins: [100 * k, 0, 0], maxs: [100 * k + 40, 40, 40], model: k },
  }));
  const doors = [{ name: 'doors', bytes: writeToy(boxes as never) }];
  const isAsked = (title: string): boolean => title.includes('names the model');
  const first = kinds(({ create }) => ({
    create: (world, size, { model, ...values }) => create(world, size, { model: model && 1, ...values }),
  }));
  expect(await failuresOf({}, doors, {}, isAsked)).toEqual([]);
  const failures = await failuresOf(first, doors, {}, isAsked);
  expect(failures.join()).toContain('a tracer of model 2 hits model 1, on the way from ');
});

finds('names the model that it hits', {
  'model of all traces that hit model 1: [ 0 ], not [ 1 ]': tracers((tracer) => {
    const trace = tracer.trace.bind(tracer);
    return {
      trace(...given) {
        const answer = trace(...given);
        answer.model = Math.min(answer.model, 0);
        return answer;
      },
    };
  }),
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
