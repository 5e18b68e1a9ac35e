// The list of engines whose players there are: whoever adds one writes a folder of its own and names it here.

export * from './quake1/index.ts';
export * from './quake2/index.ts';
export * from './quake3/index.ts';
