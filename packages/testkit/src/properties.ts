import fc from 'fast-check';

/** How much of a counterexample a message shows. The path finds it again. */
const MOST_TEXT = 1500;

/**
 * What fast-check is to do once a property is through: throws if it has failed, with the counterexample as far as it can be read, and
 * with what repeats it alone.
 */
export function reportProperty<T>(found: fc.RunDetails<T>): void {
  if (!found.failed) return;
  const { counterexamplePath, counterexample, numRuns, numShrinks, seed, errorInstance } = found;
  if (counterexamplePath === null) throw new Error(fc.defaultReportMessage(found));
  const text = fc.stringify(counterexample).replace(new RegExp(`^(.{${MOST_TEXT}}).+$`, 'su'), '$1…');
  const shrunk = numShrinks > 0 ? ', made as simple as possible' : '';
  // The numbers after the first only say how it was simplified, which happens again.
  const [run] = counterexamplePath.split(':');
  const error = new Error(
    `the property does not hold for case ${numRuns}${shrunk}: ${text}
To try it alone, give fc.assert { path: '${run}', seed: ${seed} }`,
    { cause: errorInstance },
  );
  // What is shown of the source is then where the test asserts it.
  Error.captureStackTrace(error, reportProperty);
  throw error;
}
