import type { BspWorld, Vec3 } from '@bspkit/core';
import {
  columnPlaces,
  float32Cell,
  HeaderFields,
  intCell,
  listedModels,
  type Row,
  type RowHeader,
  type RowKind,
  type RowKinds,
  type RowSource,
} from '@bspkit/core/format';
import type { BoxSource, ContentsSource } from '../../space.ts';
import type { SceneMaker } from '../rows.ts';
import { openWorld } from '../scene-rows.ts';
import { createQuake2Command, type Quake2CommandDraft } from './command.ts';
import { MASK_PLAYERSOLID } from './constants.ts';
import { createQuake2Mover, type Quake2Mover } from './mover.ts';
import { pushRows } from './push-rows.ts';
import { createQuake2State, type Quake2State } from './state.ts';
import { thingRows } from './thing-rows.ts';

// The engine's rows of players: single commands, each with its whole state, and sequences that start from given ones.

/** A scene with the engine's rules, to which models are added. */
interface RowScene extends BoxSource, ContentsSource {
  add(
    collider: object,
    options: { readonly origin: Vec3; readonly angles: Vec3; readonly solid: 'model' },
  ): number;
}

const PLACE = ['ox', 'oy', 'oz'] as const;
const SPEED = ['vx', 'vy', 'vz'] as const;
const DELTA = ['deltaPitch', 'deltaYaw', 'deltaRoll'] as const;
const TURN = ['pitch', 'yaw', 'roll'] as const;
const QUESTION = [
  'airaccelerate',
  'pmType',
  ...PLACE,
  ...SPEED,
  'pmFlags',
  'pmTime',
  'gravity',
  ...DELTA,
  'snapInitial',
  'msec',
  ...TURN,
  'forward',
  'side',
  'up',
] as const;
const NEW_PLACE = ['rox', 'roy', 'roz'] as const;
const NEW_SPEED = ['rvx', 'rvy', 'rvz'] as const;
const BOX = ['minx', 'miny', 'minz', 'maxx', 'maxy', 'maxz'] as const;
const VIEW = ['viewPitch', 'viewYaw', 'viewRoll'] as const;
const RESULTS = [
  ...NEW_PLACE,
  ...NEW_SPEED,
  'rpmFlags',
  'rpmTime',
  'viewheight',
  ...BOX,
  'waterlevel',
  'watertype',
  'ground',
  ...VIEW,
  'touch',
] as const;

type Places = Readonly<Record<(typeof QUESTION)[number] | (typeof RESULTS)[number], number>>;

/**
 * The world of a header, with the models that it lists. If the header's `rules` are `quake2`, the answers are those of the server
 * itself; if not, the models were asked in the order of the list.
 */
function openScene(
  header: RowHeader,
  source: RowSource,
  createScene: SceneMaker,
): BoxSource & ContentsSource {
  const fields = new HeaderFields(header);
  const rules = fields.choice('rules', ['quake2', 'quake2-list'], 'quake2-list');
  const world = openWorld<BspWorld & { model(number: number): object }>(header, source);
  const scene = createScene(world as never, { rules }) as RowScene;
  const models = fields.has('models') ? listedModels(fields, 'models', world) : [];
  for (const { model, ...pose } of models) scene.add(world.model(model), { ...pose, solid: 'model' });
  return scene;
}

/** Whole numbers of some columns. */
function take<K extends string>(row: Row, at: Readonly<Record<K, number>>, names: readonly K[]): number[] {
  return names.map((name) => intCell(row, at[name], 0x7fffffff));
}

function readQuestion(row: Row, at: Places, state: Quake2State, command: Quake2CommandDraft): void {
  state.type = intCell(row, at.pmType);
  state.origin.set(take(row, at, PLACE));
  state.velocity.set(take(row, at, SPEED));
  state.flags = intCell(row, at.pmFlags);
  state.timer = intCell(row, at.pmTime);
  state.gravity = intCell(row, at.gravity);
  state.deltaAngles.set(take(row, at, DELTA));
  state.snapInitial = intCell(row, at.snapInitial);
  command.msec = intCell(row, at.msec);
  command.angles.set(take(row, at, TURN));
  command.forward = intCell(row, at.forward);
  command.right = intCell(row, at.side);
  command.up = intCell(row, at.up);
}

function writeAnswer(row: Row, at: Places, state: Quake2State, mover: Quake2Mover): void {
  const { origin, velocity, mins, maxs, angles } = state;
  for (let k = 0; k < 3; k++) {
    row[at[NEW_PLACE[k]!]] = origin[k]!;
    row[at[NEW_SPEED[k]!]] = velocity[k]!;
    row[at[BOX[k]!]] = float32Cell(mins[k]!);
    row[at[BOX[3 + k]!]] = float32Cell(maxs[k]!);
    row[at[VIEW[k]!]] = float32Cell(angles[k]!);
  }
  row[at.rpmFlags] = state.flags;
  row[at.rpmTime] = state.timer;
  row[at.viewheight] = state.viewHeight;
  row[at.waterlevel] = state.waterLevel;
  row[at.watertype] = state.waterType;
  row[at.ground] = state.ground;
  row[at.touch] = Array.from(mover.touched.subarray(0, mover.numTouched));
}

/** Players' commands. Each row has everything that its command starts with. */
const commandRows = (createScene: SceneMaker): RowKind => ({
  question: QUESTION,
  results: RESULTS,
  open(header, source) {
    const scene = openScene(header, source, createScene);
    const movers = [false, true].map((airAccelerate) => createQuake2Mover(scene, { airAccelerate }));
    const at: Places = columnPlaces(header, [...QUESTION, ...RESULTS]);
    const state = createQuake2State();
    state.mask = MASK_PLAYERSOLID;
    const command = createQuake2Command();
    return {
      answer(row) {
        readQuestion(row, at, state, command);
        const mover = movers[intCell(row, at.airaccelerate) === 0 ? 0 : 1]!;
        mover.move(state, command);
        writeAnswer(row, at, state, mover);
      },
    };
  },
});

/** The kinds of rows about players, things and monsters of Quake 2. */
export const quake2Rows = (createScene: SceneMaker): RowKinds => ({
  pmove: commandRows(createScene),
  things: thingRows(createScene),
  pushes: pushRows(createScene),
});
