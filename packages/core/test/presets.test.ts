import { describe, expect, it } from 'vitest';
import {
  type BspFormat,
  bodyPreset,
  explainerOf,
  playerPreset,
  suitedPresets,
  tracerKind,
  tracerOf,
} from '../src/format/index.ts';
import { type BspWorld, createTrace, defineTracer, type Tracer } from '../src/index.ts';

const presets = [
  { name: 'ray', kind: 'ray', role: 'point', measured: true },
  { name: 'small', kind: 'ball', size: [1], role: 'body', measured: true },
  {
    name: 'player',
    kind: 'ball',
    size: [16],
    role: 'body',
    measured: true,
    suits: ({ numModels }: BspWorld) => numModels > 0,
  },
] as const;

/** Its radius shows how it was made: its size, or what the option `grow` makes of it. */
const tracerOfSize = (radius: number): Tracer =>
  defineTracer({ shape: { kind: 'sphere', radius }, trace: (_start, _end, out) => out });

const format = {
  tracers: {
    kinds: [
      { name: 'ray', explains: false, create: () => tracerOfSize(0) },
      {
        name: 'ball',
        explains: true,
        create: (_: BspWorld, [radius = 8]: readonly number[], { grow = 1 }: { grow?: number }) =>
          tracerOfSize(grow * radius),
      },
    ],
    presets,
    player: 'player',
  },
  explain({ shape }: Tracer) {
    if (shape.kind === 'sphere' && shape.radius > 16) throw new TypeError('is too large to be explained');
    return { trace: createTrace(), steps: [] };
  },
} as unknown as BspFormat;

const world = (numModels: number): BspWorld =>
  ({ numModels, bounds: { mins: [0, 0, 0], maxs: [1, 1, 1] } }) as unknown as BspWorld;

const radiusOf = ({ shape }: Tracer): number => ('radius' in shape ? shape.radius : -1);

describe('presets', () => {
  it('are those that suit a world', () => {
    expect(suitedPresets(format, world(0)).map(({ name }) => name)).toEqual(['ray', 'small']);
    expect(suitedPresets(format, world(1), 'body').map(({ name }) => name)).toEqual(['small', 'player']);
  });

  it("have the player's, and another body where that does not suit", () => {
    expect(playerPreset(format).name).toBe('player');
    expect(bodyPreset(format, world(1))?.name).toBe('player');
    expect(bodyPreset(format, world(0))?.name).toBe('small');
    const none = { ...format, tracers: { ...format.tracers, presets: presets.slice(0, 1) } } as BspFormat;
    expect(bodyPreset(none, world(1))).toBeUndefined();
    // A preset may have to make a lot to find out whether it suits, so none is asked needlessly.
    const costly = { ...presets[1], suits: () => expect.unreachable() };
    const more = {
      ...format,
      tracers: { ...format.tracers, presets: [costly, ...presets] },
    } as unknown as BspFormat;
    expect(bodyPreset(more, world(1))?.name).toBe('player');
  });

  it('have a body that is stopped by what stops players', () => {
    expect(bodyPreset(format, world(1))?.options).toBe(playerPreset(format).options);
    const clipped = { ...format, tracers: { ...format.tracers, playerMask: 'clip' } } as BspFormat;
    expect(bodyPreset(clipped, world(1))).toEqual({ ...playerPreset(format), options: { mask: 'clip' } });
    expect(playerPreset(clipped)).toBe(playerPreset(format));
    const options = { mask: 'all' };
    const own = { ...clipped.tracers, presets: [{ ...playerPreset(format), options }] };
    expect(bodyPreset({ ...clipped, tracers: own } as BspFormat, world(1))?.options).toEqual(options);
  });

  it('make tracers of their kinds, with sizes and options', () => {
    expect(radiusOf(tracerOf(format, world(1), playerPreset(format)))).toBe(16);
    expect(radiusOf(tracerOf(format, world(1), { kind: 'ball' }))).toBe(8);
    expect(radiusOf(tracerOf(format, world(1), { kind: 'ball', size: [2], options: { grow: 3 } }))).toBe(6);
    expect(() => tracerKind(format, 'cone')).toThrow(
      new RangeError("kind must be 'ray' or 'ball', got 'cone'"),
    );
  });

  it('are explained where the kind, and the format for these options, can', () => {
    const explainer = (kind: string, radius: number) =>
      explainerOf(format, world(1), { kind }, tracerOfSize(radius));
    expect(explainer('ball', 16)?.([0, 0, 0], [1, 0, 0]).steps).toEqual([]);
    expect(explainer('ball', 17)).toBeUndefined();
    expect(explainer('ray', 0)).toBeUndefined();
    const broken = {
      ...format,
      explain: () => {
        throw new RangeError('broken');
      },
    } as unknown as BspFormat;
    expect(() => explainerOf(broken, world(1), { kind: 'ball' }, tracerOfSize(1))).toThrow('broken');
  });
});
