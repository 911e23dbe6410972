// Compiles the AssemblyScript below this directory to dist/assembly. `node assembly/build.mjs` from packages/pow.
import { fileURLToPath } from 'node:url';
import { compileAssembly } from '../../../tools/compile-assembly.mjs';

const entry = (path) => fileURLToPath(new URL(path, import.meta.url));
const output = (name) => fileURLToPath(new URL(`../dist/assembly/${name}`, import.meta.url));

await compileAssembly(entry('cryptonight/index.ts'), output('cryptonight.wasm'), ['--exportTable']);
await compileAssembly(entry('cryptonight/testing.ts'), output('cryptonight-testing.wasm'), []);
