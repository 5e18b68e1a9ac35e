import type { Bounds, LightmapAtlas, Vec3 } from '@bspkit/core';
import { addScaled } from '@bspkit/geometry';
import {
  DataTexture,
  LinearFilter,
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
import { inIdleTime } from './idle.ts';
import { Layer } from './layer.ts';
import { kindMaterials, shared } from './materials.ts';
import { legendOf, type Swatch } from './palette.ts';
import {
  type DrawArrays,
  type DrawGroup,
  drawnSurfaces,
  type SurfaceKind,
  solidBrushes,
  unseenBrushes,
} from './surfaces.ts';

/** Nearer to a surface than this, in Quake units, a point is on it: traces stop a little in front of it. */
const TOUCHING = 1;

/** What is not drawn where it is seen from behind. */
const ONE_SIDED: ReadonlySet<SurfaceKind> = new Set(['solid', 'sky']);

const isShown = ({ kind }: DrawGroup): boolean => kindMaterials[kind].visible;

/** The view: a canvas with the map that is open, and what tools add to it. Draws when it is asked to. */
export class Stage {
  readonly camera: PerspectiveCamera = new PerspectiveCamera(70, 1, 2, 65536);
  private readonly _renderer: WebGLRenderer;
  private readonly _scene = new Scene();
  private readonly _backdrop = new Backdrop();
  private _map: OpenMap | undefined;
  private _drawn: Layer | undefined;
  private _unseen: Layer | undefined;
  private _brushes: Layer | undefined;
  private _endFraming: (() => void) | undefined;
  private _isLit = false;
  private _coloring: Coloring = 'texture';
  private readonly _size = { width: 1, height: 1 };

  readonly canvas: HTMLCanvasElement;

  /** Throws what three.js throws where there is no WebGL. */
  constructor() {
    const canvas = h('canvas', {
      tabindex: '0',
      // Keys are for the view: screen readers pass them on.
      role: 'application',
      'aria-label': 'The map in three dimensions. Press ? for the keys.',
      // What there is to see: the map, or what came of the last trace in it.
      'aria-describedby': 'said',
    });
    this.canvas = canvas;
    this._renderer = new WebGLRenderer({ canvas, antialias: true, powerPreference: 'high-performance' });
    this.camera.up.set(0, 0, 1);
    this._scene.add(this._backdrop);
    kindMaterials.hidden.visible = false;
    kindMaterials.sky.visible = false;
  }

  get triangles(): number {
    return (this._drawn?.arrays.indices.length ?? 0) / 3;
  }

  add(object: Object3D): void {
    this._scene.add(object);
  }

  remove(object: Object3D): void {
    this._scene.remove(object);
  }

  /** Around what is drawn, in Quake units. */
  get bounds(): Bounds | undefined {
    return this._drawn?.bounds();
  }

  /** Whether the map has lightmaps that can be shown. */
  get hasLightmaps(): boolean {
    return this._drawn?.arrays.lightCoords !== undefined && this._map?.light !== undefined;
  }

  /** Shows a map in place of the one before. Throws `BspError` where it cannot be drawn; then the one before stays. */
  setMap(map: OpenMap): void {
    const drawn = new Layer(map, drawnSurfaces(map), this._coloring);
    this._map = map;
    this._drawn?.dispose();
    this._unseen?.dispose();
    this._unseen = undefined;
    this._brushes?.dispose();
    this._brushes = undefined;
    shared.lightmap.value?.dispose();
    shared.lightmap.value = null;
    this._drawn = drawn;
    this._scene.add(drawn.mesh);
    this._fill();
  }

  setColoring(coloring: Coloring): void {
    if (coloring === this._coloring) return;
    this._coloring = coloring;
    this._drawn?.paint(coloring);
    this._fill();
  }

  /** What the colours of what is shown mean. */
  get legend(): readonly Swatch[] {
    const groups = this._layers.flatMap((layer) => (layer?.mesh.visible ? layer.arrays.groups : []));
    const shown = groups.filter(({ kind }) => kindMaterials[kind].visible);
    return this._map ? legendOf(this._map, shown, this._coloring) : [];
  }

  show(kind: SurfaceKind, isShown: boolean): void {
    kindMaterials[kind].visible = isShown;
    this._fill();
  }

  showLightmaps(isShown: boolean): void {
    this._isLit = isShown;
    this._fill();
  }

  private get _layers(): readonly (Layer | undefined)[] {
    return [this._drawn, this._brushes, this._unseen];
  }

  /** Makes what is shown on request, once it is. */
  private _fill(): void {
    const { _map: map, _drawn: drawn } = this;
    if (!map || !drawn) return;
    const needsBrushes = this._coloring === 'contents' && !knowsContents(map, drawn.arrays);
    if (needsBrushes && !this._brushes) {
      this._brushes = new Layer(map, solidBrushes(map), 'contents');
      this._scene.add(this._brushes.mesh);
    }
    if (this._brushes) this._brushes.mesh.visible = needsBrushes;
    drawn.mesh.visible = !needsBrushes;
    if (kindMaterials.hidden.visible && !this._unseen) {
      this._unseen = new Layer(map, unseenBrushes(map), 'contents');
      this._scene.add(this._unseen.mesh);
    }
    if (this._isLit && this.hasLightmaps && !shared.lightmap.value) {
      shared.lightmap.value = lightmapTexture(map.light!);
    }
    shared.lightmapPart.value = this._isLit && shared.lightmap.value ? 1 : 0;
    this._endFraming?.();
    this._endFraming = inIdleTime(() => this._layers.some((layer) => layer?.pickable.frameMore()));
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
  }

  /**
   * Sets what is seen from side to side, in degrees, within what looks right on tall and very wide screens. Returns the
   * tangents of half the angles across and upright.
   */
  setAngle(angle: number): { x: number; y: number } {
    const { camera } = this;
    const upright = (2 * Math.atan(Math.tan((angle * Math.PI) / 360) / camera.aspect) * 180) / Math.PI;
    camera.fov = Math.min(Math.max(upright, 0.55 * angle), 0.8 * angle);
    camera.updateProjectionMatrix();
    const y = Math.tan((camera.fov * Math.PI) / 360);
    return { x: y * camera.aspect, y };
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

  shownFrom(x: number, y: number): number {
    const { start, direction } = this.sightLine(x, y);
    const above = start[2]! - shared.top.value;
    const cut = above > 0 && direction[2]! < 0 ? above / -direction[2]! : 0;
    // Looking back from there, what is seen from behind is in the way.
    const far = this._nearest(start, direction)?.distance ?? this.camera.far;
    const back = addScaled([0, 0, 0], -1, direction);
    const behind = this._nearest(addScaled(start, far, direction), back, ({ kind }) => ONE_SIDED.has(kind));
    return Math.max(0, cut, far - (behind?.distance ?? far));
  }

  project(point: Vec3): { x: number; y: number } | undefined {
    const place = new Vector3(point[0]!, point[1]!, point[2]!).applyMatrix4(this.camera.matrixWorldInverse);
    if (place.z > -this.camera.near) return undefined;
    place.applyMatrix4(this.camera.projectionMatrix);
    return { x: ((place.x + 1) / 2) * this._size.width, y: ((1 - place.y) / 2) * this._size.height };
  }

  pick(x: number, y: number): Pick | undefined {
    const { start, direction } = this.sightLine(x, y);
    return this._nearest(start, direction);
  }

  /** How far it is to what an eye sees that looks along a unit vector. */
  ahead(eye: Vec3, direction: Vec3): number | undefined {
    return this._nearest(eye, direction)?.distance;
  }

  /** Whether nothing that is drawn is between two points. */
  sees(eye: Vec3, point: Vec3): boolean {
    const way = new Vector3(point[0]! - eye[0]!, point[1]! - eye[1]!, point[2]! - eye[2]!);
    const distance = way.length();
    const nearest = this._nearest(eye, way.normalize().toArray());
    return !nearest || nearest.distance > distance - TOUCHING;
  }

  private _nearest(start: Vec3, direction: Vec3, counts = isShown): Pick | undefined {
    let nearest: Pick | undefined;
    for (const layer of this._layers) {
      const hit = layer?.mesh.visible && layer.pickable.pick(start, direction, counts, shared.top.value);
      if (hit && !(nearest && nearest.distance <= hit.distance)) {
        const { distance, normal, group } = hit;
        const point = addScaled(start, distance, direction);
        nearest = { point, normal, distance, texture: group.texture, contents: group.contents };
      }
    }
    return nearest;
  }
}

/** Whether most triangles tell what they bound, which is more than the level that they are of. */
function knowsContents({ format }: OpenMap, { indices, groups }: DrawArrays): boolean {
  const isKnown = (contents: number): boolean =>
    format.contents.names(contents).some((name) => !/^(level\d|detail)$/.test(name));
  const known = groups.reduce((sum, { contents, count }) => sum + (isKnown(contents) ? count : 0), 0);
  return 2 * known > indices.length;
}

function lightmapTexture({ width, height, pixels }: LightmapAtlas): DataTexture {
  const texture = new DataTexture(pixels, width, height);
  texture.magFilter = LinearFilter;
  texture.minFilter = LinearFilter;
  texture.needsUpdate = true;
  return texture;
}
