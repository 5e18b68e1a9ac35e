import type { Polygon } from './worlds.ts';

// What maps look like, as arrays for a renderer: types alone. Each format's package has the functions that fill them.

/** What the triangles of a mesh are grouped by: textures of drawn surfaces, or the brushes that moves collide with. */
export type MeshBy = 'texture' | 'brush' | 'contents';

/** What a mesh is made of. */
export interface MeshOptions {
  /**
   * `texture`, the default: the drawn surfaces, a group for each texture of each model. `brush` and `contents`: what
   * moves collide with, a group for each brush, or for each mix of contents of each model.
   */
  readonly by?: MeshBy | undefined;
  /** Only what has one of these contents bits; everything by default. Where contents are no bits, only those contents. */
  readonly mask?: number | undefined;
  /** Into how many steps each 3 x 3 piece of a curved patch is divided in each direction: 1 to 64, 4 by default. */
  readonly patchLevel?: number | undefined;
}

/** Some triangles of a mesh that are of one kind. */
export interface MeshGroup {
  /** 0 for the world, k for the inline model `*k`, whose triangles are in its own frame. */
  readonly model: number;
  /** Texture or shader, by its number in the file, and its name; -1 and empty for none, or where a group has several. */
  readonly texture: number;
  readonly name: string;
  /** Surface flags and contents, as the format codes them; flags are 0 where a group has several textures. */
  readonly surfaceFlags: number;
  readonly contents: number;
  /** Brush, by its number in the file, in a mesh by brushes; -1 otherwise, and for curved patches. */
  readonly brush: number;
  /** Whether it is sky; whether the game draws nothing there; whether it is a liquid. */
  readonly isSky: boolean;
  readonly isHidden: boolean;
  readonly isLiquid: boolean;
  /** Whether it has places in the atlas of lightmaps. */
  readonly isLightmapped: boolean;
  /** Where its corners begin in {@link Mesh.indices}, and how many there are: three per triangle. */
  readonly firstIndex: number;
  readonly indexCount: number;
}

/**
 * Triangles of a map, in Quake units, z up. Corners are counter-clockwise seen from the front, as in OpenGL, three.js and
 * {@link Polygon}.
 */
export interface Mesh {
  /** Three numbers per vertex. */
  readonly positions: Float32Array;
  /**
   * Three numbers per vertex, of unit length: of the plane, but smooth on curved patches and as the file has them on
   * models.
   */
  readonly normals: Float32Array;
  /** Two numbers per vertex; `undefined` where the file has none, as for brushes of most formats. Downward is positive. */
  readonly texCoords: Float32Array | undefined;
  /** What 1 means in `texCoords`: the texture's width or height, or one texel where the file does not tell its size. */
  readonly texCoordUnit: 'texture' | 'texel';
  /** Two numbers per vertex, 0 to 1, into the atlas that the format's `lightmaps` makes; 0 in groups without lightmap. */
  readonly lightmapCoords: Float32Array | undefined;
  /** Red, green, blue, alpha per vertex; `undefined` where the file has none. */
  readonly colors: Uint8Array | undefined;
  /** Three vertices per triangle; the triangles of a group are beside each other. */
  readonly indices: Uint32Array;
  /** What each triangle came from, by its number in the file as a trace has it, -1 for none: a drawn surface. */
  readonly surfaces: Int32Array;
  /** The same for a brush, and a side of it. */
  readonly brushes: Int32Array;
  readonly sides: Int32Array;
  readonly groups: readonly MeshGroup[];
}

/** A face of a brush. Those that would have no end, as a brush that is not closed has, are left out. Its `surface` is -1. */
export interface BrushPolygon extends Polygon {
  /** Brush and side, by their numbers in the file, as a trace has them; side -1 where the file does not number them. */
  readonly brush: number;
  readonly side: number;
  /** Model that it belongs to: 0 for the world, k for the inline model `*k`. */
  readonly model: number;
}

/** Which brushes are wanted. */
export interface BrushPolygonOptions {
  /** As {@link MeshOptions.mask}. */
  readonly mask?: number | undefined;
}

/** How lightmaps are made bright. */
export interface LightmapOptions {
  /**
   * What the file's samples are multiplied with, more than 0: by default as bright as the game shows them. Take 1 to keep
   * what would be brighter than 255, and multiply in a shader.
   */
  readonly brightness?: number | undefined;
  /**
   * How bright each light style is, by its number: 1, the default, is its normal brightness, 0 is off. Styles are lights
   * that flicker or can be switched; formats without them do not look at it.
   */
  readonly styles?: ArrayLike<number> | undefined;
}

/** All lightmaps of a file in one picture. */
export interface LightmapAtlas {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue, alpha (255) per pixel, the top row first. */
  readonly pixels: Uint8Array;
  /** Light styles that occur, ascending; empty for formats without them. */
  readonly styles: readonly number[];
}

/** A texture whose picture is in the map file. */
export interface EmbeddedTexture {
  /** Its number in the file. */
  readonly texture: number;
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** Red, green, blue, alpha per texel, the top row first. */
  readonly pixels: Uint8Array;
}

/** With which colours embedded textures are shown. */
export interface EmbeddedTextureOptions {
  /** 256 colours as red, green, blue: 768 bytes. By default our own; ignored if the file has one. */
  readonly palette?: Uint8Array | undefined;
}
