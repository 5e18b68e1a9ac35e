import { BackSide, Color, Mesh, ShaderMaterial, SphereGeometry } from 'three';

/** What is behind the map: a gradient from the horizon upwards and downwards. */
export class Backdrop extends Mesh<SphereGeometry, ShaderMaterial> {
  constructor() {
    super(
      new SphereGeometry(1, 24, 16),
      new ShaderMaterial({
        vertexShader: /* glsl */ `
          varying vec3 vWay;
          void main() {
            vWay = position;
            vec4 place = projectionMatrix * vec4(mat3(viewMatrix) * position, 1.0);
            gl_Position = place.xyww;
          }
        `,
        fragmentShader: /* glsl */ `
          uniform vec3 zenith;
          uniform vec3 horizon;
          uniform vec3 nadir;
          varying vec3 vWay;
          void main() {
            float height = normalize(vWay).z;
            vec3 color = mix(horizon, height > 0.0 ? zenith : nadir, pow(abs(height), 0.6));
            gl_FragColor = vec4(color, 1.0);
            #include <colorspace_fragment>
          }
        `,
        uniforms: {
          zenith: { value: new Color() },
          horizon: { value: new Color() },
          nadir: { value: new Color() },
        },
        side: BackSide,
        depthWrite: false,
        depthTest: false,
      }),
    );
    this.frustumCulled = false;
    this.renderOrder = -1;
  }

  setColors(colors: Readonly<Record<'zenith' | 'horizon' | 'nadir', string>>): void {
    for (const [name, value] of Object.entries(colors)) {
      (this.material.uniforms[name]!.value as Color).set(value);
    }
  }
}
