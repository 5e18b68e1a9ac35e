// Kinds of a user's own, for the threads of a worker: most chunks behave, some do not.
import { serveBake } from '@bspkit/bake/pool';

const strange = {
  name: 'strange',
  needsWorld: false,
  inputs: [],
  check: (parameters) => parameters,
  open:
    ({ map }) =>
    ({ index }) => {
      const began = Date.now();
      // Hangs.
      while (index === 1);
      if (index === 2) process.exit(7);
      // Takes its time.
      while (index === 3 && Date.now() - began < 300);
      return new Uint8Array([index, map.length & 255]);
    },
  merge: (chunks) => chunks,
};

serveBake({ kinds: [strange] });
