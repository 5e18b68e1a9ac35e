import { BspError, type Polygon } from '@bspkit/core';
import { count, show } from '@bspkit/words';
import { BufferAttribute, BufferGeometry, Mesh, MeshBasicMaterial } from 'three';
import { h } from '../../app/dom.ts';
import { reasonOf } from '../../app/notice.ts';
import { hullFacesOf } from '../../games/index.ts';
import { labelled, ticked } from '../dom.ts';
import { Lines } from '../draw/lines.ts';
import { stateNumber } from '../state.ts';
import type { MountedTool, Tool, ToolContext } from '../tool.ts';
import { solidArrays, solidHulls } from './solids.ts';
import '../tools.css';

/** Edges of more faces than this would be a tangle. */
const MOST_EDGED = 1500;

/** The hulls that a map was compiled for, drawn as the solids that they are to what moves. */
class Hulls implements MountedTool {
  private readonly _context: ToolContext;
  private readonly _panel: HTMLElement;
  private readonly _mesh: Mesh<BufferGeometry, MeshBasicMaterial>;
  private readonly _edges: Lines = new Lines({ width: 1, opacity: 0.7 });
  private readonly _choices: HTMLFieldSetElement = h('fieldset', { class: 'tool-checks' });
  private readonly _opacity: HTMLInputElement = h('input', {
    type: 'range',
    class: 'tool-slider',
    min: '10',
    max: '100',
    value: '85',
  });
  private readonly _say: HTMLElement = h('p', { class: 'tool-hint', role: 'status' });
  private _hull = 1;

  constructor(panel: HTMLElement, context: ToolContext) {
    this._context = context;
    this._panel = panel;
    // Seen from the open alone, so that one looks into rooms from outside, as with the map. Nearer to the eye than the
    // map's own surfaces by a hair, where both are at one place.
    const material = new MeshBasicMaterial({
      vertexColors: true,
      transparent: true,
      polygonOffset: true,
      polygonOffsetFactor: -1,
      polygonOffsetUnits: -2,
    });
    this._mesh = new Mesh(new BufferGeometry(), material);
    this._mesh.frustumCulled = false;
    // After the map's liquids: which of them comes first would depend on what is loaded first.
    this._mesh.renderOrder = 1;
    context.scene.add(this._mesh);
    context.scene.add(this._edges.object);
    this._opacity.addEventListener('input', () => this._look());
    panel.append(this._choices, labelled('Opacity', this._opacity), this._say);
    const state = context.state.get();
    const opacity = stateNumber(state, 'opacity');
    if (opacity !== undefined) this._opacity.value = String(opacity);
    this.themeChanged();
    this._begin(stateNumber(state, 'hull'));
  }

  private _begin(wanted = 1): void {
    const hulls = solidHulls(this._context.map);
    this._hull = Number.isInteger(wanted) && wanted >= 1 && wanted <= hulls.length ? wanted : 1;
    this._choices.replaceChildren(
      h('legend', {}, 'Hull, and the box that it is for'),
      ...hulls.map(({ mins, maxs }, k) => {
        const size = [0, 1, 2].map((axis) => show(maxs[axis]! - mins[axis]!)).join(' × ');
        const choice = h('input', { type: 'radio', name: 'hull', checked: k + 1 === this._hull });
        choice.addEventListener('change', () => {
          this._hull = k + 1;
          void this._draw();
        });
        return ticked(choice, `Hull ${k + 1}: ${size}`);
      }),
    );
    void this._draw();
  }

  private async _draw(): Promise<void> {
    const { map } = this._context;
    const hull = this._hull;
    this._keep();
    const loaded = await hullFacesOf(map)?.();
    // Another hull or map may have been chosen meanwhile.
    if (!loaded || hull !== this._hull || map !== this._context.map) return;
    let polygons: readonly Polygon[] = [];
    try {
      polygons = loaded.hullFaces(map.world, hull);
      this._say.textContent = `${count(polygons.length, 'face')}: the map grown by the box, so that the box moves as a point.`;
    } catch (error) {
      if (!(error instanceof BspError)) throw error;
      this._say.textContent = reasonOf(error);
    }
    const { positions, shades, edges } = solidArrays(polygons);
    this._mesh.geometry.dispose();
    this._mesh.geometry.setAttribute('position', new BufferAttribute(positions, 3));
    this._mesh.geometry.setAttribute('color', new BufferAttribute(shades, 3));
    this._edges.set(polygons.length > MOST_EDGED ? [] : edges);
    this._context.requestRender();
  }

  private _look(): void {
    const { material } = this._mesh;
    material.opacity = Number(this._opacity.value) / 100;
    material.depthWrite = material.opacity > 0.99;
    material.color.set(this._context.colors.a);
    this._edges.color = this._context.colors.a;
    this._keep();
    this._context.requestRender();
  }

  private _keep(): void {
    this._context.state.set({ hull: this._hull, opacity: Number(this._opacity.value) });
  }

  worldChanged(): void {
    this._begin(this._hull);
  }

  themeChanged(): void {
    this._look();
  }

  dispose(): void {
    this._mesh.removeFromParent();
    this._mesh.geometry.dispose();
    this._mesh.material.dispose();
    this._edges.dispose();
    this._panel.replaceChildren();
  }
}

export const tool: Tool = { mount: (panel, context) => new Hulls(panel, context) };
