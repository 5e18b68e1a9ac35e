import { BspError, type Mesh, type MeshOptions, type Vec3 } from '@bspkit/core';
import type { BspFormat } from '@bspkit/core/format';
import { areaSize, areasBy, createRandom, dot, triangleOf } from '@bspkit/geometry';
import { demand, demandSame, demandThrows, said } from './demand.ts';
import { drawingFlaws, meshFlaws } from './mesh-flaws.ts';
import { survivor } from './reading.ts';
import { type FormatSample, type It, squareOf, type World } from './sample.ts';

/** What is drawn. */
export function checkMeshes(
  it: It,
  format: BspFormat,
  { name: map, bytes }: FormatSample,
  world: World,
  mutants: number,
): void {
  const file = format.read(bytes);
  const make = (options?: MeshOptions): Mesh => format.mesh!(file, options);
  /** Nothing for formats whose files need not keep brushes. */
  const keeping = <T>(get: () => T, call: string): T | undefined => {
    try {
      return get();
    } catch (error) {
      const isEmpty = error instanceof BspError && error.code === 'empty';
      demand(
        isEmpty,
        `${call}: ${said(error)}; a file without brushes must throw a BspError with the code 'empty'`,
      );
      return undefined;
    }
  };

  it('returns its drawn surfaces as triangles', () => {
    const mesh = make();
    demandFlawless(mesh, 'mesh(file)');
    demand(mesh.indices.length > 0, 'mesh(file) has no triangles');
    const names = world.textureNames();
    for (const [k, { texture, name, model }] of mesh.groups.entries()) {
      demandSame(name, names[texture], `name of group ${k} of mesh(file), whose texture is ${texture}`);
      demand(model <= world.numModels, `model of group ${k} of mesh(file) is ${model} of ${world.numModels}`);
    }
    for (let triangle = 0; triangle < mesh.indices.length / 3; triangle++) {
      const { area, height, cosine } = triangleOf(mesh, triangle);
      // Corners on one edge, which compilers put where other faces end, make triangles so thin that rounding turns them.
      demand(
        area <= 0.01 || height <= 0.01 || cosine > 0.9,
        `triangle ${triangle} of mesh(file) is not counter-clockwise around its normals: the cosine is ${cosine}`,
      );
    }
  });

  it('draws as much of each surface as its polygons cover, if these come from surfaces', () => {
    const polygons = format.polygons(world).polygons();
    const areas = new Map<number, number>();
    for (const { surface, vertices } of polygons) {
      areas.set(surface, (areas.get(surface) ?? 0) + areaOf(vertices));
    }
    areas.delete(-1);
    const mesh = make();
    const drawn = areasBy(mesh, (triangle) => mesh.surfaces[triangle]!);
    for (const [surface, area] of areas) {
      const own = drawn.get(surface) ?? 0;
      demand(
        Math.abs(own - area) / (area + 1) < 1e-4,
        `surface ${surface} has an area of ${own} in mesh(file), and of ${area} in polygons(world)`,
      );
    }
  });

  it('returns what collides as triangles on the sides of its brushes', () => {
    for (const by of ['brush', 'contents'] as const) {
      const call = `mesh(file, { by: '${by}' })`;
      const mesh = keeping(() => make({ by }), call);
      if (!mesh) continue;
      demandFlawless(mesh, call);
      demand(mesh.groups.length > 0, `${call} has no groups`);
      for (const [k, { texture, name }] of mesh.groups.entries()) {
        demandSame([texture, name], [-1, ''], `texture and name of group ${k} of ${call}`);
      }
    }
    const polygons = keeping(() => format.brushPolygons?.(file), 'brushPolygons(file)');
    const mesh = polygons && make({ by: 'brush' });
    if (!polygons || !mesh) return;
    demand(polygons.length > 0, 'brushPolygons(file) is empty');
    const areas = new Map<number, number>();
    for (const [k, { vertices, normal, dist, brush }] of polygons.entries()) {
      const of = `of polygon ${k} of brushPolygons(file)`;
      for (let at = 0; at < vertices.length; at += 3) {
        const off = Math.abs(dot(vertices.subarray(at, at + 3), normal) - dist);
        demand(off < 0.01, `vertex ${at / 3} ${of} is ${off} units off its plane`);
      }
      const isAround = windingSign(vertices, normal) > 0;
      demand(isAround, `vertices ${of} are not counter-clockwise, seen from where the normal points`);
      areas.set(brush, (areas.get(brush) ?? 0) + areaOf(vertices));
    }
    const drawn = areasBy(mesh, (triangle) => mesh.brushes[triangle]!);
    drawn.delete(-1);
    const sorted = (map: ReadonlyMap<number, number>): number[] => [...map.keys()].sort((a, b) => a - b);
    const what = "brushes of mesh(file, { by: 'brush' }) and those of brushPolygons(file) differ";
    demandSame(sorted(drawn), sorted(areas), what);
    for (const [brush, area] of areas) {
      const own = drawn.get(brush)!;
      demand(
        Math.abs(own - area) < 1e-3 * area,
        `brush ${brush} has an area of ${own} in mesh(file, { by: 'brush' }), and of ${area} in brushPolygons(file)`,
      );
    }
    // A brush is closed: the areas of its faces, as vectors, make nothing.
    for (const brush of areas.keys()) {
      const sum = [0, 0, 0];
      for (const polygon of polygons.filter((one) => one.brush === brush)) {
        const area = areaOf(polygon.vertices);
        for (let k = 0; k < 3; k++) sum[k]! += area * polygon.normal[k]!;
      }
      const open = Math.sqrt(squareOf(sum));
      const isClosed = open < 1e-3 * areas.get(brush)! + 0.1;
      demand(
        isClosed,
        `brush ${brush} of brushPolygons(file) is not closed: ${open} square units are missing`,
      );
    }
  });

  it('leaves unwanted brushes out of their polygons', () => {
    const all = keeping(() => format.brushPolygons?.(file), 'brushPolygons(file)');
    if (!all) return;
    for (const mask of new Set([0, ...all.map(({ contents }) => contents)])) {
      const wanted = all.filter(({ contents }) => (contents & mask) !== 0);
      const kept = format.brushPolygons!(file, { mask });
      const what = `brushPolygons(file, { mask: ${mask} }) are not those of brushPolygons(file) with these contents`;
      demandSame(kept, wanted, what);
    }
  });

  it('draws mutants of the map, or refuses them', () => {
    const random = createRandom(7);
    const view = new DataView(new ArrayBuffer(4));
    let drawn = 0;
    for (let mutant = 0; mutant < mutants; mutant++) {
      const changed = Uint8Array.from(bytes);
      const changes: string[] = [];
      for (let k = 0; k <= mutant % 3; k++) {
        const at = 4 * Math.floor((random() * changed.length) / 4);
        if (random() < 0.5) view.setFloat32(0, random() < 0.5 ? Number.NaN : 1e30, true);
        else view.setInt32(0, Math.floor(random() * 300), true);
        changed.set(new Uint8Array(view.buffer).subarray(0, changed.length - at), at);
        changes.push(`${view.getInt32(0, true)} at ${at}`);
      }
      const what = `${map} with the words ${changes.join(', ')}`;
      const flaws = survivor(() => {
        const file = format.read(changed);
        const meshes = [format.mesh!(file), format.mesh!(file, { by: 'contents' })];
        format.lightmaps?.(file);
        format.createLightSampler?.(file).at([0, 0, 0]);
        format.embeddedTextures?.(file);
        return meshes.flatMap(drawingFlaws);
      }, what);
      if (flaws) drawn++;
      demandSame(flaws ?? [], [], `flaws of a mesh of ${what}`);
    }
    demand(drawn > 0, `none of ${mutants} files with up to three wrong words each is drawn`);
  });

  it('leaves unwanted parts out of a mesh', () => {
    const { groups } = make();
    const contents = groups.find((group) => group.contents !== 0)?.contents;
    demand(contents !== undefined, 'all groups of mesh(file) have the contents 0');
    const call = `mesh(file, { mask: ${contents} })`;
    const wanted = make({ mask: contents });
    demand(wanted.groups.length > 0, `${call} has no groups, and a group of mesh(file) has these contents`);
    const others = wanted.groups.filter((group) => (group.contents & contents) === 0);
    demandSame(others, [], `groups of ${call} that have none of these contents`);
    demandThrows(() => make({ by: 'colour' as never }), RangeError, "mesh(file, { by: 'colour' })");
    demandThrows(() => make({ patchLevel: 65 }), RangeError, 'mesh(file, { patchLevel: 65 })');
    demandThrows(() => make({ patchlevel: 4 } as never), TypeError, 'mesh(file, { patchlevel: 4 })');
  });
}

function demandFlawless(mesh: Mesh, call: string): void {
  const flaws = meshFlaws(mesh);
  demand(flaws.length === 0, () => `${call}: ${flaws.slice(0, 5).join('; ')}`);
}

/** Area of a convex polygon. */
const areaOf = (vertices: Float32Array): number => areaSize(Array.from(vertices));

/** Above 0 for corners in order around the normal, counter-clockwise seen from its front. */
export function windingSign(vertices: Float32Array, normal: Vec3): number {
  const sum = [0, 0, 0];
  for (let at = 0; at < vertices.length; at += 3) {
    const next = (at + 3) % vertices.length;
    for (let k = 0; k < 3; k++) {
      const [i, j] = [(k + 1) % 3, (k + 2) % 3];
      sum[k]! += vertices[at + i]! * vertices[next + j]! - vertices[at + j]! * vertices[next + i]!;
    }
  }
  return dot(sum, normal);
}
