import type { Vec3 } from '@bspkit/core';
import {
  BufferAttribute,
  BufferGeometry,
  Mesh,
  type Object3D,
  PerspectiveCamera,
  Scene,
  Vector3,
  WebGLRenderer,
} from 'three';
import { h } from '../app/dom.ts';
import type { Coloring } from '../app/link.ts';
import type { OpenMap } from '../app/open-map.ts';
import type { Theme } from '../app/theme.ts';
import type { Pick } from '../tools/tool.ts';
import { Backdrop } from './backdrop.ts';
import { KINDS, type SurfaceKind } from './kinds.ts';
import { kindMaterials, shared } from './materials.ts';
import { vertexColors } from './palette.ts';
import { pickTriangle } from './pick.ts';
import { type DrawArrays, drawArrays } from './surfaces.ts';

/** The view: a canvas with the map that is open, and what tools add to it. Draws when it is asked to. */
export class Stage {
  readonly camera: PerspectiveCamera = new PerspectiveCamera(70, 1, 2, 65536);
  private readonly _renderer: WebGLRenderer;
  private readonly _scene = new Scene();
  private readonly _backdrop = new Backdrop();
  private _map: OpenMap | undefined;
  private _arrays: DrawArrays | undefined;
  private _mesh: Mesh<BufferGeometry> | undefined;
  private _coloring: Coloring = 'texture';
  private readonly _size = { width: 1, height: 1 };

  readonly canvas: HTMLCanvasElement;

  /** Throws what three.js throws where there is no WebGL. */
  constructor() {
    const canvas = h('canvas', {
      tabindex: '0',
      'aria-label': 'The map in three dimensions. Press ? for the keys.',
    });
    this.canvas = canvas;
    this._renderer = new WebGLRenderer({ canvas, antialias: true, powerPreference: 'high-performance' });
    this.camera.up.set(0, 0, 1);
    this._scene.add(this._backdrop);
    kindMaterials.hidden.visible = false;
    kindMaterials.sky.visible = false;
  }

  get triangles(): number {
    return (this._arrays?.indices.length ?? 0) / 3;
  }

  add(object: Object3D): void {
    this._scene.add(object);
  }

  remove(object: Object3D): void {
    this._scene.remove(object);
  }

  /** Shows a map in place of the one before. */
  setMap(map: OpenMap): void {
    this._map = map;
    this._arrays = drawArrays(map);
    const { positions, normals, indices, groups } = this._arrays;
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(positions, 3));
    geometry.setAttribute('normal', new BufferAttribute(normals, 3));
    geometry.setIndex(new BufferAttribute(indices, 1));
    for (const [k, kind] of KINDS.entries()) {
      const own = groups.filter((group) => group.kind === kind);
      if (own.length === 0) continue;
      const first = own[0]!.first;
      geometry.addGroup(
        first,
        own.reduce((sum, { count }) => sum + count, 0),
        k,
      );
    }
    if (this._mesh) {
      this._scene.remove(this._mesh);
      this._mesh.geometry.dispose();
    }
    this._mesh = new Mesh(
      geometry,
      KINDS.map((kind) => kindMaterials[kind]),
    );
    this._mesh.frustumCulled = false;
    this._paint();
    this._scene.add(this._mesh);
  }

  setColoring(coloring: Coloring): void {
    if (coloring === this._coloring) return;
    this._coloring = coloring;
    this._paint();
  }

  show(kind: SurfaceKind, isShown: boolean): void {
    kindMaterials[kind].visible = isShown;
  }

  /** Cuts away what is above a height. */
  setTop(height: number | undefined): void {
    shared.top.value = height ?? 1e9;
  }

  setTheme({ backdrop, light, grid }: Theme): void {
    this._backdrop.setColors(backdrop);
    for (const name of ['sky', 'ground', 'sun'] as const) {
      shared[name].value.set(light[name][0]).multiplyScalar(light[name][1]);
    }
    shared.haze.value.set(backdrop.horizon);
    shared.grid.value = grid;
  }

  /** Fits the canvas to its place, in CSS pixels. */
  resize(width: number, height: number, ratio: number): void {
    Object.assign(this._size, { width, height });
    this._renderer.setPixelRatio(Math.min(ratio, 2));
    this._renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    // 90 degrees across, as the games have it, within what looks right on tall and on very wide screens.
    const upright = (2 * Math.atan(1 / this.camera.aspect) * 180) / Math.PI;
    this.camera.fov = Math.min(Math.max(upright, 55), 75);
    this.camera.updateProjectionMatrix();
  }

  /** Puts the eye somewhere, looking along a unit vector. */
  look(eye: Vec3, direction: Vec3, up: Vec3): void {
    const { camera } = this;
    camera.position.set(eye[0]!, eye[1]!, eye[2]!);
    camera.up.set(up[0]!, up[1]!, up[2]!);
    camera.lookAt(eye[0]! + direction[0]!, eye[1]! + direction[1]!, eye[2]! + direction[2]!);
    camera.updateMatrixWorld();
  }

  render(): void {
    this._renderer.render(this._scene, this.camera);
  }

  sightLine(x: number, y: number): { start: Vec3; direction: Vec3 } {
    const { width, height } = this._size;
    const at = new Vector3((2 * x) / width - 1, 1 - (2 * y) / height, 0.5).unproject(this.camera);
    const way = at.sub(this.camera.position).normalize();
    return { start: this.camera.position.toArray(), direction: way.toArray() };
  }

  project(point: Vec3): { x: number; y: number } | undefined {
    const place = new Vector3(point[0]!, point[1]!, point[2]!).applyMatrix4(this.camera.matrixWorldInverse);
    if (place.z > -this.camera.near) return undefined;
    place.applyMatrix4(this.camera.projectionMatrix);
    return { x: ((place.x + 1) / 2) * this._size.width, y: ((1 - place.y) / 2) * this._size.height };
  }

  pick(x: number, y: number): Pick | undefined {
    const { _arrays: arrays } = this;
    if (!arrays) return undefined;
    const { start, direction } = this.sightLine(x, y);
    const isShown = (group: number): boolean => kindMaterials[arrays.groups[group]!.kind].visible;
    const hit = pickTriangle(arrays, start, direction, isShown, shared.top.value);
    if (!hit) return undefined;
    const { distance, index } = hit;
    const corner = 3 * arrays.indices[index]!;
    const group = arrays.groups.find(({ first, count }) => index >= first && index < first + count)!;
    return {
      point: [0, 1, 2].map((k) => start[k]! + distance * direction[k]!),
      normal: arrays.normals.slice(corner, corner + 3),
      distance,
      texture: group.texture,
      contents: group.contents,
    };
  }

  private _paint(): void {
    if (!this._map || !this._arrays || !this._mesh) return;
    const colors = vertexColors(this._map, this._arrays, this._coloring);
    this._mesh.geometry.setAttribute('tint', new BufferAttribute(colors, 3, true));
  }
}
