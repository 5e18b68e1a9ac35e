import {
  createQuake3World,
  entityModel,
  entityVector,
  type Mesh,
  mesh,
  readQuake3,
  surfaceAt,
} from '@bspkit/quake3';
import { createScene } from '@bspkit/scene';
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

const canvas = document.querySelector('canvas')!;
const output = document.querySelector('output')!;

const file = readQuake3(await (await fetch('arena.bsp')).arrayBuffer());
const world = createQuake3World(file);

// The map with its doors and lifts: models of their own, each where its entity says.
const bodies = createScene(world);
const places = new Map<number, [number, number, number]>();
for (const entity of world.entities()) {
  const model = entityModel(entity);
  if (!model) continue;
  const origin = entityVector(entity, 'origin') ?? [0, 0, 0];
  places.set(model, origin);
  const isTrigger = entity.classname?.startsWith('trigger');
  bodies.add(world.model(model), { origin, solid: isTrigger ? 'trigger' : 'model' });
}
const ray = bodies.ray();
const trace = ray.createTrace(); // made once, filled by every trace

/** The drawn surfaces: a mesh for each texture of a model, all on the same vertices. */
function drawn({ positions, normals, indices, groups }: Mesh): THREE.Mesh[] {
  const position = new THREE.BufferAttribute(positions, 3);
  const normal = new THREE.BufferAttribute(normals, 3);
  return groups
    .filter(({ isHidden, isSky }) => !isHidden && !isSky)
    .map(({ model, texture, isLiquid, firstIndex, indexCount }) => {
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute('position', position).setAttribute('normal', normal);
      geometry.setIndex(new THREE.BufferAttribute(indices.subarray(firstIndex, firstIndex + indexCount), 1));
      // No textures here: a colour for each. The golden ratio spreads hues evenly.
      const color = new THREE.Color().setHSL((0.1 + texture * 0.618) % 1, 0.3, 0.55);
      const look = { color, transparent: isLiquid, opacity: isLiquid ? 0.6 : 1 };
      const surfaces = new THREE.Mesh(geometry, new THREE.MeshLambertMaterial(look));
      surfaces.position.fromArray(places.get(model) ?? [0, 0, 0]);
      return surfaces;
    });
}

// In Quake, z is up, in three.js y. In this group, coordinates are Quake's, and nothing else has to be turned.
const map = new THREE.Group();
map.rotation.x = -Math.PI / 2;
map.add(...drawn(mesh(file, { patchLevel: 8 })));

const marker = new THREE.ArrowHelper(new THREE.Vector3(0, 0, 1), undefined, 72, 0xff3b1f, 28, 18);
marker.visible = false;
map.add(marker);

const scene = new THREE.Scene();
scene.background = new THREE.Color(0xa9c3d9);
const sun = new THREE.DirectionalLight(0xfff1dd, 1.6);
sun.position.set(0.4, 1, 0.7);
scene.add(map, sun, new THREE.HemisphereLight(0xdfe8ff, 0x6b6258, 1.8));

const renderer = new THREE.WebGLRenderer({ canvas, antialias: true });
renderer.setPixelRatio(devicePixelRatio);
const camera = new THREE.PerspectiveCamera(65, 1, 4, 8192);
const controls = new OrbitControls(camera, canvas);
map.updateMatrixWorld();
camera.position.copy(map.localToWorld(new THREE.Vector3(-460, -470, 340)));
controls.target.copy(map.localToWorld(new THREE.Vector3(60, 60, 60)));

/** Shoots through a point of the canvas, and shows what the shot hits. */
function shoot({ offsetX, offsetY }: Pick<MouseEvent, 'offsetX' | 'offsetY'>): void {
  const caster = new THREE.Raycaster();
  const [x, y] = [(offsetX / canvas.clientWidth) * 2 - 1, 1 - (offsetY / canvas.clientHeight) * 2];
  caster.setFromCamera(new THREE.Vector2(x, y), camera);
  // Into Quake's coordinates. The world says what is hit, not three's raycaster: with the engine's own bits.
  const start = map.worldToLocal(caster.ray.at(0, new THREE.Vector3())).toArray();
  const end = map.worldToLocal(caster.ray.at(8192, new THREE.Vector3())).toArray();
  ray.trace(start, end, trace);
  marker.visible = trace.fraction < 1 && !trace.startSolid;
  marker.position.fromArray(trace.endPos);
  marker.setDirection(new THREE.Vector3().fromArray(trace.normal));
  const place = Array.from(trace.endPos, (coordinate) => coordinate.toFixed(1)).join(' ');
  const pose = trace.entity > 0 ? bodies.body(trace.entity) : undefined;
  output.value = marker.visible ? `${surfaceAt(world, trace, pose)?.name} at ${place}` : 'nothing';
  // For whoever wants to repeat the shot, such as the test.
  output.dataset.shot = JSON.stringify({ start, end, hit: Array.from(trace.endPos) });
}

// A click that turned the view was not a shot.
let moved = 0;
canvas.onpointerdown = () => (moved = 0);
canvas.onpointermove = ({ movementX, movementY }) => (moved += Math.abs(movementX) + Math.abs(movementY));
canvas.onclick = (event) => moved < 4 && shoot(event);

// Without a mouse: Enter shoots through the middle, and arrow keys move the view.
canvas.tabIndex = 0;
canvas.role = 'application'; // screen readers pass keys on
controls.listenToKeyEvents(canvas);
canvas.onkeydown = ({ key }) => {
  if (key === 'Enter') shoot({ offsetX: canvas.clientWidth / 2, offsetY: canvas.clientHeight / 2 });
};

renderer.setAnimationLoop(() => {
  controls.update();
  renderer.render(scene, camera);
});

function fillWindow(): void {
  renderer.setSize(innerWidth, innerHeight);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
}
addEventListener('resize', fillWindow);
fillWindow();
