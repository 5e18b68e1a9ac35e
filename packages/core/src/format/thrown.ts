/**
 * Whether something that was thrown is an error of the given class, or of the class of the same name in another realm: in tests with
 * Jest, what Node itself throws is no instance of the tests' own classes. Throws nothing, as nothing here does: a proxy that was
 * revoked is no error.
 */
export const isErrorOf = (thrown: unknown, Errors: ErrorConstructor): thrown is Error => {
  try {
    return (
      thrown instanceof Errors ||
      (Object.prototype.toString.call(thrown) === '[object Error]' &&
        (Errors === Error || (thrown as Error).name === Errors.name))
    );
  } catch {
    return false;
  }
};

/** The message of anything that was thrown; words of its own for what cannot be shown as text, as objects without a prototype. */
export const reasonOf = (thrown: unknown): string => {
  try {
    return String(isErrorOf(thrown, Error) ? thrown.message : thrown);
  } catch {
    return 'something was thrown that cannot be shown as text';
  }
};
