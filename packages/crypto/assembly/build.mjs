// Compiles the AssemblyScript of this directory to dist/assembly. `node assembly/build.mjs` from packages/crypto.
// With WITHOUT_TESTING=1 in the environment it leaves out what only tests use.
import { fileURLToPath } from 'node:url';
import { compileAssembly, embedAssembly } from '../../../tools/compile-assembly.mjs';

const entry = (path) => fileURLToPath(new URL(path, import.meta.url));
const output = (name) => fileURLToPath(new URL(`../dist/assembly/${name}`, import.meta.url));

await compileAssembly(entry('index.ts'), output('crypto.wasm'));
await compileAssembly(entry('derivations.ts'), output('derivations.wasm'), ['--enable', 'simd']);
const names = ['crypto.wasm', 'derivations.wasm'];
if (process.env.WITHOUT_TESTING !== '1') {
  await compileAssembly(entry('testing.ts'), output('testing.wasm'));
  names.push('testing.wasm');
}
for (const name of names) embedAssembly(output(name));
