import { serveBake } from './serve.ts';

serveBake();
