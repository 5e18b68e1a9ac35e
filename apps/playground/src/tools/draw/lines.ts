import {
  BufferAttribute,
  BufferGeometry,
  type ColorRepresentation,
  DoubleSide,
  DynamicDrawUsage,
  Group,
  InstancedInterleavedBuffer,
  InterleavedBufferAttribute,
  Mesh,
  MeshBasicMaterial,
} from 'three';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js';

/** How lines look. */
export interface LineStyle {
  /** Thickness in CSS pixels. */
  readonly width: number;
  /** Where nothing hides them, 0 to 1; 1 by default. */
  readonly opacity?: number | undefined;
  /** Where the map hides them; 0 by default, when they are not drawn there. */
  readonly hidden?: number | undefined;
}

/** Over the map, in this order: filled polygons, lines that the map hides, lines in full view. */
const ORDER = { faces: 10, hidden: 11, lines: 12 } as const;

/**
 * Materials that nothing is drawn with any more, for what is drawn next. Were they disposed of, the last of a kind would take its
 * program along, and each edit of a map, which makes a tool's lines anew, would have to compile that again.
 */
const idle = { lines: [] as LineMaterial[], faces: [] as MeshBasicMaterial[] };

/** Line segments that may change with every frame: what is set is copied, into room that grows when it must. */
export class Lines {
  readonly object: Group = new Group();
  private readonly _geometry: LineSegmentsGeometry = new LineSegmentsGeometry();
  private readonly _materials: LineMaterial[] = [];
  private _room: Float32Array = new Float32Array(0);
  private _buffer: InstancedInterleavedBuffer | undefined;

  constructor({ width, opacity = 1, hidden = 0 }: LineStyle) {
    this._add(width, opacity, true);
    if (hidden > 0) this._add(width, hidden, false);
    this.object.visible = false;
  }

  set color(color: ColorRepresentation) {
    for (const material of this._materials) material.color.set(color);
  }

  get visible(): boolean {
    return this.object.visible;
  }

  /** Draws these segments, six numbers each; none hides the object. */
  set(segments: ArrayLike<number>): void {
    const count = Math.floor(segments.length / 6);
    this.object.visible = count > 0;
    if (count === 0) return;
    if (segments.length > this._room.length) this._grow(segments.length);
    this._room.set(segments);
    this._buffer!.needsUpdate = true;
    this._geometry.instanceCount = count;
  }

  dispose(): void {
    this.object.removeFromParent();
    this._geometry.dispose();
    idle.lines.push(...this._materials);
  }

  private _add(width: number, opacity: number, depthTest: boolean): void {
    const material = idle.lines.pop() ?? new LineMaterial({ transparent: true, depthWrite: false });
    material.linewidth = width;
    material.opacity = opacity;
    material.depthTest = depthTest;
    const mesh = new LineSegments2(this._geometry, material);
    mesh.frustumCulled = false;
    mesh.renderOrder = depthTest ? ORDER.lines : ORDER.hidden;
    this._materials.push(material);
    this.object.add(mesh);
  }

  private _grow(least: number): void {
    let length = Math.max(96, this._room.length);
    while (length < least) length *= 2;
    // The renderer lets go of the old buffer when the geometry is disposed of; it makes what it needs anew.
    this._geometry.dispose();
    this._room = new Float32Array(length);
    this._buffer = new InstancedInterleavedBuffer(this._room, 6, 1).setUsage(
      DynamicDrawUsage,
    ) as InstancedInterleavedBuffer;
    this._geometry.setAttribute('instanceStart', new InterleavedBufferAttribute(this._buffer, 3, 0));
    this._geometry.setAttribute('instanceEnd', new InterleavedBufferAttribute(this._buffer, 3, 3));
  }
}

/** Filled polygons, seen from both sides; they hide nothing. */
export class Faces {
  readonly object: Mesh<BufferGeometry, MeshBasicMaterial>;
  private _room = 0;

  constructor(opacity: number, hidden = false) {
    const material = idle.faces.pop() ?? faceMaterial();
    material.opacity = opacity;
    material.depthTest = !hidden;
    this.object = new Mesh(new BufferGeometry(), material);
    this.object.frustumCulled = false;
    this.object.renderOrder = ORDER.faces;
    this.object.visible = false;
  }

  set color(color: ColorRepresentation) {
    this.object.material.color.set(color);
  }

  /** Draws these triangles, nine numbers each; none hides the object. */
  set(triangles: ArrayLike<number>): void {
    const { geometry } = this.object;
    this.object.visible = triangles.length > 0;
    if (triangles.length === 0) return;
    if (triangles.length > this._room) {
      geometry.dispose();
      this._room = Math.max(2 * this._room, triangles.length);
      const attribute = new BufferAttribute(new Float32Array(this._room), 3).setUsage(DynamicDrawUsage);
      geometry.setAttribute('position', attribute);
    }
    const attribute = geometry.getAttribute('position') as BufferAttribute;
    (attribute.array as Float32Array).set(triangles);
    attribute.needsUpdate = true;
    geometry.setDrawRange(0, triangles.length / 3);
  }

  dispose(): void {
    this.object.removeFromParent();
    this.object.geometry.dispose();
    idle.faces.push(this.object.material);
  }
}

const faceMaterial = (): MeshBasicMaterial =>
  new MeshBasicMaterial({
    transparent: true,
    side: DoubleSide,
    // Of one colour, so that it does not matter which side is drawn first.
    forceSinglePass: true,
    depthWrite: false,
    // They often lie on surfaces of the map, and are to be seen there.
    polygonOffset: true,
    polygonOffsetFactor: -2,
    polygonOffsetUnits: -4,
  });
