import { describe, expect, it } from 'vitest';
import { HELP, parseCommand } from '../src/options.ts';

describe('the command line', () => {
  it('measures everything by default', () => {
    const { options, maps, processes, ...asked } = parseCommand([]);
    expect(maps).toBeUndefined();
    expect(Object.entries(asked).filter(([, value]) => value)).toEqual([]);
    expect(options).toMatchObject({
      motions: ['long', 'step', 'bundle', 'sight', 'around'],
      peers: ['bspkit', 'batch', 'js', 'c', 'three-mesh-bvh', 'rapier', 'pool'],
      queries: 20_000,
      rounds: 7,
      seed: 1,
      clock: 'cpu',
    });
    expect(options.shapes).toBeUndefined();
    expect(processes).toBe(5);
  });

  it('takes lists, in the usual order, and numbers', () => {
    const { options, maps } = parseCommand(
      '--maps arena,x.bsp --shapes box,ray --peers rapier --queries 10 --rounds 2 --seed 0 --clock wall'.split(
        ' ',
      ),
    );
    expect(maps).toEqual(['arena', 'x.bsp']);
    expect(options).toMatchObject({
      shapes: ['box', 'ray'],
      peers: ['rapier'],
      queries: 10,
      rounds: 2,
      seed: 0,
      clock: 'wall',
    });
    // A map is measured once.
    expect(parseCommand(['--maps', 'arena,house,arena']).maps).toEqual(['arena', 'house']);
    expect(parseCommand(['--quick']).options).toMatchObject({ queries: 1000, rounds: 3 });
    expect(parseCommand(['--quick'])).toMatchObject({ quick: true, processes: 1 });
    expect(parseCommand(['--quick', '--rounds', '5']).options).toMatchObject({ queries: 1000, rounds: 5 });
    expect(parseCommand(['--golden']).options.motions).toEqual(['golden']);
    expect(parseCommand(['--rounds', '1000', '--bars', 'b.md', '--summary', 'a.md'])).toMatchObject({
      options: { rounds: 1000 },
      ...{ bars: 'b.md', summary: 'a.md' },
    });
    // Engines must be installed, so they are measured only when asked for.
    expect(parseCommand([]).options.peers).toEqual([
      'bspkit',
      'batch',
      'js',
      'c',
      'three-mesh-bvh',
      'rapier',
      'pool',
    ]);
    expect(parseCommand(['--peers', 'engine,c']).options.peers).toEqual(['c', 'engine']);
  });

  it.each([
    [
      ['--peers', 'ode'],
      /--peers knows bspkit, batch, js, c, engine, three-mesh-bvh, rapier, pool, but not 'ode'/,
    ],
    [['--processes', '0'], /--processes must be/],
    [['--queries', '0'], /--queries must be a whole number, 1 or more, got '0'/],
    [['--rounds', 'many'], /--rounds must be/],
    [['--rounds', '1001'], /--rounds must be a whole number from 1 to 1000, got '1001'/],
    [['--seed', ''], /--seed must be a whole number, 0 or more, got ''/],
    [['--clock', 'sun'], /--clock takes cpu or wall, not 'sun'/],
    [['--clock', 'wall,cpu'], /--clock takes cpu or wall, not 'wall,cpu'/],
    [['--summary', 'page.md'], /--summary shows the chart that --bars writes, and needs it/],
    [['--nonsense'], /--nonsense/],
  ])('%j is refused', (args, message) => expect(() => parseCommand(args)).toThrow(message));

  it('every option is in the help', () => {
    for (const option of [
      'maps',
      'shapes',
      'motions',
      'peers',
      'golden',
      'queries',
      'rounds',
      'processes',
      'quick',
      'seed',
      'clock',
    ]) {
      expect(HELP).toContain(`--${option}`);
    }
  });
});
