import type { Vec3 } from '@bspkit/core';
import {
  columnPlaces,
  doubleCell,
  failCell,
  float32Cell,
  floatCell,
  floatCells,
  HeaderFields,
  intCell,
  listCell,
  type Row,
  type RowHeader,
  type RowKind,
  type RowKinds,
  type RowSource,
} from '@bspkit/core/format';
import type { BoxSource } from '../../space.ts';
import type { SceneMaker } from '../rows.ts';
import { openWorld } from '../scene-rows.ts';
import type { QuakeRowWorld } from './rows.ts';
import { createQuakeMover, type QuakeMover } from './server.ts';
import { createQuakeState, type QuakeState } from './server-state.ts';

// The engine's rows of single moves on its server, some through the world alone, some with entities in the way.

/** A scene with the engine's rules, to which entities are added. */
interface RowScene extends BoxSource {
  add(collider: object, options: { readonly origin: Vec3; readonly solid: 'model' }): number;
}

const START = ['ox', 'oy', 'oz', 'vx', 'vy', 'vz'] as const;
const RESULT = ['rox', 'roy', 'roz', 'rvx', 'rvy', 'rvz'] as const;
const FLY = [...RESULT, 'blocked', 'ronground', 'stepnx', 'stepny', 'stepnz'] as const;
const WALK = [...RESULT, 'ronground'] as const;

/** Movers through the world alone and, in the second place, through world and entities. */
function openMovers(header: RowHeader, source: RowSource, createScene: SceneMaker): readonly QuakeMover[] {
  const world = openWorld<QuakeRowWorld>(header, source);
  const scene = createScene(world as never, { rules: 'quake1' }) as RowScene;
  for (const fields of new HeaderFields(header).objects('entities', true)) {
    const model = world.model(fields.model('model', world));
    scene.add(model, { origin: fields.vector('origin'), solid: 'model' });
  }
  return [createQuakeMover(world as unknown as BoxSource), createQuakeMover(scene)];
}

function moverOf(row: Row, place: number, movers: readonly QuakeMover[]): QuakeMover {
  return movers[intCell(row, place)] ?? failCell(row, place, '0 or 1');
}

type Places = Readonly<Record<(typeof START)[number] | (typeof RESULT)[number] | 'ronground', number>>;

function readStart(row: Row, at: Places, state: QuakeState): void {
  const cells = floatCells(
    row,
    START.map((name) => at[name]),
  );
  state.origin.set(cells.slice(0, 3));
  state.velocity.set(cells.slice(3));
}

function writeResult(row: Row, at: Places, { origin, velocity, onGround }: QuakeState): void {
  for (const [k, name] of RESULT.entries()) row[at[name]] = float32Cell((k < 3 ? origin : velocity)[k % 3]!);
  row[at.ronground] = onGround;
}

const FLY_QUESTION = ['ents', 'hull', 'time', ...START] as const;

const flyRows = (createScene: SceneMaker): RowKind => ({
  question: FLY_QUESTION,
  results: FLY,
  open(header, source) {
    const { hulls } = openWorld<QuakeRowWorld>(header, source);
    const movers = openMovers(header, source, createScene);
    const at = columnPlaces(header, [...FLY_QUESTION, ...FLY]);
    const state = createQuakeState();
    return {
      answer(row) {
        const bounds = hulls[listCell(row, at.hull, hulls.length, 'hull')]!;
        state.mins.set(Array.from(bounds.mins));
        state.maxs.set(Array.from(bounds.maxs));
        state.onGround = 0;
        readStart(row, at, state);
        const mover = moverOf(row, at.ents, movers);
        row[at.blocked] = mover.fly(state, floatCell(row, at.time));
        writeResult(row, at, state);
        for (const [k, place] of [at.stepnx, at.stepny, at.stepnz].entries()) {
          row[place] = float32Cell(mover.wall[k]!);
        }
      },
    };
  },
});

const GIVEN = ['frametime', 'onground', 'waterlevel', 'waterjump', 'pitch', 'yaw', 'roll'] as const;
const WALK_QUESTION = ['ents', ...GIVEN, ...START] as const;

const walkRows = (createScene: SceneMaker): RowKind => ({
  question: WALK_QUESTION,
  results: WALK,
  open(header, source) {
    const movers = openMovers(header, source, createScene);
    const at = columnPlaces(header, [...WALK_QUESTION, ...WALK]);
    const state = createQuakeState();
    return {
      answer(row) {
        readStart(row, at, state);
        state.angles.set(floatCells(row, [at.pitch, at.yaw, at.roll]));
        state.onGround = intCell(row, at.onground);
        state.waterLevel = intCell(row, at.waterlevel);
        state.waterJump = intCell(row, at.waterjump);
        // A double, which must not be rounded.
        const time = doubleCell(row, at.frametime);
        moverOf(row, at.ents, movers).walk(state, time);
        writeResult(row, at, state);
      },
    };
  },
});

/** The kinds of rows about moves of single-player Quake's server. */
export const quakeServerRows = (createScene: SceneMaker): RowKinds => ({
  flymove: flyRows(createScene),
  walkmove: walkRows(createScene),
});
