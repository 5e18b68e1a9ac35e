import {
  checkChoice,
  checkList,
  checkObject,
  checkOptions,
  checkRadius,
  checkText,
  checkTracer,
  checkWholeFrom,
  showValue,
} from '@bspkit/core/format';
import { agree, answer, countAnswers, named } from './agreement.ts';
import { checkOptionalCallback, checkOptionalRunner, checkQueries } from './checks.ts';
import {
  type Known,
  MEASURE_OPTIONS,
  type MeasureOptions,
  measureRunners,
  measureSettings,
} from './measure.ts';
import {
  type CompareEntry,
  type Comparison,
  plainShape,
  SIDE_RULES,
  type SideRule,
  type TracerReport,
} from './report.ts';
import { runnerOf } from './runners.ts';
import type { Runner } from './timing.ts';
import { countWork } from './work.ts';

/** How tracers are compared, and measured as by {@link measure}: a job is a query. */
export interface CompareOptions extends MeasureOptions {
  /**
   * Largest difference in fraction that still counts as equal; 1e-4 by default, 0 for identical bits, including signs of zero.
   */
  readonly tolerance?: number | undefined;
  /**
   * Ends this close to each other count as equal too, in Quake units; by default 0, when only fractions are compared. It is
   * measured across the surface when both were stopped by sides that face the same way, so that 1/8 makes up for the tracers'
   * different epsilons; otherwise along the move.
   */
  readonly distance?: number | undefined;
  /**
   * When two hits are of the same side: `normal` (by default) when the sides face the same way, which works across formats;
   * `number` when model, brush, side, patch and plane have the same numbers, for tracers of one map; `any` always, for colliders
   * that give no normals.
   */
  readonly sides?: SideRule | undefined;
  /** How many of the worst differences a tracer's report keeps; 5 by default. */
  readonly worst?: number | undefined;
  /** For how many queries work is counted, for entries with `explain`; 500 by default. */
  readonly explained?: number | undefined;
  /** Called with the current stage and how far it is, 0 to 1; never while something is timed. */
  readonly onProgress?: ((stage: CompareStage, part: number) => void) | undefined;
}

/** The stages of {@link compare}, in this order. */
export type CompareStage = 'answers' | 'timing' | 'allocation' | 'work';

const OPTIONS: readonly string[] = [
  ...(['tolerance', 'distance', 'sides', 'worst'] satisfies (keyof CompareOptions)[]),
  ...MEASURE_OPTIONS,
  ...(['explained', 'onProgress'] satisfies (keyof CompareOptions)[]),
];

const ENTRY: readonly string[] = ['name', 'tracer', 'run', 'explain'] satisfies (keyof CompareEntry)[];

/**
 * Asks several tracers the same queries, and reports what each of them hit, how far it agrees with the first, how fast it is, how
 * much it allocates and how much work it did. Each of these comes from a separate run.
 *
 * Two answers agree when fractions are within `tolerance` or ends within `distance`, hits are of the same side, and `startSolid`
 * and `allSolid` are the same. For moves wholly in solid to both, only the flags are compared.
 *
 * @param entries - the first is the baseline.
 * @param queries - n times six numbers: start, then end.
 * @throws RangeError for no entries, no queries, or an option out of range; TypeError for two entries with the same name, or
 *   arguments of the wrong kind; and for whatever a tracer, `run` or `explain` throws an error that names the entry and the
 *   query, with the original as its cause.
 */
export function compare<
  const E extends readonly CompareEntry[],
  const O extends CompareOptions = Record<never, never>,
>(
  entries: E & { readonly [K in keyof E]: Known<E[K], CompareEntry> },
  queries: Float32Array,
  // The callback apart: within what is inferred, its parameters would have no types.
  options?: O & Pick<CompareOptions, 'onProgress'> & Known<O, CompareOptions>,
): Comparison<E, O>;
export function compare(
  entries: readonly CompareEntry[],
  queries: Float32Array,
  options: CompareOptions = {},
): Comparison {
  checkOptions(options, OPTIONS);
  const { tolerance = 1e-4, distance = 0, sides = 'normal', worst = 5, explained = 500 } = options;
  const { onProgress = () => {} } = options;
  checkOptionalCallback(options.onProgress, 'onProgress');
  checkEntries(entries);
  const count = checkQueries(queries);
  checkRadius(tolerance, 'tolerance');
  checkRadius(distance, 'distance');
  checkChoice(sides, 'sides', SIDE_RULES);
  checkWholeFrom(worst, 'worst', 0);
  const settings = measureSettings(options);
  checkWholeFrom(explained, 'explained', 1);

  const answers = entries.map((entry, k) => {
    onProgress('answers', k / entries.length);
    return answer(entry, queries);
  });
  // Before anything is timed: a `run` may write to the queries.
  const found = answers.map((own) => ({
    ...countAnswers(own),
    agreement: agree(answers[0]!, own, queries, { tolerance, distance, sides }, worst),
  }));
  const runners =
    settings.rounds > 0 || settings.heap ? entries.map((entry) => entryRunner(entry, queries)) : [];
  const measured = measureRunners(runners, count, settings, onProgress);
  const reports = entries.map(({ name, tracer, explain }, k): TracerReport => {
    if (explain) onProgress('work', k / entries.length);
    return {
      name,
      shape: plainShape(tracer.shape),
      ...found[k]!,
      ...measured[k],
      ...(explain && { work: countWork(name, explain, queries, explained) }),
    };
  });
  return { queries: count, tolerance, distance, sides, tracers: reports };
}

/** What is timed for an entry. Its errors get the entry's name. */
function entryRunner({ name, tracer, run = runnerOf(tracer) }: CompareEntry, queries: Float32Array): Runner {
  const timed = (first: number, last: number): number => {
    try {
      return run(queries, first, last);
    } catch (error) {
      throw named(`${name}, queries ${first} to ${last - 1}`, error);
    }
  };
  return Object.assign(timed, { atOnce: run.atOnce });
}

function checkEntries(entries: readonly CompareEntry[]): void {
  checkList(entries, 'entries');
  if (entries.length === 0) throw new RangeError('entries must hold at least one tracer');
  const names = new Set<string>();
  for (const [k, entry] of entries.entries()) {
    checkObject(entry, `entries[${k}]`);
    if ('trace' in entry) throw new TypeError(`entries[${k}] must be { name, tracer }, got a tracer alone`);
    checkOptions(entry, ENTRY, `entries[${k}]`);
    const { name, tracer, run, explain } = entry;
    checkText(name, `entries[${k}].name`);
    checkTracer(tracer, `entries[${k}].tracer`);
    checkObject(tracer.shape, `entries[${k}].tracer.shape`);
    checkOptionalRunner(run, `entries[${k}].run`);
    checkOptionalCallback(explain, `entries[${k}].explain`);
    if (names.has(name))
      throw new TypeError(`entries must have different names, but two are ${showValue(name)}`);
    names.add(name);
  }
}
