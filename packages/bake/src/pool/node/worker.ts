import type { BakeHandler } from '../serve.ts';
import { serveBake } from './serve.ts';

const handler: BakeHandler = serveBake();

export default handler;
