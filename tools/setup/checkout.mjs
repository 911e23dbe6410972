// Shared by both set-ups of a checkout: tools/setup.mjs prepares everything, tools/prepare-daemon.mjs only the daemon.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { clearInterval, setInterval } from 'node:timers';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const stampDir = join(root, '.setup');
const NODE_MINIMUM = { major: 20, minor: 19 };
/** Longest time without a line, in milliseconds. */
const QUIET_MS = 8000;
const BUILD_DIRS = ['packages', 'apps', 'tools'];
const NOT_SOURCE = new Set(['node_modules', 'dist', 'out-tsc', 'build', 'fixtures', 'coverage']);

/**
 * What a command has printed, and why it failed if it did.
 *
 * @typedef {{ output: string, failure: string | undefined }} Outcome
 */

/** @param {number} since time of Date.now() */
const seconds = (since) => `${((Date.now() - since) / 1000).toFixed(1)} s`;

/**
 * Does a step, with a line when it ends and lines while it lasts.
 *
 * @template T
 * @param {string} what
 * @param {() => Promise<T>} work
 */
export async function step(what, work) {
  const began = Date.now();
  const say = () => console.log(`setup: ${what} ... ${seconds(began)}`);
  const timer = setInterval(say, QUIET_MS);
  try {
    const result = await work();
    console.log(`setup: ${what}: ${seconds(began)}`);
    return result;
  } finally {
    clearInterval(timer);
  }
}

/**
 * Runs a command. Returns its output, and why it failed if it did.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, shell?: boolean }} [options]
 * @returns {Promise<Outcome>}
 */
function attempt(command, args, options) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
      ...options,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    }
    child.on('error', (error) => resolve({ output, failure: error.message }));
    child.on('close', (status) =>
      resolve({ output, failure: status === 0 ? undefined : `status ${status}` }),
    );
  });
}

/**
 * Returns the output of a command. When it failed, shows the output and ends the process.
 *
 * @param {string} what
 * @param {Outcome} outcome
 * @returns {string}
 */
function outputOf(what, { output, failure }) {
  if (failure === undefined) return output;
  process.stderr.write(`${output}\nsetup: ${what} failed: ${failure}\n`);
  return process.exit(1);
}

/**
 * Runs a command; returns its output. A failure shows it and ends the process.
 *
 * @param {string} what
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, shell?: boolean }} [options]
 */
export const run = async (what, command, args, options = {}) =>
  outputOf(what, await attempt(command, args, options));

/** Ends the process with a sentence when this version of Node is too old. */
export function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const least = NODE_MINIMUM;
  if (major > least.major || (major === least.major && minor >= least.minor)) return;
  console.error(
    `setup: Node ${least.major}.${least.minor} or newer is required; this is ${process.version}`,
  );
  process.exit(1);
}

/**
 * Returns whether a step was marked as done with this fingerprint.
 *
 * @param {string} name
 * @param {string} fingerprint
 */
export function isCurrent(name, fingerprint) {
  const file = join(stampDir, name);
  return existsSync(file) && readFileSync(file, 'utf8') === fingerprint;
}

/**
 * Marks a step as done.
 *
 * @param {string} name
 * @param {string} fingerprint
 */
export function mark(name, fingerprint) {
  mkdirSync(stampDir, { recursive: true });
  writeFileSync(join(stampDir, name), fingerprint);
}

/**
 * Takes back the mark of a step.
 *
 * @param {string} name
 */
export function unmark(name) {
  rmSync(join(stampDir, name), { force: true });
}

/** Returns a hash that changes when other node modules have to be installed. */
export function modulesFingerprint() {
  return (
    createHash('sha256')
      .update(readFileSync(join(root, 'package-lock.json')))
      // Not the version of Node: compiled modules come for all versions, and none is compiled here.
      .update(`${process.platform} ${process.arch}`)
      .digest('hex')
  );
}

/**
 * Installs the node modules of the lockfile. No module runs a program of its own at that, which could do anything; those of ours
 * that have one, listed under `allowScripts` in package.json, work without it.
 *
 * @param {readonly string[]} args further ones of `npm ci`
 */
export const npmCi = (args) =>
  step('installing node modules', async () => {
    const all = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', ...args];
    // Without asking the registry about every package in npm's cache; the lockfile has the digests.
    const first = await attempt('npm', [...all, '--prefer-offline']);
    // The cache may know a package, but not yet the version of the lockfile.
    if (first.failure !== undefined && first.output.includes('ETARGET'))
      await run('npm ci', 'npm', [...all, '--prefer-online']);
    else outputOf('npm ci', first);
  });

/**
 * Returns whether every node module is installed.
 *
 * @param {string} fingerprint
 */
export const hasAllModules = (fingerprint) =>
  existsSync(join(root, 'node_modules/nx')) && isCurrent('modules', fingerprint);

/** Returns a hash of the name, size and time of every file that a build reads. */
export function sourceFingerprint() {
  const hash = createHash('sha256');
  /** @param {string} dir */
  const walk = (dir) => {
    for (const entry of readdirSync(dir, { withFileTypes: true })) {
      if (NOT_SOURCE.has(entry.name)) continue;
      const path = join(dir, entry.name);
      if (entry.isDirectory()) {
        walk(path);
      } else if (!/\.(spec|fuzz)\.ts$/.test(entry.name)) {
        const { size, mtimeMs } = statSync(path);
        hash.update(`${path} ${size} ${mtimeMs}\n`);
      }
    }
  };
  for (const dir of BUILD_DIRS) walk(join(root, dir));
  for (const file of ['package-lock.json', 'tsconfig.base.json', 'nx.json']) {
    hash.update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}
