import { BspError, createTrace } from '@bspkit/core';
import type { BspFormat, BspFormatEntry, RowKinds } from '@bspkit/core/format';
import { arenaQuake1, arenaQuake2, arenaQuake3, houseUfoai } from '@bspkit/fixtures';
import { movementRows } from '@bspkit/movement/rows';
import { quake1Format } from '@bspkit/quake1/format';
import { quake2Format } from '@bspkit/quake2/format';
import { quake3Format } from '@bspkit/quake3/format';
import { createScene } from '@bspkit/scene';
import { sceneRows } from '@bspkit/scene/rows';
import { ufoaiFormat } from '@bspkit/ufoai/format';
import {
  type Argument,
  anything,
  argument,
  callback,
  choice,
  createSubjects,
  flag,
  type JunkName,
  mask,
  optional,
  options,
  point,
  record,
  size,
  text,
} from '../src/arguments.ts';
import { describeRefusals } from './refusals.ts';
import { light, lighting } from './shared-arguments.ts';

// What descriptors of formats say about wrong arguments: they are how tools deal with a game that they do not know.

const subjects = createSubjects([BspError]);
const { subject } = subjects;

/** Which of the tried values sizes accept. */
const SIZED: Readonly<Record<string, readonly ('short array' | 'empty array')[]>> = {
  number: [],
  box: [],
  capsule: ['short array'],
};

/** Functions that open the maps of query rows. */
function rows(name: string, kinds: RowKinds, format: BspFormat, bytes: Uint8Array): void {
  const header = record({
    map: text,
    columns: argument(() => ['sx'], ['undefined', 'empty array', 'array of texts']),
  });
  const source = record({ load: argument(() => () => bytes, ['function']) });
  const given = { ...source, value: () => ({ load: () => bytes, format }) };
  for (const [kind, { open }] of Object.entries(kinds)) {
    subject(`${name}: ${kind}`, { open }, { open: { header, source: given } });
  }
}

const MAPS = [
  [quake1Format, arenaQuake1(), { lit: argument(() => Uint8Array.from([81, 76, 73, 84, 1, 0, 0, 0])) }],
  [quake2Format, arenaQuake2(), {}],
  [quake3Format, arenaQuake3(), {}],
  [ufoaiFormat, houseUfoai(), { night: flag }],
] as readonly (readonly [BspFormatEntry, Uint8Array, ownLight: Readonly<Record<string, Argument>>])[];

/** A text for the one game that has assemblies. */
const ASSEMBLY = 'tile t { 3 3  0 a 0  a +a a  0 a 0 } assembly a { size "1 1" t "1 1" }';

for (const [entry, bytes, ownLight] of MAPS) {
  const { id } = entry;
  subject(`${id} entry`, entry, {
    detect: { bytes: argument(() => bytes, ['short Float32Array']) },
    load: null,
    loadReader: null,
  });
  const format = await entry.load();
  const file = format.read(bytes);
  const world = format.createWorld([file]);
  const isWorld = argument(() => world);
  const isFile = { ...argument(() => file), aliases: ['map', 'maps'] };
  const trace = argument(() => createTrace());
  // Only several tiles lie anywhere.
  const offsets: JunkName[] = format.assemblies ? ['empty array'] : [];
  const tracer = format.tracers.kinds[0]!.create(world, [], {});
  subject(id, format, {
    detect: { bytes: argument(() => bytes, ['short Float32Array']) },
    read: { bytes: argument(() => bytes) },
    createWorld: {
      files: { ...argument(() => [file]), aliases: ['file', 'tiles'] },
      options: options({ shared: flag, kernel: choice('js'), offsets: argument(() => undefined, offsets) }),
    },
    open: { data: argument(() => world.data) },
    info: { file: isFile, world: isWorld },
    brushes: { file: isFile },
    polygons: { world: isWorld },
    mesh: {
      file: isFile,
      options: options({
        by: choice('brush'),
        mask: argument(() => 1, ['five', 'minus one']),
        patchLevel: argument(() => 4, ['five']),
      }),
    },
    brushPolygons: { file: isFile, options: options({ mask: argument(() => 1, ['five', 'minus one']) }) },
    lightmaps: { file: isFile, options: options({ ...light, ...ownLight }) },
    createLightSampler: {
      file: isFile,
      options: options({ ...lighting, ...ownLight }),
    },
    embeddedTextures: {
      file: isFile,
      options: options({
        palette: argument(() => new Uint8Array(768)),
        wads: argument(() => [], ['empty array']),
      }),
    },
    surfaceAt: { world: isWorld, trace },
    boxEntity: { mins: point([-4, -4, -4]), maxs: point([4, 4, 4]) },
    traceFields: { trace },
    explain: { tracer: argument(() => tracer), start: point(), end: point() },
    point: { world: isWorld, at: { ...point(), aliases: ['point'] } },
    sphere: { world: isWorld, center: { ...point(), aliases: ['start'] }, radius: size },
    sight: {
      world: isWorld,
      from: { ...point(), aliases: ['start', 'point'] },
      to: { ...point(), aliases: ['end', 'point'] },
    },
  });
  subject(`${id} contents`, format.contents, { names: null, bits: null });
  const { assemblies, routing } = format;
  if (assemblies) {
    subject(`${id} assemblies`, assemblies, {
      plan: {
        text: { ...text, value: () => ASSEMBLY },
        options: options({ assembly: optional(text), seed: optional(mask), extend: optional(callback) }),
      },
    });
  }
  if (routing) {
    const table = routing.compute(file);
    const packed = argument(() => table);
    const work = routing.work(file);
    const part = work.part(0, work.rows);
    subject(`${id} routing`, routing, {
      stored: { file: isFile },
      compute: { file: isFile, onProgress: optional(callback) },
      ...(routing.assemble && {
        assemble: {
          files: { ...argument(() => [file]), aliases: ['map', 'tiles'] },
          world: argument(() => format.createWorld([file])),
          onProgress: optional(callback),
        },
      }),
      work: { file: isFile },
      join: { parts: argument(() => [part]) },
      difference: { one: packed, other: packed },
      cells: { packed, size: optional(argument(() => 1)) },
    });
    subject(`${id} cells`, routing.cells(table), {
      reach: {
        from: argument(() => 1, ['five']),
        options: options({ limit: optional(argument(() => 8, ['five'])), crouched: flag }),
      },
    });
  }
  rows(`${id} rows`, format.rows, format, bytes);
  rows(`${id} scene rows`, sceneRows[id] ?? {}, format, bytes);
  rows(`${id} movement rows`, movementRows(createScene)[id] ?? {}, format, bytes);
  const isSwitch = (name: string): boolean =>
    /^o(n|ff)$/.test(format.tracers.options.find((option) => option.name === name)!.type);
  for (const kind of format.tracers.kinds) {
    const sizes: Record<string, number[]> = { number: [8], box: [-1, -1, -1, 1, 1, 1], capsule: [8, 20] };
    subject(`${id} ${kind.name}`, kind, {
      create: {
        world: isWorld,
        size: argument(() => sizes[kind.size ?? ''] ?? [], SIZED[kind.size ?? ''] ?? ['empty array']),
        // Commands pass what their own options read; switches come from programs and pools, too.
        options: options(
          Object.fromEntries(kind.options.map((name) => [name, isSwitch(name) ? flag : anything])),
        ),
      },
    });
  }
}

describeRefusals(subjects);
