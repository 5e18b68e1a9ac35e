/**
 * Whether something that was thrown is an error of the given class, or of the class of the same name in another realm: in tests with
 * Jest, what Node itself throws is no instance of the tests' own classes.
 */
export const isErrorOf = (thrown: unknown, Errors: ErrorConstructor): thrown is Error =>
  thrown instanceof Errors ||
  (Object.prototype.toString.call(thrown) === '[object Error]' &&
    (Errors === Error || (thrown as Error).name === Errors.name));

/** The message of anything that was thrown. */
export const reasonOf = (thrown: unknown): string =>
  isErrorOf(thrown, Error) ? thrown.message : String(thrown);
