import type { Vec3 } from './vec.ts';

/** What a tracer moves. Sizes in Quake units, relative to the traced point. */
export type Shape =
  | { readonly kind: 'ray' }
  | { readonly kind: 'sphere'; readonly radius: number }
  | { readonly kind: 'box'; readonly mins: Vec3; readonly maxs: Vec3 }
  | { readonly kind: 'capsule'; readonly mins: Vec3; readonly maxs: Vec3 }
  | { readonly kind: 'ellipsoid'; readonly radii: Vec3 };

/** An upright capsule by its size: `height` is the distance between its lowest and highest points. Quake units. */
export interface CapsuleSize {
  readonly radius: number;
  readonly height: number;
}
