import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killLeftovers } from './leftovers.js';

let made;

/** Makes the folder of the whole run, which suites find through the environment, and returns it. Nothing outlives the run. */
export default function setup() {
  if (made !== undefined) return made;
  const home = (process.env.MONERO_NODE_E2E_HOME ??= mkdtempSync(
    join(tmpdir(), 'monero-node-e2e-'),
  ));
  process.on('exit', () => killLeftovers(home));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => process.exit(130));
  }
  return (made = home);
}
