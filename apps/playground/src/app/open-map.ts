import type { Materials } from '@bspkit/compile';
import type { BspWorld, LightmapAtlas, PolygonSource } from '@bspkit/core';
import type { BspFile, BspFormat } from '@bspkit/core/format';

/** A map that is open, of any format. */
export interface OpenMap {
  /** As people know it: `arena`, `q3dm6.bsp`. */
  readonly name: string;
  /** Whether it is one of our own, so that a link can name it. */
  readonly isOwn: boolean;
  readonly format: BspFormat;
  readonly file: BspFile;
  readonly world: BspWorld;
  /** The world's surfaces: `format.polygons(world)`, made once. */
  readonly surfaces: PolygonSource;
  /** The .bsp file's bytes. */
  readonly bytes: Uint8Array;
  /** The file with its light in colour that came with it, in formats that have such. */
  readonly lit?: Uint8Array | undefined;
  /** All its lightmaps in one picture; `undefined` where it has none that can be shown. */
  readonly light?: LightmapAtlas | undefined;
  /** Why its light cannot be shown, or that of the file with it. */
  readonly lightError?: unknown;
  /** The `.map` text that it was compiled from; `undefined` for a .bsp. */
  readonly text: string | undefined;
  /** What the text's materials are, as shader scripts beside it say; `undefined` where there were none. */
  readonly materials?: Materials | undefined;
  /** The text as it came: `text` may have been changed since. */
  readonly original?: string | undefined;
}

/** The map's format and version: one format may be that of several games. */
export const versionOf = ({ format, bytes }: OpenMap): string => `${format.name} (${format.detect(bytes)})`;
