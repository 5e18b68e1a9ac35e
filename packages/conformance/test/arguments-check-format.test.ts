import * as api from '@bspkit/check-format';
import { toy, toyFormat, toyMap } from '@bspkit/testkit/toy';
import { expect, it } from 'vitest';
import { argument, type Call, callback, createSubjects, options, record, text } from '../src/arguments.ts';
import { describeRefusals } from './refusals.ts';

// What functions that check formats say about wrong arguments. The one that declares tests is asynchronous and rejects.

const subjects = createSubjects();
const { checkFormat, ...others } = api;
const mesh = toy.mesh!(toy.read(toyMap()));
// An object is a mesh with flaws: all that it lacks.
const given = argument(
  () => mesh,
  ['object', 'object without prototype', 'map of nothing', 'short Float32Array'],
);
subjects.subject('check-format', others, { meshFlaws: { mesh: given } });

const needed = { ...callback, accepts: ['function'] } as const;
const sample = { name: 'room', bytes: toyMap() };
const calls: Call[] = [
  {
    name: 'check-format.checkFormat',
    self: undefined,
    call: checkFormat as Call['call'],
    args: {
      entry: {
        ...record({ id: text, detect: needed, load: needed, loadReader: needed }),
        value: () => toyFormat,
      },
      samples: { ...argument(() => [sample]), aliases: ['samples'] },
      options: options({
        foreign: argument(() => [], ['empty array']),
        ownTests: argument(() => [], ['empty array', 'array of texts']),
        mutants: argument(() => 60, ['five']),
      }),
    },
  },
];

describeRefusals(subjects, calls);

it('that are right are refused in a test all the same, where tests cannot be declared', async () => {
  const says = 'checkFormat declares tests: call it at the top level of a test file, not in a test';
  await expect(checkFormat(toyFormat, [sample])).rejects.toThrow(says);
});
