import type { CompileFormat, Materials } from '@bspkit/compile';
import type { FixtureName } from '@bspkit/fixtures/list';
import type { Changes } from '../app/edits.ts';
import type { Compiled } from '../tools/tool.ts';

// What the page asks of its worker, and what comes back.

/** A question; `id` comes back with its answer. */
export type Question = { readonly id: number } & Work;

export type Work =
  /** One of our own maps, compiled, with some of its lines changed. */
  | {
      readonly kind: 'own';
      readonly name: FixtureName;
      readonly format: CompileFormat;
      readonly changes: Changes | undefined;
    }
  | {
      readonly kind: 'compile';
      readonly text: string;
      readonly format: CompileFormat;
      readonly materials: Materials | undefined;
    }
  /** Shader scripts as they were picked: what they say of materials. */
  | { readonly kind: 'shaders'; readonly files: readonly File[] }
  /** A file as it was picked: unpacked, or listed where it holds several maps. `inner` picks one of those. */
  | { readonly kind: 'unpack'; readonly file: File; readonly inner: string | undefined };

/** What is in a file. */
export type Unpacked =
  /** `light` is the file with its light in colour that an archive has beside it. */
  | {
      readonly kind: 'bsp';
      readonly name: string;
      readonly bytes: Uint8Array;
      readonly light: { readonly name: string; readonly bytes: Uint8Array } | undefined;
    }
  /**
   * `madeFor` is the game that the text shows to be made for, if it does; `materials` are those of the shader scripts beside it
   * in an archive, if there are any.
   */
  | {
      readonly kind: 'map';
      readonly name: string;
      readonly text: string;
      readonly madeFor: CompileFormat | undefined;
      readonly materials: Materials | undefined;
    }
  | { readonly kind: 'choice'; readonly maps: readonly InnerMap[] };

/** A map in an archive. */
export interface InnerMap {
  readonly path: string;
  /** Unpacked, in bytes. */
  readonly size: number;
}

/** What an answer holds, by the kind of question. */
export interface Results {
  /** Where the changed text does not compile, the map as it came, and why. */
  readonly own: {
    readonly bytes: Uint8Array;
    readonly text: string;
    readonly original: string;
    readonly problem: string | undefined;
  };
  readonly compile: Compiled;
  readonly shaders: { readonly materials: Materials };
  readonly unpack: Unpacked;
}

export type Answer = { readonly id: number } & (
  | { readonly value: Results[keyof Results] }
  | { readonly error: string }
);
