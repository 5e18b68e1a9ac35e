import { arenaQuake2 } from '@bspkit/fixtures';
import * as quake2Api from '@bspkit/quake2';
import { argument, createSubjects, few, foreign, index, mask, options, point } from '../src/arguments.ts';
import { describeRefusals } from './refusals.ts';
import {
  COMMON,
  corners,
  lighting,
  lightmapOptions,
  meshOptions,
  NAMES,
  pak,
  pose,
  reader,
  shared,
  trace,
  tracersInto,
} from './shared-arguments.ts';

// What functions of quake2 say to wrong arguments.

const subjects = createSubjects();
const { subject } = subjects;
const tracer = tracersInto(subjects);

const quake2File = quake2Api.readQuake2(arenaQuake2());
const quake2 = quake2Api.createQuake2World(quake2File);
const isQuake2World = argument(() => quake2);
const isQuake2File = argument(() => quake2File);
const noBox = foreign('mins', 'maxs');
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
    createLightSampler: { file: isQuake2File, options: options(lighting) },
    lightmaps: { file: isQuake2File, options: lightmapOptions },
    mesh: { file: isQuake2File, options: meshOptions },
    polygons: { target: isQuake2World, options: brushFilter },
    readPak: pak,
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
  setAreaPortal: { portal: few(0), open: argument(() => true, ['true']) },
  areasConnected: { a: few(0), b: few(0) },
  areaBits: { area: few(0) },
  sight: { start: point(), end: point() },
});
const quake2Model = { ray: { options: quake2Placed }, box: { ...corners, options: quake2Placed } };
subject('Quake2Model', quake2.model(1), { ...quake2Model, contents: { point: point(), pose } });
subject('Quake2BoxEntity', quake2Api.boxEntity([0, 0, 0], [1, 1, 1]), {
  ...quake2Model,
  resize: corners,
  contents: { point: point(), pose },
});
tracer('Quake 2 ray', quake2.ray(), { mask, ...noBox });
tracer('Quake 2 box', quake2.box([0, 0, 0], [1, 1, 1]), { mask, ...corners });
tracer('Quake 2 model', quake2.model(1).box([0, 0, 0], [1, 1, 1]), { mask, ...corners });
tracer('Quake 2 box entity', quake2Api.boxEntity([0, 0, 0], [1, 1, 1]).ray(), { mask, ...noBox });
subject('Quake 2 contents', quake2Api.contentsNames, NAMES);

describeRefusals(subjects);
