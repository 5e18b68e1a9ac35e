import type { BoxWorld, BspWorld, PointClassifier } from '@bspkit/core';
import {
  type Cell,
  columnPlaces,
  float32Cell,
  floatCell,
  floatCells,
  HeaderFields,
  intCell,
  type Row,
  type RowHeader,
  type RowKind,
  type RowKinds,
  type RowSource,
} from '@bspkit/core/format';
import type { SceneMaker } from '../rows.ts';
import { openWorld } from '../scene-rows.ts';
import { createQuake3Command } from './command.ts';
import { Quake3Flag } from './constants.ts';
import { createQuake3Mover, createQuake3Slide, type Quake3Mover, type Quake3MoverOptions } from './mover.ts';
import { pushRows } from './push-rows.ts';
import { sequenceRows } from './sequences.ts';
import { createQuake3State, type Quake3State } from './state.ts';
import { thingRows } from './thing-rows.ts';

// The engine's rows of players: whole commands, with each sequence continued from its own state, and single slides.

/** The engine's numbers for the world and for no entity. */
const ENTITY_WORLD = 1022;
const ENTITY_NONE = 1023;

const GIVEN = ['seq', 'step', 'gravity', 'speed', 'health', 'flight', 'mask'] as const;
const COMMAND = ['serverTime', 'cpitch', 'cyaw', 'croll', 'forward', 'right', 'up', 'buttons'] as const;
const PUSH = ['kx', 'ky', 'kz', 'kt'] as const;
const VECTORS = ['ox', 'oy', 'oz', 'vx', 'vy', 'vz', 'pitch', 'yaw', 'roll'] as const;
const STATE = [
  'commandTime',
  ...VECTORS,
  'dpitch',
  'dyaw',
  'droll',
  'pmFlags',
  'pmTime',
  'pmType',
  'ground',
  'viewHeight',
  'minz',
  'maxz',
  'waterLevel',
  'waterType',
  'bobCycle',
  'movementDir',
  'eventSequence',
  'events',
] as const;

type Places = Readonly<
  Record<
    (typeof GIVEN)[number] | (typeof COMMAND)[number] | (typeof PUSH)[number] | (typeof STATE)[number],
    number
  >
>;

/** Makes a mover in the map that a header names. */
function openMover(header: RowHeader, source: RowSource, options: Quake3MoverOptions): Quake3Mover {
  return createQuake3Mover(openWorld<BspWorld & BoxWorld & PointClassifier>(header, source), options);
}

function moverOptions(header: RowHeader): Quake3MoverOptions {
  const fields = new HeaderFields(header);
  return {
    arithmetic: fields.choice('arithmetic', ['native', 'qvm'], 'native'),
    slice: fields.flag('fixed') ? fields.whole('pmoveMsec', 8, 1, 200) : undefined,
  };
}

/** Players' commands. The first row of a sequence, step 0, gives the state; all others follow from it. */
const commandRows: RowKind = {
  question: [...GIVEN, ...COMMAND, ...PUSH],
  results: STATE,
  open(header, source) {
    const mover = openMover(header, source, moverOptions(header));
    const at: Places = columnPlaces(header, [...GIVEN, ...COMMAND, ...PUSH, ...STATE]);
    const state = createQuake3State();
    const command = createQuake3Command();
    return sequenceRows(
      at,
      (row) => readState(row, at, state),
      (row) => {
        push(row, at, state);
        command.serverTime = intCell(row, at.serverTime);
        for (const [k, place] of [at.cpitch, at.cyaw, at.croll].entries()) {
          command.angles[k] = intCell(row, place, 0x7fffffff);
        }
        command.forward = intCell(row, at.forward);
        command.right = intCell(row, at.right);
        command.up = intCell(row, at.up);
        command.buttons = intCell(row, at.buttons);
        mover.move(state, command);
        writeState(row, at, state, mover);
      },
    );
  },
};

const vectorPlaces = (at: Places): number[] => VECTORS.map((name) => at[name]);

function readState(row: Row, at: Places, state: Quake3State): void {
  const vectors = floatCells(row, vectorPlaces(at));
  state.origin.set(vectors.slice(0, 3));
  state.velocity.set(vectors.slice(3, 6));
  state.angles.set(vectors.slice(6));
  state.deltaAngles.set([at.dpitch, at.dyaw, at.droll].map((place) => intCell(row, place, 0x7fffffff)));
  state.gravity = intCell(row, at.gravity);
  state.speed = intCell(row, at.speed);
  state.health = intCell(row, at.health);
  state.flight = intCell(row, at.flight);
  state.mask = intCell(row, at.mask);
  state.commandTime = intCell(row, at.commandTime);
  state.flags = intCell(row, at.pmFlags);
  state.timer = intCell(row, at.pmTime);
  state.type = intCell(row, at.pmType);
  state.ground = intCell(row, at.ground) === ENTITY_NONE ? -1 : 0;
  state.viewHeight = intCell(row, at.viewHeight);
  state.bobCycle = intCell(row, at.bobCycle);
  state.direction = intCell(row, at.movementDir);
  state.eventSequence = intCell(row, at.eventSequence);
}

/** Applies what pushes the player before the command: an explosion. */
function push(row: Row, at: Places, state: Quake3State): void {
  const time = intCell(row, at.kt);
  if (time <= 0) return;
  for (const [k, place] of [at.kx, at.ky, at.kz].entries()) {
    state.velocity[k] = state.velocity[k]! + floatCell(row, place);
  }
  if (state.timer !== 0) return;
  state.timer = time;
  state.flags |= Quake3Flag.timeKnockback;
}

function writeState(row: Row, at: Places, state: Quake3State, mover: Quake3Mover): void {
  const { origin, velocity, angles, deltaAngles } = state;
  const vectors = [...origin, ...velocity, ...angles];
  for (const [k, place] of vectorPlaces(at).entries()) row[place] = float32Cell(vectors[k]!);
  row[at.dpitch] = deltaAngles[0]!;
  row[at.dyaw] = deltaAngles[1]!;
  row[at.droll] = deltaAngles[2]!;
  row[at.commandTime] = state.commandTime;
  row[at.pmFlags] = state.flags;
  row[at.pmTime] = state.timer;
  row[at.pmType] = state.type;
  row[at.ground] = state.ground < 0 ? ENTITY_NONE : ENTITY_WORLD;
  row[at.viewHeight] = state.viewHeight;
  row[at.minz] = float32Cell(state.mins[2]!);
  row[at.maxz] = float32Cell(state.maxs[2]!);
  row[at.waterLevel] = state.waterLevel;
  row[at.waterType] = state.waterType;
  row[at.bobCycle] = state.bobCycle;
  row[at.movementDir] = state.direction;
  row[at.eventSequence] = state.eventSequence;
  row[at.events] = eventCells(mover);
}

const eventCells = ({ events, numEvents }: Quake3Mover): Cell[] => Array.from(events.subarray(0, numEvents));

const SLIDE = [
  'step',
  'gravityFlag',
  'gravity',
  'frametime',
  'pmTime',
  'groundPlane',
  'gnx',
  'gny',
  'gnz',
  'maxz',
  'mask',
  'ox',
  'oy',
  'oz',
  'vx',
  'vy',
  'vz',
] as const;
const SLID = ['rx', 'ry', 'rz', 'rvx', 'rvy', 'rvz', 'bumped', 'impactSpeed', 'events'] as const;

/** Single slides. */
const slideRows: RowKind = {
  question: SLIDE,
  results: SLID,
  open(header, source) {
    const mover = openMover(header, source, {});
    const at = columnPlaces(header, [...SLIDE, ...SLID]);
    const slide = createQuake3Slide();
    const maxs = Float32Array.from(slide.maxs);
    slide.maxs = maxs;
    return {
      answer(row) {
        slide.origin.set(floatCells(row, [at.ox, at.oy, at.oz]));
        slide.velocity.set(floatCells(row, [at.vx, at.vy, at.vz]));
        slide.frameTime = floatCell(row, at.frametime);
        slide.gravity = intCell(row, at.gravity);
        slide.falls = intCell(row, at.gravityFlag) !== 0;
        slide.timer = intCell(row, at.pmTime);
        slide.ground =
          intCell(row, at.groundPlane) === 0 ? undefined : floatCells(row, [at.gnx, at.gny, at.gnz]);
        maxs[2] = floatCell(row, at.maxz);
        slide.mask = intCell(row, at.mask);
        const steps = intCell(row, at.step) !== 0;
        if (steps) mover.stepSlideMove(slide);
        else mover.slideMove(slide);
        for (const [k, name] of (['rx', 'ry', 'rz'] as const).entries()) {
          row[at[name]] = float32Cell(slide.origin[k]!);
          row[at[`rv${name[1] as 'x' | 'y' | 'z'}`]] = float32Cell(slide.velocity[k]!);
        }
        row[at.bumped] = steps ? null : slide.bumped ? 1 : 0;
        row[at.impactSpeed] = float32Cell(slide.impactSpeed);
        row[at.events] = eventCells(mover);
      },
    };
  },
};

/** The kinds of rows about players, missiles, items and movers of Quake 3. */
export const quake3Rows = (createScene: SceneMaker): RowKinds => ({
  pmove: commandRows,
  slidemove: slideRows,
  things: thingRows,
  pushes: pushRows(createScene),
});
