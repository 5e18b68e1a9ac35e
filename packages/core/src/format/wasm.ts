import { checkChoice, checkFlag, checkOptions } from '../kinds.ts';
import type { KernelChoice, OpenOptions, WorldOptions } from '../worlds.ts';

// Kernels in WebAssembly: a module per format, and for each opened world an instance with memory of its own. Packages compile
// without the types of any environment, so the parts of WebAssembly's interface that are used are declared here.

const CHOICES: readonly string[] = ['auto', 'wasm', 'js'] satisfies KernelChoice[];

/** An instance of a kernel, with the memory that it works on. */
export interface WasmInstance<E> {
  readonly exports: E;
  readonly buffer: ArrayBuffer;
  /** Address of the spare bytes, a multiple of 16. */
  readonly spare: number;
}

/** A compiled kernel with exports `E`. */
export interface WasmKernel<E> {
  /**
   * Whether it can run here. Compiles it at the first call, which takes some milliseconds. It cannot run where there is no
   * WebAssembly or no SIMD in it, where a page's content security policy forbids it, and where the main thread of an old browser
   * refuses to compile that much synchronously.
   */
  canRun(): boolean;
  /**
   * Throws for anything but a choice of kernel, and `Error` for `wasm` where it cannot run. Choices other than `wasm` compile
   * nothing.
   */
  check(choice: KernelChoice): void;
  /**
   * An instance whose memory holds what the kernel's export `build` makes of a world's buffer, then `spare` zero bytes, and no
   * more. Throws `RangeError`, or what the JavaScript engine throws, if there is not enough memory.
   */
  build(world: Int32Array, spare?: number): WasmInstance<E>;
}

/** What {@link WasmKernel.build} calls. */
interface WasmBuilder {
  /**
   * Writes what the kernel works on to the beginning of memory, and returns its length. The world takes the last `bytes` of
   * memory, and its content is lost. If memory is too small, the result is the number of bytes needed, negated; 0 if that is too
   * many.
   */
  build(bytes: number): number;
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

const engine = (): Engine => (globalThis as unknown as { readonly WebAssembly: Engine }).WebAssembly;

const PAGE = 65536;

/** How much memory to build in: a multiple of the world's size, and a constant. Enough for all but strange maps. */
const ROOM_FACTOR = 8;
const ROOM = 2 ** 20;
const MOST_ROOM = 2 ** 31;

/**
 * A kernel from its module in hexadecimal, which imports its memory as `env.memory`. Between the addresses `batches` and `stack`
 * there is nothing before the first batch.
 */
export function defineWasm<E>(hex: string, batches: number, stack: number): WasmKernel<E> {
  let compiled: object | null | undefined;
  const compile = (): object | null => {
    try {
      return new (engine().Module)(decode(hex));
    } catch {
      // There is no WebAssembly, or it refuses, as may a getter that keeps scripts from it. The other kernel then answers, with
      // the same bits.
      return null;
    }
  };
  const canRun = (): boolean => {
    if (compiled === undefined) compiled = compile();
    return compiled !== null;
  };
  const open = (bytes: number): { buffer: ArrayBuffer; exports: object } => {
    const wasm = engine();
    const pages = Math.ceil(bytes / PAGE);
    // The memory never grows, so no view of it is ever detached. After the first detached view, V8 checks all arrays of a process
    // for it at every access.
    const memory = new wasm.Memory({ initial: pages, maximum: pages });
    return { buffer: memory.buffer, exports: new wasm.Instance(compiled!, { env: { memory } }).exports };
  };
  return {
    canRun,
    check(choice) {
      checkChoice(choice, 'kernel', CHOICES);
      if (choice === 'wasm' && !canRun()) {
        throw new Error("kernel 'wasm' needs WebAssembly with SIMD, which is missing or forbidden here");
      }
    },
    build(world, spare = 0) {
      const { byteLength } = world;
      // Memory that is never written to costs next to nothing.
      for (let room = Math.min(ROOM_FACTOR * byteLength + ROOM, MOST_ROOM); ; ) {
        const { buffer, exports } = open(room);
        new Int32Array(buffer, buffer.byteLength - byteLength).set(world);
        const bytes = (exports as WasmBuilder).build(byteLength);
        if (bytes === 0) throw new RangeError('a world takes more memory than there is for WebAssembly');
        if (bytes < 0) {
          room = -bytes;
          continue;
        }
        // Memories cannot shrink, so what was built moves into one of the right size.
        const end = (bytes + 15) & -16;
        const kept = open(end + spare);
        const built = new Uint8Array(buffer);
        const to = new Uint8Array(kept.buffer);
        // Nothing else, since pages that are never written to take no time and no memory.
        to.set(built.subarray(0, batches));
        to.set(built.subarray(stack, bytes), stack);
        // A copy, because looking things up in an instance's own exports is slow.
        return { exports: { ...kept.exports } as E, buffer: kept.buffer, spare: end };
      }
    },
  };
}

/**
 * The kernel to open a world with. Throws as {@link WasmKernel.check}, and `TypeError` for other options. Formats without a
 * kernel in WebAssembly leave `wasm` out: they always get `js`, and a choice of `wasm` is refused.
 */
export function openKernel(options: OpenOptions): 'js';
export function openKernel(options: OpenOptions, wasm: WasmKernel<unknown> | undefined): KernelChoice;
export function openKernel(options: OpenOptions, wasm?: WasmKernel<unknown>): KernelChoice {
  checkOptions(options, ['kernel']);
  const { kernel = 'auto' } = options;
  if (wasm) {
    wasm.check(kernel);
    return kernel;
  }
  checkChoice(kernel, 'kernel', CHOICES);
  if (kernel === 'wasm')
    throw new Error("kernel 'wasm' does not exist for this format: its only one is 'js'");
  return 'js';
}

/**
 * Options of a world to be built, with defaults filled in. Wrong ones are refused before any work is done. As with {@link
 * openKernel}, `wasm` is left out where there is none.
 */
export function worldOptions(
  options: WorldOptions,
  wasm?: WasmKernel<unknown>,
): { readonly shared: boolean; readonly kernel: KernelChoice } {
  checkOptions(options, ['shared', 'kernel']);
  const { shared = false, kernel } = options;
  checkFlag(shared, 'shared');
  return { shared, kernel: openKernel({ kernel }, wasm) };
}

/**
 * The built-in decoder of hexadecimal that most environments have: decoding it in an engine that has not compiled anything yet
 * takes milliseconds.
 */
interface Native {
  readonly Buffer?: { from(hex: string, encoding: 'hex'): Uint8Array };
  readonly Uint8Array: { fromHex?(hex: string): Uint8Array };
}

function decode(hex: string): Uint8Array {
  const { Buffer, Uint8Array: Bytes } = globalThis as unknown as Native;
  const bytes = Bytes.fromHex?.(hex) ?? Buffer?.from(hex, 'hex');
  if (bytes) return bytes;
  const read = new Uint8Array(hex.length / 2);
  for (let k = 0; k < read.length; k++) read[k] = Number(`0x${hex.slice(2 * k, 2 * k + 2)}`);
  return read;
}
