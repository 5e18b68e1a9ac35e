import {
  COMPILE_TARGETS,
  CompileError,
  type CompileWarning,
  compileMap,
  type MapSource,
  parseMap,
} from '@bspkit/compile';
import { withLines } from '../app/edits.ts';
import type { Compiled, MapProblem } from '../tools/tool.ts';
import type { Answer, Question, Results, Unpacked, Work } from './messages.ts';
import { OWN_TEXTS } from './own-maps.ts';
import { readShaders } from './shaders.ts';
import { bytesOf, unpack } from './unpack.ts';

// What takes long happens here, so that the page goes on drawing.

declare const self: {
  onmessage: ((event: MessageEvent<Question>) => void) | null;
  postMessage(answer: Answer, transfer: Transferable[]): void;
};

type OwnWork = Extract<Work, { readonly kind: 'own' }>;
type CompileWork = Omit<Extract<Work, { readonly kind: 'compile' }>, 'kind'>;

self.onmessage = async ({ data: question }) => {
  const { id } = question;
  try {
    const value = await answer(question);
    self.postMessage({ id, value }, 'bytes' in value ? [value.bytes.buffer as ArrayBuffer] : []);
  } catch (error) {
    self.postMessage({ id, error: error instanceof Error ? error.message : String(error) }, []);
  }
};

function answer(question: Question): Promise<Results[keyof Results]> {
  if (question.kind === 'own') return compileOwn(question);
  if (question.kind === 'compile') return Promise.resolve(compile(question));
  if (question.kind === 'shaders') return readScripts(question.files);
  return unpackFile(question.file, question.inner);
}

async function compileOwn({ name, format, changes = [] }: OwnWork): Promise<Results['own']> {
  const { default: original } = await OWN_TEXTS[name]();
  const text = withLines(original, changes);
  let problem = 'It changes lines that the map does not have.';
  if (text !== undefined) {
    const made = compile({ text, format, materials: undefined });
    if (made.ok) return { bytes: made.bytes, text, original, problem: undefined };
    problem = made.problem.message;
  }
  const { bytes } = compileMap(parseMap(original, { target: format }), { format });
  return { bytes, text: original, original, problem };
}

function compile({ text, format, materials }: CompileWork): Compiled {
  let source: MapSource | undefined;
  try {
    const target = COMPILE_TARGETS.find(({ id }) => id === format);
    if (!target) throw new RangeError(`no compiler for ${format}`);
    source = parseMap(text, { target: format });
    const { bytes, warnings } = compileMap(source, {
      ...target.text.options?.(text),
      format,
      emptyBrush: 'leave-out',
      // Plain textures have no shader.
      ...(materials && { materials, unknownMaterial: 'solid' }),
    });
    return { ok: true, bytes, warnings: warnings.map(toProblem) };
  } catch (error) {
    if (error instanceof CompileError)
      return { ok: false, problem: toProblem(error), isMapText: source !== undefined };
    throw error;
  }
}

const toProblem = ({ message, line, entity, brush }: CompileError | CompileWarning): MapProblem => ({
  message,
  line,
  entity,
  brush,
});

async function readScripts(files: readonly File[]): Promise<Results['shaders']> {
  const scripts = files.map(async (file) => [file.name, await bytesOf(file)] as const);
  return { materials: readShaders(await Promise.all(scripts)) };
}

async function unpackFile(file: File, inner: string | undefined): Promise<Unpacked> {
  return unpack(file.name, await bytesOf(file), inner);
}
