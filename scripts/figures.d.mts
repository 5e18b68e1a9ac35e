/** Puts the text of a script between its comments in a page. Throws `RangeError` unless the page has both. */
export function withFigures(page: string, name: string, text: string): string;
/** The comments before and after what a script has written. */
export function marksOf(name: string): [before: string, after: string];
/** {@link withFigures} for a file. */
export function writeFigures(file: string | URL, name: string, text: string): void;
