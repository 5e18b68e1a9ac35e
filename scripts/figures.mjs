// Figures in guides and READMEs: each between two comments that name the script that has written them.
import { readFileSync, writeFileSync } from 'node:fs';

/** Puts the text of a script between its comments in a page. Throws `RangeError` unless the page has both. */
export function withFigures(page, name, text) {
  const [before, after] = marksOf(name);
  const from = page.indexOf(before) + before.length;
  const to = page.indexOf(after);
  if (from < before.length || to < from) {
    throw new RangeError(`the page has no place for figures of ${name}, between '${before}' and '${after}'`);
  }
  return `${page.slice(0, from)}\n\n${text}\n\n${page.slice(to)}`;
}

/** The comments before and after what a script has written. */
export const marksOf = (name) => [`<!-- figures: ${name} -->`, `<!-- end of ${name} -->`];

/** {@link withFigures} for a file. */
export function writeFigures(file, name, text) {
  writeFileSync(file, withFigures(readFileSync(file, 'utf8'), name, text));
}
