import { describe, expect, it } from 'vitest';
import { bspkit } from './bspkit.ts';
import { hallFile, INTO_DOOR, INTO_WALL, roomFiles } from './room-files.ts';

const { folder, quake1, quake3, ufoai, printed, json } = roomFiles();

const hall = hallFile(folder);

describe('explain', () => {
  it('shows every step', async () => {
    const text = await printed('explain', quake3, ...INTO_WALL);
    expect(text).toMatch(/^node 0 {2}\S.* at \S+ and \S+ {2}(front|back)/);
    expect(text).toMatch(/\n {2,}leaf # {2}solid {2}0\.\d+ to /);
    expect(text).toMatch(/\n {2,}brush # {2}solid {2}hit at 0\.457682\n {2,}side # {2}x = 120 \(faces -x\)/);
    expect(text).toMatch(/side # {2}x = 120 \(faces -x\)[^#]*\s{2}inside from 0\.4577 to /);
    expect(text).toMatch(/result +stopped after 87\.87 of 192 units/);
    expect(text).toMatch(/work +\d+ nodes, \d+ leafs, \d+ brush/);
  });

  it('shows the same in JSON, and more with --all', async () => {
    const { steps, fraction } = await json('explain', quake3, ...INTO_WALL);
    const hit = (steps as { kind: string; outcome?: string; enter?: number }[]).find(
      (step) => step.outcome === 'hit',
    );
    expect(hit?.kind).toBe('brush');
    expect(hit?.enter).toBeCloseTo(fraction as number, 8);
    const short = await printed('explain', quake3, ...INTO_WALL, '--box', '-15,-15,-24,15,15,32');
    expect(
      (await printed('explain', quake3, ...INTO_WALL, '--box', '-15,-15,-24,15,15,32', '--all')).length,
    ).toBeGreaterThan(short.length);
  });

  it('says that a move is nowhere inside a brush that it leaves before it would enter', async () => {
    const player = ['--from', '0,-256,32', '--to', '400,300,4', '--box=-15,-15,-24,15,15,32'];
    const text = await printed('explain', 'demo:arena', ...player);
    expect(text).toMatch(/inside nowhere$/m);
    for (const [, enter, leave] of text.matchAll(/inside from ([\d.]+) to ([\d.]+)/g)) {
      expect(Number(enter)).toBeLessThanOrEqual(Number(leave));
    }
  });

  it('names the trees of UFO:AI', async () => {
    expect(await printed('explain', ufoai, ...INTO_WALL)).toMatch(/^level 1.*\nnode \d+/m);
  });

  it('has the trees in JSON, each with its model, where there are several', async () => {
    const { steps, trees } = (await json('explain', hall, ...INTO_DOOR, '--ray')) as {
      steps: { kind: string; depth?: number }[];
      trees: { name: string; model: number; step: number }[];
    };
    expect(trees.map(({ model }) => model)).toEqual([0, 1]);
    expect(trees[1]!.name).toBe('*1');
    for (const { step } of trees) expect(steps[step]).toMatchObject({ kind: 'node', depth: 0 });
    const twice = (await json('explain', hall, ...INTO_DOOR, '--ray', '--models', '1,1')) as {
      trees: { listed?: number }[];
    };
    expect(new Set(twice.trees.map(({ listed }) => listed))).toEqual(new Set([undefined, 0, 1]));
    const { stdout: help } = await bspkit('explain', '--help');
    const about = /"trees" in JSON[^.]*\./.exec(help)![0];
    for (const key of new Set(twice.trees.flatMap(Object.keys))) expect(about).toContain(key);
    expect(await json('explain', quake3, ...INTO_WALL)).not.toHaveProperty('trees');
  });

  it('prints the polygons of the 2003 tutorial, each above the planes around it', async () => {
    const ellipsoid = ['explain', quake3, ...INTO_WALL, '--ellipsoid', '16,16,28'];
    const text = await printed(...ellipsoid, '--tutorial');
    const [name, plane] = [
      /polygon \S+ {2}x = 120 \(faces -x\) \+ 16 {2}at \S+ and \S+/,
      /\n {4}side \S+ {2}[xyz] = -?\d+/,
    ].map(({ source }) => source);
    expect(text).toMatch(new RegExp(`${name} {2}facing -[\\s\\S]*?hit at 0\\.\\d+[\\s\\S]*?${plane}`));
    expect(text).toMatch(/work +\d+ polygons?, \d+ sides, \d+ skipped/);
    expect(
      (await printed(...ellipsoid, '--tutorial', '--all')).match(/polygon \S+ .*\n?.*its plane/g)?.length,
    ).toBe(Number(/(\d+) skipped/.exec(text)![1]));
  });

  it('prints the polygons of an exact ellipsoid, each above its face, edges and corners', async () => {
    const text = await printed('explain', quake3, ...INTO_WALL, '--ellipsoid', '16,16,28');
    const lines = text.split('\n');
    const at = lines.findIndex((line) => /^polygon \S+ {2}x = 120 \(faces -x\) \+ 16 /.test(line));
    const own = lines.slice(at).join('\n');
    const [, enter] = /facing -\S+\s+hit at (0\.\d+)\n/.exec(own)!;
    expect(own).toMatch(new RegExp(`\\n    face  touched at ${enter}\\n`));
    expect(own).toMatch(/\n {4}edge 2 {2}\(120 -?\d+ -?\d+\) to \(120 -?\d+ -?\d+\) {2}not touched\n/);
    expect(own).toMatch(/\n {4}corner 2 {2}\(120 -?\d+ -?\d+\) {2}not touched\n/);
    expect(text).toMatch(/work +\d+ polygons?, \d+ faces, edges and corners/);
  });

  it('prints the brushes that an exact sphere meets, each above its faces, edges and corners', async () => {
    const text = await printed('explain', quake3, ...INTO_WALL, '--sphere', '16', '--exact');
    const own = text.slice(text.search(/brush \S+ {2}solid {2}hit at /));
    const [, enter] = /hit at (0\.\d+)\n/.exec(own)!;
    expect(own).toMatch(new RegExp(`\\n +face of side \\S+ {2}touched at ${enter}\\n`));
    expect(own).toMatch(/\n +edge 2 {2}\(-?\d+ -?\d+ -?\d+\) to \(-?\d+ -?\d+ -?\d+\)\s+not touched\n/);
    expect(own).toMatch(/\n +corner 2 {2}\(-?\d+ -?\d+ -?\d+\)\s+not touched\n/);
    expect(text).toMatch(/work +\d+ nodes, [^;]*, \d+ faces,\s+edges\s+and corners/);
  });

  it('knows Quake 1', async () => {
    expect(await printed('explain', quake1, ...INTO_WALL, '--hull', '1')).toMatch(/^node \d+.*\n/);
  });
});
