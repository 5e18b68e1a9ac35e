import {
  columnPlaces,
  float32Cell,
  floatCell,
  floatCells,
  intCell,
  type Row,
  type RowHeader,
  type RowKind,
  type RowKinds,
  type RowSource,
} from '@bspkit/core/format';
import { type Fields, fieldsOf, numberOf, vectorOf } from '../fields.ts';
import { createQuakeWorldCommand } from './command.ts';
import { createQuakeWorldMover, type QuakeWorldMover, type QuakeWorldVariables } from './mover.ts';
import type { HullContents, HullSource, PlayerObstacle } from './space.ts';
import { createQuakeWorldState, type QuakeWorldState } from './state.ts';

// The engine's rows of players: QuakeWorld's commands, with each sequence continued from its own state.

/** A world with hulls and models. */
type World = HullSource & HullContents & { model(number: number): PlayerObstacle };

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

/** Opens the map that a header names. */
export function openWorld(header: RowHeader, { format, load }: RowSource): World {
  const file = format.read(load(header.game, header.map, header.sha256));
  return format.createWorld([file]) as unknown as World;
}

/** Variables as they are in a header or a sequence. */
function variablesOf(value: unknown): QuakeWorldVariables {
  const fields = fieldsOf(value, 'movevars');
  return Object.fromEntries(
    Object.entries(VARIABLES).map(([name, field]) => [name, numberOf(fields[field], `movevars.${field}`)]),
  );
}

/** Starts a sequence: sets the mover and the state to what the header says. */
function begin(
  sequence: Fields,
  header: RowHeader,
  world: World,
  { format }: RowSource,
  mover: QuakeWorldMover,
  state: QuakeWorldState,
): void {
  const carryAngles = numberOf(sequence.carryAngles, 'carryAngles') !== 0;
  // A sequence names all of its own variables, except those that are as in the header.
  const own = { ...fieldsOf(header.movevars, 'movevars'), ...fieldsOf(sequence.movevars ?? {}, 'movevars') };
  mover.set({ ...variablesOf(own), carryAngles });
  mover.clear();
  const obstacles = Array.isArray(sequence.physents) ? (sequence.physents as readonly unknown[]) : [];
  for (const value of obstacles) {
    const fields = fieldsOf(value, 'physent');
    mover.add(obstacleOf(fields, world, format), vectorOf(fields.origin, 'origin'));
  }
  state.origin.set(vectorOf(sequence.origin, 'origin'));
  state.velocity.set(vectorOf(sequence.velocity, 'velocity'));
  state.angles.set(vectorOf(sequence.angles, 'angles'));
  state.oldButtons = numberOf(sequence.oldbuttons, 'oldbuttons');
  state.waterJumpTime = numberOf(sequence.waterjumptime, 'waterjumptime');
  state.dead = numberOf(sequence.dead, 'dead');
  state.spectator = numberOf(sequence.spectator, 'spectator');
  state.ground = -1;
  state.waterLevel = 0;
  state.waterType = -1;
}

function obstacleOf(fields: Fields, world: World, format: RowSource['format']): PlayerObstacle {
  if (fields.model !== undefined) return world.model(numberOf(fields.model, 'model'));
  if (!format.boxEntity) throw new RangeError(`${format.name} has no box entities`);
  const box = format.boxEntity(vectorOf(fields.mins, 'mins'), vectorOf(fields.maxs, 'maxs'));
  return box as unknown as PlayerObstacle;
}

/** QuakeWorld players' commands; the header has what each sequence starts with. */
const commandRows: RowKind = {
  question: COMMAND,
  results: STATE,
  open(header, source) {
    const world = openWorld(header, source);
    const mover = createQuakeWorldMover(world, { splits: false });
    const at: Places = columnPlaces(header, [...COMMAND, ...STATE]);
    const sequences: readonly unknown[] = Array.isArray(header.sequences) ? header.sequences : [];
    const state = createQuakeWorldState();
    const command = createQuakeWorldCommand();
    let current = -1;
    return {
      sequences: {
        begins: (row, before) => row[at.seq] !== before?.[at.seq],
        restart() {
          current = -1;
        },
      },
      answer(row) {
        const number = intCell(row, at.seq);
        if (number !== current) {
          const sequence = fieldsOf(sequences[number], `sequence ${number} of the header`);
          begin(sequence, header, world, source, mover, state);
          current = number;
        }
        command.msec = intCell(row, at.msec);
        command.angles.set(floatCells(row, [at.pitch, at.yaw, at.roll]));
        command.forward = floatCell(row, at.forwardmove);
        command.side = floatCell(row, at.sidemove);
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
