import { BspError, type Mesh, type TraceBatch, type Tracer } from '@bspkit/core';
import { type BspFormat, type BspFormatEntry, defineFormat, type TracerKind } from '@bspkit/core/format';
import {
  type ToyBox,
  type ToyFile,
  type ToyFormat,
  type ToyWorld,
  toy,
  toyMap,
  writeToy,
} from '@bspkit/testkit/toy-format';
import { expect, it } from 'vitest';
import type { CheckOptions, FormatSample } from '../src/index.ts';
import { declareTests } from '../src/suite.ts';

// What the suite says about mistakes in a format: the message alone must say what is wrong.

const ROOM: FormatSample = { name: 'room', bytes: toyMap() };

/** Runs the suite over a toy with changes, and returns the tests that fail: title and message. */
async function failuresOf(
  changed: Partial<ToyFormat>,
  samples: readonly FormatSample[] = [ROOM],
  options: CheckOptions = {},
): Promise<string[]> {
  const format = defineFormat({ ...toy, ...changed }) as unknown as BspFormat;
  const { id, name, versions, detect } = format;
  const entry: BspFormatEntry = {
    ...{ id, name, versions, detect },
    loadReader: () => Promise.resolve(format),
    load: () => Promise.resolve(format),
  };
  const tests: { title: string; run: () => void | Promise<void> }[] = [];
  const groups: string[] = [];
  const runner = {
    it: (title: string, run: () => void | Promise<void>) => {
      tests.push({ title: [...groups, title].join(' > '), run });
    },
    describe: (title: string, declare: () => void) => {
      groups.push(title);
      declare();
      groups.pop();
    },
  };
  declareTests(runner, entry, format, samples, { mutants: 10, ...options });
  const failures: string[] = [];
  for (const { title, run } of tests) {
    try {
      await run();
    } catch (error) {
      failures.push(`${title}: ${(error as Error).message}`);
    }
  }
  return failures;
}

/** The toy's worlds with changes. */
const worlds = (change: (world: ToyWorld) => Partial<ToyWorld>): Partial<ToyFormat> => ({
  createWorld(files, options) {
    const world = toy.createWorld(files, options);
    return Object.assign(world, change(world));
  },
});

/** The toy's tracers with changes. */
function tracers(change: (tracer: Tracer) => Partial<Tracer>): Partial<ToyFormat> {
  const kinds = toy.tracers.kinds.map(
    (kind): TracerKind<ToyWorld> => ({
      ...kind,
      create(...given) {
        const tracer = kind.create(...given);
        return Object.assign(tracer, change(tracer));
      },
    }),
  );
  return { tracers: { ...toy.tracers, kinds } };
}

const mesh = (change: (mesh: Mesh) => Partial<Mesh>): Partial<ToyFormat> => ({
  mesh(file, options) {
    const made = toy.mesh!(file, options);
    return { ...made, ...change(made) };
  },
});

it('finds nothing in the toy', async () => {
  expect(await failuresOf({})).toEqual([]);
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
    'room > returns its drawn surfaces as triangles: mesh(file): normals are not a Float32Array',
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
  ROOM.bytes.set(toyMap());
  const failures = await failuresOf(changed);
  expect(failures.filter((text) => text.includes(failure)).length, failures.join('\n')).toBeGreaterThan(0);
  // Nobody learns anything from these.
  for (const text of failures)
    expect(text).not.toMatch(/expected (true|false)|Cannot read|is not a function/);
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
