import { describe, expect, it } from 'vitest';
import { TOOLS } from '../src/tools/index.ts';

describe('the list of tools', () => {
  it('has a name of its own for each', () => {
    const ids = TOOLS.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/);
  });
});
