import * as compareApi from '@bspkit/compare';
import * as core from '@bspkit/core';
import { createFlagNames } from '@bspkit/core/format';
import { arenaQuake1, arenaQuake2, arenaQuake3, houseUfoai } from '@bspkit/fixtures';
import * as quake1Api from '@bspkit/quake1';
import * as quake2Api from '@bspkit/quake2';
import * as quake3Api from '@bspkit/quake3';
import * as sceneApi from '@bspkit/scene';
import * as ufoaiApi from '@bspkit/ufoai';
import * as umbrella from 'bspkit';
import * as pool from 'bspkit/pool';
import { describe, expect, it } from 'vitest';
import {
  type Argument,
  argument,
  type Call,
  callback,
  choice,
  createSubjects,
  EMPTY,
  few,
  finite,
  flag,
  index,
  mask,
  optional,
  options,
  point,
  record,
  type Signatures,
  size,
  text,
} from '../src/arguments.ts';

const subjects = createSubjects();
const { calls, missing, subject, flawsOf, flawsOfAsync } = subjects;

const bounds = record({ mins: point([0, 0, 0]), maxs: point([9, 9, 9]) });
const pose = options({ origin: point(), angles: point() });
const segments = argument(() => new Float32Array(12));
const batch = argument(() => core.createTraceBatch(2));
const tests = argument(() => new Uint8Array(2));
const someTracer = argument(() => sceneApi.createBody({ kind: 'sphere', radius: 4 }).ray());
const fields = argument(() => ['fraction'], ['empty array']);
const batchOptions = options({ fields, shared: flag });

/** Part of an answer: any three numbers can be written over whatever it holds. */
const written = {
  ...argument(() => new Float32Array(3), ['array of nulls', 'array of NaN', 'array of texts']),
  aliases: ['out', 'trace'],
};

/** An answer, which may hold more than it must. */
const answer = (value: () => unknown): Argument => ({
  ...record({ endPos: written, normal: written }),
  value,
  aliases: ['out', 'trace'],
});

/** What tracers of all kinds have. */
const tracing = (tracer: core.Tracer): Signatures => ({
  createTrace: null,
  trace: { start: point(), end: point([9, 9, 9]), out: optional(answer(() => tracer.createTrace())) },
  blocked: { start: point(), end: point([9, 9, 9]) },
  traceBatch: { segments, out: optional(batch) },
  blockedBatch: { segments, out: optional(tests) },
  place: { pose: { ...pose, accepts: EMPTY } },
});

const settings = (keys: Readonly<Record<string, Argument>>): Signatures[string] => ({
  settings: { ...options(keys), accepts: EMPTY },
});

function tracer(name: string, self: core.Tracer, keys: Readonly<Record<string, Argument>> = {}): void {
  subject(name, self, { ...tracing(self), set: settings(keys) });
}

const corners = { mins: point([-4, -4, -4]), maxs: point([4, 4, 4]) };
const trace = answer(() => core.createTrace());
/** Any object may have the keys of an entity. */
const entity = argument(() => ({ classname: 'x' }), [...EMPTY, 'short Float32Array']);

const shared = options({ shared: flag });
const arena = arenaQuake3();
const bytes = argument(() => arena);
const reader = { bytes };

const meshOptions = options({
  by: choice('brush'),
  mask,
  patchLevel: argument(() => 4, ['five']),
});
const light = {
  brightness: argument(() => 1, ['five', 'half']),
  styles: argument(() => [1], ['empty array', 'short array', 'short Float32Array']),
};
const lightmapOptions = options(light);

const COMMON: Signatures = {
  BspError: null,
  copyTrace: { from: trace, to: trace },
  createTrace: null,
  createTraceBatch: { count: argument(() => 2, ['five']), options: batchOptions },
  entityModel: { entity },
  entityVector: { entity, key: text },
  resetTrace: { out: trace },
};

/** Not a function of ours in the list of a module: what it takes from core, or something that is not a function. */
const NAMES: Signatures = {
  names: { bits: mask },
  bits: {
    names: { ...argument(() => '1', ['text of digits', 'empty array', 'array of texts']), aliases: ['name'] },
  },
};

// core

subject(
  'core',
  { ...core },
  {
    ...COMMON,
    blockedEach: { tracer: someTracer, segments, out: optional(tests) },
    checkSegments: { segments, out: optional(batch) },
    checkTests: { segments, out: optional(tests) },
    defineTracer: {
      parts: record({
        shape: record({ kind: choice('ray') }),
        trace: callback,
        createTrace: optional(argument(() => core.createTrace)),
        blocked: optional(callback),
        traceBatch: optional(callback),
        blockedBatch: optional(callback),
      }),
    },
    isBlocked: { trace },
    // Of text that does not parse, a BspError tells.
    parseEntities: { text: argument(() => '{}', ['empty text', 'text', 'text of digits']), format: text },
    storeTrace: { batch, index: few(1), trace },
    traceEach: { tracer: someTracer, segments, out: optional(batch) },
  },
);
subject('FlagNames', createFlagNames({ solid: 1 }), {
  ...NAMES,
  bits: {
    names: {
      ...argument(() => 'solid', ['text of digits', 'empty array', 'array of texts']),
      aliases: ['name'],
    },
  },
});
tracer('defined tracer', core.defineTracer({ shape: { kind: 'ray' }, trace: (_start, _end, out) => out }));

// quake1

const quake1File = quake1Api.readQuake1(arenaQuake1());
const isQuake1File = argument(() => quake1File);
const quake1 = quake1Api.createQuake1World(quake1File);
const quake1Rules = { rules: choice('quake') };
const quake1Placed = options({ ...quake1Rules, origin: point(), angles: point() });
const inside = { water: flag, slime: flag, lava: flag, sky: flag };
const hull = argument(() => 1);
const isQuake1World = argument(() => quake1);

subject(
  'quake1',
  { ...quake1Api },
  {
    ...COMMON,
    Quake1World: null,
    boxEntity: corners,
    brushList: { file: argument(() => quake1File) },
    createHullTrace: null,
    createNote: { world: isQuake1World, options: options(inside) },
    createQuake1World: { file: argument(() => quake1File), options: shared },
    distanceToSolid: {
      world: isQuake1World,
      center: point(),
      max: optional(argument(() => 5, ['five', 'half', 'huge', 'Infinity'])),
      options: options(inside),
    },
    explain: { tracer: argument(() => quake1.ray()), start: point(), end: point() },
    hullBounds: { version: argument(() => 29) },
    hullForSize: { version: argument(() => 29), width: size, height: size },
    hullPolygons: { target: isQuake1World, hull },
    leafPolygons: { world: isQuake1World, leaf: index },
    brushPolygons: { file: isQuake1File, options: options({ mask }) },
    createPalette: null,
    embeddedTextures: {
      file: isQuake1File,
      options: options({ palette: argument(() => new Uint8Array(768)) }),
    },
    lightmaps: { file: isQuake1File, options: lightmapOptions },
    mesh: { file: isQuake1File, options: meshOptions },
    playerHull: { usehull: argument(() => 1) },
    pointContents: {
      world: isQuake1World,
      point: point(),
      liquids: optional(argument(() => [], ['empty array'])),
    },
    polygons: { target: isQuake1World },
    readQuake1: reader,
    sphereInsideExact: { world: isQuake1World, center: point(), radius: size, options: options(inside) },
    surfaceAt: { world: isQuake1World, trace },
  },
);
const quake1Factories = (given: Argument, precise: Argument): Signatures => ({
  hull: { hull, options: given },
  box: { ...corners, options: given },
  ray: { options: given },
  preciseRay: { options: precise },
});
subject('Quake1World', quake1, {
  ...quake1Factories(options(quake1Rules), options(inside)),
  entities: null,
  textureNames: null,
  model: { number: few(1) },
  leaf: { point: point() },
  contents: { point: point() },
  leafContents: { point: point() },
  hullContents: { hull, point: point() },
  isInside: { point: point(), options: options(inside) },
  sphereInside: { center: point(), radius: size, options: options(inside) },
  visible: { from: index, to: index },
  pathUnblocked: { start: point(), end: point() },
  sight: { start: point(), end: point() },
});
subject(
  'Quake1Model',
  quake1.model(1),
  quake1Factories(quake1Placed, options({ ...inside, origin: point(), angles: point() })),
);
subject('Quake1BoxEntity', quake1Api.boxEntity([0, 0, 0], [1, 1, 1]), {
  resize: corners,
  box: { ...corners, options: quake1Placed },
  ray: { options: quake1Placed },
});
subject('Note', quake1Api.createNote(quake1), {
  pointLocate: { point: point() },
  pointIsInside: { point: point() },
  sphereIsInside: { center: point(), radius: size },
  rayIntersect: { origin: point(), direction: point(), min: finite, max: finite },
  pathUnblocked: { start: point(), end: point() },
});
tracer('Quake 1 hull', quake1.hull(1), quake1Rules);
tracer('Quake 1 box', quake1.box([0, 0, 0], [1, 1, 1]), { ...quake1Rules, ...corners });
tracer('Quake 1 precise ray', quake1.preciseRay(), inside);
tracer('Quake 1 model', quake1.model(1).hull(1), quake1Rules);
tracer('Quake 1 precise ray of a model', quake1.model(1).preciseRay(), inside);
tracer('Quake 1 box entity', quake1Api.boxEntity([0, 0, 0], [1, 1, 1]).ray(), { ...quake1Rules, ...corners });
subject('Quake 1 contents', quake1Api.contentsNames, {
  // Contents are numbers there, not bits, of which any below 0 may come up in a map of a mod.
  names: { contents: mask },
  bits: { names: { ...argument(() => 'water', ['text of digits']), aliases: ['name'] } },
});

// ufoai

const ufoaiFile = ufoaiApi.readUfoai(houseUfoai());
const ufoai = ufoaiApi.createUfoaiWorld(ufoaiFile);
const other = ufoaiApi.createUfoaiWorld(ufoaiFile);
const isUfoaiWorld = argument(() => ufoai);
const isUfoaiFile = argument(() => ufoaiFile);
const routing = ufoaiApi.readRouting(ufoaiFile);
const isRouting = argument(() => routing);
const reach = ufoaiApi.createReach();
const routingWork = ufoaiApi.createRoutingWork(ufoaiFile);
const routingPart = routingWork.part(0, routingWork.rows);
const UMP = 'tile +a { 3 3 0 0 0 0 +a 0 0 0 0 } assembly text { size "1 1" +a "1 1" }';
const isUmp = argument(() => ufoaiApi.readUmp(UMP));
const umpText = { ...text, value: () => UMP };
const cell = point([130, 130, 1]);
const filter = { levels: mask, mask, reject: mask };
const compat = choice('engine');
const models = argument(() => ufoai.models(), ['empty array']);
const ufoaiOptions = options({ ...filter, tile: few(0), models, compat });
const limit = argument(() => 1, ['five', 'half', 'huge', 'Infinity']);
const modelOptions = options({ ...filter, compat, limit, shift: flag });
const lineFilter = { levels: mask, actorClip: flag, weaponClip: flag, lightClip: flag };
const quirks = options({ phantomHeads: flag, maskBits: flag, maskIgnored: flag, entities: flag });

subject(
  'ufoai',
  { ...ufoaiApi },
  {
    ...COMMON,
    UfoaiWorld: null,
    assembleTiles: {
      ump: isUmp,
      options: options({
        assembly: text,
        seed: mask,
        variables: argument(() => ({}), [...EMPTY, 'short Float32Array']),
        multiplayer: flag,
        limit: argument(() => 1000, ['five', 'huge']),
      }),
    },
    cellSight: {
      world: isUfoaiWorld,
      from: point(),
      to: point(),
      options: options({ ...lineFilter, eye: finite, heights: argument(() => [1, 2], ['short array']) }),
    },
    cellToWorld: { cell: point() },
    computeRouting: { file: isUfoaiFile, options: options({ onProgress: callback }) },
    createPathfinder: { routing: isRouting, size: optional(few(1)) },
    createReach: null,
    createRerouter: { world: isUfoaiWorld, models, routing: isRouting },
    createRoutingWork: { file: isUfoaiFile },
    createUfoaiWorld: {
      maps: { ...isUfoaiFile, aliases: ['file', 'tile', 'tiles'] },
      options: shared,
    },
    encodeRouting: { routing: isRouting },
    explain: { tracer: argument(() => ufoai.ray()), start: point(), end: point() },
    heads: { world: isUfoaiWorld },
    joinRouting: {
      world: isUfoaiWorld,
      files: { ...argument(() => [ufoaiFile]), aliases: ['file'] },
      options: options({ onProgress: callback }),
    },
    joinRoutingParts: { parts: argument(() => [routingPart]) },
    leafPolygons: { world: isUfoaiWorld, leaf: index },
    brushPolygons: { file: isUfoaiFile, options: options({ mask }) },
    lightmaps: { file: isUfoaiFile, options: options({ ...light, night: flag }) },
    mesh: { file: isUfoaiFile, options: meshOptions },
    levelList: { mask },
    levelOf: { z: finite },
    levels: { level: argument(() => 1, ['five']) },
    levelsBetween: { z0: finite, z1: finite },
    polygons: { target: isUfoaiWorld, options: options({ levels: mask, clips: flag, tile: few(0) }) },
    readRouting: { file: isUfoaiFile },
    readUfoai: reader,
    readUmp: { text: umpText, options: options({ extend: callback }) },
    surfaceAt: { world: isUfoaiWorld, trace },
    worldToCell: { point: point() },
  },
);
subject('UfoaiWorld', ufoai, {
  line: { options: options({ ...lineFilter, models, compat: { ...quirks, accepts: EMPTY } }) },
  sight: { start: point(), end: point() },
  box: { ...corners, options: ufoaiOptions },
  ray: { options: ufoaiOptions },
  model: { number: few(1) },
  models: null,
  entities: { tile: optional(few(0)) },
  textureNames: { tile: optional(few(0)) },
  contents: { point: point(), levels: optional(mask) },
});
subject('UfoaiModel', ufoai.model(1), {
  place: { pose: { ...pose, accepts: EMPTY } },
  box: { ...corners, options: modelOptions },
  ray: { options: modelOptions },
  line: { options: modelOptions },
});
tracer('UFO:AI box', ufoai.box([0, 0, 0], [1, 1, 1]), { ...filter, ...corners });
tracer('UFO:AI line', ufoai.line(), lineFilter);
tracer('UFO:AI model', ufoai.model(1).box([0, 0, 0], [1, 1, 1]), { ...filter, ...corners, limit });
const pathfinder = ufoaiApi.createPathfinder(routing);
const intoReach = { ...optional(argument(() => reach)), aliases: ['what createReach has made'] };
const timeLimit = argument(() => 4, ['five', 'minus one']);
subject('UFO:AI pathfinder', pathfinder, {
  reach: {
    start: cell,
    options: options({ limit: timeLimit, held: argument(() => [1, 1, 0, 1], ['empty array']) }),
    out: intoReach,
  },
  reachFar: {
    start: cell,
    target: cell,
    options: options({ limit: timeLimit, crouched: flag }),
    out: intoReach,
  },
});
subject('UFO:AI reach', pathfinder.reach([130, 130, 1]), {
  cost: { cell, crouched: flag },
  way: { cell, crouched: flag },
});
subject('UFO:AI routing work', routingWork, {
  part: { first: argument(() => 0, ['five']), count: argument(() => 1, ['five']) },
});
subject('UFO:AI rerouter', ufoaiApi.createRerouter(ufoai, [], routing), { update: null });
subject('UFO:AI contents', ufoaiApi.contentsNames, NAMES);

// quake2

const quake2File = quake2Api.readQuake2(arenaQuake2());
const quake2 = quake2Api.createQuake2World(quake2File);
const isQuake2World = argument(() => quake2);
const isQuake2File = argument(() => quake2File);
const quake2Options = options({ mask });
const quake2Placed = options({ mask, origin: point(), angles: point() });
const oneCluster = { cluster: argument(() => 0, ['minus one']) };
const twoClusters = { from: argument(() => 0, ['minus one']), to: argument(() => 0, ['minus one']) };
const ofHead = { node: argument(() => 0, ['five', 'minus one']), ...oneCluster };
const brushFilter = options({ mask });

subject(
  'quake2',
  { ...quake2Api },
  {
    ...COMMON,
    Quake2World: null,
    boxEntity: corners,
    createQuake2World: { file: isQuake2File, options: shared },
    explain: { tracer: argument(() => quake2.ray()), start: point(), end: point() },
    leafPolygons: { world: isQuake2World, leaf: index, options: brushFilter },
    brushPolygons: { file: isQuake2File, options: brushFilter },
    lightmaps: { file: isQuake2File, options: lightmapOptions },
    mesh: { file: isQuake2File, options: meshOptions },
    polygons: { target: isQuake2World, options: brushFilter },
    readQuake2: reader,
    surfaceAt: { world: isQuake2World, trace },
  },
);
subject('Quake2World', quake2, {
  ray: { options: quake2Options },
  box: { ...corners, options: quake2Options },
  entities: null,
  textureNames: null,
  model: { number: few(1) },
  leaf: { point: point() },
  contents: { point: point() },
  cluster: { leaf: index },
  area: { leaf: index },
  boxLeafs: corners,
  headNode: corners,
  clusterPvs: oneCluster,
  clusterPhs: oneCluster,
  clusterVisible: twoClusters,
  clusterHearable: twoClusters,
  visible: { from: index, to: index },
  hearable: { from: index, to: index },
  headVisible: ofHead,
  headHearable: ofHead,
  setAreaPortal: { portal: few(0), open: flag },
  areasConnected: { a: few(0), b: few(0) },
  areaBits: { area: few(0) },
  sight: { start: point(), end: point() },
});
const quake2Model = { ray: { options: quake2Placed }, box: { ...corners, options: quake2Placed } };
subject('Quake2Model', quake2.model(1), { ...quake2Model, contents: { point: point(), pose } });
subject('Quake2BoxEntity', quake2Api.boxEntity([0, 0, 0], [1, 1, 1]), {
  ...quake2Model,
  resize: corners,
  contents: { point: point(), pose: options({ origin: point() }) },
});
tracer('Quake 2 ray', quake2.ray(), { mask });
tracer('Quake 2 box', quake2.box([0, 0, 0], [1, 1, 1]), { mask, ...corners });
tracer('Quake 2 model', quake2.model(1).box([0, 0, 0], [1, 1, 1]), { mask, ...corners });
tracer('Quake 2 box entity', quake2Api.boxEntity([0, 0, 0], [1, 1, 1]).ray(), { mask });
subject('Quake 2 contents', quake2Api.contentsNames, NAMES);

// quake3

const quake3File = quake3Api.readQuake3(arena);
const quake3 = quake3Api.createQuake3World(quake3File);
const isQuake3World = argument(() => quake3);
const quake3Filter = { mask, epsilon: size, curves: flag };
const quake3Options = options(quake3Filter);
const quake3Placed = options({ ...quake3Filter, origin: point(), angles: point() });
const capsule = (given: Argument): Signatures[string] => ({ ...corners, options: given });
const round = (given: Argument): Signatures => ({
  ray: { options: given },
  sphere: { radius: size, options: given },
  box: { ...corners, options: given },
  capsule: capsule(given),
});

subject(
  'quake3',
  { ...quake3Api },
  {
    ...COMMON,
    Quake3World: null,
    boxEntity: corners,
    createQuake3World: { file: argument(() => quake3File), options: shared },
    createTutorial: { world: isQuake3World },
    exactSphere: { target: isQuake3World, radius: size, options: quake3Options },
    explain: { tracer: argument(() => quake3.ray()), start: point(), end: point() },
    leafPolygons: { world: isQuake3World, leaf: index },
    brushPolygons: { file: argument(() => quake3File), options: options({ mask }) },
    lightmaps: { file: argument(() => quake3File), options: lightmapOptions },
    mesh: { file: argument(() => quake3File), options: meshOptions },
    patches: { world: isQuake3World },
    polygons: { target: isQuake3World },
    readQuake3: reader,
    surfaceAt: { world: isQuake3World, trace },
  },
);
subject('Quake3World', quake3, {
  ...round(quake3Options),
  entities: null,
  textureNames: null,
  model: { number: few(1) },
  leaf: { point: point() },
  contents: { point: point() },
  cluster: { leaf: index },
  area: { leaf: index },
  boxLeafs: corners,
  // As in the engine, a cluster that does not exist gets the row of cluster 0.
  clusterPvs: { cluster: argument(() => 1, ['five', 'minus one']) },
  clusterVisible: { from: few(0), to: few(0) },
  visible: { from: index, to: index },
  sight: { start: point(), end: point() },
});
subject('Quake3Model', quake3.model(1), { ...round(quake3Placed), contents: { point: point(), pose } });
subject('Quake3BoxEntity', quake3Api.boxEntity([0, 0, 0], [1, 1, 1]), {
  ...round(quake3Placed),
  resize: corners,
});
subject('Tutorial', quake3Api.createTutorial(quake3), {
  traceRay: { start: point(), end: point() },
  traceSphere: { start: point(), end: point(), radius: size },
  traceBox: { start: point(), end: point(), ...corners },
});
tracer('Quake 3 ray', quake3.ray(), quake3Filter);
tracer('Quake 3 sphere', quake3.sphere(4), { ...quake3Filter, radius: size });
tracer('Quake 3 model', quake3.model(1).box([0, 0, 0], [1, 1, 1]), { ...quake3Filter, ...corners });
tracer('Quake 3 box entity', quake3Api.boxEntity([0, 0, 0], [1, 1, 1]).ray(), quake3Filter);
tracer('exact sphere', quake3Api.exactSphere(quake3, 4), { ...quake3Filter, radius: size });
subject('Quake 3 contents', quake3Api.contentsNames, NAMES);

// scene

const body = sceneApi.createBody({ kind: 'box', mins: [-4, -4, -4], maxs: [4, 4, 4] });
const bodyShape = record({ kind: argument(() => 'sphere'), radius: size });
const scene = sceneApi.createScene(quake3);
const door = scene.add(quake3.model(1));
for (let k = 0; k < 9; k++) scene.add(body);
/** Number of a body: there is one of number 5. */
const number = argument(() => door, ['five']);
const ignore = argument(() => door, ['five', 'minus one', 'map of nothing']);
const sceneFilter = { mask, ignore, epsilon: size, curves: flag };
const bodyOptions = {
  origin: point(),
  angles: point(),
  contents: mask,
  bounds,
  solid: choice('box'),
  owner: argument(() => 1, ['five', 'minus one']),
  monster: flag,
  item: flag,
  pushable: flag,
  monsterClip: flag,
};
const bodyTrace = options({ mask, epsilon: size });

subject(
  'scene',
  { ...sceneApi },
  {
    clientBox: corners,
    createBody: { shape: bodyShape, options: options({ contents: mask }) },
    // A collider is any object: what it cannot be traced with is said when a tracer is asked for.
    createScene: {
      world: optional(argument(() => quake3, [...EMPTY, 'short Float32Array'])),
      options: options({ rules: choice('nearest') }),
    },
    createSceneTrace: null,
    createSceneTraceBatch: { count: argument(() => 2, ['five']), options: batchOptions },
    withPose: { tracer: argument(() => quake3.ray()) },
  },
);
subject('Scene', scene, {
  add: {
    collider: argument(() => sceneApi.createBody({ kind: 'sphere', radius: 4 })),
    options: options(bodyOptions),
  },
  move: { body: number, changes: { ...options(bodyOptions), accepts: EMPTY } },
  remove: { body: argument(() => scene.add(body), ['five']) },
  has: { body: argument(() => 1, ['five', 'minus one']) },
  body: { body: number },
  touching: { area: bounds, mask, out: argument(() => new Int32Array(4)) },
  contents: { point: point() },
  ray: { options: options(sceneFilter) },
  sphere: { radius: size, options: options(sceneFilter) },
  box: { ...corners, options: options(sceneFilter) },
  capsule: { ...corners, options: options(sceneFilter) },
  // Maps have no ellipsoids of their own, so that options are not looked at.
  ellipsoid: { radii: point([4, 4, 4]) },
  hull: { hull: argument(() => undefined) },
  line: null,
});
subject('Body', body, { ...round(bodyTrace), resize: { shape: bodyShape } });
tracer('tracer of a body', body.ray(), { mask, epsilon: size });
tracer('tracer with a pose', sceneApi.withPose(quake3.ray()), quake3Filter);
tracer('tracer of a scene', scene.ray(), { mask, ignore });
tracer('sphere of a scene', scene.sphere(4), { mask, ignore, radius: size });

// compare

const space = { bounds };
const seed = argument(() => 1, ['five', 'minus one']);
const count = argument(() => 2, ['five']);
const open = argument(() => () => true, ['function']);
const entries = argument(() => [{ name: 'a', tracer: quake3.ray() }]);
const report = compareApi.compare([{ name: 'a', tracer: quake3.ray() }], new Float32Array(12), { rounds: 0 });
const generator = (keys: Readonly<Record<string, Argument>>): Argument => {
  const needed = record({ ...space, ...keys }, true);
  return { ...needed, keys: { ...needed.keys, seed: optional(seed) } };
};

subject(
  'compare',
  { ...compareApi },
  {
    batchRunnerOf: { tracer: argument(() => quake3.ray()), options: options({ fields }) },
    compare: {
      entries,
      queries: argument(() => new Float32Array(12)),
      options: options({
        tolerance: size,
        distance: size,
        sides: choice('any'),
        worst: argument(() => 0, ['five', 'huge']),
        rounds: argument(() => 0, ['five']),
        roundTime: argument(() => 0, ['five', 'half']),
        now: argument(() => () => Date.now(), ['function']),
        heap: argument(() => () => 0, ['function']),
        explained: argument(() => 5, ['five', 'huge']),
        onProgress: callback,
      }),
    },
    comparisonJson: { comparison: argument(() => report), indent: optional(argument(() => 2, ['five'])) },
    comparisonMarkdown: { comparison: argument(() => report) },
    comparisonTable: { comparison: argument(() => report) },
    defineTracer: null,
    differenceText: {
      difference: argument(() => ({
        query: 0,
        start: [0, 0, 0],
        end: [0, 0, 0],
        kinds: [],
        gap: 0,
        first: { fraction: 1, normal: [0, 0, 0] },
        own: { fraction: 1, normal: [0, 0, 0] },
      })),
    },
    measure: {
      runners: argument(() => [(first: number, last: number): number => last - first]),
      count: argument(() => 2, ['five', 'huge']),
      options: options({
        rounds: argument(() => 0, ['five']),
        roundTime: argument(() => 0, ['five', 'half']),
        now: argument(() => () => Date.now(), ['function']),
        heap: argument(() => () => 0, ['function']),
      }),
    },
    openQueries: { count, options: generator({ open, shots: optional(argument(() => 0, ['half'])) }) },
    planeQueries: {
      count,
      options: generator({
        planes: argument(() => [{ normal: [0, 0, 1], dist: 0 }]),
        length: optional(size),
      }),
    },
    playerQueries: {
      count,
      options: generator({ tracer: argument(() => body.ray()), speed: optional(size) }),
    },
    runnerOf: { tracer: argument(() => quake3.ray()) },
    showShare: { share: argument(() => 0.5, ['half']) },
    stepQueries: { count, options: generator({ open }) },
    uniformQueries: { count, options: generator({}) },
  },
);

subject(
  'bspkit/pool',
  { ...pool },
  {
    createTracePool: {
      options: options({
        threads: argument(() => 2, ['five']),
        shared: flag,
        worker: argument(() => 'worker.js', ['empty text', 'text', 'text of digits']),
      }),
    },
    // For workers alone.
    serveTracePool: null,
    // A class, which `new` alone makes.
    TracePoolError: null,
  },
);

// The umbrella, whose functions are asynchronous and reject.

const formatList = optional(argument(() => [], ['empty array']));
const ASYNC: Signatures = {
  createWorld: {
    file: { ...argument(() => quake3File), aliases: ['format'] },
    options: options({ shared: flag }),
  },
  formatOf: { target: { ...argument(() => 'quake3'), aliases: ['format'] } },
  openBsp: { bytes, options: options({ shared: flag, format: choice('quake3'), formats: formatList }) },
  readBsp: { bytes, options: options({ formats: formatList }) },
};
subject(
  'bspkit',
  { ...umbrella },
  {
    ...Object.fromEntries(Object.keys(core).map((name) => [name, null])),
    ...Object.fromEntries(Object.keys(ASYNC).map((name) => [name, null])),
    detectBsp: { bytes },
  },
);
const asyncCalls: Call[] = [];
for (const [name, args] of Object.entries(ASYNC)) {
  const call = (umbrella as unknown as Record<string, Call['call']>)[name]!;
  if (args) asyncCalls.push({ name: `bspkit.${name}`, self: undefined, call, args });
}

describe('wrong arguments', () => {
  it('are tried with every exported function and method', () => {
    expect(missing).toEqual([]);
  });

  it.each(calls)('$name refuses them by name', (made) => {
    expect(flawsOf(made)).toEqual([]);
  });

  it.each(asyncCalls)('$name refuses them by name', async (made) => {
    expect(await flawsOfAsync(made)).toEqual([]);
  });

  it('and there were many of them', () => {
    expect(subjects.tried).toBeGreaterThan(10_000);
  });

  it('a model of another world is refused', () => {
    expect(() => ufoai.ray({ models: [other.model(1)] })).toThrow('models[0] must be a model of this world');
  });
});
