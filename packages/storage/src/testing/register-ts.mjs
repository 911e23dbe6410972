// `node --import <this file> x.ts` runs TypeScript from source, so that tests can start child processes.
import { register } from 'node:module';

register('../../../../tools/typescript-hooks.mjs', import.meta.url);
