import {
  type BrushPolygon,
  BspError,
  type Bytes,
  createTrace,
  type Entity,
  type LightSample,
  type LightSampler,
  type Mesh,
  type MeshOptions,
  type Placeable,
  type Polygon,
  type PolygonSource,
  type Pose,
  parseEntities,
  type Surface,
  type Trace,
  type Tracer,
  type TraceStep,
  type Vec3,
} from '@bspkit/core';
import {
  ANGLES_OPTION,
  askedLight,
  type BspFormat,
  type BspFormatEntry,
  createFullLight,
  MeshBuilder,
} from '@bspkit/core/format';
import { type ToyFile, type ToyFormat, ToyTracer, type ToyWorld, toy, writeToy } from '@bspkit/testkit/toy';
import { expect, it } from 'vitest';
import { failuresOf, kinds, mesh, ROOM, tracers, worlds } from './wrong-toys.ts';

// What the suite says about mistakes in all but tracers of the world: each of its messages, and a toy that it is said of.

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

/** With two kernels, of which one makes its worlds in another way. */
const kernels = (change: (world: ToyWorld) => Partial<ToyWorld>): Changed => ({
  kernels: ['wasm', 'js'],
  open: (data, { kernel, ...options } = {}) => {
    const world = toy.open(data, options);
    return Object.assign(world, { kernel: kernel ?? 'js' }, kernel === 'wasm' && change(world));
  },
});

finds('answers the same with each of its kernels', {
  "ray: the answer of open(data, { kernel: 'wasm' }) differs from that of the world, whose kernel is 'js'":
    kernels(() => ({ boxes: [] })),
  "ray at model 1: the answer of open(data, { kernel: 'wasm' }) differs from that of the world": kernels(
    ({ boxes }) => ({ boxes: boxes.filter(({ model }) => model === 0) }),
  ),
  "once it has traced, the kernel of open(data, { kernel: 'wasm' }): 'js', not 'wasm'": kernels((world) => {
    const ray = world.ray.bind(world);
    return { ray: (options) => Object.assign(world, { kernel: 'js' }) && ray(options) };
  }),
});

it('has nothing to compare where there is one kernel, and finds nothing where kernels are alike', async () => {
  const titles: string[] = [];
  const isAsked = (title: string): boolean => titles.push(title) > 0 && title.includes('of its kernels');
  expect(await failuresOf({}, [ROOM], {}, isAsked)).toEqual([]);
  expect(titles.filter((title) => title.includes('of its kernels'))).toEqual([]);
  expect(
    await failuresOf(
      kernels(() => ({})),
      [ROOM],
      {},
      isAsked,
    ),
  ).toEqual([]);
  expect(titles.filter((title) => title.includes('of its kernels'))).toEqual([
    'room > answers the same with each of its kernels',
  ]);
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
  'leafPolygons(11) of polygons(world) throws nothing': source(({ leafPolygons, numLeafs }) => ({
    leafPolygons: (leaf) => (leaf === numLeafs ? [] : leafPolygons(leaf)),
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

/** Files that are read in another way. */
const reading = (change: (bytes: Bytes) => ToyFile): Changed => ({ read: change });

/** What cannot be read is refused with other errors. */
const refusing = (change: object): Changed =>
  reading((bytes) => {
    try {
      return toy.read(bytes);
    } catch (error) {
      throw error instanceof BspError ? Object.assign(error, change) : error;
    }
  });

const readRoom = (): ToyFile => toy.read(ROOM.bytes);
const FLOOR = writeToy([{ mins: [-272, -272, -16], maxs: [272, 272, 0] }]);
const ROOM_RAY = toy.createWorld([readRoom()]).ray();

/** Worlds that look at lumps, which are views of the file's bytes, whenever they are asked. */
const looking = (change: (world: ToyWorld, file: ToyFile) => ToyWorld): Changed => ({
  createWorld: (files, options) => change(toy.createWorld(files, options), files[0]!),
});

finds('reads bytes in any kind of buffer', {
  "format of the file that read(bytes) returns: 'other', not 'toy'": {
    read: (bytes) => ({ ...toy.read(bytes), format: 'other' as never }),
    createWorld: (files, options) =>
      toy.createWorld(
        files.map((file) => ({ ...file, format: 'toy' })),
        options,
      ),
  },
  'the world of room has other data where its bytes are in a SharedArrayBuffer': reading((bytes) =>
    toy.read(bytes instanceof SharedArrayBuffer ? FLOOR : bytes),
  ),
  'data of the world of room differs once the bytes that it was read from are used for something else':
    looking((world, { lumps: { entities } }) => {
      const { data } = world;
      const get = (): ArrayBufferLike => (entities[0] ? data : new ArrayBuffer(0));
      return Object.defineProperty(world, 'data', { get });
    }),
  'entities() of the world of room differs once the bytes that it was read from': looking(
    (world, { lumps: { entities } }) => {
      let kept: readonly Entity[] | undefined;
      const parse = (): readonly Entity[] => parseEntities(new TextDecoder().decode(entities), 'toy');
      return Object.assign(world, { entities: () => (kept ??= parse()) });
    },
  ),
  'read(undefined) throws nothing': reading((bytes) => toy.read(bytes ?? ROOM.bytes)),
});

finds('says what other files are', {
  "format of the error that read(bytes) throws: 'other', not 'toy'": refusing({ format: 'other' }),
});

finds('refuses a file that was cut off', {
  'bytes of room throws nothing; it must throw a BspError': reading((bytes) => {
    try {
      return toy.read(bytes);
    } catch {
      return readRoom();
    }
  }),
  'bytes of room has no message': refusing({ message: 'toy: ' }),
});

finds('survives or refuses a file with wrong bytes', {
  'room with the bytes 18 at 144, 57 at 176, 153 at 34: TypeError: no walls; what cannot be made must throw a RangeError':
    kinds(() => ({
      create() {
        throw new TypeError('no walls');
      },
    })),
  'answers with invalid numbers: { fraction: 2': tracers((tracer) => {
    const trace = tracer.trace.bind(tracer);
    return { trace: (...given) => Object.assign(trace(...given), { fraction: 2 }) };
  }),
});

it('survives or refuses a file with wrong bytes: a broken world may lack what a tracer needs', async () => {
  const refused = kinds(() => ({
    create() {
      throw new RangeError('no walls');
    },
  }));
  expect(await failuresOf(refused, [ROOM], {}, (title) => title.startsWith('survives'))).toEqual([]);
});

finds('refuses to build a world from nothing', {
  'createWorld([]) throws nothing': {
    createWorld: (files, options) => toy.createWorld(files.length > 0 ? files : [readRoom()], options),
  },
  'createWorld([file, file]) throws nothing': {
    createWorld: (files, options) => toy.createWorld(files.slice(0, 1), options),
  },
  "createWorld of a file whose format is 'another' throws nothing": {
    createWorld: (files, options) =>
      toy.createWorld(
        files.map((file) => ({ ...file, format: 'toy' })),
        options,
      ),
  },
});

finds("opens a world's data, and refuses anything else, also as a kernel", {
  'createWorld(files, { shared: true }).data is not shared memory': {
    createWorld: (files, options) => toy.createWorld(files, { ...options, shared: false }),
  },
  'open(data).data is not the data that was given': {
    open: (data, options) => toy.open(data.slice(0), options),
  },
  "kernel of the world of open(data, { kernel: 'js' }): 'wasm', not 'js'": opened({
    kernel: 'wasm' as never,
  }),
  "open(data, { kernel: 'wasm' }) throws nothing": { open: (data) => toy.open(data) },
  'open(data) with 0 bytes throws nothing': {
    open: (data, options) =>
      toy.open(data.byteLength > 0 ? data : toy.createWorld([readRoom()]).data, options),
  },
});

finds('answers what is at a point, and other questions that it supports', {
  'returns no fields': { point: () => ({}) },
  'sphere returns { yes: 1 }, whose yes must be a boolean': { sphere: () => ({ yes: 1 }) as never },
  'point(world, [NaN, 0, 0]) throws nothing': { point: () => ({ leaf: 1 }) },
  'sphere(world, point, -1) throws nothing': { sphere: () => ({ yes: true, fields: {} }) },
  'sight(world, from, [NaN, 0, 0]) throws nothing': { sight: () => ({ yes: true, fields: {} }) },
});

finds('has presets whose shapes are those of their roles', {
  "preset ray has the role 'ball', and its tracer the shape: 'ray', not 'sphere'": {
    tracers: {
      ...toy.tracers,
      presets: toy.tracers.presets.map((preset) =>
        preset.kind === 'ray' ? { ...preset, role: 'ball' } : preset,
      ),
    },
  },
});

const surface = (change: (surface: Surface) => Partial<Surface>): Changed => ({
  surfaceAt(world, trace) {
    const found = toy.surfaceAt(world, trace);
    return found && { ...found, ...change(found) };
  },
});
const asked = (change: (trace: Trace) => Partial<Trace>): Changed => ({
  surfaceAt: (world, trace) => toy.surfaceAt(world, { ...trace, ...change(trace) }),
});
const withoutPolygons = surface(() => ({ polygon: undefined }));

finds('finds what a trace hit', {
  ', which brushes(file) does not list, ': { brushes: () => [] },
  'model of a ray that hits brush 1, and of it in brushes(file), differ': brushes(() => ({ model: 1 })),
  'contents of a ray that hits brush 1, and of it in brushes(file), differ': brushes(() => ({ contents: 0 })),
  'brush 1 of brushes(file) is 8.03125 units from where a ray hits it': brushes(({ planes }) => ({
    planes: planes.map(({ normal, dist }) => ({ normal, dist: dist - 8 })),
  })),
  'texture and flags of surfaceAt(world, trace) differ from those of the trace': surface(() => ({
    flags: 9,
  })),
  'surfaceAt(world, trace).name of texture 0 differs from textureNames()': surface(() => ({ name: 'other' })),
  'the polygon of surfaceAt(world, trace) is 9.96875 units from where a ray ends': surface(({ polygon }) => ({
    polygon: { ...polygon!, dist: polygon!.dist + 10 },
  })),
  'surfaceAt(world, trace) finds no surface with a polygon: ': withoutPolygons,
});

finds('finds nothing for numbers that the map does not have', {
  'surfaceAt(world, trace) finds no surface with a polygon for any move': withoutPolygons,
  "surfaceAt throws where a trace's brush is -5: RangeError: no such brush": asked(({ brush }) => {
    if (brush === -5) throw new RangeError('no such brush');
    return {};
  }),
  'surfaceAt finds something where each number of a trace is -5': asked(() => ({ brush: 0, side: 0 })),
  "surfaceAt finds something where a trace's model is -5": asked(() => ({ model: 0 })),
});

finds('has fields of its own for every trace', {
  'traceFields(trace) returns undefined': { traceFields: () => undefined as never },
});

it('lets a format say nothing of a move beside the map', async () => {
  let beside = 0;
  const changed: Changed = {
    explain: (tracer, start, end) => {
      const { maxs } = toy.createWorld([toy.read(ROOM.bytes)]).bounds;
      const isAbove = [0, 1, 2].some((k) => start[k]! > maxs[k]! && end[k]! > maxs[k]!);
      if (isAbove) beside++;
      const explained = toy.explain(tracer, start, end);
      return isAbove ? { ...explained, steps: [] } : explained;
    },
  };
  expect(await failuresOf(changed, [ROOM], {}, (title) => title.includes('explains its tracers'))).toEqual(
    [],
  );
  expect(beside).toBeGreaterThan(0);
});

const shared = createTrace();
const kept: TraceStep[] = [];

finds('explains its tracers, and no others', {
  'explain(tracer, start, end) of ray, whose kind does not say explains: true, throws nothing': kinds(() => ({
    explains: false,
  })),
  'explain returns no steps of ray, ': { explain: (...given) => ({ ...toy.explain(...given), steps: [] }) },
  'later calls of explain change the trace of an earlier one of ray': {
    explain: (tracer, start, end) => ({
      ...toy.explain(tracer, start, end),
      trace: tracer.trace(start, end, shared),
    }),
  },
  'later calls of explain change the steps of an earlier one of ray': {
    explain(tracer, start, end) {
      const { trace, steps } = toy.explain(tracer, start, end);
      kept.splice(0, kept.length, ...steps);
      return { trace, steps: kept };
    },
  },
  'of a tracer that is not of the format throws nothing': {
    explain: (tracer, start, end) => ({
      ...toy.explain(tracer instanceof ToyTracer ? tracer : ROOM_RAY, start, end),
      trace: tracer.trace(start, end, createTrace()),
    }),
  },
});

/** Boxes of the format, made and resized in another way. */
const entities = (
  made: (corner: Vec3) => Vec3,
  resize: (box: Box, mins: Vec3, maxs: Vec3) => void,
  change: (ray: Tracer & Placeable, box: Box) => Partial<Tracer & Placeable> = () => ({}),
): Changed => ({
  boxEntity(mins, maxs) {
    const world = toy.createWorld([
      toy.read(
        writeToy([
          { mins: [900, 900, 900], maxs: [901, 901, 901] },
          { model: 1, mins: made(mins) as never, maxs: made(maxs) as never },
        ]),
      ),
    ]);
    const box = world.boxes[1]!;
    return {
      bounds: world.model(1).bounds,
      ray() {
        const ray = world.model(1).ray();
        return Object.assign(ray, change(ray, box));
      },
      resize: (...corners) => resize(box, ...corners),
    };
  },
});
interface Box {
  readonly mins: Float32Array;
  readonly maxs: Float32Array;
}
const asIs = (corner: Vec3): Vec3 => corner;
const resized = (box: Box, mins: Vec3, maxs: Vec3): void => {
  const isRight = Array.from(mins).every((x, k) => x <= maxs[k]!);
  if (!isRight) throw new RangeError('maxs must be mins or more');
  box.mins.set(mins);
  box.maxs.set(maxs);
};
let placedRays: (Tracer & Placeable)[] = [];

finds('traces boxes that are not part of the map', {
  'after boxEntity([-8, -8, -8], [8, 8, 8]), a ray from -40 0 0': entities(
    (corner) => Array.from(corner, (x) => 2 * x),
    () => {},
  ),
  'after resize([-16, -8, -8], [16, 8, 8]), a ray from -40 0 0': entities(asIs, () => {}),
  'resize([ 1, 0, 0 ], [ 0, 0, 0 ]) throws nothing': entities(asIs, (box, mins, maxs) => {
    box.mins.set(mins);
    box.maxs.set(maxs);
  }),
  'after the refused resize([ 1, 0, 0 ], [ 0, 0, 0 ]), a ray from -40 0 0': entities(
    asIs,
    (box, mins, maxs) => {
      box.mins.set(mins);
      if (!(maxs[0]! >= mins[0]! && maxs[2]! >= mins[2]!)) throw new RangeError('maxs');
      box.maxs.set(maxs);
    },
  ),
  'after place({ origin: [16, 0, 0] }) of it, a ray from -40 0 0': entities(asIs, resized, (ray) => ({
    place: () => ray,
  })),
  'after resize([-8, -8, -8], [8, 8, 8]) of a box at 16 0 0, a ray from -40 0 0': entities(
    asIs,
    (box, mins, maxs) => {
      resized(box, mins, maxs);
      for (const ray of placedRays) ray.place({ origin: [0, 0, 0] });
    },
    (ray) => {
      placedRays = [ray];
      return {};
    },
  ),
});

it('traces boxes that are not part of the map: one that is right', async () => {
  const isAsked = (title: string): boolean => title.includes('not part of the map');
  expect(await failuresOf(entities(asIs, resized), [ROOM], {}, isAsked)).toEqual([]);
});

const empty = (): Mesh => new MeshBuilder({ numVertices: 0, numTriangles: 0 }).finish();
const groups = (change: Partial<Mesh['groups'][number]>): Changed =>
  mesh((made) => ({ groups: made.groups.map((group) => ({ ...group, ...change })) }));
/** Drawn for other options than those that are given. */
const drawn = (change: (options: MeshOptions) => MeshOptions): Changed => ({
  mesh: (file, options = {}) => toy.mesh!(file, change(options)),
});
const doubles = mesh(({ normals }) => ({ normals: Float64Array.from(normals) as never }));

finds('returns its drawn surfaces as triangles', {
  'mesh(file) has no triangles': { mesh: empty },
  "name of group 0 of mesh(file), whose texture is 0: 'other', not 'plain'": groups({ name: 'other' }),
  'model of group 0 of mesh(file) is 7 of 1': groups({ model: 7 }),
});

finds('draws as much of each surface as its polygons cover', {
  'surface 0 has an area of ': mesh(({ surfaces }) => ({ surfaces: surfaces.map(() => 1) })),
});

const faces = (change: (face: BrushPolygon) => Partial<BrushPolygon>): Changed => ({
  brushPolygons: (file, options) =>
    toy.brushPolygons!(file, options).map((face) => ({ ...face, ...change(face) })),
});
const turned = (vertices: Float32Array): Float32Array =>
  Float32Array.from([9, 6, 3, 0].flatMap((at) => [...vertices.subarray(at, at + 3)]));
const opposite = ({ normal, dist }: BrushPolygon): Partial<BrushPolygon> => ({
  normal: normal.map((x) => -x),
  dist: -dist,
});

finds('returns what collides as triangles on the sides of its brushes', {
  "mesh(file, { by: 'brush' }): Error: no brushes; a file without brushes must throw a BspError": {
    mesh() {
      throw new Error('no brushes');
    },
  },
  "mesh(file, { by: 'brush' }): normals are not of the class Float32Array": doubles,
  "mesh(file, { by: 'brush' }) has no groups": { mesh: empty },
  "texture and name of group 0 of mesh(file, { by: 'brush' })": groups({ name: 'other' }),
  'brushPolygons(file) is empty': { brushPolygons: () => [] },
  'vertex 0 of polygon 0 of brushPolygons(file) is 1 units off its plane': faces(({ dist }) => ({
    dist: dist + 1,
  })),
  'vertices of polygon 0 of brushPolygons(file) are not counter-clockwise': faces(opposite),
  "brushes of mesh(file, { by: 'brush' }) and those of brushPolygons(file) differ": {
    brushPolygons: (file, options) => toy.brushPolygons!(file, options).filter(({ brush }) => brush > 0),
  },
  'brush 0 of brushPolygons(file) is not closed': faces((face) =>
    face.side === 0 ? { ...opposite(face), vertices: turned(face.vertices) } : {},
  ),
});

finds('leaves unwanted brushes out of their polygons', {
  'brushPolygons(file, { mask: 0 }) are not those of brushPolygons(file) with these contents': {
    brushPolygons: (file) => toy.brushPolygons!(file),
  },
});

finds('draws mutants of the map, or refuses them', {
  'flaws of a mesh of room with the words 55 at 532: ': doubles,
  'room with the words 55 at 532: Error: too dark; what cannot be read must throw a BspError': {
    createLightSampler() {
      throw new Error('too dark');
    },
  },
  'none of 10 files with up to three wrong words each is drawn': reading((bytes) => {
    if (Buffer.compare(bytes as Uint8Array, ROOM.bytes) === 0) return toy.read(bytes);
    throw new BspError('value', { format: 'toy' }, 'this is another file');
  }),
});

/** A toy with light that is full but for this. */
const light = (
  change: (sample: LightSample) => void,
  { isLit = true, ...changes }: Partial<LightSampler> = {},
): Changed => ({
  createLightSampler: (_, options) => {
    askedLight(options ?? {}, 1);
    const full = createFullLight();
    return {
      ...full,
      isLit,
      at(point, out) {
        const sample = full.at(point, out);
        change(sample);
        return sample;
      },
      ...changes,
    };
  },
});

finds('says how light it is at points', {
  'numbers of createSample()': light(() => {}, {
    createSample: () => createFullLight().at([0, 0, 0]),
  }),
  'does not return the sample that it was given as out': light(() => {}, {
    at: (point) => createFullLight().at(point),
  }),
  'not three numbers that are 0 or more': light(({ ambient }) => ambient.fill(Number.NaN, 1, 2)),
  'whose length is neither 1 nor 0': light(({ direction }) => direction.fill(1)),
  'not the number of one, or -1': light((sample) => {
    sample.surface = -2;
  }),
  'direction of at': light(({ ambient }) => ambient.fill(0.5), { isLit: false }),
  'of a used sample and of a new one': {
    createLightSampler: (file, options) => {
      const sampler = light(() => {}).createLightSampler!(file, options);
      let calls = 0;
      return { ...sampler, at: (point, out) => Object.assign(sampler.at(point, out), { surface: calls++ }) };
    },
  },
  'createLightSampler(file, { brightness: 0 }) throws nothing': { createLightSampler: createFullLight },
  'createLightSampler(file, { bright: 1 }) throws nothing': {
    createLightSampler: (_, { brightness } = {}) => {
      askedLight({ brightness }, 1);
      return createFullLight();
    },
  },
  'at([NaN, 0, 0]) throws nothing': light(() => {}, {
    at: (point, out) => createFullLight().at(Number.isNaN(point[0]!) ? [0, 0, 0] : point, out),
  }),
  'at([0, 0, 0], {}) throws nothing': light(() => {}, {
    at: (point, out) => createFullLight().at(point, out?.ambient ? out : undefined),
  }),
});

finds('leaves unwanted parts out of a mesh', {
  'all groups of mesh(file) have the contents 0': groups({ contents: 0 }),
  'mesh(file, { mask: 1 }) has no groups, and a group of mesh(file) has these contents': {
    mesh: (file, options) => (options?.mask ? empty() : toy.mesh!(file, options)),
  },
  'groups of mesh(file, { mask: 1 }) that have none of these contents': drawn(({ mask: _, ...rest }) => rest),
  "mesh(file, { by: 'colour' }) throws nothing": drawn(({ by, ...rest }) =>
    (by as string) === 'colour' ? rest : { by, ...rest },
  ),
  'mesh(file, { patchLevel: 65 }) throws nothing': drawn(({ patchLevel: _, ...rest }) => rest),
  'mesh(file, { patchlevel: 4 }) throws nothing': drawn(
    ({ patchlevel: _, ...rest }: MeshOptions & { patchlevel?: 4 }) => rest,
  ),
});

const version = 'TOYB 1';

finds('has the same name in both halves', {
  "id is '3d'; it must be of a-z and 0-9": { id: '3d' },
  'name is empty': { name: '' },
  'versions is empty': { versions: [] },
});

it.each(
  Object.entries<Partial<BspFormatEntry>>({
    'name of what load() returns differs from that of the entry': { name: 'Other' },
    'load() returns another object each time': { load: async () => ({ ...toy }) as unknown as BspFormat },
    'read of loadReader() is not the same function as that of load()': {
      loadReader: async () => ({ ...toy, read: readRoom }) as unknown as BspFormat,
    },
  }),
)('has the same name in both halves: %s', async (failure, half) => {
  const isAsked = (title: string): boolean => title === 'has the same name in both halves';
  const [text] = await failuresOf({}, [ROOM], {}, isAsked, half);
  expect(text).toContain(failure);
});

finds('detects its files by 64 bytes, and rejects others', {
  'detect differs for the first 64 bytes of room': {
    detect: (bytes) => (bytes.length > 64 ? version : undefined),
  },
  'detect of the first 0 bytes of room: RangeError: Offset is outside the bounds of the DataView; it must return':
    {
      detect(bytes) {
        new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getInt32(0);
        return toy.detect(bytes);
      },
    },
  "detect of the first 5 bytes of room is 'TOYB NaN'; it must be one of versions": {
    detect: (bytes) => (bytes.length === 5 ? 'TOYB NaN' : toy.detect(bytes)),
  },
});

const words = (change: Partial<ToyFormat['contents']>): Changed => ({
  contents: { ...toy.contents, ...change },
});

finds('names contents and surface flags both ways', {
  'contents.table is empty': words({ table: {} }),
  "contents.bits('SOLID')": words({ bits: (word) => toy.contents.bits(word) * Number(word !== 'SOLID') }),
  'bits of contents.names(1), which are []': words({ names: () => [] }),
  "contents.bits('nothing-of-the-kind') throws nothing": words({
    bits: (word) => (word === 'nothing-of-the-kind' ? 0 : toy.contents.bits(word)),
  }),
});

type Catalog = ToyFormat['tracers'];

const catalog = (change: Partial<Catalog>): Changed => ({ tracers: { ...toy.tracers, ...change } });
const options = (change: Partial<Catalog['options'][number]>): Changed =>
  catalog({ options: toy.tracers.options.map((option) => ({ ...option, ...change }) as never) });
const presets = (change: Partial<Catalog['presets'][number]>): Changed =>
  catalog({ presets: toy.tracers.presets.map((preset) => ({ ...preset, ...change })) });

finds('has a catalog without loose ends', {
  "names that tracers.kinds has twice: [ 'ray' ]": kinds(() => ({ name: 'ray' })),
  "names in tracers.kinds that cannot be options of a command: [ 'a ray' ]": catalog({
    kinds: [{ ...toy.tracers.kinds[0]!, name: 'a ray' }],
  }),
  'tracers.kinds is empty': catalog({ kinds: [] }),
  "the help of 'ray' is empty": kinds(() => ({ help: '' })),
  "options of kind 'ray' that tracers.options does not have: [ 'depth' ]": kinds(() => ({
    options: ['depth'],
  })),
  "kind 'box' must have both size and sizeName, or neither": kinds(() => ({ sizeName: undefined })),
  "value of option 'mask' is 'contents'; it must be a word in angle brackets": options({ value: 'contents' }),
  "preset 'ray' is of kind 'line', which does not exist": presets({ kind: 'line' }),
  "options of preset 'ray' that its kind does not take: [ 'depth' ]": presets({
    options: { depth: 1 } as never,
  }),
  "role of the preset 'ray', which tracers.player names: 'point', not 'body'": catalog({ player: 'ray' }),
  "tracers.playerMask, 'none', has no bits": {
    ...catalog({ playerMask: 'none' }),
    ...words({ bits: () => 0 }),
  },
  'none of tracers.presets is measured': presets({ measured: false }),
});

const rows = toy.rows.trace!;

finds('answers rows of some kinds', {
  'rows is empty': { rows: {} },
  "columns that rows of kind 'trace' have twice: [ 'sx' ]": { rows: { trace: { ...rows, results: ['sx'] } } },
});
