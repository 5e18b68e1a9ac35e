import type { Bounds } from '@bspkit/core';
import { checkList, failArgument } from '@bspkit/core/format';
import type { StateFields } from '../fields.ts';
import type { PlayerState } from '../state.ts';
import {
  type Box,
  createBox,
  createPlace,
  longer,
  PART,
  type Place,
  type PusherPart,
  PusherParts,
  type PusherScene,
  renamed,
} from './pusher-parts.ts';

// What the pushers of all games share: doors, lifts and trains that move bodies of a scene and whatever is on them or in their way.
// How they do that is each game's own.

const FIRST_ROOM = 16;
const POSE = 6;

/** A state that can be pushed. */
export interface PushedState extends PlayerState {
  /** Its body in the scene. */
  readonly entity: number;
}

/** What a game does in a push. */
export interface PushRules<S extends PushedState> {
  /** Throws unless a state is one of the game's, and its numbers are possible. Its messages begin with `state`. */
  check(state: S): void;
  fieldsOf(state: S): StateFields<never>;
  /**
   * Moves the parts and all that is to move with them, or puts everything back. Before it changes a state, or moves its body, it
   * calls {@link PushRun.note}. Returns the state that blocks, if one does.
   */
  push(run: PushRun<S>): S | undefined;
  /** Throws `RangeError` where a push would lead beyond float32, as far as that is clear before it. */
  checkReach?(run: PushRun<S>): void;
  /** A push has thrown: forgets what it has told. */
  forget(): void;
  /** Whether a push may change the boxes of bodies: {@link PushRun.resize}. */
  readonly resizes?: boolean;
}

/** One push after the other: what may be pushed, what was, and how all that was before it. */
export class PushRun<S extends PushedState> {
  readonly scene: PusherScene;
  readonly parts: PusherParts;
  /** What has been moved, in order; empty where that was blocked. */
  readonly moved: S[] = [];
  /** What may be pushed, in the order of entities; only the first {@link PushRun.count} of them count. */
  readonly states: S[] = [];
  count = 0;
  /** What was noted, in order; only the first {@link PushRun.notes} of them count. */
  readonly noted: S[] = [];
  notes = 0;
  /** By note: the numbers that the state had then, {@link PushRun.size} each, as {@link StateFields} read them. */
  numbers: Float64Array = new Float64Array(0);
  /** More than any state has. */
  readonly size: number;
  private readonly _rules: PushRules<S>;
  private readonly _words: Float64Array;
  /** By note: 1, or 0 for what has stayed where it was after all. */
  private _moves: Uint8Array = new Uint8Array(0);
  /** By note: the place of the state among {@link PushRun.states}. */
  private _places: Int32Array = new Int32Array(0);
  /** By place among the states: whether it is listed as moved. */
  private _listed: Uint8Array = new Uint8Array(0);
  /** By note: where its body was. */
  private _poses: Float32Array = new Float32Array(0);
  /** By note: its body's box, if a push may change it. */
  private _boxes: Float32Array = new Float32Array(0);
  private readonly _place: Place = createPlace();
  private readonly _box: Box = createBox();
  private readonly _change: {
    origin: Float32Array;
    angles: Float32Array | undefined;
    bounds: Bounds | undefined;
    link: boolean;
  };
  private _isPushing = false;

  /**
   * @param size - how many numbers a state has at most.
   * @param known - names of the properties that parts can have: {@link PART}, or some of them.
   * @param marks - names of properties of parts that are true or false.
   */
  constructor(
    scene: PusherScene,
    rules: PushRules<S>,
    size: number,
    known: readonly string[] = PART,
    marks: readonly string[] = [],
  ) {
    this.scene = scene;
    this.parts = new PusherParts(known, marks);
    this.size = size;
    this._rules = rules;
    this._words = new Float64Array(size);
    this._change = { origin: this._place.origin, angles: undefined, bounds: undefined, link: true };
  }

  /**
   * Checks everything, then pushes; `name` is that of the first argument. Whatever a collider throws, everything is as it was
   * before, but for the order in which bodies were linked.
   */
  push(parts: PusherPart | readonly PusherPart[], states: readonly S[], name: string): S | undefined {
    if (this._isPushing) throw new Error('a pusher cannot be used within its own push');
    this._isPushing = true;
    try {
      this.parts.take(this.scene, parts, name);
      this._take(states);
      this._rules.checkReach?.(this);
      return this._run();
    } finally {
      this._release();
      this._isPushing = false;
    }
  }

  /** The state of an entity, if it may be pushed. */
  find(entity: number): S | undefined {
    const at = this._placeOf(entity);
    return at < 0 ? undefined : this.states[at];
  }

  /** Remembers a state, and where its body is, before it moves. Returns the number of the note. */
  note(state: S): number {
    const { notes, size, _words: words, _place: place } = this;
    const { entity } = state;
    if (POSE * notes === this._poses.length) this._grow();
    this._places[notes] = this._placeOf(entity);
    this.scene.pose(entity, place);
    for (let k = 0; k < 3; k++) {
      this._poses[POSE * notes + k] = place.origin[k]!;
      this._poses[POSE * notes + 3 + k] = place.angles[k]!;
    }
    if (this._rules.resizes) this._noteBox(entity);
    this._rules.fieldsOf(state).read(state as never, words);
    for (let k = 0; k < size; k++) this.numbers[size * notes + k] = words[k]!;
    this.noted[notes] = state;
    this._moves[notes] = 1;
    this.notes = notes + 1;
    return notes;
  }

  /** Says that what was noted stays where it was after all. */
  unmove(note: number): void {
    this._moves[note] = 0;
  }

  /** Whether what was noted has moved. */
  moves(note: number): boolean {
    return this._moves[note] !== 0;
  }

  /** Moves the body of a state to a place, but leaves it linked where it was. */
  shift(entity: number, origin: Float32Array): void {
    const { _change: change } = this;
    change.link = false;
    try {
      this.link(entity, origin);
    } finally {
      change.link = true;
    }
  }

  /** Moves the body of a state to a place, where it is linked. */
  link(entity: number, origin: Float32Array): void {
    const { _change: change } = this;
    change.origin = origin;
    change.angles = undefined;
    this.scene.move(entity, change);
  }

  /** Gives the body of a state another box, but leaves it linked as it was. */
  resize(entity: number, origin: Float32Array, bounds: Bounds): void {
    const { _change: change } = this;
    change.bounds = bounds;
    try {
      this.shift(entity, origin);
    } finally {
      change.bounds = undefined;
    }
  }

  /** The place of an entity's state among {@link PushRun.states}; -1 for none. */
  private _placeOf(entity: number): number {
    const { states } = this;
    let low = 0;
    let high = this.count - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const other = states[middle]!.entity;
      if (other === entity) return middle;
      if (other < entity) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  private _run(): S | undefined {
    let blocker: S | undefined;
    try {
      blocker = this._rules.push(this);
    } catch (error) {
      this._putBack();
      this._publish(0);
      this._rules.forget();
      throw error;
    }
    this._publish(blocker ? 0 : this.notes);
    return blocker;
  }

  private _take(states: readonly S[]): void {
    const { parts, scene, states: sorted, _rules: rules } = this;
    checkList(states, 'states');
    let isSorted = true;
    for (let k = 0; k < states.length; k++) {
      const state = states[k]!;
      try {
        rules.check(state);
      } catch (error) {
        throw ofState(error, k);
      }
      const { entity } = state;
      if (entity < 1) failArgument(`states[${k}].entity`, 'the number of a body in the scene', entity);
      if (!scene.has(entity))
        throw new RangeError(`states[${k}].entity is ${entity}, but there is no such body in this scene`);
      if (parts.has(entity))
        throw new RangeError(`states[${k}].entity must not be a body that pushes, got ${entity}`);
      if (k > 0 && entity <= sorted[k - 1]!.entity) isSorted = false;
      sorted[this.count++] = state;
    }
    if (isSorted) return;
    sortByEntity(sorted, this.count);
    for (let k = 1; k < this.count; k++)
      if (sorted[k]!.entity === sorted[k - 1]!.entity) failTwice(states, sorted[k]!.entity);
  }

  /** Puts everything back to where it was, last first, as things may be noted twice. */
  private _putBack(): void {
    const { parts, scene, size, _words: words, _place: place, _change: change, _rules: rules } = this;
    for (let note = this.notes - 1; note >= 0; note--) {
      const state = this.noted[note]!;
      for (let k = 0; k < size; k++) words[k] = this.numbers[size * note + k]!;
      for (let k = 0; k < 3; k++) {
        place.origin[k] = this._poses[POSE * note + k]!;
        place.angles[k] = this._poses[POSE * note + 3 + k]!;
      }
      // The first error is the one to report, and all others must be put back all the same.
      try {
        rules.fieldsOf(state).write(words, state as never);
      } catch {}
      change.origin = place.origin;
      change.angles = place.angles;
      try {
        if (rules.resizes) change.bounds = this._boxBefore(note, state.entity);
        scene.move(state.entity, change);
      } catch {}
      change.bounds = undefined;
    }
    for (let part = parts.count - 1; part >= 0; part--) {
      try {
        parts.putBack(scene, part);
      } catch {}
    }
  }

  private _noteBox(entity: number): void {
    const { mins, maxs } = this._box;
    const at = POSE * this.notes;
    this.scene.ownBounds(entity, this._box);
    for (let k = 0; k < 3; k++) {
      this._boxes[at + k] = mins[k]!;
      this._boxes[at + 3 + k] = maxs[k]!;
    }
  }

  /** The box of a body when it was noted, if it has another one now. */
  private _boxBefore(note: number, entity: number): Bounds | undefined {
    const { _box: box, _boxes: boxes } = this;
    this.scene.ownBounds(entity, box);
    let isOther = false;
    for (let k = 0; k < 3; k++) {
      const low = boxes[POSE * note + k]!;
      const high = boxes[POSE * note + 3 + k]!;
      if (low !== box.mins[k] || high !== box.maxs[k]) isOther = true;
      box.mins[k] = low;
      box.maxs[k] = high;
    }
    return isOther ? box : undefined;
  }

  /** Lists what was moved: the first so many of those noted. Different parts may move a state twice, which is listed once. */
  private _publish(count: number): void {
    const { moved, noted, _places: places } = this;
    if (this._listed.length < this.count) this._listed = new Uint8Array(2 * this.count);
    else this._listed.fill(0, 0, this.count);
    let length = 0;
    for (let k = 0; k < count; k++) {
      const at = places[k]!;
      if (!this.moves(k) || this._listed[at] === 1) continue;
      this._listed[at] = 1;
      moved[length++] = noted[k]!;
    }
    // One by one: an array whose length is set to 0 needs new memory next time.
    while (moved.length > length) moved.pop();
  }

  /** Keeps no state for longer than a push, but for those that were moved. */
  private _release(): void {
    for (let k = 0; k < this.count; k++) this.states[k] = undefined as never;
    for (let k = 0; k < this.notes; k++) this.noted[k] = undefined as never;
    this.count = 0;
    this.notes = 0;
  }

  private _grow(): void {
    const room = Math.max(2 * (this._poses.length / POSE), FIRST_ROOM);
    this._poses = longer(this._poses, POSE * room);
    this._boxes = longer(this._boxes, POSE * room);
    this._moves = longer(this._moves, room);
    this._places = longer(this._places, room);
    this.numbers = longer(this.numbers, this.size * room);
  }
}

/** In place, without allocation, and without many steps for any order: Shell's sort. */
function sortByEntity(list: PushedState[], count: number): void {
  let gap = 1;
  while (gap < count) gap = 3 * gap + 1;
  while (gap > 1) {
    gap = (gap - 1) / 3;
    for (let k = gap; k < count; k++) {
      const state = list[k]!;
      let at = k;
      for (; at >= gap && list[at - gap]!.entity > state.entity; at -= gap) list[at] = list[at - gap]!;
      list[at] = state;
    }
  }
}

function failTwice(states: readonly PushedState[], entity: number): never {
  const first = states.findIndex((state) => state.entity === entity);
  const second = states.findIndex((state, k) => k > first && state.entity === entity);
  throw new RangeError(`states[${second}].entity must be listed once, got ${entity} twice`);
}

/** An error about a state, with the state's place in the list. A function of its own: a closure there would allocate for each state. */
function ofState(error: unknown, at: number): unknown {
  return renamed(error, (message) => {
    const rest = message.startsWith('state') ? message.slice('state'.length) : `: ${message}`;
    return `states[${at}]${rest}`;
  });
}
