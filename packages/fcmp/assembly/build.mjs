// Compiles cycle-sum.ts to dist/assembly. `node assembly/build.mjs` from packages/fcmp.
import { fileURLToPath } from 'node:url';
import { compileAssembly, embedAssembly } from '../../../tools/compile-assembly.mjs';

const entry = fileURLToPath(new URL('cycle-sum.ts', import.meta.url));
const output = fileURLToPath(new URL('../dist/assembly/fcmp.wasm', import.meta.url));

await compileAssembly(entry, output);
embedAssembly(output);
