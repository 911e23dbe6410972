// Puts the recorded chain into the data folders that suites get copies of: a program of the set-up.
import { register } from 'node:module';

register('../../tools/typescript-hooks.mjs', import.meta.url);
const { ourDataWithChain } = await import('./src/harness/prepared-chains.ts');

// Ours synchronizes from monerod, so that both are made.
await ourDataWithChain();
