// Checks of what kind of thing an argument is. Separate from those of points and sizes in `check.ts`, as bundles that do not open
// a map yet need only these.

/** Throws `TypeError` unless `value` is an array. */
export function checkList(value: readonly unknown[], name: string): void {
  if (!Array.isArray(value)) failArgument(name, 'an array', value, false);
}

/** Throws `TypeError` unless `value` is a boolean, or left out. */
export function checkFlag(value: boolean | undefined, name: string): void {
  if (value !== undefined && typeof value !== 'boolean') failArgument(name, 'true or false', value, false);
}

/** Throws `TypeError` unless `value` is a function. */
export function checkCallback(value: unknown, name: string): void {
  if (typeof value !== 'function') failArgument(name, 'a function', value, false);
}

/** Throws `TypeError` unless `value` is a string. */
export function checkText(value: string, name: string): void {
  if (typeof value !== 'string') failArgument(name, 'a string', value, false);
}

/** What was given, in a word or two: of an object the class, where it says so, as all of the language do. */
export function showValue(value: unknown): string {
  if (typeof value === 'string') return value[40] ? `'${value.slice(0, 40)}…'` : `'${value}'`;
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'function') return 'a function';
  return typeof value === 'object' && value
    ? value[Symbol.toStringTag as never] || 'an object'
    : String(value);
}

/** Throws `TypeError` unless `isRight`, which says whether `value` is of the right kind. */
export function checkKind(isRight: boolean, value: unknown, name: string, wanted: string): void {
  if (!isRight) failArgument(name, wanted, value, false);
}

/** Throws `RangeError` unless `value` is one of some strings, `TypeError` if it is not a string at all. */
export function checkChoice(value: string, name: string, choices: readonly string[]): void {
  if (choices.includes(value)) return;
  failArgument(
    name,
    choices
      .map(showValue)
      .join(', ')
      .replace(/,(?!.*,)/, ' or'),
    value,
    typeof value === 'string',
  );
}

/** Throws `RangeError` where an invalid number was given, `TypeError` where anything else was. */
export function failArgument(
  name: string,
  wanted: string,
  value: unknown,
  isRange: boolean = typeof value === 'number',
): never {
  const problem = `${name} must be ${wanted}, got ${showValue(value)}`;
  throw isRange ? new RangeError(problem) : new TypeError(problem);
}

/**
 * Throws `TypeError` unless `options` is an object whose keys are all known: an unknown key is a typo, or an option of
 * something else. A key that is undefined is ignored, whatever its name, and so is what all objects have.
 */
export function checkOptions(options: object, known: readonly string[], name = 'options'): void {
  checkObject(options, name);
  for (const key in options) {
    // What an empty object has too was added to all objects by some library, and is nobody's option. No known one is read, as V8
    // would box its number.
    if (
      !known.includes(key) &&
      (options as Record<string, unknown>)[key] !== undefined &&
      (options as Record<string, unknown>)[key] !== ({} as Record<string, unknown>)[key]
    )
      throw new TypeError(`there is no option ${showValue(key)} here; the options are ${known.join(', ')}`);
  }
}

/** Throws `TypeError` unless `value` is an object that is not an array. */
export function checkObject(value: object, name: string, wanted = 'an object'): void {
  if (typeof value !== 'object' || !value || Array.isArray(value)) {
    failArgument(name, wanted, value, false);
  }
}
