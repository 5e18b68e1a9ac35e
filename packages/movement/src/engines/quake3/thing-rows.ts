import {
  columnPlaces,
  float32Cell,
  floatCell,
  floatCells,
  intCell,
  type Row,
  type RowKind,
} from '@bspkit/core/format';
import { sequenceRows } from './sequences.ts';
import { createQuake3ThingMover } from './thing.ts';
import { createQuake3ThingState, type Quake3ThingState, Quake3ThingType } from './thing-state.ts';
import { bodyOf, numberOf, Told, TRACED } from './told.ts';

// The game's rows of missiles and items, frame by frame, each with what the server answered when the game traced its way. What is
// compared is what the game makes of that: its server is compiled in a way that changes the last bits of traces.

const GIVEN = ['seq', 'step', 'time', 'type', 'bounce', 'bounceFactor'] as const;
const NUMBERS = ['path', 'pathTime', 'pathDuration'] as const;
const VECTORS = ['bx', 'by', 'bz', 'dx', 'dy', 'dz', 'ox', 'oy', 'oz'] as const;
/** Where the game asked the last trace to lead. */
const ASKED = ['tox', 'toy', 'toz'] as const;
const STATE = [...ASKED, ...NUMBERS, ...VECTORS, 'ground', 'gone'] as const;

type Places = Readonly<
  Record<(typeof GIVEN)[number] | (typeof TRACED)[number] | (typeof STATE)[number], number>
>;

/** What becomes of a missile that does not bounce: the game lets it explode, or vanish where a surface takes no impacts. */
const EXPLODES = 1;
const VANISHES = 2;
const SURF_NOIMPACT = 0x10;

function readState(row: Row, at: Places, state: Quake3ThingState): void {
  const vectors = floatCells(
    row,
    VECTORS.map((name) => at[name]),
  );
  for (const name of NUMBERS) state[name] = intCell(row, at[name]);
  state.base.set(vectors.slice(0, 3));
  state.delta.set(vectors.slice(3, 6));
  state.origin.set(vectors.slice(6));
  state.ground = bodyOf(intCell(row, at.ground));
}

function writeState(row: Row, at: Places, state: Quake3ThingState): void {
  const vectors = [...state.base, ...state.delta, ...state.origin];
  for (const name of NUMBERS) row[at[name]] = state[name];
  for (const [k, name] of VECTORS.entries()) row[at[name]] = float32Cell(vectors[k]!);
  row[at.ground] = numberOf(state.ground);
}

/** Missiles and items. The first row of a sequence, step 0, gives the state; all others follow from it. */
export const thingRows: RowKind = {
  question: [...GIVEN, ...TRACED],
  results: STATE,
  open(header, { format, load }) {
    // No row asks it anything, but it must be the one that they are about.
    format.read(load(header.game, header.map, header.sha256));
    const at: Places = columnPlaces(header, [...GIVEN, ...TRACED, ...STATE]);
    const told = new Told(at);
    const mover = createQuake3ThingMover(told);
    let state = createQuake3ThingState();
    let bounces = false;
    return sequenceRows(
      at,
      (row) => {
        state = createQuake3ThingState(intCell(row, at.type));
        bounces = intCell(row, at.bounce) !== 0;
        if (bounces) state.bounce = intCell(row, at.bounce);
        state.bounceFactor = floatCell(row, at.bounceFactor);
        state.time = intCell(row, at.time);
        readState(row, at, state);
      },
      (row) => {
        told.row = row;
        told.asked = undefined;
        row[at.gone] = 0;
        if (mover.move(state, intCell(row, at.time)) && state.type === Quake3ThingType.missile) {
          const vanishes = (mover.trace.surfaceFlags & SURF_NOIMPACT) !== 0;
          if (vanishes || !bounces) row[at.gone] = vanishes ? VANISHES : EXPLODES;
          else mover.bounce(state);
        }
        if (row[at.gone] === 0) writeState(row, at, state);
        // What is left of it is no missile.
        else for (const name of [...NUMBERS, ...VECTORS, 'ground'] as const) row[at[name]] = null;
        for (const [k, name] of ASKED.entries()) {
          row[at[name]] = told.asked === undefined ? null : float32Cell(told.asked[k]!);
        }
      },
    );
  },
};
