import type { Json } from '../tools/tool.ts';
import { type Changes, readChanges } from './edits.ts';

// What a link says, so that it brings someone else to the same place: behind the #, so that no server sees it.

/** How the camera moves. */
export const MODES = ['orbit', 'fly', 'walk'] as const;
export type Mode = (typeof MODES)[number];

/** What decides about colours. */
export const COLORINGS = ['texture', 'contents', 'slope'] as const;
export type Coloring = (typeof COLORINGS)[number];

/** Where the eye is, in Quake units, and where it looks, in degrees: yaw counter-clockwise, pitch downwards. */
export interface View {
  readonly position: readonly [number, number, number];
  readonly yaw: number;
  readonly pitch: number;
}

/** All that a link can say. What it does not say is as it is by default. */
export interface Link {
  /** One of our own maps by name. */
  readonly map?: string | undefined;
  /** Name of a file of the user's, which the link does not hold. */
  readonly file?: string | undefined;
  readonly format?: string | undefined;
  /** Lines of our own map that were changed. */
  readonly lines?: Changes | undefined;
  readonly mode?: Mode | undefined;
  readonly view?: View | undefined;
  readonly tool?: string | undefined;
  /** Of the tool, by the tool's own rules. */
  readonly state?: Json | undefined;
  readonly color?: Coloring | undefined;
  /** What is shown or hidden other than by default, by name. */
  readonly show?: readonly string[] | undefined;
  /** Height above which everything is cut away, in Quake units; `all` where nothing is. */
  readonly cut?: number | 'all' | undefined;
  /** Names of the parts that could not be read. */
  readonly unread?: readonly string[] | undefined;
}

/** Writes a link's part behind the #, without the #. Numbers are rounded to hundredths. */
export function formatLink(link: Link): string {
  const parts: string[] = [];
  const add = (name: string, value: string | undefined): void => {
    if (value !== undefined && value !== '') parts.push(`${name}=${escapePart(value)}`);
  };
  add('map', link.map);
  add('file', link.file);
  add('format', link.format);
  add('lines', JSON.stringify(link.lines));
  add('mode', link.mode);
  if (link.view) {
    const { position, yaw, pitch } = link.view;
    add('view', [...position, yaw, pitch].map(round).join(','));
  }
  add('color', link.color);
  add('show', link.show?.join(','));
  add('cut', typeof link.cut === 'number' ? round(link.cut) : link.cut);
  add('tool', link.tool);
  add('state', JSON.stringify(link.state));
  return parts.join('&');
}

/** Reads a link. What it does not understand it leaves out: links are typed, cut off and grow old. */
export function parseLink(hash: string): Link {
  const values = new Map<string, string>();
  for (const part of hash.replace(/^#/, '').split('&')) {
    const at = part.indexOf('=');
    if (at > 0) values.set(part.slice(0, at), unescapePart(part.slice(at + 1)));
  }
  const unread: string[] = [];
  const read = <T>(name: string, parse: (text: string) => T | undefined): T | undefined => {
    const text = values.get(name);
    const value = text === undefined ? undefined : parse(text);
    if (text !== undefined && value === undefined) unread.push(name);
    return value;
  };
  const link: Link = {
    map: read('map', parseName),
    file: read('file', (text) => (text !== '' && text.length <= MOST_FILE ? text : undefined)),
    format: read('format', parseName),
    lines: read('lines', (text) => readChanges(parseJson(text))),
    mode: read('mode', (text) => MODES.find((mode) => mode === text)),
    view: read('view', parseView),
    tool: read('tool', parseName),
    state: read('state', parseJson),
    color: read('color', (text) => COLORINGS.find((color) => color === text)),
    show: values.get('show')?.split(',').filter(Boolean),
    cut: read('cut', (text) => (text === 'all' ? 'all' : parseNumber(text))),
  };
  return unread.length > 0 ? { ...link, unread } : link;
}

const round = (x: number): string => String(Math.round(x * 100) / 100);

/** As `encodeURIComponent`, but commas, colons and slashes, which may stand behind a #, stay readable. */
const escapePart = (text: string): string =>
  encodeURIComponent(text).replace(/%(2C|3A|2F)/g, decodeURIComponent);

function unescapePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The longest name of a file that is read: no system has longer ones. */
const MOST_FILE = 255;

/** A name of the page's own. Unknown ones are shown, and whoever makes a link must not have the page say whatever they like. */
const parseName = (text: string): string | undefined => (/^[\w-]{1,40}$/.test(text) ? text : undefined);

/** Farther away than anybody flies, in Quake units. */
const FAR = 1e9;

function parseNumber(text: string): number | undefined {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  return Math.abs(number) < FAR ? number : undefined;
}

function parseView(text: string): View | undefined {
  const numbers = text.split(',').map(parseNumber);
  if (numbers.length !== 5 || numbers.includes(undefined)) return undefined;
  const [x, y, z, yaw, pitch] = numbers as [number, number, number, number, number];
  return { position: [x, y, z], yaw, pitch: Math.max(-90, Math.min(90, pitch)) };
}

function parseJson(text: string): Json | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return isDeeper(value, MOST_DEPTH) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** The deepest nesting that is read, many times what tools write: what is nested deeper than the stack cannot be written again. */
const MOST_DEPTH = 32;

const isDeeper = (value: Json | undefined, depth: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (depth === 0 || Object.values(value).some((part) => isDeeper(part, depth - 1)));
