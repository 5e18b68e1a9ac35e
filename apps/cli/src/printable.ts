/** What a terminal obeys instead of showing it: control characters, and those that turn the direction of text. */
const CONTROLS = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Longest name that is shown in full. */
const MOST_NAME = 300;

/** A text with its control characters written out as `\u001b`, as JSON has them. */
export const escapeControls = (text: string): string =>
  text.replace(CONTROLS, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * A text that came from outside (a file, a name of one, an argument) as it is shown on a page: in one line, cut off
 * after `most` characters, and without what a terminal would obey.
 */
export function printable(text: string, most: number = MOST_NAME): string {
  return escapeControls(text.length > most ? `${text.slice(0, most)}…` : text);
}
