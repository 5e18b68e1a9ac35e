import type { Placeable, Polygon, PolygonSource, Pose, Tracer, Vec3 } from '@bspkit/core';
import { ANGLES_OPTION } from '@bspkit/core/format';
import { type ToyFormat, type ToyWorld, toy } from '@bspkit/testkit/toy-format';
import { expect, it } from 'vitest';
import { failuresOf, kinds, ROOM, worlds } from './wrong-toys.ts';

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

/** Worlds that are opened from data, with changes. */
const opened = (change: Partial<ToyWorld>): Changed => ({
  open: (data, options) => Object.assign(toy.open(data, options), change),
});

finds('keeps its entities and texture names', {
  "world.format: 'other', not 'toy'": worlds(() => ({ format: 'other' as never })),
  'world.entities() is empty': worlds(() => ({ entities: () => [] })),
  'what is not a string in world.textureNames(): [ 5 ]': worlds(() => {
    const names = [5] as never;
    return { textureNames: () => names };
  }),
});

finds('is the same when opened from a copy of its data', {
  'numModels of open(data) with a copy': opened({ numModels: 2 }),
  'entities() of open(data) with a copy': opened({ entities: () => [] }),
  'ray: the answer of open(data) with a copy': opened({ boxes: [] }),
});

finds('makes boxes that keep copies of their corners', {
  'a box answers differently once the arrays of its corners are changed': worlds((world) => {
    const box = world.box.bind(world);
    return { box: (mins, maxs) => Object.assign(box(mins, maxs), { shape: { kind: 'box', mins, maxs } }) };
  }),
});

const models = (numberOf: (number: number) => number): Changed =>
  worlds((world) => {
    const model = world.model.bind(world);
    return { model: (number) => model(numberOf(number)) };
  });

finds('numbers its models from 1', {
  'world.model(0) throws nothing': models((number) => number || 1),
  'world.model(2) throws nothing': models((number) => number && 1),
});

type Info = ReturnType<ToyFormat['info']>;

const info = (change: (info: Info) => Partial<Info>): Changed => ({
  info(file, world) {
    const made = toy.info(file, world);
    return { ...made, ...change(made) };
  },
});
const lumps = (change: Partial<Info['lumps'][number]>): Changed =>
  info((made) => ({ lumps: made.lumps.map((lump) => ({ ...lump, ...change })) }));
const described = (change: Partial<Info['models'][number]>): Changed =>
  info((made) => ({ models: made.models.map((model) => ({ ...model, ...change })) }));
const counted = (change: Partial<Info['contents']>): Changed =>
  info(({ contents }) => ({ contents: { ...contents, ...change } }));
const memory = (change: Partial<Info['memory']>): Changed =>
  info((made) => ({ memory: { ...made.memory, ...change } }));

finds('describes its contents', {
  'bounds of info differ from those of the world': info(({ bounds: { mins } }) => ({
    bounds: { mins, maxs: mins },
  })),
  'entities of info differ from world.entities()': info(() => ({ entities: [] })),
  'info(file, world).lumps is empty': info(() => ({ lumps: [] })),
  "lump 'entities' has -1 bytes": lumps({ bytes: -1 }),
  "lump 'entities' has 0.5 records": lumps({ records: 0.5 }),
  'info(file, world).models are 1; with the world itself there are at least 2': info((made) => ({
    models: made.models.slice(1),
  })),
  'the name of model 0 is empty': described({ name: '' }),
  "bounds of model 'world' are not finite": described({
    bounds: { mins: [0, 0, 0], maxs: [0, 0, Infinity] },
  }),
  'info(file, world).contents.what is empty': counted({ what: '' }),
  'info(file, world).contents.counts is empty': counted({ counts: new Map() }),
  'contents 1 are counted 0 times': counted({ counts: new Map([[1, 0]]) }),
  'memory.world of info differs from world.data.byteLength': memory({ world: 1 }),
  'memory.lumps of info is 0': memory({ lumps: 0 }),
});

type Brush = ReturnType<NonNullable<ToyFormat['brushes']>> extends Iterable<infer B> ? B : never;

const brushes = (change: (brush: Brush) => Partial<Brush>): Changed => ({
  *brushes(file) {
    for (const brush of toy.brushes!(file)) yield { ...brush, ...change(brush) };
  },
});
const source = (change: (source: PolygonSource) => Partial<PolygonSource>): Changed => ({
  polygons(world) {
    const made = toy.polygons(world);
    return { ...made, ...change(made) };
  },
});
const polygons = (change: (polygon: Polygon) => Partial<Polygon>): Changed =>
  source((made) => ({ polygons: () => made.polygons().map((one) => ({ ...one, ...change(one) })) }));
const sum = ([x, y, z]: Vec3): number => x! + y! + z!;

finds('returns its brushes, and its surfaces for drawing', {
  'model of brush 0 of brushes(file) is 7': brushes(() => ({ model: 7 })),
  'planes of brush 0 of brushes(file) are 3': brushes(({ planes }) => ({ planes: planes.slice(3) })),
  'textures of brush 0 of brushes(file) must be as many as planes': brushes(() => ({ textures: [0] })),
  'a texture of brush 0 of brushes(file) is 9, and there are 3': brushes(({ textures }) => ({
    textures: Array.from(textures, () => 9),
  })),
  'the normal 0 0 2 of brush 0': brushes(({ planes }) => ({
    planes: planes.map((plane) => ({ ...plane, normal: [0, 0, 2] })),
  })),
  'polygons(world).polygons() is empty': source(() => ({ polygons: () => [] })),
  'the normal 0 0 2 of polygon 0': polygons(() => ({ normal: Float32Array.of(0, 0, 2) })),
  'vertices of polygon 0 of polygons(world) are 2': polygons(({ vertices }) => ({
    vertices: vertices.subarray(0, 6),
  })),
  'vertex 0 of polygon 0 of polygons(world) is 1 units off its plane': polygons(({ dist }) => ({
    dist: dist + 1,
  })),
  'the texture of polygon 0 of polygons(world) is 9, and there are 3': polygons(() => ({ texture: 9 })),
  'only 0 of 54 polygons lie in world.bounds': polygons(({ vertices, normal, dist }) => ({
    vertices: vertices.map((x) => x + 1000),
    dist: dist + 1000 * sum(normal),
  })),
  'leafPolygons(-1) of polygons(world) throws nothing': source(({ leafPolygons }) => ({
    leafPolygons: (leaf) => leafPolygons(leaf < 0 ? 0 : leaf),
  })),
  'leafPolygons(0) of polygons(world) is not an array': source(({ leafPolygons }) => ({
    leafPolygons: (leaf) => (leaf === 0 ? (new Set() as never) : leafPolygons(leaf)),
  })),
  'isSolid of polygons(world) is true of no polygon': source(() => ({ isSolid: () => false })),
});

const boxLeafs = (
  change: (boxLeafs: PolygonSource['boxLeafs'], ...given: Parameters<PolygonSource['boxLeafs']>) => number,
): Changed => source((made) => ({ boxLeafs: (...given) => change(made.boxLeafs, ...given) }));

finds('finds the leafs that a box touches, and in them every polygon that reaches into it', {
  'the middle of polygon 0, finds no leaf': boxLeafs(() => 0),
  'the middle of polygon 0, finds a leaf twice': boxLeafs((_, __, ___, out) => {
    out.fill(0, 0, 2);
    return 2;
  }),
  'and leafPolygons(leaf) of none of them has the polygon': boxLeafs((_, __, ___, out) => {
    out[0] = 8;
    return 1;
  }),
  'boxLeafs returns 0 where out has no room': boxLeafs((call, mins, maxs, out) =>
    Math.min(call(mins, maxs, out), out.length),
  ),
  'boxLeafs([ 1, 0, 0 ], [ 0, 0, 0 ]) throws nothing': boxLeafs((call, mins, maxs, out) =>
    call(mins, mins[0] === 1 ? mins : maxs, out),
  ),
});
