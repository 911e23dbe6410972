// Compiles module.ts to dist/assembly. `node assembly/build.mjs` from packages/keccak.
import { fileURLToPath } from 'node:url';
import { compileAssembly, embedAssembly } from '../../../tools/compile-assembly.mjs';

const entry = fileURLToPath(new URL('module.ts', import.meta.url));
const output = fileURLToPath(new URL('../dist/assembly/keccak.wasm', import.meta.url));

await compileAssembly(entry, output);
embedAssembly(output);
