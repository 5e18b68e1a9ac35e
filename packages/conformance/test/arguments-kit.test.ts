import { BspError, createTrace, createTraceBatch, type TraceBatch } from '@bspkit/core';
import * as kit from '@bspkit/core/format';
import { expect, it } from 'vitest';
import {
  type Argument,
  anything,
  argument,
  choice,
  createSubjects,
  EMPTY,
  few,
  finite,
  flag,
  mask,
  optional,
  options,
  point,
  record,
  size,
  text,
} from '../src/arguments.ts';
import { describeRefusals } from './refusals.ts';
import { corners, lighting, lightmapOptions, pose } from './shared-arguments.ts';

// What functions that formats are made with say about wrong arguments. The checks among them are what refuses arguments
// everywhere, so here they are called with wrong ones directly. Formats call the others with what they have already checked.

const subjects = createSubjects([BspError]);
const { subject } = subjects;

/** Called only by formats, in loops or once per file, with numbers of their own. */
const TRUSTED = [
  'checkApart',
  'copierOf',
  'countValues',
  'createBuffer',
  'createChecks',
  'createRecorder',
  'defineFormat',
  'defineReader',
  'defineRows',
  'leafRows',
  'defineSections',
  'held',
  'BinaryReader',
  // What is in headers is tried field by field where rows are tested.
  'HeaderFields',
  'listedModels',
  'modelRange',
  'columnPlaces',
  'failCell',
  'sha256',
  'testTogether',
  'traceTogether',
  'tokenizeText',
  'float32Cell',
  'readFloats',
  'readInts',
  'printAsString',
  'showShape',
  'showValue',
  'showVec',
  'sin',
  'cos',
  'sinCos',
  'packTexts',
  'decodeRow',
  'rowHasBit',
  'rowLengths',
  'unpackTexts',
  'packError',
  'unpackError',
  'plainOf',
  'isErrorOf',
  'reasonOf',
  'writeHit',
  'writeStop',
  'failArgument',
  'wholeIn',
  'checkKind',
  'checkPlace',
  'takePlace',
  'takePose',
  'setBounds',
  'boxLeafs',
  'boxSides',
  'leafsInBox',
  'linkSides',
  'defineWasm',
  'openKernel',
  'worldOptions',
  'widthOf',
  'writeTrace',
  'MeshBuilder',
  'addBrushes',
  'cutPolygons',
  'addFace',
  'blackPixels',
  'faceTexel',
  'faceVertex',
  'fillLightmapCoords',
  'fillTexCoords',
  'layoutLightmaps',
  'measureFaces',
  'layoutStyles',
  'paintStyles',
  'checkLightSample',
  'createFaceLight',
  'createFullLight',
  'createLightSample',
  'listLumps',
  'onlyFile',
  'suitedPresets',
  'playerPreset',
  'bodyPreset',
  'tracerKind',
  'tracerOf',
  'explainerOf',
  'blockerBytes',
  'createBlockers',
  'hasBlockers',
  'isAround',
  'brushRoom',
  'lookAtBrushes',
  'cellRoom',
  'findCell',
  'clearingBytes',
  'clearingGrid',
  'createClearings',
  'findClearing',
  'findMissed',
  'isClear',
  'isArrayOf',
  'isNumberIn',
  'setRotation',
];

const whole = argument(() => 3, ['five']);
const tracer = argument(() => ({ trace: () => {}, createTrace }));
const trace = argument(() => createTrace());
/** What a tracer was given to fill. */
const FILLED = createTrace();
/** Cells come from JSON, which has no bigints. */
const number = argument(() => 1, ['five', 'minus one', 'half', 'huge', 'NaN', 'Infinity', 'bigint']);

/** Each check with its arguments, under the names that it uses for them. */
const checks: Readonly<Record<string, readonly [(...given: never[]) => unknown, Record<string, Argument>]>> =
  {
    checkArrayOf: [
      (it: Uint8Array) => kit.checkArrayOf(it, Uint8Array, 'it'),
      { it: argument(() => new Uint8Array(2)) },
    ],
    checkBatch: [
      (out: TraceBatch) => kit.checkBatch(out, {}, new Float32Array(12)),
      { out: argument(() => createTraceBatch(2)) },
    ],
    checkBounds: [kit.checkBounds, corners],
    checkBuffer: [kit.checkBuffer, { data: argument(() => new ArrayBuffer(8)) }],
    checkBytes: [kit.checkBytes, { bytes: argument(() => new Uint8Array(2)) }],
    checkCallback: [
      (it: unknown) => kit.checkCallback(it, 'it'),
      { it: argument(() => () => {}, ['function']) },
    ],
    checkChoice: [(it: string) => kit.checkChoice(it, 'it', ['a', 'b']), { it: argument(() => 'a') }],
    checkFileOf: [
      (file: { format: string }) => kit.checkFileOf(file, 'toy', 'readToy'),
      { file: argument(() => ({ format: 'toy', planes: {} })) },
    ],
    lightmapBrightness: [
      (given: object) => kit.lightmapBrightness(given, 2),
      { options: { ...lightmapOptions, accepts: EMPTY } },
    ],
    askedLight: [
      (given: object) => kit.askedLight(given, 2),
      {
        options: {
          ...options(lighting),
          accepts: EMPTY,
        },
      },
    ],
    meshOptions: [
      kit.meshOptions,
      {
        options: {
          ...options({ by: choice('brush'), mask, patchLevel: argument(() => 4, ['five']) }),
          accepts: EMPTY,
        },
      },
    ],
    checkFilled: [
      (answer: ReturnType<typeof createTrace>) => kit.checkFilled(answer, FILLED),
      { answer: argument(() => FILLED) },
    ],
    checkFinite: [(it: number) => kit.checkFinite(it, 'it'), { it: finite }],
    checkFlag: [(it: boolean) => kit.checkFlag(it, 'it'), { it: flag }],
    checkList: [
      (it: []) => kit.checkList(it, 'it'),
      {
        it: argument(
          () => [],
          [
            'empty array',
            'array of nulls',
            'array of NaN',
            'short array',
            'array of texts',
            'array of one object',
          ],
        ),
      },
    ],
    checkMask: [(it: number) => kit.checkMask(it, 'it'), { it: mask }],
    checkMove: [kit.checkMove, { start: point(), end: point() }],
    // Refusing numbers that are not finite is up to the tracers.
    takeFloats: [
      kit.takeFloats,
      {
        start: argument(() => [1, 2, 3], ['array of NaN']),
        end: argument(() => [1, 2, 3], ['array of NaN']),
      },
    ],
    checkModelNumber: [(number: number) => kit.checkModelNumber(number, 9), { number: whole }],
    checkNumber: [(it: number) => kit.checkNumber(it, 'it', 9), { it: whole }],
    checkObject: [
      (it: object) => kit.checkObject(it, 'it'),
      { it: argument(() => ({}), [...EMPTY, 'short Float32Array']) },
    ],
    checkOptions: [
      (it: object) => kit.checkOptions(it, ['a'], 'it'),
      { it: { ...options({ a: anything }), accepts: EMPTY } },
    ],
    checkPoint: [(it: number[]) => kit.checkPoint(it, 'it'), { it: point() }],
    checkPlaces: [(origin: number[]) => kit.checkPlaces({ origin }, 1), { origin: optional(point()) }],
    checkPose: [kit.checkPose, { pose: { ...pose, accepts: EMPTY } }],
    checkRadius: [
      (radius: number) => kit.checkRadius(radius),
      { radius: argument(() => 8, ['five', 'half']) },
    ],
    checkRoomOf: [
      (it: Float32Array) => kit.checkRoomOf(it, Float32Array, 3, 'it'),
      { it: argument(() => new Float32Array(3)) },
    ],
    checkText: [(it: string) => kit.checkText(it, 'it'), { it: text }],
    checkTrace: [(it: ReturnType<typeof createTrace>) => kit.checkTrace(it, 'it'), { it: trace }],
    checkTracer: [(it: object) => kit.checkTracer(it, 'it'), { it: tracer }],
    checkWhole: [(it: number) => kit.checkWhole(it, 'it', 0, 9), { it: whole }],
    checkWholeFrom: [
      (it: number) => kit.checkWholeFrom(it, 'it', 0),
      { it: argument(() => 3, ['five', 'huge']) },
    ],
  };
const others: typeof checks = {
  askedModel: [(model: number) => kit.askedModel({ model }, 3), { model: optional(few(1)) }],
  capsuleBounds: [kit.capsuleBounds, { size: record({ radius: size, height: argument(() => 40) }) }],
  capsuleOf: [(...given: never[]) => kit.capsuleOf(given as never), corners],
  createArrays: [
    (count: number, options: object) => kit.createArrays(count, options, kit.TRACE_ARRAYS),
    {
      count: whole,
      options: {
        ...options({ fields: argument(() => ['fraction'], ['empty array']), shared: flag }),
        accepts: EMPTY,
      },
    },
  ],
  createFlagNames: [
    kit.createFlagNames,
    { table: argument(() => ({ solid: 1 }), [...EMPTY, 'short Float32Array']) },
  ],
  copyBounds: [
    (mins: number[], maxs: number[]) =>
      kit.copyBounds(mins, maxs, { mins: new Float32Array(3), maxs: new Float32Array(3) }),
    corners,
  ],
  describeBytes: [kit.describeBytes, { bytes: argument(() => new Uint8Array(2)) }],
  ibspVersion: [kit.ibspVersion, { bytes: argument(() => new Uint8Array(2)) }],
  floatCell: [(cell: number) => kit.floatCell([cell], 0), { cell: number }],
  doubleCell: [(cell: number) => kit.doubleCell([cell], 0), { cell: number }],
  floatCells: [(cell: number) => kit.floatCells([cell], [0]), { cell: number }],
  optionalFloats: [(cell: number) => kit.optionalFloats([cell], [0]), { cell: number }],
  intCell: [
    (cell: number) => kit.intCell([cell], 0),
    { cell: argument(() => 1, ['five', 'minus one', 'huge', 'bigint']) },
  ],
  modelCell: [
    (cell: number) => kit.modelCell([cell], 0, 1, 1),
    { cell: argument(() => 1, ['five', 'minus one', 'huge', 'bigint']) },
  ],
  listCell: [
    (cell: number) => kit.listCell([cell], 0, 2, 'scene'),
    { cell: argument(() => 1, ['five', 'minus one', 'huge', 'bigint']) },
  ],
  listNames: [
    kit.listNames,
    { names: argument(() => 'a', ['empty text', 'text', 'text of digits', 'empty array', 'array of texts']) },
  ],
  openIbsp: [
    (bytes: Uint8Array) =>
      kit.openIbsp(bytes, { id: 'toy', name: 'Toy', versions: [], detect: () => undefined }, [1], {
        planes: 20,
      }),
    { bytes: argument(() => new Uint8Array(2)) },
  ],
  openLumps: [
    (bytes: Uint8Array) =>
      kit.openLumps(bytes, 'toy', { wanted: 'a toy', versionOf: () => undefined }, { planes: 20 }),
    { bytes: argument(() => new Uint8Array(2)) },
  ],
  openFile: [
    (bytes: Uint8Array) => kit.openFile(bytes, 'toy', 'a toy', 0, () => 1),
    { bytes: argument(() => new Uint8Array(2)) },
  ],
  toBytes: [kit.toBytes, { bytes: argument(() => new Uint8Array(2)) }],
};

const tried = { ...checks, ...others };
subject(
  'kit',
  Object.fromEntries(Object.entries(tried).map(([name, [call]]) => [name, call])),
  Object.fromEntries(Object.entries(tried).map(([name, [, args]]) => [name, args])),
);

describeRefusals(subjects);

it('of the kit are tried on everything that receives arguments of callers', () => {
  const functions = Object.entries(kit).filter(([, value]) => typeof value === 'function');
  const untried = functions
    .map(([name]) => name)
    .filter((name) => !(name in tried) && !TRUSTED.includes(name));
  expect(untried).toEqual([]);
});
