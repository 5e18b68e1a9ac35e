import { BRUSH_SIDES, BRUSH_WORDS, NODE_WORDS } from '@bspkit/brushes';
import { arenaQuake2 } from '@bspkit/fixtures';
import { between, createRandom, pick } from '@bspkit/geometry';
import { BLOCKS, shapesThatDiffer } from '@bspkit/testkit/blockers';
import { clearingsLookedFor, LOOKED_FOR } from '@bspkit/testkit/clearings';
import { withoutMemory } from '@bspkit/testkit/no-wasm';
import { seedOf } from '@bspkit/testkit/seed';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createQuake2World, Quake2World, readQuake2 } from '../src/index.ts';
import { headOf, type WorldMemory } from '../src/kernel/memory.ts';

const file = readQuake2(arenaQuake2());
const [start, end] = [
  [0, 0, 64],
  [0, 0, -64],
] as const;

describe('where the kernel in WebAssembly cannot have a world', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });

  it('because there is no memory for one more, TypeScript traces there', async () => {
    vi.stubGlobal('WebAssembly', withoutMemory());
    vi.resetModules();
    const other = await import('../src/index.ts');
    const world = other.createQuake2World(other.readQuake2(arenaQuake2()));
    expect(world.kernel).toBe('wasm');
    expect(world.ray().blocked(start, end)).toBe(true);
    expect(world.kernel).toBe('js');
    const strict = other.Quake2World.from(world.data, { kernel: 'wasm' });
    expect(() => strict.ray().blocked(start, end)).toThrow('could not allocate memory');
  });

  it.each<[string, string, (memory: WorldMemory, ints: Int32Array) => void]>([
    [
      'because its memory could not hold it',
      'takes more memory than there is',
      // A brush that the move does not come near.
      ({ places }, ints) => {
        const brush = places.brushes.first + BRUSH_WORDS * (places.brushes.count - 1);
        ints[brush + BRUSH_SIDES + 1] = 0x7fffffff;
      },
    ],
    [
      'because the tree of a model comes back to its head',
      'call stack',
      (memory, ints) => {
        const head = headOf(memory, memory.places.models.count - 1);
        ints[memory.places.nodes.first + NODE_WORDS * head + 2] = head;
      },
    ],
  ])('%s, TypeScript traces there', (_, words, change) => {
    const made = createQuake2World(file, { kernel: 'js' });
    const changed = made.data.slice(0);
    change(made._target.memory, new Int32Array(changed));
    const world = Quake2World.from(changed);
    const out = world.ray().trace(start, end);
    expect(world.kernel).toBe('js');
    expect(out).toEqual(made.ray().trace(start, end));
    const strict = Quake2World.from(changed, { kernel: 'wasm' }).ray();
    expect(() => strict.blocked(start, end)).toThrow(words);
  });
});

describe('clearings', () => {
  it.each(['wasm', 'js'] as const)('are looked for where short moves often start: kernel %s', (kernel) => {
    const looked = clearingsLookedFor(() => {
      const world = createQuake2World(file, { kernel });
      return {
        tracer: world.box([-9, -9, -9], [9, 9, 9]),
        areas: () => world._target.memory.clearings!.areas.size,
      };
    });
    expect(looked).toEqual(LOOKED_FOR);
  });
});

describe('blockers', () => {
  const floor = [5, 3, -200];
  const wall = [900, 3, 70];
  const near = [0, 0, 50];
  /** A child of the kernel's tree that has no brushes: so walks meet nothing. */
  const NOTHING = 2;

  it('answer before the tree is walked, moves that go far, for contents that they have', () => {
    const world = createQuake2World(file);
    const ray = world.ray();
    const asking = [world.box([-1, -1, -1], [1, 1, 1]), world.box([-15, -15, -24], [15, 15, 32])];
    const others = [
      world.ray({ mask: 0x10000 }),
      world.box([1, -1, -1], [2, 1, 1]),
      world.box([-1, -1, -1025], [1, 1, 1]),
      world.model(1).ray({ origin: [0, 0, 999] }),
    ];
    for (let k = 0; k < BLOCKS; k++) expect(ray.blocked(start, floor)).toBe(true);
    for (const other of [...asking, ...others]) other.blocked(start, near);
    world._target.memory.hot!.roots[0] = NOTHING;
    expect(ray.blocked(start, floor)).toBe(true);
    expect([...ray.blockedBatch(Float32Array.of(...start, ...floor, ...start, ...wall))]).toEqual([1, 0]);
    expect(ray.trace(start, floor).fraction).toBe(1);
    expect([...ray.traceBatch(Float32Array.of(...start, ...floor)).fraction]).toEqual([1]);
    expect(ray.blocked(start, near)).toBe(false);
    expect(() => ray.blocked(start, [NaN, 0, 0])).toThrow(RangeError);
    expect(() => ray.blocked([NaN, 0, 64], floor)).toThrow(RangeError);
    expect(ray.blocked(start, start)).toBe(false);
    for (const other of asking) expect(other.blocked(start, floor)).toBe(true);
    for (const other of others) expect(other.blocked(start, floor)).toBe(false);
    expect(world.ray({ mask: -1 }).blocked(start, floor)).toBe(true);
    expect(world.box([0, 0, 0], [0, 0, 0]).blocked(start, floor)).toBe(true);
  });

  it('that are boxes are met by all of a box', () => {
    const world = createQuake2World(file);
    const ray = world.ray();
    const box = world.box([-15, -15, -24], [15, 15, 32]);
    for (let k = 0; k < BLOCKS; k++) expect(ray.blocked(start, floor)).toBe(true);
    world._target.memory.hot!.roots[0] = NOTHING;
    const into = [24.5, 23.5, 22.5].map((z) => [...start, 300, 3, z]);
    expect(into.map((move) => box.blocked(move.slice(0, 3), move.slice(3)))).toEqual([false, false, true]);
    expect([...box.blockedBatch(Float32Array.from(into.flat()))]).toEqual([0, 0, 1]);
    expect(into.map((move) => ray.blocked(move.slice(0, 3), move.slice(3)))).toEqual([false, false, false]);
  });

  it('are found by batches too', () => {
    const world = createQuake2World(file);
    const ray = world.ray();
    const many = new Float32Array(Array.from({ length: BLOCKS }, () => [...start, ...floor]).flat());
    for (let k = 0; k < 3; k++) expect(ray.blockedBatch(many)).toEqual(new Uint8Array(BLOCKS).fill(1));
    world._target.memory.hot!.roots[0] = NOTHING;
    expect(ray.blockedBatch(many)).toEqual(new Uint8Array(BLOCKS).fill(1));
    expect(ray.blocked(start, wall)).toBe(false);
  });

  it('change no answer in maps whose leafs do not list what is in them', () => {
    let blocked = 0;
    for (let seed = 0; seed < 12; seed++) {
      const random = createRandom(seedOf(seed));
      const broken = readQuake2(arenaQuake2());
      const { leafBrushes, leafs, planes } = broken;
      for (let k = 0; k < 4 * seed; k++) {
        leafBrushes[pick(random, [...leafBrushes.keys()])] = pick(random, [...leafBrushes]);
      }
      for (let k = 0; k < seed % 5; k++) {
        planes.dists[pick(random, [...planes.dists.keys()])]! += between(random, -9, 9);
        leafs.contents[pick(random, [...leafs.contents.keys()])] = 0;
      }
      const world = createQuake2World(broken);
      const plain = createQuake2World(broken, { kernel: 'js' });
      const found = shapesThatDiffer(
        { world, plain },
        (made, mins, maxs) => [made.ray(), made.box(mins, maxs)],
        seed,
      );
      expect(found.differing).toEqual([]);
      blocked += found.blocked;
    }
    expect(blocked).toBeGreaterThan(2000);
  });
});
