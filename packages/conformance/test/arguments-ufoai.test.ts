import { houseUfoai } from '@bspkit/fixtures';
import * as ufoaiApi from '@bspkit/ufoai';
import { expect, it } from 'vitest';
import {
  argument,
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
  text,
} from '../src/arguments.ts';
import { describeRefusals } from './refusals.ts';
import {
  batchOptions,
  COMMON,
  corners,
  light,
  lighting,
  meshOptions,
  NAMES,
  pose,
  reader,
  shared,
  trace,
  tracersInto,
} from './shared-arguments.ts';

// What functions of ufoai say about wrong arguments.

const subjects = createSubjects();
const { subject } = subjects;
const tracer = tracersInto(subjects);

const ufoaiFile = ufoaiApi.readUfoai(houseUfoai());
const ufoai = ufoaiApi.createUfoaiWorld(ufoaiFile);
const other = ufoaiApi.createUfoaiWorld(ufoaiFile);
const isUfoaiWorld = argument(() => ufoai);
const isUfoaiFile = argument(() => ufoaiFile);
const routing = ufoaiApi.readRouting(ufoaiFile);
const isRouting = argument(() => routing);
const packedRouting = ufoaiApi.encodeRouting(routing, { map: true });
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
const ufoaiOptions = options({ ...filter, tile: few(0), head: few(0), models, compat });
const limit = argument(() => 1, ['five', 'half', 'huge', 'Infinity']);
const modelOptions = options({ ...filter, origin: point(), angles: point(), compat, limit, shift: flag });
const lineFilter = { levels: mask, actorClip: flag, weaponClip: flag, lightClip: flag };
const quirks = options({
  phantomHeads: flag,
  maskBits: flag,
  maskIgnored: flag,
  entities: flag,
  cubes: flag,
});
const actor = record({
  cell: point(),
  stance: choice('standing'),
  size: optional(few(1)),
  eye: optional(finite),
});

subject(
  'ufoai',
  { ...ufoaiApi },
  {
    ...COMMON,
    UfoaiWorld: null,
    actorSight: { world: isUfoaiWorld, routing: isRouting, from: actor, to: actor },
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
    createRerouter: { world: isUfoaiWorld, models, routing: isRouting, options: options({ compat }) },
    createRoutingWork: { file: isUfoaiFile },
    createUfoaiTraceBatch: { count: argument(() => 2, ['five']), options: batchOptions },
    createUfoaiWorld: {
      maps: { ...isUfoaiFile, aliases: ['file', 'tile', 'tiles'] },
      options: shared,
    },
    decodeRouting: {
      bytes: argument(() => packedRouting),
      map: optional({ ...isUfoaiWorld, aliases: ['world', 'file'] }),
    },
    encodeRouting: { routing: isRouting, options: options({ map: flag }) },
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
    createLightSampler: { file: isUfoaiFile, options: options({ ...lighting, night: flag }) },
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
  line: {
    options: options({ ...lineFilter, models, compat: { ...quirks, accepts: EMPTY, types: ['string'] } }),
  },
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
  contents: { point: point(), pose },
});
tracer('UFO:AI box', ufoai.box([0, 0, 0], [1, 1, 1]), { ...filter, ...corners });
tracer('UFO:AI line', ufoai.line(), lineFilter);
tracer('UFO:AI model', ufoai.model(1).box([0, 0, 0], [1, 1, 1]), { ...filter, ...corners, limit });
const pathfinder = ufoaiApi.createPathfinder(routing);
const intoReach = { ...optional(argument(() => reach)), aliases: ['what createReach has made'] };
const timeLimit = argument(() => 4, ['five', 'minus one']);
subject('UFO:AI pathfinder', pathfinder, {
  standing: null,
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

describeRefusals(subjects);

it('a model of another world is refused', () => {
  expect(() => ufoai.ray({ models: [other.model(1)] })).toThrow(
    'models[0] must be of the same world, got one of another',
  );
});

it('a routing table of another map is refused', () => {
  const elsewhere = ufoaiApi.createUfoaiWorld([{ file: ufoaiFile, x: 1 }]);
  expect(() => ufoaiApi.createRerouter(elsewhere, [], routing)).toThrow(
    new TypeError('routing must be the table of the world, got that of another map'),
  );
});
