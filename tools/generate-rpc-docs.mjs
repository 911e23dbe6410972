// Writes docs/rpc.md, the reference of the RPC, from the field tables of packages/rpc.
//
//   node tools/generate-rpc-docs.mjs
//
// Builds that package first. A test of it fails when the file is out of date.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const workspace = dirname(dirname(fileURLToPath(import.meta.url)));
const rpc = join(workspace, 'packages/rpc');
const compiler = join(workspace, 'node_modules/typescript/bin/tsc');

execFileSync(process.execPath, [compiler, '-b', join(rpc, 'tsconfig.lib.json')], {
  stdio: 'inherit',
});
const load = (path) => import(pathToFileURL(join(rpc, 'dist', path)).href);
const { METHODS } = await load('methods/index.js');
const { rpcReference } = await load('openapi/markdown.js');

const file = join(workspace, 'docs/rpc.md');
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, rpcReference(METHODS));
console.log('wrote docs/rpc.md');
