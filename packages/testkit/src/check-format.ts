import { inspect } from 'node:util';
import {
  BspError,
  type Changeable,
  createTrace,
  createTraceBatch,
  defineTracer,
  isBlocked,
  type Mesh,
  type MeshOptions,
  type Placeable,
  type Polygon,
  type Trace,
  type TraceBatch,
  type Tracer,
  type TracerChanges,
  type Vec3,
} from '@bspkit/core';
import {
  type BspFormat,
  type BspFormatEntry,
  describeBytes,
  type TracerKind,
  type TracerOption,
  type TracerValues,
} from '@bspkit/core/format';
import { between, createRandom } from '@bspkit/geometry';
import { describe, expect, it } from 'vitest';
import { areasBy, meshFlaws, polygonArea, triangleOf } from './check-mesh.ts';
import { MUTANTS } from './mutants.ts';
import { expectBelow, expectSame } from './same.ts';

/** A map of the format. */
export interface FormatSample {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** What the suite needs to know about a format. */
export interface CheckOptions {
  /** Files of other kinds, which it must refuse. */
  readonly foreign?: readonly Uint8Array[];
  /**
   * Kinds of tracers whose `blocked` is a test of its own in the engine: where it says something else than the trace,
   * the package's documents tell. For all others the two must agree.
   */
  readonly ownTests?: readonly string[];
}

type World = ReturnType<BspFormat['createWorld']> & {
  /** Every world has it; its type is the format's own. */
  model(number: number): object;
};
type Move = readonly [Float32Array, Float32Array];

const MOVES = 100;

/**
 * What every format must do, as tests: whoever writes a format runs it over maps of theirs, at the top level of a test
 * file. Nothing in it knows which games there are.
 *
 * @param entry - the format's light half, as lists have it.
 * @param samples - some maps; one of them with inline models.
 */
export async function checkFormat(
  entry: BspFormatEntry,
  samples: readonly FormatSample[],
  { foreign = [], ownTests = [] }: CheckOptions = {},
): Promise<void> {
  const format = await entry.load();
  describe(`format ${entry.id}`, () => {
    checkIdentity(entry, format, samples, [...OTHER_FILES, ...foreign]);
    checkReading(format, samples[0]!, [...OTHER_FILES, ...foreign]);
    checkWords(format);
    checkCatalog(format);
    for (const sample of samples) {
      const world = format.createWorld([format.read(sample.bytes)]) as World;
      describe(sample.name, () => {
        checkWorld(format, sample, world);
        checkQuestions(format, sample, world);
        if (format.mesh) checkMeshes(format, sample, world);
        for (const tracer of tracersOf(format, world)) {
          checkTracer(tracer, format, world, !ownTests.includes(tracer.kind.name));
        }
        if (world.numModels > 0) checkModels(format, world);
      });
    }
    it('has a sample with inline models', () => {
      const worlds = samples.map(({ bytes }) => format.createWorld([format.read(bytes)]));
      expect(worlds.some(({ numModels }) => numModels > 0)).toBe(true);
    });
  });
}

const ascii = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

/** Files that are no maps. */
const OTHER_FILES: readonly Uint8Array[] = [
  new Uint8Array(0),
  new Uint8Array(3),
  new Uint8Array(4096),
  ascii('PK\x03\x04, as a zip archive begins, and so on for a while'),
  ascii('<!doctype html><title>404</title>'),
  ascii('{\n"classname" "worldspawn"\n}\n'),
];

function checkIdentity(
  entry: BspFormatEntry,
  format: BspFormat,
  samples: readonly FormatSample[],
  foreign: readonly Uint8Array[],
): void {
  it('is called the same by both halves', async () => {
    for (const half of [entry, format]) {
      expect(half.id).toMatch(/^[a-z][a-z0-9]*$/);
      expect(half.name).not.toBe('');
      expect(half.versions.length).toBeGreaterThan(0);
    }
    expect([format.id, format.name, format.versions]).toEqual([entry.id, entry.name, entry.versions]);
    expect(await entry.load()).toBe(format);
    const { read, createWorld, open } = await entry.loadReader();
    expect([read, createWorld, open]).toEqual([format.read, format.createWorld, format.open]);
  });

  it('detects its files by 64 bytes, and no others', () => {
    for (const { detect, versions } of [entry, format]) {
      for (const { bytes } of samples) {
        expect(versions).toContain(detect(bytes));
        const moved = new Uint8Array(bytes.length + 3);
        moved.set(bytes, 3);
        for (const view of [bytes.subarray(0, 64), Buffer.from(bytes), moved.subarray(3)]) {
          expect(detect(view)).toBe(detect(bytes));
        }
      }
      for (const bytes of foreign) expect(detect(bytes)).toBeUndefined();
    }
  });
}

function checkReading(format: BspFormat, { bytes }: FormatSample, foreign: readonly Uint8Array[]): void {
  it('reads bytes however they are held', () => {
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    const unaligned = new Uint8Array(bytes.length + 1);
    unaligned.set(bytes, 1);
    const expected = Buffer.from(format.createWorld([format.read(bytes)]).data);
    const held = [bytes.slice().buffer, shared.buffer, shared, unaligned.subarray(1), Buffer.from(bytes)];
    for (const way of held) {
      const file = format.read(way);
      expect(file.format).toBe(format.id);
      expect(expected.equals(Buffer.from(format.createWorld([file]).data))).toBe(true);
    }
    for (const wrong of [undefined, null, 'a file', 5, [73, 66]]) {
      expect(() => format.read(wrong as never)).toThrow(TypeError);
    }
  });

  it('says of other files what they are', () => {
    for (const other of foreign) {
      const error = caught(() => format.read(other));
      expect(error).toBeInstanceOf(BspError);
      expect((error as BspError).format).toBe(format.id);
      expect(error.message).toContain(describeBytes(other).name);
    }
  });

  it('refuses a file that was cut, and never fails otherwise', () => {
    const random = createRandom(1);
    for (let k = 0; k < 60; k++) {
      // Some near the header, some anywhere in the first half: what follows cannot be padding alone.
      const length = Math.floor(
        between(random, 0, k % 2 ? Math.min(200, bytes.length / 2) : bytes.length / 2),
      );
      const error = caught(() => format.createWorld([format.read(bytes.subarray(0, length))]));
      expect(error, `${length} bytes`).toBeInstanceOf(BspError);
      expect(error.message.length).toBeGreaterThan(format.id.length + 2);
    }
  });

  it('survives or refuses a file with wrong bytes', () => {
    const random = createRandom(2);
    for (let k = 0; k < 60; k++) {
      const broken = bytes.slice();
      for (let i = 0; i < 3; i++) {
        // Half of them where directories lie.
        const end = k % 2 ? Math.min(256, broken.length) : broken.length;
        broken[Math.floor(random() * end)] = Math.floor(random() * 256);
      }
      try {
        format.createWorld([format.read(broken)]);
      } catch (error) {
        expect(error).toBeInstanceOf(BspError);
      }
    }
  });

  it('refuses to build a world of nothing', () => {
    expect(() => format.createWorld([])).toThrow(RangeError);
  });

  it("opens a world's data, and refuses what is none", () => {
    const { data } = format.createWorld([format.read(bytes)], { shared: true });
    expect(data).toBeInstanceOf(SharedArrayBuffer);
    expect(format.open(data).data).toBe(data);
    for (const wrong of [new ArrayBuffer(0), new ArrayBuffer(400), data.slice(0, data.byteLength / 2 - 2)]) {
      expect(() => format.open(wrong)).toThrow(BspError);
    }
  });
}

function checkWords(format: BspFormat): void {
  it('names contents and surface flags both ways', () => {
    for (const words of [format.contents, format.surfaceFlags]) {
      const named = Object.entries(words.table);
      expect(named.length).toBeGreaterThan(0);
      for (const [name, bits] of named) {
        expect(words.bits(name), name).toBe(bits | 0);
        expect(words.bits(name.toUpperCase()), name).toBe(bits | 0);
        for (const word of words.names(bits)) expect(words.bits(word) & bits, word).not.toBe(0);
      }
      expect(() => words.bits('nothing-of-the-kind')).toThrow(RangeError);
    }
  });
}

function checkCatalog({ tracers, rows }: BspFormat): void {
  it('has a catalog without loose ends', () => {
    const { kinds, options, presets, player } = tracers;
    for (const list of [kinds, options, presets]) {
      const names = list.map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
      for (const name of names) expect(name).toMatch(/^[a-z][A-Za-z0-9-]*$/);
    }
    expect(kinds.length).toBeGreaterThan(0);
    const known = options.map(({ name }) => name);
    for (const { help } of [...kinds, ...options]) expect(help).not.toBe('');
    for (const kind of kinds) {
      for (const name of kind.options) expect(known).toContain(name);
      expect(kind.sizeName !== undefined, kind.name).toBe(kind.size !== undefined);
    }
    for (const name of known) expect(kinds.flatMap((kind) => kind.options)).toContain(name);
    for (const { name, type, value } of options) {
      if (type !== 'on' && type !== 'off') expect(value, name).toMatch(/^<.+>$/);
    }
    for (const preset of presets) {
      const kind = kinds.find(({ name }) => name === preset.kind);
      expect(kind, preset.kind).toBeDefined();
      for (const name of Object.keys(preset.options ?? {})) expect(kind!.options).toContain(name);
    }
    expect(presets.map(({ name }) => name)).toContain(player);
    expect(presets.some(({ measured }) => measured)).toBe(true);
  });

  it('answers rows of some kinds', () => {
    expect(Object.keys(rows).length).toBeGreaterThan(0);
  });
}

function checkWorld(format: BspFormat, { bytes }: FormatSample, world: World): void {
  it('keeps its entities and texture names', () => {
    expect(world.format).toBe(format.id);
    expect(world.entities().length).toBeGreaterThan(0);
    expect(world.textureNames().length).toBeGreaterThan(0);
    for (const name of world.textureNames()) expect(typeof name).toBe('string');
    expect(world.entities()).toBe(world.entities());
    expect(world.textureNames()).toBe(world.textureNames());
  });

  it('is the same opened from a copy of its data', () => {
    const copy = format.open(structuredClone(world.data)) as World;
    expect(copy.bounds).toEqual(world.bounds);
    expect(copy.numModels).toBe(world.numModels);
    expect(copy.entities()).toEqual(world.entities());
    expect(copy.textureNames()).toEqual(world.textureNames());
    for (const { create } of tracersOf(format, world)) {
      expectSame(answersOf(create(copy), movesIn(world)), answersOf(create(world), movesIn(world)));
    }
  });

  it('numbers its models from 1', () => {
    expect(() => world.model(0)).toThrow('number must be 1 or more: 0 is the world itself');
    for (const wrong of [world.numModels + 1, -1, 1.5, Number.NaN]) {
      expect(() => world.model(wrong), String(wrong)).toThrow(RangeError);
    }
  });

  it('prints in one line', () => {
    const things = [world, ...tracersOf(format, world).map(({ create }) => create(world))];
    if (world.numModels > 0) things.push(world.model(1) as never);
    for (const thing of things) {
      const line = inspect(thing);
      expect(line).toMatch(/^[A-Z]\w+ \{ .+ \}$/);
      expect(line.length).toBeLessThan(110);
    }
  });

  it('tells what is in it', () => {
    const file = format.read(bytes);
    const info = format.info(file, world);
    expect(info.version).toBe(format.detect(bytes));
    expect(info.bounds).toEqual(world.bounds);
    expect(info.entities).toEqual(world.entities());
    expect(info.lumps.length).toBeGreaterThan(0);
    for (const { name, bytes: size, records } of info.lumps) {
      expect(size, name).toBeGreaterThanOrEqual(0);
      if (records !== undefined) expect(records, name).toBeGreaterThanOrEqual(0);
    }
    expect(info.models.length).toBeGreaterThan(world.numModels);
    for (const { name, bounds } of info.models) {
      expect(name).not.toBe('');
      expect([...Array.from(bounds.mins), ...Array.from(bounds.maxs)].every(Number.isFinite), name).toBe(
        true,
      );
    }
    expect(info.contents.what).not.toBe('');
    expect(Math.min(...info.contents.counts.values())).toBeGreaterThan(0);
    expect(info.memory.world).toBe(world.data.byteLength);
    expect(info.memory.lumps).toBeGreaterThan(0);
    // Machines get all of it.
    expect(JSON.parse(JSON.stringify(info.facts))).toEqual(info.facts);
  });

  it('gives its brushes and its surfaces to be drawn', () => {
    for (const { model, planes } of format.brushes?.(format.read(bytes)) ?? []) {
      expect(model >= 0 && model <= world.numModels).toBe(true);
      expect(planes.length).toBeGreaterThanOrEqual(4);
      for (const { normal } of planes) expectBelow(Math.abs(squareOf(normal) - 1), 0.0005);
    }
    const source = format.polygons(world);
    const polygons = source.polygons();
    expect(polygons.length).toBeGreaterThan(0);
    for (const { vertices, normal, dist, texture } of polygons) {
      expectBelow(Math.abs(squareOf(normal) - 1), 0.0005);
      expect(vertices.length).toBeGreaterThanOrEqual(9);
      for (let at = 0; at < vertices.length; at += 3) {
        expectBelow(Math.abs(dot(vertices.subarray(at, at + 3), normal) - dist), 0.25);
      }
      expectBelow(texture, world.textureNames().length);
      expectBelow(0, windingSign(vertices, normal));
    }
    expect(() => source.leafPolygons(-1)).toThrow(RangeError);
    expect(() => source.leafPolygons(0.5)).toThrow(RangeError);
    expect(source.leafPolygons(0)).toBeInstanceOf(Array);
    expect(polygons.some(source.isSolid)).toBe(true);
  });

  it('finds the leafs that a box touches, and in them every polygon that comes into it', () => {
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
      expect(count).toBeGreaterThan(0);
      const leafs = Array.from(found.subarray(0, count));
      expect(new Set(leafs).size).toBe(count);
      const keys = leafs.flatMap((leaf) => source.leafPolygons(leaf).map(keyOf));
      expect(keys.includes(keyOf(polygon)), `polygon ${k}`).toBe(true);
    }
    expect(source.boxLeafs([0, 0, 0], [1, 1, 1], new Int32Array(0))).toBeGreaterThan(0);
    expect(() => source.boxLeafs([1, 0, 0], [0, 0, 0], found)).toThrow(RangeError);
    expect(() => source.boxLeafs([Number.NaN, 0, 0], [0, 0, 0], found)).toThrow(RangeError);
  });
}

/** What is drawn. */
function checkMeshes(format: BspFormat, { bytes }: FormatSample, world: World): void {
  const file = format.read(bytes);
  const make = (options?: MeshOptions): Mesh => format.mesh!(file, options);
  /** Nothing for formats whose files need not keep brushes. */
  const keeping = <T>(get: () => T): T | undefined => {
    try {
      return get();
    } catch (error) {
      expect(error).toMatchObject({ code: 'empty' });
      return undefined;
    }
  };

  it('gives its drawn surfaces as triangles', () => {
    const mesh = make();
    expect(meshFlaws(mesh)).toEqual([]);
    expect(mesh.indices.length).toBeGreaterThan(0);
    const names = world.textureNames();
    for (const { texture, name, model } of mesh.groups) {
      expect(name).toBe(names[texture]);
      expect(model).toBeLessThanOrEqual(world.numModels);
    }
    for (let triangle = 0; triangle < mesh.indices.length / 3; triangle++) {
      const [area, cosine] = triangleOf(mesh, triangle);
      if (area > 0.01) expectBelow(0.9, cosine);
    }
  });

  it('draws as much of each surface as its polygons have, where these come from surfaces', () => {
    const polygons = format.polygons(world).polygons();
    const areas = new Map<number, number>();
    for (const { surface, vertices } of polygons) {
      areas.set(surface, (areas.get(surface) ?? 0) + polygonArea(vertices));
    }
    areas.delete(-1);
    const mesh = make();
    const drawn = areasBy(mesh, (triangle) => mesh.surfaces[triangle]!);
    for (const [surface, area] of areas) {
      expectBelow(Math.abs(drawn.get(surface)! - area) / (area + 1), 1e-4, `surface ${surface}`);
    }
  });

  it('gives what is collided with as triangles that lie on the sides of its brushes', () => {
    for (const by of ['brush', 'contents'] as const) {
      const mesh = keeping(() => make({ by }));
      if (!mesh) continue;
      expect(meshFlaws(mesh)).toEqual([]);
      expect(new Set(mesh.groups.map(({ texture, name }) => `${texture}${name}`))).toEqual(new Set(['-1']));
    }
    const polygons = keeping(() => format.brushPolygons?.(file));
    const mesh = polygons && make({ by: 'brush' });
    if (!polygons || !mesh) return;
    expect(polygons.length).toBeGreaterThan(0);
    const areas = new Map<number, number>();
    for (const { vertices, normal, dist, brush } of polygons) {
      for (let at = 0; at < vertices.length; at += 3) {
        expectBelow(Math.abs(dot(vertices.subarray(at, at + 3), normal) - dist), 0.01);
      }
      expectBelow(0, windingSign(vertices, normal));
      areas.set(brush, (areas.get(brush) ?? 0) + polygonArea(vertices));
    }
    const drawn = areasBy(mesh, (triangle) => mesh.brushes[triangle]!);
    drawn.delete(-1);
    expect([...drawn.keys()].sort()).toEqual([...areas.keys()].sort());
    for (const [brush, area] of areas) expectBelow(Math.abs(drawn.get(brush)! - area), 1e-3 * area);
    // A brush is closed: the areas of its faces, as vectors, make nothing.
    for (const brush of areas.keys()) {
      const sum = [0, 0, 0];
      for (const polygon of polygons.filter((one) => one.brush === brush)) {
        const area = polygonArea(polygon.vertices);
        for (let k = 0; k < 3; k++) sum[k]! += area * polygon.normal[k]!;
      }
      expect(Math.sqrt(squareOf(sum)), `brush ${brush}`).toBeLessThan(1e-3 * areas.get(brush)! + 0.1);
    }
  });

  it('draws mutants of the map, or refuses them', () => {
    const random = createRandom(7);
    const view = new DataView(new ArrayBuffer(4));
    let drawn = 0;
    for (let mutant = 0; mutant < MUTANTS / 12; mutant++) {
      const changed = Uint8Array.from(bytes);
      for (let k = 0; k <= mutant % 3; k++) {
        const at = 4 * Math.floor((random() * changed.length) / 4);
        if (random() < 0.5) view.setFloat32(0, random() < 0.5 ? Number.NaN : 1e30, true);
        else view.setInt32(0, Math.floor(random() * 300), true);
        changed.set(new Uint8Array(view.buffer).subarray(0, changed.length - at), at);
      }
      const flaws = keepingErrors(() => {
        const file = format.read(changed);
        const meshes = [format.mesh!(file), format.mesh!(file, { by: 'contents' })];
        format.lightmaps?.(file);
        format.embeddedTextures?.(file);
        return meshes.flatMap(meshFlaws);
      });
      if (flaws) drawn++;
      expect(flaws ?? []).toEqual([]);
    }
    expect(drawn).toBeGreaterThan(0);
  });

  it('leaves out of a mesh what is not wanted', () => {
    const { groups } = make();
    const { contents } = groups.find((group) => group.contents !== 0)!;
    const wanted = make({ mask: contents });
    expect(wanted.groups.length).toBeGreaterThan(0);
    expect(wanted.groups.every((group) => (group.contents & contents) !== 0)).toBe(true);
    expect(() => make({ by: 'colour' as never })).toThrow(RangeError);
    expect(() => make({ patchLevel: 65 })).toThrow(RangeError);
    expect(() => make({ patchlevel: 4 } as never)).toThrow(TypeError);
  });
}

/** What some work gives; nothing where it is refused with an error of ours. */
function keepingErrors<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof BspError) return undefined;
    throw error;
  }
}

/** The single questions of the descriptor. */
function checkQuestions(format: BspFormat, { name }: FormatSample, world: World): void {
  const moves = movesIn(world);

  it('answers what is at a point, and what else it can', () => {
    for (const [start, end] of moves.slice(0, 30)) {
      expect(Object.keys(format.point(world, start)).length).toBeGreaterThan(0);
      const verdicts = [format.sphere?.(world, start, 8), format.sight?.(world, start, end)];
      for (const verdict of verdicts) if (verdict) expect(typeof verdict.yes).toBe('boolean');
    }
    const wrong = [Number.NaN, 0, 0];
    expect(() => format.point(world, wrong)).toThrow(RangeError);
    if (format.sphere) expect(() => format.sphere!(world, [0, 0, 0], -1)).toThrow(RangeError);
    if (format.sight) expect(() => format.sight!(world, [0, 0, 0], wrong)).toThrow(RangeError);
  });

  it('finds what a trace hit', () => {
    const tracer = format.tracers.kinds[0]!.create(world, [], {});
    const names = world.textureNames();
    let [found, drawn] = [0, 0];
    for (const [start, end] of moves) {
      const trace = tracer.trace(start, end);
      const surface = format.surfaceAt(world, trace);
      if (trace.fraction === 1 && !trace.startSolid) expectSame(surface, undefined);
      if (!surface) continue;
      found++;
      if (surface.texture >= 0) expectSame(surface.name, names[surface.texture]);
      if (!surface.polygon) continue;
      drawn++;
      const { normal, dist } = surface.polygon;
      expectBelow(Math.abs(dot(trace.endPos, normal) - dist), 1);
    }
    expect(found, name).toBeGreaterThan(0);
    expect(drawn, name).toBeGreaterThan(0);
  });

  it('has fields of its own for every trace', () => {
    expect(format.traceFields(createExtended(format, world))).toBeTypeOf('object');
  });

  it('explains its tracers, and no others', () => {
    for (const { name: title, kind, create } of tracersOf(format, world)) {
      const tracer = create(world);
      const explain = ([start, end]: Move): ReturnType<BspFormat['explain']> =>
        format.explain(tracer, start, end);
      // A kind that is explained may have options that are not.
      if (!kind.explains || (title.startsWith('preset') && caught(() => explain(moves[0]!)) !== NONE)) {
        expect(() => explain(moves[0]!), title).toThrow(TypeError);
        continue;
      }
      for (const [start, end] of moves.slice(0, 25)) {
        const { trace, steps } = explain([start, end]);
        expectSame(flat(trace), flat(tracer.trace(start, end)), title);
        // A move of no length may have nothing to say: it stands in the open.
        if (start.some((x, k) => x !== end[k])) expectBelow(0, steps.length, title);
      }
    }
    const stranger = defineTracer({ shape: { kind: 'ray' }, trace: (_, __, out) => out });
    expect(() => format.explain(stranger, [0, 0, 0], [1, 0, 0])).toThrow(TypeError);
  });

  if (format.boxEntity)
    it('traces boxes that are part of no map', () => {
      const box = format.boxEntity!([-8, -8, -8], [8, 8, 8]);
      const ray = box.ray!() as Tracer & Partial<Changeable>;
      // Where contents are bits, those of a box need not be among what stops a ray by default.
      if (caught(() => ray.set?.({ mask: -1 })) === NONE) ray.set?.({ mask: -1 });
      expect(ray.trace([-40, 0, 0], [40, 0, 0]).fraction).toBeCloseTo(0.4, 2);
      box.resize([-16, -8, -8], [16, 8, 8]);
      expect(ray.trace([-40, 0, 0], [40, 0, 0]).fraction).toBeCloseTo(0.3, 2);
      expect(() => box.resize([1, 0, 0], [0, 0, 0])).toThrow(RangeError);
    });
}

const createExtended = (format: BspFormat, world: World): Trace =>
  format.tracers.kinds[0]!.create(world, [], {}).createTrace();

/** A tracer of the catalog, under a name for titles. */
interface NamedTracer {
  readonly name: string;
  readonly kind: TracerKind<World>;
  create(world: World, more?: TracerValues): Tracer;
}

/** Everything in the catalog that this world can be traced with: kinds in every size, and presets. */
function tracersOf({ tracers }: BspFormat, world: World): NamedTracer[] {
  const found: NamedTracer[] = [];
  for (const kind of tracers.kinds) {
    for (const size of SIZES[kind.size ?? 'none']) {
      found.push({
        name: `${kind.name} ${size}`.trim(),
        kind,
        create: (target, more = {}) => kind.create(target, size, more),
      });
    }
  }
  for (const { name, kind: kindName, size = [], options, suits } of tracers.presets) {
    if (suits?.(world) === false) continue;
    const kind = tracers.kinds.find((known) => known.name === kindName)!;
    found.push({
      name: `preset ${name}`,
      kind,
      create: (target, more) => kind.create(target, size, { ...options, ...more }),
    });
  }
  return found;
}

const BOX = [-16, -16, -24, 16, 16, 32];
const SIZES: Readonly<Record<NonNullable<TracerKind<unknown>['size']> | 'none', readonly number[][]>> = {
  none: [[]],
  number: [[1]],
  box: [BOX],
  capsule: [[16, 56], BOX],
  radii: [[16, 16, 28]],
};

function checkTracer(
  { name, kind, create }: NamedTracer,
  format: BspFormat,
  world: World,
  blockedAgrees: boolean,
): void {
  const moves = movesIn(world);

  it(`${name}: answers alike however it is asked`, () => {
    const tracer = create(world);
    const out = tracer.createTrace();
    expect(flat(out)).toEqual(flat(create(world).createTrace()));
    expect(out).not.toBe(tracer.createTrace());
    const segments = Float32Array.from(moves.flatMap(([from, to]) => [...from, ...to]));
    const batch = tracer.traceBatch(segments);
    const tests = tracer.blockedBatch(segments);
    expect([batch.count, tests.length]).toEqual([moves.length, moves.length]);
    for (const [k, [start, end]] of moves.entries()) {
      const same = tracer.trace(start, end, out) === out;
      const answer = flat(out);
      const again = flat(tracer.trace([...start], [...end]));
      const blocked = tracer.blocked(start, end);
      const row = batchRow(storeOf(out), 0);
      expectSame(problemsOf(out, start, end, world), []);
      expectSame([same, again, batchRow(batch, k)], [true, answer, row]);
      expectSame(tests[k], blocked ? 1 : 0);
      if (blockedAgrees) expectSame(blocked, isBlocked(out));
      // The ends may lie in the answer.
      out.endPos.set(start);
      expectSame(flat(tracer.trace(out.endPos, end, out)), answer);
    }
  });

  it(`${name}: writes the fields that a batch has, into shared memory too`, () => {
    const tracer = create(world);
    const whole = moves.flatMap(([from, to]) => [...from, ...to]);
    const segments = new Float32Array(new SharedArrayBuffer(4 * whole.length));
    segments.set(whole);
    const every = tracer.traceBatch(segments);
    const some = createTraceBatch(moves.length + 1, {
      fields: ['normal', 'brush', 'allSolid'],
      shared: true,
    });
    some.brush.fill(99);
    expect(tracer.traceBatch(segments, some)).toBe(some);
    expect(Object.keys(some)).toEqual(['count', 'normal', 'brush', 'allSolid']);
    for (const [name, values] of Object.entries(some)) {
      if (typeof values === 'number') continue;
      const wanted = every[name as 'brush'];
      expectSame([...values.slice(0, wanted.length)], [...wanted], name);
    }
    expect(some.brush[moves.length]).toBe(99);
    const tests = new Uint8Array(new SharedArrayBuffer(moves.length + 1)).fill(7);
    expect(tracer.blockedBatch(segments, tests)).toBe(tests);
    expect([...tests]).toEqual([...tracer.blockedBatch(segments), 7]);
  });

  it(`${name}: refuses moves that are no numbers, and batches that do not fit`, () => {
    const tracer = create(world);
    const fine = [0, 0, 0];
    for (const wrong of [Number.NaN, Number.POSITIVE_INFINITY, 1e39]) {
      expect(() => tracer.trace([0, wrong, 0], fine)).toThrow(/start\[1\] must be a finite float32/);
      expect(() => tracer.blocked(fine, [0, 0, wrong])).toThrow(/end\[2\] must be a finite float32/);
      const kept = createTraceBatch(2);
      kept.fraction.fill(7);
      const segments = Float32Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, wrong, 0, 0);
      expect(() => tracer.traceBatch(segments, kept)).toThrow(RangeError);
      expect([...kept.fraction]).toEqual([7, 7]);
      expect(() => tracer.blockedBatch(segments)).toThrow(RangeError);
    }
    expect(() => tracer.trace([0, 0], fine)).toThrow(RangeError);
    expect(() => tracer.traceBatch(new Float32Array(7))).toThrow(RangeError);
    expect(() => tracer.traceBatch(new Float32Array(12), createTraceBatch(1))).toThrow(RangeError);
    expect(() => tracer.blockedBatch(new Float32Array(7))).toThrow(RangeError);
    expect(() => tracer.blockedBatch(new Float32Array(12), new Uint8Array(1))).toThrow(RangeError);
    const out = createTraceBatch(3);
    expect(tracer.traceBatch(new Float32Array(12), out)).toBe(out);
    const inside = new Float32Array(out.endPos.buffer, 12, 6);
    expect(() => tracer.traceBatch(inside, out)).toThrow('out must not overlap segments');
  });

  if ('set' in create(world))
    it(`${name}: changes all or nothing`, () => {
      const tracer = create(world) as Tracer & Changeable;
      const before = answersOf(tracer, moves);
      const shape = JSON.stringify(tracer.shape);
      const corners = { mins: [-40, -40, -40], maxs: [40, 40, 40] };
      const wrongs: TracerChanges[] = [
        { mask: 0, ...corners, radius: -1 },
        { mask: 0, radius: Number.NaN },
        { mask: Number.NaN, ...corners },
        { mask: Number.NaN, radius: 40 },
        { mask: 0, ...corners, mins: [50, 0, 0] },
        { mask: 0, ...corners, maxs: [0, 0, Number.NaN] },
        { mask: 1.5 },
        { mask: 2 ** 40 },
      ];
      for (const wrong of wrongs) {
        const error = caught(() => tracer.set(wrong));
        expect(error instanceof RangeError || error instanceof TypeError, inspect(wrong)).toBe(true);
        expect(JSON.stringify(tracer.shape)).toBe(shape);
        expectSame(answersOf(tracer, moves), before);
      }
      expect(tracer.set({})).toBe(tracer);
      expectSame(answersOf(tracer, moves), before);
    });

  const masks = Object.keys(format.contents.table);
  const takesMask =
    !name.startsWith('preset') &&
    kind.options.includes('mask') &&
    caught(() => create(world, { mask: masks[0] })) === NONE;
  if (takesMask)
    it(`${name}: takes a mask later as well as at once`, () => {
      for (const mask of masks) {
        const changed = create(world) as Tracer & Changeable;
        expect(changed.set({ mask: format.contents.bits(mask) })).toBe(changed);
        const made = create(world, { mask });
        expect(answersOf(changed, moves.slice(0, 40)), mask).toEqual(answersOf(made, moves.slice(0, 40)));
      }
      expect(() => create(world, { mask: 'nothing-of-the-kind' })).toThrow(RangeError);
    });

  it(`${name}: stands still, as the world does`, () => {
    expect('place' in create(world)).toBe(false);
  });
}

function checkModels(format: BspFormat, world: World): void {
  const { kinds, options } = format.tracers;
  const moves = movesIn(world, world.numModels);
  for (const kind of kinds.filter((some) => some.options.includes('model'))) {
    const size = SIZES[kind.size ?? 'none'][0]!;
    const create = (values: TracerValues): Tracer & Placeable =>
      kind.create(world, size, { model: 1, ...values }) as Tracer & Placeable;

    it(`${kind.name}: a model can be placed, all or nothing`, () => {
      const tracer = create({});
      const atHome = answersOf(tracer, moves);
      const origin = [24, -8, 16];
      for (const wrong of [
        { origin: [1, Number.NaN, 0] },
        { origin, angles: [0, Number.POSITIVE_INFINITY, 0] },
        { origin: [0, 0, 1e39], angles: [0, 90, 0] },
      ]) {
        expect(() => tracer.place(wrong)).toThrow(RangeError);
        expectSame(answersOf(tracer, moves), atHome);
      }
      expect(tracer.place({ origin })).toBe(tracer);
      origin[0] = 999;
      const placed = answersOf(tracer, moves);
      expect(placed).toEqual(answersOf(create({ origin: [24, -8, 16] }), moves));
      expect(placed).not.toEqual(atHome);
    });

    // Of a format that reads several games, maps of some may have models that never turn.
    const [origin, angles] = [
      [24, -8, 16],
      [0, 90, 0],
    ];
    if (kind.options.includes('angles') && caught(() => create({ angles })) === NONE)
      it(`${kind.name}: a model can be turned`, () => {
        const tracer = create({ origin });
        expect(tracer.place({ angles })).toBe(tracer);
        expectSame(answersOf(tracer, moves), answersOf(create({ origin, angles }), moves));
      });

    it(`${kind.name}: refuses models that are not there, and poses of the world`, () => {
      expect(() => create({ model: world.numModels + 1 })).toThrow(RangeError);
      const posed = options.filter(({ name }) => kind.options.includes(name) && name !== 'model');
      for (const option of posed.filter(({ type }: TracerOption) => type === 'point')) {
        expect(() => kind.create(world, size, { [option.name]: [0, 0, 0] }), option.name).toThrow(RangeError);
      }
    });
  }
}

/** Moves through a world, some long, some short, some of no length; around its models where that is asked for. */
function movesIn(world: World, models = 0): Move[] {
  const random = createRandom(7);
  const model = models > 0 ? (world.model(1) as { bounds?: World['bounds']; origin?: Vec3 }) : undefined;
  const { mins, maxs } = model?.bounds ?? world.bounds;
  const origin = model?.origin ?? [0, 0, 0];
  const margin = model ? 80 : 20;
  const point = (): Float32Array =>
    Float32Array.from([0, 1, 2], (k) => origin[k]! + between(random, mins[k]! - margin, maxs[k]! + margin));
  return Array.from({ length: MOVES }, (_, k) => {
    const start = point();
    if (k % 10 === 0) return [start, start.slice()];
    const end = k % 3 === 0 ? start.map((x) => x + between(random, -32, 32)) : point();
    return [start, end];
  });
}

/** What no answer may be, in words. */
function problemsOf(trace: Trace, start: Vec3, end: Vec3, world: World): string[] {
  const { fraction, endPos, normal, dist, startSolid, allSolid } = trace;
  const problems: string[] = [];
  const demand = (holds: boolean, what: string): void => {
    if (!holds) problems.push(`${what}: ${inspect(trace)} on the way from ${start} to ${end}`);
  };
  demand(fraction >= 0 && fraction <= 1, 'fraction is from 0 to 1');
  demand([...endPos, ...normal, dist].every(Number.isFinite), 'numbers are finite');
  for (let k = 0; k < 3; k++) {
    const span = end[k]! - start[k]!;
    const off = Math.abs(start[k]! + fraction * span - endPos[k]!);
    demand(off < 0.01 + 1e-5 * Math.abs(span), 'endPos is where the fraction says');
  }
  demand(startSolid || !allSolid, 'allSolid says startSolid too');
  const square = squareOf(normal);
  demand(square === 0 || Math.abs(square - 1) < 1e-3, 'normal is of length 1, or 0');
  for (const name of ['contents', 'surfaceFlags'] as const) {
    demand(trace[name] === (trace[name] | 0), `${name} is signed 32-bit`);
  }
  const limits = { model: world.numModels, texture: world.textureNames().length - 1 };
  for (const name of ['model', 'texture', 'brush', 'side', 'patch', 'plane'] as const) {
    const most = name in limits ? limits[name as 'model'] : Number.MAX_SAFE_INTEGER;
    demand(Number.isInteger(trace[name]) && trace[name] >= -1 && trace[name] <= most, `${name} is a number`);
  }
  if (fraction < 1 || startSolid) return problems;
  const nothing = { ...createTrace(), endPos };
  const fields = Object.keys(nothing) as (keyof Trace)[];
  demand(`${flat(trace, fields)}` === `${flat(nothing, fields)}`, 'a miss has no fields of a hit');
  return problems;
}

/** Every field of an answer, signs of zero included. */
function flat(trace: Trace, fields: readonly string[] = Object.keys(trace)): unknown[] {
  return [...fields].sort().flatMap((name) => {
    const value = trace[name as keyof Trace] as unknown;
    return ArrayBuffer.isView(value) ? Array.from(value as Float32Array) : [value];
  });
}

const answersOf = (tracer: Tracer, moves: readonly Move[]): unknown[][] =>
  moves.map(([start, end]) => [tracer.blocked(start, end), ...flat(tracer.trace(start, end))]);

function batchRow(batch: TraceBatch, index: number): number[] {
  return Object.entries(batch).flatMap(([name, values]) => {
    if (name === 'count') return [];
    const width = name === 'endPos' || name === 'normal' ? 3 : 1;
    return Array.from((values as Float32Array).subarray(width * index, width * (index + 1)));
  });
}

function storeOf(trace: Trace): TraceBatch {
  const batch = createTraceBatch(1);
  for (const [name, values] of Object.entries(batch)) {
    const value = trace[name as keyof Trace] as unknown;
    if (name !== 'count')
      (values as Float32Array).set(ArrayBuffer.isView(value) ? (value as never) : [Number(value)]);
  }
  return batch;
}

const dot = (a: Vec3, b: Vec3): number => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
const squareOf = (a: Vec3): number => dot(a, a);

/** Above 0 for corners in order around the normal, counter-clockwise seen from its front. */
function windingSign(vertices: Float32Array, normal: Vec3): number {
  const sum = [0, 0, 0];
  for (let at = 0; at < vertices.length; at += 3) {
    const next = (at + 3) % vertices.length;
    for (let k = 0; k < 3; k++) {
      const [i, j] = [(k + 1) % 3, (k + 2) % 3];
      sum[k]! += vertices[at + i]! * vertices[next + j]! - vertices[at + j]! * vertices[next + i]!;
    }
  }
  return dot(sum, normal);
}

const NONE = new Error('nothing was thrown');

/** What a call throws; {@link NONE} when it throws nothing. */
function caught(run: () => unknown): Error {
  try {
    run();
    return NONE;
  } catch (error) {
    return error as Error;
  }
}
