import { expect, it } from 'vitest';
import { bspkit, bspkitIn } from './bspkit.ts';

it('come from the command that shows them, too', async () => {
  const help = await bspkit('--help');
  expect(help).toMatchObject({ status: 0, stderr: '' });
  for (const asked of [['help'], ['help', '--help'], ['help', '-h'], ['help', 'help'], ['help', '--']])
    expect(await bspkit(...asked), asked.join(' ')).toEqual(help);
  expect(await bspkit('help', '--', 'trace')).toEqual(await bspkit('help', 'trace'));
});

it('say what is traced by default, and for which games it is something else', async () => {
  const { stdout } = await bspkit('help', 'trace');
  expect(stdout).toContain('\nShape (by default --ray or --line for UFO:AI):\n');
});

it('say nothing twice about an option', async () => {
  for (const command of ['trace', 'explain', 'compile', 'bake', 'batch']) {
    const { stdout } = await bspkitIn({ columns: 1000 }, 'help', command);
    const options = [...stdout.matchAll(/^ {2}(?:-\w, )?(--\S+).*? {2,}(\S.*)$/gm)];
    expect(options.length).toBeGreaterThan(6);
    for (const [, name, text] of options) {
      const said = text!.split(/ \([^)]*\)(?:; |$)|[;:] /);
      expect(new Set(said).size, `${name}: ${text}`).toBe(said.length);
    }
  }
  const { stdout } = await bspkitIn({ columns: 1000 }, 'help', 'trace');
  expect(stdout).toMatch(/--mask <names> +contents that stop it, [^;]+ \(Quake 2, Quake 3, UFO:AI\); solid /);
});
