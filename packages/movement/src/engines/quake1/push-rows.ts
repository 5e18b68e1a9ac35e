import type { Vec3 } from '@bspkit/core';
import {
  float32Cell,
  floatCell,
  floatCells,
  type HeaderFields,
  intCell,
  type Row,
  type RowKind,
  type RowSource,
} from '@bspkit/core/format';
import type { PusherScene } from '../pusher-parts.ts';
import type { SceneMaker } from '../rows.ts';
import { sceneRows } from '../scene-rows.ts';
import { MOTION, OPTIONAL, QUESTION } from '../thing-rows.ts';
import { createQuakePusher, type QuakePusher, quakePushTime } from './pusher.ts';
import type { QuakeRowWorld } from './rows.ts';
import { createQuakeState, type QuakeState } from './server-state.ts';
import { THING_RESULTS, type ThingPlaces, Things } from './thing-rows.ts';
import type { QuakeThingState } from './thing-state.ts';

// The engine's rows of doors, lifts and trains among things and monsters that move together, frame by frame.

/** Of a pusher: its velocity, its own time, and when it thinks. */
const PUSH = ['pvx', 'pvy', 'pvz', 'ltime', 'nextthink'] as const;
/** The box of a thing, which a pusher may make a point. */
const BOX = ['lowx', 'lowy', 'lowz', 'highx', 'highy', 'highz'] as const;

const PUSH_QUESTION = [...QUESTION, ...PUSH] as const;
const PUSH_RESULTS = [...THING_RESULTS, 'blocker', 'moved', ...BOX] as const;

type Places = ThingPlaces &
  Readonly<Record<(typeof PUSH_QUESTION)[number] | (typeof PUSH_RESULTS)[number], number>>;

/** What is between two rows: things, and what pushes them. */
class Pushes {
  private readonly _things: Things;
  private readonly _scene: PusherScene;
  private readonly _pusher: QuakePusher;
  private readonly _pushing: Set<number> = new Set();
  /** What counts as players for what pushes, with the things that they are else. */
  private readonly _players: Map<QuakeState, QuakeThingState> = new Map();
  private readonly _states: readonly (QuakeState | QuakeThingState)[];

  constructor(scene: HeaderFields, world: QuakeRowWorld, source: RowSource, createScene: SceneMaker) {
    this._things = new Things(scene, world, source, createScene);
    this._scene = this._things.scene as unknown as PusherScene;
    this._pusher = createQuakePusher(this._scene);
    const walking = new Set<number>();
    for (const [k, thing] of scene.objects('things').entries()) {
      if (thing.number('lasting', 0) > 0) this._pushing.add(k + 1);
      if (thing.whole('walks', 0, 0, 1) > 0) walking.add(k + 1);
    }
    this._states = this._things.members.flatMap(({ state }) => {
      if (!state || !walking.has(state.entity)) return state ?? [];
      const player = createQuakeState();
      player.entity = state.entity;
      this._players.set(player, state);
      return player;
    });
  }

  answer(row: Row, at: Places): void {
    row[at.blocker] = 0;
    row[at.moved] = [];
    for (const name of BOX) row[at[name]] = 0;
    const thing = intCell(row, at.thing);
    if (this._pushing.has(thing)) {
      this._push(row, at, thing);
      return;
    }
    this._things.answer(row, at);
    const { mins, maxs } = this._things.members[thing]!.state!;
    for (const [k, x] of [...mins, ...maxs].entries()) row[at[BOX[k]!]] = float32Cell(x);
  }

  /** One frame of what pushes. */
  private _push(row: Row, at: Places, body: number): void {
    const { _things: things, _pusher: pusher, _players: players } = this;
    things.begin(row, at);
    const velocity = floatCells(row, [at.pvx, at.pvy, at.pvz]);
    const time = quakePushTime(floatCell(row, at.ltime), floatCell(row, at.nextthink), things.frameTime);
    for (const [player, { origin, mins, maxs, onGround, ground }] of players) {
      player.origin.set(origin);
      player.mins.set(mins);
      player.maxs.set(maxs);
      Object.assign(player, { onGround, ground });
    }
    const delta = velocity.map((x) => Math.fround(x * time)) as unknown as Vec3;
    const before = this._states.map(({ origin }) => Array.from(origin));
    const blocker = pusher.push({ body, delta }, this._states);
    const moved = this._states.filter(({ origin }, k) => before[k]!.some((x, axis) => x !== origin[axis]));
    for (const [player, thing] of players) {
      thing.origin.set(player.origin);
      thing.onGround = player.onGround;
    }
    for (const name of THING_RESULTS) row[at[name]] = 0;
    row[at.blocker] = blocker?.entity ?? 0;
    row[at.moved] = moved.map(({ entity }) => entity);
    row[at.touched] = this._touched();
    const { origin } = this._scene.pose(body, {
      origin: new Float32Array(3),
      angles: new Float32Array(3),
    }) as { origin: Float32Array };
    for (let k = 0; k < 3; k++) row[at[MOTION[k]!]] = float32Cell(origin[k]!);
  }

  /** What touched what: the game is not told what things that are not solid hit. */
  private _touched(): number[] {
    const { touched, numTouched } = this._pusher;
    const pairs: number[] = [];
    for (let k = 0; k < numTouched; k++) {
      const one = touched[2 * k]!;
      if (this._things.members[one]!.solid !== 0) pairs.push(one, touched[2 * k + 1]!);
    }
    return pairs;
  }
}

/** Rows of what pushes, and of what is pushed. */
export const pushRows = (createScene: SceneMaker): RowKind =>
  sceneRows<QuakeRowWorld, Places>(
    { question: PUSH_QUESTION, optional: OPTIONAL, results: PUSH_RESULTS },
    (scene, world, source) => new Pushes(scene, world, source, createScene),
  );
