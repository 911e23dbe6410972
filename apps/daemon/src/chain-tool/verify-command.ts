import { join } from 'node:path';
import { createBackend } from '@monero-node/crypto';
import { CHAIN_DIR } from '@monero-node/node';
import { StoreCheck, type Finding } from '@monero-node/storage';
import { DATA_FILE } from '@monero-node/storage/system';
import { UsageError } from '../cli/usage-error.ts';
import { EXIT } from '../ending/exit-codes.ts';
import { StepProgress } from './step-progress.ts';
import type { StoreTask } from './store-task.ts';
import { verifySignatures } from './verify-signatures.ts';
import { unfinishedTree } from './verify-tree.ts';
import { verifyChain } from './verify-chain.ts';
import {
  emptyState,
  fileIdentity,
  loadState,
  MAX_FINDINGS,
  removeState,
  saveState,
} from './verify-state.ts';

/** File in the data directory that holds the state of an interrupted run. */
const STATE_FILE = 'verify-state.json';

/**
 * Checks every row of a chain at rest and prints what is wrong. A run that was interrupted goes on where it was. Returns the
 * exit status: 1 when something is wrong.
 *
 * Throws UsageError, StorageError, and the reason of the signal.
 */
export async function verifyCommand(task: StoreTask): Promise<number> {
  const { settings, own, words, print, signal } = task;
  if (words.length > 0) throw new UsageError(`unexpected '${words.join(' ')}'`);
  if (own.has('signatures')) return verifySignatures(task);
  for (const name of ['pow', 'from', 'to'] as const)
    if (own.has(name)) throw new UsageError(`--${name} needs --signatures`);
  const path = join(settings.dataDir, STATE_FILE);
  const check = await StoreCheck.open(join(settings.dataDir, CHAIN_DIR));
  try {
    if (own.has('restart')) removeState(path);
    const file = fileIdentity(join(settings.dataDir, CHAIN_DIR, DATA_FILE));
    const state = loadState(path, check, file) ?? emptyState(file);
    if (state.height > 0) print(`going on at block ${state.height} of ${check.height}`);
    for (const finding of state.findings) print(describeFinding(finding));
    let printed = state.findings.length;
    const backend = createBackend(settings.cryptoBackend);
    await verifyChain(check, state, {
      network: settings.network,
      commitToAmount: (amount) => backend.commitToAmount(amount),
      signal,
      onSave: (reached) => saveState(path, reached),
      onFinding: (finding) => {
        if (printed++ < MAX_FINDINGS) print(describeFinding(finding));
      },
      onProgress: new StepProgress('verified', print).update,
    });
    removeState(path);
    const unfinished = unfinishedTree(check);
    if (unfinished !== undefined) print(unfinished);
    if (state.findingCount === 0) {
      print(`${check.height} blocks verified: every row is as it must be`);
      return EXIT.ok;
    }
    print(adviceFor(state.findingCount, state.findings));
    return EXIT.failed;
  } finally {
    await check.close();
  }
}

function describeFinding({ table, key, height, problem }: Finding): string {
  const row = key === '' ? `table ${table}` : `row ${key} of table ${table}`;
  const block = height === undefined || key === String(height) ? '' : ` (block ${height})`;
  return `${row}${block} ${problem}`;
}

function adviceFor(count: number, findings: readonly Finding[]): string {
  const heights = findings.flatMap(({ height }) => height ?? []);
  const lowest = heights.length === findings.length ? Math.min(...heights) : 0;
  const pop =
    lowest > 1
      ? `; or start the node and pop the blocks from height ${lowest} on (pop_blocks)`
      : '';
  const rows = count === 1 ? '1 row is wrong' : `${count} rows are wrong`;
  return `${rows}: restore a backup, or import the chain into an empty data directory (chain import)${pop}`;
}
