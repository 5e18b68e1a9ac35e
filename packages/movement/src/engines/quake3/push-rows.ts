import type { Vec3 } from '@bspkit/core';
import {
  float32Cell,
  floatCells,
  HeaderFields,
  intCell,
  type Row,
  type RowKind,
  type RowSource,
} from '@bspkit/core/format';
import { createBox, createPlace, type Place } from '../pusher-parts.ts';
import type { SceneMaker } from '../rows.ts';
import { sceneRows } from '../scene-rows.ts';
import { ZERO } from '../thing-rows.ts';
import { NotingScene, type RowScene } from './push-scene.ts';
import { createQuake3Pusher, type Quake3Pusher, type Quake3PusherPart } from './pusher.ts';
import { createQuake3State, type Quake3State } from './state.ts';
import { createQuake3ThingMover, type Quake3ThingMover } from './thing.ts';
import { createQuake3ThingState, Quake3Path, type Quake3ThingState, Quake3ThingType } from './thing-state.ts';
import { bodyOf, numberOf, Told, TRACED } from './told.ts';
import { type Quake3Trajectory, quake3PathPosition } from './trajectory.ts';

// The game's rows of movers, and of the players, items and corpses that they carry and push, frame by frame. Where players have gone
// by themselves is given, and how flights were traced, as for things.

const QUESTION = ['scene', 'frame', 'time', 'call', 'thing'] as const;
const FLOWN = TRACED.filter((name) => name !== 'flags');
/** Where a player has gone. */
const PLACED = ['px', 'py', 'pz', 'pground', 'pyaw'] as const;
const PUSHED = ['blocker', 'links', 'crushed', 'poses'] as const;
const ASKED = ['tox', 'toy', 'toz'] as const;
/** Where something is, and where it is linked. */
const WHERE = ['ox', 'oy', 'oz', 'lx', 'ly', 'lz', 'hx', 'hy', 'hz'] as const;
/** How many of these are where it is. */
const ORIGIN = 3;
const NUMBERS = ['path', 'pathTime'] as const;
const PATH = ['bx', 'by', 'bz', 'dx', 'dy', 'dz'] as const;
const RESULTS = [...PUSHED, ...ASKED, ...WHERE, ...NUMBERS, ...PATH, 'ground', 'yaw'] as const;

type Column =
  | (typeof QUESTION)[number]
  | Exclude<(typeof TRACED)[number], 'flags'>
  | (typeof PLACED)[number]
  | (typeof RESULTS)[number];
type Places = Readonly<Record<Column, number>>;

/** What a row is about: where a player has gone, the flight of a thing, the push of a mover, or what has become of something. */
const [GO, FLY, PUSH, LOOK] = [0, 1, 2, 3] as const;
/** Kinds of things. */
const [MOVER, CORPSE, PLAYER] = [0, 2, 3] as const;
/** Flag of a mover that is stopped by all that it meets; 1 is for those that are not the first of their team. */
const STOPS = 2;

const CONTENTS_TRIGGER = 0x40000000;
const CONTENTS_CORPSE = 0x4000000;
const CONTENTS_BODY = 0x2000000;
const MASK_CORPSE = 0x10001;
const MAX_PARTS = 64;
/** Of times in headers, in milliseconds. */
const MOST_TIME = 100_000;

interface RowWorld {
  readonly numModels: number;
  model(number: number): object;
}

type Pushed = Quake3State | Quake3ThingState;

/** What moves by its paths. */
interface Mover {
  readonly path: { -readonly [K in keyof Quake3Trajectory]: Quake3Trajectory[K] };
  readonly turn: { -readonly [K in keyof Quake3Trajectory]: Quake3Trajectory[K] };
  readonly stops: boolean;
  readonly next: number;
}

/** What is between two rows: the scene, its bodies and their states. */
class Pushes {
  private readonly _scene: RowScene;
  private readonly _noting: NotingScene;
  private readonly _pusher: Quake3Pusher;
  private readonly _told: Told;
  private readonly _flier: Quake3ThingMover;
  private readonly _movers: (Mover | undefined)[] = [];
  private readonly _states: (Pushed | undefined)[] = [];
  private readonly _pushed: Pushed[] = [];
  private _frame = -1;
  private _time: number;
  private _before: number;

  constructor(fields: HeaderFields, world: RowWorld, source: RowSource, createScene: SceneMaker, told: Told) {
    this._scene = createScene(world as never, { rules: 'quake3' }) as RowScene;
    this._noting = new NotingScene(this._scene);
    this._time = this._before = fields.whole('time', undefined, 0, 0x3fffffff);
    const things = fields.objects('things');
    for (const thing of things) this._add(thing, things.length, world, source);
    this._told = told;
    this._flier = createQuake3ThingMover(told);
    this._pusher = createQuake3Pusher(this._noting);
  }

  private _add(fields: HeaderFields, count: number, world: RowWorld, { format }: RowSource): void {
    const kind = fields.whole('kind', undefined, MOVER, PLAYER);
    const [origin, angles] = [fields.vector('origin'), fields.vector('angles', ZERO)];
    if (kind === MOVER) {
      const collider = world.model(fields.model('model', world));
      const body = this._scene.add(collider, { origin, angles, solid: 'model' });
      const flags = fields.whole('flags', 0, 0, 3);
      this._movers[body] = {
        path: this._readPath(fields, 'path', origin),
        turn: this._readPath(fields, 'turn', angles),
        stops: (flags & STOPS) !== 0,
        next: fields.whole('next', 0, 0, count),
      };
      return;
    }
    if (!format.boxEntity) throw new RangeError(`${format.name} has no box entities`);
    const { mins, maxs } = fields.box();
    const contents = kind === PLAYER ? CONTENTS_BODY : kind === CORPSE ? CONTENTS_CORPSE : CONTENTS_TRIGGER;
    const solid = kind === PLAYER || kind === CORPSE ? 'box' : 'trigger';
    const body = this._scene.add(format.boxEntity(mins, maxs), { origin, solid, contents });
    const state = kind === PLAYER ? createQuake3State() : createQuake3ThingState(Quake3ThingType.item);
    state.origin.set(origin);
    state.mins.set(mins);
    state.maxs.set(maxs);
    state.entity = body;
    state.ground = fields.whole('ground', -1, -1, count);
    if (state.kind === 'quake3-thing') {
      const { path, pathTime, base, delta } = this._readPath(fields, 'path', origin);
      if (path === Quake3Path.sine) fields.fail('path', 'one that does not swing');
      state.path = path;
      state.pathTime = pathTime;
      state.base.set(base);
      state.delta.set(delta);
      state.bounceFactor = fields.number('bounce', 0.5);
      if (kind === CORPSE) state.pushMask = MASK_CORPSE;
    } else state.deltaAngles[1] = fields.whole('yaw', 0, 0, 0x7fffffff);
    this._states[body] = state;
    this._pushed.push(state);
  }

  /** How something moves or turns: it stays as it is, if that is left out. */
  private _readPath(thing: HeaderFields, name: string, still: Vec3): Mover['path'] {
    const { stationary } = Quake3Path;
    const isStill = !thing.has(name);
    const fields = isStill ? new HeaderFields({ type: stationary, base: still }) : thing.object(name);
    const path = fields.choice('type', Object.values(Quake3Path));
    const time = fields.whole('time', 0, -MOST_TIME, MOST_TIME);
    return {
      path,
      pathTime: path === stationary ? 0 : this._time + time,
      pathDuration: fields.whole('duration', 0, path === Quake3Path.sine ? 1 : 0, MOST_TIME),
      base: Float32Array.from(fields.vector('base', Array.from(still))),
      delta: Float32Array.from(fields.vector('delta', ZERO)),
    };
  }

  answer(row: Row, at: Places): void {
    this._begin(row, at);
    const thing = intCell(row, at.thing);
    const call = intCell(row, at.call);
    if (call === PUSH) {
      if (!this._movers[thing]) throw new RangeError(`thing ${thing} is no mover`);
      this._push(row, at, thing);
      return;
    }
    const state = this._states[thing];
    if (!state) throw new RangeError(`thing ${thing} cannot be pushed`);
    if (call === GO && state.kind === 'quake3') this._go(row, at, state);
    else if (call === FLY && state.kind === 'quake3-thing') {
      this._fly(row, at, state);
      this._look(row, at, state);
    } else if (call === LOOK) this._look(row, at, state);
    else throw new RangeError(`call must be 0 to 3, and one that thing ${thing} takes, got ${call}`);
  }

  private _begin(row: Row, at: Places): void {
    const frame = intCell(row, at.frame);
    if (frame === this._frame) return;
    if (frame < this._frame) throw new RangeError(`frame must not be before ${this._frame}, got ${frame}`);
    this._frame = frame;
    this._before = this._time;
    this._time = intCell(row, at.time);
    this._pusher.endFrame();
  }

  private _go(row: Row, at: Places, state: Quake3State): void {
    checkColumns(at.px, PLACED);
    state.origin.set(floatCells(row, [at.px, at.py, at.pz]));
    state.ground = bodyOf(intCell(row, at.pground));
    state.deltaAngles[1] = intCell(row, at.pyaw, 0x7fffffff);
    state.commandTime = this._time;
    this._noting.link(state);
  }

  private _fly(row: Row, at: Places, state: Quake3ThingState): void {
    checkColumns(at.fraction, FLOWN);
    const { _told: told } = this;
    told.row = row;
    told.asked = undefined;
    state.time = this._before;
    this._flier.move(state, this._time);
    if (!told.asked) throw new RangeError(`thing ${state.entity} does not fly`);
    for (const [k, name] of ASKED.entries()) row[at[name]] = float32Cell(told.asked[k]!);
    // It is linked where the trace ends, before it bounces.
    const end = row[at.fraction] === 1 ? told.asked : floatCells(row, [at.endx, at.endy, at.endz]);
    this._scene.move(state.entity, { origin: end });
  }

  private _push(row: Row, at: Places, captain: number): void {
    const { _noting: scene, _pusher: pusher } = this;
    const parts: Quake3PusherPart[] = [];
    for (let body = captain; body > 0; body = this._movers[body]!.next) {
      if (!this._movers[body] || parts.length > MAX_PARTS)
        throw new RangeError(`the team of thing ${captain} is none`);
      parts.push(this._partOf(body));
    }
    scene.links.length = 0;
    const blocker = pusher.push(parts, this._pushed);
    if (blocker) {
      // The game puts the team to where its paths lead, and that later by a frame.
      scene.links.length -= parts.length;
      for (const { body } of parts) this._delay(body);
    }
    row[at.blocker] = blocker?.entity ?? 0;
    row[at.links] = [...scene.links];
    row[at.crushed] = pusher.crushed.map(({ entity }) => entity);
    const pose = createPlace();
    row[at.poses] = parts.flatMap(({ body }) => {
      scene.pose(body, pose);
      return [...pose.origin, ...pose.angles].map(float32Cell);
    });
  }

  private _partOf(body: number): Quake3PusherPart {
    const { path, turn, stops } = this._movers[body]!;
    const [from, to] = [createPlace(), this._evaluate(body)];
    this._scene.pose(body, from);
    const less = (k: 'origin' | 'angles'): Vec3 => to[k].map((x, axis) => x - from[k][axis]!);
    const bobs = path.path === Quake3Path.sine || turn.path === Quake3Path.sine;
    return { body, delta: less('origin'), turn: less('angles'), bobs, stops };
  }

  private _evaluate(body: number): Place {
    const { path, turn } = this._movers[body]!;
    const pose = createPlace();
    quake3PathPosition(path, this._time, pose.origin);
    quake3PathPosition(turn, this._time, pose.angles);
    return pose;
  }

  private _delay(body: number): void {
    const { path, turn } = this._movers[body]!;
    path.pathTime += this._time - this._before;
    turn.pathTime += this._time - this._before;
    this._noting.move(body, this._evaluate(body));
  }

  private _look(row: Row, at: Places, state: Pushed): void {
    const box = createBox();
    this._scene.linkedBounds(state.entity, box);
    const where = [...state.origin, ...box.mins, ...box.maxs];
    const known = this._noting.isShifted(state.entity) ? ORIGIN : WHERE.length;
    for (const [k, name] of WHERE.entries()) row[at[name]] = k < known ? float32Cell(where[k]!) : null;
    if (state.kind === 'quake3') {
      row[at.yaw] = state.deltaAngles[1]!;
      return;
    }
    for (const name of NUMBERS) row[at[name]] = state[name];
    const path = [...state.base, ...state.delta];
    for (const [k, name] of PATH.entries()) row[at[name]] = float32Cell(path[k]!);
    row[at.ground] = numberOf(state.ground);
  }
}

/** Throws unless a table has a group of columns, of which one has this place. */
function checkColumns(place: number, names: readonly string[]): void {
  if (place < 0) throw new RangeError(`missing columns: ${names.join(', ')}`);
}

/** Rows of movers with all that they move. */
export const pushRows = (createScene: SceneMaker): RowKind =>
  sceneRows<RowWorld, Places>(
    { question: QUESTION, optional: [FLOWN, PLACED], results: RESULTS },
    (scene, world, source, at) => new Pushes(scene, world, source, createScene, new Told(at)),
  );
