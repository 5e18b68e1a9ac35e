import type { Options } from 'tsup';
import { library } from '../../tsup.base.ts';

export default {
  ...(library() as Options),
  // The two functions that are needed of it before a map is opened. Bundlers do not split files: left outside, all of it
  // that any format uses would be loaded with them.
  noExternal: ['@bspkit/core/format'],
};
