import {
  type BspWorld,
  defineTracer,
  type Explanation,
  type MoveExplanation,
  type StepVec,
  type Tracer,
  type Vec3,
} from '@bspkit/core';
import {
  type BspFile,
  type BspFormat,
  checkCallback,
  checkFlag,
  checkKind,
  checkMove,
  checkObject,
  checkOptions,
  float32Cell,
  type MoveOptions,
  type TracerKind,
  type TracerOption,
} from '@bspkit/core/format';
import { explain, explainHandling, explainSlide } from './explain.ts';
import { EllipsoidSlider, SLIDER_OPTIONS } from './slide.ts';
import { createEllipsoidTrace, type EllipsoidTrace } from './tracer.ts';
import { createEllipsoidWorld, type EllipsoidWorld } from './world.ts';

const TUTORIAL_OPTION: TracerOption = {
  name: 'tutorial',
  label: 'Method of the tutorial',
  type: 'on',
  group: 'shape',
  help: 'with --ellipsoid: by the method of "Physics in BSP-Trees", a tutorial of 2003',
};

/** How the tracers of catalogs are explained. */
interface Explainer {
  trace(start: Vec3, end: Vec3): Explanation;
  move(start: Vec3, end: Vec3, options: MoveOptions): MoveExplanation;
}

const explainers: WeakMap<Tracer, Explainer> = /* @__PURE__ */ new WeakMap();

/** By what gives a format's polygons, and by world: made when first needed, and kept as long as both. */
const made: WeakMap<object, WeakMap<BspWorld, EllipsoidWorld>> = /* @__PURE__ */ new WeakMap();

/**
 * A format whose worlds can be traced with ellipsoids too: its catalog also has the kind `ellipsoid`, by three radii, among the
 * format's polygons, and the presets `ellipsoid` and `ellipsoid-tutorial`: as large as the format's player, around the middle of
 * its box.
 */
export function withEllipsoids<F extends BspFile, W extends BspWorld>(
  format: BspFormat<F, W>,
): BspFormat<F, W> {
  checkObject(format, 'format', 'a format');
  checkObject(format.tracers, 'format.tracers', "a format's tracers");
  checkCallback(format.polygons, 'format.polygons');
  const { kinds, options, presets, player, ...rest } = format.tracers;
  const worldOf = (world: W): EllipsoidWorld => {
    let own = made.get(format.polygons);
    if (!own) {
      own = new WeakMap();
      made.set(format.polygons, own);
    }
    let ellipsoids = own.get(world);
    if (!ellipsoids) {
      ellipsoids = createEllipsoidWorld(format.polygons(world));
      own.set(world, ellipsoids);
    }
    return ellipsoids;
  };
  const kind: TracerKind<W> = {
    name: 'ellipsoid',
    help: "an ellipsoid, among the map's polygons",
    size: 'radii',
    sizeName: '<rx,ry,rz>',
    options: [TUTORIAL_OPTION.name],
    explains: true,
    slides: true,
    create(world, size, values) {
      checkOptions(values, [TUTORIAL_OPTION.name]);
      const tutorial = values.tutorial as boolean | undefined;
      checkFlag(tutorial, 'tutorial');
      const { mins, maxs } = size.length > 0 ? { mins: NOTHING, maxs: NOTHING } : playerBox(world);
      const radii = size.length > 0 ? size : [0, 1, 2].map((k) => (maxs[k]! - mins[k]!) / 2);
      const ellipsoids = worldOf(world);
      const tracer = tutorial ? ellipsoids.tutorial(radii) : ellipsoids.ellipsoid(radii);
      const offset = [0, 1, 2].map((k) => (maxs[k]! + mins[k]!) / 2);
      const shifted = withOffset(tracer, offset);
      // Rounded as by the tracer, which takes float32s.
      const middle = (at: Vec3): number[] => offset.map((x, k) => Math.fround(Math.fround(at[k]!) + x));
      const moves = (given: MoveOptions, from: Vec3, to: Vec3): MoveExplanation => {
        if (!('move' in tracer)) return explainSlide(new EllipsoidSlider(ellipsoids, radii, given), from, to);
        const foreign = SLIDER_OPTIONS.find((name) => given[name] !== undefined);
        if (foreign) throw new RangeError(`${foreign} must be left out: the tutorial's method has none`);
        return explainHandling(tracer, from, to);
      };
      explainers.set(shifted, {
        trace(start, end) {
          const trace = shifted.trace(start, end);
          return { trace, steps: explain(tracer, middle(start), middle(end)).steps };
        },
        move(start, end, options) {
          checkMove(start, end);
          const [from, to] = [middle(start), middle(end)];
          const told = moves(options, from, to);
          for (const { trace } of told.rounds) for (let k = 0; k < 3; k++) trace.endPos[k]! -= offset[k]!;
          return {
            ...told,
            endPos: told.endPos.map((x, k) => Math.fround(x - offset[k]!)) as unknown as StepVec,
          };
        },
      });
      return shifted;
    },
  };
  function playerBox(world: W): { readonly mins: Vec3; readonly maxs: Vec3 } {
    const preset = presets.find(({ name }) => name === player)!;
    const { shape } = kinds
      .find(({ name }) => name === preset.kind)!
      .create(world, preset.size ?? [], preset.options ?? {});
    if ('mins' in shape) return shape;
    throw new RangeError(`${format.name} has no player's box, so an ellipsoid needs its radii`);
  }
  const preset = {
    kind: kind.name,
    role: 'body',
    measured: false,
    // A map may have no polygons that stop players, or no player.
    suits(world: W): boolean {
      try {
        kind.create(world, [], {});
        return true;
      } catch (error) {
        if (error instanceof RangeError) return false;
        throw error;
      }
    },
  } as const;
  return {
    ...format,
    explain: (tracer, start, end) =>
      explainers.get(tracer)?.trace(start, end) ?? format.explain(tracer, start, end),
    explainMove(tracer, start, end, given = {}) {
      const explainer = explainers.get(tracer);
      checkKind(explainer !== undefined, tracer, 'tracer', 'an ellipsoid of this format');
      checkOptions(given, SLIDER_OPTIONS);
      return explainer!.move(start, end, given);
    },
    traceFields(trace) {
      const fields = format.traceFields(trace);
      const { polygon = -1, point = [] } = trace as Partial<EllipsoidTrace>;
      return polygon < 0 ? fields : { ...fields, polygon, touches: Array.from(point, float32Cell) };
    },
    tracers: {
      ...rest,
      player,
      kinds: [...kinds, kind],
      options: [...options, TUTORIAL_OPTION],
      presets: [
        ...presets,
        { name: 'ellipsoid', ...preset },
        { name: 'ellipsoid-tutorial', ...preset, options: { [TUTORIAL_OPTION.name]: true } },
      ],
    },
  };
}

const NOTHING: Vec3 = [0, 0, 0];

/** A tracer whose traced point is not its middle: the middle is `offset` away from it. */
function withOffset(tracer: Tracer<EllipsoidTrace>, offset: Vec3): Tracer<EllipsoidTrace> {
  if (offset[0] === 0 && offset[1] === 0 && offset[2] === 0) return tracer;
  const [from, to] = [new Float32Array(3), new Float32Array(3)];
  const shift = (start: Vec3, end: Vec3): void => {
    for (let k = 0; k < 3; k++) {
      from[k] = start[k]! + offset[k]!;
      to[k] = end[k]! + offset[k]!;
    }
  };
  return defineTracer({
    shape: tracer.shape,
    createTrace: createEllipsoidTrace,
    trace(start, end, out) {
      shift(start, end);
      tracer.trace(from, to, out);
      // A miss ends where it was to end, which the way to the middle and back may round.
      for (let k = 0; k < 3; k++) out.endPos[k] = out.fraction === 1 ? end[k]! : out.endPos[k]! - offset[k]!;
      return out;
    },
    blocked(start, end) {
      shift(start, end);
      return tracer.blocked(from, to);
    },
  });
}
