import { createRandom } from '@bspkit/geometry';
import { bytesPerCall, expectNoBytes } from '@bspkit/testkit/allocation';
import { describe, expect, it } from 'vitest';
import {
  createEllipsoidBody,
  createEllipsoidWorld,
  createSlide,
  createTutorialMove,
  EllipsoidSlider,
} from '../src/index.ts';
import { meetsNothing } from '../src/kernel/clearings.ts';
import { pointIn, randomRoom, sourceOf } from './rooms.ts';

const world = createEllipsoidWorld(sourceOf(randomRoom(1)));
const RADII = [15, 15, 28];

const random = createRandom(1);
const points = Array.from({ length: 256 }, () => Float32Array.from(pointIn(random, 450)));
const start = (call: number): Float32Array => points[call & 255]!;
const end = (call: number): Float32Array => points[(call + 1) & 255]!;

describe('nothing is allocated', () => {
  it('by sweeps', () => {
    const tracer = world.ellipsoid(RADII, { epsilon: 0.125 });
    const trace = tracer.createTrace();
    expectNoBytes((call) => void tracer.trace(start(call), end(call), trace));
    expectNoBytes((call) => void tracer.blocked(start(call), end(call)));
  });

  it('by slides', () => {
    const slider = new EllipsoidSlider(world, RADII);
    const slide = createSlide();
    expectNoBytes((call) => void slider.slide(start(call), end(call), slide));
  });

  it('by short moves that stay in a clearing', () => {
    const [from, to] = [Float32Array.of(-440, 440, 440), Float32Array.of(-441, 441, 439)];
    const [tracer, slider] = [world.ellipsoid(RADII), new EllipsoidSlider(world, RADII)];
    const [trace, slide] = [tracer.createTrace(), createSlide()];
    expectNoBytes(() => void tracer.trace(from, to, trace));
    expectNoBytes(() => void tracer.blocked(from, to));
    expectNoBytes(() => void slider.slide(from, to, slide));
    const mins = RADII.map((x) => -x);
    expect(meetsNothing(world._memory, from, to, mins, RADII)).toBe(true);
  });

  it("by moves of the document's method", () => {
    const tracer = world.tutorial(RADII);
    const [trace, move] = [tracer.createTrace(), createTutorialMove()];
    const others = [{ center: points[0]!, radii: RADII }];
    expectNoBytes((call) => void tracer.trace(start(call), end(call), trace));
    expectNoBytes((call) => void tracer.move(start(call), end(call), others, move));
  });

  it('by sweeps against a body', () => {
    const tracer = createEllipsoidBody([16, 16, 28]).ellipsoid(RADII);
    const trace = tracer.createTrace();
    expectNoBytes((call) => void tracer.trace(start(call), end(call), trace));
  });
});

it('searches for what is nearest allocate little but their answers', () => {
  const bytesOf = (work: (call: number) => void): number => bytesPerCall(work, 3_000, 1_200);
  expect(bytesOf((call) => void world.closest(start(call)))).toBeLessThanOrEqual(1_200);
  expect(bytesOf((call) => void world.distance(start(call), RADII))).toBeLessThanOrEqual(1_200);
});
