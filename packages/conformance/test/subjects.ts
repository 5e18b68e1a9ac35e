import { type Bounds, defineTracer, type Placeable, type Tracer } from '@bspkit/core';
import {
  type BspFormat,
  type KernelChoice,
  MODEL_OPTION,
  suitedPresets,
  tracerKind,
  tracerOf,
} from '@bspkit/core/format';
import { createEllipsoidBody, createEllipsoidWorld } from '@bspkit/ellipsoid';
import { engineMapNames, readEngineMap } from '@bspkit/fixtures/engine';
import { between, type Random } from '@bspkit/geometry';
import { boxEntity as quake1Entity } from '@bspkit/quake1';
import { boxEntity as quake2Entity } from '@bspkit/quake2';
import { exactSphere, boxEntity as quake3Entity } from '@bspkit/quake3';
import { quake3Format } from '@bspkit/quake3/format';
import { createBody, createScene, type RulesName, withPose } from '@bspkit/scene';
import { toy, toyMap } from '@bspkit/testkit/toy';
import { FORMATS } from 'bspkit';
import { quake1Arena, quake2Arena, quake3Arena, ufoaiHouse } from './worlds.ts';

// Tracers of every kind, for rules that all of them must follow.

const player: Bounds = { mins: [-15, -15, -24], maxs: [15, 15, 32] };
/** Turned a little: what is turned goes around the map's origin, which is far away. */
const pose = { origin: [20, 10, 5], angles: [1, 2, 3] };

/** A tracer, and the space for its moves. */
export interface Subject {
  readonly bounds: Bounds;
  make(): Tracer;
}

const around: Bounds = { mins: [-80, -80, -80], maxs: [80, 80, 80] };

/** Where a model is met that was moved a little. */
const near = ({ mins, maxs }: Bounds): Bounds => ({
  mins: Array.from(mins, (x) => x - 32),
  maxs: Array.from(maxs, (x) => x + 32),
});

function put<T extends Tracer & Placeable>(tracer: T): T {
  return tracer.place(pose);
}

function* quake1Subjects(kernel: KernelChoice): Generator<[string, Subject]> {
  const world = quake1Arena({ kernel });
  const model = world.model(1);
  const { bounds } = world;
  for (const rules of ['quake1', 'quakeworld', 'halflife', 'halflife-player'] as const) {
    yield [`quake1: ray, rules ${rules}`, { bounds, make: () => world.ray({ rules }) }];
    yield [`quake1: hull 1, rules ${rules}`, { bounds, make: () => world.hull(1, { rules }) }];
    // Half-Life's rules turn models.
    yield [
      `quake1: model, ray, rules ${rules}`,
      { bounds: near(model.bounds), make: () => put(model.ray({ rules })) },
    ];
  }
  yield ['quake1: box', { bounds, make: () => world.box(player.mins, player.maxs) }];
  yield ['quake1: precise ray', { bounds, make: () => world.preciseRay() }];
  yield ['quake1: precise hull 1', { bounds, make: () => world.preciseHull(1) }];
  yield [
    'quake1: model, box',
    { bounds: near(model.bounds), make: () => put(model.box(player.mins, player.maxs)) },
  ];
  yield ['quake1: model, precise ray', { bounds: near(model.bounds), make: () => put(model.preciseRay()) }];
  const entity = quake1Entity(player.mins, player.maxs);
  yield ['quake1: box entity, ray', { bounds: around, make: () => put(entity.ray()) }];
  yield [
    'quake1: box entity, box',
    { bounds: around, make: () => put(entity.box(player.mins, player.maxs)) },
  ];
}

function* quake2Subjects(kernel: KernelChoice): Generator<[string, Subject]> {
  const world = quake2Arena({ kernel });
  const model = world.model(1);
  const there = near(model.bounds);
  const entity = quake2Entity(player.mins, player.maxs);
  const { bounds } = world;
  const { mins, maxs } = player;
  const mask = -1;
  yield ['quake2: ray', { bounds, make: () => world.ray({ mask }) }];
  yield ['quake2: box', { bounds, make: () => world.box(mins, maxs, { mask }) }];
  yield ['quake2: model, ray', { bounds: there, make: () => put(model.ray({ mask })) }];
  yield ['quake2: model, box', { bounds: there, make: () => put(model.box(mins, maxs, { mask })) }];
  yield ['quake2: box entity, ray', { bounds: around, make: () => put(entity.ray({ mask })) }];
  yield ['quake2: box entity, box', { bounds: around, make: () => put(entity.box(mins, maxs, { mask })) }];
}

function* quake3Subjects(kernel: KernelChoice): Generator<[string, Subject]> {
  const world = quake3Arena({ kernel });
  const model = world.model(1);
  const entity = quake3Entity(player.mins, player.maxs);
  const { bounds } = world;
  const mask = -1;
  for (const [name, target, where] of [
    ['world', world, bounds],
    ['model', model, near(model.bounds)],
    ['box entity', entity, around],
  ] as const) {
    const placed = (tracer: Tracer): Tracer =>
      'place' in tracer ? put(tracer as Tracer & Placeable) : tracer;
    const of = (what: string, make: () => Tracer): [string, Subject] => [
      `quake3: ${name}, ${what}`,
      { bounds: where, make: () => placed(make()) },
    ];
    yield of('ray', () => target.ray({ mask }));
    yield of('sphere', () => target.sphere(12, { mask }));
    yield of('box', () => target.box(player.mins, player.maxs, { mask }));
    yield of('capsule', () => target.capsule(player.mins, player.maxs, { mask }));
    yield of('exact sphere', () => exactSphere(target, 12, { mask }));
  }
}

function* ufoaiSubjects(kernel: KernelChoice): Generator<[string, Subject]> {
  const world = ufoaiHouse({ kernel });
  const { bounds } = world;
  const models = world.models();
  const model = models[0]!;
  const { mins, maxs } = model.bounds;
  const there = near({
    mins: Array.from(mins, (x, k) => x + model.origin[k]!),
    maxs: Array.from(maxs, (x, k) => x + model.origin[k]!),
  });
  for (const compat of [undefined, 'engine'] as const) {
    const how = compat ? ', as the engine' : '';
    yield [`ufoai: ray${how}`, { bounds, make: () => world.ray({ models, compat }) }];
    yield [
      `ufoai: box${how}`,
      { bounds, make: () => world.box(player.mins, player.maxs, { models, compat }) },
    ];
    yield [`ufoai: line${how}`, { bounds, make: () => world.line({ models, compat }) }];
    yield [`ufoai: model, ray${how}`, { bounds: there, make: () => model.ray({ compat }) }];
    yield [
      `ufoai: model, box${how}`,
      { bounds: there, make: () => model.box(player.mins, player.maxs, { compat }) },
    ];
    yield [`ufoai: model, line${how}`, { bounds: there, make: () => model.line({ compat }) }];
  }
}

function* sceneSubjects(kernel: KernelChoice): Generator<[string, Subject]> {
  const quake3 = quake3Arena({ kernel });
  const quake1 = quake1Arena({ kernel });
  const ufoai = ufoaiHouse({ kernel });
  const cube = createBody({ kind: 'box', mins: [-30, -30, -30], maxs: [30, 30, 30] });
  const capsule = createBody({ kind: 'capsule', mins: [-15, -15, -30], maxs: [15, 15, 30] });
  const shapes: readonly [string, (target: typeof cube) => Tracer][] = [
    ['ray', (target) => target.ray()],
    ['sphere', (target) => target.sphere(12)],
    ['box', (target) => target.box(player.mins, player.maxs)],
    ['capsule', (target) => target.capsule({ radius: 10, height: 40 })],
  ];
  for (const [name, make] of shapes) {
    yield [`body: ${name}`, { bounds: around, make: () => make(cube) }];
    yield [`round body, posed: ${name}`, { bounds: around, make: () => put(withPose(make(capsule))) }];
    yield [
      `round body, posed twice: ${name}`,
      { bounds: around, make: () => put(withPose(put(withPose(make(capsule))))) },
    ];
    for (const rules of ['nearest', 'quake3', 'quake3-client'] as const satisfies RulesName[]) {
      const scene = createScene(quake3, { rules });
      scene.add(quake3.model(1), pose);
      scene.add(cube, { origin: [0, 0, 40] });
      yield [
        `scene of quake3, rules ${rules}: ${name}`,
        { bounds: quake3.bounds, make: () => make(scene as unknown as typeof cube) },
      ];
    }
  }
  for (const rules of ['nearest', 'quake1', 'halflife'] as const satisfies RulesName[]) {
    const scene = createScene(quake1, { rules });
    scene.add(quake1.model(1), pose);
    scene.add(quake1Entity(player.mins, player.maxs), { origin: [0, 0, 40] });
    for (const hull of [0, 1]) {
      const make = (): Tracer => scene.hull(hull);
      yield [`scene of quake1, rules ${rules}: hull ${hull}`, { bounds: quake1.bounds, make }];
    }
  }
  const floors = createScene(ufoai);
  for (const model of ufoai.models()) floors.add(model);
  yield ['scene of ufoai: ray', { bounds: ufoai.bounds, make: () => floors.ray() }];
  yield ['scene of ufoai: line', { bounds: ufoai.bounds, make: () => floors.line() }];
  yield [
    'a tracer of one own',
    {
      bounds: around,
      make: () => {
        const inner = cube.ray();
        return defineTracer({
          shape: { kind: 'ray' },
          trace: (start, end, out) => inner.trace(start, end, out),
        });
      },
    },
  ];
}

const { polygons } = await quake3Format.load();

function* ellipsoidSubjects(): Generator<[string, Subject]> {
  const world = createEllipsoidWorld(polygons(quake3Arena()));
  const { bounds } = world;
  const radii = [16, 16, 28];
  yield ['ellipsoid', { bounds, make: () => world.ellipsoid(radii) }];
  yield ['ellipsoid: sphere', { bounds, make: () => world.sphere(12) }];
  yield ["ellipsoid: the tutorial's", { bounds, make: () => world.tutorial(radii) }];
  const body = createEllipsoidBody(radii);
  yield ['ellipsoid against another', { bounds: around, make: () => put(body.ellipsoid([8, 8, 12])) }];
}

/** Formats whose tracers are listed above; for all others, their presets are used. */
const NAMED: Readonly<Record<string, (kernel: KernelChoice) => Generator<[string, Subject]>>> = {
  quake1: quake1Subjects,
  quake2: quake2Subjects,
  quake3: quake3Subjects,
  ufoai: ufoaiSubjects,
};

/** The presets of any format, in one of its maps and around its first model. */
function* formatSubjects(
  format: BspFormat,
  bytes: Uint8Array,
  kernel: KernelChoice,
): Generator<[string, Subject]> {
  const world = format.createWorld([format.read(bytes)], { kernel });
  const { models } = format.info(format.read(bytes), world);
  for (const preset of suitedPresets(format, world)) {
    const name = `${format.id}: preset ${preset.name}`;
    yield [name, { bounds: world.bounds, make: () => tracerOf(format, world, preset) }];
    const [, model] = models;
    const takesModel = tracerKind(format, preset.kind).options.includes(MODEL_OPTION.name);
    if (!takesModel || !model || world.numModels === 0) continue;
    const options = { ...preset.options, model: 1 };
    const make = (): Tracer => tracerOf(format, world, { ...preset, options });
    yield [`${name}, model`, { bounds: near(model.bounds), make }];
  }
}

/** Formats without a list of their own, each with a map; the toy is one. */
const OTHERS: readonly (readonly [BspFormat, Uint8Array])[] = [
  [toy as never, toyMap()],
  ...(await Promise.all(
    FORMATS.filter(({ id }) => !Object.hasOwn(NAMED, id)).map(async (entry) => {
      const [name] = engineMapNames(entry.id);
      if (!name)
        throw new Error(`there is no map of ${entry.id}: put one into packages/${entry.id}/test/maps`);
      const format: BspFormat = (await entry.load()) as never;
      return [format, readEngineMap(name)] as const;
    }),
  )),
];

/** Tracers by name, of worlds that trace with a kernel. */
export function* subjectsOf(kernel: KernelChoice): Generator<[string, Subject]> {
  for (const subjects of Object.values(NAMED)) yield* subjects(kernel);
  for (const [format, bytes] of OTHERS) yield* formatSubjects(format, bytes, kernel);
  yield* sceneSubjects(kernel);
  if (kernel !== 'js') yield* ellipsoidSubjects();
}

/** Any place within bounds. */
export const pointIn = (random: Random, { mins, maxs }: Bounds): Float32Array =>
  Float32Array.from([0, 1, 2], (k) => between(random, mins[k]!, maxs[k]!));
