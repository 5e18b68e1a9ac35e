import { createQuake3World, type Mesh, mesh, type Quake3World, readQuake3 } from '@bspkit/quake3';
import { type ThreeElements, useLoader } from '@react-three/fiber';
import { createContext, use, useMemo } from 'react';
import * as THREE from 'three';

const World = createContext<Quake3World | undefined>(undefined);
/** The world of the surrounding map, for everything that collides. */
export const useWorld = () => use(World)!;

/** What is drawn: a geometry and a material for each texture of a map, without its doors and lifts, which are models. */
function draw({ positions, normals, indices, groups }: Mesh) {
  const [position, normal] = [new THREE.BufferAttribute(positions, 3), new THREE.BufferAttribute(normals, 3)];
  const shown = groups.filter(({ model, isHidden, isSky }) => model === 0 && !isHidden && !isSky);
  return shown.map(({ texture, firstIndex, indexCount }) => {
    const geometry = new THREE.BufferGeometry();
    Object.assign(geometry.attributes, { position, normal });
    geometry.setIndex(new THREE.BufferAttribute(indices.subarray(firstIndex, firstIndex + indexCount), 1));
    const color = new THREE.Color().setHSL((0.1 + texture * 0.618) % 1, 0.3, 0.55);
    return { geometry, material: new THREE.MeshLambertMaterial({ color }) };
  });
}

/** Makes the pointer ask the world, not the triangles: the map may be anywhere, turned and scaled. */
function pick(world: Quake3World) {
  const tracer = world.ray();
  return function (this: THREE.Object3D, { ray }: THREE.Raycaster, hits: object[]) {
    const start = this.worldToLocal(ray.origin.clone());
    const end = this.worldToLocal(ray.at(1000, new THREE.Vector3()));
    const { fraction, endPos } = tracer.trace(start.toArray(), end.toArray());
    const point = this.localToWorld(new THREE.Vector3().fromArray(endPos));
    if (fraction < 1) hits.push({ point, distance: point.distanceTo(ray.origin), object: this });
    return false; // children need not be asked
  };
}

/** A map: a group, placed by its props. Children are in Quake's units and axes, z up. */
export function BspMap({ url, children, ...props }: ThreeElements['group'] & { url: string }) {
  const bytes = useLoader(THREE.FileLoader, url, (loader) => loader.setResponseType('arraybuffer'));
  const { world, surfaces, raycast } = useMemo(() => {
    const file = readQuake3(bytes as ArrayBuffer);
    const world = createQuake3World(file);
    return { world, surfaces: draw(mesh(file)), raycast: pick(world) };
  }, [bytes]);
  return (
    <group rotation-x={-Math.PI / 2} raycast={raycast} {...props}>
      {surfaces.map((surface) => (
        <mesh key={surface.geometry.id} {...surface} />
      ))}
      <World value={world}>{children}</World>
    </group>
  );
}
