import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type CompileFormat, compileMap, parseMap } from '../src/index.ts';

// The engines' answers in packages/fixtures were recorded on exactly these files.
it.each<[CompileFormat, string, string]>([
  ['quake1', 'arena', '648f30bbc0b49fb2f32bbed70d3477e933141a4f570fc123765f2aec05d70b1f'],
  ['quake1', 'house', 'ccca4184d283661ac72ca7024f4c3204b2e043a411d4a673f20f0ebe16ba4cf8'],
  ['quake1', 'torture', 'a72d8bf145f68ea46fae3eb19df637c30d2e3c1eafc6043ad17ea1a931bea3bc'],
  ['quake3', 'arena', 'f7156fcf78298af6d47341cc5f988da21dd4b5cc991b5a73525539eba301382a'],
  ['quake3', 'house', 'd00295a1bac54821b155c9273b078675825c51432612d46e5470125a6173628c'],
  ['quake3', 'torture', 'c4b69934478a70435a57b8ca71a05100b972c574e6297b9d99879bf80117941b'],
  ['ufoai', 'arena', '951c1302ed7569cd7604486d6fbc1f6e1ad3fa23beba9f825ccc33e66ec49de4'],
  ['ufoai', 'house', '5189a96125860996a9c472d9c5af11052328c414da628040da3a3d43c8774b69'],
  ['ufoai', 'torture', '0a01c270be172dff72b0e3513b6845d91e9afacd245198c5d7272e7a7cf440c6'],
])('compiles %s/%s to the same bytes as ever', (format, name, sha256) => {
  const text = readFileSync(new URL(`../../fixtures/maps/${name}.map`, import.meta.url), 'utf8');
  const { bytes } = compileMap(parseMap(text), { format });
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
});
