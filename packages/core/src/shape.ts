import type { Vec3 } from './vec.ts';

/** What a tracer moves. Sizes in Quake units, relative to the traced point. */
export type Shape =
  | { readonly kind: 'ray' }
  | { readonly kind: 'sphere'; readonly radius: number }
  | { readonly kind: 'box'; readonly mins: Vec3; readonly maxs: Vec3 }
  | { readonly kind: 'capsule'; readonly mins: Vec3; readonly maxs: Vec3 }
  | { readonly kind: 'ellipsoid'; readonly radii: Vec3 };
