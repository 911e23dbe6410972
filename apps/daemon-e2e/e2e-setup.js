import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killLeftovers } from './leftovers.js';

/** One folder for the whole run; suites find it through the environment. Nothing outlives the run. */
export default function setup() {
  const home = (process.env.MONERO_NODE_E2E_HOME ??= mkdtempSync(
    join(tmpdir(), 'monero-node-e2e-'),
  ));
  process.on('exit', () => killLeftovers(home));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => process.exit(130));
  }
}
