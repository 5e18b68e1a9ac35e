import {
  BspError,
  type Bytes,
  createTrace,
  type Entity,
  type LeafStep,
  type NodeStep,
  type Placeable,
  type Polygon,
  type PolygonSource,
  parseEntities,
  type Surface,
  type Trace,
  type Tracer,
  type TraceStep,
  type Vec3,
} from '@bspkit/core';
import { type ToyFile, type ToyFormat, ToyTracer, type ToyWorld, toy, writeToy } from '@bspkit/testkit/toy';
import { expect, it } from 'vitest';
import { type Changed, failuresOf, finds, kinds, ROOM, tracers, worlds } from './wrong-toys.ts';

// What the suite says about other mistakes in worlds and files: each of its messages, and a toy that it is said of.

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
  "lump 'entities' has 0.5 bytes": lumps({ bytes: 0.5 }),
  'the name of a lump is empty': lumps({ name: '' }),
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
  'contents 1 are counted 1.5 times': counted({ counts: new Map([[1, 1.5]]) }),
  'contents NaN are not a signed whole number of 32 bits': counted({ counts: new Map([[Number.NaN, 1]]) }),
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
  'a texture of brush 0 of brushes(file) is -5, and there are 3': brushes(({ textures }) => ({
    textures: Array.from(textures, () => -5),
  })),
  'brushes(file) lists brush 0 twice': { brushes: (file) => [...toy.brushes!(file), ...toy.brushes!(file)] },
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
  'the texture of polygon 0 of polygons(world) is -7, and there are 3': polygons(() => ({ texture: -7 })),
  'the texture of polygon 0 of polygons(world) is 0.5, and there are 3': polygons(() => ({ texture: 0.5 })),
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
  "what JSON cannot hold in point(world, [229.9183 280.548 25.2066]): [ 'point.depth is NaN' ], not []": {
    point: (world, at) => ({ ...toy.point(world, at), depth: Number.NaN }),
  },
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
  'surfaceAt(world, trace) changes the trace, on the way from ': {
    surfaceAt(world, trace) {
      const found = toy.surfaceAt(world, trace);
      trace.fraction = 0.5;
      return found;
    },
  },
});

finds('has other contents in solid than in the open', {
  'world.contents(point) is NaN; it must be a signed whole number of 32 bits': worlds((world) => {
    const contents = world.contents.bind(world);
    return { contents: (point) => contents(point) || Number.NaN };
  }),
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
  "what JSON cannot hold in traceFields(trace): [ 'fields.depth is NaN' ], not []": {
    traceFields: () => ({ depth: Number.NaN }),
  },
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

const NODE: NodeStep = {
  ...{ kind: 'node', node: 0, depth: 0, normal: [1, 0, 0], dist: 0, offset: 0, children: [0, 1] },
  ...{ start: [1, 0, 0], end: [-1, 0, 0], startFraction: 0, endFraction: 1, startDist: 1, endDist: -1 },
};
const LEAF: LeafStep = { kind: 'leaf', leaf: 0, depth: 1, contents: 0, startFraction: 0, endFraction: 1 };

/** The toy's explanations with more steps. */
const walking = (...more: TraceStep[]): Changed => ({
  explain(...given) {
    const { trace, steps } = toy.explain(...given);
    return { trace, steps: [...more, ...steps] };
  },
});

it('lets a format walk trees, one after the other, but position tests list no leafs last', async () => {
  const deep = { ...NODE, node: 1, depth: 1, children: [1] } as const;
  const trees = [NODE, LEAF, deep, { ...LEAF, depth: 2 }, { ...LEAF, depth: 0 }, NODE, LEAF, LEAF];
  const asked = (title: string): boolean => title.includes('explains its tracers');
  expect(await failuresOf(walking(...trees), [ROOM], {}, asked)).toEqual([]);
  const standing: Changed['explain'] = (tracer, start, end) => {
    const { trace, steps } = toy.explain(tracer, start, end);
    const isStanding = [0, 1, 2].every((k) => start[k] === end[k]);
    return {
      trace,
      steps: isStanding ? [NODE, deep, { ...LEAF, depth: 2 }, LEAF, LEAF, LEAF, ...steps] : steps,
    };
  };
  const [failure, ...more] = await failuresOf({ explain: standing }, [ROOM], {}, asked);
  expect(String(failure)).toContain('at depth 1 below a node that enters no more children');
  expect(more).toEqual([]);
});

finds('explains its tracers, and no others', {
  'explain returns a leaf, step 0, at depth 1 with no node above it, of ray': walking(LEAF),
  'explain returns a node, step 0, at depth -1 with no node above it, of ray': walking({
    ...NODE,
    depth: -1,
  }),
  'explain returns a leaf, step 1, at depth 0.5 with no': walking(NODE, { ...LEAF, depth: 0.5 }),
  'explain returns a leaf, step 3, at depth 1 below a node that enters no more': walking(
    NODE,
    LEAF,
    LEAF,
    LEAF,
  ),
  'explain returns a leaf, step 1, at depth 1, where the move at fraction 0.75 is not: it is 50 units away, of ray':
    walking({ ...NODE, start: [100, 0, 0], end: [-100, 0, 0] }, { ...LEAF, startFraction: 0.5 }),
  'explain returns a leaf, step 1, at depth 1 with no node': {
    explain(...given) {
      const { trace } = toy.explain(...given);
      const trees = [0, 1].map((step) => ({ name: `tree ${step}`, model: 0, step }));
      return { trace, steps: [NODE, LEAF], trees };
    },
  },
  "what JSON cannot hold in steps of explain of ray, on the way from 229.9183 280.548 25.2066 to 229.9183 280.548 25.2066: [ 'steps.0.depth is NaN' ]":
    walking({ ...NODE, depth: Number.NaN }),
  "explain returns a step of no known kind: { kind: 'guess' }": walking(NODE, { kind: 'guess' } as never),
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
