// Makes a Debian package of the daemon, for this machine, in dist/: with the addons that this checkout compiled, for a try. Run it
// by `npm run package:deb` in a checkout that is set up; it needs dpkg-deb and binutils. `npm run release` makes those for others.
//
//   node tools/package-deb.mjs [--version V] [--out FOLDER] [--compression xz|gzip|none] [--node PROGRAM]
//
// Node is downloaded from npm unless --node names a program. The last line of output is the path of the package.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { makeDeb } from './package/deb.mjs';
import { librariesNeeded } from './package/libraries.mjs';
import { addons } from './publish/platforms.mjs';
import { readJson, ROOT } from './publish/packages.mjs';
import { bundle } from './release/bundle.mjs';
import { DOWNLOADS } from './release/downloads.mjs';
import { LOADERS } from './release/platforms.mjs';
import { prepareRuntime } from './release/runtime.mjs';
import { commitTime } from './release/same-bytes.mjs';
import { makeTree } from './release/tree.mjs';

const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64', arm: 'armhf', riscv64: 'riscv64' };

const { values } = parseArgs({
  options: {
    version: { type: 'string', default: readJson(join(ROOT, 'apps/daemon/package.json')).version },
    out: { type: 'string', default: join(ROOT, 'dist') },
    compression: { type: 'string', default: 'xz' },
    node: { type: 'string' },
  },
});

/** Ends with a sentence. */
function fail(sentence) {
  console.error(`package-deb: ${sentence}`);
  process.exit(1);
}

/** Returns the program of Node that the package contains. */
function runtime() {
  if (values.node !== undefined) return values.node;
  if (process.arch in LOADERS) return prepareRuntime(process.arch, DOWNLOADS).node;
  return fail(`there is no Node for ${process.arch}: name a program by --node`);
}

/** Returns the addon that lmdb has for this machine and every version of Node. */
function lmdbAddon() {
  const folder = join(ROOT, 'node_modules/@lmdb', `lmdb-linux-${process.arch}`);
  const name = readdirSync(folder).find((each) => /^node\.napi(?!.*musl).*\.node$/.test(each));
  return join(folder, name);
}

/** Returns the addon that this checkout compiled; undefined when it did not. */
function compiledAddon({ package: name, file }) {
  const path = join(ROOT, 'packages', name, 'native/build', file);
  return existsSync(path) ? path : undefined;
}

if (spawnSync('dpkg-deb', ['--version']).error) fail('dpkg-deb is not installed');
const architecture = ARCHITECTURES[process.arch] ?? fail(`no Debian name for ${process.arch}`);
const scratch = mkdtempSync(join(tmpdir(), 'package-deb-'));
try {
  const scripts = join(scratch, 'scripts');
  const lib = join(scratch, 'lib');
  const node = runtime();
  const lmdb = lmdbAddon();
  await bundle(scripts);
  makeTree({ target: lib, scripts, node, lmdb, addonFile: compiledAddon });
  const compiled = addons()
    .map(compiledAddon)
    .filter((file) => file !== undefined);
  const file = makeDeb({
    scratch,
    lib,
    loader: LOADERS[process.arch] ?? '/bin/sh',
    architecture,
    version: values.version,
    compression: values.compression,
    seconds: commitTime(),
    copyright: readFileSync(join(ROOT, 'LICENSE')),
    depends: librariesNeeded([node, lmdb, ...compiled]),
    folder: resolve(values.out),
  });
  console.log(file);
} catch (error) {
  fail(error.message);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
