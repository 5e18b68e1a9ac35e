/** What a terminal would obey instead of showing: control characters, and those that change the direction of text. */
const CONTROLS = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Longest name that is shown in full. */
const MOST_NAME = 300;

/** A text with its control characters written as `\u001b`, as in JSON. */
export const escapeControls = (text: string): string =>
  text.replace(CONTROLS, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The same for a text of several lines. Those of CSV end with both characters. */
export const escapeLines = (text: string): string => text.split(/\r?\n/).map(escapeControls).join('\n');

/**
 * A text from outside (a file, a file name, an argument) for showing on a page: in one line, cut off after `most` characters, and
 * without anything that a terminal would obey.
 */
export function printable(text: string, most: number = MOST_NAME): string {
  if (text.length <= most) return escapeControls(text);
  // Not between the two halves of a character.
  const end = text.codePointAt(most - 1)! > 0xffff ? most - 1 : most;
  return escapeControls(`${text.slice(0, end)}…`);
}
