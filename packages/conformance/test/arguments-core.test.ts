import * as core from '@bspkit/core';
import { createFlagNames } from '@bspkit/core/format';
import { argument, callback, choice, createSubjects, few, optional, record, text } from '../src/arguments.ts';
import { describeRefusals } from './refusals.ts';
import { batch, COMMON, NAMES, segments, someTracer, tests, trace, tracersInto } from './shared-arguments.ts';

// What functions of core say about wrong arguments.

const subjects = createSubjects();
const { subject } = subjects;
const tracer = tracersInto(subjects);

subject(
  'core',
  { ...core },
  {
    ...COMMON,
    blockedEach: { tracer: someTracer, segments, out: optional(tests) },
    checkSegments: { segments, out: optional(batch) },
    checkTests: { segments, out: optional(tests) },
    defineTracer: {
      parts: record({
        shape: record({ kind: choice('ray') }),
        trace: callback,
        createTrace: optional(argument(() => core.createTrace)),
        blocked: optional(callback),
        traceBatch: optional(callback),
        blockedBatch: optional(callback),
      }),
    },
    isBlocked: { trace },
    // Text that does not parse gets a BspError.
    parseEntities: { text: argument(() => '{}', ['empty text', 'text', 'text of digits']), format: text },
    storeTrace: { out: batch, index: few(1), trace },
    traceEach: { tracer: someTracer, segments, out: optional(batch) },
  },
);
subject('FlagNames', createFlagNames({ solid: 1 }), {
  ...NAMES,
  bits: {
    names: {
      ...argument(() => 'solid', ['five', 'minus one', 'text of digits', 'empty array', 'array of texts']),
      aliases: ['name'],
    },
  },
});
tracer('defined tracer', core.defineTracer({ shape: { kind: 'ray' }, trace: (_start, _end, out) => out }));

describeRefusals(subjects);
