// Curved patches, divided and made into planes as their engine does it: for the reader, where moves collide with them, and for
// the compiler, which makes none that the reader cannot hold.

export { buildFacets, type PatchFacet } from './facets.ts';
export { type PatchGrid, subdividePatch } from './grid.ts';
export { boundsOf, type Plane4, type V3 } from './math.ts';
