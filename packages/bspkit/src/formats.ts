import type { BspFormat, BspFormatEntry } from '@bspkit/core/format';
import { quake1Format } from '@bspkit/quake1/format';
import { quake2Format } from '@bspkit/quake2/format';
import { quake3Format } from '@bspkit/quake3/format';
import { ufoaiFormat } from '@bspkit/ufoai/format';

// For generated declarations: types that are inferred there can only be named if they are exported.
export type { Quake1File, Quake1World } from '@bspkit/quake1';
export type { Quake2File, Quake2World } from '@bspkit/quake2';
export type { Quake3File, Quake3World } from '@bspkit/quake3';
export type { UfoaiFile, UfoaiWorld } from '@bspkit/ufoai';

/**
 * The formats that can be opened: this list is the only place that names them all. It contains their light halves, so listing
 * them loads no parser.
 */
export const FORMATS: readonly [
  typeof quake1Format,
  typeof quake2Format,
  typeof quake3Format,
  typeof ufoaiFormat,
] = [quake1Format, quake2Format, quake3Format, ufoaiFormat];

type Entry = (typeof FORMATS)[number];

/** The descriptor that an entry of a list loads. */
export type DescriptorOf<E extends BspFormatEntry> = Awaited<ReturnType<E['load']>>;

/** A file that an entry's format reads. */
export type FileOf<E extends BspFormatEntry> = ReturnType<DescriptorOf<E>['read']>;

/** A world that an entry's format builds. */
export type WorldOf<E extends BspFormatEntry> = ReturnType<DescriptorOf<E>['createWorld']>;

/** A map of any format, ready for tracing. Check its `format` to use what only that format has. */
export type BspMap = WorldOf<Entry>;

/** A map's file of any format, read and checked. */
export type BspFile = FileOf<Entry>;

/** Formats that can be opened, by the names of their packages. */
export type FormatId = BspMap['format'];

/** The entries of a list whose worlds may have one of these names as their format. */
type EntryNamed<I extends string, E = Entry> = E extends BspFormatEntry
  ? WorldOf<E> extends { readonly format: infer F }
    ? [Extract<I, F>] extends [never]
      ? never
      : E
    : never
  : never;

/** The entries of a list that a name may mean: all of them if their types do not say. */
export type Listed<I extends string, E extends BspFormatEntry> = string extends I
  ? E
  : [EntryNamed<I, E>] extends [never]
    ? E
    : EntryNamed<I, E>;

/** The descriptor of a format on a list; if it may be one of several, a descriptor that takes worlds of any format. */
export type DescriptorIn<I extends string, E extends BspFormatEntry> =
  IsOne<Listed<I, E>> extends true ? DescriptorOf<Listed<I, E>> : BspFormat;

/** The world of a format, by its name. */
export type MapNamed<I extends FormatId> = WorldOf<EntryNamed<I>>;

/** Whether a type is one name, not one of several. */
type IsOne<I, All = I> = I extends unknown ? ([All] extends [I] ? true : false) : never;

/** The descriptor of a format, by its name; for one of several names, a descriptor that takes worlds of any format. */
export type FormatNamed<I extends FormatId> = IsOne<I> extends true ? DescriptorOf<EntryNamed<I>> : BspFormat;
