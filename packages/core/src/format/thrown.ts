/**
 * Whether something that was thrown is an error of the given class, or of the class of the same name in another realm: in tests with
 * Jest, what Node itself throws is no instance of the tests' own classes.
 */
export function isErrorOf(thrown: unknown, Errors: ErrorConstructor): thrown is Error {
  try {
    return (
      thrown instanceof Errors ||
      (Object.prototype.toString.call(thrown) === '[object Error]' &&
        (Errors === Error || (thrown as Error).name === Errors.name))
    );
  } catch {
    // A revoked proxy can't even be asked what it is.
    return false;
  }
}

/** The message of anything that was thrown. Never throws itself: whoever catches something has to be able to report it. */
export function reasonOf(thrown: unknown): string {
  try {
    return String(isErrorOf(thrown, Error) ? thrown.message : thrown);
  } catch {
    return 'something was thrown that has no text';
  }
}
