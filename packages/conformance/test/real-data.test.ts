import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findRealData } from '@bspkit/fixtures/real';
import { temporaryFolder } from '@bspkit/testkit/folder';
import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => vi.unstubAllEnvs());

it('real maps are those of the folder that is named, and no others where it has none', () => {
  const folder = temporaryFolder();
  const maps = join(folder, 'maps');
  vi.stubEnv('BSPKIT_MAPS', folder);
  expect(findRealData).toThrow(`there are no maps in ${folder}, which BSPKIT_MAPS names`);
  mkdirSync(maps);
  writeFileSync(join(maps, 'INDEX.json'), '[]');
  expect(findRealData()).toEqual({ maps, golden: undefined });
  mkdirSync(join(folder, 'golden'));
  for (const place of [folder, maps]) {
    vi.stubEnv('BSPKIT_MAPS', place);
    expect(findRealData()).toEqual({ maps, golden: join(folder, 'golden') });
  }
});
