import {
  checkNumber,
  columnPlaces,
  float32Cell,
  floatCells,
  HIT_COLUMNS,
  intCell,
  type RowKind,
  type RowKinds,
  STOP_COLUMNS,
  writeHit,
  writeStop,
} from '@bspkit/core/format';
import { contentsNames } from './constants.ts';
import { readToy } from './file.ts';
import { createToyWorld } from './world.ts';

const MOVE = ['sx', 'sy', 'sz', 'ex', 'ey', 'ez', 'minx', 'miny', 'minz', 'maxx', 'maxy', 'maxz'] as const;
const TRACE = [...STOP_COLUMNS, ...HIT_COLUMNS, 'contents'] as const;

const traceRows: RowKind = {
  question: MOVE,
  results: TRACE,
  open(header, { load }) {
    const world = createToyWorld(readToy(load(header.game, header.map, header.sha256)));
    const at = columnPlaces(header, [...MOVE, ...TRACE]);
    const tracer = world.box([0, 0, 0], [0, 0, 0]);
    const trace = tracer.createTrace();
    return {
      answer(row) {
        const cells = floatCells(
          row,
          MOVE.map((name) => at[name]),
        );
        tracer.set({ mins: cells.slice(6, 9), maxs: cells.slice(9) });
        tracer.trace(cells.slice(0, 3), cells.slice(3, 6), trace);
        writeStop(row, at, trace);
        writeHit(row, at, trace);
        row[at.contents] = trace.contents;
      },
    };
  },
};

/** Rows that are objects, about the boxes of a model that a line before them names. */
const boxRows: RowKind = {
  question: ['number'],
  results: ['width'],
  open(header, { load }) {
    const world = createToyWorld(readToy(load(header.game, header.map, header.sha256)));
    const at = columnPlaces(header, ['number', 'width']);
    let boxes = world.boxesOf(0);
    return {
      sequences: {
        begins: () => false,
        restart() {
          boxes = world.boxesOf(0);
        },
      },
      enter({ model }) {
        checkNumber(model as number, 'model', world.numModels + 1);
        boxes = world.boxesOf(model as number);
      },
      answer(row) {
        const number = intCell(row, at.number);
        checkNumber(number, 'number', boxes.length);
        const { mins, maxs } = boxes[number]!;
        row[at.width] = Array.from(maxs, (x, k) => float32Cell(x - mins[k]!));
      },
    };
  },
};

const contentsRows: RowKind = {
  question: [],
  results: ['names'],
  open(header, { load }) {
    const world = createToyWorld(readToy(load(header.game, header.map, header.sha256)));
    return {
      answer() {
        throw new RangeError('rows of contents are objects');
      },
      answerObject(row) {
        row.names = contentsNames.names(world.contents(row.at as number[]));
      },
    };
  },
};

/** Kinds of rows: `trace`, `boxes` (with lines between the rows) and `contents` (rows are objects). */
export const rows: RowKinds = { trace: traceRows, boxes: boxRows, contents: contentsRows };
