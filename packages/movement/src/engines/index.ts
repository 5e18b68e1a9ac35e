// The list of engines whose players are here: to add one, write a folder for it and name it here.

export * from './quake1/index.ts';
export * from './quake2/index.ts';
export * from './quake3/index.ts';
