const refuse = (error: Error) => ({
  Module: class {
    constructor() {
      throw error;
    }
  },
});

/** Why a kernel in WebAssembly cannot run, and what replaces `WebAssembly` then. */
export const WITHOUT_WASM: readonly (readonly [why: string, webAssembly: unknown])[] = [
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
