import { createTrace, type Trace } from '@bspkit/core';
import {
  boxEntity,
  createQuake3World,
  type Quake3BoxEntity,
  type Quake3Model,
  type Quake3Tracer,
  type Quake3World,
  readQuake3,
  type TraceOptions,
} from '@bspkit/quake3';
import type { Answerer, Answering, MapSource } from './answer.ts';
import { columnPlaces, float, float32Cell, type Header, type Row } from './table.ts';
import { HIT_CELLS, STOP_CELLS, writeHit, writeStop } from './trace-cells.ts';

const MOVE = ['sx', 'sy', 'sz', 'ex', 'ey', 'ez'] as const;
const BOX = ['minx', 'miny', 'minz', 'maxx', 'maxy', 'maxz', 'capsule', 'mask'] as const;
const POSE = ['ox', 'oy', 'oz', 'pitch', 'yaw', 'roll'] as const;
const ANSWER = [...STOP_CELLS, ...HIT_CELLS, 'contents', 'surfaceFlags'] as const;

const TEMP_BOX = ['tminx', 'tminy', 'tminz', 'tmaxx', 'tmaxy', 'tmaxz', 'ox', 'oy', 'oz'] as const;
const POINT = ['leaf', 'cluster', 'area', 'contents'] as const;

/** Answers the kinds of rows recorded from Quake 3. Throws `RangeError` for a kind that it does not know. */
export const answerQuake3: Answerer = (header: Header, maps: MapSource): Answering => {
  if (header.kind === 'tempbox') return answerBoxEntities(header);
  const world = createQuake3World(readQuake3(maps.load('quake3', header.map, header.sha256)));
  if (header.kind === 'trace') return answerTraces(header, world);
  if (header.kind === 'points') return answerPoints(header, world);
  if (header.kind === 'patches') return answerPatches(world);
  throw new RangeError(`no such kind of Quake 3 rows: '${header.kind}'`);
};

/** Two tracers, a box and a capsule, whose sizes follow the rows. */
interface Pair {
  readonly box: Quake3Tracer;
  readonly capsule: Quake3Tracer;
}

const NONE = [0, 0, 0];

function pairOf(target: Quake3World | Quake3Model | Quake3BoxEntity, options: TraceOptions): Pair {
  return { box: target.box(NONE, NONE, options), capsule: target.capsule(NONE, NONE, options) };
}

function floats(row: Row, places: readonly number[]): number[] {
  return places.map((place) => float(row, place));
}

/** Traces a row's move with the tracer of its shape, sized as it says, and writes the answer. */
function moveAnswerer(header: Header): (row: Row, pair: Pair) => void {
  const at = columnPlaces(header, [...MOVE, ...BOX, ...ANSWER]);
  const mins = [at.minx, at.miny, at.minz];
  const maxs = [at.maxx, at.maxy, at.maxz];
  const start = [at.sx, at.sy, at.sz];
  const end = [at.ex, at.ey, at.ez];
  const trace = createTrace();
  return (row, pair) => {
    const tracer = row[at.capsule] ? pair.capsule : pair.box;
    tracer.set({ mask: row[at.mask] as number, mins: floats(row, mins), maxs: floats(row, maxs) });
    writeTrace(row, at, tracer.trace(floats(row, start), floats(row, end), trace));
  };
}

function answerTraces(header: Header, world: Quake3World): Answering {
  const at = columnPlaces(header, ['model', ...POSE]);
  const origin = [at.ox, at.oy, at.oz];
  const angles = [at.pitch, at.yaw, at.roll];
  const pairs = new Map<number, Pair>();
  const move = moveAnswerer(header);
  return {
    results: ANSWER,
    answer(row) {
      const cells = row as Row;
      const model = cells[at.model] as number;
      const options = { curves: header.curves !== 0 };
      const pair = pairs.get(model) ?? pairOf(model === 0 ? world : world.model(model), options);
      pairs.set(model, pair);
      if (model > 0) {
        const pose = { origin: floats(cells, origin), angles: floats(cells, angles) };
        pair.box.set(pose);
        pair.capsule.set(pose);
      }
      move(cells, pair);
    },
  };
}

function answerBoxEntities(header: Header): Answering {
  const at = columnPlaces(header, TEMP_BOX);
  const entity = boxEntity(NONE, NONE);
  const pair = pairOf(entity, {});
  const move = moveAnswerer(header);
  return {
    results: ANSWER,
    answer(row) {
      const cells = row as Row;
      entity.resize(
        floats(cells, [at.tminx, at.tminy, at.tminz]),
        floats(cells, [at.tmaxx, at.tmaxy, at.tmaxz]),
      );
      const pose = { origin: floats(cells, [at.ox, at.oy, at.oz]) };
      pair.box.set(pose);
      pair.capsule.set(pose);
      move(cells, pair);
    },
  };
}

function answerPoints(header: Header, world: Quake3World): Answering {
  const at = columnPlaces(header, ['x', 'y', 'z', ...POINT]);
  return {
    results: POINT,
    answer(row) {
      const cells = row as Row;
      const point = floats(cells, [at.x, at.y, at.z]);
      const leaf = world.leaf(point);
      cells[at.leaf] = leaf;
      cells[at.cluster] = world.cluster(leaf);
      cells[at.area] = world.area(leaf);
      cells[at.contents] = world.contents(point);
    },
  };
}

/** Rows are objects named by their surface. */
function answerPatches(world: Quake3World): Answering {
  const bySurface = new Map(world.patches().map((patch) => [patch.surface, patch]));
  return {
    results: [],
    answer(row) {
      const object = row as Record<string, unknown>;
      const patch = bySurface.get(object.surface as number);
      if (!patch) throw new RangeError(`surface ${object.surface} is not a patch`);
      const { width, height, contents, surfaceFlags } = patch;
      const cells = (numbers: Float32Array): number[] => Array.from(numbers, float32Cell);
      Object.assign(object, { width, height, contents, surfaceFlags, bounds: cells(patch.bounds) });
      const planes = Array.from({ length: patch.planes.length / 4 }, (_, k) =>
        patch.planes.subarray(4 * k, 4 * k + 4),
      );
      object.planes = planes.map(cells);
      object.facets = patch.facets.map(({ plane, borders, inward }) => ({
        s: plane,
        b: borders,
        i: inward.map(Number),
      }));
    },
  };
}

function writeTrace(row: Row, at: Record<(typeof ANSWER)[number], number>, trace: Trace): void {
  writeStop(row, at, trace);
  writeHit(row, at, trace);
  row[at.contents] = trace.contents;
  row[at.surfaceFlags] = trace.surfaceFlags;
}
