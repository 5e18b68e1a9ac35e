import { cross, dot, normalize, subtract, type Vec, type Winding } from '@bspkit/geometry';
import { createBrush, defaultAxes } from './brushes.ts';
import type { SourcePlace } from './error.ts';
import { createMaterialFinder } from './materials.ts';
import { PlaneSet } from './planes.ts';
import { numbersOf } from './side-numbers.ts';
import type { MapSource, SourceBrush, SourcePatch, TextureAxes } from './source.ts';
import type { CompileTarget } from './target.ts';
import { type CompileFormat, findTarget } from './targets.ts';

/** How {@link formatMap} writes a map. */
export interface FormatOptions {
  /** The game whose contents, surface flags and value follow each side. By default no numbers do. */
  readonly format?: CompileFormat | undefined;
}

/** What writing a side depends on besides the side. */
interface Style {
  readonly target: CompileTarget | undefined;
  /** Whether texture axes are written out. */
  readonly valve: boolean;
}

/**
 * Writes a map as `.map` text that editors read: with Valve 220 texture axes, or with Quake's where no side says how
 * its texture lies. Planes are given by corners of the brush, so a brush with whole corners comes back exactly.
 * Contents that do not come from materials are kept only by a `format` whose numbers hold them.
 *
 * @throws CompileError for a brush that is not closed or has no volume, `RangeError` for an unknown format.
 */
export function formatMap(map: MapSource, options: FormatOptions = {}): string {
  const target = options.format === undefined ? undefined : findTarget(options.format);
  const brushes = map.entities.flatMap((entity) => entity.brushes ?? []);
  const valve = brushes.some(({ sides }) => sides.some(({ texture }) => texture));
  const style: Style = { target, valve };
  const lines: string[] = [];
  for (const [number, entity] of map.entities.entries()) {
    lines.push(`// entity ${number}`, '{');
    const { mapversion: _, ...kept } = entity.properties;
    const properties = number === 0 && valve ? { ...kept, mapversion: '220' } : kept;
    for (const [key, value] of Object.entries(properties)) lines.push(`"${key}" "${value}"`);
    for (const [k, brush] of (entity.brushes ?? []).entries()) {
      lines.push(
        `// brush ${k}`,
        '{',
        ...sideLines(brush, { entity: number, brush: k, line: brush.line }, style),
        '}',
      );
    }
    for (const [k, patch] of (entity.patches ?? []).entries()) {
      lines.push(`// patch ${k}`, '{', 'patchDef2', '{', ...patchLines(patch), '}', '}');
    }
    lines.push('}');
  }
  return `${lines.join('\n')}\n`;
}

function sideLines(source: SourceBrush, place: SourcePlace, { target, valve }: Style): string[] {
  const planes = new PlaneSet();
  const context = { planes, material: createMaterialFinder(undefined, false), warnings: [] };
  const brush = createBrush(context, source, place);
  const lines: string[] = [];
  for (const side of source.sides) {
    const normal = normalize(side.normal)!;
    const index = brush.solid.planes.indexOf(planes.find(...normal, side.dist));
    // A plane that does not touch its brush has no corners to be given by, and no use.
    if (index < 0) continue;
    const name = side.material ?? source.material ?? 'default';
    const words = [...planePoints(brush.solid.windings[index]!, normal), name];
    words.push(valve ? valveAxes(side.texture ?? defaultAxes(normal)) : '0 0 0 1 1');
    const numbers = target && numbersOf(target, source, side, brush.contents);
    if (numbers) words.push(numbers.join(' '));
    lines.push(words.join(' '));
  }
  return lines;
}

function valveAxes({ s, t }: TextureAxes): string {
  return `[ ${s.map(numberText).join(' ')} ] [ ${t.map(numberText).join(' ')} ] 0 1 1`;
}

/** Three corners of a side, clockwise seen from outside, that give its plane best: those of the largest triangle. */
function planePoints(winding: Winding, normal: Vec): string[] {
  const corners: Vec[] = [];
  for (let i = 0; i < winding.length; i += 3) {
    corners.push([snap(winding[i]!), snap(winding[i + 1]!), snap(winding[i + 2]!)]);
  }
  let best: Vec[] = corners.slice(0, 3);
  let bestArea = 0;
  for (let i = 0; i < corners.length; i++) {
    for (let j = i + 1; j < corners.length; j++) {
      for (let k = j + 1; k < corners.length; k++) {
        const [a, b, c] = [corners[i]!, corners[j]!, corners[k]!];
        const area = dot(cross(subtract(c, a), subtract(b, a)), normal);
        if (area <= bestArea + 1e-6) continue;
        best = [a, b, c];
        bestArea = area;
      }
    }
  }
  return best.map((point) => `( ${point.map(numberText).join(' ')} )`);
}

/** Windings carry the planes' rounding; corners on a fine grid were meant to be there. */
function snap(value: number): number {
  const fine = Math.round(value * 8) / 8;
  return Math.abs(value - fine) < 0.002 ? fine : value;
}

const numberText = (value: number): string => String(Number(value.toFixed(6)) + 0);

function patchLines({ material, width, height, points }: SourcePatch): string[] {
  const lines = [material, `( ${width} ${height} 0 0 0 )`, '('];
  for (let column = 0; column < width; column++) {
    const rows = Array.from({ length: height }, (_, row) => points[row * width + column]!);
    lines.push(`( ${rows.map((point) => `( ${point.map(numberText).join(' ')} )`).join(' ')} )`);
  }
  return [...lines, ')'];
}
