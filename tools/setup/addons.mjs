// The native addons of a checkout. As a program it compiles those of these that are stale, one after the other:
//
//   node tools/setup/addons.mjs [--background] crypto fcmp randomx
//
// With --background it says nothing and leaves the processor to others; its exit status is 1 when there is no addon afterwards.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toolchain } from '../native-toolchain.mjs';
import { isCurrent, mark, root, run, step } from './checkout.mjs';

/**
 * @typedef {'crypto' | 'fcmp' | 'randomx'} Addon
 */

/**
 * The folders with the sources of each addon.
 *
 * @type {Record<Addon, string>}
 */
const ADDONS = {
  crypto: 'packages/crypto/native',
  fcmp: 'packages/fcmp/native',
  randomx: 'packages/pow/native',
};
/**
 * The folders that each is compiled from: Ed25519 and Keccak of fcmp are headers of crypto.
 *
 * @type {Record<Addon, readonly string[]>}
 */
const SOURCES = {
  crypto: [ADDONS.crypto],
  fcmp: [ADDONS.fcmp, ADDONS.crypto],
  randomx: [ADDONS.randomx],
};
const NAMES = /** @type {Addon[]} */ (Object.keys(ADDONS));
const builder = join(root, 'tools/build-addon.mjs');
const program = fileURLToPath(import.meta.url);
/** Holds the id of the process that compiles in the background. */
const running = join(root, '.setup/addons-running');

/**
 * Returns a hash that changes when building an addon could have another result.
 *
 * @param {Addon} name
 */
function fingerprintOf(name) {
  const hash = createHash('sha256').update(toolchain());
  for (const source of SOURCES[name]) {
    const folder = join(root, source);
    for (const file of readdirSync(folder, { withFileTypes: true })) {
      if (file.isFile()) hash.update(file.name).update(readFileSync(join(folder, file.name)));
    }
  }
  return hash.update(readFileSync(builder)).digest('hex');
}

/** Returns the names of the addons that nobody has tried to build as they are now. */
export const staleAddons = () =>
  NAMES.filter((name) => {
    const results = [`${name}.node`, 'not-built.txt'];
    const hasResult = results.some((file) => existsSync(join(root, ADDONS[name], 'build', file)));
    return !hasResult || !isCurrent(`addon-${name}`, fingerprintOf(name));
  });

/**
 * Compiles addons, and prints for each whether it was built or why not.
 *
 * @param {readonly Addon[]} names
 */
export async function compileAddons(names) {
  if (names.length === 0) return;
  const outputs = await step('compiling native code', () =>
    Promise.all(
      names.map(async (name) => {
        const fingerprint = fingerprintOf(name);
        const output = await run(name, process.execPath, [builder, name], { shell: false });
        mark(`addon-${name}`, fingerprint);
        return output;
      }),
    ),
  );
  for (const output of outputs) {
    for (const line of output.match(/^\w+: native addon.*$/gm) ?? []) console.log(`setup: ${line}`);
  }
}

/** Returns whether a program of an earlier start is still compiling. */
function isCompiling() {
  if (!existsSync(running)) return false;
  try {
    return process.kill(Number(readFileSync(running, 'utf8')), 0);
  } catch {
    return false;
  }
}

/**
 * Compiles addons in the background; a line says when they are there. The process may end before.
 *
 * @param {readonly Addon[]} names
 */
export function compileAddonsInBackground(names) {
  if (names.length === 0) return;
  console.log(
    'setup: native code is being compiled in the background; until the next start the node uses WebAssembly',
  );
  if (isCompiling()) return;
  const child = spawn(process.execPath, [program, '--background', ...names], {
    cwd: root,
    stdio: 'ignore',
    detached: true,
  });
  child.on('error', () => undefined);
  child.on('exit', (status) => {
    console.log(
      status === 0
        ? 'setup: native code is compiled; start the node again to use it, which verifies several times as fast'
        : 'setup: native code could not be compiled; the log of the next start says why',
    );
  });
  if (child.pid !== undefined) writeFileSync(running, String(child.pid));
  child.unref();
}

/** @param {readonly string[]} args */
function main(args) {
  const inBackground = args[0] === '--background';
  const named = inBackground ? args.slice(1) : args;
  const names = NAMES.filter((name) => named.includes(name));
  if (inBackground) setPriority(constants.priority.PRIORITY_LOW);
  const stale = staleAddons();
  for (const name of names.filter((each) => stale.includes(each))) {
    const fingerprint = fingerprintOf(name);
    const stdio = inBackground ? 'ignore' : 'inherit';
    const { status } = spawnSync(process.execPath, [builder, name], { cwd: root, stdio });
    if (status !== 0) process.exit(status ?? 1);
    mark(`addon-${name}`, fingerprint);
  }
  // Another process may have that id one day.
  if (inBackground) rmSync(running, { force: true });
  /** @param {Addon} name */
  const isThere = (name) => existsSync(join(root, ADDONS[name], 'build', `${name}.node`));
  process.exitCode = !inBackground || names.some(isThere) ? 0 : 1;
}

if (process.argv[1] === program) main(process.argv.slice(2));
