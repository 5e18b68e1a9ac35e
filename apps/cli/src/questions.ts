import type { BspFormat, Fields, Verdict } from '@bspkit/core/format';
import { EXIT, UsageError, withMapName, withUserInput } from './errors.ts';
import { type OpenMap, openMap } from './open-map.ts';
import type { Session } from './session.ts';

/** For which formats' maps something can be done, for the description of a command; empty if for all. */
export function onlyFor(formats: readonly BspFormat[], can: (format: BspFormat) => boolean): string {
  const names = formats.filter(can).map(({ name }) => name);
  return names.length === formats.length ? '' : ` (${names.join(', ')})`;
}

/**
 * Answers a yes-or-no question; the exit code shows the answer. Throws `UsageError` with a sentence if the map's format cannot
 * answer it.
 */
export function answer(
  name: string,
  session: Session,
  json: boolean | undefined,
  question: string,
  ask: (map: OpenMap) => Verdict | undefined,
): void {
  const map = openMap(name, session);
  const verdict = withMapName(name, () => withUserInput(() => ask(map)));
  if (!verdict) {
    throw new UsageError(
      `${name} is a ${map.format.name} map, which is not supported by \`bspkit ${question}\``,
    );
  }
  printAnswer(map, verdict.fields, session, json);
  session.exitCode = verdict.yes ? EXIT.ok : EXIT.no;
}

/** Prints an answer about a map: as one line of JSON, which says of which map it is, or as text. */
export function printAnswer(
  { name, format }: OpenMap,
  fields: Fields,
  { out }: Session,
  json: boolean | undefined,
): void {
  if (json) out.printJson({ map: name, format: format.id, ...fields });
  else out.printFields(name, fields);
}
