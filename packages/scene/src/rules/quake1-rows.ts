import type { BoxWorld, Trace } from '@bspkit/core';
import {
  columnPlaces,
  type HeaderFields,
  HIT_COLUMNS,
  intCell,
  type Row,
  type RowHeader,
  type RowKind,
  type RowKinds,
  type RowSource,
  STOP_COLUMNS,
  writeHit,
  writeStop,
} from '@bspkit/core/format';
import type { BodyOptions, BodySolid } from '../bodies.ts';
import type { Collider } from '../collider.ts';
import type { MoveKind } from '../query.ts';
import { createScene } from '../scene.ts';
import type { Scene } from '../scene-types.ts';
import type { SceneTrace } from '../trace.ts';
import type { SceneTracer } from '../tracer.ts';
import {
  entityLists,
  MOVE_COLUMNS,
  type ModelWorld,
  openWorld,
  ownerOf,
  RowColliders,
  type RowMove,
  readMove,
} from './row-kit.ts';

const QUESTION = ['scene', 'type', 'pass', ...MOVE_COLUMNS] as const;
const ANSWER = [...STOP_COLUMNS, ...HIT_COLUMNS, 'inopen', 'inwater', 'ent'] as const;

const MOVES: readonly MoveKind[] = ['normal', 'no-monsters', 'missile'];

/** An entity's kind of solid, by the words in the header. */
const SOLIDS = {
  not: 'none',
  trigger: 'trigger',
  bbox: 'box',
  slidebox: 'box',
  bsp: 'model',
} as const satisfies Record<string, BodySolid>;
const SOLID_WORDS = Object.keys(SOLIDS) as (keyof typeof SOLIDS)[];

/** An answer of the engine's hulls. */
interface HullTrace extends Trace {
  readonly inOpen: boolean;
  readonly inWater: boolean;
}

type HullWorld = ModelWorld & BoxWorld;

/** A list of entities of the header, and a tracer for each kind of move. */
class Entities {
  private readonly _scene: Scene<HullWorld>;
  private readonly _tracers: (SceneTracer | undefined)[] = [];

  constructor(world: HullWorld, source: RowSource, entities: readonly HeaderFields[]) {
    const colliders = new RowColliders(world, source);
    this._scene = createScene(world, { rules: 'quake1' });
    // The world is entity 0, and the others are numbered from 1, as are the bodies of a new scene.
    for (const entity of entities) this._scene.add(...readEntity(entity, entities.length, colliders));
  }

  trace({ mins, maxs, start, end }: RowMove, type: number, pass: number): SceneTrace & HullTrace {
    const move = MOVES[type];
    if (!move) throw new RangeError(`type must be 0 to 2, got ${type}`);
    const tracer = this._tracers[type] ?? this._scene.box(mins, maxs, { move });
    this._tracers[type] = tracer;
    tracer.set({ mins, maxs, ignore: pass === 0 ? -1 : pass });
    return tracer.trace(start, end) as SceneTrace & HullTrace;
  }
}

function readEntity(fields: HeaderFields, count: number, colliders: RowColliders): [Collider, BodyOptions] {
  const solid = SOLIDS[fields.choice('solid', SOLID_WORDS)];
  const bounds = fields.box();
  return [
    solid === 'model' ? colliders.model(fields.model('model', colliders.world)) : colliders.box(bounds),
    {
      origin: fields.vector('origin'),
      bounds,
      solid,
      owner: ownerOf(fields, count),
      monster: fields.flag('monster'),
      item: fields.flag('item'),
    },
  ];
}

/** Moves through the world and the entities of one of the header's lists. */
const sceneRows: RowKind = {
  question: QUESTION,
  results: ANSWER,
  open(header: RowHeader, source: RowSource) {
    const world = openWorld<HullWorld>(header, source);
    const sceneOf = entityLists(header, (entities) => new Entities(world, source, entities));
    const at = columnPlaces(header, [...QUESTION, ...ANSWER]);
    return {
      answer(row: Row) {
        const [move, type, pass] = [readMove(row, at), intCell(row, at.type), intCell(row, at.pass)];
        const trace = sceneOf(row, at.scene).trace(move, type, pass);
        writeStop(row, at, trace);
        writeHit(row, at, trace);
        row[at.inopen] = trace.inOpen ? 1 : 0;
        row[at.inwater] = trace.inWater ? 1 : 0;
        row[at.ent] = trace.entity;
      },
    };
  },
};

/** The kinds of rows about scenes of Quake. */
export const quake1Rows: RowKinds = { scene: sceneRows };
