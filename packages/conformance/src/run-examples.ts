import { pathToFileURL } from 'node:url';
import { showLine } from '@bspkit/testkit/show';

// Bundled, and run by Node in a project: imports the files given as arguments, one after the other, and prints as JSON what each
// of them printed.

const log = console.log;
const printed: Record<string, string[]> = {};
for (const file of process.argv.slice(2)) {
  const lines: string[] = [];
  console.log = (...values: unknown[]) => lines.push(showLine(values));
  await import(pathToFileURL(file).href);
  printed[file] = lines;
}
log(JSON.stringify(printed));
