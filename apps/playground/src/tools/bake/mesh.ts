import { BufferAttribute, type BufferGeometry, DoubleSide, Mesh, ShaderMaterial } from 'three';
import { shared } from '../../view/materials.ts';
import type { ColoredTriangles } from './values.ts';

/** Colours as they are, so that a legend has the same; cut off where the map is, and in front of its surfaces. */
const valueMaterial = (opacity: number): ShaderMaterial =>
  new ShaderMaterial({
    vertexShader: /* glsl */ `
      attribute vec3 tint;
      varying vec3 vTint;
      varying float vHeight;
      void main() {
        vTint = tint;
        vHeight = position.z;
        gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
      }
    `,
    fragmentShader: /* glsl */ `
      uniform float top;
      uniform float opacity;
      varying vec3 vTint;
      varying float vHeight;
      void main() {
        if (vHeight > top + 1.0) discard;
        gl_FragColor = vec4(vTint, opacity);
      }
    `,
    uniforms: { top: shared.top, opacity: { value: opacity } },
    transparent: opacity < 1,
    depthWrite: opacity === 1,
    side: DoubleSide,
    polygonOffset: true,
    polygonOffsetFactor: -1,
    polygonOffsetUnits: -2,
  });

/** Values as coloured triangles in the scene. */
export class ValueMesh {
  readonly object: Mesh<BufferGeometry, ShaderMaterial> = new Mesh();

  constructor(opacity = 1) {
    this.object.material = valueMaterial(opacity);
    this.object.frustumCulled = false;
    // After the map's liquids, whatever is loaded first.
    this.object.renderOrder = 1;
    this.object.visible = false;
  }

  /** Draws these, or nothing. */
  set(triangles: ColoredTriangles | undefined): void {
    this.object.visible = triangles !== undefined;
    if (!triangles) return;
    const { geometry } = this.object;
    geometry.dispose();
    geometry.setAttribute('position', new BufferAttribute(triangles.positions, 3));
    geometry.setAttribute('tint', new BufferAttribute(triangles.colors, 3, true));
    geometry.setIndex(new BufferAttribute(triangles.indices, 1));
  }

  dispose(): void {
    this.object.removeFromParent();
    this.object.geometry.dispose();
    this.object.material.dispose();
  }
}
