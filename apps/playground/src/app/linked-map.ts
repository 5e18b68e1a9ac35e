import { COMPILED_FORMATS, OWN_MAPS, type OwnMap } from '../loading/own-maps.ts';
import type { Link } from './link.ts';
import type { OpenMap } from './open-map.ts';

/** The map of ours that a link is for. */
export const ownMapOf = (link: Link): OwnMap =>
  OWN_MAPS.find(({ name }) => name === link.map) ?? OWN_MAPS[0]!;

/** The game that a link has one of our maps compiled for. */
export const formatOf = (link: Link, own: OwnMap): string =>
  COMPILED_FORMATS.find(({ id }) => id === link.format)?.id ?? own.format;

/** What a link says of maps and games that nobody knows, and what is there instead. */
export function mapProblems({ map, file, format }: Link, open: OpenMap): string[] {
  const problems: string[] = [];
  if (file === undefined && map !== undefined && map !== open.name)
    problems.push(`It names a map that this page does not have: ${map}. Here is the ${open.name}.`);
  if (format !== undefined && !COMPILED_FORMATS.some(({ id }) => id === format))
    problems.push(`It names a game that this page does not know: ${format}. Here is ${open.format.name}.`);
  return problems;
}
