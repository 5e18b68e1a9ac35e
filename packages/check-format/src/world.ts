import { inspect } from 'node:util';
import type { BoxWorld, Polygon, Vec3 } from '@bspkit/core';
import { type BspFormat, showVec, wholeIn } from '@bspkit/core/format';
import { dot } from '@bspkit/geometry';
import { checkCopies } from './answers.ts';
import { SIZES, tracersOf } from './catalog.ts';
import { demand, demandSame, demandThrows, lostAsJson, show } from './demand.ts';
import { windingSign } from './meshes.ts';
import {
  answersOf,
  demandAnswers,
  type FormatSample,
  type It,
  movesIn,
  squareOf,
  type World,
} from './sample.ts';

/** The longest line that a world or tracer prints as. */
const LONGEST_LINE = 109;

/** What a world is and has. */
export function checkWorld(it: It, format: BspFormat, { bytes }: FormatSample, world: World): void {
  it('keeps its entities and texture names', () => {
    demandSame(world.format, format.id, 'world.format');
    for (const list of ['entities', 'textureNames'] as const) {
      demand(world[list]().length > 0, `world.${list}() is empty`);
      const kept = world[list]();
      demand(world[list]() === kept, `world.${list}() returns another array each time`);
    }
    const wrong = world.textureNames().filter((name) => typeof name !== 'string');
    demandSame(wrong, [], 'what is not a string in world.textureNames()');
  });

  it('is the same when opened from a copy of its data', () => {
    const copy = format.open(structuredClone(world.data)) as World;
    const of = 'of open(data) with a copy of the data differs from that of the world';
    for (const field of ['bounds', 'numModels'] as const) {
      demandSame(copy[field], world[field], `${field} ${of}`);
    }
    for (const list of ['entities', 'textureNames'] as const) {
      demandSame(copy[list](), world[list](), `${list}() ${of}`);
    }
    const moves = movesIn(world);
    for (const { name, create } of tracersOf(format, world)) {
      const what = `${name}: the answer ${of}`;
      demandAnswers(answersOf(create(copy), moves), answersOf(create(world), moves), moves, what);
    }
  });

  const { kernels = [] } = format;
  if (kernels.length > 1)
    it('answers the same with each of its kernels', () => {
      const moves = movesIn(world);
      const asked = tracersOf(format, world).map(({ name, create }) => ({ name, create, moves }));
      for (const kind of format.tracers.kinds) {
        if (world.numModels === 0 || !kind.options.includes('model')) continue;
        const size = SIZES[kind.size ?? 'none'][0]!;
        asked.push({
          name: `${kind.name} at model 1`,
          create: (target) => kind.create(target, size, { model: 1 }),
          moves: movesIn(world, 1),
        });
      }
      for (const kernel of kernels) {
        const other = format.open(world.data, { kernel }) as World;
        for (const { name, create, moves: some } of asked) {
          const wanted = answersOf(create(world), some);
          const what = `${name}: the answer of open(data, { kernel: '${kernel}' }) differs from that of the world, whose kernel is '${world.kernel}'`;
          demandAnswers(answersOf(create(other), some), wanted, some, what);
        }
        demandSame(
          other.kernel,
          kernel,
          `once it has traced, the kernel of open(data, { kernel: '${kernel}' })`,
        );
      }
    });

  it('makes boxes that keep copies of their corners', () => {
    const { box } = world as World & Partial<BoxWorld>;
    if (box) checkCopies((mins, maxs) => box.call(world, mins, maxs), movesIn(world));
  });

  it('numbers its models from 1', () => {
    demandThrows(() => world.model(0), Error, 'world.model(0)', 'number must be 1 or more: 0 is the world');
    const words =
      world.numModels > 0
        ? `number must be ${wholeIn(1, world.numModels)}, got `
        : 'the map has no inline models';
    for (const wrong of [world.numModels + 1, -1, 1.5, Number.NaN]) {
      demandThrows(() => world.model(wrong), RangeError, `world.model(${wrong})`, words);
    }
  });

  it('prints in one line', () => {
    const things = { world } as Record<string, object>;
    for (const { name, create } of tracersOf(format, world)) things[`${name} tracer`] = create(world);
    if (world.numModels > 0) things['model 1'] = world.model(1);
    for (const [name, thing] of Object.entries(things)) {
      const line = inspect(thing);
      demand(
        /^[A-Z]\w+ \{ .+ \}$/.test(line) && line.length <= LONGEST_LINE,
        `the ${name} prints as ${show(line)}; it must be Name { … } in at most ${LONGEST_LINE} letters`,
      );
    }
  });

  it('describes its contents', () => {
    const info = format.info(format.read(bytes), world);
    const { lumps, models, contents, memory } = info;
    demandSame(info.version, format.detect(bytes), 'info(file, world).version differs from detect(bytes)');
    const corners = ({ mins, maxs }: World['bounds']): number[] => [...Array.from(mins), ...Array.from(maxs)];
    demandSame(corners(info.bounds), corners(world.bounds), 'bounds of info differ from those of the world');
    demandSame(info.entities, world.entities(), 'entities of info differ from world.entities()');
    demand(lumps.length > 0, 'info(file, world).lumps is empty');
    for (const { name, bytes: size, records } of lumps) {
      demand(name !== '', 'the name of a lump is empty');
      demand(Number.isInteger(size) && size >= 0, `lump '${name}' has ${size} bytes`);
      const isCount = records === undefined || (Number.isInteger(records) && records >= 0);
      demand(isCount, `lump '${name}' has ${records} records`);
    }
    const wanted = world.numModels + 1;
    demand(
      models.length >= wanted,
      `info(file, world).models are ${models.length}; with the world itself there are at least ${wanted}`,
    );
    for (const [k, { name, bounds }] of models.entries()) {
      demand(name !== '', `the name of model ${k} is empty`);
      demand(
        corners(bounds).every(Number.isFinite),
        `bounds of model '${name}' are not finite: ${show(bounds)}`,
      );
    }
    demand(contents.what !== '', 'info(file, world).contents.what is empty');
    demand(contents.counts.size > 0, 'info(file, world).contents.counts is empty');
    for (const [bits, count] of contents.counts) {
      demand(bits === (bits | 0), `contents ${bits} are not a signed whole number of 32 bits`);
      demand(
        Number.isInteger(count) && count > 0,
        `contents ${bits} are counted ${count} times; what does not occur is left out`,
      );
    }
    demandSame(
      memory.world,
      world.data.byteLength,
      'memory.world of info differs from world.data.byteLength',
    );
    demand(memory.lumps > 0, `memory.lumps of info is ${memory.lumps}`);
    // Machines get all of it.
    const lost = lostAsJson(info.facts, 'facts');
    demandSame(lost, [], 'what JSON cannot hold in info(file, world)');
  });

  it('returns its brushes, and its surfaces for drawing', () => {
    const numTextures = world.textureNames().length;
    /** A texture's number, or -1 for none. */
    const isTexture = (texture: number): boolean =>
      Number.isInteger(texture) && texture >= -1 && texture < numTextures;
    const listed = new Set<number>();
    for (const { brush, model, planes, textures } of format.brushes?.(format.read(bytes)) ?? []) {
      const of = `of brush ${brush} of brushes(file)`;
      demand(!listed.has(brush), `brushes(file) lists brush ${brush} twice`);
      listed.add(brush);
      demand(model >= 0 && model <= world.numModels, `model ${of} is ${model}`);
      demand(planes.length >= 4, `planes ${of} are ${planes.length}; a body has at least 4`);
      demandSame(textures.length, planes.length, `textures ${of} must be as many as planes`);
      for (const texture of Array.from(textures)) {
        demand(isTexture(texture), `a texture ${of} is ${texture}, and there are ${numTextures}`);
      }
      for (const { normal } of planes) {
        demand(isUnit(normal), () => `the normal ${showVec(normal)} ${of} is not of length 1`);
      }
    }
    const source = format.polygons(world);
    const polygons = source.polygons();
    demand(polygons.length > 0, 'polygons(world).polygons() is empty');
    for (const [k, { vertices, normal, dist, texture }] of polygons.entries()) {
      const of = `of polygon ${k} of polygons(world)`;
      demand(isUnit(normal), () => `the normal ${showVec(normal)} ${of} is not of length 1`);
      demand(vertices.length >= 9, `vertices ${of} are ${vertices.length / 3}`);
      for (let at = 0; at < vertices.length; at += 3) {
        const off = Math.abs(dot(vertices.subarray(at, at + 3), normal) - dist);
        demand(off < 0.25, `vertex ${at / 3} ${of} is ${off} units off its plane`);
      }
      demand(isTexture(texture), `the texture ${of} is ${texture}, and there are ${numTextures}`);
      const isAround = windingSign(vertices, normal) > 0;
      demand(isAround, `vertices ${of} are not counter-clockwise, seen from where the normal points`);
    }
    // Points in the open are drawn from the bounds. In an assembly's part, floors may lie below them.
    const inside = polygons.filter(({ vertices }) =>
      vertices.every((x, k) => x >= world.bounds.mins[k % 3]! - 1 && x <= world.bounds.maxs[k % 3]! + 1),
    );
    demand(
      inside.length > polygons.length / 2,
      `only ${inside.length} of ${polygons.length} polygons lie in world.bounds`,
    );
    for (const wrong of [-1, 0.5, source.numLeafs]) {
      demandThrows(() => source.leafPolygons(wrong), RangeError, `leafPolygons(${wrong}) of polygons(world)`);
    }
    demand(Array.isArray(source.leafPolygons(0)), 'leafPolygons(0) of polygons(world) is not an array');
    demand(polygons.some(source.isSolid), 'isSolid of polygons(world) is true of no polygon');
  });

  it('finds the leafs that a box touches, and in them every polygon that reaches into it', () => {
    const source = format.polygons(world);
    const found = new Int32Array(source.numLeafs);
    const keyOf = ({ surface, vertices }: Polygon): string => `${surface} ${vertices.join()}`;
    const polygons = source.polygons().slice(0, 400);
    for (let k = 0; k < polygons.length; k += 7) {
      const polygon = polygons[k]!;
      // Around a point in its middle, so that edges and their leafs are not near.
      const middle = [0, 1, 2].map((axis) => {
        const along = polygon.vertices.filter((_, at) => at % 3 === axis);
        return along.reduce((sum, x) => sum + x, 0) / along.length;
      });
      const corner = (by: number): number[] => middle.map((x) => x + by);
      const count = source.boxLeafs(corner(-2), corner(2), found);
      const of = `boxLeafs of a box of 4 units around ${showVec(middle)}, the middle of polygon ${k},`;
      demand(count > 0, `${of} finds no leaf`);
      const leafs = Array.from(found.subarray(0, count));
      demandSame(new Set(leafs).size, count, `${of} finds a leaf twice: different leafs are`);
      const keys = leafs.flatMap((leaf) => source.leafPolygons(leaf).map(keyOf));
      demand(
        keys.includes(keyOf(polygon)),
        `${of} finds the leafs ${show(leafs)}, and leafPolygons(leaf) of none of them has the polygon`,
      );
    }
    const count = source.boxLeafs([0, 0, 0], [1, 1, 1], new Int32Array(0));
    demand(
      count > 0,
      `boxLeafs returns ${count} where out has no room; it must count the leafs all the same`,
    );
    for (const [mins, maxs] of [
      [
        [1, 0, 0],
        [0, 0, 0],
      ],
      [
        [Number.NaN, 0, 0],
        [0, 0, 0],
      ],
    ] as const) {
      demandThrows(
        () => source.boxLeafs(mins, maxs, found),
        RangeError,
        `boxLeafs(${show(mins)}, ${show(maxs)})`,
      );
    }
  });
}

const isUnit = (normal: Vec3): boolean => Math.abs(squareOf(normal) - 1) < 0.0005;
