// Checks what the lockfile would install:
//
//   node tools/check-lockfile.mjs [LOCKFILE]
//
// - Every package runs on the oldest Node that this repository supports: npm would warn, or refuse to install. A version that does
//   goes into `overrides` of package.json. An optional package for another platform or Node is left out by npm without a word, so it
//   is not looked at.
// - Every package from outside has a SHA-512 digest, and comes from no registry or address of its own.
// - `allowScripts` of package.json names every package that has a program to run at installation, and no other.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import semver from 'semver';
import { report, ROOT } from './markdown.mjs';

const { engines, allowScripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const oldest = semver.minVersion(engines.node).version;
const lockfile = process.argv[2] ?? join(ROOT, 'package-lock.json');
const packages = Object.entries(JSON.parse(readFileSync(lockfile, 'utf8')).packages);
/** Those from outside: not the workspaces, nor the links to them. */
const foreign = packages.filter(([path, { link }]) => path.includes('node_modules/') && !link);
const nameOf = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

const newer = packages
  .filter(([, { optional }]) => !optional)
  .filter(([, { engines }]) => engines?.node && !semver.satisfies(oldest, engines.node))
  .map(
    ([path, { version, engines }]) =>
      `${path} ${version} asks for Node ${engines.node}, which excludes ${oldest}`,
  );

const unverified = foreign
  .filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''))
  .map(([path]) => `${path} has no SHA-512 digest`);
const placed = foreign
  .filter(([, { resolved }]) => resolved !== undefined)
  .map(([path, { resolved }]) => `${path} comes from ${resolved}: see CONTRIBUTING.md`);

const running = new Set(
  foreign.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => nameOf(path)),
);
const scripts = [
  ...[...running]
    .filter((name) => !(name in allowScripts))
    .map((name) => `${name} runs a program at installation: decide on it in allowScripts`),
  ...Object.keys(allowScripts)
    .filter((name) => !running.has(name))
    .map((name) => `${name} in allowScripts has nothing to run`),
];

report(
  [...newer, ...unverified, ...placed, ...scripts],
  `${packages.length} packages run on Node ${oldest}, have digests and run nothing unasked`,
);
