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
import type { BoxSource, ContentsSource } from '../../space.ts';
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
import { CONTENTS_DEADMONSTER, CONTENTS_MONSTER } from './constants.ts';
import { createQuake2ThingMover, type Quake2Enemy, type Quake2Goal, type Quake2ThingMover } from './thing.ts';
import { findFeet } from './thing-ground.ts';
import { createQuake2ThingState, Quake2MoveType, type Quake2ThingState } from './thing-state.ts';

// The engine's rows of things and monsters that move together, frame by frame, each in the others' way.

export interface RowScene extends BoxSource, ContentsSource {
  add(collider: object, options: object): number;
  move(body: number, changes: { readonly origin: Vec3; readonly link?: boolean | undefined }): void;
  remove(body: number): void;
  has(body: number): boolean;
  body(body: number): { readonly origin: Vec3; readonly angles: Float32Array; readonly bounds: Bounds };
}

export interface RowWorld extends BoxSource, ContentsSource {
  readonly numModels: number;
  model(number: number): object;
}

/** Columns of what a thing's frame answers. */
type Result =
  | 'called'
  | 'drawn'
  | 'touched'
  | (typeof MOTION)[number]
  | 'ideal'
  | 'partial'
  | 'ground'
  | 'watertype'
  | 'waterlevel'
  | 'heard';

export const THING_RESULTS: readonly Result[] = [
  'called',
  'drawn',
  'touched',
  ...MOTION,
  'ideal',
  'partial',
  'ground',
  'watertype',
  'waterlevel',
  'heard',
];

export type Places = Readonly<Record<(typeof QUESTION)[number] | 'random' | Result, number>>;

/** The call of what pushes others, in rows of pushes. */
export const PUSH = 5;

/** The engine's bits. */
const FLY = 1;
const SWIM = 2;
const PARTIAL_GROUND = 256;
const DEAD_MONSTER = 2;
const MONSTER = 4;

const SPLASHED = 1;
const LANDED = 2;

/** The engine's kinds of solid. */
const SOLIDS = ['none', 'trigger', 'box', 'model'] as const;
const TRIGGER = 1;
const BOX = 2;
const MODEL = 3;

/** What the game has in the place of what has been broken: nothing at all, at 0 0 0. */
const GONE_GOAL: Quake2Goal = { origin: ZERO, isPlayer: false };
const GONE_ENEMY: Quake2Enemy = { origin: ZERO, mins: ZERO, maxs: ZERO, unlinked: true };

/** What a row's thing or obstacle is, beside its state. */
export interface Member {
  readonly solid: number;
  readonly fragile: boolean;
  readonly isPlayer: boolean;
  readonly enemy: number;
  readonly goal: number;
  /** Every how many frames it is linked again, this far away, or knocked by this velocity; 0 for never. */
  readonly period: number;
  readonly shift: Vec3;
  readonly state: Quake2ThingState | undefined;
  /** Where it was linked last. */
  readonly linked: Float32Array;
  /** How often it has been linked, and how often what it stands on had been when it was looked for last. */
  links: number;
  groundLinks: number;
  /** How often it had been linked when it looked for ground last. */
  seen: number;
}

/** What is between two rows: the scene, its bodies and their states. */
export class Things {
  protected readonly _scene: RowScene;
  protected readonly _members: Member[] = [];
  private readonly _mover: Quake2ThingMover;
  private readonly _others: Readonly<Record<string, number>>;
  private readonly _dice: Dice = new Dice();
  private _frame = -1;
  private _current: Member | undefined;

  /** @param others - move types of what does not move by itself here. */
  constructor(
    scene: HeaderFields,
    world: RowWorld,
    source: RowSource,
    createScene: SceneMaker,
    others: Readonly<Record<string, number>> = {},
  ) {
    this._others = others;
    this._scene = createScene(world as never, { rules: 'quake2' }) as RowScene;
    const things = scene.objects('things');
    for (const thing of things) this._add(thing, things.length, world, source);
    this._mover = createQuake2ThingMover(this._scene, {
      gravity: scene.number('gravity', 800),
      maxVelocity: scene.number('maxvelocity', 2000, 0),
      breaks: (entity) => this._breaks(entity),
    });
  }

  private _add(fields: HeaderFields, count: number, world: RowWorld, source: RowSource) {
    const moveTypes = { ...Quake2MoveType, ...this._others };
    const thing = readThing(fields, count, SOLIDS, moveTypes, world, source);
    const { collider, options, solid, moveType } = thing;
    const pushes = fields.whole('call', 0) === PUSH;
    const [flags, svflags] = [fields.whole('flags', 0), fields.whole('svflags', 0)];
    const entity = this._scene.add(collider, {
      ...options,
      ...(pushes && { angles: fields.vector('angles', ZERO) }),
      ...((solid === TRIGGER || solid === BOX) && {
        contents: (svflags & DEAD_MONSTER) !== 0 ? CONTENTS_DEADMONSTER : CONTENTS_MONSTER,
      }),
    });
    let state: Quake2ThingState | undefined;
    if (moveType !== 0 && !Object.values(this._others).includes(moveType)) {
      state = createQuake2ThingState();
      beginThing(state, fields, thing, 1);
      state.mask = fields.whole('mask', 0);
      state.monster = svflags & MONSTER;
      state.flies = flags & FLY;
      state.swims = flags & SWIM;
      state.partialGround = flags & PARTIAL_GROUND;
      state.noStep = Number(fields.flag('nostep'));
      state.dead = fields.whole('health', 100) > 0 ? 0 : 1;
      state.gib = Number(fields.flag('gib'));
      state.entity = entity;
    }
    this._members[entity] = {
      solid,
      fragile: fields.flag('fragile'),
      isPlayer: fields.flag('player'),
      enemy: fields.whole('enemy', 0, 0, count),
      goal: fields.whole('goal', 0, 0, count),
      period: pushes ? 0 : fields.whole('period', 0, 0, 0x7fffffff),
      shift: fields.vector('shift', ZERO),
      state,
      linked: Float32Array.from(options.origin),
      links: 0,
      groundLinks: 0,
      seen: -1,
    };
  }

  /** Takes out what breaks when something solid hits it. */
  private _breaks(entity: number): boolean {
    const member = this._members[entity];
    if (!member?.fragile || this._current?.solid === 0) return false;
    this._scene.remove(entity);
    member.links++;
    return true;
  }

  /** Goes on to a frame: moves what is moved between frames, and knocks what moves by itself. */
  protected _goTo(row: Row, at: { readonly frame: number }): void {
    const frame = frameOf(row, at, this._frame);
    if (frame === this._frame) return;
    this._frame = frame;
    for (let entity = 1; entity < this._members.length; entity++) {
      const { period, shift, state } = this._members[entity]!;
      if (!(period > 0) || frame % period !== period - 1 || !this._scene.has(entity)) continue;
      if (state) {
        for (let k = 0; k < 3; k++) state.velocity[k] = state.velocity[k]! + shift[k]!;
        continue;
      }
      const { origin } = this._scene.body(entity);
      const [x, y, z] = [0, 1, 2].map((k) => Math.fround(origin[k]! + shift[k]!)) as [number, number, number];
      this._scene.move(entity, { origin: [x, y, z] });
      this._members[entity]!.links++;
    }
  }

  /** Puts a thing's body where it is now, which counts as linking it only if the engine does that. */
  private _follow(member: Member, { entity, origin }: Quake2ThingState, isLinked: boolean): void {
    if (isLinked) {
      member.links++;
      member.linked.set(this._mover.linked);
    }
    const { origin: place } = this._scene.body(entity);
    if (isLinked || origin.some((x, k) => x !== place[k]))
      this._scene.move(entity, { origin, link: isLinked });
  }

  /** One frame of a thing, and what its thought calls. */
  answer(row: Row, at: Places): void {
    const { _mover: mover } = this;
    this._goTo(row, at);
    const entity = intCell(row, at.thing);
    const member = this._members[entity];
    const state = member?.state;
    if (!state) throw new RangeError(`thing ${entity} does not move`);
    if (!this._scene.has(entity)) throw new RangeError(`thing ${entity} has been broken`);
    const call = callOf(row, at);
    this._dice.take(row, at, call);
    this._current = member;
    if (this._linksOf(state.ground) !== member.groundLinks) mover.loseGround(state);
    this._follow(member, state, mover.move(state));
    row[at.touched] = member.solid === 0 ? [] : Array.from(mover.touched.subarray(0, mover.numTouched));
    row[at.heard] = (mover.splashed ? SPLASHED : 0) | (mover.landed ? LANDED : 0);
    row[at.called] = 0;
    if (call !== 0) {
      const done = this._call(call, row, at, state, member);
      this._follow(member, state, done);
      row[at.called] = done ? 1 : 0;
    }
    row[at.drawn] = this._dice.drawn;
    if (state.moveType === Quake2MoveType.step) {
      if (member.links !== member.seen) mover.checkGround(state);
      member.seen = member.links;
      this._follow(member, state, false);
      mover.checkWater(state, member.linked);
    }
    member.groundLinks = this._linksOf(state.ground);
    answerMotion(row, at, state);
    row[at.ideal] = float32Cell(state.idealYaw);
    row[at.partial] = state.partialGround === 0 ? 0 : 1;
    row[at.ground] = state.ground;
    row[at.watertype] = waterTypeOf(state, member);
    row[at.waterlevel] = state.waterLevel;
  }

  protected _linksOf(body: number): number {
    return this._members[body]?.links ?? 0;
  }

  /** What its thought calls. Returns whether it took part in the world again. */
  private _call(
    call: number,
    row: Row,
    at: Places,
    state: Quake2ThingState,
    { enemy, goal, linked }: Member,
  ): boolean {
    const { _mover: mover } = this;
    if (call === DROP_TO_FLOOR) return mover.dropToFloor(state);
    if (call === CHANGE_YAW) {
      state.idealYaw = floatCell(row, at.yaw);
      mover.changeYaw(state);
      return false;
    }
    const distance = floatCell(row, at.distance);
    if (call === MOVE_TO_GOAL) {
      if (goal === 0) throw new RangeError(`thing ${state.entity} has no goal`);
      const enemyBox = enemy === 0 ? undefined : this._boxOf(enemy);
      return mover.moveToGoal(state, distance, this._goalOf(goal), this._dice.draw, enemyBox, linked);
    }
    const height = enemy === 0 ? undefined : this._goalOf(enemy);
    return mover.walkMove(state, floatCell(row, at.yaw), distance, height?.origin, height?.isPlayer);
  }

  private _goalOf(number: number): Quake2Goal {
    if (!this._scene.has(number)) return GONE_GOAL;
    const { state, isPlayer } = this._members[number]!;
    return { origin: state?.origin ?? this._scene.body(number).origin, isPlayer };
  }

  private _boxOf(number: number): Quake2Enemy {
    if (!this._scene.has(number)) return GONE_ENEMY;
    const { solid, state, linked } = this._members[number]!;
    const { origin, angles, bounds } = this._scene.body(number);
    if (solid === MODEL && angles.some((x) => x !== 0)) return { origin, ...cubeAround(bounds) };
    return { origin: state ? linked : origin, ...bounds };
  }
}

/** The box of a turned model, as the engine links it. */
function cubeAround({ mins, maxs }: Bounds): Bounds {
  const farthest = Math.max(...[mins, maxs].flatMap((corner) => Array.from(corner, Math.abs)));
  const most = [farthest, farthest, farthest];
  return { mins: most.map((x) => -x), maxs: most };
}

/**
 * In the engine, contents at a point include those of a thing's own box. A monster's box is at its origin, but its feet are where it
 * was linked last.
 */
function waterTypeOf(state: Quake2ThingState, { solid, linked }: Member): number {
  const { waterType, moveType, origin, mins, maxs } = state;
  const isStep = moveType === Quake2MoveType.step;
  if (solid !== BOX || moveType === Quake2MoveType.noclip || (isStep && waterType === 0)) return waterType;
  const point = Float32Array.from(origin);
  if (isStep) findFeet(linked, 0, state, point, 0);
  const isInside = point.every((x, k) => {
    const at = Math.fround(x - origin[k]!);
    return at >= mins[k]! && at < maxs[k]!;
  });
  return isInside ? waterType | CONTENTS_MONSTER : waterType;
}

/** Rows of things and monsters. */
export const thingRows = (createScene: SceneMaker): RowKind =>
  sceneRows<RowWorld, Places>(
    { question: QUESTION, optional: OPTIONAL, results: THING_RESULTS },
    (scene, world, source) => new Things(scene, world, source, createScene),
  );
