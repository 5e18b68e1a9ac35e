import type { BspFile, BspFormat, CreateOptions, RowSource } from '@bspkit/core/format';

// Files of rows about one map follow each other, and opening it takes a third of their time. No answer depends on earlier questions
// (`determinism.test.ts`), so files may share what was opened.

/** Loads a map again only after another one. */
export function keepMap(load: RowSource['load']): RowSource['load'] {
  let kept: { readonly key: string; readonly bytes: Uint8Array } | undefined;
  return (...map) => {
    const key = JSON.stringify(map);
    if (kept?.key !== key) kept = { key, bytes: load(...map) };
    return kept.bytes;
  };
}

/** A format that reads a map, and makes its world, again only after another one, or with other options. */
export function keepWorld(format: BspFormat): BspFormat {
  let kept: { readonly data: unknown; readonly file: BspFile } | undefined;
  let made:
    | { readonly file: BspFile; readonly key: string; readonly world: ReturnType<typeof make> }
    | undefined;
  const make = (files: readonly BspFile[], options?: CreateOptions) => format.createWorld(files, options);
  return {
    ...format,
    read(data) {
      if (kept?.data !== data) kept = { data, file: format.read(data) };
      return kept.file;
    },
    createWorld(files, options) {
      const [file, ...others] = files;
      if (!file || others.length > 0) return make(files, options);
      const key = JSON.stringify(options ?? {});
      if (made?.file !== file || made.key !== key) made = { file, key, world: make(files, options) };
      return made.world;
    },
  };
}
