// Runs the end-to-end suites of apps/daemon-e2e against the real monerod, two at a time.
//
//   node tools/run-e2e.mjs [--minutes N] [--workers N] [--keep] [SUITE...]
//   node tools/run-e2e.mjs --except SUITE...
//
// SUITE is part of a path, such as "src/system", "09-" or "reorg"; by default all suites run. `--except` runs all but those
// whose file names begin so. After the time limit (40 minutes by default) or on Ctrl-C, everything that was started is stopped. The last line of output is
// `N passed, N failed, N skipped`. Logs and data folders are kept if a test failed.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { killLeftovers } from '../apps/daemon-e2e/leftovers.js';

const workspace = dirname(dirname(fileURLToPath(import.meta.url)));
const project = join(workspace, 'apps/daemon-e2e');
const GRACE_MS = 10_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: process.env.E2E_MINUTES ?? '40' },
    workers: { type: 'string', default: process.env.E2E_WORKERS ?? '2' },
    keep: { type: 'boolean', default: false },
    except: { type: 'boolean', default: false },
  },
});

if (!existsSync(join(workspace, 'apps/daemon/dist/main.js'))) {
  console.error('The daemon is not built: run "npm run setup" first.');
  process.exit(1);
}

const home = mkdtempSync(join(tmpdir(), 'monero-node-e2e-'));
const results = join(home, 'results.jsonl');

function startJest() {
  return spawn(
    process.execPath,
    [
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      join(workspace, 'node_modules/jest/bin/jest.js'),
      ...['--config', 'e2e.jest.config.js', '--maxWorkers', values.workers],
      ...(values.except
        ? ['--testPathIgnorePatterns', ...positionals.map((each) => `/${each}`)]
        : positionals),
    ],
    {
      cwd: project,
      stdio: 'inherit',
      env: { ...process.env, MONERO_NODE_E2E_HOME: home, E2E_RESULTS: results },
    },
  );
}

/** Returns the counts that the reporter wrote, so that suites that ended before a time-out are included. */
function summary() {
  const lines = existsSync(results) ? readFileSync(results, 'utf8').trim().split('\n') : [];
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const line of lines.filter((text) => text !== '')) {
    const suite = JSON.parse(line);
    for (const key of Object.keys(total)) total[key] += suite[key];
  }
  return total;
}

const jest = startJest();
let late = false;
const timer = setTimeout(
  () => {
    late = true;
    console.error(`The time limit of ${values.minutes} minutes is over.`);
    jest.kill('SIGTERM');
    setTimeout(() => jest.kill('SIGKILL'), GRACE_MS).unref();
  },
  Number(values.minutes) * 60_000,
);
let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    interrupted = true;
    jest.kill('SIGTERM');
    setTimeout(() => jest.kill('SIGKILL'), GRACE_MS).unref();
  });
}

const code = await new Promise((resolve) => jest.once('exit', (exit) => resolve(exit)));
clearTimeout(timer);
const leftovers = killLeftovers(home);
if (leftovers > 0) console.error(`ended ${leftovers} processes that were left running`);

const total = summary();
// A run that was interrupted or could not start must not count as passed.
if ((late || interrupted || code !== 0) && total.failed === 0) total.failed = 1;
if (total.failed > 0 || values.keep) console.error(`logs and data: ${home}`);
else rmSync(home, { recursive: true, force: true });
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed > 0 ? 1 : 0;
