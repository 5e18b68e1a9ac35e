import type { BrushPolygon, Mesh, PolygonSource, Surface } from '@bspkit/core';
import {
  type BspFormat,
  checkBounds,
  checkNumber,
  countValues,
  defineFormat,
  isNumberIn,
  MeshBuilder,
  meshOptions,
} from '@bspkit/core/format';
import { contentsNames, surfaceNames, TOY_SOLID, TOY_WATER } from './constants.ts';
import { facePlane, facePolygon, facesOf, SIDES } from './faces.ts';
import type { ToyFile } from './file.ts';
import { identity, MAGIC } from './identity.ts';
import { reader } from './reader.ts';
import { rows } from './rows.ts';
import { explain } from './tracer.ts';
import { tracers } from './tracers.ts';
import { createToyWorld, ToyModel, type ToyWorld } from './world.ts';

const NO_TEXTURE = { texture: -1, name: '', surfaceFlags: 0 };

export type ToyFormat = BspFormat<ToyFile, ToyWorld>;

/** The toy's descriptor. */
export const toy: ToyFormat = defineFormat<ToyFile, ToyWorld>({
  ...identity,
  ...reader,
  contents: contentsNames,
  surfaceFlags: surfaceNames,
  tracers,
  rows,
  info(file, world) {
    const { entities, textures, boxes } = file.lumps;
    const models = [0, ...Array.from({ length: world.numModels }, (_, k) => k + 1)];
    return {
      version: `${MAGIC} ${file.version}`,
      bounds: world.bounds,
      facts: { textures: file.textures.length },
      lumps: [
        { name: 'entities', bytes: entities.length, records: undefined },
        { name: 'textures', bytes: textures.length, records: file.textures.length },
        { name: 'boxes', bytes: boxes.length, records: world.boxes.length },
      ],
      models: models.map((number) => ({
        name: number === 0 ? 'world' : `*${number}`,
        bounds: new ToyModel(world, number).bounds,
        figures: { boxes: world.boxesOf(number).length },
      })),
      entities: world.entities(),
      contents: { what: 'boxes', counts: countValues(world.boxes.map((box) => box.contents)) },
      memory: { world: world.data.byteLength, lumps: entities.length + textures.length + boxes.length },
    };
  },
  *brushes(file) {
    for (const box of createToyWorld(file).boxes) {
      const { number, model, contents, texture } = box;
      const planes = SIDES.map((side) => facePlane(box, side));
      yield { brush: number, model, contents, planes, textures: SIDES.map(() => texture) };
    }
  },
  polygons(world): PolygonSource {
    return {
      polygons: () => world.boxesOf(0).flatMap(facesOf),
      leafPolygons(leaf) {
        checkNumber(leaf, 'leaf', world.boxes.length + 1);
        return leaf === world.boxes.length ? world.boxesOf(0).flatMap(facesOf) : facesOf(world.boxes[leaf]!);
      },
      numLeafs: world.boxes.length + 1,
      boxLeafs(mins, maxs, out) {
        checkBounds(mins, maxs);
        // The open is never far.
        let found = 0;
        for (let leaf = 0; leaf <= world.boxes.length; leaf++) {
          const box = world.boxes[leaf];
          if (box && [0, 1, 2].some((k) => box.mins[k]! > maxs[k]! || box.maxs[k]! < mins[k]!)) continue;
          if (found < out.length) out[found] = leaf;
          found++;
        }
        return found;
      },
      isSolid: (polygon) => (polygon.contents & TOY_SOLID) !== 0,
    };
  },
  mesh(file, options = {}): Mesh {
    const { by, mask } = meshOptions(options);
    const world = createToyWorld(file);
    const builder = new MeshBuilder({ numVertices: 0, numTriangles: 0 });
    for (const { number: brush, model, contents, flags, texture } of world.boxes) {
      if (mask !== undefined && (contents & mask) === 0) continue;
      const isDrawn = by === 'texture';
      const of = isDrawn ? { texture, name: file.textures[texture]!, surfaceFlags: flags } : NO_TEXTURE;
      const group = builder.group(
        [model, contents, ...Object.values(of), by === 'brush' && brush].join(),
        () => ({
          ...{ model, contents, ...of, brush: by === 'brush' ? brush : -1 },
          ...{ isSky: false, isHidden: false, isLiquid: contents === TOY_WATER, isLightmapped: false },
        }),
      );
      for (const { vertices, normal, surface } of facesOf(world.boxes[brush]!)) {
        builder.add(group, 4, 2, isDrawn ? surface : -1, isDrawn ? -1 : brush, isDrawn ? -1 : surface);
        builder.positions.set(vertices, 3 * builder.vertex);
        for (let k = 0; k < 4; k++) builder.normals.set(normal, 3 * (builder.vertex + k));
        builder.fan(4);
      }
    }
    return builder.finish();
  },
  brushPolygons(file, { mask = -1 } = {}): BrushPolygon[] {
    const { boxes } = createToyWorld(file);
    return boxes
      .filter(({ contents }) => (contents & mask) !== 0)
      .flatMap((box) =>
        facesOf(box).map((face) => ({
          ...{ ...face, surface: -1, brush: box.number, side: face.surface, model: box.model },
        })),
      );
  },
  surfaceAt(world, { brush, side, model }): Surface | undefined {
    const box = world.boxes[brush];
    if (!box || !(side >= 0) || !isNumberIn(model, world.numModels + 1)) return undefined;
    const { texture, flags } = box;
    return { texture, name: world.textureNames()[texture]!, flags, polygon: facePolygon(box, side % 6) };
  },
  traceFields: ({ side }) => ({ face: side < 0 ? null : side % 6 }),
  explain,
  point: (world, at) => ({ leaf: world.leaf(at), contents: world.contents(at) }),
});
