import { createQuake3Command, createQuake3Mover, createQuake3State, quake3Angle } from '@bspkit/movement';
import { createQuake3World, entityModel, entityVector, mesh, readQuake3 } from '@bspkit/quake3';
import { createScene } from '@bspkit/scene';
import * as THREE from 'three';

/** Milliseconds of play in a step: 125 steps a second, however fast the screen is. */
const STEP = 8;
/** Degrees that the view turns for a pixel of the mouse, and by an arrow key in a step. */
const SENSITIVITY = 0.12;
const TURN = 1;

const canvas = document.querySelector('canvas')!;
const file = readQuake3(await (await fetch('arena.bsp')).arrayBuffer());
const world = createQuake3World(file);

// What stops the player: the map, and its doors and lifts, which are models of their own.
const solids = createScene(world, { rules: 'quake3' });
const places = new Map<number, readonly number[]>();
for (const entity of world.entities()) {
  const model = entityModel(entity);
  if (!model || entity.classname?.startsWith('trigger')) continue;
  const origin = entityVector(entity, 'origin') ?? [0, 0, 0];
  places.set(model, origin);
  solids.add(world.model(model), { origin });
}

// The player, where the map says that players start.
const spawn = world.entities().find(({ classname }) => classname === 'info_player_deathmatch') ?? {};
const mover = createQuake3Mover(solids);
const player = createQuake3State();
player.origin.set(entityVector(spawn, 'origin') ?? [0, 0, 0]);
let [pitch, yaw] = [0, Number(spawn.angle ?? 0)]; // degrees; looking down is a positive pitch

// Keys by their position on the keyboard, so that W A S D are together on any layout.
const keys = new Set<string>();
document.onkeydown = ({ code }) => keys.add(code);
document.onkeyup = ({ code }) => keys.delete(code);
window.onblur = () => keys.clear();
const held = (code: string): number => (keys.has(code) ? 1 : 0);

canvas.onclick = () => canvas.requestPointerLock();
canvas.onmousemove = ({ movementX, movementY }) => {
  if (document.pointerLockElement !== canvas) return;
  yaw -= SENSITIVITY * movementX;
  pitch = THREE.MathUtils.clamp(pitch + SENSITIVITY * movementY, -87, 87);
};

/** One step of the game: keys and view become a command, which moves the player. */
const command = createQuake3Command();
function step(): void {
  command.serverTime += STEP;
  yaw += TURN * (held('ArrowLeft') - held('ArrowRight'));
  command.angles[0] = quake3Angle(pitch);
  command.angles[1] = quake3Angle(yaw);
  command.forward = 127 * (held('KeyW') - held('KeyS'));
  command.right = 127 * (held('KeyD') - held('KeyA'));
  command.up = 127 * (held('Space') - held('KeyC'));
  mover.move(player, command);
}

// What is drawn. In Quake z is up, which three.js does not mind: only the camera has to know.
const scene = new THREE.Scene();
scene.background = new THREE.Color(0xa9c3d9);
const { positions, normals, indices, groups } = mesh(file, { patchLevel: 8 });
const position = new THREE.BufferAttribute(positions, 3);
const normal = new THREE.BufferAttribute(normals, 3);
for (const { model, texture, isHidden, isSky, isLiquid, firstIndex, indexCount } of groups) {
  if (isHidden || isSky) continue;
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', position).setAttribute('normal', normal);
  geometry.setIndex(new THREE.BufferAttribute(indices.subarray(firstIndex, firstIndex + indexCount), 1));
  // No textures here: a colour for each. The golden ratio spreads hues evenly.
  const color = new THREE.Color().setHSL((0.1 + texture * 0.618) % 1, 0.3, 0.55);
  const look = { color, transparent: isLiquid, opacity: isLiquid ? 0.6 : 1 };
  const surfaces = new THREE.Mesh(geometry, new THREE.MeshLambertMaterial(look));
  surfaces.position.fromArray(places.get(model) ?? [0, 0, 0]);
  scene.add(surfaces);
}
const sun = new THREE.DirectionalLight(0xfff1dd, 1.6);
sun.position.set(0.4, -0.7, 1);
const sky = new THREE.HemisphereLight(0xdfe8ff, 0x6b6258, 1.8);
sky.position.set(0, 0, 1);
scene.add(sun, sky);

const renderer = new THREE.WebGLRenderer({ canvas, antialias: true });
renderer.setPixelRatio(devicePixelRatio);
const camera = new THREE.PerspectiveCamera(65, 1, 4, 8192);

// Each frame plays the steps that are due, and draws the eyes between the last two of them.
const eyes = (place: THREE.Vector3): THREE.Vector3 =>
  place.fromArray(player.origin).setZ(player.origin[2]! + player.viewHeight);
const [before, after] = [eyes(new THREE.Vector3()), eyes(new THREE.Vector3())];
let [last, due] = [performance.now(), 0];
renderer.setAnimationLoop((now) => {
  due = Math.min(due + now - last, 250); // a tab that was in the background does not catch up
  last = now;
  for (; due >= STEP; due -= STEP) {
    before.copy(after);
    step();
    eyes(after);
  }
  camera.position.lerpVectors(before, after, Math.max(due, 0) / STEP);
  // At rest a camera looks down, with y up: yaw turns it about z, pitch lifts it off the floor.
  const { degToRad } = THREE.MathUtils;
  camera.rotation.set(degToRad(90 - pitch), 0, degToRad(yaw - 90), 'ZXY');
  renderer.render(scene, camera);
});

function fillWindow(): void {
  renderer.setSize(innerWidth, innerHeight);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
}
addEventListener('resize', fillWindow);
fillWindow();

// For the browser's console, and the test.
Object.assign(globalThis, { player });
