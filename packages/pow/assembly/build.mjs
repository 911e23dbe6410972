// Compiles the AssemblyScript below this directory to dist/assembly. `node assembly/build.mjs` from packages/pow.
// With WITHOUT_TESTING=1 in the environment it leaves out what only tests use.
import { fileURLToPath } from 'node:url';
import { compileAssembly, embedAssembly } from '../../../tools/compile-assembly.mjs';

const entry = (path) => fileURLToPath(new URL(path, import.meta.url));
const output = (name) => fileURLToPath(new URL(`../dist/assembly/${name}`, import.meta.url));

await compileAssembly(entry('cryptonight/index.ts'), output('cryptonight.wasm'), ['--exportTable']);

const simd = ['--enable', 'simd', '--disableWarning', '112'];
const machine = [...simd, '--initialMemory', '33'];
// One memory of fixed size, that threads share: the cache.
const cache = [
  '--importMemory',
  '--sharedMemory',
  '--initialMemory',
  '4097',
  '--maximumMemory',
  '4097',
];
await compileAssembly(entry('randomx/index.ts'), output('randomx.wasm'), machine);
await compileAssembly(entry('randomx/argon2d.ts'), output('argon2d.wasm'), [
  ...simd,
  ...['--enable', 'threads', ...cache],
]);

const modules = ['cryptonight', 'randomx', 'argon2d'];
if (process.env.WITHOUT_TESTING !== '1') {
  await compileAssembly(entry('cryptonight/testing.ts'), output('cryptonight-testing.wasm'), []);
  await compileAssembly(entry('randomx/testing.ts'), output('randomx-testing.wasm'), simd);
  modules.push('cryptonight-testing', 'randomx-testing');
}
for (const name of modules) embedAssembly(output(`${name}.wasm`));
