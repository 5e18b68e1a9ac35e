import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as compile from '../src/index.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const examples = [...readme.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code!);

describe('the README', () => {
  it('has examples that run with this package alone', () => {
    expect(examples).toHaveLength(3);
    for (const code of examples) {
      const printed: unknown[] = [];
      const body = code.replace(/import \{([^}]*)\} from '@bspkit\/compile';/, 'const {$1} = compile;');
      expect(body).not.toContain('import ');
      new Function('compile', 'console', body)(compile, {
        log: (...values: unknown[]) => printed.push(...values),
      });
      expect(printed.length).toBeGreaterThan(0);
      const said = [...code.matchAll(/^console\.log\(.*\); \/\/ (.*)$/gm)].map(([, comment]) => comment);
      if (said.length > 0)
        expect(
          printed.map((value) => JSON.stringify(value).replaceAll('"', '').replaceAll(',', ', ')),
        ).toEqual(said);
      else for (const value of printed) expect(value).toEqual(expect.any(Number));
    }
  });

  it('names every export, every format and every option', () => {
    const words = [
      ...Object.keys(compile),
      ...compile.COMPILE_TARGETS.flatMap(({ id, options }) => [id, ...options.map(({ name }) => name)]),
    ];
    expect(words.filter((word) => !readme.includes(word))).toEqual([]);
  });
});
