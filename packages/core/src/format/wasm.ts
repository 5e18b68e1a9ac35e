import { checkChoice } from '../kinds.ts';
import type { KernelChoice } from '../worlds.ts';

// Kernels in WebAssembly: a module per format, an instance with memory of its own per opened world. Packages compile
// without the types of any environment, so what of WebAssembly is used here is written out.

const CHOICES: readonly string[] = ['auto', 'wasm', 'js'] satisfies KernelChoice[];

/** An instance of a kernel, with the memory that it works on. */
export interface WasmInstance<E> {
  readonly exports: E;
  readonly buffer: ArrayBuffer;
}

/** A compiled kernel with exports `E`. */
export interface WasmKernel<E> {
  /**
   * Whether it can run here. Compiles it at the first call, which takes some milliseconds. It cannot where there is no
   * WebAssembly or no SIMD in it, where a page's content security policy forbids it, and where the main thread of an old
   * browser refuses to compile so much at once.
   */
  canRun(): boolean;
  /**
   * Throws for anything but a choice of kernels, and `Error` for `wasm` where it cannot run. Any other choice compiles
   * nothing.
   */
  check(choice: KernelChoice): void;
  /** An instance with this many bytes of memory. Throws what the JavaScript engine throws if there is not enough. */
  instantiate(bytes: number): WasmInstance<E>;
}

interface Memory {
  readonly buffer: ArrayBuffer;
}

interface Engine {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Memory: new (size: { initial: number; maximum: number }) => Memory;
  readonly Instance: new (
    module: object,
    imports: { env: { memory: Memory } },
  ) => { readonly exports: object };
}

const engine = (): Engine | undefined =>
  (globalThis as unknown as { readonly WebAssembly?: Engine }).WebAssembly;

const PAGE = 65536;

/** A kernel from its module in hexadecimal, which imports its memory as `env.memory`. */
export function defineWasm<E>(hex: string): WasmKernel<E> {
  let compiled: object | null | undefined;
  const compile = (): object | null => {
    const wasm = engine();
    if (!wasm) return null;
    try {
      return new wasm.Module(decode(hex));
    } catch {
      // Then the other kernel answers, with the same bits.
      return null;
    }
  };
  const canRun = (): boolean => {
    if (compiled === undefined) compiled = compile();
    return compiled !== null;
  };
  return {
    canRun,
    check(choice) {
      checkChoice(choice, CHOICES, 'kernel');
      if (choice === 'wasm' && !canRun()) {
        throw new Error("kernel 'wasm' needs WebAssembly with SIMD, which is missing or forbidden here");
      }
    },
    instantiate(bytes) {
      const wasm = engine()!;
      const pages = Math.ceil(bytes / PAGE);
      // Its size is known, so that it never grows and no view of it is ever detached.
      const memory = new wasm.Memory({ initial: pages, maximum: pages });
      const { exports } = new wasm.Instance(compiled!, { env: { memory } });
      // A copy, because an instance's own object of exports is slow to ask.
      return { exports: { ...exports } as E, buffer: memory.buffer };
    },
  };
}

function decode(hex: string): Uint8Array {
  const bytes = new Uint8Array(hex.length / 2);
  for (let k = 0; k < bytes.length; k++) {
    const high = hex.charCodeAt(2 * k);
    const low = hex.charCodeAt(2 * k + 1);
    // 0 to 9, then a to f, whose codes are above 64. Written out: this runs before V8 has compiled it.
    bytes[k] = (((high & 15) + 9 * (high >> 6)) << 4) | ((low & 15) + 9 * (low >> 6));
  }
  return bytes;
}
