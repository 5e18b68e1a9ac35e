import { answers } from './answers.ts';
import { given } from './maps.ts';

// Prints a hash for every format and shape, after this many traces: the same on every machine, in every engine. Of several
// numbers, in ascending order, it prints those hashes one after the other, with an empty line between them.
//
// main [traces per shape, 1,000,000 by default]…

const counts = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1_000_000];
const lists = (await answers(given(), counts)).map((hashes) =>
  Object.entries(hashes).map(([name, hash]) => `${hash} ${name}\n`),
);
console.log(lists.map((lines) => lines.join('')).join('\n'));
