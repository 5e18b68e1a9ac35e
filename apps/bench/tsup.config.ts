import { application } from '../../tsup.base.ts';

// Private packages are sources only and go into the bundle; the libraries stay outside, so that what is measured is
// what users get. So does what makes pages.
export default application(['src/main.ts', 'src/worker.ts', 'src/against.ts', 'src/pages.ts'], {
  external: ['esbuild'],
});
