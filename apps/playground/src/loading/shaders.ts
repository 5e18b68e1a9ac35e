import { CompileError, type Material, type Materials, parseShaders } from '@bspkit/compile';

/** A file that is of no use. The message says why, to follow its name. */
export class FileError extends Error {}

/**
 * The materials of shader scripts, by path and content. Of several of one name the first counts, as for the game's own compiler.
 * @throws FileError for text that is not a script.
 */
export function readShaders(scripts: readonly (readonly [path: string, bytes: Uint8Array])[]): Materials {
  let materials: Record<string, Material> | undefined;
  for (const [path, bytes] of scripts) materials = parse(path, decode(bytes), materials);
  return materials ?? {};
}

function parse(path: string, text: string, into?: Record<string, Material>): Record<string, Material> {
  try {
    return parseShaders(text, into);
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    throw new FileError(`in ${path}, ${error.message}`, { cause: error });
  }
}

/** As many characters as a call takes at once. */
const PIECE = 8192;

/** UTF-8, or one byte per character as editors of the time wrote. */
export function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    let text = '';
    for (let at = 0; at < bytes.length; at += PIECE)
      text += String.fromCharCode(...bytes.subarray(at, at + PIECE));
    return text;
  }
}
