import { describe, expect, it } from 'vitest';
import { addBrushes, type BrushSource, cutPolygons, MeshBuilder } from '../src/format/index.ts';
import type { Mesh } from '../src/index.ts';

/** A brush of planes: normal and dist each. */
const brush = (...planes: readonly number[][]): BrushSource => ({
  ...{ brush: 0, model: 0, contents: 1, firstSide: 0, textures: [] },
  planes: Float64Array.from(planes.flat()),
});

const CUBE = [
  [1, 0, 0, 8],
  [-1, 0, 0, 8],
  [0, 1, 0, 8],
  [0, -1, 0, 8],
  [0, 0, -1, 8],
  [0, 0, 1, 8],
];

describe('faces of brushes', () => {
  const sides = (...planes: readonly number[][]): number[] =>
    Array.from(cutPolygons([brush(...planes)]), ({ side }) => side);

  it('are there for every side that bounds the brush', () => {
    const [top] = Array.from(cutPolygons([brush(...CUBE)])).slice(-1);
    expect(sides(...CUBE)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(top!.vertices).toHaveLength(12);
    expect(sides(...CUBE, [Math.SQRT1_2, Math.SQRT1_2, 0, 16])).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('share a buffer with those of the same brush, and with no other', () => {
    const faces = Array.from(cutPolygons([brush(...CUBE), brush(...CUBE)]));
    const arrays = faces.flatMap(({ vertices, normal }) => [vertices, normal]);
    expect(new Set(arrays.map(({ buffer }) => buffer)).size).toBe(2);
    const [first] = faces;
    expect([...first!.normal]).toEqual([1, 0, 0]);
    expect(first!.vertices.buffer.byteLength).toBe(4 * 6 * (12 + 3));
    for (const [k, { vertices, normal, dist }] of faces.entries()) {
      expect([vertices.length, [...normal, dist]]).toEqual([12, CUBE[k % 6]]);
      for (let at = 0; at < 12; at += 3) {
        const [x, y, z] = [0, 1, 2].map((i) => vertices[at + i]! * normal[i]!) as [number, number, number];
        expect(x + y + z).toBe(8);
      }
    }
  });

  it('are left out for sides that are infinite', () => {
    // Without its top, the walls of a cube are infinite, but its floor is not.
    expect(sides(...CUBE.slice(0, 5))).toEqual([4]);
    expect(sides(...CUBE.slice(0, 4))).toEqual([]);
    expect(sides(CUBE[0]!)).toEqual([]);
    expect(sides(CUBE[0]!, CUBE[0]!, CUBE[0]!, CUBE[0]!)).toEqual([]);
  });

  it('are there far from the origin, and for long brushes', () => {
    const far = CUBE.map(([x, y, z, dist]) => [x!, y!, z!, dist! + 100_000 * x!]);
    expect(sides(...far)).toEqual([0, 1, 2, 3, 4, 5]);
    const long = CUBE.map(([x, y, z, dist]) => [x!, y!, z!, y === 0 ? dist! : 60_000]);
    expect(sides(...long)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it.each([100_000, 130_000, 2 ** 20, 2 ** 24])('are there %d units out, large and small', (far) => {
    const large = CUBE.map(([x, y, z]) => [x!, y!, z!, far]);
    const faces = Array.from(cutPolygons([brush(...large)]));
    expect(faces.map(({ side }) => side)).toEqual([0, 1, 2, 3, 4, 5]);
    for (const { vertices } of faces) expect(vertices.map(Math.abs)).toEqual(new Float32Array(12).fill(far));
    const small = CUBE.map(([x, y, z, dist]) => [x!, y!, z!, dist! + (far - 8) * (x! + y! - z!)]);
    expect(sides(...small)).toEqual([0, 1, 2, 3, 4, 5]);
    // Where nothing closes it, a brush has no end, however far out its other planes are.
    expect(sides(...large.slice(0, 5))).toEqual([4]);
  });
});

describe('meshes of brushes', () => {
  const brushes: readonly BrushSource[] = [0, 1, 2].map((number) => ({
    ...brush(...CUBE),
    ...{ brush: number, contents: number % 2, firstSide: 6 * number },
  }));

  function build(by: 'brush' | 'contents', room: number): { mesh: Mesh; made: Mesh } {
    const builder = new MeshBuilder({ numVertices: room * 4 * 18, numTriangles: room * 2 * 18 });
    addBrushes(builder, brushes, by, () => false);
    const { positions, normals, indices } = builder;
    const made = { positions, normals, indices } as Mesh;
    return { made, mesh: builder.finish() };
  }

  it.each(['brush', 'contents'] as const)('by %s are the same whatever room was expected', (by) => {
    const { mesh } = build(by, 1);
    for (const room of [0, 0.5, 2]) expect(build(by, room).mesh).toEqual(mesh);
    expect(mesh.positions).toHaveLength(3 * 4 * 18);
    expect(mesh.indices).toHaveLength(3 * 2 * 18);
  });

  it('are grouped by contents where these alternate', () => {
    const { mesh } = build('contents', 1);
    expect(mesh.groups.map(({ contents, indexCount }) => [contents, indexCount])).toEqual([
      [0, 72],
      [1, 36],
    ]);
    expect([...new Set(mesh.brushes)]).toEqual([0, 2, 1]);
    expect([...mesh.sides.slice(12, 14)]).toEqual([12, 12]);
  });

  it('are not copied where brush comes after brush and the room is what is needed', () => {
    const { mesh, made } = build('brush', 1);
    expect(mesh.groups.map((group) => [group.brush, group.firstVertex, group.firstIndex])).toEqual([
      [0, 0, 0],
      [1, 24, 36],
      [2, 48, 72],
    ]);
    expect(mesh.positions).toBe(made.positions);
    expect(mesh.normals).toBe(made.normals);
    expect(mesh.indices).toBe(made.indices);
  });
});
