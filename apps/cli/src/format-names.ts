/** Formats that are read and compiled to, as people name them. */
export const FORMAT_NAMES = { quake1: 'Quake 1', quake3: 'Quake 3', ufoai: 'UFO:AI' } as const;

export type FormatName = keyof typeof FORMAT_NAMES;

export const FORMATS: readonly FormatName[] = Object.keys(FORMAT_NAMES) as FormatName[];
