import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@bspkit/testkit/folder';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SHELLS } from '../src/completion.ts';
import { bspkit, WINDOWS } from './bspkit.ts';
import { commandNames } from './manual.ts';

/** Whether a shell is there to try its script. Those that Windows may have are for systems that run inside it. */
const has = (shell: string): boolean => !WINDOWS && spawnSync(shell, ['-c', 'true']).status === 0;

describe('completion', () => {
  it.each(SHELLS)('the script for %s has every command and long option', async (shell) => {
    const { stdout, status } = await bspkit('completion', shell);
    expect(status).toBe(0);
    const commands = await commandNames();
    expect(commands).toContain('completion');
    expect(commands.length).toBeGreaterThan(15);
    for (const command of commands) {
      expect(stdout).toContain(command);
      const flags = (await bspkit(command, '--help')).stdout.matchAll(/^ {2}(?:-\w, )?--([a-z-]+)/gm);
      for (const [, flag] of flags) expect(stdout, `${command} --${flag}`).toContain(flag);
    }
  });

  it.each(SHELLS)('the script for %s offers help, and commands after it', async (shell) => {
    const { stdout } = await bspkit('completion', shell);
    expect(stdout).toContain(
      shell === 'bash' ? "completion help --help --version'" : 'display help for a command',
    );
    const all = (await commandNames()).join(' ');
    if (shell === 'fish') {
      expect(stdout).toContain(`-n '__fish_seen_subcommand_from help' -a '${all}'`);
      expect(stdout).toContain('-n __fish_use_subcommand -s V -l version');
    }
  });

  it.each(SHELLS.filter(has))('%s reads its script', async (shell) => {
    const { stdout } = await bspkit('completion', shell);
    const folder = temporaryFolder(onTestFinished);
    writeFileSync(join(folder, 'script'), stdout);
    const { status, stderr } = spawnSync(shell, ['-n', 'script'], { cwd: folder, encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });

  /** What bash offers at the end of a line. */
  const offered = async (line: string, first = ''): Promise<string[]> => {
    const { stdout } = await bspkit('completion', 'bash');
    const folder = temporaryFolder(onTestFinished);
    writeFileSync(join(folder, 'own.bsp'), '');
    for (const name of ['a long name.bsp', "it's.bsp", '5" high.bsp', 'map=1.bsp', 'x@2.bsp'])
      writeFileSync(join(folder, name), '');
    const ask = `${first}COMP_LINE='${line.replaceAll("'", "'\\''")}'; COMP_POINT=\${#COMP_LINE}; _bspkit; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const text = execFileSync('bash', ['-c', `${stdout}\n${ask}`], { cwd: folder, encoding: 'utf8' });
    return text.split('\n').filter((word) => word !== '');
  };

  it.skipIf(!has('bash'))('bash offers commands, options, choices, maps and files', async () => {
    expect(await offered('bspkit com')).toEqual(['compare', 'compile', 'completion']);
    expect(await offered('bspkit trace --fr')).toEqual(['--from']);
    expect(await offered('bspkit compare a.bsp --queries p')).toEqual(['planes', 'player']);
    expect(await offered('bspkit completion ')).toEqual(expect.arrayContaining(['bash', 'zsh', 'fish']));
    expect(await offered('bspkit info ow')).toEqual(['own.bsp']);
    // A file is no choice, but may be the value of other options.
    expect(await offered('bspkit bake own.bsp --kind o')).toEqual(['occlusion']);
    expect(await offered('bspkit bake own.bsp --points o')).toEqual(['own.bsp']);
    for (const begun of ['a', 'a\\ l', 'a\\ long\\ na', '"a lo'])
      expect(await offered(`bspkit info ${begun}`)).toEqual(['a long name.bsp']);
    expect(await offered('bspkit bake a\\ long\\ name.bsp --kind o')).toEqual(['occlusion']);
    expect(await offered('bspkit bake "a long name.bsp" --kind o')).toEqual(['occlusion']);
    // Bash has completed the part before the colon already.
    expect(await offered('bspkit info demo:a')).toEqual(['arena']);
    expect(await offered('bspkit info de')).toEqual(['demo:arena', 'demo:house', 'demo:torture']);
  });

  it.skipIf(!has('bash'))(
    'bash offers what follows quotes, equals signs and its own word breaks',
    async () => {
      for (const begun of ["'a lo", '"a lo', 'a\\ lo'])
        expect(await offered(`bspkit info ${begun}`), begun).toEqual(['a long name.bsp']);
      expect(await offered("bspkit bake it\\'s.bsp --kind o")).toEqual(['occlusion']);
      expect(await offered('bspkit bake 5\\"\\ high.bsp --kind o')).toEqual(['occlusion']);
      expect(await offered(`bspkit bake '5" high.bsp' --kind o`)).toEqual(['occlusion']);
      // In quotes, a colon is part of the word for bash too, and so it is where users have it so.
      expect(await offered('bspkit info "demo:a')).toEqual(['demo:arena']);
      expect(await offered('bspkit info demo:a', 'COMP_WORDBREAKS=" "; ')).toEqual(['demo:arena']);
      expect(await offered('bspkit bake own.bsp --kind=o')).toEqual(['occlusion']);
      expect(await offered('bspkit bake own.bsp --kind=o', 'COMP_WORDBREAKS=" "; ')).toEqual([
        '--kind=occlusion',
      ]);
      expect(await offered('bspkit bake own.bsp --points=ow')).toEqual(['own.bsp']);
      expect(await offered('bspkit bake own.bsp --json=ow')).toEqual(['own.bsp']);
      expect(await offered('bspkit info own.bsp --json=ow')).toEqual([]);
      expect(await offered('bspkit info map=')).toEqual(['1.bsp']);
      expect(await offered('bspkit info x@')).toEqual(['@2.bsp']);
    },
  );

  it.skipIf(!has('bash'))('bash replaces what it takes for the word, whatever is quoted in it', async () => {
    const { stdout } = await bspkit('completion', 'bash');
    const folder = temporaryFolder(onTestFinished);
    for (const name of ['a long name.bsp', "it's.bsp", '5" high.bsp', 'back\\slash.bsp', 'foobar.bsp'])
      writeFileSync(join(folder, name), '');
    writeFileSync(join(folder, 'script'), stdout);
    const begun: readonly (readonly [string, string])[] = [
      ['foo"b', 'foobar.bsp'],
      ['fo""ob', 'foobar.bsp'],
      ["f'oo'b", 'foobar.bsp'],
      ['a" long"\\ n', 'a long name.bsp'],
      ["it\\'s", "it's.bsp"],
      ["i''t\\'", "it's.bsp"],
      [`it"'`, "it's.bsp"],
      ['5\\"\\ h', '5" high.bsp'],
      [`'5" h`, '5" high.bsp'],
      ['back\\\\s', 'back\\slash.bsp'],
      ["'back\\s", 'back\\slash.bsp'],
      ['"$HOME/foo', join(folder, 'foobar.bsp')],
      ['$HOME/foo', join(folder, 'foobar.bsp')],
      ['~/foo', join(folder, 'foobar.bsp')],
    ];
    const lines = ['. ./script', `bspkit() { printf '<%s>\\n' "$@"; }`];
    lines.push(...begun.map(([word]) => `bspkit info ${word}\t`), 'bspkit info <foob\t', '');
    // An interactive bash completes at tabulators that it reads from a pipe, too.
    const text = spawnSync('bash', ['--norc', '--noprofile', '-i'], {
      cwd: folder,
      encoding: 'utf8',
      input: lines.join('\n'),
      env: { ...process.env, HOME: folder, INPUTRC: '/dev/null', TERM: 'dumb' },
    });
    const given = [...text.stdout.matchAll(/^<(.*)>$/gm)].map(([, word]) => word);
    expect(given).toEqual([...begun.flatMap(([, name]) => ['info', name]), 'info']);
    expect(text.stdout + text.stderr).toContain('<foobar.bsp');
  });

  it('zsh completes values after an equals sign', async () => {
    const { stdout } = await bspkit('completion', 'zsh');
    expect(stdout).toContain("'--kind=[");
    expect(stdout).toMatch(/'--json\[.*\]'/);
  });

  it('zsh completes options that may be repeated again, others by either name once, and those without a command', async () => {
    const { stdout } = await bspkit('completion', 'zsh');
    expect(stdout).toContain("'*--shaders=[");
    expect(stdout.match(/'\*-/g)).toHaveLength(1);
    expect(stdout).toContain("'(-f --format)-f[");
    expect(stdout).toContain("'(-f --format)--format=[");
    expect(stdout).toContain("    '--version:show the version'\n");
    expect(stdout).toContain('if [[ $PREFIX == -* ]]; then _describe -o option alone;');
  });

  // Most developers' machines have no PowerShell: there, this is all that is checked of its script.
  it('the script for powershell has quotes and brackets in pairs, and no key twice', async () => {
    const { stdout } = await bspkit('completion', 'powershell');
    const bare = stdout.replace(/'(?:[^'\n]|'')*'|"[^"\n]*"|^ *#.*$/gm, (found) =>
      found.startsWith("'") ? 'q' : '',
    );
    expect(bare).not.toMatch(/['"\u2018-\u201b]/);
    let open = '';
    for (const [bracket] of bare.matchAll(/[()[\]{}]/g)) {
      const pair = open.slice(-1) + bracket;
      open = ['()', '[]', '{}'].includes(pair) ? open.slice(0, -1) : open + bracket;
    }
    expect(open).toBe('');
    // Keys that differ only in case are the same.
    const tables = [...stdout.matchAll(/^ +flags = \S*@\{\n([^}]*)\}/gm)];
    expect(tables.length).toBeGreaterThan(11);
    for (const [, table] of tables) {
      const keys = [...table!.matchAll(/^ +('\S+') = '/gm)].map(([, key]) => key!.toLowerCase());
      expect(keys).toContain("'--help'");
      expect(new Set(keys).size).toBe(keys.length);
    }
  });

  const POWERSHELL = ['-NoProfile', '-NonInteractive', '-Command'];
  const hasPowershell = spawnSync('pwsh', [...POWERSHELL, 'exit 0']).status === 0;

  it.skipIf(!hasPowershell)('powershell offers commands, options, choices, maps and files', async () => {
    const { stdout } = await bspkit('completion', 'powershell');
    const folder = temporaryFolder(onTestFinished);
    writeFileSync(join(folder, 'own.bsp'), '');
    writeFileSync(join(folder, 'script.ps1'), stdout);
    const lines = ['com', 'trace --fr', 'compare a.bsp --queries p', 'info ow', 'info demo:a', 'help com'];
    const asked = lines.map(
      (line) => `(TabExpansion2 'bspkit ${line}' ${line.length + 7}).CompletionMatches`,
    );
    const told = asked.map((one) => `Write-Output ((${one} | ForEach-Object CompletionText) -join ' ')`);
    const command = ['. ./script.ps1', ...told].join('; ');
    const text = execFileSync('pwsh', [...POWERSHELL, command], { cwd: folder, encoding: 'utf8' });
    expect(text.trim().split(/\r?\n/)).toEqual([
      'compare compile completion',
      '--from',
      'planes player',
      expect.stringMatching(/^\.[\\/]own\.bsp$/),
      'demo:arena',
      'compare compile completion',
    ]);
  });

  it('refuses other shells', async () => {
    const { status, stderr } = await bspkit('completion', 'cmd');
    expect(status).toBe(2);
    expect(stderr).toContain('bash, zsh, fish');
  });
});
