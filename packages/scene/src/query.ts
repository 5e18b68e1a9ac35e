import { checkOptions, checkWhole, failArgument } from '@bspkit/core/format';
import type { Bodies } from './bodies.ts';
import { type ExtraFields, NO_ENTITY } from './trace.ts';
import { T_FRACTION, T_HALF, T_HIGH, T_LOW, T_MIDDLE, T_WAY, TREE_QUERY, type TreeQuery } from './tree.ts';

/**
 * Bodies that a tracer ignores. A number is the body that moves: the scene's rules decide what else is ignored with it, and -1
 * stands for none. With `also`, exactly one more is. A set is read at each trace, and excludes exactly what it contains. An owner
 * excludes that body and everything that it owns. A body itself is none of these: it would name its owner.
 */
export type Ignore =
  | number
  | ReadonlySet<number>
  | { readonly owner: number; readonly number?: undefined }
  | { readonly body: number; readonly also: number };

/** Kinds of moves: monsters take part, do not, or are hit with a larger box, as missiles do. */
export type MoveKind = 'normal' | 'no-monsters' | 'missile';

/** What a scene's tracers leave out. */
export interface SceneFilter {
  /**
   * Contents that stop the trace. By default the world and models use their own default masks, and boxes (box entities, bodies of
   * `createBody`) stop every trace.
   */
  readonly mask?: number | undefined;
  /** Bodies that this tracer ignores; none by default. */
  readonly ignore?: Ignore | undefined;
  /** Kind of move, for rules that distinguish them; 'normal' by default. */
  readonly move?: MoveKind | undefined;
  /** For rules with monster clip: whether models that only stop monsters take part; false by default. */
  readonly monsterClip?: boolean | undefined;
}

/**
 * How far rounding may lead a trace from its line, as a part of the coordinates: traces are in float32, and cut a move at many
 * planes. Within the bounds of a game's maps that is less than a unit.
 */
const ROUNDING = 1 / 131_072;

/**
 * How near a box may come before the body in it is asked: more than the distance that tracers keep from what they hit, as in the
 * engines. One that they were told is added.
 */
const MARGIN = 1;

/** How far the corners of a cube are from its middle, in halves of its edges: a little more than the root of 3. */
const CORNER = 1.75;

/** Whom a question about bodies leaves out. */
export class Ignored {
  /** Number of the body that moves. */
  mover: number = NO_ENTITY;
  ignored: ReadonlySet<number> | undefined;
  ignoredOwner: number = NO_ENTITY;
  private _also: number = NO_ENTITY;
  /** Whether {@link Ignored.ignores} has more to check than the body that moves. */
  ignoresMore = false;

  /** Sets what to ignore, after {@link checkIgnore}. */
  setIgnore(ignore: Ignore): void {
    const isNumber = typeof ignore === 'number';
    const isPair = !isNumber && 'also' in ignore;
    // All is read before anything is written: there may be getters that throw.
    const mover = isNumber ? ignore : isPair ? ignore.body : NO_ENTITY;
    const also = isPair ? ignore.also : NO_ENTITY;
    this.ignoredOwner = !isNumber && 'owner' in ignore ? ignore.owner : NO_ENTITY;
    this.mover = mover;
    this._also = also;
    this.ignored = !isNumber && 'has' in ignore ? ignore : undefined;
    this.ignoresMore = !isNumber;
  }

  /** Ignores what another one does. */
  ignoreAs(other: Ignored): void {
    this.mover = other.mover;
    this.ignored = other.ignored;
    this.ignoredOwner = other.ignoredOwner;
    this._also = other._also;
    this.ignoresMore = other.ignoresMore;
  }

  /** Whether a set, an owner or `also` leaves a body out. What a number leaves out is up to the rules. */
  ignores(bodies: Bodies, body: number): boolean {
    const { ignored, ignoredOwner } = this;
    if (body === this._also || ignored?.has(body)) return true;
    return ignoredOwner >= 0 && (body === ignoredOwner || bodies.owners[body] === ignoredOwner);
  }
}

/** A trace's query of the bodies: its move, its room and its filter. */
export class Query extends Ignored {
  /** The move for which bodies are asked. */
  readonly start: Float32Array = new Float32Array(3);
  readonly end: Float32Array = new Float32Array(3);
  /** Box around the traced point (mins, maxs) that contains the shape that was asked for. */
  readonly box: Float32Array = new Float32Array(6);
  /** The same for what the world and the bodies really move, which may be larger. */
  readonly room: Float32Array = new Float32Array(6);
  /** The room that it takes in the frame of a turned body, however that is turned: its corners may be on any side. */
  private readonly _turnedRoom: Float32Array = new Float32Array(6);
  /** The query of the tree of bodies; {@link T_FRACTION} says how much of the move matters. */
  readonly tree: TreeQuery = new Float64Array(TREE_QUERY);
  /** Candidates, in the order in which they are to be asked. */
  found: Int32Array = new Int32Array(0);
  /** Whether bodies are found in the whole box around the move, even if the move does not come near them. */
  isWhole = false;
  mask = -1;
  move: MoveKind = 'normal';
  monsterClip = false;
  /** What rules remember of the world's answer until they finish. */
  readonly kept: Float32Array = new Float32Array(1);
  readonly fields: ExtraFields;
  /** How far its tracers were told to keep from what they hit, in Quake units, or 0. */
  epsilon: number;

  constructor(fields: ExtraFields, epsilon: number) {
    super();
    this.fields = fields;
    this.epsilon = epsilon;
  }

  /** Prepares for `room`, which has been written. */
  measure(): void {
    const { room, _turnedRoom: turned } = this;
    // Zero as a double: a sum that begins with the whole number 0 may be boxed by V8.
    let square = room[0]! * 0;
    for (let k = 0; k < 3; k++) {
      const far = Math.max(-room[k]!, room[3 + k]!);
      square += far * far;
    }
    const reach = Math.sqrt(square);
    // One by one: as an argument of `fill`, the number would be boxed.
    for (let k = 0; k < 3; k++) {
      turned[k] = -reach;
      turned[3 + k] = reach;
    }
  }

  /** Writes the bodies that the move comes near into `found`, in no particular order, and returns how many there are. */
  find(bodies: Bodies): number {
    if (bodies.count === 0) return 0;
    if (this.found.length < bodies.capacity) this.found = new Int32Array(bodies.capacity);
    let count = 0;
    if (!bodies.tree.isEmpty) {
      this._aim(this.room, MARGIN + this.epsilon);
      count = bodies.tree.collect(this.tree, this.found);
    }
    if (!bodies.turned.isEmpty) {
      // A corner of what is turned is kept away from along all axes of its frame.
      this._aim(this._turnedRoom, MARGIN + CORNER * this.epsilon);
      count = bodies.turned.collect(this.tree, this.found, count);
    }
    return count;
  }

  /** Writes the move of a shape that needs this much room, and a margin around it, into `tree`. */
  private _aim(room: Float32Array, least: number): void {
    const { start, end, tree } = this;
    const far =
      Math.abs(start[0]!) +
      Math.abs(start[1]!) +
      Math.abs(start[2]!) +
      Math.abs(end[0]!) +
      Math.abs(end[1]!) +
      Math.abs(end[2]!);
    const margin = least + far * ROUNDING;
    for (let k = 0; k < 3; k++) {
      const from = start[k]!;
      const way = (end[k]! - from) * tree[T_FRACTION]!;
      const low = room[k]! - margin;
      const high = room[3 + k]! + margin;
      tree[T_LOW + k] = Math.min(from, from + way) + low;
      tree[T_HIGH + k] = Math.max(from, from + way) + high;
      tree[T_MIDDLE + k] = from + (way + low + high) * 0.5;
      tree[T_WAY + k] = this.isWhole ? 0 : way;
      tree[T_HALF + k] = (high - low) * 0.5;
    }
  }
}

const OWNER: readonly string[] = ['owner'];
const PAIR: readonly string[] = ['body', 'also'];

/** Throws `RangeError` for a number that no body can have, `TypeError` for anything that does not name bodies. */
export function checkIgnore(ignore: Ignore): void {
  if (typeof ignore === 'number') checkBodyNumber(ignore, 'ignore');
  else if (isSet(ignore)) ignore.forEach(checkMember);
  else if (isOwner(ignore)) {
    checkOptions(ignore, OWNER, 'ignore');
    checkBodyNumber(ignore.owner, 'the owner in ignore');
  } else if (isPair(ignore)) {
    checkOptions(ignore, PAIR, 'ignore');
    checkBodyNumber(ignore.body, 'the body in ignore');
    checkBodyNumber(ignore.also, 'the other body in ignore');
  } else failArgument('ignore', 'a number, a set of numbers, { owner } or { body, also }', ignore);
}

/** A body of a scene has an owner too, but is not meant to stand for that. */
const isOwner = (ignore: Exclude<Ignore, number>): ignore is { readonly owner: number } =>
  typeof ignore === 'object' && ignore !== null && 'owner' in ignore && ignore.number === undefined;

const isPair = (ignore: unknown): ignore is { readonly body: number; readonly also: number } =>
  typeof ignore === 'object' && ignore !== null && 'also' in ignore;

const isSet = (ignore: unknown): ignore is ReadonlySet<number> => {
  const { has, forEach } = (ignore ?? {}) as { has?: unknown; forEach?: unknown };
  return typeof has === 'function' && typeof forEach === 'function';
};

/** Not a closure: changing a filter allocates nothing. */
function checkMember(body: number): void {
  checkBodyNumber(body, 'a number in ignore');
}

/** Bodies' numbers are kept in 32 bits. */
const GREATEST_BODY = 0x7fffffff;

/** Throws `RangeError` unless a number can be a body's, or is -1 for none. */
export function checkBodyNumber(body: number, name: string): void {
  checkWhole(body, name, NO_ENTITY, GREATEST_BODY);
}
