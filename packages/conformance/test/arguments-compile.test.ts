import * as compile from '@bspkit/compile';
import {
  argument,
  callback,
  choice,
  createSubjects,
  EMPTY,
  finite,
  flag,
  mask,
  optional,
  options,
  point,
  record,
  type Signatures,
  size,
  text,
} from '../src/arguments.ts';
import { describeRefusals } from './refusals.ts';
import { corners } from './shared-arguments.ts';

// What functions of the compiler say about wrong arguments; maps that make no sense get errors of its own.

const { boxBrush, CompileError } = compile;
const subjects = createSubjects([CompileError]);
const { subject } = subjects;

const box = (): compile.SourceBrush => boxBrush([0, 0, 0], [8, 8, 8]);
const texts = argument(() => 'common/clip', ['empty text', 'text', 'text of digits']);
const brushOptions = options({
  material: texts,
  contents: argument(
    () => 'solid',
    ['five', 'minus one', 'empty text', 'text', 'text of digits', 'empty array', 'array of texts'],
  ),
  detail: flag,
  levels: argument(() => 255, ['five']),
  currents: argument(() => 1, ['five']),
});
const pair = argument(() => [1, 2], ['short array', 'array of NaN', 'short Float32Array']);
const brush = record({ sides: argument(() => box().sides, ['empty array']), material: optional(texts) });
/** Any object without keys is a valid, empty list of materials. */
const materials = argument(() => ({}), ['object', 'object without prototype', 'map of nothing', 'function']);
const settings = {
  materials: optional(materials),
  unknownMaterial: choice('solid'),
  emptyBrush: choice('leave-out'),
  tjunc: optional(flag),
  onProgress: optional(callback),
};
const entities = argument(() => [{ properties: { classname: 'worldspawn' }, brushes: [box()] }]);
const map = record({ entities });
const format = argument(() => 'quake3');

subject(
  'compile',
  { ...compile },
  {
    CompileError: null,
    boxBrush: { ...corners, options: brushOptions },
    checkMaterials: { materials },
    commonMaterial: { name: text },
    contentsFromFile: { table: argument(() => compile.COMPILE_TARGETS[2].contents, EMPTY), bits: mask },
    compileMap: { map, options: { ...record({ format, ...settings }), closed: true } },
    formatMap: {
      map: { ...map, keys: { entities: { ...entities, accepts: ['empty array'] } } },
      options: options({ format: choice('quake3'), materials, unknownMaterial: choice('solid') }),
    },
    frustumBrush: {
      base: point(),
      radius: size,
      topRadius: size,
      height: finite,
      corners: argument(() => 4, ['five']),
      options: brushOptions,
    },
    hullBrush: {
      points: argument(() => [...[0, 1, 2].map((k) => [k, k * k, 0]), [0, 0, 9]]),
      options: brushOptions,
    },
    moveBrush: { brush, by: point() },
    parseShaders: {
      text: argument(() => 'a { }', ['empty text']),
      into: optional(argument(() => ({}), EMPTY)),
    },
    parseMap: {
      text: argument(() => '{}', ['empty text']),
      options: options({ format: choice('quake3'), target: argument(() => 'quake3') }),
    },
    pillarBrush: {
      base: point(),
      radius: size,
      height: finite,
      corners: argument(() => 4, ['five']),
      options: brushOptions,
    },
    planeSide: { a: point([0, 0, 0]), b: point([1, 0, 0]), c: point([0, 1, 0]), material: optional(texts) },
    prismBrush: {
      outline: argument(() => [
        [0, 0],
        [0, 8],
        [8, 0],
      ]),
      bottom: argument(() => -9, ['five', 'minus one', 'half']),
      top: argument(() => 9, ['five', 'minus one', 'half']),
      options: brushOptions,
    },
    rampBrush: { ...corners, heading: argument(() => '+x'), options: brushOptions },
    regularOutline: {
      center: pair,
      radius: size,
      corners: argument(() => 4, ['five']),
      turn: optional(finite),
    },
    roomBrushes: { ...corners, thickness: size, options: brushOptions },
    stairBrushes: {
      ...corners,
      steps: argument(() => 4, ['five']),
      heading: argument(() => '+x'),
      options: brushOptions,
    },
    surfaceFromFile: { table: argument(() => compile.COMPILE_TARGETS[2].surface, EMPTY), bits: mask },
  },
);
const names: Signatures = {
  names: { bits: argument(() => 1, ['five', 'minus one']) },
  bits: {
    names: {
      ...argument(() => '1', ['five', 'minus one', 'text of digits', 'empty array', 'array of texts']),
      aliases: ['name'],
    },
  },
};
subject('contents', compile.contentsNames, names);
subject('surface', compile.surfaceNames, names);
for (const target of compile.COMPILE_TARGETS) {
  const own: Record<string, ReturnType<typeof argument>> = {};
  for (const { name, type } of target.options) {
    if (name === 'bsp2' || name === 'qbsp') own[name] = argument(() => true, ['true']);
    else if (name === 'brushlist') own[name] = flag;
    else if (name === 'version') own[name] = argument(() => 78);
    else if (type === 'boxes')
      own[name] = argument(() => [{ mins: [-1, -1, -1], maxs: [1, 1, 1] }], ['empty array']);
  }
  subject(target.id, target, { compile: { map, options: options({ ...settings, ...own }) } });
}

describeRefusals(subjects);
