import * as bakeApi from '@bspkit/bake';
import * as pool from '@bspkit/bake/pool';
import { arenaQuake3 } from '@bspkit/fixtures';
import { formatOf, openBsp } from 'bspkit';
import {
  type Argument,
  argument,
  type Call,
  callback,
  choice,
  createSubjects,
  EMPTY,
  flag,
  optional,
  options,
  point,
  record,
  type Signatures,
  size,
  text,
} from '../src/arguments.ts';
import { describeRefusals } from './refusals.ts';

// What functions of bakes say about wrong arguments. What is wrong with a job, a kind or a file is said by errors of their own.

const subjects = createSubjects([bakeApi.BakeError, SyntaxError]);
const { subject } = subjects;

const map = arenaQuake3();
const world = await openBsp(map, { format: 'quake3' });
const format = await formatOf('quake3');
const inputs = { points: bakeApi.pointBytes([0, 0, 0]) };
const job = await bakeApi.createJob({ kind: 'sight', map, inputs });
const executor = { capacity: 1, run: async () => new Uint8Array(1) };
const store = bakeApi.memoryStore();
await bakeApi.bake(job, { inputs, executor, store });
const file = bakeApi.readBake(store.bytes());

const jobOf: Argument = {
  ...argument(() => job),
  aliases: ['map', 'kind', 'parameters', 'inputs', 'count', 'chunkSize'],
};
const bytes = argument(() => store.bytes());
const count = argument(() => 2, ['five']);
const kinds = argument(() => [], ['empty array']);
const body = argument(() => world.box([-15, -15, -24], [15, 15, 32]));

const walks = {
  world: argument(() => world),
  shape: body,
  options: options({
    step: size,
    offset: argument(() => 8, ['minus one', 'five', 'half']),
    climb: size,
    fall: size,
    most: count,
    starts: argument(() => [0, 0, 0], ['empty array']),
    onProgress: callback,
  }),
};

/** Functions that reject instead of throwing. */
const ASYNC: Signatures = {
  bake: {
    job: jobOf,
    options: {
      ...record(
        {
          inputs: { ...argument(() => inputs), aliases: ['points'] },
          executor: { ...argument(() => executor), aliases: ['run'] },
          store: argument(() => bakeApi.memoryStore()),
          resume: flag,
          retries: optional(argument(() => 0, ['five'])),
          onProgress: optional(callback),
          onRetry: optional(callback),
          signal: optional(argument(() => new AbortController().signal)),
          kinds: optional(kinds),
        },
        true,
      ),
    },
  },
  createJob: {
    parts: {
      ...record(
        {
          kind: argument(() => 'sight'),
          inputs: { ...argument(() => inputs), aliases: ['points'] },
          map: argument(() => map),
          tiles: argument(() => undefined),
          parameters: optional(argument(() => ({}), EMPTY)),
          count: optional(argument(() => 1)),
          chunkSize: optional(argument(() => 1, ['five'])),
          kinds: optional(kinds),
        },
        true,
      ),
    },
  },
  openJob: { job: jobOf, source: argument(() => ({ load: () => map })) },
  sha256: { bytes: argument(() => new Uint8Array(3)) },
};

subject(
  '@bspkit/bake',
  { ...bakeApi },
  {
    ...Object.fromEntries(Object.keys(ASYNC).map((name) => [name, null])),
    beginAt: { shape: body, origin: point() },
    bodyTracer: null,
    createTracer: null,
    sightTracer: null,
    checkJob: { job: jobOf },
    chunkCount: { job: jobOf },
    chunkOf: { job: jobOf, index: argument(() => 0) },
    entityPoints: { world: argument(() => world), classname: optional(text) },
    isStart: { entity: argument(() => ({ classname: 'x' }), [...EMPTY, 'short Float32Array']) },
    mapInput: { name: text, hash: optional(text) },
    memoryStore: { content: optional(bytes) },
    mergeBake: { file: argument(() => file) },
    meshPoints: { mesh: argument(() => format.mesh!(format.read(map))) },
    parsePoints: { text: argument(() => '1 2 3', ['empty text', 'text']) },
    pointBytes: { points: argument(() => [1, 2, 3], ['empty array']) },
    readBake: { bytes },
    stanceOf: { shape: body },
    startsOf: null,
    streamChunks: null,
    surfacePoints: { mesh: argument(() => format.mesh!(format.read(map))), spacing: size },
    walkableCells: walks,
    walkableWays: walks,
    // Classes, which only `new` creates.
    BakeError: null,
    BakeWriter: null,
  },
);
subject(
  'pool',
  { ...pool },
  {
    createBakePool: {
      options: options({
        threads: argument(() => 2, ['five']),
        startLimit: argument(() => 2, ['five']),
        kernel: choice('js'),
        worker: argument(() => 'worker.js', ['empty text', 'text', 'text of digits', 'function']),
      }),
    },
    // Only for workers.
    serveBake: null,
  },
);
const asyncCalls: Call[] = Object.entries(ASYNC).map(([name, args]) => ({
  name: `bake.${name}`,
  self: undefined,
  call: (bakeApi as unknown as Record<string, Call['call']>)[name]!,
  args: args!,
}));

describeRefusals(subjects, asyncCalls);
