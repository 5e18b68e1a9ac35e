import type { Bounds, HullWorld, Placeable, Pose, Trace, Tracer, Vec3 } from '@bspkit/core';
import {
  type BspFormat,
  type BspFormatEntry,
  suitedPresets,
  type TracerKind,
  type TracerPreset,
  type TracerValues,
  tracerKind,
  tracerOf,
} from '@bspkit/core/format';
import { between, createRandom, pick, type Random } from '@bspkit/geometry';
import { type Collider, createBody, createScene, type RulesName, withPose } from '@bspkit/scene';
import { FORMATS } from 'bspkit';
import { Hash } from './hash.ts';
import { Moves } from './moves.ts';
import { askPlayers } from './players.ts';

// Everything that answers, with seeded questions, and the results as one hash per shape. Needs only the language, so that it runs
// in every engine. It is driven by the formats' descriptors, so a new format is included.

/** A map to ask. */
export interface DeterminismMap {
  readonly format: string;
  readonly bytes: Uint8Array;
}

/** A shape, or another kind of question, against all maps of a format. */
export interface Run {
  readonly name: string;
  /** How many steps count as this many traces: fewer if a step takes long. */
  steps(count: number): number;
  /** Asks the next question. */
  step(): void;
  /** The hash of all answers so far. */
  hash(): string;
}

/** Asks one question, and hashes the answer. */
type Ask = () => void;

type World = ReturnType<BspFormat['createWorld']>;

/** Worlds have models of their own kinds. */
interface ModelSource {
  model(number: number): Collider & { readonly bounds: Bounds };
}

/** What the parts of a run share. */
interface Context {
  readonly format: BspFormat;
  readonly world: World;
  readonly random: Random;
  readonly hash: Hash;
}

/** All of them: types check that none is missing. */
const RULES = Object.keys({
  nearest: true,
  quake3: true,
  'quake3-client': true,
  quake2: true,
  'quake2-list': true,
  quake1: true,
  halflife: true,
  ufoai: true,
} satisfies Record<RulesName, true>) as readonly RulesName[];

/** Sizes for kinds that have no preset. */
const SIZES: Readonly<Record<string, readonly number[]>> = {
  number: [12],
  box: [-12, -12, -20, 12, 12, 28],
  capsule: [14, 60],
};

/** Values of options that take text, by name; masks are made of the format's own names. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  rules: ['quake1', 'quakeworld', 'halflife', 'halflife-player'],
  levels: ['1', '2,3', '4,actorClip', '0x105', 'lightClip'],
  compat: ['engine'],
  models: ['1,2', 'all'],
};

/** Worlds by format, for runs that share them. */
export type SharedWorlds = Map<string, World[]>;

/** All runs over some maps, each with worlds of its own unless some are shared. */
export async function createRuns(
  maps: readonly DeterminismMap[],
  shared?: SharedWorlds,
  formats: readonly BspFormatEntry[] = FORMATS,
): Promise<Run[]> {
  const runs: Run[] = [];
  for (const entry of formats) {
    const format: BspFormat = (await entry.load()) as never;
    const own = maps.filter(({ format: id }) => id === entry.id);
    const build = (): World[] => own.map(({ bytes }) => format.createWorld([format.read(bytes)]));
    const worlds = (): World[] => {
      const known = shared?.get(entry.id) ?? build();
      shared?.set(entry.id, known);
      return known;
    };
    const add = (name: string, share: number, parts: (context: Context) => Ask[]): void => {
      runs.push(createRun(`${format.id} ${name}`, share, format, worlds, parts));
    };
    const { kinds, presets } = format.tracers;
    for (const preset of presets) add(preset.name, 1, (context) => askPreset(context, preset));
    for (const kind of kinds.filter(({ name }) => !presets.some((preset) => preset.kind === name))) {
      const size = kind.size && SIZES[kind.size];
      const preset: TracerPreset<World> = { name: kind.name, kind: kind.name, role: 'body', measured: false };
      add(kind.name, 1, (context) => askPreset(context, size ? { ...preset, size } : preset));
    }
    if (format.boxEntity) add('box entity', 1, askBoxEntity);
    add('turned world', 1, askTurnedWorld);
    for (const rules of RULES) add(`scene ${rules}`, 1, (context) => askScene(context, rules));
    add('classification', 0.1, (context) => [askPoint(context)]);
    add('surfaces', 0.1, (context) => askPresets(context, askSurface));
    add('explanations', 0.01, (context) => askPresets(context, askExplanation));
    add('polygons', 0, (context) => [askPolygons(context)]);
    add('players', 0.1, askPlayers);
  }
  return runs;
}

/**
 * The hash of every run after each of these numbers of traces, in ascending order. Runs share worlds, as no answer depends on
 * earlier questions.
 */
export async function determine(
  maps: readonly DeterminismMap[],
  counts: readonly number[],
): Promise<Record<string, string>[]> {
  const found = counts.map((): Record<string, string> => ({}));
  for (const run of await createRuns(maps, new Map())) {
    let steps = 0;
    for (const [k, count] of counts.entries()) {
      for (const until = run.steps(count); steps < until; steps++) run.step();
      found[k]![run.name] = run.hash();
    }
  }
  return found;
}

function createRun(
  name: string,
  share: number,
  format: BspFormat,
  worlds: () => readonly World[],
  parts: (context: Context) => Ask[],
): Run {
  const hash = new Hash();
  let seed = 0;
  for (const letter of name) seed = Math.imul(seed ^ letter.charCodeAt(0), 0x01000193);
  const random = createRandom(seed);
  // Created at the first step, so that no more worlds exist at once than necessary.
  let asks: Ask[] | undefined;
  let turn = 0;
  const make = (): Ask[] => {
    const made = worlds().flatMap((world) => parts({ format, world, random, hash }));
    if (made.length === 0) {
      const where = `packages/${format.id}/test/maps`;
      throw new Error(
        `${name}: nothing to ask; ${format.id} needs maps that it can be asked in, in ${where}`,
      );
    }
    hash.number(made.length);
    return made;
  };
  return {
    name,
    steps: (count) => (share === 0 ? 3 : Math.ceil(count * share)),
    step() {
      asks ??= make();
      asks[turn++ % asks.length]!();
    },
    hash: () => hash.toString(),
  };
}

const isPlaceable = (thing: object): thing is Placeable => 'place' in thing;

function askPreset(context: Context, preset: TracerPreset<World>): Ask[] {
  const { format, world } = context;
  if (preset.suits?.(world) === false) return [];
  const kind = tracerKind(format, preset.kind);
  const make = (more: TracerValues): Tracer =>
    kind.create(world, preset.size ?? [], { ...preset.options, ...more });
  const asked = variants(format, kind, world).map((more) => {
    return askTracer(context, make(more), boundsOf(world, more.model));
  });
  const filtered = texts(format, kind, world).flatMap((more) => {
    // Some filters apply only to some shapes: levels with clips only to lines of the world.
    const tracer = attempt(() => make(more));
    return tracer ? [askTracer(context, tracer, boundsOf(world, more.model))] : [];
  });
  return [...asked, ...filtered];
}

/** The tracers of all presets, each asked in its own way. */
function askPresets(
  context: Context,
  ask: (context: Context, tracer: Tracer) => Ask | readonly Ask[],
): Ask[] {
  const { format, world } = context;
  return suitedPresets(format, world).flatMap((preset) => ask(context, tracerOf(format, world, preset)));
}

/** No options, then each option of a kind by itself, and models; for those given as text see {@link texts}. */
function variants({ tracers }: BspFormat, kind: TracerKind<World>, world: World): TracerValues[] {
  const found: TracerValues[] = [{}];
  for (const { name, type } of tracers.options.filter((option) => kind.options.includes(option.name))) {
    if (type === 'on' || type === 'off') found.push({ [name]: type === 'on' });
    if (type === 'number') found.push({ [name]: 0 }, { [name]: 1.5 });
    if (type !== 'count') continue;
    for (const model of [1, 2, 3, 5]) if (model <= world.numModels) found.push({ [name]: model });
  }
  return found;
}

/** Filters that are given as text, against the world and a model. */
function texts({ contents, tracers }: BspFormat, kind: TracerKind<World>, world: World): TracerValues[] {
  const names = Object.keys(contents.table);
  const values: Readonly<Record<string, readonly string[]>> = {
    ...TEXTS,
    mask: ['-1', ...names.slice(0, 4), names.join(',')],
  };
  return tracers.options
    .filter(({ name, type }) => type === 'text' && kind.options.includes(name))
    .flatMap(({ name }) => (values[name] ?? []).map((text) => ({ [name]: text })))
    .flatMap((value) => (world.numModels > 0 ? [value, { ...value, model: 1 }] : [value]));
}

/** The result, or `undefined` if it is refused. */
function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return undefined;
    throw error;
  }
}

/** The bounds of a world or of one of its models. */
function boundsOf(world: World, model = 0): Bounds {
  if (model === 0) return world.bounds;
  return (world as World & ModelSource).model(model).bounds;
}

/** Traces; a tracer that can be placed is moved every few times, and turned if it can turn. */
function askTracer({ random, hash }: Context, tracer: Tracer, bounds: Bounds, before?: Ask): Ask {
  const moves = new Moves(random, bounds);
  const out = tracer.createTrace();
  const fields = fieldsOf(out);
  let calls = 0;
  return () => {
    before?.();
    if (isPlaceable(tracer) && (calls & 7) === 0) tracer.place(anyPose(random));
    moves.next();
    if ((calls++ & 15) === 0) hash.value(tracer.blocked(moves.start, moves.end));
    tracer.trace(moves.start, moves.end, out);
    hashTrace(hash, out, fields);
    moves.follow(out);
  };
}

/** The names of an answer's fields, in a fixed order. */
const fieldsOf = (trace: Trace): string[] => Object.keys(trace).sort();

/** Does what `Hash.value` would, without inspecting the types of fields. */
function hashTrace(hash: Hash, trace: Trace, fields: readonly string[]): void {
  for (const field of fields) {
    const value = trace[field as keyof Trace];
    if (typeof value === 'object') for (let k = 0; k < 3; k++) hash.number(value[k]!);
    else hash.number(Number(value));
  }
}

/** Not far from the origin, turned by any angles or by one that keeps to the axes. */
function anyPose(random: Random): Required<Pose> & { origin: Vec3 } {
  const some = (reach: number): number[] => [1, 2, 3].map(() => between(random, -reach, reach));
  const origin = some(60);
  const kind = random();
  const quarter = [0, 90 * Math.floor(5 * random()), 0];
  const angles = kind < 0.25 ? [0, 0, 0] : kind < 0.4 ? quarter : some(kind < 0.95 ? 200 : 1e6);
  return { origin, angles };
}

/** A box that changes its size, traced with every shape that can hit it. */
function askBoxEntity(context: Context): Ask[] {
  const { format, random } = context;
  const entity = format.boxEntity!([-16, -16, -24], [16, 16, 32]);
  const resize = (): void => {
    const corner = (sign: number): number[] => [1, 2, 3].map(() => sign * between(random, 1, 120));
    if (random() < 0.1) entity.resize(corner(-1), corner(1));
  };
  const around = { mins: [-180, -180, -180], maxs: [180, 180, 180] };
  // If there are masks, one that includes all contents: a box may be of a kind that is not solid by default.
  const hasMask = format.tracers.options.some(({ name }) => name === 'mask');
  return shapesOf(entity, entity, hasMask ? { mask: -1 } : {}).map((tracer) =>
    askTracer(context, tracer, around, resize),
  );
}

/** Tracers that an object makes, of all shapes that another object offers, by default the same one. */
function shapesOf(thing: object, model: object = thing, options: object = {}): Tracer[] {
  const [mins, maxs] = [
    [-15, -15, -24],
    [15, 15, 32],
  ];
  const shapes: readonly (readonly [string, ...unknown[]])[] = [
    ['ray'],
    ['line'],
    ['sphere', 14],
    ['box', mins, maxs],
    ['box', [-4, -4, -4], [4, 4, 4]],
    ['capsule', mins, maxs],
    ['capsule', { radius: 10, height: 44 }],
    ...((model as Partial<HullWorld>).hulls ?? []).map((_, hull): [string, number] => ['hull', hull]),
  ];
  const makers = thing as Record<string, (...args: unknown[]) => Tracer>;
  return shapes
    .filter(([name]) => name in model)
    .map(([name, ...size]) => makers[name]!.call(thing, ...size, options));
}

function askTurnedWorld(context: Context): Ask[] {
  return shapesOf(context.world).map((tracer) => askTracer(context, withPose(tracer), context.world.bounds));
}

/** A scene with models, boxes and bodies that move. */
function askScene(context: Context, rules: RulesName): Ask[] {
  const { format, world, random, hash } = context;
  const scene = createScene(world as World & Collider, { rules });
  const tracers = shapesOf(scene, world);
  const bodies: number[] = [];
  const add = (collider: Collider): number => bodies.push(scene.add(collider, anyPose(random)));
  const { model } = world as World & Partial<ModelSource>;
  for (let k = 1; model && k <= Math.min(4, world.numModels); k++) add(model.call(world, k));
  if (format.boxEntity) add(format.boxEntity([-30, -20, -10], [40, 50, 60]) as Collider);
  const [mins, maxs] = [
    [-20, -20, -30],
    [20, 20, 40],
  ];
  add(createBody({ kind: 'box', mins, maxs }));
  add(createBody({ kind: 'sphere', radius: 40 }));
  add(createBody({ kind: 'capsule', mins, maxs }));
  const touched = new Int32Array(16);
  const move = (): void => {
    if (random() > 0.1) return;
    const { origin, angles } = anyPose(random);
    const at = Array.from(
      origin,
      (x, k) => x + between(random, world.bounds.mins[k]!, world.bounds.maxs[k]!),
    );
    scene.move(pick(random, bodies), { origin: at, angles });
    hash.number(scene.touching({ center: at, radius: 100 * random() }, -1, touched.fill(0)));
    hash.value(touched);
  };
  return tracers.map((tracer) => askTracer(context, tracer, world.bounds, move));
}

function askPoint({ format, world, random, hash }: Context): Ask {
  const moves = new Moves(random, world.bounds);
  return () => {
    moves.next();
    hash.value(format.point(world, moves.start));
    if (format.sphere) hash.value(format.sphere(world, moves.start, 64 * random()));
    if (format.sight) hash.value(format.sight(world, moves.start, moves.end));
  };
}

function askSurface({ format, world, random, hash }: Context, tracer: Tracer): Ask {
  const moves = new Moves(random, world.bounds);
  return () => {
    moves.next();
    const trace = tracer.trace(moves.start, moves.end);
    hash.value(format.surfaceAt(world, trace));
    hash.value(format.traceFields(trace));
    moves.follow(trace);
  };
}

function askExplanation({ format, world, random, hash }: Context, tracer: Tracer): Ask | Ask[] {
  // Not every tracer has an algorithm whose steps could be shown.
  if (!attempt(() => format.explain(tracer, world.bounds.mins, world.bounds.maxs))) return [];
  const moves = new Moves(random, world.bounds);
  return () => {
    moves.next();
    const { trace, steps } = format.explain(tracer, moves.start, moves.end);
    hash.value(trace);
    hash.value(steps);
    moves.follow(trace);
  };
}

function askPolygons({ format, world, hash }: Context): Ask {
  return () => hash.value(format.polygons(world).polygons());
}
