import { checkNames, idsOf } from '../check.ts';
import { BakeError } from '../error.ts';
import type { BakeKind } from '../kind.ts';
import { NO_BYTES } from '../sha256.ts';

/** A table of where walkers can go, in parts. */
export interface RoutingResult {
  /** For `routing.join` of the map's format, which returns the table packed as in a map file. */
  readonly parts: readonly Uint8Array[];
}

/**
 * The table of where walkers can go, for formats whose files contain one: an item is a row of it, so `count` is what the format's
 * `routing.work` says for the map's file.
 */
export const routing: BakeKind<object, RoutingResult> = {
  name: 'routing',
  needsWorld: false,
  inputs: [],
  optionalInputs: [],
  check(parameters) {
    checkNames(parameters, []);
    return {};
  },
  // Several rows at a time: each chunk has to work out a little of the rows beside its own.
  cost: () => COST,
  open({ map, formats, job }) {
    if (job.map === NO_BYTES) throw new BakeError('job', 'map is the hash of no bytes: routing needs a map');
    const format = formats.find(({ detect }) => detect(map) !== undefined);
    if (!format)
      throw new BakeError('format', `the map is of an unknown format; known formats are ${idsOf(formats)}`);
    const { routing } = format;
    if (!routing) {
      const names = formats.filter((known) => known.routing).map(({ name }) => name);
      const needed = names.length ? `it must be of ${names.join(' or ')}` : 'no format that is known has one';
      throw new RangeError(`map is of ${format.name}, which has no table of where walkers can go: ${needed}`);
    }
    const work = routing.work(format.read(map));
    if (work.rows !== job.count)
      throw new RangeError(`count must be ${work.rows}, the rows of the map, got ${job.count}`);
    return ({ first, count }) => work.part(first, count);
  },
  merge: (chunks) => ({ parts: chunks }),
};

/** About how many traces' time a row takes, on a map that is some dozens of cells wide. */
const COST = 4096;
