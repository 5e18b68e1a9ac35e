import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../src/sources.ts';

// The compiler knows no reader, but makes no file that ours refuse: it has their limits, each as a constant of its own.

/** The value of a constant that is written out: `6_000_000`, `0x100000`, `2 ** 20`. */
function constant(file: string, name: string): number {
  const text = readFileSync(join(ROOT, 'packages', file), 'utf8');
  const found = new RegExp(`^(?:export )?const ${name} = (\\w+)(?: \\*\\* (\\d+))?;$`, 'm').exec(text);
  if (!found) throw new Error(`${file} has no constant ${name} that is a number`);
  const [base, power] = [Number(found[1]!.replaceAll('_', '')), Number(found[2] ?? 1)];
  return base ** power;
}

const QUAKE1 = 'compile/src/targets/quake1';
const QUAKE2 = 'compile/src/targets/quake2/write.ts';
const QUAKE3 = 'compile/src/targets/quake3';
const UFOAI = 'compile/src/targets/ufoai/write.ts';

it.each([
  ['compile/src/target.ts', 'MOST_ENTITIES', 'core/src/entities.ts', 'MAX_ENTITIES'],
  [`${QUAKE1}/write.ts`, 'MOST_DEPTH', 'quake1/src/check.ts', 'MAX_DEPTH'],
  [`${QUAKE1}/brush-list.ts`, 'MOST_SQUARES', 'quake1/src/mesh.ts', 'MAX_SQUARES'],
  [`${QUAKE1}/brush-list.ts`, 'MOST_SIDES', 'quake1/src/bspx.ts', 'MAX_SIDES'],
  [QUAKE2, 'MOST_DEPTH', 'quake2/src/check.ts', 'MAX_DEPTH'],
  [QUAKE2, 'MOST_SQUARES', 'quake2/src/check.ts', 'MAX_SQUARES'],
  [`${QUAKE3}/write.ts`, 'MOST_DEPTH', 'quake3/src/check.ts', 'MAX_DEPTH'],
  [`${QUAKE3}/brushes.ts`, 'MOST_SQUARES', 'quake3/src/check.ts', 'MAX_SQUARES'],
  [UFOAI, 'MOST_DEPTH', 'ufoai/src/check.ts', 'MAX_DEPTH'],
  [UFOAI, 'MOST_SQUARES', 'ufoai/src/check.ts', 'MAX_SQUARES'],
  [UFOAI, 'MOST_HEADS', 'ufoai/src/check.ts', 'MAX_HEADS'],
])('%s has in %s what readers take', (target, ours, reader, theirs) => {
  const most = constant(reader, theirs);
  expect(most).toBeGreaterThan(1000);
  expect(constant(target, ours)).toBe(most);
});
