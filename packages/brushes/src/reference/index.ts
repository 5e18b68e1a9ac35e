// The literal algorithm: for explaining traces, and for tests.

export { type Found, type Move, nothing, type Query, type Size, traceTree } from './sweep.ts';
export {
  between,
  byAxis,
  dot,
  type FirstNumbers,
  type Point,
  point,
  readBrush,
  readLeaf,
  readNode,
  type TreeBrush,
  type TreeLeaf,
  type TreeNode,
  type TreeSide,
} from './tree.ts';
