const refuse = (error: Error) => ({
  Module: class {
    constructor() {
      throw error;
    }
  },
});

/** Why a kernel in WebAssembly cannot run, and what stands for `WebAssembly` there. */
export const WITHOUT_WASM: readonly (readonly [why: string, webAssembly: unknown])[] = [
  ['is missing', undefined],
  ['is forbidden', refuse(new Error("Refused to compile: 'wasm-unsafe-eval' is not allowed"))],
  ['lacks SIMD', refuse(new SyntaxError('invalid value type 0x7b'))],
];
