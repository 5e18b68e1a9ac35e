import type { ToolEntry } from './tool.ts';

/** The tools, in the order of their buttons. */
export const TOOLS: readonly ToolEntry[] = [];
