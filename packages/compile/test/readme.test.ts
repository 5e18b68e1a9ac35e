import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as compile from '../src/index.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const examples = [...readme.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code!);

describe('the README', () => {
  it('has examples that run', () => {
    expect(examples).toHaveLength(2);
    for (const code of examples) {
      const printed: unknown[] = [];
      const body = code.replace(/import \{([^}]*)\} from '@bspkit\/compile';/, 'const {$1} = compile;');
      new Function('compile', 'console', body)(compile, {
        log: (...values: unknown[]) => printed.push(...values),
      });
      expect(printed.length).toBeGreaterThan(0);
      for (const value of printed) expect(value).toEqual(expect.any(Number));
    }
  });

  it('names everything that the package gives', () => {
    for (const name of Object.keys(compile)) expect(readme).toContain(name);
  });
});
