import type { Bytes, UnsharedBytes } from './vec.ts';
import type { Polygon } from './worlds.ts';

// What maps look like, as arrays for a renderer: only types. Each format's package has the functions that fill them.

/** What the triangles of a mesh are grouped by: textures of drawn surfaces, or the brushes that moves collide with. */
export type MeshBy = 'texture' | 'brush' | 'contents';

/** What a mesh is made of. */
export interface MeshOptions {
  /**
   * `texture`, the default: the drawn surfaces, a group for each texture of each model, or several where its surfaces differ in
   * flags, contents or light. `brush` and `contents`: what moves collide with, a group for each brush, or for each mix of
   * contents of each model.
   */
  readonly by?: MeshBy | undefined;
  /**
   * Only what has one of these contents bits; everything by default. In formats whose contents are not bits, exactly these
   * contents.
   */
  readonly mask?: number | undefined;
  /** Into how many steps each 3 x 3 piece of a curved patch is divided in each direction: 1 to 64, 4 by default. */
  readonly patchLevel?: number | undefined;
}

/** Triangles of a mesh that are drawn alike. */
export interface MeshGroup {
  /** 0 for the world, k for the inline model `*k`, whose triangles are in its own frame. */
  readonly model: number;
  /**
   * Texture or shader, by its number in the file; -1 if the group has none or several. In some formats a texture has
   * several numbers, one for each way it is placed, and this is one of them: compare names there.
   */
  readonly texture: number;
  /** Name of the texture or shader; empty if the group has none or several. */
  readonly name: string;
  /** Surface flags, as the format codes them; 0 if the group has several textures. */
  readonly surfaceFlags: number;
  /** Contents, as the format codes them. */
  readonly contents: number;
  /** Brush, by its number in the file, in a mesh by brushes; -1 otherwise, and for curved patches. */
  readonly brush: number;
  /** Whether it is sky. */
  readonly isSky: boolean;
  /** Whether the game draws nothing there. */
  readonly isHidden: boolean;
  /** Whether it is a liquid. */
  readonly isLiquid: boolean;
  /** Whether it has light in the atlas of lightmaps. */
  readonly isLightmapped: boolean;
  /** Where the group begins in {@link Mesh.indices}. */
  readonly firstIndex: number;
  /** How many indices the group has: three per triangle. */
  readonly indexCount: number;
  /** Where the group's vertices begin. They are contiguous, and no other group has any of them. */
  readonly firstVertex: number;
  /** How many vertices the group has. */
  readonly vertexCount: number;
}

/**
 * Triangles of a map, in Quake units, z up. Corners are counter-clockwise seen from the front, as in OpenGL, three.js and
 * {@link Polygon}.
 */
export interface Mesh {
  /** Three numbers per vertex, in Quake units. */
  readonly positions: Float32Array;
  /** Three numbers per vertex, of unit length: the plane's normal, but smooth on patches and the file's own on models. */
  readonly normals: Float32Array;
  /** Two numbers per vertex, v downwards; `undefined` if the file has none, as for brushes of most formats. */
  readonly texCoords: Float32Array | undefined;
  /** What 1 means in `texCoords`: the texture's width or height, or one texel if the file does not give the texture's size. */
  readonly texCoordUnit: 'texture' | 'texel';
  /** Two numbers per vertex, 0 to 1, into the atlas that the format's `lightmaps` makes; 0 in groups without lightmap. */
  readonly lightmapCoords: Float32Array | undefined;
  /**
   * Red, green, blue and alpha of each vertex, 0 to 255, as the file has them; `undefined` if it has none. Groups without lightmap are
   * lit by them.
   */
  readonly colors: Uint8Array | undefined;
  /**
   * Three vertices per triangle; the triangles of a group are contiguous, and so are its vertices. One triangle in a hundred has
   * no area, as faces have vertices along their edges: take its normal from `normals`.
   */
  readonly indices: Uint32Array;
  /** The drawn surface that each triangle came from, by its number in the file; -1 for none. */
  readonly surfaces: Int32Array;
  /** The brush that each triangle came from, by the number that traces report; -1 for none. */
  readonly brushes: Int32Array;
  /** The brush side that each triangle came from, by the number that traces report; -1 for none. */
  readonly sides: Int32Array;
  /** The groups, which together have all triangles. */
  readonly groups: readonly MeshGroup[];
}

/**
 * A face of a brush; its `surface` is -1. Infinite faces, of brushes that are not closed, are left out. The arrays of one brush's
 * faces are views on one buffer.
 */
export interface BrushPolygon extends Polygon {
  /** Brush, by the number that traces report. */
  readonly brush: number;
  /** Brush side, by the number that traces report; -1 if the file does not number sides. */
  readonly side: number;
  /** Model that it belongs to: 0 for the world, k for the inline model `*k`. */
  readonly model: number;
}

/** Which brushes to take. */
export interface BrushPolygonOptions {
  /** As {@link MeshOptions.mask}. */
  readonly mask?: number | undefined;
}

/** How bright lightmaps are. */
export interface LightmapOptions {
  /**
   * Factor for the file's samples, more than 0; by default, the picture is as bright as in the game. Use 1 to keep detail that
   * would be brighter than 255, and multiply in a shader.
   */
  readonly brightness?: number | undefined;
  /**
   * How bright each light style is, by its number: 1, the default, is its normal brightness, 0 is off. Styles are lights
   * that flicker or can be switched; formats without them ignore it.
   */
  readonly styles?: ArrayLike<number> | undefined;
}

/** All lightmaps of a file in one picture. */
export interface LightmapAtlas {
  /** In pixels. */
  readonly width: number;
  /** In pixels. */
  readonly height: number;
  /** Red, green, blue, alpha (255) per pixel, the top row first. */
  readonly pixels: UnsharedBytes;
  /** Light styles that occur, ascending; empty for formats without them. */
  readonly styles: readonly number[];
}

/** A texture whose pixels are in the map file. */
export interface EmbeddedTexture {
  /** Its number in the file. */
  readonly texture: number;
  /** Its name in the file. */
  readonly name: string;
  /** In texels. */
  readonly width: number;
  /** In texels. */
  readonly height: number;
  /** Red, green, blue, alpha per texel, the top row first. */
  readonly pixels: UnsharedBytes;
}

/** The colours that embedded textures get. */
export interface EmbeddedTextureOptions {
  /** 256 colours as red, green, blue: 768 bytes. A palette of our own by default; ignored if the file has one. */
  readonly palette?: Bytes | undefined;
}
