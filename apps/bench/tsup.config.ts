import { application } from '../../tsup.base.ts';

export default application(['src/main.ts'], {
  // Fixtures are sources only; the libraries stay outside, so that what is measured is what users get.
  noExternal: [/^@bspkit\/fixtures/],
});
