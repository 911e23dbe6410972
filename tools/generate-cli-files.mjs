// Writes the man page, the shell completions and the table of options, deploy/man, deploy/completions and
// docs/reference/options.md, from the options of apps/daemon.
//
//   node tools/generate-cli-files.mjs
//
// Builds the daemon first. A test of the daemon fails when the files are out of date.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const workspace = dirname(dirname(fileURLToPath(import.meta.url)));
const daemon = join(workspace, 'apps/daemon');
const compiler = join(workspace, 'node_modules/typescript/bin/tsc');

const project = join(daemon, 'tsconfig.lib.json');
execFileSync(process.execPath, [compiler, '-b', project], { stdio: 'inherit' });
const { cliFiles } = await import(pathToFileURL(join(daemon, 'dist/manual/cli-files.js')).href);
for (const [path, content] of cliFiles()) {
  const file = join(workspace, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  console.log(`wrote ${path}`);
}
