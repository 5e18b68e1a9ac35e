import { arenaQuake2 } from '@bspkit/fixtures';
import { readRealMap, realMapNames } from '@bspkit/fixtures/real';
import { byte, int, short } from '@bspkit/testkit/crafted';
import { QUAKE2_CRAFTED } from '@bspkit/testkit/crafted/quake2';
import {
  checkAnswer,
  cut,
  directoryWord,
  fieldsOf,
  flippedBit,
  MUTANTS,
  MUTANTS_TIMEOUT,
  tryMutants,
} from '@bspkit/testkit/mutants';
import { refusal } from '@bspkit/testkit/refusals';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import {
  createLightSampler,
  createQuake2World,
  explain,
  lightmaps,
  mesh,
  polygons,
  readQuake2,
  surfaceAt,
} from '../src/index.ts';
import { widened } from './wide.ts';
import { roomsMap } from './worlds.ts';

const real = realMapNames('quake2').filter((name) => /lab|portals/.test(name));
const maps = [roomsMap(), arenaQuake2(), widened(roomsMap()), ...real.map(readRealMap)];

const mutations = fc.oneof(
  ...fieldsOf(QUAKE2_CRAFTED, {
    visibility: [byte(0), int(0)],
    nodes: [0, 4, 8].map(int),
    models: [36, 40].map(int),
    sides: [0, 2].map(short),
    planes: [0, 12, 16].map(int),
    leafs: [int(0), ...[4, 6, 24, 26].map(short)],
    leafBrushes: [short(0)],
    brushes: [0, 4].map(int),
    areas: [int(0)],
    areaPortals: [int(4)],
    faces: [int(4), short(8)],
    surfEdges: [int(0)],
    entities: [byte(0)],
  }),
  flippedBit,
  cut,
  directoryWord(QUAKE2_CRAFTED),
);

/** Loads a map and asks it all kinds of things. */
function use(bytes: Uint8Array): void {
  const file = readQuake2(bytes);
  const world = createQuake2World(file);
  const tracers = [world.ray(), world.box([-16, -16, -24], [16, 16, 32], { mask: -1 })];
  if (world.numModels > 0) tracers.push(world.model(1).box([-2, -2, 0], [2, 2, 16], { angles: [0, 30, 9] }));
  for (let k = 0; k < 40; k++) {
    const start = [(k % 8) * 100 - 300, Math.floor(k / 8) * 120 - 200, 40];
    const end = k % 5 === 0 ? start : [start[1]!, -start[0]!, 300 - 7 * k];
    const tracer = tracers[k % tracers.length]!;
    const trace = tracer.trace(start, end);
    checkAnswer(trace);
    surfaceAt(world, trace);
    world.contents(start);
    world.visible(world.leaf(start), world.leaf(end));
  }
  for (let portal = 0; portal <= Math.min(9, world.numAreaPortals); portal++)
    world.setAreaPortal(portal, true);
  if (world.numClusters > 0) world.headHearable(0, 0);
  explain(tracers[0]!, [0, 0, 64], [0, 0, -64]);
  refusal(() => world.entities());
  refusal(() => mesh(file));
  refusal(() => lightmaps(file));
  refusal(() => createLightSampler(file).at([0, 0, 64]));
  if (bytes.length < 100_000) polygons(world);
}

describe(`${MUTANTS} mutants of ${maps.length} maps`, () => {
  it('load and answer, or are refused with a BspError', { timeout: MUTANTS_TIMEOUT }, () => {
    tryMutants(maps, mutations, use, 3);
  });
});
