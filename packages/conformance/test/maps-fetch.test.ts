import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@bspkit/testkit/folder';
import { expect, it, vi } from 'vitest';
import { fetchPackage } from '../../../scripts/maps-fetch.mjs';

// What `npm run maps` fetches, with programs that stand in for Debian's.

const folder = temporaryFolder();

it.skipIf(process.platform === 'win32')('takes a package whose unpacking was interrupted for absent', () => {
  const [programs, maps] = [join(folder, 'programs'), join(folder, 'maps')];
  mkdirSync(programs);
  const program = (name: string, lines: string): void => {
    writeFileSync(join(programs, name), `#!/bin/sh\n${lines}\n`);
    chmodSync(join(programs, name), 0o755);
  };
  // A zip of one empty file, `maps/one.bsp`.
  const name = Buffer.from('maps/one.bsp');
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(name.length, 26);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(name.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.length + name.length, 12);
  end.writeUInt32LE(local.length + name.length, 16);
  const zip = join(folder, 'zip');
  writeFileSync(zip, Buffer.concat([local, name, entry, name, end]));
  vi.stubEnv('PATH', `${programs}${delimiter}${process.env.PATH}`);
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  const fetched = (): string[] => {
    fetchPackage(maps, 'quake3', 'some-maps');
    return readdirSync(join(maps, 'quake3', 'some-maps'));
  };
  try {
    program('apt-get', 'echo > some-maps.deb');
    // The second file is broken, which ends the run as a signal would.
    program('dpkg-deb', `cp '${zip}' a.pk3; echo broken > b.pk3`);
    expect(fetched).toThrow('invalid zip data');
    expect(existsSync(join(maps, 'quake3', 'some-maps'))).toBe(false);
    program('dpkg-deb', 'exit 1');
    expect(fetched).toThrow('dpkg-deb could not unpack some-maps.deb');
    // Nothing is left of the first run, which came to a.pk3.
    program(
      'dpkg-deb',
      `[ "$*" = "-x some-maps.deb ." ] && mkdir -p usr/share && cp '${zip}' usr/share/c.pk3 && cp '${zip}' usr/d.pk3`,
    );
    expect(fetched()).toEqual(['c_one.bsp', 'd_one.bsp']);
    // Neither is it after Ctrl-C, of which a program that waits for others hears nothing.
    program('apt-get', 'echo > some-maps.deb; kill -INT $PPID');
    const other = new URL('../../../scripts/maps-fetch.mjs', import.meta.url).href;
    const script = `import { fetchPackage } from '${other}'; fetchPackage('maps', 'quake3', 'other-maps');`;
    const temporary = join(folder, 'temporary');
    mkdirSync(temporary);
    const { signal } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: folder,
      env: { ...process.env, TMPDIR: temporary },
    });
    expect(signal).toBe('SIGINT');
    expect(readdirSync(temporary)).toEqual([]);
    program('apt-get', 'exit 1');
    fetchPackage(maps, 'quake3', 'other-maps');
    expect(readdirSync(maps)).toEqual(['quake3']);
    expect(fetched()).toEqual(['c_one.bsp', 'd_one.bsp']);
  } finally {
    vi.unstubAllEnvs();
    log.mockRestore();
  }
});

it('names the games that it knows, before it fetches anything', () => {
  const script = fileURLToPath(new URL('../../../scripts/maps.mjs', import.meta.url));
  for (const games of [['doom'], ['constructor'], ['quake3', 'doom']]) {
    // Without any programs: whatever is to be fetched fails.
    const { status, stderr } = spawnSync(process.execPath, [script, ...games], {
      env: { PATH: '' },
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([2, `unknown game '${games.at(-1)}'; known are quake3, ufoai\n`]);
  }
});
