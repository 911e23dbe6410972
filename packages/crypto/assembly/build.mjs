// Compiles the AssemblyScript of this directory to dist/assembly. `node assembly/build.mjs` from packages/crypto.
import { fileURLToPath } from 'node:url';
import { compileAssembly, embedAssembly } from '../../../tools/compile-assembly.mjs';

const entry = (path) => fileURLToPath(new URL(path, import.meta.url));
const output = (name) => fileURLToPath(new URL(`../dist/assembly/${name}`, import.meta.url));

await compileAssembly(entry('index.ts'), output('crypto.wasm'));
await compileAssembly(entry('testing.ts'), output('testing.wasm'));
await compileAssembly(entry('derivations.ts'), output('derivations.wasm'), ['--enable', 'simd']);
for (const name of ['crypto.wasm', 'derivations.wasm', 'testing.wasm']) embedAssembly(output(name));
