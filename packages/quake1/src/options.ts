/** Throws `TypeError` for a key that is not an option: a slip of the keyboard, or an option of something else. */
export function checkOptions(given: object, known: readonly string[]): void {
  for (const key in given) {
    if (!known.includes(key) && (given as Record<string, unknown>)[key] !== undefined) {
      throw new TypeError(`there is no option '${key}' here; the options are ${known.join(', ')}`);
    }
  }
}
