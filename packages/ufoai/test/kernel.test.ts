import { BRUSH_SIDES, BRUSH_WORDS } from '@bspkit/brushes';
import { houseUfoai } from '@bspkit/fixtures';
import { readRealMap, realMapNames } from '@bspkit/fixtures/real';
import { between, createRandom, pick } from '@bspkit/geometry';
import { answerOneByOne, expectSameBatch } from '@bspkit/testkit/batch';
import { BLOCKS, bundlesThatDiffer } from '@bspkit/testkit/blockers';
import { testKernelChoice } from '@bspkit/testkit/no-wasm';
import { seedOf } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import {
  createTraceBatch,
  createUfoaiTraceBatch,
  createUfoaiWorld,
  readUfoai,
  type Trace,
  type UfoaiTraceField,
  UfoaiWorld,
} from '../src/index.ts';
import { referenceBox } from '../src/reference/box.ts';
import { referenceLine } from '../src/reference/line.ts';
import { TILES, TILES_END } from '../src/wasm/layout.ts';
import { type Box, MapBuilder, type MapSpec, type TreeSpec, writeMap } from './writer.ts';

const file = readUfoai(houseUfoai());
const above = [256, 50, 30];
const beyond = [256, 200, 30];

/** This many leafs in a tree, all of which a large box reaches, most of them empty; after them, one with a brush in it. */
function comb(leafs: number): MapSpec {
  const planes = [
    ...[0, 1, 2].flatMap((axis) =>
      [90, -90].map((dist) => [...[0, 1, 2].map((k) => (k === axis ? 1 : 0)), dist]),
    ),
    [1, 0, 0, 0],
  ] as unknown as MapSpec['planes'];
  const empty: TreeSpec = { contents: 0, brushes: [] };
  const branch = (count: number): TreeSpec => {
    if (count === 1) return empty;
    const half = count >> 1;
    return { plane: 6, front: branch(half), back: branch(count - half) };
  };
  // A side of each direction, 90 from the middle.
  const brushes = [{ contents: 1, sides: [0, 3, 4, 7, 8, 11] }];
  return {
    planes,
    brushes,
    models: { 0: { plane: 6, front: branch(leafs), back: { contents: 1, brushes: [0] } } },
  };
}

describe('the kernel in WebAssembly', () => {
  testKernelChoice(async () => {
    const { createUfoaiWorld, readUfoai, UfoaiWorld } = await import('../src/index.ts');
    const file = readUfoai(houseUfoai());
    return {
      create: (options) => createUfoaiWorld(file, options),
      from: (data, options) => UfoaiWorld.from(data, options),
    };
  }, [
    (world) => world.line().blocked(above, beyond),
    (world) => world.box([-9, -9, -24], [9, 9, 20]).trace(above, beyond),
  ]);

  it('is not used for a world before its first trace, then has a memory for lines and one for boxes', () => {
    const world = createUfoaiWorld(file);
    const memory = world._memory;
    const line = world.line();
    const box = world.box([-9, -9, -24], [9, 9, 20]);
    expect([memory.hotLines, memory.hotBoxes]).toEqual([undefined, undefined]);
    expect(line.blocked(above, beyond)).toBe(true);
    const { hotLines } = memory;
    expect(hotLines).toBeTruthy();
    expect(memory.hotBoxes).toBeUndefined();
    box.trace(above, beyond);
    const { hotBoxes } = memory;
    expect(hotBoxes).toBeTruthy();
    world.line().trace(above, beyond);
    world.model(1).ray().trace(above, beyond);
    expect(memory.hotLines).toBe(hotLines);
    expect(memory.hotBoxes).toBe(hotBoxes);
  });

  it('leaves moves that lead far out to TypeScript, and is used again after that', () => {
    const world = createUfoaiWorld(file, { kernel: 'wasm' });
    const other = createUfoaiWorld(file, { kernel: 'js' });
    const ends = [beyond, [1e5, 200, 30], beyond, [1e30, 1e30, -1e30], beyond];
    for (const end of ends) {
      for (const make of [
        (world: UfoaiWorld) => world.line(),
        (world: UfoaiWorld) => world.ray(),
        (world: UfoaiWorld) => world.box([-9, -9, -24], [9, 9, 20], { tile: 0 }),
        (world: UfoaiWorld) => world.box([-9, -9, -24], [9, 9, 20], { tile: 0, head: 0 }),
        (world: UfoaiWorld) => world.model(1).ray(),
      ]) {
        expect(bitsOf(make(world).trace(above, end))).toEqual(bitsOf(make(other).trace(above, end)));
        expect(make(world).blocked(above, end)).toBe(make(other).blocked(above, end));
      }
    }
  });

  it('keeps the settings of tracers apart, whichever was asked last', () => {
    const world = createUfoaiWorld(file);
    const tracers = [4, 9, 14, 19].map((half) => world.box([-half, -half, -half], [half, half, half]));
    const alone = tracers.map((tracer) => bitsOf(tracer.trace(above, beyond)));
    expect(new Set(alone.map(String)).size).toBe(tracers.length);
    for (let k = 0; k < 12; k++) {
      expect(bitsOf(tracers[k % 4]!.trace(above, beyond))).toEqual(alone[k % 4]);
    }
    tracers[0]!.set({ mins: [-9, -9, -9], maxs: [9, 9, 9] });
    expect(bitsOf(tracers[0]!.trace(above, beyond))).toEqual(alone[1]);
    expect(bitsOf(tracers[2]!.trace(above, beyond))).toEqual(alone[2]);
  });

  it('finds the limit of 1024 leafs of a position test as TypeScript does', () => {
    const found = [1000, 1022, 1023, 1024, 1100].map((leafs) => {
      const bytes = writeMap(comb(leafs));
      const [here, there] = (['wasm', 'js'] as const).map((kernel) => {
        const world = createUfoaiWorld(readUfoai(bytes), { kernel });
        return world
          .box([-400, -400, -9], [400, 400, 9], { mask: 1, reject: 0 })
          .trace([0, 0, 99], [0, 0, 99]);
      });
      expect(bitsOf(here!)).toEqual(bitsOf(there!));
      return here!.startSolid;
    });
    expect(found).toEqual([true, true, true, false, false]);
  });

  it('names in batches the leaf in which a move began in solid, even if nothing stopped it', () => {
    const ray = createUfoaiWorld(readUfoai(writeMap(comb(4)))).ray({ mask: 1, reject: 0 });
    const [start, end] = [
      [-20, 0, 50],
      [-200, 0, 50],
    ] as const;
    const trace = ray.trace(start, end);
    expect(trace).toMatchObject({ startSolid: true, brush: -1, tile: 0, leaf: 6 });
    const { tile, leaf, level } = ray.traceBatch(Float32Array.of(...start, ...end));
    expect([...tile, ...leaf, ...level]).toEqual([0, 6, -1]);
  });

  it('leaves worlds that its memory could not hold to TypeScript', () => {
    const made = createUfoaiWorld(file, { kernel: 'js' });
    const { places } = made._memory;
    const changed = made.data.slice(0);
    // A brush that the move does not come near.
    const brush = places.brushes.first + BRUSH_WORDS * (places.brushes.count - 1);
    new Int32Array(changed)[brush + BRUSH_SIDES + 1] = 0x7fffffff;
    const world = UfoaiWorld.from(changed);
    const out = world.ray().trace(above, beyond);
    expect(world.kernel).toBe('js');
    expect(out).toEqual(made.ray().trace(above, beyond));
    const strict = UfoaiWorld.from(changed, { kernel: 'wasm' });
    expect(() => strict.ray().trace(above, beyond)).toThrow('takes more memory than there is');
    // Lines ask for no brushes.
    expect(strict.line().blocked(above, beyond)).toBe(true);
  });
});

/** All bits of an answer. */
function bitsOf(trace: Trace): unknown[] {
  const { endPos, normal, ...rest } = trace;
  return [...endPos, ...normal, ...Object.values(rest)];
}

const real = ['ufoai/mansion_mansion_main.bsp'].filter((name) => realMapNames('ufoai').includes(name));
const maps: [string, Uint8Array][] = [
  ['our house', houseUfoai()],
  ...real.map((name): [string, Uint8Array] => [name, readRealMap(name)]),
];

const MASKS = [-1, 1, 3, 0x10003, 0x20020, 0x21, ~0x80000, 0x2090000];
const REJECTS = [0, 0, 0x20000, 0x8000000];
const HALVES = [0, 1e-11, 9, 10.96875, 33.3, 300];
/** How long moves are, relative to the size of the map. */
const SCALES = [0, 0.02, 0.1, 1, 1, 1000, 1e33];
/** Moves per map; more for proof. */
const MOVES = 3 * Number(process.env.BSPKIT_RUNS_UFOAI ?? 100);

describe.each(maps)('both kernels give the same bits: %s', (name, bytes) => {
  const [here, there] = (['wasm', 'js'] as const).map((kernel) => {
    const tile = readUfoai(bytes);
    const world = createUfoaiWorld([{ file: tile }, { file: tile, x: -70, y: 3, z: 1 }], { kernel });
    const models = world.models();
    for (const [k, model] of models.entries()) if (k % 3 === 1) model.place({ angles: [0, 30 * k, 5] });
    const engine = { compat: 'engine' } as const;
    return {
      world,
      lines: [world.line(), world.line(engine), world.line({ models }), world.line({ models, ...engine })],
      boxes: [
        world.box([-9, -9, -24], [9, 9, 20]),
        world.box([-9, -9, -24], [9, 9, 20], engine),
        world.box([-7.5, -9, -3.3], [9, 4, 20], { models, ...engine }),
        world.box([-9, -9, -24], [9, 9, 20], { tile: 1 }),
        world.box([-9, -9, -24], [9, 9, 20], { tile: 0, head: 0, ...engine }),
        ...models.slice(0, 1).map((model) => model.box([-9, -9, -24], [9, 9, 20])),
      ],
      rays: [world.ray(), world.ray(engine), ...models.slice(0, 1).map((model) => model.line())],
    };
  }) as [Kernels, Kernels];
  type Kernels = {
    world: UfoaiWorld;
    lines: ReturnType<UfoaiWorld['line']>[];
    boxes: ReturnType<UfoaiWorld['box']>[];
    rays: ReturnType<UfoaiWorld['ray']>[];
  };
  const random = createRandom(seedOf(12));
  const { mins, maxs } = here.world.bounds;
  const coordinate = (axis: number): number => {
    const at = between(random, mins[axis]! - 50, maxs[axis]! + 50);
    return pick(random, [at, at, Math.round(at), Math.round(at) + 0.1, Math.round(at / 8) * 8 - 0.03125]);
  };
  const moves = Array.from({ length: MOVES }, () => {
    const start = [0, 1, 2].map(coordinate);
    const scale = pick(random, SCALES);
    const along = pick(random, [0, 1, 2, 3, 3, 3]);
    const end = start.map((x, k) => (along < 3 && along !== k ? x : x + scale * (coordinate(k) - x)));
    return { start, end };
  });

  it('lines, by random masks', () => {
    let blocked = 0;
    for (const [k, { start, end }] of moves.entries()) {
      const settings = { levels: Math.floor(random() * 1024), lightClip: k % 5 === 0 };
      const [one, two] = [here.lines[k % 4]!.set(settings), there.lines[k % 4]!.set(settings)];
      expect(one.blocked(start, end)).toBe(two.blocked(start, end));
      const trace = one.trace(start, end);
      expect(bitsOf(trace)).toEqual(bitsOf(two.trace(start, end)));
      expect(trace.blocked).toBe(trace.fraction < 1);
      if (trace.blocked) blocked++;
    }
    expect(blocked).toBeGreaterThan(MOVES / 20);
  });

  it('boxes of random sizes and rays, by random filters', () => {
    let hits = 0;
    for (const [k, { start, end }] of moves.entries()) {
      const half = pick(random, HALVES);
      const filter = {
        mask: pick(random, MASKS),
        reject: pick(random, REJECTS),
        levels: pick(random, [0, 0x1ff, 0x100, 2, 0xff, Math.floor(random() * 2 ** 32)]),
      };
      const size = { mins: [-half, -half, -half * 0.7], maxs: [half, half, half * 0.4] };
      for (const { boxes, rays } of [here, there]) {
        boxes[k % boxes.length]!.set({ ...filter, ...size });
        rays[k % rays.length]!.set(filter);
      }
      for (const kind of ['boxes', 'rays'] as const) {
        const index = k % here[kind].length;
        const trace = here[kind][index]!.trace(start, end);
        expect(bitsOf(trace)).toEqual(bitsOf(there[kind][index]!.trace(start, end)));
        if (trace.brush >= 0) hits++;
      }
    }
    expect(hits).toBeGreaterThan(MOVES / 20);
  });

  it('batches, and a loop of trace', () => {
    // A large map with models takes long in JavaScript.
    const asked = name === 'our house' ? moves : moves.slice(0, 30);
    const segments = Float32Array.from(asked.flatMap(({ start, end }) => [...start, ...end]));
    const some = segments.subarray(0, 6 * 7);
    for (const kind of ['lines', 'boxes', 'rays'] as const) {
      for (const [k, tracer] of here[kind].entries()) {
        const other = there[kind][k]!;
        const { batch, tests } = answerOneByOne(other, segments);
        const few = answerOneByOne(other, some).batch;
        for (const each of [tracer, other]) {
          const answers = { ...each.traceBatch(segments), blocked: each.blockedBatch(segments) };
          expectSameBatch(answers, { ...batch, blocked: tests }, segments);
          expectSameBatch(each.traceBatch(some, createUfoaiTraceBatch(7)), few, some);
        }
      }
    }
  });

  it('batches of some fields, on shared memory', () => {
    const asked = moves.slice(0, 60);
    const segments = new Float32Array(new SharedArrayBuffer(4 * 6 * asked.length));
    segments.set(asked.flatMap(({ start, end }) => [...start, ...end]));
    for (const tracer of [here.lines[0]!, here.boxes[0]!]) {
      const whole = tracer.traceBatch(segments);
      for (const field of Object.keys(whole).filter((name) => name !== 'count') as UfoaiTraceField[]) {
        const room = createUfoaiTraceBatch(500, { fields: [field], shared: true });
        const part = tracer.traceBatch(segments, room);
        expect(Object.keys(part).sort()).toEqual(['count', field].sort());
        expect([...part[field].subarray(0, whole[field].length)]).toEqual([...whole[field]]);
      }
    }
  });

  it('batches refuse anything but segments by that name, whatever out is', () => {
    const room = createUfoaiTraceBatch(2);
    for (const tracer of [...here.lines, ...here.boxes, ...there.lines, ...there.boxes]) {
      for (const out of [room, { ...room }]) {
        for (const wrong of [undefined, null, 5]) {
          const problem = `segments must be a Float32Array, got ${wrong}`;
          expect(() => tracer.traceBatch(wrong as never, out)).toThrow(problem);
        }
      }
    }
  });

  it('batches refuse tiles, leafs and levels that do not fit before anything is written', () => {
    const segments = new Float32Array(12);
    const room = createTraceBatch(2);
    for (const tracer of [...here.lines, ...here.boxes, ...there.lines, ...there.boxes]) {
      for (const field of ['tile', 'leaf', 'level']) {
        const asked = (array: unknown) => (): unknown =>
          tracer.traceBatch(segments, { ...room, [field]: array });
        for (const wrong of [new Float32Array(2), new Int32Array(1), [0, 0]]) {
          expect(asked(wrong)).toThrow('out must be made by createTraceBatch, got an object');
        }
        expect(asked(new Int32Array(segments.buffer, 8))).toThrow('out must not overlap segments');
      }
    }
    expect([...room.brush, ...segments].every((x) => x === 0)).toBe(true);
  });
});

describe('bounds that moves are compared with leave out nothing that counts', () => {
  const WALL: Box = [100, -50, 0, 110, 50, 100];
  /** It makes bounds begin nearer than the wall does. */
  const ASIDE: Box = [20, 120, 0, 30, 130, 100];
  const ignore = (): void => {};

  /** A map in which each model has the boxes that are listed for it. */
  function mapOf(models: Record<number, readonly Box[]>): ReturnType<typeof readUfoai> {
    const builder = new MapBuilder();
    const trees = Object.entries(models).map(([model, boxes]) => {
      const parts = boxes.map((box) => builder.box(box, 1));
      return [model, MapBuilder.union(parts, [-512, -512, 0, 512, 512, 512])];
    });
    const { planes, brushes } = builder;
    return readUfoai(writeMap({ planes, brushes, models: Object.fromEntries(trees) }));
  }

  const KERNELS = ['wasm', 'js'] as const;

  it('of equally near heads, the first stops a line, though a later one begins nearer', () => {
    for (const kernel of KERNELS) {
      const line = createUfoaiWorld(mapOf({ 1: [WALL], 2: [ASIDE, WALL] }), { kernel }).line();
      expect(line.trace([0, 0, 50], [300, 1, 50])).toMatchObject({ blocked: true, level: 1 });
    }
  });

  it('of equally near tiles, the first stops a line, though a later one begins nearer', () => {
    const tiles = [{ file: mapOf({ 1: [WALL] }) }, { file: mapOf({ 1: [ASIDE, WALL] }) }];
    for (const kernel of KERNELS) {
      const line = createUfoaiWorld(tiles, { kernel }).line();
      expect(line.trace([0, 0, 50], [300, 1, 50])).toMatchObject({ blocked: true, tile: 0 });
    }
  });

  it.each([10, 200])('lines are blocked up to 0.1 beside what blocks: %i units to both sides', (far) => {
    for (const kernel of KERNELS) {
      const line = createUfoaiWorld(mapOf({ 1: [WALL] }), { kernel }).line();
      for (const [off, blocked] of [
        [0.0999, true],
        [0.1001, false],
      ] as const) {
        const [start, end] = [
          [100 - off, -far, 50],
          [100 - off, far, 50],
        ];
        expect(line.blocked(start, end)).toBe(blocked);
        const reference = referenceLine(line, start, end, ignore, ignore);
        expect(reference.blocked).toBe(blocked);
        expect(bitsOf(line.trace(start, end))).toEqual(bitsOf(reference.trace));
      }
    }
  });

  it.each([10, 200])('boxes are stopped a 32nd of a unit before what they do not reach, after %i', (far) => {
    const builder = new MapBuilder();
    builder.box(WALL, 1);
    const { planes, brushes } = builder;
    // The brush is in leafs that are larger.
    const leaf: TreeSpec = { contents: 1, brushes: [0] };
    const map = writeMap({ planes, brushes, models: { 1: { plane: 0, front: leaf, back: leaf } } });
    for (const kernel of KERNELS) {
      const box = createUfoaiWorld(readUfoai(map), { kernel }).box([-9, -5, -9], [9, 5, 9]);
      for (const [off, stopped] of [
        [0.03, true],
        [0.0325, false],
      ] as const) {
        const [start, end] = [
          [91 - far, 20, 60],
          [91 - off, 0, 50],
        ];
        const trace = box.trace(start, end);
        expect(trace.fraction < 1).toBe(stopped);
        expect(box.blocked(start, end)).toBe(stopped);
        expect(bitsOf(trace)).toEqual(bitsOf(referenceBox(box, start, end, ignore, ignore)));
      }
    }
  });
});

describe('blockers of lines', () => {
  const ground = [260, 52, -300];

  /** Makes walks of lines find nothing. */
  function empty(world: UfoaiWorld): void {
    const { ints } = world._memory.hotLines!;
    ints[TILES_END >> 2] = ints[TILES >> 2]!;
  }

  it('answer before trees are walked, for long lines through the levels they are in', () => {
    const world = createUfoaiWorld(file);
    const line = world.line();
    for (let k = 0; k < BLOCKS; k++) expect(line.blocked(above, ground)).toBe(true);
    empty(world);
    expect(line.blocked(above, ground)).toBe(true);
    expect(line.trace(above, ground).blocked).toBe(false);
    expect(line.blocked(above, [256, 52, -20])).toBe(false);
    expect(line.blocked(above, above)).toBe(false);
    expect(() => line.blocked(above, [NaN, 0, 0])).toThrow(RangeError);
    expect([...line.blockedBatch(Float32Array.of(...above, ...beyond, ...above, ...ground))]).toEqual([0, 1]);
  });

  it('are found by batches too', () => {
    const world = createUfoaiWorld(file);
    const line = world.line();
    const many = new Float32Array(Array.from({ length: BLOCKS }, () => [...above, ...ground]).flat());
    for (let k = 0; k < 3; k++) expect(line.blockedBatch(many)).toEqual(new Uint8Array(BLOCKS).fill(1));
    empty(world);
    expect(line.blockedBatch(many)).toEqual(new Uint8Array(BLOCKS).fill(1));
    expect(line.blocked(above, beyond)).toBe(false);
  });

  it('change no answer, whatever the planes of a map and the levels', () => {
    let blocked = 0;
    for (let seed = 0; seed < 12; seed++) {
      const random = createRandom(seedOf(seed));
      const broken = readUfoai(houseUfoai());
      const { dists } = broken.planes;
      for (let k = 0; k < seed; k++) dists[pick(random, [...dists.keys()])]! += between(random, -30, 30);
      const world = createUfoaiWorld(broken);
      const plain = createUfoaiWorld(broken, { kernel: 'js' });
      for (const options of [
        {},
        { levels: 1 << (seed % 8) },
        { levels: 3, weaponClip: true, actorClip: true },
        { compat: 'engine' as const, levels: 1 },
      ]) {
        const found = bundlesThatDiffer(
          { tracer: world.line(options), plain: plain.line(options), bounds: world.bounds },
          seed,
        );
        expect(found.differing).toEqual([]);
        blocked += found.blocked;
      }
    }
    expect(blocked).toBeGreaterThan(1000);
  });
});
