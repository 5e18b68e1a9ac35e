import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@bspkit/testkit/folder';
import { describe, expect, it, onTestFinished } from 'vitest';
import { seriesIn } from '../src/against/duel.ts';
import { checkAsked, checkWritable } from '../src/beforehand.ts';
import { namesIn } from '../src/bench.ts';
import { openMap } from '../src/maps.ts';

const open = (name: string) => openMap(name);

describe('before anything is measured', () => {
  it('shapes are looked for in the maps, each of them', async () => {
    const maps = ['quake3/arena', 'ufoai/house'];
    await expect(checkAsked(maps, ['ray', 'line', 'moves'], open, namesIn, 1)).resolves.toBeUndefined();
    await expect(checkAsked(maps, ['ray', 'cube', 'hull1'], open, namesIn, 1)).rejects.toThrow(
      new RangeError(
        "no map has a shape that is called 'cube' or 'hull1', but there are ray, box, capsule, sphere, moves, line",
      ),
    );
    // There, no players are known.
    await expect(checkAsked(['ufoai/house'], ['moves'], open, namesIn, 1)).rejects.toThrow(RangeError);
    await expect(checkAsked(maps, ['line batch', 'box', 'load'], open, seriesIn, 1)).resolves.toBeUndefined();
    await expect(checkAsked(maps, ['moves'], open, seriesIn, 1)).rejects.toThrow(RangeError);
  });

  it('all maps are opened', async () => {
    await expect(checkAsked(['arena', 'no_such_map'], undefined, open, namesIn, 1)).rejects.toThrow(
      'no_such_map',
    );
  });

  it('all maps are built', async () => {
    const broken = async (name: string) => {
      const map = await openMap('quake3/arena');
      return name === 'whole' ? map : { ...map, name, bytes: map.bytes.subarray(0, 4000) };
    };
    await expect(checkAsked(['whole'], undefined, broken, namesIn, 1)).resolves.toBeUndefined();
    await expect(checkAsked(['whole', 'cut off'], undefined, broken, namesIn, 1)).rejects.toThrow(
      /^cut off: quake3: planes: /,
    );
  });

  it('room to start from is looked for in all maps, where queries are not recorded ones', async () => {
    const huge = [-4000, -4000, -4000, 4000, 4000, 4000];
    const small = async (name: string) => {
      const map = await openMap('quake3/arena');
      const { tracers } = map.format;
      const presets = tracers.presets.map((preset) =>
        preset.name === tracers.player ? { ...preset, size: huge } : preset,
      );
      return { ...map, name, format: { ...map.format, tracers: { ...tracers, presets } } };
    };
    await expect(checkAsked(['small'], undefined, small, namesIn, 1)).rejects.toThrow(
      'small: origins must include a point in the open, but none is',
    );
    await expect(checkAsked(['small'], undefined, small, namesIn, undefined)).resolves.toBeUndefined();
  });

  it('files are known to be writable, and not written yet', () => {
    const folder = temporaryFolder(onTestFinished);
    const file = join(folder, 'out.json');
    checkWritable(file, undefined);
    expect(existsSync(file)).toBe(false);
    expect(() => checkWritable(file, join(folder, 'none', 'out.json'))).toThrow(join(folder, 'none'));
    for (const path of [folder, `${file}/`])
      expect(() => checkWritable(path)).toThrow(`${path} is a folder, and cannot be written`);
  });
});
