import type { SourceBrush } from '../src/index.ts';

/** How far a point lies outside a source brush (negative: inside), computed from its planes. */
export function depth({ sides }: SourceBrush, [x, y, z]: readonly number[]): number {
  let most = Number.NEGATIVE_INFINITY;
  for (const { normal, dist } of sides) {
    const [nx, ny, nz] = [normal[0]!, normal[1]!, normal[2]!];
    most = Math.max(most, (nx * x! + ny * y! + nz * z!) / Math.sqrt(nx * nx + ny * ny + nz * nz) - dist);
  }
  return most;
}

/** The brushes that contain a point; `undefined` when it lies too near to the surface of one. */
export function holders(
  brushes: readonly SourceBrush[],
  point: readonly number[],
): SourceBrush[] | undefined {
  const inside: SourceBrush[] = [];
  for (const brush of brushes) {
    const most = depth(brush, point);
    if (Math.abs(most) < 0.05) return undefined;
    if (most < 0) inside.push(brush);
  }
  return inside;
}
