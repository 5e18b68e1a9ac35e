import {
  type BrushPolygon,
  BspError,
  type LightSample,
  type LightSampler,
  type Mesh,
  type MeshOptions,
} from '@bspkit/core';
import { askedLight, createFullLight, MeshBuilder } from '@bspkit/core/format';
import { toy } from '@bspkit/testkit/toy';
import { type Changed, finds, mesh, ROOM } from './wrong-toys.ts';

// What the suite says about mistakes in triangles, faces of brushes and light: each of its messages, and a toy that it is said of.

const empty = (): Mesh => new MeshBuilder({ numVertices: 0, numTriangles: 0 }).finish();
const groups = (change: Partial<Mesh['groups'][number]>): Changed =>
  mesh((made) => ({ groups: made.groups.map((group) => ({ ...group, ...change })) }));
/** Drawn for other options than those that are given. */
const drawn = (change: (options: MeshOptions) => MeshOptions): Changed => ({
  mesh: (file, options = {}) => toy.mesh!(file, change(options)),
});
const doubles = mesh(({ normals }) => ({ normals: Float64Array.from(normals) as never }));

finds('returns its drawn surfaces as triangles', {
  'mesh(file) has no triangles': { mesh: empty },
  "name of group 0 of mesh(file), whose texture is 0: 'other', not 'plain'": groups({ name: 'other' }),
  'model of group 0 of mesh(file) is 7 of 1': groups({ model: 7 }),
});

finds('draws as much of each surface as its polygons cover', {
  'surface 0 has an area of ': mesh(({ surfaces }) => ({ surfaces: surfaces.map(() => 1) })),
});

const faces = (change: (face: BrushPolygon) => Partial<BrushPolygon>): Changed => ({
  brushPolygons: (file, options) =>
    toy.brushPolygons!(file, options).map((face) => ({ ...face, ...change(face) })),
});
const turned = (vertices: Float32Array): Float32Array =>
  Float32Array.from([9, 6, 3, 0].flatMap((at) => [...vertices.subarray(at, at + 3)]));
const opposite = ({ normal, dist }: BrushPolygon): Partial<BrushPolygon> => ({
  normal: normal.map((x) => -x),
  dist: -dist,
});

finds('returns what collides as triangles on the sides of its brushes', {
  "mesh(file, { by: 'brush' }): Error: no brushes; a file without brushes must throw a BspError": {
    mesh() {
      throw new Error('no brushes');
    },
  },
  "mesh(file, { by: 'brush' }): normals are not of the class Float32Array": doubles,
  "mesh(file, { by: 'brush' }) has no groups": { mesh: empty },
  "texture and name of group 0 of mesh(file, { by: 'brush' })": groups({ name: 'other' }),
  'brushPolygons(file) is empty': { brushPolygons: () => [] },
  'vertex 0 of polygon 0 of brushPolygons(file) is 1 units off its plane': faces(({ dist }) => ({
    dist: dist + 1,
  })),
  'vertices of polygon 0 of brushPolygons(file) are not counter-clockwise': faces(opposite),
  "brushes of mesh(file, { by: 'brush' }) and those of brushPolygons(file) differ": {
    brushPolygons: (file, options) => toy.brushPolygons!(file, options).filter(({ brush }) => brush > 0),
  },
  'brush 0 of brushPolygons(file) is not closed': faces((face) =>
    face.side === 0 ? { ...opposite(face), vertices: turned(face.vertices) } : {},
  ),
});

finds('leaves unwanted brushes out of their polygons', {
  'brushPolygons(file, { mask: 0 }) are not those of brushPolygons(file) with these contents': {
    brushPolygons: (file) => toy.brushPolygons!(file),
  },
});

finds('draws mutants of the map, or refuses them', {
  'flaws of a mesh of room with the words 55 at 532: ': doubles,
  'room with the words 55 at 532: Error: too dark; what cannot be read must throw a BspError': {
    createLightSampler() {
      throw new Error('too dark');
    },
  },
  'none of 10 files with up to three wrong words each is drawn': {
    read(bytes) {
      if (Buffer.compare(bytes as Uint8Array, ROOM.bytes) === 0) return toy.read(bytes);
      throw new BspError('value', { format: 'toy' }, 'this is another file');
    },
  },
});

/** A toy with light that is full but for this. */
const light = (
  change: (sample: LightSample) => void,
  { isLit = true, ...changes }: Partial<LightSampler> = {},
): Changed => ({
  createLightSampler: (_, options) => {
    askedLight(options ?? {}, 1);
    const full = createFullLight();
    return {
      ...full,
      isLit,
      at(point, out) {
        const sample = full.at(point, out);
        change(sample);
        return sample;
      },
      ...changes,
    };
  },
});

finds('says how light it is at points', {
  'numbers of createSample()': light(() => {}, {
    createSample: () => createFullLight().at([0, 0, 0]),
  }),
  'does not return the sample that it was given as out': light(() => {}, {
    at: (point) => createFullLight().at(point),
  }),
  'not three numbers that are 0 or more': light(({ ambient }) => ambient.fill(Number.NaN, 1, 2)),
  'whose length is neither 1 nor 0': light(({ direction }) => direction.fill(1)),
  'not the number of one, or -1': light((sample) => {
    sample.surface = -2;
  }),
  'direction of at': light(({ ambient }) => ambient.fill(0.5), { isLit: false }),
  'of a used sample and of a new one': {
    createLightSampler: (file, options) => {
      const sampler = light(() => {}).createLightSampler!(file, options);
      let calls = 0;
      return { ...sampler, at: (point, out) => Object.assign(sampler.at(point, out), { surface: calls++ }) };
    },
  },
  'createLightSampler(file, { brightness: 0 }) throws nothing': { createLightSampler: createFullLight },
  'createLightSampler(file, { bright: 1 }) throws nothing': {
    createLightSampler: (_, { brightness } = {}) => {
      askedLight({ brightness }, 1);
      return createFullLight();
    },
  },
  'at([NaN, 0, 0]) throws nothing': light(() => {}, {
    at: (point, out) => createFullLight().at(Number.isNaN(point[0]!) ? [0, 0, 0] : point, out),
  }),
  'at([0, 0, 0], {}) throws nothing': light(() => {}, {
    at: (point, out) => createFullLight().at(point, out?.ambient ? out : undefined),
  }),
});

finds('leaves unwanted parts out of a mesh', {
  'all groups of mesh(file) have the contents 0': groups({ contents: 0 }),
  'mesh(file, { mask: 1 }) has no groups, and a group of mesh(file) has these contents': {
    mesh: (file, options) => (options?.mask ? empty() : toy.mesh!(file, options)),
  },
  'groups of mesh(file, { mask: 1 }) that have none of these contents': drawn(({ mask: _, ...rest }) => rest),
  "mesh(file, { by: 'colour' }) throws nothing": drawn(({ by, ...rest }) =>
    (by as string) === 'colour' ? rest : { by, ...rest },
  ),
  'mesh(file, { patchLevel: 65 }) throws nothing': drawn(({ patchLevel: _, ...rest }) => rest),
  'mesh(file, { patchlevel: 4 }) throws nothing': drawn(
    ({ patchlevel: _, ...rest }: MeshOptions & { patchlevel?: 4 }) => rest,
  ),
});
