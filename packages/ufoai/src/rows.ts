import {
  columnPlaces,
  failCell,
  float32Cell,
  floatCell,
  floatCells,
  HeaderFields,
  HIT_COLUMNS,
  intCell,
  modelCell,
  modelRange,
  type Row,
  type RowAnswering,
  type RowHeader,
  type RowKind,
  type RowKinds,
  type RowSource,
  STOP_COLUMNS,
  writeHit,
  writeStop,
} from '@bspkit/core/format';
import type { LineQuirks, UfoaiLineTracer } from './line-tracer.ts';
import type { UfoaiModel } from './model.ts';
import { pathRows } from './routing/rows.ts';
import { createBoxTrace, createLineTrace, type UfoaiTrace } from './trace.ts';
import type { UfoaiTracer } from './tracer.ts';
import type { UfoaiWorld } from './world.ts';

// Query rows as they were recorded from the engine: these are its answers, with all oddities.

const START = ['sx', 'sy', 'sz'] as const;
const END = ['ex', 'ey', 'ez'] as const;
const MINS = ['minx', 'miny', 'minz'] as const;
const MAXS = ['maxx', 'maxy', 'maxz'] as const;
const ORIGIN = ['ox', 'oy', 'oz'] as const;
const ANGLES = ['ax', 'ay', 'az'] as const;
const LEVELS = ['levelmask'] as const;
/** Columns of the question about a line, and about a box. */
const LINE = [...LEVELS, ...START, ...END] as const;
const BOX = ['brushmask', 'brushreject', ...START, ...END, ...MINS, ...MAXS] as const;
const LINE_RESULTS = [
  'blocked',
  'dmBlocked',
  'dmx',
  'dmy',
  'dmz',
  'cblocked',
  'cdmBlocked',
  'cdmx',
  'cdmy',
  'cdmz',
] as const;
const BOX_RESULTS = [
  ...STOP_COLUMNS,
  ...HIT_COLUMNS,
  'contentFlags',
  'texinfo',
  'surfaceFlags',
  'leafnum',
  'mapTile',
] as const;
const ENT_BOX_RESULTS = [...STOP_COLUMNS, 'contentFlags', 'mapTile'] as const;

type Places<K extends string> = Readonly<Record<K, number>>;

/** Through the given descriptor, which may choose how worlds are made. */
function openTiles(header: RowHeader, { format, load }: RowSource): UfoaiWorld {
  const { game, map, sha256, tiles } = header;
  const list = tiles ?? [{ map, sha256, x: 0, y: 0, z: 0 }];
  const places = new HeaderFields(header).objects('tiles', true);
  const offsets = places.map((tile) => [
    tile.whole('x', undefined, -127, 127),
    tile.whole('y', undefined, -127, 127),
    tile.whole('z', undefined, 0, 7),
  ]);
  const files = list.map((tile) => format.read(load(game, tile.map, tile.sha256)));
  return format.createWorld(files, { offsets: tiles ? offsets : [[0, 0, 0]] }) as UfoaiWorld;
}

/** Reads a point of a row by its columns. */
function pointReader<K extends string>(header: RowHeader, names: readonly K[]): (row: Row) => number[] {
  const at = columnPlaces(header, names);
  const places = names.map((name) => at[name]);
  return (row) => floatCells(row, places);
}

/** Inline models, posed as the header says. */
function poseModels(header: RowHeader, world: UfoaiWorld): UfoaiModel[] {
  const fields = new HeaderFields(header);
  if (!fields.has('models')) return world.models();
  const { numModels } = world;
  return fields.objects('models').map((pose) => {
    const number = Number(/^\*(\d{1,9})$/.exec(pose.text('name'))?.[1]);
    if (!(number >= 1 && number <= numModels))
      pose.fail('name', `the name of a model, ${modelRange(numModels, '*')}`);
    return world.model(number).place({ origin: pose.vector('origin'), angles: pose.vector('angles') });
  });
}

/** Lines as the game has them, and (columns with a leading c) without phantom heads. */
function answerLines(header: RowHeader, world: UfoaiWorld, models: UfoaiModel[]): RowAnswering {
  const at = columnPlaces(header, ['levelmask', ...LINE_RESULTS]);
  const [start, end] = [pointReader(header, START), pointReader(header, END)];
  const withoutPhantoms: LineQuirks = { maskBits: true, maskIgnored: true, entities: true };
  const engine = world.line({ models, compat: 'engine' });
  const clean = world.line({ models, compat: withoutPhantoms });
  const trace = createLineTrace();
  const write = (row: Row, tracer: UfoaiLineTracer, prefix: '' | 'c'): void => {
    const move = [start(row), end(row)] as const;
    tracer.set({ levels: intCell(row, at.levelmask) });
    row[at[`${prefix}blocked`]] = tracer.blocked(...move) ? 1 : 0;
    tracer.trace(...move, trace);
    row[at[`${prefix}dmBlocked`]] = trace.blocked ? 1 : 0;
    row[at[`${prefix}dmx`]] = float32Cell(trace.endPos[0]!);
    row[at[`${prefix}dmy`]] = float32Cell(trace.endPos[1]!);
    row[at[`${prefix}dmz`]] = float32Cell(trace.endPos[2]!);
  };
  return {
    answer(row) {
      write(row, engine, '');
      write(row, clean, 'c');
    },
  };
}

const lineRows: RowKind = {
  question: LINE,
  results: LINE_RESULTS,
  open: (header, source) => answerLines(header, openTiles(header, source), []),
};

/** The move of a box that a row asks about. */
interface BoxMove {
  readonly settings: Parameters<UfoaiTracer['set']>[0];
  readonly start: number[];
  readonly end: number[];
}

/** Reads the move of a row's box. */
function moveReader(header: RowHeader): (row: Row) => BoxMove {
  const at = columnPlaces(header, ['levelmask', 'brushmask', 'brushreject']);
  const [start, end] = [pointReader(header, START), pointReader(header, END)];
  const [mins, maxs] = [pointReader(header, MINS), pointReader(header, MAXS)];
  return (row) => ({
    settings: {
      levels: at.levelmask < 0 ? undefined : intCell(row, at.levelmask),
      mask: intCell(row, at.brushmask),
      reject: intCell(row, at.brushreject),
      mins: mins(row),
      maxs: maxs(row),
    },
    start: start(row),
    end: end(row),
  });
}

function traceMove(tracer: UfoaiTracer, { settings, start, end }: BoxMove, out: UfoaiTrace): UfoaiTrace {
  tracer.set(settings);
  return tracer.trace(start, end, out);
}

function writeEntBox(row: Row, at: Places<(typeof ENT_BOX_RESULTS)[number]>, trace: UfoaiTrace): void {
  writeStop(row, at, trace);
  row[at.contentFlags] = trace.contents;
  row[at.mapTile] = Math.max(0, trace.tile);
}

function writeTrace(row: Row, at: Places<(typeof BOX_RESULTS)[number]>, trace: UfoaiTrace): void {
  writeEntBox(row, at, trace);
  writeHit(row, at, trace);
  row[at.texinfo] = trace.texture;
  row[at.surfaceFlags] = trace.surfaceFlags;
  row[at.leafnum] = Math.max(0, trace.leaf);
}

const NO_SIZE = [0, 0, 0];

/** Mode 0 traces one tile, 1 all tiles, 2 one box head. */
const boxRows: RowKind = {
  question: ['mode', 'tile', 'head', ...BOX],
  optional: [LEVELS],
  results: BOX_RESULTS,
  open(header, source) {
    const world = openTiles(header, source);
    const at = columnPlaces(header, ['mode', 'tile', 'head', ...BOX_RESULTS]);
    const [read, trace] = [moveReader(header), createBoxTrace()];
    const tracers = new Map<string, UfoaiTracer>();
    const tracerOf = (mode: number, tile: number, head: number): UfoaiTracer => {
      const key = mode === 1 ? 'all' : mode === 0 ? `${tile}` : `${tile} ${head}`;
      let tracer = tracers.get(key);
      if (!tracer) {
        const where = mode === 1 ? {} : mode === 0 ? { tile } : { tile, head };
        tracer = world.box(NO_SIZE, NO_SIZE, { ...where, compat: 'engine' });
        tracers.set(key, tracer);
      }
      return tracer;
    };
    return {
      answer(row) {
        const [mode, tile, head] = [intCell(row, at.mode), intCell(row, at.tile), intCell(row, at.head)];
        if (mode < 0 || mode > 2) failCell(row, at.mode, '0, 1 or 2');
        const move = read(row);
        writeTrace(row, at, traceMove(tracerOf(mode, tile, head), move, trace));
        // The engine's record names the tile only if it searched for it.
        if (mode !== 1) row[at.mapTile] = 0;
      },
    };
  },
};

const modelRows: RowKind = {
  question: ['model', 'useShift', 'fractionIn', ...ORIGIN, ...ANGLES, ...BOX],
  optional: [LEVELS],
  results: BOX_RESULTS,
  open(header, source) {
    const world = openTiles(header, source);
    const at = columnPlaces(header, ['model', 'useShift', 'fractionIn', ...BOX_RESULTS]);
    const [origin, angles] = [pointReader(header, ORIGIN), pointReader(header, ANGLES)];
    const [read, trace] = [moveReader(header), createBoxTrace()];
    const opened = world.models().map((model) => ({
      shifted: model.box(NO_SIZE, NO_SIZE, { compat: 'engine' }),
      unshifted: model.box(NO_SIZE, NO_SIZE, { compat: 'engine', shift: false }),
    }));
    return {
      answer(row) {
        const number = modelCell(row, at.model, opened.length, 1);
        const shift = intCell(row, at.useShift);
        const pose = { origin: origin(row), angles: angles(row) };
        const limit = floatCell(row, at.fractionIn);
        const move = read(row);
        const { shifted, unshifted } = opened[number - 1]!;
        const tracer = shift ? shifted : unshifted;
        tracer.place(pose).set({ limit });
        writeTrace(row, at, traceMove(tracer, move, trace));
      },
    };
  },
};

/** The world and all inline models: a line with `levelmask`, and a box whose levels the game takes from its heights. */
const entityRows: RowKind = {
  question: [...LEVELS, ...BOX],
  results: [...LINE_RESULTS, ...ENT_BOX_RESULTS],
  open(header, source) {
    const world = openTiles(header, source);
    const at = columnPlaces(header, ENT_BOX_RESULTS);
    const models = poseModels(header, world);
    const lines = answerLines(header, world, models);
    const tracer = world.box(NO_SIZE, NO_SIZE, { models, compat: 'engine' });
    const [read, trace] = [moveReader(header), createBoxTrace()];
    return {
      answer(row) {
        lines.answer(row);
        writeEntBox(row, at, traceMove(tracer, read(row), trace));
      },
    };
  },
};

/** The kinds of query rows that were recorded from UFO:AI. */
export const rows: RowKinds = {
  line: lineRows,
  box: boxRows,
  model: modelRows,
  ent: entityRows,
  ...pathRows,
};
