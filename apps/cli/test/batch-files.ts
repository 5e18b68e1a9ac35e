import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Row } from '@bspkit/core/format';
import { arenaQuake3 } from '@bspkit/fixtures';
import { formatRow, parseTable, type Table } from '@bspkit/rows';
import { expect } from 'vitest';
import { bspkit, temporaryFolder } from './bspkit.ts';

// Files of questions, and what answers them, for all tests of batches.

export const QUESTION = [
  ...['model', 'ox', 'oy', 'oz', 'pitch', 'yaw', 'roll', 'sx', 'sy', 'sz', 'ex', 'ey', 'ez'],
  ...['minx', 'miny', 'minz', 'maxx', 'maxy', 'maxz', 'capsule', 'mask'],
];
export const ANSWER = [
  ...['fraction', 'endx', 'endy', 'endz', 'nx', 'ny', 'nz', 'dist'],
  ...['startsolid', 'allsolid', 'contents', 'surfaceFlags'],
];
export const HEADER = { game: 'quake3', map: 'arena', kind: 'trace', n: 3 };
const POSE = [0, 0, 0, 0, 0, 0, 0];
const NO_SIZE = [0, 0, 0, 0, 0, 0, 0];
export const questions: number[][] = [
  [...POSE, 0, -256, 32, 0, 512, 32, ...NO_SIZE, 1],
  [...POSE, -0, -256, 32, 512, -256, 32, -15, -15, -24, 15, 15, 32, 0, 1],
  [...POSE, 0, -256, 32, 0, -256, 32, ...NO_SIZE, 1],
];

export const columns = [...QUESTION, ...ANSWER];
export const unknown = ANSWER.map(() => null);
export const full = { ...HEADER, columns };

/** A folder for the tests of a file. */
export interface BatchFiles {
  readonly folder: string;
  /** A map, compiled once: with `demo:arena`, every run would compile it. */
  readonly arena: string;
  /** A name that no other file of these tests has. */
  fresh(name: string): string;
  /** Writes a file of questions and returns its path. */
  write(header: object, rows: unknown[], ending?: string): string;
  /** Answers a file of questions and reads the result. */
  answer(queries: string, ...args: string[]): Promise<Table>;
}

export function batchFiles(): BatchFiles {
  const folder = temporaryFolder();
  const arena = join(folder, 'map-arena.bsp');
  writeFileSync(arena, arenaQuake3());
  let files = 0;
  const fresh = (name: string): string => join(folder, `${files++}-${name}`);
  return {
    folder,
    arena,
    fresh,
    write(header, rows, ending = '.ndjson') {
      const path = fresh(`questions${ending}`);
      const text = [header, ...rows].map((line) => formatRow(line as Row)).join('\n');
      writeFileSync(path, ending.endsWith('.gz') ? gzipSync(`${text}\n`) : `${text}\n`);
      return path;
    },
    async answer(queries, ...args) {
      const out = fresh('answers.ndjson');
      const { status, stdout, stderr } = await bspkit('batch', ...args, '--queries', queries, '--out', out);
      expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
      return parseTable(readFileSync(out, 'utf8'));
    },
  };
}
