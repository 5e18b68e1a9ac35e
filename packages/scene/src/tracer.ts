import {
  blockedEach,
  type Changeable,
  checkSegments,
  checkTests,
  resetTrace,
  type Shape,
  type Trace,
  type TraceBatch,
  type Tracer,
  type TracerChanges,
  traceEach,
  type Vec3,
} from '@bspkit/core';
import {
  checkBatch,
  checkChoice,
  checkFilled,
  checkFlag,
  checkMask,
  checkMove,
  checkObject,
  checkOptions,
  checkRadius,
  checkTrace,
  MOVE_END,
  MOVE_START,
  plainOf,
  printAsString,
  showShape,
  showValue,
  takeFloats,
} from '@bspkit/core/format';
import { type Bodies, bodiesText, MONSTER } from './bodies.ts';
import {
  type Changes,
  type Collider,
  checkSizes,
  createMover,
  hasSizes,
  isChangeable,
  type Mover,
  type NestedTracer,
  NO_SIZES,
  ownShape,
  resizeShape,
  type Sizes,
  writeBox,
} from './collider.ts';
import { type Part, type PartOptions, Parts } from './parts.ts';
import { checkIgnore, Ignored, Query, type SceneFilter } from './query.ts';
import {
  createSceneTrace,
  createSceneTraceBatch,
  ExtraFields,
  NO_ENTITY,
  type SceneTrace,
  type SceneTraceBatch,
  WORLD_ENTITY,
  withEntities,
} from './trace.ts';

/**
 * What can be changed on a scene's tracer between traces, whatever its world; what the world's own tracer can also change is
 * added to it. Whatever is left out stays as it is.
 */
export type SceneTracerSettings = Pick<SceneFilter, 'mask' | 'ignore'> & TracerChanges;

/**
 * A shape and a filter against a scene: the world first, then the bodies near the move. Answers also have the fields of
 * the world's own traces, as `T` says, and `set` takes what that of the world's own tracers takes, as `S` says.
 */
export interface SceneTracer<T extends Trace = Trace, S extends SceneTracerSettings = SceneTracerSettings>
  extends Tracer<T & SceneTrace>,
    Changeable {
  /**
   * Changes filter or size, all or nothing, without allocation but for a radius or an option that is a fraction. Changing `ignore` is
   * free. Everything else is passed on to the tracers of all colliders (for colliders that take any size, masks and sizes when these
   * tracers are next used); a collider whose tracer has no `set` makes a new one. Other options than `ignore`, `mask` and sizes are
   * those that the `set` of the world's own tracer takes, and bodies are passed those that they take (`traceOptions`). Without a world
   * there is `epsilon`.
   * @throws RangeError naming the argument that is out of range; TypeError for one that this tracer does not have.
   */
  set(settings: S): this;
  /**
   * As for every tracer, with the entities if `out` has these fields, or is left out; and with whole numbers of the world's own
   * traces, if `out` has an `Int32Array` of that name. Throws `TypeError` if a collider of your own has transferred `out` meanwhile.
   */
  traceBatch(segments: Float32Array): SceneTraceBatch;
  traceBatch<B extends TraceBatch<never>>(segments: Float32Array, out: B): B;
}

/** Options of a scene's tracer: the filter, and whatever its colliders take. */
export type TracerOptions = SceneFilter & { readonly epsilon?: number | undefined };

/** Makes a scene's tracer; `isBody` if it is for a body of a scene around it, whose tracer has checked the options. */
export function createSceneTracer(
  bodies: Bodies,
  mover: Mover,
  options?: TracerOptions,
  isBody = false,
): SceneTracer & NestedTracer {
  return new PartsTracer(bodies, mover, options, isBody);
}

class PartsTracer implements SceneTracer, NestedTracer {
  readonly shape: Shape;
  private readonly _bodies: Bodies;
  private readonly _mover: Mover;
  private readonly _parts: Parts;
  /** Against monsters, if the rules have another box for these. */
  private readonly _monsterParts: Parts | undefined;
  /** The options that colliders were given, with those that have been changed. */
  private readonly _options: PartOptions;
  /** What the latest `set` passes on. */
  private readonly _changes: Changes = {};
  /** Names of the options that have ever been changed, besides masks. */
  private readonly _names: string[] = [];
  /** What `set` takes; anything that the world's tracer takes, if the world does not list its options. */
  private readonly _settings: readonly string[] | undefined;
  /** Sizes before the latest `set`. */
  private readonly _before: Shape;
  private readonly _query: Query;
  /** What the latest `set` has it ignore. */
  private readonly _ignored = new Ignored();
  private readonly _fields: ExtraFields;
  private readonly _scratch: SceneTrace;
  /** The answer that was written last, which need not be checked again: the world's tracer, or `resetTrace`, looks at its arrays. */
  private _checked: SceneTrace | undefined;
  private _isTracing = false;
  /** One number: the latest change up to which it has looked for bodies that have come and gone. */
  private readonly _seen: Float64Array = new Float64Array(1);
  /** Whether there are scenes among what it traces, whose own bodies come and go. */
  private _nests = false;
  /** Whether colliders threw at a change, and threw again while it was undone: undoing it is still to be completed. */
  private _isBroken = false;

  constructor(bodies: Bodies, mover: Mover, options: TracerOptions = {}, isBody: boolean) {
    if (!isBody) checkFilter(bodies, options);
    // A rest has nothing that is inherited, such as accessors of a class.
    const { ignore = NO_ENTITY, mask, move = 'normal', monsterClip = false, ...rest } = plainOf(options);
    const own: PartOptions = { ...rest, mask };
    this._bodies = bodies;
    this._mover = mover;
    this.shape = mover.shape;
    this._before = ownShape(mover.shape);
    this._options = own;
    this._parts = new Parts(bodies, mover, { ...own }, this._names, isBody ? 'part' : 'world');
    const monsterBox = bodies.rules.monsterBox(move);
    if (monsterBox) {
      const monster = createMover('box', { kind: 'box', ...monsterBox });
      this._monsterParts = new Parts(bodies, monster, { ...own }, this._names, 'none');
    }
    this._settings = isBody ? undefined : settingsOf(bodies.world, this._parts.world?.inner);
    this._scratch = this.createTrace();
    this._fields = new ExtraFields(this._parts.world?.inner.createTrace() ?? createSceneTrace());
    this._query = new Query(this._fields, options.epsilon ?? 0);
    this._query.setIgnore(ignore);
    this._query.mask = mask ?? -1;
    this._query.move = move;
    this._query.monsterClip = monsterClip;
    this._measure();
    this._follow();
    bodies.kinds.add(mover.kind);
    if (monsterBox) bodies.kinds.add('box');
    printAsString(this);
  }

  createTrace(): SceneTrace {
    const { world } = this._parts;
    return world ? withEntities(world.inner.createTrace()) : createSceneTrace();
  }

  _room(): Float32Array {
    this._keepUp();
    return this._query.room;
  }

  set(settings: SceneTracerSettings): this {
    this._checkNames(settings);
    const changes = settings as Changes;
    const { ignore, mask, epsilon } = settings as TracerOptions;
    this._checkIdle();
    if (ignore !== undefined) checkIgnore(ignore);
    if (mask !== undefined) checkMask(mask, 'mask');
    if (epsilon !== undefined) checkRadius(epsilon, 'epsilon');
    checkSizes(this._mover.kind, this.shape, changes);
    // What it is to ignore may have getters that throw: so it is read before anything changes.
    if (ignore !== undefined) this._ignored.setIgnore(ignore);
    if (this._takeChanges(changes)) this._change(changes);
    if (ignore !== undefined) this._query.ignoreAs(this._ignored);
    return this;
  }

  trace(start: Vec3, end: Vec3, out: SceneTrace = this.createTrace()): SceneTrace {
    if (out !== this._checked) this._checked = checkTrace(out, 'out');
    this._begin(start, end);
    try {
      this._run(out);
    } finally {
      this._end();
    }
    return out;
  }

  blocked(start: Vec3, end: Vec3): boolean {
    this._begin(start, end);
    try {
      if (this._isBroken) this._mend();
      const { _query: query, _scratch: nothing } = this;
      const { world } = this._parts;
      if (world?.tracer.blocked(query.start, query.end)) return true;
      // While nothing is in the way, no rules stop early; and once something is in the way, none forget it.
      resetTrace(nothing);
      for (let k = 0; k < 3; k++) nothing.endPos[k] = query.end[k]!;
      const count = this._bodies.rules.begin(query, nothing);
      for (let k = 0; k < count; k++) {
        const part = this._partOf(query.found[k]!);
        if (part.tracer.blocked(query.start, query.end)) return true;
      }
      return false;
    } finally {
      this._end();
    }
  }

  traceBatch(segments: Float32Array): SceneTraceBatch;
  traceBatch<B extends TraceBatch<never>>(segments: Float32Array, out: B): B;
  traceBatch(segments: Float32Array, out?: TraceBatch<never>): TraceBatch<never> {
    const count = checkSegments(segments, undefined, false);
    const { arrays, store } = this._fields;
    if (out !== undefined) checkBatch(out, arrays, segments);
    const batch = out ?? createSceneTraceBatch(count);
    traceEach(this, segments, batch, this._scratch, store);
    // A collider of the caller's own may have transferred it meanwhile: arrays that are gone take answers without a word.
    checkSegments(segments, batch, false);
    checkBatch(batch, arrays, segments);
    return batch;
  }

  blockedBatch(segments: Float32Array, out?: Uint8Array): Uint8Array {
    const tests = blockedEach(this, segments, out);
    checkTests(segments, tests, false);
    return tests;
  }

  toString(): string {
    const { count, rules } = this._bodies;
    return `SceneTracer { ${showShape(this.shape)}, ${bodiesText(count)}, rules ${rules.name} }`;
  }

  /** Computes how much room is needed for the shape as asked for, and for what the parts really move. */
  private _measure(): void {
    const { box, room } = this._query;
    writeBox(this.shape, box);
    room.fill(0);
    this._parts.widen(room);
    this._monsterParts?.widen(room);
    this._query.measure();
  }

  /** Makes all tracers of colliders again, with the settings of this one. */
  private _mend(): void {
    this._isBroken = true;
    this._parts.remake(this._options);
    this._monsterParts?.remake(this._options);
    this._measure();
    this._isBroken = false;
  }

  /** Looks for bodies that have come and gone, if there may be any. */
  private _keepUp(): void {
    if (this._nests || this._seen[0] !== this._bodies.latestSwap[0]) this._follow();
  }

  /** Takes in bodies that have come and gone since it last looked. If a collider throws, it will look again. */
  private _follow(): void {
    const { _bodies: bodies, _seen: seen, _query: query } = this;
    bodies.nesting.check();
    this._isTracing = true;
    bodies.busy++;
    try {
      this._parts.follow(seen[0]!, query.room);
      this._monsterParts?.follow(seen[0]!, query.room);
      this._nests = this._parts.nests || (this._monsterParts?.nests ?? false);
      seen[0] = bodies.latestSwap[0]!;
    } finally {
      query.measure();
      this._end();
    }
  }

  /** Checks and copies the ends, which may lie in the answer that is about to be overwritten. */
  private _begin(start: Vec3, end: Vec3): void {
    if (this._isTracing) this._checkIdle();
    if (start instanceof Float32Array && end instanceof Float32Array) this._take(start, end);
    else {
      takeFloats(start, end);
      this._take(MOVE_START, MOVE_END);
    }
    this._keepUp();
    this._isTracing = true;
    this._bodies.busy++;
  }

  private _take(start: Float32Array, end: Float32Array): void {
    const { start: from, end: to } = this._query;
    from[0] = start[0]!;
    from[1] = start[1]!;
    from[2] = start[2]!;
    to[0] = end[0]!;
    to[1] = end[1]!;
    to[2] = end[2]!;
    const sum = from[0]! + from[1]! + from[2]! + to[0]! + to[1]! + to[2]!;
    // x - x is 0 only for finite numbers; which one is wrong is looked up only when one is.
    if (sum - sum !== 0) checkMove(start, end);
  }

  private _end(): void {
    this._isTracing = false;
    this._bodies.busy--;
  }

  private _checkIdle(): void {
    if (this._isTracing) throw new Error('a collider cannot use the scene tracer that is tracing it');
  }

  private _run(out: SceneTrace): void {
    const { _query: query, _bodies: bodies } = this;
    const { rules } = bodies;
    if (this._isBroken) this._mend();
    this._traceWorld(out);
    const count = rules.begin(query, out);
    for (let k = 0; k < count; k++) {
      const body = query.found[k]!;
      const part = this._partOf(body);
      const trace = part.tracer.trace(query.start, query.end, part.out);
      checkFilled(trace, part.out);
      if (!rules.merge(query, trace, body, out)) break;
    }
    rules.finish(query, out);
  }

  private _traceWorld(out: SceneTrace): void {
    const { start, end } = this._query;
    const { world } = this._parts;
    if (world) checkFilled(world.tracer.trace(start, end, out), out);
    else {
      resetTrace(out);
      for (let k = 0; k < 3; k++) out.endPos[k] = end[k]!;
    }
    out.startEntity = out.startSolid ? WORLD_ENTITY : NO_ENTITY;
  }

  private _partOf(body: number): Part {
    const { _monsterParts: monsters } = this;
    if (monsters && (this._bodies.classes[body]! & MONSTER) !== 0) return monsters.at(body);
    return this._parts.at(body);
  }

  /** Throws for settings that the world's own tracer does not have either. */
  private _checkNames(settings: object): void {
    if (this._settings) checkOptions(settings, this._settings, 'settings');
    else {
      checkObject(settings, 'settings');
      const { move, monsterClip } = settings as SceneFilter;
      if (move !== undefined || monsterClip !== undefined) checkOptions({ move, monsterClip }, SETTINGS);
    }
  }

  /**
   * Takes the changes that are to be passed on. Returns whether there are any: servers give every move its mask and its size, which
   * are mostly those of the move before, and colliders of many bodies are told of a change.
   */
  private _takeChanges(changes: Changes): boolean {
    const { _changes: told, _names: names, _options: options, shape } = this;
    for (let k = 0; k < names.length; k++) told[names[k]!] = undefined;
    told.mask = changes.mask === options.mask ? undefined : changes.mask;
    let isAny = told.mask !== undefined;
    for (const name in changes) {
      if (SETTINGS.includes(name) || changes[name] === undefined) continue;
      told[name] = changes[name];
      isAny = true;
      if (names.includes(name)) continue;
      names.push(name);
      // So that undoing a change takes away what has never been given.
      if (!Object.hasOwn(options, name)) options[name] = undefined;
    }
    const isResized = !hasSizes(shape, changes);
    const { radius, radii, mins, maxs } = isResized ? changes : NO_SIZES;
    told.radius = radius;
    // Not the given arrays: they may be those of this very shape, which changes before colliders read them.
    if ('radii' in shape) told.radii = radii && shape.radii;
    if ('mins' in shape) {
      told.mins = mins && shape.mins;
      told.maxs = maxs && shape.maxs;
    }
    return isAny || isResized;
  }

  /** Passes on what {@link PartsTracer._takeChanges} has taken. If a collider throws, everything is as it was. */
  private _change(sizes: Sizes): void {
    const { _changes: told, _names: names, _options: options, shape, _query: query } = this;
    this._keepUp();
    resizeShape(this._before, shape as Sizes);
    this._isTracing = true;
    this._bodies.busy++;
    try {
      if (this._isBroken) this._mend();
      resizeShape(shape, sizes);
      this._parts.change(told);
      this._monsterParts?.change(told);
      this._measure();
    } catch (error) {
      resizeShape(shape, this._before as Sizes);
      this._mend();
      throw error;
    } finally {
      this._end();
    }
    for (let k = 0; k < names.length; k++) options[names[k]!] = told[names[k]!] ?? options[names[k]!];
    options.mask = told.mask ?? options.mask;
    if (told.mask !== undefined) query.mask = told.mask;
    if (told.epsilon !== undefined) query.epsilon = told.epsilon as number;
  }
}

/** The scene's own options, and what `set` takes. */
const FILTER: readonly string[] = ['mask', 'ignore', 'move', 'monsterClip'];
const SETTINGS: readonly string[] = ['mask', 'ignore', 'radius', 'radii', 'mins', 'maxs'];

/** Names of the options that a scene's tracers have for its world; `undefined` for any, as for a world that does not list its own. */
const worldOptions = (world: Collider | undefined): readonly string[] | undefined =>
  // Without a world, the options are those of our own bodies.
  world ? world.traceOptions : ['epsilon'];

/** What `set` takes; `undefined` for whatever the world's tracer takes. */
function settingsOf(world: Collider | undefined, tracer: Tracer | undefined): readonly string[] | undefined {
  // A tracer that cannot be changed is made again for new sizes and masks alone.
  const known = tracer && !isChangeable(tracer) ? [] : worldOptions(world);
  return known && [...new Set([...SETTINGS, ...known])];
}

/** Throws for options that are out of range, or that the scene's rules do not have. */
function checkFilter({ rules, world }: Bodies, options: TracerOptions): void {
  const known = worldOptions(world);
  // Some are options of both; an error lists them once.
  if (known) checkOptions(options, [...new Set([...FILTER, ...known])]);
  else checkObject(options, 'options');
  const { mask, ignore, epsilon, move, monsterClip } = options;
  checkFlag(monsterClip, 'monsterClip');
  if (mask !== undefined) checkMask(mask, 'mask');
  if (ignore !== undefined) checkIgnore(ignore);
  if (epsilon !== undefined) checkRadius(epsilon, 'epsilon');
  if (move !== undefined) checkChoice(move, 'move', ['normal', 'no-monsters', 'missile']);
  for (const name of ['move', 'monsterClip'] as const) {
    if (options[name] === undefined || rules.options.includes(name)) continue;
    throw new TypeError(`rules '${rules.name}' have no option ${showValue(name)}`);
  }
}
