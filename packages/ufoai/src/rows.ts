import {
  type BoxTrace,
  type BoxTracer,
  createBoxTrace,
  createLineTrace,
  createUfoaiWorld,
  type LineOptions,
  type LineTracer,
  readUfoai,
  type UfoaiModel,
  type UfoaiWorld,
} from '@bspkit/ufoai';
import type { Answerer, Answering, MapSource } from './answer.ts';
import { columnPlaces, float, float32Cell, type Header, type Row } from './table.ts';
import { HIT_CELLS, STOP_CELLS, writeHit, writeStop } from './trace-cells.ts';

const MOVE = ['sx', 'sy', 'sz', 'ex', 'ey', 'ez'] as const;
const BOX = ['minx', 'miny', 'minz', 'maxx', 'maxy', 'maxz', 'brushmask', 'brushreject'] as const;
const LINE_ANSWER = [
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
const BOX_ANSWER = [
  ...STOP_CELLS,
  ...HIT_CELLS,
  'contentFlags',
  'texinfo',
  'surfaceFlags',
  'leafnum',
  'mapTile',
] as const;
const ENT_BOX_ANSWER = [...STOP_CELLS, 'contentFlags', 'mapTile'] as const;

/** Answers the kinds of rows recorded from UFO:AI. Throws `RangeError` for a kind that it does not know. */
export const answerUfoai: Answerer = (header: Header, maps: MapSource): Answering => {
  const world = openTiles(header, maps);
  if (header.kind === 'line') return answerLines(header, world, []);
  if (header.kind === 'box') return answerBoxes(header, world);
  if (header.kind === 'model') return answerModels(header, world);
  if (header.kind === 'ent') return answerEntities(header, world);
  throw new RangeError(`no such kind of UFO:AI rows: '${header.kind}'`);
};

function openTiles(header: Header, maps: MapSource): UfoaiWorld {
  const { map, sha256 } = header;
  const tiles = header.tiles ?? [{ map, ...(sha256 === undefined ? {} : { sha256 }), x: 0, y: 0, z: 0 }];
  return createUfoaiWorld(
    tiles.map((tile) => ({
      file: readUfoai(maps.load('ufoai', tile.map, tile.sha256)),
      x: tile.x,
      y: tile.y,
      z: tile.z,
    })),
  );
}

/** Inline models, posed as the header says. */
function poseModels(header: Header, world: UfoaiWorld): UfoaiModel[] {
  const poses = header.models as { name: string; origin: number[]; angles: number[] }[] | undefined;
  if (!poses) return world.models();
  return poses.map(({ name, origin, angles }) => world.model(Number(name.slice(1))).set({ origin, angles }));
}

function point(row: Row, [x, y, z]: readonly number[]): number[] {
  return [float(row, x!), float(row, y!), float(row, z!)];
}

/** Lines as the game has them, and (columns with a leading c) without phantom heads. */
function answerLines(header: Header, world: UfoaiWorld, models: UfoaiModel[]): Answering {
  const at = columnPlaces(header, ['levelmask', ...MOVE, ...LINE_ANSWER]);
  const compat: LineOptions['compat'] = {
    phantomHeads: false,
    maskBits: true,
    maskIgnored: true,
    entities: true,
  };
  const engine = world.line({ models, compat: 'engine' });
  const clean = world.line({ models, compat });
  const trace = createLineTrace();
  const write = (row: Row, tracer: LineTracer, prefix: '' | 'c'): void => {
    const start = point(row, [at.sx, at.sy, at.sz]);
    const end = point(row, [at.ex, at.ey, at.ez]);
    tracer.set({ levels: row[at.levelmask] as number });
    row[at[`${prefix}blocked`]] = tracer.blocked(start, end) ? 1 : 0;
    tracer.trace(start, end, trace);
    row[at[`${prefix}dmBlocked`]] = trace.blocked ? 1 : 0;
    row[at[`${prefix}dmx`]] = float32Cell(trace.endPos[0]!);
    row[at[`${prefix}dmy`]] = float32Cell(trace.endPos[1]!);
    row[at[`${prefix}dmz`]] = float32Cell(trace.endPos[2]!);
  };
  return {
    results: LINE_ANSWER,
    answer(row) {
      write(row as Row, engine, '');
      write(row as Row, clean, 'c');
    },
  };
}

type Places<K extends string> = Record<K, number>;

/** Sizes a tracer as a row says, and traces the row's move. */
function boxMover(header: Header): (row: Row, tracer: BoxTracer) => BoxTrace {
  const at = columnPlaces(header, ['levelmask', ...MOVE, ...BOX]);
  const trace = createBoxTrace();
  return (row, tracer) => {
    if (at.levelmask >= 0) tracer.set({ levels: row[at.levelmask] as number });
    tracer.set({
      mins: point(row, [at.minx, at.miny, at.minz]),
      maxs: point(row, [at.maxx, at.maxy, at.maxz]),
      mask: row[at.brushmask] as number,
      reject: row[at.brushreject] as number,
    });
    return tracer.trace(point(row, [at.sx, at.sy, at.sz]), point(row, [at.ex, at.ey, at.ez]), trace);
  };
}

function writeEntBox(row: Row, at: Places<(typeof ENT_BOX_ANSWER)[number]>, trace: BoxTrace): void {
  writeStop(row, at, trace);
  row[at.contentFlags] = trace.contents;
  row[at.mapTile] = Math.max(0, trace.tile);
}

function writeTrace(row: Row, at: Places<(typeof BOX_ANSWER)[number]>, trace: BoxTrace): void {
  writeEntBox(row, at, trace);
  writeHit(row, at, trace);
  row[at.texinfo] = trace.texture;
  row[at.surfaceFlags] = trace.surfaceFlags;
  row[at.leafnum] = Math.max(0, trace.leaf);
}

const NONE = [0, 0, 0];

/** Mode 0 traces one tile, 1 all tiles, 2 one box head. */
function answerBoxes(header: Header, world: UfoaiWorld): Answering {
  const at = columnPlaces(header, ['mode', 'tile', 'head', ...BOX_ANSWER]);
  const move = boxMover(header);
  const tracers = new Map<string, BoxTracer>();
  return {
    results: BOX_ANSWER,
    answer(row) {
      const cells = row as Row;
      const [mode, tile, head] = [at.mode, at.tile, at.head].map((place) => cells[place] as number);
      const key = mode === 1 ? 'all' : mode === 0 ? `${tile}` : `${tile} ${head}`;
      let tracer = tracers.get(key);
      if (!tracer) {
        const where = mode === 1 ? {} : mode === 0 ? { tile } : { tile, head };
        tracer = world.box(NONE, NONE, { ...where, compat: 'engine' });
        tracers.set(key, tracer);
      }
      writeTrace(cells, at, move(cells, tracer));
      // The engine's record names the tile only where it looked for it.
      if (mode !== 1) cells[at.mapTile] = 0;
    },
  };
}

function answerModels(header: Header, world: UfoaiWorld): Answering {
  const at = columnPlaces(header, [
    'model',
    'ox',
    'oy',
    'oz',
    'ax',
    'ay',
    'az',
    'useShift',
    'fractionIn',
    ...BOX_ANSWER,
  ]);
  const move = boxMover(header);
  const opened = world.models().map((model) => ({
    model,
    shifted: model.box(NONE, NONE, { compat: 'engine' }),
    unshifted: model.box(NONE, NONE, { compat: 'engine', shift: false }),
  }));
  return {
    results: BOX_ANSWER,
    answer(row) {
      const cells = row as Row;
      const { model, shifted, unshifted } = opened[(cells[at.model] as number) - 1]!;
      model.set({ origin: point(cells, [at.ox, at.oy, at.oz]), angles: point(cells, [at.ax, at.ay, at.az]) });
      const tracer = cells[at.useShift] ? shifted : unshifted;
      tracer.set({ limit: float(cells, at.fractionIn) });
      writeTrace(cells, at, move(cells, tracer));
    },
  };
}

/** The world and all inline models: a line by `levelmask`, and a box whose levels the game takes from its heights. */
function answerEntities(header: Header, world: UfoaiWorld): Answering {
  const at = columnPlaces(header, ENT_BOX_ANSWER);
  const models = poseModels(header, world);
  const lines = answerLines(header, world, models);
  const tracer = world.box(NONE, NONE, { models, compat: 'engine' });
  const move = boxMover(header);
  return {
    results: [...LINE_ANSWER, ...ENT_BOX_ANSWER],
    answer(row) {
      lines.answer(row);
      writeEntBox(row as Row, at, move(row as Row, tracer));
    },
  };
}
