import type { Bounds, Vec3 } from '@bspkit/core';
import {
  float32Cell,
  floatCell,
  type HeaderFields,
  intCell,
  type Row,
  type RowKind,
  type RowSource,
} from '@bspkit/core/format';
import type { BoxSource } from '../../space.ts';
import type { SceneMaker } from '../rows.ts';
import { sceneRows } from '../scene-rows.ts';
import {
  answerMotion,
  beginThing,
  CHANGE_YAW,
  callOf,
  Dice,
  DROP_TO_FLOOR,
  frameOf,
  MOTION,
  MOVE_TO_GOAL,
  OPTIONAL,
  QUESTION,
  readThing,
  ZERO,
} from '../thing-rows.ts';
import type { QuakeRowWorld } from './rows.ts';
import { createQuakeThingMover, type QuakeGoal, type QuakeThingMover } from './thing.ts';
import { createQuakeThingState, QuakeMoveType, type QuakeThingState } from './thing-state.ts';

// The engine's rows of things and monsters that move together, frame by frame, each in the others' way.

export interface RowScene extends BoxSource {
  add(collider: object, options: object): number;
  move(body: number, options: { readonly origin: Vec3 }): void;
  body(body: number): { readonly origin: Vec3; readonly bounds: Bounds; readonly item: boolean };
}

/** The world, as a goal. */
const NOWHERE: QuakeGoal = { origin: ZERO, mins: ZERO, maxs: ZERO, unlinked: true };

export type ThingResult =
  | 'called'
  | 'bottom'
  | 'drawn'
  | 'touched'
  | (typeof MOTION)[number]
  | 'ideal'
  | 'flags'
  | 'ground'
  | 'watertype'
  | 'waterlevel';

export const THING_RESULTS: readonly ThingResult[] = [
  'called',
  'bottom',
  'drawn',
  'touched',
  ...MOTION,
  'ideal',
  'flags',
  'ground',
  'watertype',
  'waterlevel',
];

/** The engine's bits. */
const FLY = 1;
const SWIM = 2;
const MONSTER = 32;
const ITEM = 256;
const ON_GROUND = 512;
const PARTIAL_GROUND = 1024;

/** The engine's kinds of solid. */
const SOLIDS = ['none', 'trigger', 'box', 'box', 'model'] as const;
const TRIGGER = 1;

export type ThingPlaces = Readonly<Record<(typeof QUESTION)[number] | 'random' | ThingResult, number>>;

/** What a row's thing or obstacle is. */
export interface Member {
  readonly solid: number;
  readonly flags: number;
  readonly enemy: number;
  readonly goal: number;
  readonly state: QuakeThingState | undefined;
}

/** What is between two rows: the scene, its bodies and their states. */
export class Things {
  readonly scene: RowScene;
  readonly frameTime: number;
  /** By number, from 1. */
  readonly members: Member[] = [];
  private readonly _mover: QuakeThingMover;
  private readonly _dice: Dice = new Dice();
  private _frame = -1;

  constructor(scene: HeaderFields, world: QuakeRowWorld, source: RowSource, createScene: SceneMaker) {
    this.scene = createScene(world as never, { rules: 'quake1' }) as RowScene;
    const things = scene.objects('things');
    for (const thing of things) this._add(thing, things.length, world, source);
    this.frameTime = scene.number('frametime', undefined, 0);
    this._mover = createQuakeThingMover(
      { trace: this.scene, contents: world },
      {
        gravity: scene.number('gravity', 800),
        maxVelocity: scene.number('maxvelocity', 2000, 0),
      },
    );
  }

  private _add(fields: HeaderFields, count: number, world: QuakeRowWorld, source: RowSource) {
    const thing = readThing(fields, count, SOLIDS, QuakeMoveType, world, source);
    const { collider, options, solid, moveType } = thing;
    const flags = fields.whole('flags', 0);
    const entity = this.scene.add(collider, {
      ...options,
      monster: (flags & MONSTER) !== 0,
      item: (flags & ITEM) !== 0,
    });
    let state: QuakeThingState | undefined;
    if (moveType !== 0) {
      state = createQuakeThingState();
      beginThing(state, fields, thing, 0);
      state.solid = solid > TRIGGER ? 1 : 0;
      state.flies = flags & FLY;
      state.swims = flags & SWIM;
      state.partialGround = flags & PARTIAL_GROUND;
      state.onGround = flags & ON_GROUND;
      state.entity = entity;
    }
    this.members[entity] = {
      solid,
      flags,
      enemy: fields.whole('enemy', 0, 0, count),
      goal: fields.whole('goal', 0, 0, count),
      state,
    };
  }

  /** Notes the frame of a row. */
  begin(row: Row, at: ThingPlaces): void {
    this._frame = frameOf(row, at, this._frame);
  }

  /** One frame of a thing, and what its thought calls. */
  answer(row: Row, at: ThingPlaces): void {
    const { _mover: mover } = this;
    this.begin(row, at);
    const entity = intCell(row, at.thing);
    const member = this.members[entity];
    const state = member?.state;
    if (!state) throw new RangeError(`thing ${entity} does not move`);
    const call = callOf(row, at);
    this._dice.take(row, at, call);
    this._link(state, mover.move(state, this.frameTime));
    row[at.touched] = member.solid === 0 ? [] : Array.from(mover.touched.subarray(0, mover.numTouched));
    row[at.called] = 0;
    row[at.bottom] = 0;
    if (call !== 0) {
      row[at.called] = this._call(call, row, at, state, member) ? 1 : 0;
      row[at.bottom] = mover.checkBottom(state) ? 1 : 0;
    }
    row[at.drawn] = this._dice.drawn;
    if (state.moveType === QuakeMoveType.step) mover.checkWater(state);
    answerMotion(row, at, state);
    row[at.ideal] = float32Cell(state.idealYaw);
    const flags = member.flags & ~(ON_GROUND | PARTIAL_GROUND);
    row[at.flags] = flags | (state.onGround && ON_GROUND) | (state.partialGround && PARTIAL_GROUND);
    row[at.ground] = Math.max(state.ground, 0);
    row[at.watertype] = state.waterType;
    row[at.waterlevel] = state.waterLevel;
  }

  /** What its thought calls. Returns whether it has moved. */
  private _call(
    call: number,
    row: Row,
    at: ThingPlaces,
    state: QuakeThingState,
    { enemy, goal }: Member,
  ): boolean {
    const { _mover: mover, scene } = this;
    const place = enemy === 0 ? undefined : scene.body(enemy).origin;
    if (call === MOVE_TO_GOAL) {
      const before = Array.from(state.origin);
      const chased = goal === 0 ? NOWHERE : goalOf(scene.body(goal));
      this._link(state, mover.moveToGoal(state, floatCell(row, at.distance), chased, this._dice.draw, place));
      return before.some((x, k) => x !== state.origin[k]);
    }
    if (call === CHANGE_YAW) {
      state.idealYaw = floatCell(row, at.yaw);
      mover.changeYaw(state);
      return false;
    }
    const done =
      call === DROP_TO_FLOOR
        ? mover.dropToFloor(state)
        : mover.walkMove(state, floatCell(row, at.yaw), floatCell(row, at.distance), place);
    this._link(state, done);
    return done;
  }

  private _link({ entity, origin }: QuakeThingState, moves: boolean): void {
    if (moves) this.scene.move(entity, { origin });
  }
}

const goalOf = ({ origin, bounds, item }: ReturnType<RowScene['body']>): QuakeGoal => ({
  origin,
  ...bounds,
  item,
});

/** Rows of things and monsters of single-player Quake. */
export const thingRows = (createScene: SceneMaker): RowKind =>
  sceneRows<QuakeRowWorld, ThingPlaces>(
    { question: QUESTION, optional: OPTIONAL, results: THING_RESULTS },
    (scene, world, source) => new Things(scene, world, source, createScene),
  );
