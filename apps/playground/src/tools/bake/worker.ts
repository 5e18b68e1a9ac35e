import { serveWork, type WorkQuestion } from '../serve.ts';
import { type Asked, computeBake } from './compute.ts';

serveWork<Asked & WorkQuestion>((format, question, report) =>
  computeBake(format, question.bytes, question, report),
);
