import { DoubleSide, ShaderMaterial } from 'three';
import { shared } from '../../view/materials.ts';

/** Colours as they are, so that a legend has the same; cut off where the map is, and in front of its surfaces. */
export const valueMaterial = (): ShaderMaterial =>
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
      varying vec3 vTint;
      varying float vHeight;
      void main() {
        if (vHeight > top + 1.0) discard;
        gl_FragColor = vec4(vTint, 1.0);
      }
    `,
    uniforms: { top: shared.top },
    side: DoubleSide,
    polygonOffset: true,
    polygonOffsetFactor: -1,
    polygonOffsetUnits: -2,
  });
