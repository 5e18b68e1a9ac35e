import type { Bounds, BoxWorld, PointClassifier } from '@bspkit/core';
import {
  columnPlaces,
  floatCells,
  HIT_COLUMNS,
  intCell,
  type Row,
  type RowAnswerer,
  type RowHeader,
  type RowKinds,
  STOP_COLUMNS,
  writeHit,
  writeStop,
} from '@bspkit/core/format';
import { createScene, type Scene } from '../scene.ts';
import { MOVE_COLUMNS, type ModelWorld, openWorld, readMove } from './row-kit.ts';

const RESULTS = [
  ...STOP_COLUMNS,
  ...HIT_COLUMNS,
  'contents',
  'surfaceFlags',
  'texinfo',
  'entity',
  'pointContents',
] as const;

type SolidWorld = ModelWorld &
  PointClassifier &
  BoxWorld<{ readonly mask?: number | undefined } & Partial<Bounds>>;

/**
 * Adds the models that a header lists: number, origin and angles of each. Throws `RangeError` for anything but such a
 * list.
 */
function addModels<W extends SolidWorld>(scene: Scene<W>, world: W, { models }: RowHeader): void {
  if (!Array.isArray(models)) throw new RangeError('the header has no list of models');
  for (const model of models as readonly unknown[]) {
    if (!Array.isArray(model) || model.length !== 7) {
      throw new RangeError(`a model is its number, origin and angles, got ${JSON.stringify(model)}`);
    }
    const [number, ...place] = model as Row;
    const [x, y, z, ...angles] = floatCells(place as Row, [0, 1, 2, 3, 4, 5]) as [number, number, number];
    scene.add(world.model(number as number), { origin: [x, y, z], angles, solid: 'model' });
  }
}

/** Traces through the world and the models that the header lists, and contents at the starts. */
const answerMoves: RowAnswerer = (header, source) => {
  const world = openWorld<SolidWorld>(header, source);
  const scene = createScene(world, { rules: 'quake2' });
  addModels(scene, world, header);
  const tracer = scene.box([0, 0, 0], [0, 0, 0]);
  const trace = tracer.createTrace();
  const at = columnPlaces(header, [...MOVE_COLUMNS, 'mask', ...RESULTS]);
  return {
    results: RESULTS,
    answer(row) {
      const { start, end, mins, maxs } = readMove(row, at);
      tracer.set({ mins, maxs, mask: intCell(row, at.mask) });
      tracer.trace(start, end, trace);
      writeStop(row, at, trace);
      writeHit(row, at, trace);
      row[at.contents] = trace.contents;
      row[at.surfaceFlags] = trace.surfaceFlags;
      row[at.texinfo] = trace.texture;
      row[at.entity] = trace.entity;
      row[at.pointContents] = scene.contents(start);
    },
  };
};

/** The kinds of rows about scenes of Quake 2. */
export const quake2Rows: RowKinds = { move: answerMoves };
