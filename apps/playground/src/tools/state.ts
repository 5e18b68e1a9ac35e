import type { Json } from './tool.ts';

// What links keep of a tool is an object of a few fields. Links are typed, cut off and grow old: nothing is sure.

/** A field of a tool's link state; `undefined` where it is not there. */
export function stateField(state: Json | undefined, name: string): Json | undefined {
  if (typeof state !== 'object' || state === null || Array.isArray(state)) return undefined;
  return Object.hasOwn(state, name) ? (state as Readonly<Record<string, Json>>)[name] : undefined;
}

/** A field that is a number; `undefined` where there is none. */
export function stateNumber(state: Json | undefined, name: string): number | undefined {
  const value = stateField(state, name);
  return typeof value === 'number' ? value : undefined;
}

/** The texts in a field that is a list; none where there is no list. */
export function stateTexts(state: Json | undefined, name: string): string[] {
  const value = stateField(state, name);
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

export type { Json };
