import type { BspWorld, KernelChoice, Trace, Tracer, Vec3 } from '@bspkit/core';
import { type BspFormat, suitedPresets, tracerOf } from '@bspkit/core/format';
import {
  AS_PRINTED,
  createEllipsoidWorld,
  createTutorialReference,
  EllipsoidSlider,
} from '@bspkit/ellipsoid';
import { arenaQuake3 } from '@bspkit/fixtures';
import { readEngineMap } from '@bspkit/fixtures/engine';
import { between, createRandom } from '@bspkit/geometry';
import type { Quake3World } from '@bspkit/quake3';
import { createScene } from '@bspkit/scene';
import { compiledSoon } from '@bspkit/testkit/compiled-soon';
import { growable, resizable } from '@bspkit/testkit/elastic';
import { expectSame } from '@bspkit/testkit/same';
import { seedOf } from '@bspkit/testkit/seed';
import { FORMATS } from 'bspkit';
import { describe, expect, it } from 'vitest';

// Transferring the data of a world to another thread gives the world away. Anything that still uses it must say so; otherwise,
// walks through nothing would give wrong answers, or never end.

const mapOf = ({ id }: BspFormat): Uint8Array => readEngineMap(`${id}/arena.bsp`);

const GONE = "the world's data was transferred";
const KERNELS: readonly KernelChoice[] = ['wasm', 'js'];

const formats: readonly BspFormat[] = await Promise.all(FORMATS.map((entry) => entry.load()));

describe.each(formats)('worlds of $id whose data was transferred', (format) => {
  const map = mapOf(format);

  it('accept no buffer that may shrink later, or grow', () => {
    const bytes = new Uint8Array(format.createWorld([format.read(map)]).data);
    for (const buffer of [resizable(bytes), growable(bytes)])
      expect(() => format.open(buffer)).toThrow('data must be the buffer of a world, of a fixed size, got');
  });

  it('are not made from files by their class', () => {
    const file = format.read(map);
    const World = format.createWorld([file]).constructor as new (data: unknown) => BspWorld;
    for (const wrong of [undefined, file])
      expect(() => new World(wrong)).toThrow('data must be the buffer of a world, of a fixed size, got');
  });

  it('cannot be opened again', () => {
    const { data } = format.createWorld([format.read(map)]);
    structuredClone(data, { transfer: [data as ArrayBuffer] });
    expect(() => format.open(data)).toThrow(GONE);
  });

  it.each(KERNELS)('have tracers that say so, with the kernel %s, or answer as before', (kernel) => {
    const [world, other] = [0, 1].map(() => format.createWorld([format.read(map)], { kernel })) as [
      BspWorld,
      BspWorld,
    ];
    const random = createRandom(seedOf(1));
    const point = (): number[] =>
      [0, 1, 2].map((k) => between(random, world.bounds.mins[k]!, world.bounds.maxs[k]!));
    const moves = Array.from({ length: 400 }, () => [point(), point()] as const);
    const presets = suitedPresets(format, world);
    const [tracers, others] = [world, other].map((of) => presets.map((one) => tracerOf(format, of, one))) as [
      Tracer[],
      Tracer[],
    ];
    expect(tracers.length).toBeGreaterThan(0);
    // Half of them know the world already; the others fetch what they need from it at their first trace.
    for (const tracer of tracers.slice(0, tracers.length >> 1)) tracer.trace(...moves[0]!);
    structuredClone(world.data, { transfer: [world.data as ArrayBuffer] });
    let said = 0;
    for (const [k, tracer] of tracers.entries()) {
      const ask = <A>(what: (tracer: Tracer) => A): void => {
        let answer: A;
        try {
          answer = what(tracer);
        } catch (error) {
          expectSame([error instanceof TypeError, String(error).includes(GONE)], [true, true], String(error));
          said++;
          return;
        }
        expectSame(answer, what(others[k]!));
      };
      for (const [start, end] of moves) {
        ask((one) => one.trace(start, end));
        ask((one) => one.blocked(start, end));
      }
      const segments = Float32Array.from(moves.flat(2));
      ask((one) => one.traceBatch(segments).fraction);
      ask((one) => one.blockedBatch(segments));
    }
    expect(said).toBeGreaterThan(0);
  });

  it('are printed as before, with their models and tracers', () => {
    const world = format.createWorld([format.read(map)]);
    const { model } = world as { readonly model?: (number: number) => object };
    const printed = [world, tracerOf(format, world, format.tracers.presets[0]!), model?.call(world, 1)];
    const before = printed.map(String);
    structuredClone(world.data, { transfer: [world.data as ArrayBuffer] });
    expect(printed.map(String)).toEqual(before);
  });

  it('have polygons that say so', () => {
    const world = format.createWorld([format.read(map)]);
    const source = format.polygons(world);
    const everywhere = (): number =>
      source.boxLeafs([-4096, -4096, -4096], [4096, 4096, 4096], new Int32Array(source.numLeafs));
    expect(everywhere()).toBeGreaterThan(0);
    structuredClone(world.data, { transfer: [world.data as ArrayBuffer] });
    expect(() => source.polygons()).toThrow(GONE);
    expect(() => source.leafPolygons(1)).toThrow(GONE);
    expect(everywhere).toThrow(GONE);
  });

  it('have functions that say so', () => {
    const world = format.createWorld([format.read(map)]);
    structuredClone(world.data, { transfer: [world.data as ArrayBuffer] });
    const point: Vec3 = [0, 0, 0];
    const asked: Readonly<Record<string, readonly unknown[]>> = {
      leaf: [point],
      contents: [point],
      leafContents: [point],
      hullContents: [0, point],
      isInside: [point],
      sphereInside: [point, 1],
      visible: [1, 1],
      hearable: [1, 1],
      sight: [point, [9, 9, 9]],
      pathUnblocked: [point, [9, 9, 9]],
      boxLeafs: [point, [9, 9, 9]],
      headNode: [point, [9, 9, 9]],
      headVisible: [0, 0],
      cluster: [1],
      area: [1],
      clusterPvs: [0],
      clusterVisible: [0, 0],
      setAreaPortal: [1, true],
      entities: [],
      textureNames: [],
      model: [1],
      ray: [],
      box: [point, [9, 9, 9]],
      hull: [0],
      preciseRay: [],
      line: [],
    };
    const calls = Object.entries(asked).filter(([name]) => name in world);
    expect(calls.length).toBeGreaterThan(6);
    for (const [name, args] of calls) {
      const call = (world as unknown as Readonly<Record<string, (...args: unknown[]) => unknown>>)[name]!;
      expect(() => call.apply(world, [...args]), name).toThrow(GONE);
    }
  });
});

describe.each(formats)('files of $id whose bytes were transferred', (format) => {
  it('are refused, or answer as before: empty lumps would be a map without light, or without a world', () => {
    const bytes = mapOf(format).slice();
    const file = format.read(bytes);
    const { brushes, mesh, lightmaps, createLightSampler, embeddedTextures } = format;
    const asked: Readonly<Record<string, (() => unknown) | undefined>> = {
      createWorld: () => format.createWorld([file]),
      brushes: brushes && (() => [...brushes(file)]),
      mesh: mesh && (() => mesh(file)),
      lightmaps: lightmaps && (() => lightmaps(file)),
      createLightSampler: createLightSampler && (() => createLightSampler(file).isLit),
      embeddedTextures: embeddedTextures && (() => embeddedTextures(file)),
    };
    const answer = (call: () => unknown): unknown => {
      try {
        return call();
      } catch (error) {
        return (error as Error).message;
      }
    };
    const before = Object.entries(asked).map(([name, call]) => [name, call && answer(call)]);
    structuredClone(bytes, { transfer: [bytes.buffer as ArrayBuffer] });
    const gone = "the file's bytes must not have been transferred or cut off";
    const refused: string[] = [];
    for (const [name, expected] of before) {
      const call = asked[name as string];
      const got = call && answer(call);
      if (got === gone) refused.push(name as string);
      else expect(got, name as string).toEqual(expected);
    }
    expect(refused).toEqual(
      expect.arrayContaining(['createWorld', 'mesh', 'lightmaps', 'createLightSampler']),
    );
  });
});

describe.each(formats)('files of $id that were sent as JSON', (format) => {
  it('are refused: their arrays are none any more', () => {
    const file = format.read(mapOf(format));
    const sent = JSON.parse(JSON.stringify(file)) as typeof file;
    const refused = /^file must be a map that read\w+ has read, got an object$/;
    expect(() => format.createWorld([sent])).toThrow(refused);
    expect(() => format.mesh!(sent)).toThrow(refused);
  });
});

describe.each(formats)('files of $id whose bytes were made fewer', (format) => {
  it('are whole: they were copied', () => {
    const map = mapOf(format);
    const buffer = resizable(map);
    const [file, whole] = [format.read(buffer), format.read(map)];
    buffer.resize(100);
    expect(file).toEqual(whole);
    expect(new Uint8Array(format.createWorld([file]).data)).toEqual(
      new Uint8Array(format.createWorld([whole]).data),
    );
  });
});

describe.each(formats)('answers of $id', (format) => {
  const world = format.createWorld([format.read(mapOf(format))]);
  const { mins, maxs } = world.bounds;
  const presets = suitedPresets(format, world).map((one) => tracerOf(format, world, one));
  const tracers = [...presets, createScene(world as Quake3World).ray()];
  const given = ['endPos', 'normal'];

  /** An answer of which an array was transferred, and how to write to it again. */
  const without = (tracer: Tracer, name: string): { out: Trace; trace: () => Trace } => {
    const out = tracer.createTrace();
    const trace = (): Trace => tracer.trace(mins, maxs, out);
    // Often enough that V8 compiles it for arrays that are there.
    compiledSoon(() => {
      for (let k = 0; k < 2000; k++) trace();
    });
    const { buffer } = out[name as 'normal'];
    structuredClone(buffer, { transfer: [buffer as ArrayBuffer] });
    return { out, trace };
  };

  it.each(given)('are refused by the tracer that wrote them once their %s was transferred', (name) => {
    for (const tracer of tracers) {
      const { trace } = without(tracer, name);
      const problem = new TypeError('out must be a trace made by createTrace, got an object');
      for (let k = 0; k < 2; k++) expect(trace, String(tracer)).toThrow(problem);
      expect(tracer.trace(mins, maxs, tracer.createTrace())).toEqual(tracer.trace(mins, maxs));
    }
  });

  it('are whole if an array of the game was transferred: they get a new one', () => {
    for (const tracer of tracers) {
      const own = Object.entries(tracer.createTrace()).filter(([, value]) => ArrayBuffer.isView(value));
      for (const [name] of own.filter(([name]) => !given.includes(name)))
        expect(without(tracer, name).trace(), name).toEqual(tracer.trace(mins, maxs));
    }
  });
});

describe.each(formats)('segments for $id in a buffer that became too small', (format) => {
  it('are refused by all batches, and not taken for an empty batch', () => {
    const world = format.createWorld([format.read(mapOf(format))]);
    const tracers = suitedPresets(format, world).map((one) => tracerOf(format, world, one));
    const tests = tracers.flatMap((tracer) => [
      (segments: Float32Array) => tracer.traceBatch(segments),
      (segments: Float32Array) => tracer.blockedBatch(segments),
    ]);
    for (const test of tests) {
      const buffer = resizable(new Uint8Array(48));
      const segments = new Float32Array(buffer, 0, 12);
      buffer.resize(24);
      expect(() => test(segments)).toThrow('segments must not have been transferred or cut off');
    }
  });
});

describe('worlds of ellipsoids whose data was transferred', () => {
  const radii = [16, 16, 28];
  const [start, end] = [
    [0, 0, 100],
    [0, 0, -100],
  ] as const;
  const segments = Float32Array.of(...start, ...end);

  it('say so, as do their tracers and everything else made from them', async () => {
    const format = formats.find(({ id }) => id === 'quake3')!;
    const source = format.polygons(format.createWorld([format.read(arenaQuake3())]));
    const world = createEllipsoidWorld(source);
    const tracers: readonly Tracer[] = [
      world.ellipsoid(radii),
      world.ellipsoid(radii),
      world.sphere(16),
      world.tutorial(radii),
      world.tutorial(radii),
    ];
    const slider = new EllipsoidSlider(world, radii);
    const tutorial = world.tutorial(radii);
    // Some have answered before.
    for (const tracer of tracers.slice(1, 4)) tracer.trace(start, end);
    world.closest(start);
    const { bounds, numPolygons } = structuredClone({ bounds: world.bounds, numPolygons: world.numPolygons });
    structuredClone(world.data, { transfer: [world.data as ArrayBuffer] });
    // First the calls that used to return, though with wrong answers: the others never did.
    const calls: (() => unknown)[] = [
      () => world.polygon(0),
      () => world.closest(start),
      () => world.distance(start, radii),
      () => world.ellipsoid(radii),
      () => world.sphere(16),
      () => world.tutorial(radii),
      () => new EllipsoidSlider(world, radii),
      () => createTutorialReference(world, radii, AS_PRINTED),
      () => tutorial.move(start, end),
      () => slider.slide(start, end),
    ];
    for (const tracer of tracers) {
      calls.push(
        () => tracer.trace(start, end),
        () => tracer.blocked(start, end),
        () => tracer.traceBatch(segments),
        () => tracer.blockedBatch(segments),
      );
    }
    for (const [k, call] of calls.entries()) expect(call, `call ${k}`).toThrow(GONE);
    expect({ bounds: world.bounds, numPolygons: world.numPolygons }).toEqual({ bounds, numPolygons });
  });
});
