import type { KernelChoice, KernelName } from '@bspkit/core';
import { afterEach, describe, expect, it, vi } from 'vitest';

const refuse = (error: Error) => ({
  Module: class {
    constructor() {
      throw error;
    }
  },
});

/** Why a kernel in WebAssembly cannot run, and what replaces `WebAssembly` then. */
const WITHOUT_WASM: readonly (readonly [why: string, webAssembly: unknown])[] = [
  ['is missing', undefined],
  ['is forbidden', refuse(new Error("Refused to compile: 'wasm-unsafe-eval' is not allowed"))],
  ['lacks SIMD', refuse(new SyntaxError('invalid value type 0x7b'))],
];

/** A replacement for `WebAssembly` with which kernels can be compiled, but there is no memory for one more world. */
export function withoutMemory(): object {
  const { Module } = (globalThis as unknown as { WebAssembly: { Module: unknown } }).WebAssembly;
  class Memory {
    constructor() {
      throw new RangeError('could not allocate memory');
    }
  }
  return { Module, Memory };
}

interface World {
  readonly data: ArrayBufferLike;
  readonly kernel: KernelName;
}

interface Options {
  readonly kernel?: KernelChoice;
}

/** A format whose worlds have kernels, loaded in whatever environment there is. */
interface Kernels<W extends World> {
  /** Makes a world of a map. */
  create(options?: Options): W;
  from(data: ArrayBufferLike, options?: Options): W;
}

/** Tests of which kernel worlds have: `load` loads a format's package, and `answers` ask its worlds. */
export function testKernelChoice<W extends World>(
  load: () => Promise<Kernels<W>>,
  answers: readonly ((world: W) => unknown)[],
): void {
  it('traces by default where it is available', async () => {
    const { create, from } = await load();
    expect(create().kernel).toBe('wasm');
    expect(create({ kernel: 'wasm' }).kernel).toBe('wasm');
    const { data, kernel } = create({ kernel: 'js' });
    expect(kernel).toBe('js');
    const choices = [undefined, 'auto', 'js'] as const;
    expect(choices.map((kernel) => from(data, kernel && { kernel }).kernel)).toEqual(['wasm', 'wasm', 'js']);
  });

  it.each<[words: string, type: new (...args: never[]) => Error, options: object]>([
    ['kernel', RangeError, { kernel: 'c' }],
    ['kernel', TypeError, { kernel: 1 }],
    ["'kernels'", TypeError, { kernels: 'js' }],
  ])('refuses a wrong %s', async (words, type, options) => {
    const { create, from } = await load();
    const { data } = create();
    for (const make of [() => create(options), () => from(data, options)]) {
      expect(make).toThrow(type);
      expect(make).toThrow(words);
    }
  });

  describe('where WebAssembly is not available', () => {
    const loadWith = (webAssembly: unknown): Promise<Kernels<W>> => {
      vi.stubGlobal('WebAssembly', webAssembly);
      vi.resetModules();
      return load();
    };
    afterEach(() => {
      vi.unstubAllGlobals();
      vi.resetModules();
    });

    it.each(WITHOUT_WASM)('because it %s, TypeScript traces', async (_, engine) => {
      const here = (await load()).create();
      const { create, from } = await loadWith(engine);
      const world = create();
      expect(world.kernel).toBe('js');
      expect(answers.map((ask) => ask(world))).toEqual(answers.map((ask) => ask(here)));
      const words = "kernel 'wasm' needs WebAssembly with SIMD";
      expect(() => from(world.data, { kernel: 'wasm' })).toThrow(words);
      expect(() => create({ kernel: 'wasm' })).toThrow(words);
    });

    it('because there is no memory for one more world, TypeScript traces there', async () => {
      const here = (await load()).create();
      const { create, from } = await loadWith(withoutMemory());
      const world = create();
      expect(world.kernel).toBe('wasm');
      expect(answers.map((ask) => ask(world))).toEqual(answers.map((ask) => ask(here)));
      expect(world.kernel).toBe('js');
      const strict = from(world.data, { kernel: 'wasm' });
      for (const ask of answers) expect(() => ask(strict)).toThrow('could not allocate memory');
    });
  });
}
