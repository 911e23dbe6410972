// Finds packages of the lockfile that ask for a newer Node than this repository does: npm would warn, or refuse to install.
//
//   node tools/check-engines.mjs [LOCKFILE]
//
// A version that runs on our oldest Node goes into `overrides` of package.json. An optional package for another platform or
// Node is left out by npm without a word, so it is not looked at.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import semver from 'semver';
import { report, ROOT } from './markdown.mjs';

const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const oldest = semver.minVersion(engines.node).version;
const lockfile = process.argv[2] ?? join(ROOT, 'package-lock.json');
const packages = Object.entries(JSON.parse(readFileSync(lockfile, 'utf8')).packages);

const problems = packages
  .filter(([, { optional }]) => !optional)
  .filter(([, { engines }]) => engines?.node && !semver.satisfies(oldest, engines.node))
  .map(
    ([path, { version, engines }]) =>
      `${path} ${version} asks for Node ${engines.node}, which excludes ${oldest}`,
  );
report(problems, `${packages.length} packages run on Node ${oldest}`);
