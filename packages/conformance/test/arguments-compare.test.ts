import * as compareApi from '@bspkit/compare';
import * as quake3Api from '@bspkit/quake3';
import * as sceneApi from '@bspkit/scene';
import { formatOf } from 'bspkit';
import {
  type Argument,
  argument,
  callback,
  choice,
  createSubjects,
  optional,
  options,
  record,
  size,
  text,
} from '../src/arguments.ts';
import { describeRefusals } from './refusals.ts';
import { arena, bounds, fields } from './shared-arguments.ts';

// What functions of compare say about wrong arguments.

const subjects = createSubjects();
const { subject } = subjects;

const format = await formatOf('quake3');
const quake3 = quake3Api.createQuake3World(quake3Api.readQuake3(arena));
const body = sceneApi.createBody({ kind: 'box', mins: [-4, -4, -4], maxs: [4, 4, 4] });
const space = { bounds };
const seed = argument(() => 1, ['five', 'minus one']);
const count = argument(() => 2, ['five']);
const open = argument(() => () => true, ['function']);
const entries = argument(() => [{ name: 'a', tracer: quake3.ray() }]);
const report = compareApi.compare([{ name: 'a', tracer: quake3.ray() }], new Float32Array(12), { rounds: 0 });
const origins = optional(argument(() => [[0, 0, 0]], ['empty array']));
const generator = (keys: Readonly<Record<string, Argument>>): Argument => {
  const needed = record({ ...space, ...keys }, true);
  return { ...needed, keys: { ...needed.keys, seed: optional(seed) } };
};

subject(
  'compare',
  { ...compareApi },
  {
    batchRunnerOf: { tracer: argument(() => quake3.ray()), options: options({ fields }) },
    compare: {
      entries,
      queries: argument(() => new Float32Array(12)),
      options: options({
        tolerance: size,
        distance: size,
        sides: choice('any'),
        worst: argument(() => 0, ['five', 'huge']),
        rounds: argument(() => 0, ['five']),
        roundTime: argument(() => 0, ['five', 'half']),
        now: argument(() => () => Date.now(), ['function']),
        heap: argument(() => () => 0, ['function']),
        explained: argument(() => 5, ['five', 'huge']),
        onProgress: callback,
      }),
    },
    comparisonJson: { comparison: argument(() => report), indent: optional(argument(() => 2, ['five'])) },
    comparisonMarkdown: { comparison: argument(() => report) },
    comparisonTable: { comparison: argument(() => report) },
    defineTracer: null,
    differenceText: {
      difference: argument(() => ({
        query: 0,
        start: [0, 0, 0],
        end: [0, 0, 0],
        kinds: [],
        gap: 0,
        first: { fraction: 1, normal: [0, 0, 0] },
        own: { fraction: 1, normal: [0, 0, 0] },
      })),
    },
    escapeMarkdown: { text },
    entityOrigins: { world: argument(() => quake3) },
    mapQueries: {
      count,
      options: record(
        {
          format: argument(() => format),
          world: argument(() => quake3),
          kind: optional(choice('open')),
          room: optional(choice('point')),
          seed: optional(seed),
        },
        true,
      ),
    },
    measure: {
      runners: argument(() => [(first: number, last: number): number => last - first]),
      count: argument(() => 2, ['five', 'huge']),
      options: options({
        rounds: argument(() => 0, ['five']),
        roundTime: argument(() => 0, ['five', 'half']),
        now: argument(() => () => Date.now(), ['function']),
        heap: argument(() => () => 0, ['function']),
      }),
    },
    openQueries: {
      count,
      options: generator({ open, origins, shots: optional(argument(() => 0, ['half'])) }),
    },
    planeQueries: {
      count,
      options: generator({
        planes: argument(() => [{ normal: [0, 0, 1], dist: 0 }]),
        length: optional(size),
      }),
    },
    playerQueries: {
      count,
      options: generator({
        tracer: argument(() => body.ray()),
        speed: optional(size),
        origins: optional(argument(() => [[0, 0, 0]])),
      }),
    },
    runnerOf: { tracer: argument(() => quake3.ray()) },
    showShare: { share: argument(() => 0.5, ['half']) },
    stepQueries: { count, options: generator({ open, origins }) },
    uniformQueries: { count, options: generator({}) },
  },
);

describeRefusals(subjects);
