import { houseUfoai } from '@bspkit/fixtures';
import { readRealMap, realMapNames } from '@bspkit/fixtures/real';
import { byte, int, short } from '@bspkit/testkit/crafted';
import { UFOAI_CRAFTED } from '@bspkit/testkit/crafted/ufoai';
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
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createUfoaiWorld, heads, readUfoai } from '../src/index.ts';
import { lumpAt } from './broken.ts';
import { MapBuilder, writeMap } from './writer.ts';

/** A map of three boxes under unions and a door, so small that most bytes of it matter. */
function smallMap(): Uint8Array {
  const builder = new MapBuilder();
  const boxes = [0, 64, 128].map((x) => builder.box([x, 0, 0, x + 32, 32, 32], 0x101));
  const models = {
    1: MapBuilder.union(boxes, [0, 0, 0, 160, 32, 32]),
    258: builder.box([0, 64, 0, 32, 96, 32], 0x10000),
    259: builder.box([-16, -2, 0, 16, 2, 56], 1),
  };
  const entities = '{ "classname" "func_door" "model" "*1" "origin" "64 64 0" }';
  return writeMap({ ...builder, models, entities });
}

const real = realMapNames('ufoai').filter((name) => /silo|quarters|beach_w_1/.test(name));
const maps = [smallMap(), houseUfoai(), ...real.map(readRealMap)];

// Routing runs, union nodes and their children, heads, side planes: the parts that are this format's own.
const FIELDS = {
  routing: [byte(0)],
  nodes: [...[0, 4, 8].map(int), ...[12, 18].map(short)],
  models: [int(36)],
  sides: [short(0)],
  planes: [0, 12, 16].map(int),
  leafs: [int(0), ...[18, 20].map(short)],
  leafBrushes: [short(0)],
  brushes: [0, 4].map(int),
  entities: [byte(0)],
} as const;

const mutations = fc.oneof(...fieldsOf(UFOAI_CRAFTED, FIELDS), flippedBit, cut, directoryWord(UFOAI_CRAFTED));

/** Loads a map and traces through it. */
function use(bytes: Uint8Array): void {
  const world = createUfoaiWorld([{ file: readUfoai(bytes) }]);
  const models = world.models();
  const lines = [world.line(), world.line({ compat: 'engine', models }), world.line({ levels: 0x301 })];
  const boxes = [
    world.box([-9, -9, -24], [9, 9, 20]),
    world.ray({ mask: -1, compat: 'engine', models }),
    world.box([-2, -2, 0], [2, 2, 16], { tile: 0, levels: 4 }),
  ];
  const [line, box] = [lines[0]!.createTrace(), boxes[0]!.createTrace()];
  for (let k = 0; k < 40; k++) {
    const start = [(k % 8) * 100 - 300, Math.floor(k / 8) * 120 - 200, 40];
    const end = k % 5 === 0 ? start : [start[1]!, -start[0]!, 300 - 7 * k];
    checkAnswer(lines[k % 3]!.trace(start, end, line));
    lines[k % 3]!.blocked(start, end);
    boxes[k % 3]!.trace(start, end, box);
    // The engine's own answer if there is nothing to meet: a fraction of 2.
    if (k % 3 !== 1 || box.fraction !== 2) checkAnswer(box);
    world.contents(start);
  }
  heads(world);
}

describe(`${MUTANTS} mutants of ${maps.length} maps`, () => {
  it('load and answer, or are refused with a BspError', { timeout: MUTANTS_TIMEOUT }, () => {
    tryMutants(maps, mutations, use, 3);
  });

  it('has its mutations hit every lump that tracing reads', () => {
    for (const lump of ['texinfo', ...(Object.keys(FIELDS) as (keyof typeof FIELDS)[])] as const)
      expect(lumpAt(maps[0]!, lump).length).toBeGreaterThan(0);
  });
});
