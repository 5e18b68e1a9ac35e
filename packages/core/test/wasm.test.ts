import { afterEach, describe, expect, it, vi } from 'vitest';
import { defineWasm } from '../src/format/index.ts';

const PAGE = 65536;
/** Where a kernel keeps batches, and where its stack begins. */
const BATCHES = 1024;
const STACK = 2048;

/** An engine whose only module exports `build`; returns the pages of all memories that were made. */
function stubEngine(build: (memory: Int32Array, bytes: number) => number): number[] {
  const pages: number[] = [];
  class Memory {
    readonly buffer: ArrayBuffer;
    constructor({ initial, maximum }: { initial: number; maximum: number }) {
      expect(maximum).toBe(initial);
      pages.push(initial);
      this.buffer = new ArrayBuffer(PAGE * initial);
    }
  }
  class Instance {
    readonly exports: object;
    constructor(_: object, { env }: { env: { memory: Memory } }) {
      this.exports = { build: (bytes: number) => build(new Int32Array(env.memory.buffer), bytes) };
    }
  }
  vi.stubGlobal('WebAssembly', { Module: class {}, Memory, Instance });
  return pages;
}

describe('what a kernel builds', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  const world = Int32Array.of(1, 2, 3);

  it('moves to a memory of its size', () => {
    const pages = stubEngine((memory, bytes) => {
      expect([...memory.subarray(-4)]).toEqual([0, 1, 2, 3]);
      expect(bytes).toBe(12);
      memory.fill(7, 0, PAGE / 4 + 10);
      return PAGE + 8;
    });
    const kernel = defineWasm('00', BATCHES, STACK);
    expect(kernel.canRun()).toBe(true);
    const words = new Int32Array(kernel.build(world).buffer);
    expect(pages).toEqual([17, 2]);
    expect([...words.subarray(PAGE / 4, PAGE / 4 + 3)]).toEqual([7, 7, 0]);
    expect([0, BATCHES - 4, BATCHES, STACK - 4, STACK].map((at) => words[at / 4])).toEqual([7, 7, 0, 0, 7]);
  });

  it('has spare bytes behind it', () => {
    const pages = stubEngine(() => PAGE - 24);
    const kernel = defineWasm('00', BATCHES, STACK);
    expect(kernel.canRun()).toBe(true);
    expect(kernel.build(world).spare).toBe(PAGE - 16);
    expect(kernel.build(world, 16).spare).toBe(PAGE - 16);
    expect(kernel.build(world, 17).spare).toBe(PAGE - 16);
    expect(pages).toEqual([17, 1, 17, 1, 17, 2]);
  });

  it('is built again in a memory that is large enough', () => {
    const pages = stubEngine((memory) => {
      if (memory.byteLength < 20 * PAGE - 1) return 1 - 20 * PAGE;
      expect([...memory.subarray(-4)]).toEqual([0, 1, 2, 3]);
      return STACK;
    });
    const kernel = defineWasm('00', BATCHES, STACK);
    expect(kernel.canRun()).toBe(true);
    kernel.build(world);
    expect(pages).toEqual([17, 20, 1]);
  });

  it('may be too much', () => {
    stubEngine(() => 0);
    const kernel = defineWasm('00', BATCHES, STACK);
    expect(kernel.canRun()).toBe(true);
    expect(() => kernel.build(world)).toThrow(RangeError);
  });
});

describe("a kernel's module", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0')).join('');
  const read = vi.fn((text: string) =>
    Uint8Array.from(text.match(/../g)!, (two) => Number.parseInt(two, 16)),
  );

  it.each([
    ['by Uint8Array.fromHex', 1, { Uint8Array: { fromHex: read }, Buffer: undefined }],
    ['by Buffer', 1, { Uint8Array: {}, Buffer: { from: read } }],
    ['where there is neither', 0, { Uint8Array: {}, Buffer: undefined }],
  ])('is read %s', (_, calls, { Uint8Array: bytes, Buffer: buffer }) => {
    read.mockClear();
    const modules: Uint8Array[] = [];
    class Module {
      constructor(module: Uint8Array) {
        modules.push(module);
      }
    }
    vi.stubGlobal('WebAssembly', { Module });
    vi.stubGlobal('Buffer', buffer);
    const all = Uint8Array;
    vi.stubGlobal('Uint8Array', Object.assign(class extends all {}, { fromHex: undefined }, bytes));
    const canRun = defineWasm(hex, BATCHES, STACK).canRun();
    vi.unstubAllGlobals();
    expect(canRun).toBe(true);
    expect(read).toHaveBeenCalledTimes(calls);
    expect(modules.map((module) => [...module])).toEqual([Array.from({ length: 256 }, (_, byte) => byte)]);
  });
});

describe('a kernel', () => {
  it('cannot run where a getter keeps scripts from WebAssembly', () => {
    const really = Object.getOwnPropertyDescriptor(globalThis, 'WebAssembly')!;
    const get = () => {
      throw new Error('WebAssembly is not allowed in this page');
    };
    Object.defineProperty(globalThis, 'WebAssembly', { get, configurable: true });
    try {
      const kernel = defineWasm('00', BATCHES, STACK);
      expect(kernel.canRun()).toBe(false);
      kernel.check('auto');
      expect(() => kernel.check('wasm')).toThrow("kernel 'wasm' needs WebAssembly with SIMD");
    } finally {
      Object.defineProperty(globalThis, 'WebAssembly', really);
    }
  });
});
