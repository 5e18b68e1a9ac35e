import { fileURLToPath } from 'node:url';
import { expectWritten } from '@bspkit/testkit/written';
import { describe, expect, it } from 'vitest';
import { PICTURES } from './pictures.ts';

describe('the pictures of the method', () => {
  it.each(Object.keys(PICTURES))('%s is what the code draws today', async (name) => {
    const file = fileURLToPath(new URL(`../pictures/${name}.svg`, import.meta.url));
    await expectWritten(PICTURES[name]!(), file);
  });

  it.each(Object.keys(PICTURES))('%s has other colours on dark pages', (name) => {
    const [style, drawn] = PICTURES[name]!().split('</style>') as [string, string];
    const used = new Set(Array.from(drawn.matchAll(/(?:fill|stroke)="#\w+"/g), ([attribute]) => attribute));
    expect(used.size).toBeGreaterThan(5);
    for (const attribute of used) expect(style).toContain(`[${attribute}]`);
    expect(drawn.match(/<text/g)).toHaveLength(drawn.match(/<text[^>]* fill="/g)!.length);
  });
});
