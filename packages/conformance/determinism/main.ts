import { answers } from './answers.ts';
import { given } from './maps.ts';

// Prints a hash for every format and shape, after this many traces: the same on every machine, in every engine.
//
// main [traces per shape, 1,000,000 by default]

const count = Number(process.argv[2] ?? 1_000_000);
for (const [name, hash] of Object.entries(await answers(given(), count))) console.log(`${hash} ${name}`);
