import * as core from '@bspkit/core';
import * as quake3Api from '@bspkit/quake3';
import * as umbrella from 'bspkit';
import * as pool from 'bspkit/pool';
import {
  argument,
  type Call,
  choice,
  createSubjects,
  flag,
  optional,
  options,
  type Signatures,
} from '../src/arguments.ts';
import { describeRefusals } from './refusals.ts';
import { arena, bytes, pak } from './shared-arguments.ts';

// What functions of the umbrella and of pools say about wrong arguments. The umbrella's are asynchronous and reject.

const subjects = createSubjects();
const { subject } = subjects;

const quake3File = quake3Api.readQuake3(arena);
const formatList = optional(argument(() => [], ['empty array']));

subject(
  'bspkit/pool',
  { ...pool },
  {
    createTracePool: {
      options: options({
        threads: argument(() => 2, ['five']),
        startLimit: argument(() => 2, ['five']),
        shared: flag,
        kernel: choice('js'),
        formats: formatList,
        worker: argument(() => 'worker.js', ['empty text', 'text', 'text of digits', 'function']),
      }),
    },
    // Only for workers.
    serveTracePool: null,
    // A class, which only `new` creates.
    TracePoolError: null,
  },
);

const ASYNC: Signatures = {
  createWorld: {
    file: { ...argument(() => quake3File), aliases: ['format'] },
    options: options({ shared: flag, kernel: choice('js'), formats: formatList }),
  },
  formatOf: { target: { ...argument(() => 'quake3'), aliases: ['format'] } },
  openBsp: {
    bytes,
    options: options({ shared: flag, kernel: choice('js'), format: choice('quake3'), formats: formatList }),
  },
  readPak: pak,
  readBsp: { bytes, options: options({ formats: formatList }) },
};
subject(
  'bspkit',
  { ...umbrella },
  {
    ...Object.fromEntries(Object.keys(core).map((name) => [name, null])),
    ...Object.fromEntries(Object.keys(ASYNC).map((name) => [name, null])),
    detectBsp: { bytes },
  },
);
const asyncCalls: Call[] = [];
for (const [name, args] of Object.entries(ASYNC)) {
  const call = (umbrella as unknown as Record<string, Call['call']>)[name]!;
  if (args) asyncCalls.push({ name: `bspkit.${name}`, self: undefined, call, args });
}

describeRefusals(subjects, asyncCalls);
