import { BRUSH_SIDES, BRUSH_WORDS, NODE_WORDS } from '@bspkit/brushes';
import { arenaQuake2 } from '@bspkit/fixtures';
import { clearingsLookedFor, LOOKED_FOR } from '@bspkit/testkit/clearings';
import { withoutMemory } from '@bspkit/testkit/no-wasm';
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
