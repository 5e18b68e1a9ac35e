import type { Winding } from '@bspkit/geometry';
import { CORNER_GRID, snapCorner } from './corners.ts';
import { TripleTable } from './triples.ts';
import { LumpWriter } from './writer.ts';

/** Stands for an edge that two faces have already. */
const TAKEN = -1;

/** Writes corners, edges and the lists of edges around faces. Corners and edges are shared. */
export class EdgeTable {
  readonly vertexes: LumpWriter = new LumpWriter();
  readonly edges: LumpWriter = new LumpWriter();
  readonly surfEdges: LumpWriter = new LumpWriter(4);
  private readonly _wide: boolean;
  /** Each corner's number plus 1, by its position in {@link CORNER_GRID}s. */
  private readonly _vertexNumbers = new TripleTable();
  private _vertexes = 0;
  /** Edges that one face has and a second one can still use backwards: by corners and kind. {@link TAKEN} otherwise. */
  private readonly _open = new TripleTable();
  private _edges = 1;

  /** `wide` edges have 32-bit corner numbers. */
  constructor(wide: boolean) {
    this._wide = wide;
    // Edge 0 cannot be used backwards, so nothing uses it.
    this._writeEdge(0, 0);
  }

  get vertexCount(): number {
    return this._vertexes;
  }

  get edgeCount(): number {
    return this._edges;
  }

  /**
   * Writes a face's edges; faces with different `kind` (contents) do not share any. `undefined` for a face so thin that fewer
   * than three of its corners differ.
   */
  add(winding: Winding, kind: number): { first: number; count: number } | undefined {
    const first = this.surfEdges.count;
    const corners: number[] = [];
    for (let i = 0; i < winding.length; i += 3) {
      const corner = this._vertex(winding[i]!, winding[i + 1]!, winding[i + 2]!);
      if (corners.at(-1) !== corner) corners.push(corner);
    }
    if (corners.length > 1 && corners[0] === corners.at(-1)) corners.pop();
    if (corners.length < 3) return undefined;
    corners.forEach((corner, i) => {
      this.surfEdges.i32(this._edge(corner, corners[(i + 1) % corners.length]!, kind));
    });
    return { first, count: corners.length };
  }

  /** To be called after the last face: edge 0 needs a corner even if there are no faces. */
  close(): void {
    if (this.vertexCount === 0) this._vertex(0, 0, 0);
  }

  private _edge(from: number, to: number, kind: number): number {
    const known = this._open.get(to, from, kind);
    if (known > 0) {
      this._open.set(to, from, kind, TAKEN);
      return -known;
    }
    const number = this._edges++;
    this._writeEdge(from, to);
    this._open.set(from, to, kind, number);
    return number;
  }

  private _writeEdge(from: number, to: number): void {
    if (this._wide) this.edges.i32(from, to);
    else this.edges.i16(from, to);
  }

  private _vertex(x: number, y: number, z: number): number {
    const [px, py, pz] = [snapCorner(x), snapCorner(y), snapCorner(z)];
    const known = this._vertexNumbers.get(CORNER_GRID * px, CORNER_GRID * py, CORNER_GRID * pz);
    if (known > 0) return known - 1;
    const number = this._vertexes++;
    this._vertexNumbers.set(CORNER_GRID * px, CORNER_GRID * py, CORNER_GRID * pz, number + 1);
    this.vertexes.f32(px, py, pz);
    return number;
  }
}
