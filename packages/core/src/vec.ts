/** A point, direction or size: any array of three numbers, in Quake units, Z up. Float32Array is fastest. */
export type Vec3 = ArrayLike<number> & Iterable<number>;

/** A plane: the points p with `dot(p, normal) === dist`. Its front is the side the normal points to. */
export interface Plane {
  readonly normal: Vec3;
  /** Distance from the origin along the normal, in Quake units. */
  readonly dist: number;
}

/** An axis-aligned box, in Quake units. */
export interface Bounds {
  /** The lowest corner. */
  readonly mins: Vec3;
  /** The highest corner. */
  readonly maxs: Vec3;
}

/** Position and rotation of something. In a change, whatever is left out stays as it is. */
export interface Pose {
  /** In Quake units. */
  readonly origin?: Vec3 | undefined;
  /** Pitch, yaw and roll in degrees. */
  readonly angles?: Vec3 | undefined;
}

/** A file's bytes, in any kind of buffer. */
export type Bytes = Uint8Array | ArrayBufferLike;

/**
 * Bytes that are not in shared memory: `Blob`, `WebSocket` and `fetch` take no others. Since version 5.7 TypeScript knows
 * the difference and calls them `Uint8Array<ArrayBuffer>`; before, they are a `Uint8Array`.
 */
export type UnsharedBytes = ReturnType<Uint8ArrayConstructor['of']>;
