import type { Vec3 } from '@bspkit/core';
import {
  failCell,
  float32Cell,
  type HeaderFields,
  intCell,
  type Row,
  type RowKind,
  type RowSource,
} from '@bspkit/core/format';
import type { PusherScene } from '../pusher-parts.ts';
import type { SceneMaker } from '../rows.ts';
import { sceneRows } from '../scene-rows.ts';
import { MOTION, QUESTION, ZERO } from '../thing-rows.ts';
import { createQuake2Command } from './command.ts';
import { createQuake2Mover, type Quake2Mover } from './mover.ts';
import { createQuake2Pusher, type Quake2Pusher, type Quake2PusherPart } from './pusher.ts';
import { createQuake2State, type Quake2State } from './state.ts';
import { PUSH, type RowWorld, THING_RESULTS, type Places as ThingPlaces, Things } from './thing-rows.ts';
import type { Quake2ThingState } from './thing-state.ts';

// The engine's rows of pushers, with players, things and monsters on them and in their way, in the order in which it gives them
// their turns.

/** What is asked besides the columns of things: a player's command, and by how much the parts of a pusher move and turn. */
const ASKED = ['random', 'command', 'moves'] as const;

const PUSHED = ['blocker', 'poses', 'moved', 'places'] as const;

type Places = ThingPlaces & Readonly<Record<(typeof ASKED)[number] | (typeof PUSHED)[number], number>>;

/** The call of a player who is moved by a command. */
const COMMAND = 6;

/** The engine's move types of what does not move by itself. */
const OTHERS = { push: 2, stop: 3, walk: 4 } as const;

const COMMAND_LENGTH = 7;
const MOVE_LENGTH = 6;

type Pushed = Quake2State | Quake2ThingState;

interface Player {
  readonly state: Quake2State;
  groundLinks: number;
}

/** What was before a push. */
interface Before {
  readonly links: number;
  readonly ground: number;
  readonly origin: readonly number[];
}

function listOf(row: Row, place: number, length: number): readonly number[] {
  const list = row[place];
  const isList = Array.isArray(list) && list.length === length;
  if (!isList || !list.every(Number.isFinite)) failCell(row, place, `a list of ${length} numbers`);
  return list as number[];
}

/** What is between two rows: the scene, its bodies and their states. */
class Pushes extends Things {
  private readonly _pusher: Quake2Pusher;
  private readonly _players: (Player | undefined)[] = [];
  private readonly _playerMover: Quake2Mover;
  private readonly _command = createQuake2Command();
  /** By the number of the first of a team: what belongs to that, and whether it stops. */
  private readonly _teams: Quake2PusherPart[][] = [];
  /** Frames of which all commands have been seen. */
  private _begun = 0;

  constructor(scene: HeaderFields, world: RowWorld, source: RowSource, createScene: SceneMaker) {
    super(scene, world, source, createScene, OTHERS);
    const things = scene.objects('things');
    for (const [k, fields] of things.entries()) this._addOther(k + 1, fields, things.length, scene);
    this._pusher = createQuake2Pusher(this._scene as unknown as PusherScene);
    this._playerMover = createQuake2Mover(this._scene);
  }

  private _addOther(body: number, fields: HeaderFields, count: number, scene: HeaderFields): void {
    if (fields.whole('call', 0) === PUSH) {
      const first = fields.whole('goal', 0, 0, count) || body;
      this._teams[first] ??= [];
      this._teams[first].push({
        body,
        stops: fields.choice('movetype', [OTHERS.push, OTHERS.stop], OTHERS.push) === OTHERS.stop,
      });
    }
    if (fields.whole('movetype', 0) !== OTHERS.walk) return;
    const state = createQuake2State();
    for (let k = 0; k < 3; k++) {
      state.origin[k] = Math.trunc(8 * fields.vector('origin')[k]!);
      state.velocity[k] = Math.trunc(8 * fields.vector('velocity', ZERO)[k]!);
    }
    state.gravity = scene.number('gravity', 800);
    state.entity = body;
    state.snapInitial = 1;
    this._players[body] = { state, groundLinks: 0 };
  }

  override answer(row: Row, at: Places): void {
    const call = intCell(row, at.call);
    row[at.blocker] = 0;
    row[at.poses] = [];
    row[at.moved] = [];
    row[at.places] = [];
    this._goTo(row, at);
    const frame = intCell(row, at.frame);
    if (call === COMMAND) {
      this._answerCommand(row, at);
      return;
    }
    if (this._begun <= frame) this._beginFrame(frame + 1);
    if (call === PUSH) this._answerPush(row, at);
    else super.answer(row, at);
  }

  /** Players have their turns first, in which they lose what has moved below them. */
  private _beginFrame(next: number): void {
    this._begun = next;
    for (const player of this._players) {
      if (player && this._linksOf(player.state.ground) !== player.groundLinks) player.state.ground = -1;
    }
  }

  private _answerCommand(row: Row, at: Places): void {
    const entity = intCell(row, at.thing);
    const player = this._players[entity];
    if (!player) throw new RangeError(`thing ${entity} is no player`);
    const { state } = player;
    const { _command: command } = this;
    const numbers = listOf(row, at.command, COMMAND_LENGTH);
    command.msec = numbers[0]!;
    command.angles.set(numbers.slice(1, 4));
    command.forward = numbers[4]!;
    command.right = numbers[5]!;
    command.up = numbers[6]!;
    this._playerMover.move(state, command);
    const { collider } = this._scene.body(entity) as unknown as {
      readonly collider: { resize(mins: Vec3, maxs: Vec3): void };
    };
    collider.resize(state.mins, state.maxs);
    this._scene.move(entity, { origin: Array.from(state.origin, (x) => x / 8) });
    this._members[entity]!.links++;
    player.groundLinks = this._linksOf(state.ground);
    clear(row, at);
    for (let k = 0; k < 3; k++) {
      row[at[MOTION[k]!]] = state.origin[k]!;
      row[at[MOTION[3 + k]!]] = state.velocity[k]!;
      row[at[MOTION[6 + k]!]] = state.deltaAngles[k]!;
    }
    row[at.ground] = state.ground;
    row[at.watertype] = state.waterType;
    row[at.waterlevel] = state.waterLevel;
  }

  private _answerPush(row: Row, at: Places): void {
    const entity = intCell(row, at.thing);
    const team = this._teams[entity];
    if (!team) throw new RangeError(`thing ${entity} is not the first of what pushes together`);
    const moves = listOf(row, at.moves, MOVE_LENGTH * team.length).map(Math.fround);
    const parts = team.map(({ body, stops }, k) => ({
      body,
      stops,
      delta: moves.slice(MOVE_LENGTH * k, MOVE_LENGTH * k + 3),
      turn: moves.slice(MOVE_LENGTH * k + 3, MOVE_LENGTH * k + 6),
    }));
    const states = this._states();
    const before = states.map((state) => this._lookAt(state));
    const pusher = this._pusher;
    const blocker = pusher.push(parts, states);
    for (let k = 0; k < pusher.numLinked; k++) this._noteLink(pusher.linked[k]!);
    clear(row, at);
    row[at.blocker] = blocker ? blocker.entity : -1;
    row[at.poses] = team.flatMap(({ body }) => {
      const { origin, angles } = this._scene.body(body) as unknown as { origin: Vec3; angles: Vec3 };
      return [...Array.from(origin), ...Array.from(angles)].map(float32Cell);
    });
    const moved: number[] = [];
    const places: number[] = [];
    for (const [k, state] of states.entries()) {
      const { links, ground, origin } = this._lookAt(state);
      const then = before[k]!;
      if (
        links === then.links &&
        ground === then.ground &&
        origin.every((x, j) => Object.is(x, then.origin[j]))
      )
        continue;
      moved.push(state.entity);
      places.push(...origin.map(float32Cell), ground, 0);
    }
    row[at.moved] = moved;
    row[at.places] = places;
  }

  private _noteLink(body: number): void {
    const member = this._members[body]!;
    member.links++;
    if (member.state) member.linked.set(member.state.origin);
  }

  /** All that may be pushed, and is there. */
  private _states(): Pushed[] {
    const states: Pushed[] = [];
    for (let body = 1; body < this._members.length; body++) {
      const state = this._players[body]?.state ?? this._members[body]!.state;
      if (state && this._scene.has(body)) states.push(state);
    }
    return states;
  }

  private _lookAt(state: Pushed): Before {
    const { entity, ground } = state;
    const { origin } = state.kind === 'quake2' ? this._scene.body(entity) : state;
    return { links: this._linksOf(entity), ground, origin: Array.from(origin) };
  }
}

/** Answers what only things have. */
function clear(row: Row, at: Places): void {
  for (const name of THING_RESULTS) row[at[name]] = 0;
  row[at.touched] = [];
}

/** Rows of pushers. */
export const pushRows = (createScene: SceneMaker): RowKind =>
  sceneRows<RowWorld, Places>(
    { question: [...QUESTION, ...ASKED], results: [...THING_RESULTS, ...PUSHED] },
    (scene, world, source) => new Pushes(scene, world, source, createScene),
  );
