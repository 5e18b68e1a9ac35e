import type { Bounds, BoxWorld, CapsuleWorld, Vec3 } from '@bspkit/core';
import {
  columnPlaces,
  float32Cell,
  HeaderFields,
  HIT_COLUMNS,
  intCell,
  type Row,
  type RowHeader,
  type RowKind,
  type RowKinds,
  type RowObject,
  type RowSource,
  STOP_COLUMNS,
  writeHit,
  writeStop,
} from '@bspkit/core/format';
import { createScene } from '../scene.ts';
import type { Scene } from '../scene-types.ts';
import type { SceneTrace } from '../trace.ts';
import type { SceneTracer } from '../tracer.ts';
import { clientBox } from './quake3.ts';
import { MOVE_COLUMNS, type ModelWorld, openWorld, RowColliders, type RowMove, readMove } from './row-kit.ts';

/** The engine's numbers for the world and for no entity. */
const ENTITY_WORLD = 1022;
const ENTITY_NONE = 1023;

/** Added to the numbers of entities that are named as owners or as the one to ignore, but do not exist. */
const ABSENT = 1 << 20;

const QUESTION = ['block', 'pass', ...MOVE_COLUMNS, 'capsule', 'mask'] as const;
const SERVER = [...STOP_COLUMNS, ...HIT_COLUMNS, 'contents', 'surfaceFlags', 'entity'] as const;
const CLIENT = ['cfraction', 'cstartsolid', 'callsolid', 'centity'] as const;

type ShapedWorld = ModelWorld & BoxWorld<TraceOptions> & CapsuleWorld<TraceOptions>;
interface TraceOptions {
  readonly mask?: number | undefined;
}

/** An entity as a line of the file has it. */
interface RowEntity {
  readonly entity: number;
  readonly linked: boolean;
  readonly owner: number;
  readonly contents: number;
  readonly model: number;
  readonly bounds: Bounds;
  readonly origin: Vec3;
  readonly angles: Vec3;
}

/** The entities of one block, by the rules of the server or of the client. */
class Side {
  private readonly _scene: Scene<ShapedWorld>;
  private readonly _colliders: RowColliders;
  private readonly _box: SceneTracer;
  private readonly _capsule: SceneTracer;
  private readonly _trace: SceneTrace;
  private readonly _isClient: boolean;
  /** Entities by body, and bodies by entity. */
  private _entities: number[] = [];
  private readonly _bodies: Map<number, number> = new Map();

  constructor(world: ShapedWorld, source: RowSource, rules: 'quake3' | 'quake3-client') {
    this._isClient = rules === 'quake3-client';
    this._scene = createScene(world, { rules });
    this._colliders = new RowColliders(world, source);
    this._box = this._scene.box([0, 0, 0], [0, 0, 0]);
    this._capsule = this._scene.capsule([0, 0, 0], [0, 0, 0]);
    this._trace = this._box.createTrace();
  }

  /** Takes the entities of a block, in place of those of the previous one. */
  enter(entities: readonly RowEntity[]): void {
    const { _scene: scene, _colliders: colliders } = this;
    // The numbers from 1 are given again in order, and the client asks in the order of numbers.
    for (let body = scene.count; body > 0; body--) scene.remove(body);
    colliders.reset();
    this._entities = [];
    this._bodies.clear();
    const order = this._isClient ? [...entities].sort((a, b) => a.entity - b.entity) : entities;
    for (const entity of order) {
      const { origin, angles, contents, model } = entity;
      const { mins, maxs } = entity.bounds;
      const bounds = model === 0 && this._isClient ? clientBox(mins, maxs) : entity.bounds;
      const collider = model === 0 ? colliders.box(bounds) : colliders.model(model);
      const solid = entity.linked ? (model === 0 ? 'box' : 'model') : 'none';
      const body = scene.add(collider, { origin, angles, bounds, contents, solid });
      this._bodies.set(entity.entity, body);
      this._entities[body] = entity.entity;
    }
    // Owners have numbers only now. All bodies are linked again, in the same order.
    for (const { entity, owner } of order) {
      scene.move(this._bodyOf(entity), { owner: this._bodyOf(owner) });
    }
  }

  trace(move: RowMove, capsule: boolean, mask: number, pass: number): SceneTrace {
    const tracer = capsule ? this._capsule : this._box;
    const { mins, maxs, start, end } = move;
    tracer.set({ mins, maxs, mask, ignore: this._bodyOf(pass) });
    return tracer.trace(start, end, this._trace);
  }

  entityOf({ entity }: SceneTrace): number {
    if (entity > 0) return this._entities[entity]!;
    return entity === 0 ? ENTITY_WORLD : ENTITY_NONE;
  }

  private _bodyOf(entity: number): number {
    return entity === ENTITY_NONE ? -1 : (this._bodies.get(entity) ?? ABSENT + entity);
  }
}

/** The entities of a block. No two have the same number. */
function readEntities(block: HeaderFields, world: ShapedWorld): RowEntity[] {
  const numbers = new Set<number>();
  return block.objects('entities').map((fields) => {
    const entity = fields.whole('entity', undefined, 0, ENTITY_WORLD - 1);
    if (numbers.has(entity)) fields.fail('entity', 'a number that no entity before has');
    numbers.add(entity);
    return {
      entity,
      linked: fields.flag('linked', 1),
      owner: fields.whole('owner', ENTITY_NONE, 0, ENTITY_NONE),
      contents: fields.whole('contents'),
      model: fields.model('model', world, 0),
      bounds: fields.box(),
      origin: fields.vector('origin'),
      angles: fields.vector('angles', [0, 0, 0]),
    };
  });
}

/** Traces through the world and the entities of a block: by the server's rules, then by the client's. */
const sceneRows: RowKind = {
  question: QUESTION,
  results: [...SERVER, ...CLIENT],
  open(header: RowHeader, source: RowSource) {
    const world = openWorld<ShapedWorld>(header, source);
    const [server, client] = [new Side(world, source, 'quake3'), new Side(world, source, 'quake3-client')];
    const at = columnPlaces(header, [...QUESTION, ...SERVER, ...CLIENT]);
    let block: number | undefined;
    return {
      sequences: {
        begins: () => false,
        restart() {
          block = undefined;
        },
      },
      enter(line: RowObject) {
        const fields = new HeaderFields(line, '');
        const number = fields.whole('block');
        const list = readEntities(fields, world);
        block = undefined;
        server.enter(list);
        client.enter(list);
        block = number;
      },
      answer(row: Row) {
        const move = readMove(row, at);
        const capsule = intCell(row, at.capsule) !== 0;
        const mask = intCell(row, at.mask);
        const pass = intCell(row, at.pass);
        if (intCell(row, at.block) !== block)
          throw new RangeError(`belongs to block ${row[at.block]}, which is not there`);
        const trace = server.trace(move, capsule, mask, pass);
        writeStop(row, at, trace);
        writeHit(row, at, trace);
        row[at.contents] = trace.contents;
        row[at.surfaceFlags] = trace.surfaceFlags;
        row[at.entity] = server.entityOf(trace);
        const predicted = client.trace(move, capsule, mask, pass);
        row[at.cfraction] = float32Cell(predicted.fraction);
        row[at.cstartsolid] = predicted.startSolid ? 1 : 0;
        row[at.callsolid] = predicted.allSolid ? 1 : 0;
        row[at.centity] = client.entityOf(predicted);
      },
    };
  },
};

/** The kinds of rows about scenes of Quake 3. */
export const quake3Rows: RowKinds = { scene: sceneRows };
