import { arenaQuake1 } from '@bspkit/fixtures';
import * as quake1Api from '@bspkit/quake1';
import {
  type Argument,
  argument,
  choice,
  createSubjects,
  few,
  finite,
  flag,
  index,
  mask,
  optional,
  options,
  point,
  type Signatures,
  size,
} from '../src/arguments.ts';
import { describeRefusals } from './refusals.ts';
import {
  COMMON,
  corners,
  light,
  lighting,
  meshOptions,
  pak,
  pose,
  reader,
  sampling,
  shared,
  trace,
  tracersInto,
} from './shared-arguments.ts';

// What functions of quake1 say about wrong arguments.

const subjects = createSubjects();
const { subject } = subjects;
const tracer = tracersInto(subjects);

const quake1File = quake1Api.readQuake1(arenaQuake1());
const isQuake1File = argument(() => quake1File);
const quake1 = quake1Api.createQuake1World(quake1File);
const quake1Rules = { rules: choice('quake1') };
const quake1Placed = options({ ...quake1Rules, origin: point(), angles: point() });
const inside = { water: flag, slime: flag, lava: flag, sky: flag };
const precisely = { ...inside, epsilon: size };
const hull = argument(() => 1);
const isQuake1World = argument(() => quake1);
const version: Argument = { ...argument(() => 29), types: ['string'] };

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
    hullBounds: { version },
    hullForSize: { version, width: size, height: size },
    hullPolygons: { target: isQuake1World, hull },
    leafPolygons: { world: isQuake1World, leaf: index },
    brushPolygons: { file: isQuake1File, options: options({ mask }) },
    createPalette: null,
    embeddedTextures: {
      file: isQuake1File,
      options: options({
        palette: argument(() => new Uint8Array(768)),
        wads: argument(() => [], ['empty array']),
      }),
    },
    createLightSampler: {
      file: isQuake1File,
      options: options({ ...lighting, lit: argument(() => Uint8Array.from([81, 76, 73, 84, 1, 0, 0, 0])) }),
    },
    lightmaps: {
      file: isQuake1File,
      options: options({ ...light, lit: argument(() => Uint8Array.from([81, 76, 73, 84, 1, 0, 0, 0])) }),
    },
    mesh: { file: isQuake1File, options: meshOptions },
    playerHull: { usehull: argument(() => 1) },
    pointContents: {
      world: isQuake1World,
      point: point(),
      liquids: optional(argument(() => [], ['empty array'])),
    },
    polygons: { target: isQuake1World },
    readPak: pak,
    readQuake1: reader,
    sphereInsideExact: { world: isQuake1World, center: point(), radius: size, options: options(inside) },
    surfaceAt: { world: isQuake1World, trace, pose },
  },
);
// All faces are dark.
const dark = quake1Api.createLightSampler({ ...quake1File, lighting: new Uint8Array(1) });
subject('Quake 1 light', dark, sampling(dark));
const full = quake1Api.createLightSampler(quake1File);
subject('full light', full, sampling(full));
const quake1Factories = (given: Argument, precise: Argument): Signatures => ({
  hull: { hull, options: given },
  box: { ...corners, options: given },
  ray: { options: given },
  preciseRay: { options: precise },
  preciseHull: { hull, options: precise },
});
subject('Quake1World', quake1, {
  ...quake1Factories(options(quake1Rules), options(precisely)),
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
  boxLeafs: corners,
  pathUnblocked: { start: point(), end: point() },
  sight: { start: point(), end: point() },
});
subject('Quake1Model', quake1.model(1), {
  ...quake1Factories(quake1Placed, options({ ...precisely, origin: point(), angles: point() })),
  contents: { point: point(), pose },
});
subject('Quake1BoxEntity', quake1Api.boxEntity([0, 0, 0], [1, 1, 1]), {
  resize: corners,
  box: { ...corners, options: quake1Placed },
  ray: { options: quake1Placed },
  contents: { point: point(), pose },
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
tracer('Quake 1 precise ray', quake1.preciseRay(), precisely);
tracer('Quake 1 model', quake1.model(1).hull(1), quake1Rules);
tracer('Quake 1 precise ray of a model', quake1.model(1).preciseRay(), precisely);
tracer('Quake 1 precise hull', quake1.preciseHull(1), precisely);
tracer('Quake 1 box entity', quake1Api.boxEntity([0, 0, 0], [1, 1, 1]).ray(), quake1Rules);
subject('Quake 1 contents', quake1Api.contentsNames, {
  // Contents are numbers there, not bits; any number below 0 may occur in the map of a mod.
  names: { contents: mask },
  bits: { names: { ...argument(() => 'water', ['five', 'minus one', 'text of digits']), aliases: ['name'] } },
});

describeRefusals(subjects);
