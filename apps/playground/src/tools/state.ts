import type { Json } from './tool.ts';

// What links keep of a tool is an object of a few fields. Links are typed, cut off and grow old: nothing is sure.

/** A field of a tool's link state; `undefined` where it is not there. */
export function stateField(state: Json | undefined, name: string): Json | undefined {
  if (typeof state !== 'object' || state === null || Array.isArray(state)) return undefined;
  return Object.hasOwn(state, name) ? (state as Readonly<Record<string, Json>>)[name] : undefined;
}

export type { Json };
