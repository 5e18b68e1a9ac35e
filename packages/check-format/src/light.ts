import type { LightSample, LightSampler } from '@bspkit/core';
import { type BspFormat, showVec } from '@bspkit/core/format';
import { demand, demandSame, demandThrows } from './demand.ts';
import { type FormatSample, type It, movesIn, squareOf, type World } from './sample.ts';

/** How far from 1 the length of a direction may be. */
const LENGTH_TOLERANCE = 1e-3;

/** How light it is at points of a map, whether it has light or not. */
export function checkLight(it: It, format: BspFormat, { bytes }: FormatSample, world: World): void {
  it('says how light it is at points', () => {
    const file = format.read(bytes);
    const make = (options?: object): LightSampler => format.createLightSampler!(file, options);
    const sampler = make();
    const out = sampler.createSample();
    demandSame(valuesOf(out), [-1, ...new Array<number>(9).fill(0)], 'numbers of createSample()');
    for (const [point] of movesIn(world)) {
      const call = `at(${showVec(point)})`;
      dirty(out);
      demand(sampler.at(point, out) === out, `${call} does not return the sample that it was given as out`);
      demandSample(out, sampler.isLit, call);
      demandSame(valuesOf(out), valuesOf(sampler.at(point)), `${call} of a used sample and of a new one`);
    }
    const call = 'createLightSampler(file, { brightness: 0 })';
    demandThrows(() => make({ brightness: 0 }), RangeError, call);
    demandThrows(() => make({ bright: 1 }), TypeError, 'createLightSampler(file, { bright: 1 })');
    demandThrows(() => sampler.at([Number.NaN, 0, 0], out), RangeError, 'at([NaN, 0, 0])');
    demandThrows(() => sampler.at([0, 0, 0], {} as never), TypeError, 'at([0, 0, 0], {})');
  });
}

/** All numbers of a sample. */
const valuesOf = ({ surface, ambient, directed, direction }: LightSample): number[] => [
  surface,
  ...ambient,
  ...directed,
  ...direction,
];

/** Fills a sample with what no answer has. */
function dirty(out: LightSample): void {
  for (const vector of [out.ambient, out.directed, out.direction]) vector.fill(-9);
  out.surface = -9;
}

function demandSample(
  { surface, ambient, directed, direction }: LightSample,
  isLit: boolean,
  call: string,
): void {
  for (const [name, color] of Object.entries({ ambient, directed })) {
    const isLight = color.every((part) => part >= 0 && part < Infinity);
    demand(isLight, `${name} of ${call} is ${showVec(color)}, not three numbers that are 0 or more`);
  }
  const square = squareOf(direction);
  const isUnit = square === 0 || Math.abs(Math.sqrt(square) - 1) <= LENGTH_TOLERANCE;
  demand(isUnit, `direction of ${call} is ${showVec(direction)}, whose length is neither 1 nor 0`);
  const isSurface = Number.isInteger(surface) && surface >= -1;
  demand(isSurface, `surface of ${call} is ${surface}, not the number of one, or -1`);
  const full = [-1, 1, 1, 1, 0, 0, 0, 0, 0, 0];
  if (!isLit) {
    const given = valuesOf({ surface, ambient, directed, direction });
    demandSame(given, full, `surface, ambient, directed and direction of ${call} in a map without light`);
  }
}
