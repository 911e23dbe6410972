// Writes docs/reference/fork-rules.md, every rule under every fork, from the tests of packages/consensus.
//
//   node tools/generate-fork-docs.mjs
//
// Needs the packages below consensus built. A test of consensus fails when the file is out of date.
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const workspace = dirname(dirname(fileURLToPath(import.meta.url)));
const consensus = join(workspace, 'packages/consensus');
// Beside the built package, so that the packages it needs are found.
const bundle = join(consensus, 'dist/fork-rule-docs.mjs');

await build({
  entryPoints: [join(consensus, 'src/testing/fork-rule-docs.ts')],
  outfile: bundle,
  bundle: true,
  format: 'esm',
  platform: 'node',
  packages: 'external',
});
try {
  const { forkRulesDocument } = await import(pathToFileURL(bundle).href);
  writeFileSync(join(workspace, 'docs/reference/fork-rules.md'), forkRulesDocument());
} finally {
  rmSync(bundle);
}
console.log('wrote docs/reference/fork-rules.md');
