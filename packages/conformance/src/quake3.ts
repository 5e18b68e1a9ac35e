import { createTrace, type Trace } from '@bspkit/core';
import { createQuake3World, type Quake3Tracer, type Quake3World, readQuake3 } from '@bspkit/quake3';
import type { Answerer, Answering, MapSource } from './answer.ts';
import { columnPlaces, float, float32Cell, type Header, type Row } from './table.ts';

const MOVE = ['sx', 'sy', 'sz', 'ex', 'ey', 'ez'] as const;
const BOX = ['minx', 'miny', 'minz', 'maxx', 'maxy', 'maxz', 'capsule', 'mask'] as const;
const POSE = ['ox', 'oy', 'oz', 'pitch', 'yaw', 'roll'] as const;
const ANSWER = [
  'fraction',
  'endx',
  'endy',
  'endz',
  'nx',
  'ny',
  'nz',
  'dist',
  'startsolid',
  'allsolid',
  'contents',
  'surfaceFlags',
] as const;

/** Answers the kinds of rows recorded from Quake 3. Throws `RangeError` for a kind that it does not know. */
export const answerQuake3: Answerer = (header: Header, maps: MapSource): Answering => {
  const world = createQuake3World(readQuake3(maps.load('quake3', header.map, header.sha256)));
  if (header.kind === 'trace') return answerTraces(header, world);
  throw new RangeError(`no such kind of Quake 3 rows: '${header.kind}'`);
};

/** Two tracers, a box and a capsule, whose sizes follow the rows. */
interface Pair {
  readonly box: Quake3Tracer;
  readonly capsule: Quake3Tracer;
}

function answerTraces(header: Header, world: Quake3World): Answering {
  const at = columnPlaces(header, ['model', ...POSE, ...MOVE, ...BOX, ...ANSWER]);
  const curves = header.curves !== 0;
  const none = [0, 0, 0];
  const pairs = new Map<number, Pair>();
  const pairOf = (model: number): Pair => {
    let pair = pairs.get(model);
    if (!pair) {
      const target = model === 0 ? world : world.model(model);
      pair = { box: target.box(none, none, { curves }), capsule: target.capsule(none, none, { curves }) };
      pairs.set(model, pair);
    }
    return pair;
  };
  const floats = (row: Row, places: readonly number[]): number[] => places.map((place) => float(row, place));
  const places = {
    origin: [at.ox, at.oy, at.oz],
    angles: [at.pitch, at.yaw, at.roll],
    mins: [at.minx, at.miny, at.minz],
    maxs: [at.maxx, at.maxy, at.maxz],
    start: [at.sx, at.sy, at.sz],
    end: [at.ex, at.ey, at.ez],
  };
  const trace = createTrace();
  return {
    results: ANSWER,
    answer(row) {
      const cells = row as Row;
      const model = cells[at.model] as number;
      const pair = pairOf(model);
      const tracer = cells[at.capsule] ? pair.capsule : pair.box;
      tracer.set({ mask: cells[at.mask] as number, mins: floats(cells, places.mins), maxs: floats(cells, places.maxs) });
      if (model > 0) tracer.set({ origin: floats(cells, places.origin), angles: floats(cells, places.angles) });
      tracer.trace(floats(cells, places.start), floats(cells, places.end), trace);
      writeTrace(cells, at, trace);
    },
  };
}

function writeTrace(row: Row, at: Record<(typeof ANSWER)[number], number>, trace: Trace): void {
  row[at.fraction] = float32Cell(trace.fraction);
  row[at.endx] = float32Cell(trace.endPos[0]!);
  row[at.endy] = float32Cell(trace.endPos[1]!);
  row[at.endz] = float32Cell(trace.endPos[2]!);
  row[at.nx] = float32Cell(trace.normal[0]!);
  row[at.ny] = float32Cell(trace.normal[1]!);
  row[at.nz] = float32Cell(trace.normal[2]!);
  row[at.dist] = float32Cell(trace.dist);
  row[at.startsolid] = trace.startSolid ? 1 : 0;
  row[at.allsolid] = trace.allSolid ? 1 : 0;
  row[at.contents] = trace.contents;
  row[at.surfaceFlags] = trace.surfaceFlags;
}
