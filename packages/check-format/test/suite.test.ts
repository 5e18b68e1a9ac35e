import {
  type Bounds,
  BspError,
  type Changeable,
  createTrace,
  type Trace,
  type TraceBatch,
  type Tracer,
  type TracerChanges,
  type Vec3,
} from '@bspkit/core';
import {
  type ToyBox,
  type ToyFile,
  type ToyFormat,
  type ToyWorld,
  toy,
  toyMap,
  writeToy,
} from '@bspkit/testkit/toy';
import { expect, it } from 'vitest';
import { caught } from '../src/demand.ts';
import { failuresOf, kinds, mesh, ROOM, tracers, worlds } from './wrong-toys.ts';

// What the suite says about mistakes in a format: the message alone must say what is wrong.

/** A method of the toy's tracers that is given what it was to the change. Batches and tests may be made of it. */
function method<K extends 'trace' | 'blocked' | 'traceBatch' | 'blockedBatch' | 'createTrace'>(
  name: K,
  change: (call: (...given: readonly unknown[]) => never, ...given: never[]) => unknown,
): Partial<ToyFormat> {
  return tracers((tracer) => {
    const call = (tracer[name] as (...given: readonly unknown[]) => unknown).bind(tracer) as () => never;
    return { [name]: (...given: never[]) => change(call, ...given) };
  });
}

/** The toy's tracers, changed in another way. */
const changing = (
  change: (set: (changes: TracerChanges) => Tracer, changes: TracerChanges) => unknown,
): Partial<ToyFormat> =>
  tracers((tracer) => {
    const set = (tracer as Tracer & Changeable).set.bind(tracer);
    return { set: (changes: TracerChanges) => change(set, changes) } as never;
  });

const isNumbers = (point: Vec3): boolean => !Array.from(point).some(Number.isNaN);
const zeros = new Float32Array(12);

/** All tests but those with thousands of moves, a third of the time: mistakes that they alone find are among tracers'. */
const isShort = (title: string): boolean => !title.endsWith('answers batches of any length');

it('finds nothing in the toy', async () => {
  expect(await failuresOf({})).toEqual([]);
  // What JSON can hold, in a line that is as long as it may be.
  const info: ToyFormat['info'] = (file, world) => ({
    ...toy.info(file, world),
    facts: { isDark: true, sky: null, sizes: [1, 'two'] } as never,
  });
  const longest = worlds(() => ({ toString: () => `ToyWorld { ${'x'.repeat(109 - 13)} }` }));
  const isAsked = (title: string) => /describes|prints/.test(title);
  expect(await failuresOf({ ...longest, info }, [ROOM], {}, isAsked)).toEqual([]);
});

it.each<[what: string, changed: Partial<ToyFormat>, failure: string]>([
  [
    'files of others recognised',
    { detect: () => 'TOYB 1' },
    "detects its files by 64 bytes, and rejects others: detect recognises a foreign file, 0 bytes that begin with ''",
  ],
  [
    'a version that is not listed',
    { versions: ['TOYB 2'] },
    "detect(bytes) of room is 'TOYB 1'; it must be one of versions, [ 'TOYB 2' ]",
  ],
  [
    'errors of another class',
    {
      read(bytes) {
        try {
          return toy.read(bytes);
        } catch (error) {
          throw error instanceof BspError ? new Error('what is this?') : error;
        }
      },
    },
    "says what other files are: read(bytes) of a foreign file, 0 bytes that begin with '', throws Error: what is this?; it must throw a BspError",
  ],
  [
    'an error class that exists twice',
    {
      read(bytes) {
        try {
          return toy.read(bytes);
        } catch (error) {
          throw Object.assign(new Error((error as Error).message), { name: (error as Error).name });
        }
      },
    },
    'it must throw a BspError, of the same copy of @bspkit/core',
  ],
  [
    'files that make it fail',
    {
      read(bytes) {
        const file = toy.read(bytes);
        if (Buffer.compare(bytes as Uint8Array, ROOM.bytes) !== 0) throw new TypeError('no such box');
        return file;
      },
    },
    ': TypeError: no such box; what cannot be read must throw a BspError',
  ],
  [
    'broken worlds whose tracers fail',
    {
      createWorld(files, options) {
        const world = toy.createWorld(files, options);
        const isWhole =
          Buffer.compare(Buffer.from(world.data), Buffer.from(toy.createWorld([toy.read(toyMap())]).data)) ===
          0;
        const ray: ToyWorld['ray'] = (given) => {
          const tracer = world.boxesOf(0)[0] && toy.createWorld(files).ray(given);
          if (!isWhole)
            tracer!.trace = () => {
              throw new TypeError('no such node');
            };
          return tracer!;
        };
        return Object.assign(world, { ray });
      },
    },
    'survives or refuses a file with wrong bytes: a ray in the world of room with the bytes ',
  ],
  [
    'a world that cannot be made',
    {
      createWorld() {
        throw new TypeError('nothing works yet');
      },
    },
    'room > can be opened: nothing works yet',
  ],
  [
    'entities that are parsed again each time',
    worlds((world) => {
      const kept = world.entities();
      return { entities: () => [...kept] };
    }),
    'room > keeps its entities and texture names: world.entities() returns another array each time',
  ],
  [
    'contents that are the same everywhere',
    worlds(() => ({ contents: () => 0 })),
    'world.contents(point) is [ 0 ] where a ray is free, and the same where it starts in solid',
  ],
  [
    'contents where nothing can be',
    worlds((world) => {
      const contents = world.contents.bind(world);
      return { contents: (point) => contents(Array.from(point, (x) => x || 0) as never) };
    }),
    'room > has other contents in solid than in the open: world.contents([0, NaN, 0]) throws nothing',
  ],
  [
    'polygons that look the other way',
    {
      polygons(world) {
        const source = toy.polygons(world);
        const turned = source.polygons().map((one) => ({
          ...one,
          normal: one.normal.map((x) => -x),
          dist: -one.dist,
        }));
        return { ...source, polygons: () => turned };
      },
    },
    'vertices of polygon 0 of polygons(world) are not counter-clockwise, seen from where the normal points',
  ],
  [
    'a surface where there is none',
    { surfaceAt: (world, trace) => toy.surfaceAt(world, { ...trace, brush: 0, side: 0, model: 0 }) },
    'finds what a trace hit: surfaceAt(world, trace) finds {',
  ],
  [
    'an explanation of another move',
    { explain: (tracer, start, end) => toy.explain(tracer, end, start) },
    'explain answers differently from trace of ray, on the way from',
  ],
  [
    'triangles that are wound the other way',
    mesh(({ indices }) => ({ indices: indices.map((_, k) => indices[k - (k % 3) + 2 - (k % 3)]!) })),
    'triangle 0 of mesh(file) is not counter-clockwise around its normals: the cosine is -1',
  ],
  [
    'a mesh whose vertices are not sorted by group',
    mesh(({ positions, normals, indices }) => {
      const last = positions.length / 3 - 1;
      const turned = (array: Float32Array): Float32Array =>
        array.map((_, k) => array[3 * (last - (k - (k % 3)) / 3) + (k % 3)]!);
      const corners = indices.map((vertex) => last - vertex);
      return { positions: turned(positions), normals: turned(normals), indices: corners };
    }),
    'is of another group',
  ],
  [
    'a mesh whose groups share vertices',
    mesh(({ groups }) => ({ groups: groups.map((group) => ({ ...group, firstVertex: 0 })) })),
    'vertices begins at 0, not at ',
  ],
  [
    'a mesh with arrays of another kind',
    mesh(({ normals }) => ({ normals: Float64Array.from(normals) as never })),
    'room > returns its drawn surfaces as triangles: mesh(file): normals are not of the class Float32Array',
  ],
  [
    'a brush with a face missing',
    {
      brushPolygons: (file, options) => toy.brushPolygons!(file, options).filter(({ side }) => side !== 5),
    },
    "brush 0 has an area of 626688 in mesh(file, { by: 'brush' }), and of ",
  ],
  [
    'a test that says something else than the trace',
    tracers(() => ({ blocked: () => false })),
    'room > ray: gives the same answer however it is asked: blocked does not say what trace does, which answers {',
  ],
  [
    'batches that answer something else',
    tracers((tracer) => ({
      traceBatch(segments: Float32Array, out?: never) {
        const { traceBatch } = Object.getPrototypeOf(tracer) as Tracer;
        const batch = traceBatch.call(tracer, segments, out as never);
        (batch as TraceBatch).fraction?.fill(0.5);
        return batch as never;
      },
    })),
    'ray: gives the same answer however it is asked: traceBatch answers differently from trace, on the way from ',
  ],
  [
    'an option that nothing takes',
    {
      tracers: {
        ...toy.tracers,
        options: [...toy.tracers.options, { name: 'curves', type: 'off', group: 'filter', help: 'none' }],
      },
    },
    "has a catalog without loose ends: options that no kind takes: [ 'curves' ], not []",
  ],
  [
    'another version in the description',
    { info: (file, world) => ({ ...toy.info(file, world), version: '1' }) },
    "describes its contents: info(file, world).version differs from detect(bytes): '1', not 'TOYB 1'",
  ],
  [
    'facts that JSON cannot hold',
    { info: (file, world) => ({ ...toy.info(file, world), facts: { sizes: new Map() } as never }) },
    "describes its contents: what JSON cannot hold in info(file, world): [ 'facts.sizes is Map(0) {}' ], not []",
  ],
  [
    'a world that prints too much',
    worlds(() => ({ toString: () => `ToyWorld { ${'x'.repeat(110 - 13)} }` })),
    '; it must be Name { … } in at most 109 letters',
  ],
  [
    'a file that is changed by reading',
    {
      read(bytes): ToyFile {
        const file = toy.read(bytes);
        if (bytes === ROOM.bytes) ROOM.bytes.set([0], 4 + ROOM.bytes.indexOf(0x74));
        return file;
      },
    },
    'left its samples unchanged: the bytes of room have changed; they belong to the caller',
  ],
])('names %s', async (_, changed, failure) => {
  const failures = await failuresOf(changed, [ROOM], {}, isShort);
  // Other tests read the same bytes, those of other files too.
  ROOM.bytes.set(toyMap());
  expect(failures.filter((text) => text.includes(failure)).length, failures.join('\n')).toBeGreaterThan(0);
  // Nobody learns anything from these.
  for (const text of failures)
    expect(text).not.toMatch(/expected (true|false)|Cannot read|is not a function/);
});

let asked = 0;
const kept = createTrace();

// Tests that trace the world alone, as there are many cases.
it.each<[what: string, changed: Partial<ToyFormat>, failure: string]>([
  [
    'new answers that differ',
    method('createTrace', (create) => Object.assign(create(), { contents: asked++ })),
    'createTrace() of two tracers made alike differ',
  ],
  ['one answer for all', method('createTrace', () => kept), 'createTrace() returns the same object twice'],
  [
    'batches that count wrong',
    method('traceBatch', (batch, ...given) => ({ ...(batch(...given) as TraceBatch), count: 1 })),
    'traceBatch(segments).count for ',
  ],
  [
    'batches of tests that are too short',
    method('blockedBatch', (batch, ...given) => (batch(...given) as Uint8Array).subarray(1)),
    'blockedBatch(segments).length for ',
  ],
  [
    'batches without normals',
    method('traceBatch', (batch, ...given) => {
      const { normal: _, ...rest } = batch(...given) as TraceBatch;
      return rest;
    }),
    "traceBatch(segments) lacks fields: [ 'normal' ]",
  ],
  [
    'answers of its own',
    method('trace', (trace, ...given) => Object.assign({}, trace(...given))),
    'trace(start, end, out) does not return out',
  ],
  [
    'normals that look the other way',
    method('trace', (trace, ...given) => {
      const out = trace(...given) as Trace;
      out.normal.set(out.normal.map((x) => -x));
      return out;
    }),
    'normal does not face the move',
  ],
  [
    'arrays that are read in another way',
    method('trace', (trace, start: Vec3, ...given) => trace(Array.isArray(start) ? zeros : start, ...given)),
    'trace answers differently to points that are plain arrays, without out',
  ],
  [
    'batches of tests that say something else',
    method('blockedBatch', (batch, ...given) => (batch(...given) as Uint8Array).map((x) => 1 - x)),
    'blockedBatch answers differently from blocked',
  ],
  [
    'an answer that is written before the move is read',
    method('trace', (trace, start: Vec3, end: Vec3, out?: Trace) => {
      out?.endPos.fill(0);
      return trace(start, end, out);
    }),
    'trace answers differently where its start is the endPos of out',
  ],
  [
    'an answer that is written before the end is read',
    method('trace', (trace, start: Vec3, end: Vec3, out?: Trace) => {
      if (end === out?.endPos) out.endPos.fill(0);
      return trace(start, end, out);
    }),
    'trace answers differently where its end is the endPos of out',
  ],
  [
    'answers that it uses again',
    method('trace', (trace, start: Vec3, end: Vec3, out: Trace = kept) => trace(start, end, out)),
    'trace(start, end) returns the same object for two moves; without out, each answer must be a new one',
  ],
  [
    'corners that are not its own',
    tracers(
      (tracer) =>
        ({
          set(changes: Partial<Bounds>) {
            (Object.getPrototypeOf(tracer) as Changeable).set.call(tracer, changes);
            if (changes.mins) Object.assign(tracer, { shape: { ...tracer.shape, ...changes } });
            return tracer;
          },
        }) as never,
    ),
    'a box answers differently once the arrays of its corners are changed; it must keep copies',
  ],
  [
    'starts in solid that are not said',
    method('trace', (trace, ...given) =>
      Object.assign(trace(...given), { startSolid: false, allSolid: false }),
    ),
    'a unit behind where moves are stopped, startSolid is never set',
  ],
  [
    'sizes that change nothing',
    kinds(({ create }) => ({
      create: (world, size, ...given) =>
        create(
          world,
          size.map((_, k) => (k < 3 ? -8 : 8)),
          ...given,
        ),
    })),
    ': is stopped where its size says: all of ',
  ],
  [
    'sizes that cannot be changed',
    changing((set, { mins, maxs, ...changes }) => {
      const before = set({}).shape as Bounds;
      set({ mins, maxs, ...changes });
      return set({ mins: before.mins, maxs: before.maxs });
    }),
    ': takes a size later as well as at the start: answers differ once set({ mins: [ -16, -16, -24 ], maxs: [ 16, 16, 32 ] }) is called, and where it is made with this size',
  ],
  [
    'sizes that are changed as a whole only',
    changing((set, { mins, maxs, ...changes }) => set(mins && maxs ? { mins, maxs, ...changes } : changes)),
    'answers differ once set({ mins: [ -16, -16, -24 ] }) and set({ maxs: [ 16, 16, 32 ] }) is called, and where it is made with this size',
  ],
  [
    'a shape that stays what it was',
    kinds(({ create }) => ({
      create(...given) {
        const tracer = create(...given) as Tracer & Changeable;
        const { shape } = tracer;
        return new Proxy(tracer, {
          get: (target, name) => {
            if (name === 'shape') return shape;
            const value = target[name as keyof Tracer] as unknown;
            return typeof value === 'function' ? value.bind(target) : value;
          },
        });
      },
    })),
    'shape once set({ mins: [ -16, -16, -24 ], maxs: [ 16, 16, 32 ] }) is called, and where it is made with this size, differ: ',
  ],
  [
    'batches in arrays of other types',
    method('traceBatch', (batch, segments: never, ...out: never[]) => {
      const made = batch(segments, ...out) as TraceBatch;
      return out.length > 0 ? made : { ...made, fraction: Float64Array.from(made.fraction) };
    }),
    "the array fraction of traceBatch(segments): 'Float64Array', not 'Float32Array'",
  ],
  [
    'tests in a plain array',
    method('blockedBatch', (batch, segments: never, ...out: never[]) =>
      out.length > 0 ? batch(segments, ...out) : Array.from(batch(segments) as Uint8Array),
    ),
    "the array that blockedBatch(segments) returns: 'Array', not 'Uint8Array'",
  ],
  [
    'segments that are changed',
    method('traceBatch', (batch, segments: Float32Array, ...given) => {
      const made = batch(segments, ...given);
      segments[0] = 1;
      return made;
    }),
    'batches have changed segments, which belong to the caller',
  ],
  [
    'batches of its own',
    method('traceBatch', (batch, segments: Float32Array) => batch(segments)),
    'traceBatch(segments, out) does not return out',
  ],
  [
    'batches that are written in another way',
    method('traceBatch', (batch, segments: Float32Array, out?: TraceBatch) => {
      const made = batch(segments, out) as TraceBatch;
      if (out) made.normal.fill(0);
      return made;
    }),
    'normal differs between traceBatch(segments) and traceBatch(segments, out)',
  ],
  [
    'segments that are read from the start of their memory',
    method('traceBatch', (batch, segments: Float32Array, out?: TraceBatch) =>
      batch(new Float32Array(segments.buffer, 0, segments.length), out),
    ),
    'normal differs between traceBatch(segments) and traceBatch(segments, out)',
  ],
  [
    'tests of segments that are read from the start of their memory',
    method('blockedBatch', (batch, segments: Float32Array, out?: Uint8Array) =>
      batch(new Float32Array(segments.buffer, 0, segments.length), out),
    ),
    'blockedBatch(segments, out) does not write what blockedBatch(segments) does',
  ],
  [
    'tests that are written to the start of their memory',
    method('blockedBatch', (batch, segments: Float32Array, out?: Uint8Array) => {
      if (!out) return batch(segments);
      batch(segments, new Uint8Array(out.buffer, 0, out.length));
      return out;
    }),
    'blockedBatch(segments, out) does not write what blockedBatch(segments) does',
  ],
  [
    'batches that are written too far',
    method('traceBatch', (batch, segments: Float32Array, out?: TraceBatch) => {
      const made = batch(segments, out) as TraceBatch;
      if (out) made.brush[made.brush.length - 1] = 0;
      return made;
    }),
    'traceBatch(segments, out) writes past the last segment: brush',
  ],
  [
    'batches that end too early',
    method('traceBatch', (batch, ...given) => {
      const made = batch(...given) as TraceBatch;
      made.endPos.fill(0, 3 * 4096);
      return made;
    }),
    'endPos of traceBatch differs at segment 4096 from segment 96, in the same 100 segments again and again, 4100 in all',
  ],
  [
    'batches that are cut short',
    method('traceBatch', (batch, segments: Float32Array, ...given) =>
      batch(segments.subarray(0, 6 * 4096), ...given),
    ),
    'traceBatch(segments).count for the same 100 segments again and again, 4100 in all: 4096, not 4100',
  ],
  [
    'tests that end too early',
    method('blockedBatch', (batch, ...given) => (batch(...given) as Uint8Array).fill(0, 1024)),
    'blockedBatch differs at segment 10',
  ],
  [
    'batches of tests that are cut short',
    method('blockedBatch', (batch, segments: Float32Array, ...given) =>
      batch(segments.subarray(0, 6 * 4096), ...given),
    ),
    'the length of blockedBatch for the same 100 segments again and again, 4100 in all: 4096, not 4100',
  ],
  [
    'batches of nothing that have an answer',
    method('blockedBatch', (batch, segments: Float32Array, ...given) =>
      segments.length === 0 ? new Uint8Array(1) : batch(segments, ...given),
    ),
    'blockedBatch(segments).length for no segments: [ 0, 1 ], not [ 0, 0 ]',
  ],
  [
    'tests that are written too far',
    method('blockedBatch', (batch, segments: Float32Array, out?: Uint8Array) => {
      const made = batch(segments, out) as Uint8Array;
      out?.fill(0, out.length - 1);
      return made;
    }),
    'blockedBatch(segments, out) does not write what blockedBatch(segments) does',
  ],
  [
    'tests of its own',
    method('blockedBatch', (batch, segments: Float32Array) => batch(segments)),
    'blockedBatch(segments, out) does not return out',
  ],
  [
    'moves that are not numbers',
    method('trace', (trace, start: Vec3, ...given) => trace(isNumbers(start) ? start : zeros, ...given)),
    'trace([0, NaN, 0], end) throws nothing',
  ],
  [
    'tests of moves that are not numbers',
    method('blocked', (blocked, start: Vec3, end: Vec3) => blocked(start, isNumbers(end) ? end : zeros)),
    'blocked(start, [0, 0, NaN]) throws nothing',
  ],
  [
    'batches that are written before they are checked',
    method('traceBatch', (batch, segments: Float32Array, out?: TraceBatch) => {
      out?.fraction?.fill(1);
      return batch(segments, out);
    }),
    'traceBatch(segments, out) with NaN in the second segment has written fractions into out',
  ],
  [
    'batches that do not fit',
    method('traceBatch', (batch, segments: Float32Array, ...given) =>
      batch(segments.subarray(0, 6 * Math.trunc(segments.length / 6)), ...given),
    ),
    'traceBatch of 7 numbers throws nothing',
  ],
  [
    'points of two numbers',
    method('trace', (trace, start: Vec3, ...given) => trace(start.length === 2 ? zeros : start, ...given)),
    'trace([0, 0], end) throws nothing',
  ],
  [
    'batches that need no room',
    method('traceBatch', (batch, segments: Float32Array, out?: TraceBatch) =>
      batch(segments, out?.count === 1 ? undefined : out),
    ),
    'traceBatch of 2 segments with out for 1 throws nothing',
  ],
  [
    'batches that may overlap',
    method('traceBatch', (batch, segments: Float32Array, ...given) => batch(segments.slice(), ...given)),
    'traceBatch(segments, out) with segments that lie in out throws nothing',
  ],
  [
    'batches of tests that do not fit',
    method('blockedBatch', (batch, segments: Float32Array, ...given) =>
      batch(segments.subarray(0, 6 * Math.trunc(segments.length / 6)), ...given),
    ),
    'blockedBatch of 7 numbers throws nothing',
  ],
  [
    'batches of tests that need no room',
    method('blockedBatch', (batch, segments: Float32Array, out?: Uint8Array) =>
      batch(segments, out?.length === 1 ? undefined : out),
    ),
    'blockedBatch of 2 segments with out for 1 throws nothing',
  ],
  [
    'batches of tests of moves that are not numbers',
    method('blockedBatch', (batch, segments: Float32Array, ...given) =>
      batch(
        segments.map((x) => (Number.isFinite(x) ? x : 0)),
        ...given,
      ),
    ),
    'blockedBatch(segments) with NaN in the second segment throws nothing',
  ],
  [
    'batches of moves that are not numbers',
    method('traceBatch', (batch, segments: Float32Array, ...given) =>
      batch(
        segments.map((x) => (Number.isFinite(x) ? x : 0)),
        ...given,
      ),
    ),
    'traceBatch(segments, out) with NaN in the second segment throws nothing',
  ],
  [
    'changes that are taken in part',
    changing((set, changes) => {
      set({ mask: changes.mask });
      return set(changes);
    }),
    'ray: changes all or nothing: set({ mask: 0, mins: [ -40, -40, -40 ], maxs: [ 40, 40, 40 ], radius: -1 }) is refused, and has changed answers',
  ],
  [
    'changes of the shape that are taken in part',
    changing((set, { mins, maxs, ...changes }) => {
      set({ mins, maxs });
      return set(changes);
    }),
    'is refused, and has changed the shape',
  ],
  [
    'changes that are never refused',
    changing((set, changes) => caught(() => set(changes)) && set({})),
    'set({ mask: 0, mins: [ -40, -40, -40 ], maxs: [ 40, 40, 40 ], radius: -1 }) must throw a RangeError or a TypeError',
  ],
  [
    'changes of nothing',
    changing((set, changes) => set({ mask: 0, ...changes })),
    'set({}) has changed answers',
  ],
  [
    'changes that return nothing',
    changing((set, changes) => {
      set(changes);
    }),
    'set({}) does not return the tracer',
  ],
  [
    'a mask without bits',
    {
      ...kinds(() => ({ mask: 'none' })),
      contents: { ...toy.contents, bits: (word) => (word === 'none' ? 0 : toy.contents.bits(word)) },
    },
    "its mask, 'none', has no bits",
  ],
  [
    'masks that cannot be changed',
    changing((set) => set({})),
    'answers differ once set({ mask }) is called, and where the option mask is given',
  ],
  [
    'masks that change nothing',
    kinds(({ create }) => ({
      create(world, size, { mask: _, ...values }) {
        const tracer = create(world, size, values);
        return Object.assign(tracer, { set: () => tracer });
      },
    })),
    'answers are the same with each of the masks solid, water',
  ],
  [
    'another mask than the one it has',
    kinds(() => ({ mask: 'water' })),
    "answers differ with the mask 'water', which its kind names, and without any",
  ],
  [
    'masks that do not exist',
    kinds(({ create }) => ({
      create: (world, size, { mask, ...rest }) =>
        create(world, size, mask === 'nothing-of-the-kind' ? rest : { mask, ...rest }),
    })),
    "a tracer with the mask 'nothing-of-the-kind' throws nothing",
  ],
  [
    'options that it ignores',
    kinds(({ create }) => ({
      create: (world, size, { nothingOfTheKind: _, ...values }) => create(world, size, values),
    })),
    'a tracer with the option nothingOfTheKind throws nothing',
  ],
  [
    'switches that may be anything',
    {
      tracers: {
        ...toy.tracers,
        options: [...toy.tracers.options, { name: 'exact', type: 'on', group: 'shape', help: 'rounder' }],
        kinds: toy.tracers.kinds.map((kind) => ({
          ...kind,
          options: [...kind.options, 'exact'],
          create: (world, size, { exact: _, ...values }) => kind.create(world, size, values),
        })),
      },
    },
    "and switches that are neither true nor false: a tracer with exact: 'yes' throws nothing",
  ],
  [
    'a world that can be placed',
    tracers((tracer) => ({ place: () => tracer }) as never),
    'the tracer has place(pose), which is for those of models',
  ],
])('names tracers with %s', async (_, changed, failure) => {
  const failures = await failuresOf(changed, [ROOM], {}, (title) => /^room > (ray|box [^ ]+): /.test(title));
  expect(failures.filter((text) => text.includes(failure)).length, failures.join('\n')).toBeGreaterThan(0);
});

const boxes: ToyBox[] = [{ mins: [-272, -272, -16], maxs: [272, 272, 0] }];

it('names what its maps lack', async () => {
  const failures = await failuresOf({}, [{ name: 'floor', bytes: writeToy(boxes) }]);
  expect(failures).toContain(
    "has a sample with inline models: tracers take the option 'model', and none of the samples has inline models: add one that has",
  );
});

it('refuses kinds of tracers that do not exist', async () => {
  const wrong = failuresOf({}, [ROOM], { ownTests: ['line'] });
  await expect(wrong).rejects.toThrow("options.ownTests[0] must be 'ray' or 'box', got 'line'");
});
