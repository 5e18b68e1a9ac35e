import { BakeError, bake, createJob, memoryStore, openJob } from '@bspkit/bake';
import * as picture from '@bspkit/bake/picture';
import { arenaQuake3 } from '@bspkit/fixtures';
import { openBsp } from 'bspkit';
import {
  type Argument,
  argument,
  type Call,
  callback,
  createSubjects,
  finite,
  optional,
  options,
  point,
  record,
  size,
  text,
} from '../src/arguments.ts';
import { describeRefusals } from './refusals.ts';

// What functions of pictures say about wrong arguments.

const subjects = createSubjects([BakeError]);
const { subject } = subjects;

const map = arenaQuake3();
const world = await openBsp(map, { format: 'quake3' });
const parameters = { origin: [0, 0, 16], step: 64, size: [2, 2, 1], rays: 0 };
const job = await createJob({ kind: 'clearance', map, parameters });
const { run } = await openJob(job, { load: () => map });
const store = memoryStore();
await bake(job, { store, executor: { capacity: 1, run: async (chunk) => run(chunk) } });
const outcome = picture.readOutcome(store.bytes());
const drawing = picture.drawBake(outcome);

const outcomeOf: Argument = {
  ...argument(() => outcome),
  aliases: ['bake', 'bake.kind', 'bake.parameters', 'bake.result'],
};
const drawingOf: Argument = {
  ...argument(() => drawing),
  aliases: ['drawing', 'drawing.width', 'drawing.height', 'drawing.shapes'],
};
const table = { ...argument(() => picture.bakeTable(outcome)), aliases: ['table', 'table.columns'] };
const layer = { ...argument(() => picture.bakeLayer(outcome)), aliases: ['layer.title'] };
const percent = record({ unit: argument(() => 'percent') });
const sheet = {
  name: text,
  level: argument(() => 1),
  levelHeight: size,
  width: argument(() => 640),
  solidAt: callback,
};

subject(
  '@bspkit/bake/picture',
  { ...picture },
  {
    bakeLayer: { bake: outcomeOf, options: options({ from: point() }) },
    bakeTable: { bake: outcomeOf },
    countClasses: { layer },
    csvText: { table },
    drawBake: { bake: outcomeOf, options: options({ ...sheet, from: point() }) },
    drawSheet: {
      layer,
      options: options(sheet),
    },
    jsonText: { table },
    rampColor: { stops: argument(() => [...picture.ROOM]), share: finite },
    layerMarks: { layer },
    readOutcome: { bytes: argument(() => store.bytes()) },
    roundScale: { scale: record({ high: finite }) },
    scaleLabels: { scale: record({ high: finite, most: finite, unit: argument(() => 'percent') }) },
    showValue: { value: finite, scale: percent },
    solidAt: { tracer: argument(() => world.ray()) },
    splitLevels: {
      positions: argument(() => [0, 0, 0], ['empty array']),
      step: size,
      height: optional(size),
    },
    toPng: null,
    toSvg: { drawing: drawingOf },
  },
);

const toPng: Call = {
  name: 'toPng',
  self: undefined,
  call: picture.toPng as Call['call'],
  args: { drawing: drawingOf, scale: optional(argument(() => 1, ['five', 'half'])) },
};

describeRefusals(subjects, [toPng]);
