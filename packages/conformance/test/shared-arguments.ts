import * as core from '@bspkit/core';
import { arenaQuake3 } from '@bspkit/fixtures';
import * as sceneApi from '@bspkit/scene';
import { writePak } from '@bspkit/testkit/pak';
import {
  type Argument,
  argument,
  choice,
  EMPTY,
  flag,
  mask,
  optional,
  options,
  point,
  record,
  type Signatures,
  type Subjects,
  size,
  text,
} from '../src/arguments.ts';

// Arguments that functions of several packages take, and methods that all of them are tried with.

export const bounds: Argument = record({ mins: point([0, 0, 0]), maxs: point([9, 9, 9]) });
export const pose: Argument = options({ origin: point(), angles: point() });
export const segments: Argument = argument(() => new Float32Array(12));
export const batch: Argument = argument(() => core.createTraceBatch(2));
export const tests: Argument = argument(() => new Uint8Array(2));
export const someTracer: Argument = argument(() => sceneApi.createBody({ kind: 'sphere', radius: 4 }).ray());
export const fields: Argument = argument(() => ['fraction'], ['empty array']);
export const batchOptions: Argument = options({ fields, shared: flag });

/** Part of an answer: kernels leave rounding to the array that they write to. */
const written: Argument = { ...argument(() => new Float32Array(3)), aliases: ['out', 'trace'] };

/** An answer, which may have more fields than it needs. */
const answer = (value: () => unknown): Argument => ({
  ...record({ endPos: written, normal: written }),
  value,
  aliases: ['out', 'trace'],
});

/** What tracers of all kinds have. */
const tracing = (tracer: core.Tracer): Signatures => ({
  createTrace: null,
  trace: { start: point(), end: point([9, 9, 9]), out: optional(answer(() => tracer.createTrace())) },
  blocked: { start: point(), end: point([9, 9, 9]) },
  traceBatch: { segments, out: optional(batch) },
  blockedBatch: { segments, out: optional(tests) },
  place: { pose: { ...pose, accepts: EMPTY } },
});

const settings = (keys: Readonly<Record<string, Argument>>): Signatures[string] => ({
  settings: { ...options(keys), accepts: EMPTY },
});

/** Adds tracers to a test, each with the keys that its `set` takes. */
export const tracersInto =
  ({ subject }: Subjects) =>
  (name: string, self: core.Tracer, keys: Readonly<Record<string, Argument>> = {}): void =>
    subject(name, self, { ...tracing(self), set: settings(keys) });

export const corners: Readonly<Record<string, Argument>> = {
  mins: point([-4, -4, -4]),
  maxs: point([4, 4, 4]),
};
export const trace: Argument = answer(() => core.createTrace());
/** Any object may have the keys of an entity. */
const entity: Argument = argument(() => ({ classname: 'x' }), [...EMPTY, 'short Float32Array']);

export const shared: Argument = options({ shared: flag, kernel: choice('js') });
export const arena: Uint8Array = arenaQuake3();
export const bytes: Argument = argument(() => arena);
/** What `readPak` takes: an archive without files. */
export const pak: Readonly<Record<string, Argument>> = { bytes: argument(() => writePak()) };
export const reader: Readonly<Record<string, Argument>> = { bytes };

export const meshOptions: Argument = options({
  by: choice('brush'),
  mask,
  patchLevel: argument(() => 4, ['five']),
});
export const light: Readonly<Record<string, Argument>> = {
  brightness: argument(() => 1, ['five', 'half']),
  styles: argument(() => [1], ['empty array', 'short array', 'short Float32Array']),
};
export const lightmapOptions: Argument = options(light);
/** What samplers of light take. */
export const lighting: Readonly<Record<string, Argument>> = { ...light, smooth: flag };

/** What a sampler of light has. */
export const sampling = (sampler: core.LightSampler): Signatures => ({
  createSample: null,
  at: {
    point: point(),
    out: optional({
      ...record({ ambient: written, directed: written, direction: written }),
      value: () => sampler.createSample(),
      aliases: ['out', 'trace'],
    }),
  },
});

/** What formats re-export from core. */
export const COMMON: Signatures = {
  BspError: null,
  copyTrace: { from: trace, to: trace },
  createTrace: null,
  createTraceBatch: { count: argument(() => 2, ['five']), options: batchOptions },
  entityModel: { entity },
  entityVector: { entity, key: text },
  resetTrace: { out: trace },
};

/** Names in a module that are not functions of ours: those it takes from core, and those that are not functions. */
export const NAMES: Signatures = {
  names: { bits: mask },
  bits: {
    names: {
      ...argument(() => '1', ['five', 'minus one', 'text of digits', 'empty array', 'array of texts']),
      aliases: ['name'],
    },
  },
};

/** What moves shapes of all kinds, with the same options. */
export const round = (given: Argument): Signatures => ({
  ray: { options: given },
  sphere: { radius: size, options: given },
  box: { ...corners, options: given },
  capsule: { ...corners, options: given },
});

export const quake3Filter: Readonly<Record<string, Argument>> = { mask, epsilon: size, curves: flag };
