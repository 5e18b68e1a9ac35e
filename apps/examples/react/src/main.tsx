import { createTrace } from '@bspkit/quake3';
import { Canvas, type ThreeEvent, useFrame } from '@react-three/fiber';
import { Suspense, useMemo, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { type Mesh, Vector3 } from 'three';
import { BspMap, useWorld } from './bsp-map.tsx';

/** A ball that moves to its goal as far as the map lets it, and slides along what is in its way. */
function Ball({ goal }: { goal: Vector3 }) {
  const world = useWorld();
  const [sphere, trace] = useMemo(() => [world.sphere(24), createTrace()], [world]);
  const ball = useRef<Mesh>(null!);
  useFrame(({ gl }, seconds) => {
    const { position } = ball.current;
    const step = goal.clone().sub(position);
    step.clampLength(0, 400 * seconds);
    for (let bump = 0; bump < 4 && step.lengthSq() > 1e-4; bump++) {
      sphere.trace(position.toArray(), step.clone().add(position).toArray(), trace);
      position.fromArray(trace.endPos);
      step.multiplyScalar(1 - trace.fraction).projectOnPlane(new Vector3().fromArray(trace.normal));
    }
    gl.domElement.dataset.ball = position.toArray().join(' '); // for the test
  });
  return (
    <mesh ref={ball} position={[-256, 0, 60]}>
      <sphereGeometry args={[24, 32, 16]} />
      <meshStandardMaterial color="#ff3b1f" />
    </mesh>
  );
}

function App() {
  const [goal, setGoal] = useState(new Vector3());
  const follow = (at: ThreeEvent<PointerEvent>) => setGoal(at.eventObject.worldToLocal(at.point.clone()));
  return (
    <Canvas
      role="img"
      aria-label="A ball in a hall, which goes where you point"
      flat
      camera={{ position: [-14, 10.5, 14.5], rotation: [-0.5, -0.75, -0.36], fov: 65 }}
    >
      <hemisphereLight args={['#dfe8ff', '#6b6258', 1.8]} />
      <directionalLight position={[0.4, 1, 0.7]} intensity={1.6} />
      <Suspense>
        <BspMap url="arena.bsp" scale={1 / 32} onPointerMove={follow}>
          <Ball goal={goal} />
        </BspMap>
      </Suspense>
    </Canvas>
  );
}

createRoot(document.body).render(<App />);
