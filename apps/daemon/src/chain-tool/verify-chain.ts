import { setImmediate as nextTurn } from 'node:timers/promises';
import { monotonicMilliseconds, Yielder } from '@monero-node/base';
import { rebuildRecord, StoredBlockError } from '@monero-node/blockchain';
import { toHex } from '@monero-node/codec';
import { hasWholeBlock, type Network } from '@monero-node/consensus';
import {
  StorageError,
  type BlockContent,
  type Finding,
  type StoreCheck,
} from '@monero-node/storage';
import { checkSideRow } from './verify-side.ts';
import { treeFindings } from './verify-tree.ts';
import { addFindings, type VerifyState } from './verify-state.ts';

/** Milliseconds between two states that are kept for the next run. */
const SAVE_INTERVAL = 5000;

export interface VerifyOptions {
  readonly network: Network;
  readonly commitToAmount: (amount: bigint) => Uint8Array;
  readonly signal: AbortSignal;
  /** Called every few seconds and when the run is interrupted. */
  readonly onSave: (state: VerifyState) => void;
  readonly onFinding: (finding: Finding) => void;
  readonly onProgress: (done: number, total: number) => void;
}

/**
 * Checks every block and row of a store from the height of the state on, and adds what is wrong to the state.
 *
 * Throws the reason of the signal.
 */
export async function verifyChain(
  check: StoreCheck,
  state: VerifyState,
  options: VerifyOptions,
): Promise<void> {
  const { signal, onSave, onFinding } = options;
  const yielder = new Yielder();
  const add = (findings: readonly Finding[]) => {
    addFindings(state, findings);
    findings.forEach(onFinding);
  };
  const top = safely(() => check.meta(check.height - 1)?.cumulativeTxCount) ?? 0;
  let savedAt = monotonicMilliseconds();
  for (; state.height < check.height; state.height += 1) {
    if (signal.aborted) onSave(state);
    signal.throwIfAborted();
    const { height } = state;
    const findings = checkBlock(check, height, state, options);
    add(findings);
    // A read that failed spoils the snapshot of this turn.
    if (findings.length > 0) await nextTurn();
    const meta = safely(() => check.meta(height));
    state.topId = meta === undefined ? '' : toHex(meta.id);
    // A transaction takes longer than a block without any.
    options.onProgress(height + (meta?.cumulativeTxCount ?? 0), check.height + top);
    await yielder.yieldIfDue();
    if (monotonicMilliseconds() - savedAt < SAVE_INTERVAL) continue;
    onSave({ ...state, height: height + 1 });
    savedAt = monotonicMilliseconds();
  }
  add(await check.checkCounts(state.totals));
  for await (const findings of treeFindings(check, options)) add(findings);
  for (const row of check.sideRows()) {
    signal.throwIfAborted();
    add(checkSideRow(row, check));
    await yielder.yieldIfDue();
  }
}

/** Compares the rows of a block, and those of its outputs and key images, with what its bytes say. Adds to the totals. */
export function checkBlock(
  check: StoreCheck,
  height: number,
  { totals }: Pick<VerifyState, 'totals'>,
  options: Pick<VerifyOptions, 'network' | 'commitToAmount'>,
): Finding[] {
  const about = (table: string, problem: string): Finding[] => [
    { table, key: String(height), height, problem },
  ];
  try {
    const { content, findings } = check.read(height);
    if (content === undefined) return findings;
    const below = height === 0 ? undefined : check.meta(height - 1);
    const record = rebuildRecord(content, { ...options, below });
    return [...checkPruning(content, check, about), ...check.compare(record, totals)];
  } catch (error) {
    if (error instanceof StoredBlockError) return about(error.table, error.message);
    if (error instanceof StorageError) return about('block', `cannot be checked: ${error.message}`);
    throw error;
  }
}

/** Checks that no part is missing that the seed of the chain demands. */
function checkPruning(
  { txs, meta }: BlockContent,
  check: StoreCheck,
  about: (table: string, problem: string) => Finding[],
): Finding[] {
  if (!txs.some((tx) => tx.dropped)) return [];
  const row = check.property('pruning_seed');
  const seed = row?.length === 4 ? Buffer.from(row).readUInt32LE() : 0;
  if (!hasWholeBlock(meta.height, check.height, seed)) return [];
  return about('prunable', `lacks parts that a chain with pruning seed ${seed} keeps`);
}

function safely<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof StorageError) return undefined;
    throw error;
  }
}
