// Writes docs/reference/rpc.md, the RPC reference, from the field tables of packages/rpc-schema, and docs/reference/rpc-differences.md from
// the table of allowed differences in apps/daemon-e2e.
//
//   node tools/generate-rpc-docs.mjs
//
// Builds them first. Tests fail when the files are out of date.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const workspace = dirname(dirname(fileURLToPath(import.meta.url)));
const schema = join(workspace, 'packages/rpc-schema');
const compiler = join(workspace, 'node_modules/typescript/bin/tsc');

const e2e = join(workspace, 'apps/daemon-e2e');

const projects = [schema, e2e].map((folder) => join(folder, 'tsconfig.lib.json'));
execFileSync(process.execPath, [compiler, '-b', ...projects], { stdio: 'inherit' });
const load = (folder, path) => import(pathToFileURL(join(folder, 'dist', path)).href);
const { ALL_METHODS } = await load(schema, 'index.js');
const { rpcReference } = await load(schema, 'documents/index.js');
const { differencesDocument } = await load(e2e, 'replay/differences-document.js');

const file = join(workspace, 'docs/reference/rpc.md');
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, rpcReference(ALL_METHODS));
writeFileSync(join(workspace, 'docs/reference/rpc-differences.md'), differencesDocument());
console.log('wrote docs/reference/rpc.md and docs/reference/rpc-differences.md');
