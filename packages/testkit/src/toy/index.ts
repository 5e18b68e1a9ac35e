// A whole format, written against @bspkit/core and @bspkit/core/format alone: a world is a list of boxes. Its files have
// the names that they have in every format. Tests add it to lists of formats, to see that nothing outside a format's own
// package needs to know which games there are. It is small rather than fast.

export { TOY_SOLID, TOY_WATER } from './constants.ts';
export { type ToyFormat, toy } from './descriptor.ts';
export type { ToyFile } from './file.ts';
export { toyFormat } from './format.ts';
export { type ToyBox, toyMap, writeToy } from './maps.ts';
export { ToyTracer } from './tracer.ts';
export { ToyWorld } from './world.ts';
