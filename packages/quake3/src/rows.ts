import { createTrace, type Placed } from '@bspkit/core';
import {
  columnPlaces,
  float32Cell,
  floatCells,
  HeaderFields,
  HIT_COLUMNS,
  intCell,
  leafRows,
  modelCell,
  optionalFloats,
  type Row,
  type RowHeader,
  type RowKind,
  type RowKinds,
  type RowSource,
  STOP_COLUMNS,
  writeHit,
  writeStop,
} from '@bspkit/core/format';
import type { Quake3BoxEntity } from './box-entity.ts';
import { patches } from './patches/list.ts';
import type { Quake3Tracer } from './tracer.ts';
import type { Quake3World } from './world.ts';

// The engine's query rows, answered through the public API.

const MOVE = ['sx', 'sy', 'sz', 'ex', 'ey', 'ez'] as const;
const SHAPE = ['minx', 'miny', 'minz', 'maxx', 'maxy', 'maxz', 'capsule', 'mask'] as const;
const ORIGIN = ['ox', 'oy', 'oz'] as const;
const ANGLES = ['pitch', 'yaw', 'roll'] as const;
const POSE = [...ORIGIN, ...ANGLES] as const;
const ANSWER = [...STOP_COLUMNS, ...HIT_COLUMNS, 'contents', 'surfaceFlags'] as const;

const TEMP_BOX = ['tminx', 'tminy', 'tminz', 'tmaxx', 'tmaxy', 'tmaxz', 'ox', 'oy', 'oz'] as const;
const PATCH = ['width', 'height', 'contents', 'surfaceFlags', 'bounds', 'planes', 'facets'] as const;

const NONE = [0, 0, 0];

/** Two tracers, a box and a capsule, whose sizes follow the rows. */
interface Pair<T extends Quake3Tracer> {
  readonly box: T;
  readonly capsule: T;
}

/** With the descriptor that is asked, which may choose how worlds, and boxes, are made. */
function openWorld({ game, map, sha256 }: RowHeader, { format, load }: RowSource): Quake3World {
  return format.createWorld([format.read(load(game, map, sha256))]) as Quake3World;
}

/** Makes the function that traces a row's move, with the tracer of its shape in its size. */
function createMover(header: RowHeader): (row: Row, pair: Pair<Quake3Tracer>) => void {
  const at = columnPlaces(header, [...MOVE, ...SHAPE, ...ANSWER]);
  const start = [at.sx, at.sy, at.sz];
  const end = [at.ex, at.ey, at.ez];
  const mins = [at.minx, at.miny, at.minz];
  const maxs = [at.maxx, at.maxy, at.maxz];
  const trace = createTrace();
  return (row, { box, capsule }) => {
    const tracer = intCell(row, at.capsule) !== 0 ? capsule : box;
    tracer.set({ mask: intCell(row, at.mask), mins: floatCells(row, mins), maxs: floatCells(row, maxs) });
    tracer.trace(floatCells(row, start), floatCells(row, end), trace);
    writeStop(row, at, trace);
    writeHit(row, at, trace);
    row[at.contents] = trace.contents;
    row[at.surfaceFlags] = trace.surfaceFlags;
  };
}

/** Traces against the world (model 0) and against inline models. `curves` 0 in the header leaves patches out. */
const traceRows: RowKind = {
  question: ['model', ...MOVE, ...SHAPE],
  optional: [ORIGIN, ANGLES],
  results: ANSWER,
  open(header, source) {
    const at = columnPlaces(header, ['model', ...POSE]);
    const origin = [at.ox, at.oy, at.oz];
    const angles = [at.pitch, at.yaw, at.roll];
    const world = openWorld(header, source);
    const options = { curves: new HeaderFields(header).flag('curves', 1) };
    const inWorld: Pair<Quake3Tracer> = {
      box: world.box(NONE, NONE, options),
      capsule: world.capsule(NONE, NONE, options),
    };
    const inModels = new Map<number, Pair<Placed<Quake3Tracer>>>();
    const move = createMover(header);
    const pairOf = (number: number): Pair<Placed<Quake3Tracer>> => {
      let pair = inModels.get(number);
      if (!pair) {
        const model = world.model(number);
        pair = { box: model.box(NONE, NONE, options), capsule: model.capsule(NONE, NONE, options) };
        inModels.set(number, pair);
      }
      return pair;
    };
    return {
      answer(row) {
        const model = modelCell(row, at.model, world.numModels, 0);
        if (model === 0) {
          move(row, inWorld);
          return;
        }
        const pair = pairOf(model);
        const pose = { origin: optionalFloats(row, origin), angles: optionalFloats(row, angles) };
        pair.box.place(pose);
        pair.capsule.place(pose);
        move(row, pair);
      },
    };
  },
};

/** Traces against a box that is not part of the map. */
const boxEntityRows: RowKind = {
  question: [...TEMP_BOX, ...MOVE, ...SHAPE],
  results: ANSWER,
  open(header, { format }) {
    const at = columnPlaces(header, TEMP_BOX);
    const entity = format.boxEntity!(NONE, NONE) as Quake3BoxEntity;
    const pair = { box: entity.box(NONE, NONE), capsule: entity.capsule(NONE, NONE) };
    const move = createMover(header);
    return {
      answer(row) {
        const mins = floatCells(row, [at.tminx, at.tminy, at.tminz]);
        entity.resize(mins, floatCells(row, [at.tmaxx, at.tmaxy, at.tmaxz]));
        const pose = { origin: floatCells(row, [at.ox, at.oy, at.oz]) };
        pair.box.place(pose);
        pair.capsule.place(pose);
        move(row, pair);
      },
    };
  },
};

/** What a patch collides with: objects, named after their surface. */
const patchRows: RowKind = {
  question: [],
  results: PATCH,
  open(header, source) {
    const bySurface = new Map(patches(openWorld(header, source)).map((patch) => [patch.surface, patch]));
    const cells = (numbers: Float32Array): number[] => Array.from(numbers, float32Cell);
    return {
      answer() {
        throw new RangeError('rows of patches are objects');
      },
      answerObject(row) {
        const surface = new HeaderFields(row, '').whole('surface');
        const patch = bySurface.get(surface);
        if (!patch) throw new RangeError(`surface ${surface} is not a patch`);
        const { width, height, contents, surfaceFlags, bounds, planes, facets } = patch;
        Object.assign(row, {
          width,
          height,
          contents,
          surfaceFlags,
          bounds: cells(bounds),
          planes: Array.from({ length: planes.length / 4 }, (_, k) =>
            cells(planes.subarray(4 * k, 4 * k + 4)),
          ),
          facets: facets.map(({ plane, borders, inward }) => ({
            s: plane,
            b: borders,
            i: inward.map(Number),
          })),
        });
      },
    };
  },
};

/** The kinds of rows that are answered. */
export const rows: RowKinds = {
  trace: traceRows,
  points: leafRows(openWorld),
  patches: patchRows,
  tempbox: boxEntityRows,
};
