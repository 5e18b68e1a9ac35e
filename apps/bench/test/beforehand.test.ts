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
    await expect(checkAsked(maps, ['ray', 'line', 'moves'], open, namesIn)).resolves.toBeUndefined();
    await expect(checkAsked(maps, ['ray', 'cube', 'hull1'], open, namesIn)).rejects.toThrow(
      new RangeError(
        "no map has a shape that is called 'cube' or 'hull1', but there are ray, box, capsule, sphere, moves, line",
      ),
    );
    // There, no players are known.
    await expect(checkAsked(['ufoai/house'], ['moves'], open, namesIn)).rejects.toThrow(RangeError);
    await expect(checkAsked(maps, ['line batch', 'box', 'load'], open, seriesIn)).resolves.toBeUndefined();
    await expect(checkAsked(maps, ['moves'], open, seriesIn)).rejects.toThrow(RangeError);
  });

  it('all maps are opened', async () => {
    await expect(checkAsked(['arena', 'no_such_map'], undefined, open, namesIn)).rejects.toThrow(
      'no_such_map',
    );
  });

  it('all maps are built', async () => {
    const broken = async (name: string) => {
      const map = await openMap('quake3/arena');
      return name === 'whole' ? map : { ...map, name, bytes: map.bytes.subarray(0, 4000) };
    };
    await expect(checkAsked(['whole'], undefined, broken, namesIn)).resolves.toBeUndefined();
    await expect(checkAsked(['whole', 'cut off'], undefined, broken, namesIn)).rejects.toThrow(
      /^cut off: quake3: planes: /,
    );
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
