import { setFlagsFromString } from 'node:v8';

const BUDGET = '--interrupt-budget=';

/**
 * Does something in a loop that V8 is to compile with all assumptions about the arrays that it sees there. Where tests tell V8 to
 * compile such code late, it does so sooner than usual meanwhile.
 */
export function compiledSoon(loop: () => void): void {
  const usual = process.execArgv.find((arg) => arg.startsWith(BUDGET));
  if (usual !== undefined) setFlagsFromString(`${BUDGET}15000`);
  try {
    loop();
  } finally {
    if (usual !== undefined) setFlagsFromString(usual);
  }
}
