import { describe, expect, it } from 'vitest';
import { PICTURES } from './pictures.ts';

describe('the pictures of the README', () => {
  // `npm run pictures` redraws them.
  it.each(Object.keys(PICTURES))('%s is what the code draws today', async (name) => {
    await expect(PICTURES[name]!()).toMatchFileSnapshot(`../pictures/${name}.svg`);
  });
});
