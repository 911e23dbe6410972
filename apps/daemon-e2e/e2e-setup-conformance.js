import { spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import setup from './e2e-setup.js';

const PREPARE = fileURLToPath(new URL('e2e-prepare-chains.js', import.meta.url));
/** What a file imports that asks for the recorded chain. */
const CHAINS = '/prepared-chains.ts';
/** A number that no worker of a run has: the program gets ports and a list of its processes of its own. */
const WORKER = '10';

/** Returns whether a file that this run has chosen asks for the recorded chain. */
function isAskedFor({ testPathPatterns }, { rootDir }) {
  const folder = join(rootDir, 'src/conformance');
  const chosen = testPathPatterns.toExecutor({ rootDir });
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .some((path) => chosen.isMatch(path) && readFileSync(path, 'utf8').includes(CHAINS));
}

/**
 * Begins to put the recorded chain into the data folders of monerod and of ours, while files that do not need it run already. One
 * that asks before they are complete waits. When this fails, such a file tries it again, and says why.
 */
export default function setupConformance(globalConfig, projectConfig) {
  const home = setup();
  if (!isAskedFor(globalConfig, projectConfig)) return;
  const log = openSync(join(home, 'prepare-chains.log'), 'a');
  const program = spawn(process.execPath, [PREPARE], {
    stdio: ['ignore', log, log],
    env: { ...process.env, NODE_OPTIONS: '', JEST_WORKER_ID: WORKER },
  });
  closeSync(log);
  program.unref();
  // Before what it has started is ended, so that it starts nothing more.
  process.prependListener('exit', () => program.kill('SIGKILL'));
}
