import * as quake3Api from '@bspkit/quake3';
import {
  argument,
  createSubjects,
  few,
  foreign,
  index,
  mask,
  options,
  point,
  size,
} from '../src/arguments.ts';
import { describeRefusals } from './refusals.ts';
import {
  arena,
  COMMON,
  corners,
  lighting,
  lightmapOptions,
  meshOptions,
  NAMES,
  pose,
  quake3Filter,
  reader,
  round,
  sampling,
  shared,
  trace,
  tracersInto,
} from './shared-arguments.ts';

// What functions of quake3 say to wrong arguments.

const subjects = createSubjects();
const { subject } = subjects;
const tracer = tracersInto(subjects);

const quake3File = quake3Api.readQuake3(arena);
const quake3 = quake3Api.createQuake3World(quake3File);
const isQuake3World = argument(() => quake3);
const quake3Options = options(quake3Filter);
const quake3Placed = options({ ...quake3Filter, origin: point(), angles: point() });
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
    createLightSampler: { file: argument(() => quake3File), options: options(lighting) },
    lightmaps: { file: argument(() => quake3File), options: lightmapOptions },
    mesh: { file: argument(() => quake3File), options: meshOptions },
    patches: { world: isQuake3World },
    polygons: { target: isQuake3World },
    readQuake3: reader,
    surfaceAt: { world: isQuake3World, trace },
  },
);
const [world] = quake3File.models;
const bounds = { mins: new Float32Array(3), maxs: new Float32Array(3) };
const cell = { ...quake3File, models: [{ ...world!, ...bounds }], lightGrid: new Uint8Array(8) };
const grid = quake3Api.createLightSampler(cell);
subject('Quake 3 light', grid, sampling(grid));
const area = argument(() => 0, ['minus one']);
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
  // Area -1 is that of solid: no area.
  adjustAreaPortal: { a: area, b: area, open: argument(() => true, ['true']) },
  areasConnected: { a: area, b: area },
  areaBits: { area },
  sight: { start: point(), end: point() },
});
subject('Quake3Model', quake3.model(1), { ...round(quake3Placed), contents: { point: point(), pose } });
subject('Quake3BoxEntity', quake3Api.boxEntity([0, 0, 0], [1, 1, 1]), {
  ...round(quake3Placed),
  resize: corners,
  contents: { point: point(), pose },
});
subject('Tutorial', quake3Api.createTutorial(quake3), {
  traceRay: { start: point(), end: point() },
  traceSphere: { start: point(), end: point(), radius: size },
  traceBox: { start: point(), end: point(), ...corners },
});
tracer('Quake 3 ray', quake3.ray(), { ...quake3Filter, ...foreign('radius', 'mins', 'maxs') });
tracer('Quake 3 sphere', quake3.sphere(4), { ...quake3Filter, radius: size, ...foreign('mins', 'maxs') });
tracer('Quake 3 model', quake3.model(1).box([0, 0, 0], [1, 1, 1]), {
  ...quake3Filter,
  ...corners,
  ...foreign('radius'),
});
tracer('Quake 3 box entity', quake3Api.boxEntity([0, 0, 0], [1, 1, 1]).ray(), {
  ...quake3Filter,
  ...foreign('radius', 'mins', 'maxs'),
});
tracer('exact sphere', quake3Api.exactSphere(quake3, 4), {
  ...quake3Filter,
  radius: size,
  ...foreign('mins', 'maxs'),
});
subject('Quake 3 contents', quake3Api.contentsNames, NAMES);

describeRefusals(subjects);
