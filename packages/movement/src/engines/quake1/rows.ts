import {
  columnPlaces,
  float32Cell,
  floatCell,
  floatCells,
  HeaderFields,
  intCell,
  listCell,
  type Row,
  type RowKind,
  type RowKinds,
  type RowSource,
} from '@bspkit/core/format';
import { openWorld } from '../scene-rows.ts';
import { ZERO } from '../thing-rows.ts';
import { createQuakeWorldCommand } from './command.ts';
import { createQuakeWorldMover, type QuakeWorldMover, type QuakeWorldVariables } from './mover.ts';
import type { HullContents, HullSource, PlayerObstacle } from './space.ts';
import { createQuakeWorldState, type QuakeWorldState } from './state.ts';

// The engine's rows of players: QuakeWorld's commands, with each sequence continued from its own state.

/** A world with hulls and models. */
export type QuakeRowWorld = HullSource &
  HullContents & { readonly numModels: number; model(number: number): PlayerObstacle };

const COMMAND = [
  'seq',
  'msec',
  'pitch',
  'yaw',
  'roll',
  'forwardmove',
  'sidemove',
  'upmove',
  'buttons',
] as const;
const STATE = [
  'ox',
  'oy',
  'oz',
  'vx',
  'vy',
  'vz',
  'onground',
  'waterlevel',
  'watertype',
  'oldbuttons',
  'waterjumptime',
  'touched',
] as const;

type Places = Readonly<Record<(typeof COMMAND)[number] | (typeof STATE)[number], number>>;

/** Names of the server's variables in headers of rows. */
const VARIABLES: Readonly<Record<keyof QuakeWorldVariables, string>> = {
  gravity: 'gravity',
  stopSpeed: 'stopspeed',
  maxSpeed: 'maxspeed',
  spectatorMaxSpeed: 'spectatormaxspeed',
  accelerate: 'accelerate',
  waterAccelerate: 'wateraccelerate',
  friction: 'friction',
  waterFriction: 'waterfriction',
  entGravity: 'entgravity',
};

/** The server's variables: a sequence's own, else the header's, else the engine's. */
function variablesOf(own: HeaderFields | undefined, shared: HeaderFields | undefined): QuakeWorldVariables {
  const variables: Record<string, number> = {};
  for (const [name, field] of Object.entries(VARIABLES)) {
    const fields = own?.has(field) ? own : shared;
    if (fields?.has(field)) variables[name] = fields.number(field);
  }
  return variables;
}

/** Starts a sequence: sets the state to what the header says, and makes a mover for it. */
function begin(
  sequence: HeaderFields,
  shared: HeaderFields | undefined,
  world: QuakeRowWorld,
  { format }: RowSource,
  state: QuakeWorldState,
): QuakeWorldMover {
  const own = sequence.has('movevars') ? sequence.object('movevars') : undefined;
  const carryAngles = sequence.flag('carryAngles');
  const mover = createQuakeWorldMover(world, { ...variablesOf(own, shared), splits: false, carryAngles });
  for (const fields of sequence.objects('physents', true)) {
    mover.add(obstacleOf(fields, world, format), fields.vector('origin'));
  }
  state.origin.set(sequence.vector('origin'));
  state.velocity.set(sequence.vector('velocity', ZERO));
  state.angles.set(sequence.vector('angles', ZERO));
  state.oldButtons = sequence.whole('oldbuttons', 0, 0, 255);
  state.waterJumpTime = sequence.number('waterjumptime', 0);
  state.dead = Number(sequence.flag('dead'));
  state.spectator = Number(sequence.flag('spectator'));
  state.ground = -1;
  state.waterLevel = 0;
  state.waterType = -1;
  return mover;
}

function obstacleOf(fields: HeaderFields, world: QuakeRowWorld, format: RowSource['format']): PlayerObstacle {
  const model = fields.model('model', world, 0);
  if (model > 0) return world.model(model);
  if (!format.boxEntity) throw new RangeError(`${format.name} has no box entities`);
  const { mins, maxs } = fields.box();
  return format.boxEntity(mins, maxs) as unknown as PlayerObstacle;
}

/** QuakeWorld players' commands; the header has what each sequence starts with. */
const commandRows: RowKind = {
  question: COMMAND,
  results: STATE,
  open(header, source) {
    const world = openWorld<QuakeRowWorld>(header, source);
    const at: Places = columnPlaces(header, [...COMMAND, ...STATE]);
    const fields = new HeaderFields(header);
    const shared = fields.has('movevars') ? fields.object('movevars') : undefined;
    const sequences = fields.list('sequences');
    const state = createQuakeWorldState();
    const command = createQuakeWorldCommand();
    let mover: QuakeWorldMover | undefined;
    let current = -1;
    return {
      sequences: {
        begins: (row, before) => row[at.seq] !== before?.[at.seq],
        restart() {
          current = -1;
        },
      },
      answer(row) {
        const number = listCell(row, at.seq, sequences.length, 'sequence');
        if (number !== current || !mover)
          mover = begin(sequences.object(number), shared, world, source, state);
        current = number;
        command.msec = intCell(row, at.msec);
        command.angles.set(floatCells(row, [at.pitch, at.yaw, at.roll]));
        command.forward = floatCell(row, at.forwardmove);
        command.right = floatCell(row, at.sidemove);
        command.up = floatCell(row, at.upmove);
        command.buttons = intCell(row, at.buttons);
        mover.move(state, command);
        writeState(row, at, state, mover);
      },
    };
  },
};

function writeState(row: Row, at: Places, state: QuakeWorldState, mover: QuakeWorldMover): void {
  const { origin, velocity } = state;
  for (const [k, place] of [at.ox, at.oy, at.oz].entries()) row[place] = float32Cell(origin[k]!);
  for (const [k, place] of [at.vx, at.vy, at.vz].entries()) row[place] = float32Cell(velocity[k]!);
  row[at.onground] = state.ground;
  row[at.waterlevel] = state.waterLevel;
  row[at.watertype] = state.waterType;
  row[at.oldbuttons] = state.oldButtons;
  row[at.waterjumptime] = float32Cell(state.waterJumpTime);
  row[at.touched] = Array.from(mover.touched.subarray(0, mover.numTouched));
}

/** The kinds of rows about players of QuakeWorld. */
export const quakeWorldRows: RowKinds = { pmove: commandRows };
