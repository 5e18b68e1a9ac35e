import {
  type Changeable,
  defineTracer,
  type Explanation,
  type NodeStep,
  type Placeable,
  type PointClassifier,
  type Trace,
  type Tracer,
  type TraceStep,
} from '@bspkit/core';
import { type BspFormat, showVec, suitedPresets, tracerOf } from '@bspkit/core/format';
import { dot } from '@bspkit/geometry';
import { checkContents } from './answers.ts';
import { tracersOf } from './catalog.ts';
import { caught, demand, demandSame, demandThrows, lostAsJson, NONE, said, show } from './demand.ts';
import { type FormatSample, fieldsOf, type It, type Move, movesIn, showMove, type World } from './sample.ts';

/** Whether all of a move is beyond one side of the map's bounds. */
const isBeside = ([start, end]: Move, { bounds: { mins, maxs } }: World): boolean =>
  [0, 1, 2].some((k) => Math.max(start[k]!, end[k]!) < mins[k]! || Math.min(start[k]!, end[k]!) > maxs[k]!);

const STEP_KINDS: ReadonlySet<string> = new Set<TraceStep['kind']>([
  ...(['node', 'leaf', 'side', 'brush', 'facet', 'feature', 'polygon'] as const),
]);

/** The single questions of the descriptor. */
export function checkQuestions(
  it: It,
  format: BspFormat,
  { bytes }: FormatSample,
  world: World,
  ownTests: readonly string[],
): void {
  const moves = movesIn(world);

  it('answers what is at a point, and other questions that it supports', () => {
    for (const [start, end] of moves.slice(0, 30)) {
      const fields = format.point(world, start);
      demand(Object.keys(fields).length > 0, () => `point(world, [${showVec(start)}]) returns no fields`);
      const lost = lostAsJson(fields, 'point');
      demandSame(lost, [], () => `what JSON cannot hold in point(world, [${showVec(start)}])`);
      const verdicts = { sphere: format.sphere?.(world, start, 8), sight: format.sight?.(world, start, end) };
      for (const [name, verdict] of Object.entries(verdicts)) {
        const isVerdict = verdict === undefined || typeof verdict.yes === 'boolean';
        demand(isVerdict, () => `${name} returns ${show(verdict)}, whose yes must be a boolean`);
      }
    }
    const wrong = [Number.NaN, 0, 0];
    demandThrows(() => format.point(world, wrong), RangeError, 'point(world, [NaN, 0, 0])');
    if (format.sphere) {
      const sphere = (): unknown => format.sphere!(world, [0, 0, 0], -1);
      demandThrows(sphere, RangeError, 'sphere(world, point, -1)');
    }
    if (format.sight) {
      const sight = (): unknown => format.sight!(world, [0, 0, 0], wrong);
      demandThrows(sight, RangeError, 'sight(world, from, [NaN, 0, 0])');
    }
  });

  it('has presets whose shapes are those of their roles', () => {
    for (const [role, shape] of [
      ['point', 'ray'],
      ['ball', 'sphere'],
    ] as const) {
      for (const preset of suitedPresets(format, world, role)) {
        const { kind } = tracerOf(format, world, preset).shape;
        demandSame(kind, shape, `preset ${preset.name} has the role '${role}', and its tracer the shape`);
      }
    }
  });

  it('has other contents in solid than in the open', () => {
    if (!('contents' in world)) return;
    const points = suitedPresets(format, world, 'point').filter(({ kind }) => !ownTests.includes(kind));
    for (const point of points) {
      checkContents(world as World & PointClassifier, tracerOf(format, world, point), moves);
    }
  });

  it('finds what a trace hit', () => {
    const brushes =
      format.brushes && new Map(Array.from(format.brushes(format.read(bytes)), (one) => [one.brush, one]));
    const { name: kind, create } = format.tracers.kinds[0]!;
    const tracer = create(world, [], {});
    const names = world.textureNames();
    let [stopped, drawn] = [0, 0];
    for (const move of moves) {
      const trace = tracer.trace(...move);
      const { brush, fraction, startSolid, endPos } = trace;
      demand(
        !brushes || brush < 0 || brushes.has(brush),
        () => `a ${kind} hits brush ${brush}, which brushes(file) does not list, ${showMove(move)}`,
      );
      const hit = brushes?.get(brush);
      if (hit) {
        for (const field of ['model', 'contents'] as const) {
          const what = (): string =>
            `${field} of a ${kind} that hits brush ${brush}, and of it in brushes(file)`;
          demandSame(trace[field], hit[field], () => `${what()}, differ ${showMove(move)}`);
        }
        const off = Math.max(...hit.planes.map(({ normal, dist }) => dot(endPos, normal) - dist));
        demand(
          off < 1,
          () =>
            `brush ${brush} of brushes(file) is ${off} units from where a ${kind} hits it, ${showMove(move)}`,
        );
      }
      const asked = fieldsOf(trace);
      const surface = format.surfaceAt(world, trace);
      demandSame(
        fieldsOf(trace),
        asked,
        () => `surfaceAt(world, trace) changes the trace, ${showMove(move)}`,
      );
      const isMiss = fraction === 1 && !startSolid;
      if (!isMiss) stopped++;
      demand(!isMiss || !surface, () => `surfaceAt(world, trace) finds ${show(surface)} for a miss`);
      if (!surface) continue;
      const { texture, name, flags, polygon } = surface;
      // Where finding them takes a search, traces leave them out.
      if (trace.texture >= 0) {
        demandSame(
          [texture, flags],
          [trace.texture, trace.surfaceFlags],
          () =>
            `texture and flags of surfaceAt(world, trace) differ from those of the trace, ${showMove(move)}`,
        );
      }
      if (texture >= 0)
        demandSame(
          name,
          names[texture],
          `surfaceAt(world, trace).name of texture ${texture} differs from textureNames()`,
        );
      if (!polygon) continue;
      drawn++;
      const off = Math.abs(dot(endPos, polygon.normal) - polygon.dist);
      demand(
        off < 1,
        () =>
          `the polygon of surfaceAt(world, trace) is ${off} units from where a ${kind} ends, ${showMove(move)}`,
      );
    }
    const of = `${stopped} of ${moves.length} moves of a ${kind} hit something`;
    demand(drawn > 0, `surfaceAt(world, trace) finds no surface with a polygon: ${of}`);
  });

  it('finds nothing for numbers that the map does not have', () => {
    const tracer = format.tracers.kinds[0]!.create(world, [], {});
    const hits = moves.map(([start, end]) => tracer.trace(start, end, tracer.createTrace()));
    const trace = hits.find((hit) => format.surfaceAt(world, hit)?.polygon);
    demand(trace !== undefined, 'surfaceAt(world, trace) finds no surface with a polygon for any move');
    const asks = (changed: object): unknown => format.surfaceAt(world, { ...trace, ...changed });
    // Not all games look at all numbers, so a side alone may be wrong, and all of them must be nowhere.
    for (const wrong of [-5, 0.5, 1e6, 1e9, 2 ** 40, Infinity, Number.NaN]) {
      const all: Record<string, number> = { model: trace.model };
      for (const field of ['brush', 'side', 'texture', 'patch', 'plane', 'tile', 'hull', 'level']) {
        if (field in trace) all[field] = wrong;
        const error = caught(() => asks({ [field]: wrong }));
        demand(error === NONE, () => `surfaceAt throws where a trace's ${field} is ${wrong}: ${said(error)}`);
      }
      demandSame(asks(all), undefined, `surfaceAt finds something where each number of a trace is ${wrong}`);
      demandSame(
        asks({ model: wrong }),
        undefined,
        `surfaceAt finds something where a trace's model is ${wrong}`,
      );
    }
  });

  it('has fields of its own for every trace', () => {
    const fields = format.traceFields(createExtended(format, world)) as unknown;
    demand(typeof fields === 'object' && fields !== null, `traceFields(trace) returns ${show(fields)}`);
    demandSame(lostAsJson(fields, 'fields'), [], 'what JSON cannot hold in traceFields(trace)');
  });

  it('explains its tracers, and no others', () => {
    for (const { name: title, kind, isPreset, create } of tracersOf(format, world)) {
      const tracer = create(world);
      const explain = ([start, end]: Move): ReturnType<BspFormat['explain']> =>
        format.explain(tracer, start, end);
      // A kind that is explained may have options that are not.
      if (!kind.explains || (isPreset && caught(() => explain(moves[0]!)) !== NONE)) {
        const call = `explain(tracer, start, end) of ${title}, whose kind does not say explains: true,`;
        demandThrows(() => explain(moves[0]!), TypeError, call);
        continue;
      }
      const kept = explain(moves[0]!);
      const before = structuredClone({ trace: fieldsOf(kept.trace), steps: kept.steps });
      for (const move of moves.slice(0, 25)) {
        const { trace, steps, trees } = explain(move);
        const traced = fieldsOf(tracer.trace(...move));
        demandSame(
          fieldsOf(trace),
          traced,
          () => `explain answers differently from trace of ${title}, ${showMove(move)}`,
        );
        demandSame(
          lostAsJson(steps, 'steps').slice(0, 3),
          [],
          () => `what JSON cannot hold in steps of explain of ${title}, ${showMove(move)}`,
        );
        const strange = steps.find((step) => !STEP_KINDS.has(step.kind));
        demand(strange === undefined, () => `explain returns a step of no known kind: ${show(strange)}`);
        // A move of no length may have nothing to say: it stands in the open. So may one beside the map.
        const [start, end] = move;
        const isStanding = start.every((x, k) => x === end[k]);
        demand(
          isStanding || isBeside(move, world) || steps.length > 0,
          () => `explain returns no steps of ${title}, ${showMove(move)}`,
        );
        const lost = lostStep(steps, trees);
        demand(lost === undefined, () => `explain returns ${lost}, of ${title}, ${showMove(move)}`);
      }
      const after = { trace: fieldsOf(kept.trace), steps: kept.steps };
      for (const field of ['trace', 'steps'] as const) {
        const what = `later calls of explain change the ${field} of an earlier one of ${title}`;
        demandSame(after[field], before[field], what);
      }
    }
    const stranger = defineTracer({ shape: { kind: 'ray' }, trace: (_, __, out) => out });
    const run = (): unknown => format.explain(stranger, [0, 0, 0], [1, 0, 0]);
    demandThrows(run, TypeError, 'explain(tracer, start, end) of a tracer that is not of the format');
  });

  if (format.boxEntity)
    it('traces boxes that are not part of the map', () => {
      const box = format.boxEntity!([-8, -8, -8], [8, 8, 8]);
      const ray = box.ray!() as Tracer & Partial<Changeable>;
      // Where contents are bits, those of a box need not be among what stops a ray by default.
      if (caught(() => ray.set?.({ mask: -1 })) === NONE) ray.set?.({ mask: -1 });
      const reaches = (wanted: number, call: string): void => {
        const { fraction } = ray.trace([-40, 0, 0], [40, 0, 0]);
        const isNear = Math.abs(fraction - wanted) < 0.005;
        demand(
          isNear,
          `after ${call}, a ray from -40 0 0 to 40 0 0 ends at fraction ${fraction}, not at ${wanted}`,
        );
      };
      reaches(0.4, 'boxEntity([-8, -8, -8], [8, 8, 8])');
      box.resize([-16, -8, -8], [16, 8, 8]);
      reaches(0.3, 'resize([-16, -8, -8], [16, 8, 8])');
      for (const [mins, maxs] of [
        [
          [1, 0, 0],
          [0, 0, 0],
        ],
        [
          [-8, -8, -8],
          [8, 8, Number.NaN],
        ],
      ] as const) {
        const call = `resize(${show(mins)}, ${show(maxs)})`;
        demandThrows(() => box.resize(mins, maxs), RangeError, call);
        reaches(0.3, `the refused ${call}`);
      }
      const { place } = ray as Partial<Placeable>;
      if (place) {
        place.call(ray, { origin: [16, 0, 0] });
        reaches(0.5, 'place({ origin: [16, 0, 0] }) of it');
        box.resize([-8, -8, -8], [8, 8, 8]);
        reaches(0.6, 'resize([-8, -8, -8], [8, 8, 8]) of a box at 16 0 0');
      }
    });
}

/** How far from a node's plane, widened by its shape, a move may be and yet be taken to be on both sides: an engine has 1 unit. */
const NEAR_PLANE = 1.01;

/**
 * The first node or leaf that cannot be where its depth says, in words: at the root, or below a node that enters one more child; or
 * a leaf where the move is not. Pictures draw each of them between the planes of the nodes above it.
 */
function lostStep(steps: Explanation['steps'], trees: Explanation['trees'] = []): string | undefined {
  const begun = new Set(trees.map(({ step }) => step));
  /** The nodes above, and how many children of each were entered. */
  const above: { readonly node: NodeStep; entered: number }[] = [];
  for (const [number, step] of steps.entries()) {
    if (begun.has(number)) above.length = 0;
    if (step.kind !== 'node' && step.kind !== 'leaf') continue;
    const { kind, depth } = step;
    const what = `a ${kind}, step ${number}, at depth ${depth}`;
    if (!(Number.isInteger(depth) && depth >= 0 && depth <= above.length))
      return `${what} with no node above it`;
    above.length = depth;
    const parent = above.at(-1);
    if (parent && parent.entered++ >= parent.node.children.length)
      return `${what} below a node that enters no more children`;
    if (step.kind === 'node') above.push({ node: step, entered: 0 });
    else {
      const middle = (step.startFraction + step.endFraction) / 2;
      const away = Math.max(
        0,
        ...above.map(({ node, entered }) => outside(node, entered, above[0]!.node, middle)),
      );
      if (away > NEAR_PLANE)
        return `${what}, where the move at fraction ${middle} is not: it is ${away} units away`;
    }
  }
  return undefined;
}

/** How far outside the child of a node that was entered last a move is at a fraction, beyond what the shape widens its plane by. */
function outside(
  { normal, dist, offset, children }: NodeStep,
  entered: number,
  { start, end, startFraction, endFraction }: NodeStep,
  fraction: number,
): number {
  const length = endFraction - startFraction;
  // In a position test, two corners of the shape may be in place of the ends; and a node without a plane joins two trees.
  if (length === 0 || normal.every((n) => n === 0)) return 0;
  const at = start.map((x, k) => x + ((fraction - startFraction) / length) * (end[k]! - x));
  const height = dot(at, normal) - dist;
  return (children[entered - 1] === 0 ? -height : height) - offset;
}

const createExtended = (format: BspFormat, world: World): Trace =>
  format.tracers.kinds[0]!.create(world, [], {}).createTrace();
