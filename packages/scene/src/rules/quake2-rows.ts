import type { Bounds, BoxWorld, PointClassifier } from '@bspkit/core';
import {
  columnPlaces,
  HeaderFields,
  HIT_COLUMNS,
  intCell,
  listedModels,
  type Row,
  type RowKind,
  type RowKinds,
  type RowSource,
  STOP_COLUMNS,
  writeHit,
  writeStop,
} from '@bspkit/core/format';
import type { BodyOptions } from '../bodies.ts';
import type { Collider } from '../collider.ts';
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

const NONE = [0, 0, 0];
const RESULTS = [...STOP_COLUMNS, ...HIT_COLUMNS, 'contents', 'surfaceFlags', 'texinfo', 'entity'] as const;

type SolidWorld = ModelWorld &
  PointClassifier &
  BoxWorld<{ readonly mask?: number | undefined } & Partial<Bounds>>;

type Places = Readonly<Record<(typeof RESULTS)[number], number>>;

function writeAnswer(row: Row, at: Places, trace: SceneTrace): void {
  writeStop(row, at, trace);
  writeHit(row, at, trace);
  row[at.contents] = trace.contents;
  row[at.surfaceFlags] = trace.surfaceFlags;
  row[at.texinfo] = trace.texture;
  row[at.entity] = trace.entity;
}

/** Traces through the world and the models that the header lists, and contents at the starts. */
const moveRows: RowKind = {
  question: [...MOVE_COLUMNS, 'mask'],
  results: [...RESULTS, 'pointContents'],
  open(header, source) {
    const world = openWorld<SolidWorld>(header, source);
    // These rows were recorded with the models in a list, in the order of the list.
    const scene = createScene(world, { rules: 'quake2-list' });
    for (const { model, ...pose } of listedModels(new HeaderFields(header), 'models', world)) {
      scene.add(world.model(model), { ...pose, solid: 'model' });
    }
    const tracer = scene.box([0, 0, 0], [0, 0, 0]);
    const trace = tracer.createTrace();
    const at = columnPlaces(header, [...MOVE_COLUMNS, 'mask', ...RESULTS, 'pointContents']);
    return {
      answer(row) {
        const { start, end, mins, maxs } = readMove(row, at);
        tracer.set({ mins, maxs, mask: intCell(row, at.mask) });
        tracer.trace(start, end, trace);
        writeAnswer(row, at, trace);
        row[at.pointContents] = scene.contents(start);
      },
    };
  },
};

/** Contents of boxes, and those that a mask must also have to meet dead monsters. */
const CONTENTS_MONSTER = 0x2000000;
const CONTENTS_DEADMONSTER = 0x4000000;

/** One of the header's lists of entities. */
class Entities {
  private readonly _scene: Scene<SolidWorld>;
  private readonly _tracer: SceneTracer;
  private readonly _trace: SceneTrace;

  constructor(world: SolidWorld, source: RowSource, entities: readonly HeaderFields[]) {
    const colliders = new RowColliders(world, source);
    this._scene = createScene(world, { rules: 'quake2' });
    // The world is entity 0, and the others are numbered from 1, as are the bodies of a new scene.
    for (const entity of entities) this._scene.add(...readEntity(entity, entities.length, colliders));
    this._tracer = this._scene.box([0, 0, 0], [0, 0, 0]);
    this._trace = this._tracer.createTrace();
  }

  trace({ mins, maxs, start, end }: RowMove, mask: number, pass: number): SceneTrace {
    this._tracer.set({ mins, maxs, mask, ignore: pass === 0 ? -1 : pass });
    return this._tracer.trace(start, end, this._trace);
  }
}

function readEntity(fields: HeaderFields, count: number, colliders: RowColliders): [Collider, BodyOptions] {
  const options = { origin: fields.vector('origin'), owner: ownerOf(fields, count) };
  const model = fields.model('model', colliders.world, 0);
  if (model > 0) {
    const angles = fields.vector('angles', NONE);
    return [colliders.model(model), { ...options, angles, solid: 'model' }];
  }
  const bounds = fields.box();
  const contents = fields.flag('dead') ? CONTENTS_DEADMONSTER : CONTENTS_MONSTER;
  return [colliders.box(bounds), { ...options, bounds, contents, solid: 'box' }];
}

/** Moves through the world and the entities of one of the header's lists. */
const sceneRows: RowKind = {
  question: ['scene', 'pass', ...MOVE_COLUMNS, 'mask'],
  results: RESULTS,
  open(header, source) {
    const world = openWorld<SolidWorld>(header, source);
    const sceneOf = entityLists(header, (entities) => new Entities(world, source, entities));
    const at = columnPlaces(header, ['scene', 'pass', ...MOVE_COLUMNS, 'mask', ...RESULTS]);
    return {
      answer(row) {
        const [move, mask, pass] = [readMove(row, at), intCell(row, at.mask), intCell(row, at.pass)];
        writeAnswer(row, at, sceneOf(row, at.scene).trace(move, mask, pass));
      },
    };
  },
};

/** The kinds of rows about scenes of Quake 2. */
export const quake2Rows: RowKinds = { move: moveRows, scene: sceneRows };
