import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Yielder } from '@monero-node/base';
import { bytesEqual, fromHex, parseBlock, toHex } from '@monero-node/codec';
import {
  BLOCK_GROUP_SIZE,
  hashGroupIds,
  hashGroupWeights,
  type BlockGroup,
  type Network,
} from '@monero-node/consensus';
import { checkCopy, StoreCheck, StorageError, type BlockMeta } from '@monero-node/storage';
import { DATA_FILE } from '@monero-node/storage/system';
import type { SeedCheckLevel } from '../cli/seed-settings.ts';
import { checkBlock, verifyChain } from './verify-chain.ts';
import { emptyState } from './verify-state.ts';
import type { SeedManifest } from '../seed/manifest.ts';
import { SeedRefusedError } from '../seed/seed-error.ts';

/** Newest blocks whose rows are compared in any case: those of a day. */
const NEWEST = 720;

export interface SeedCheckOptions {
  readonly level: SeedCheckLevel;
  readonly network: Network;
  /** The trusted list; blocks below its end must be those. */
  readonly groups: readonly BlockGroup[];
  /** Returns the 32-byte commitment to an amount in atomic units. */
  readonly commitToAmount: (amount: bigint) => Uint8Array;
  readonly signal: AbortSignal;
  /** Called with blocks, or with what `verifyChain` counts. */
  readonly onProgress: (done: number, total: number) => void;
}

/**
 * Verifies the store that was copied to a folder, and leaves nothing but the data file there: that its newest block is that of
 * the manifest, its first one that of the network, its blocks those of the trusted list, and from there on that each follows the
 * one below, with more work; the rows of the newest blocks; with level `rows`, all rows.
 *
 * Rejects with SeedRefusedError, which names what is wrong, and with the reason of the signal.
 */
export async function checkSeed(
  folder: string,
  { height, topId }: Pick<SeedManifest, 'height' | 'topId'>,
  options: SeedCheckOptions,
): Promise<void> {
  try {
    await checkCopy(folder, { height, topId: fromHex(topId) });
    const check = await StoreCheck.open(folder);
    try {
      checkGenesis(check, options.network);
      await checkTrusted(check, options);
      await checkLinks(check, options);
      if (options.level === 'rows') await checkRows(check, options);
      else await checkNewest(check, options);
    } finally {
      await check.close();
    }
  } catch (error) {
    options.signal.throwIfAborted();
    if (error instanceof StorageError && error.code !== 'io')
      throw new SeedRefusedError(`the chain of the source cannot be used: ${error.message}`);
    throw error;
  } finally {
    for (const name of readdirSync(folder))
      if (name !== DATA_FILE) rmSync(join(folder, name), { force: true });
  }
}

function metaAt(check: StoreCheck, height: number): BlockMeta {
  const meta = check.meta(height);
  if (meta === undefined) throw wrong(height, 'is missing');
  return meta;
}

const wrong = (height: number, what: string): SeedRefusedError =>
  new SeedRefusedError(`block ${height} of the source ${what}`);

function checkGenesis(check: StoreCheck, { genesisId, name }: Network): void {
  const { id } = metaAt(check, 0);
  if (!bytesEqual(id, genesisId)) throw wrong(0, `is ${toHex(id)}, which is not that of ${name}`);
}

async function checkTrusted(
  check: StoreCheck,
  { groups, signal, onProgress }: SeedCheckOptions,
): Promise<void> {
  const yielder = new Yielder();
  for (const [number, group] of groups.entries()) {
    const from = number * BLOCK_GROUP_SIZE;
    if (from + BLOCK_GROUP_SIZE > check.height) return;
    const metas = Array.from({ length: BLOCK_GROUP_SIZE }, (_, i) => metaAt(check, from + i));
    const isSame =
      bytesEqual(hashGroupIds(metas.map(({ id }) => id)), group.ids) &&
      bytesEqual(hashGroupWeights(metas.map(({ weight }) => BigInt(weight))), group.weights);
    if (!isSame)
      throw new SeedRefusedError(
        `blocks ${from} to ${from + BLOCK_GROUP_SIZE - 1} of the source are not those of the trusted list`,
      );
    signal.throwIfAborted();
    onProgress(from, check.height);
    await yielder.yieldIfDue();
  }
}

/** From the end of the list on: each block hashes to its id, follows the one below and adds work. */
async function checkLinks(
  check: StoreCheck,
  { groups, signal, onProgress }: SeedCheckOptions,
): Promise<void> {
  const yielder = new Yielder();
  const complete = Math.floor(check.height / BLOCK_GROUP_SIZE);
  const first = Math.max(1, Math.min(groups.length, complete) * BLOCK_GROUP_SIZE);
  for (let height = first; height < check.height; height += 1) {
    const [below, meta] = [metaAt(check, height - 1), metaAt(check, height)];
    const { id, prevId } = hashed(check, height);
    if (!bytesEqual(id, meta.id))
      throw wrong(height, `hashes to ${toHex(id)}, not ${toHex(meta.id)}`);
    if (!bytesEqual(prevId, below.id)) throw wrong(height, 'does not follow the block below');
    if (meta.cumulativeDifficulty <= below.cumulativeDifficulty)
      throw wrong(height, 'adds no work');
    signal.throwIfAborted();
    onProgress(height, check.height);
    await yielder.yieldIfDue();
  }
}

function hashed(check: StoreCheck, height: number): { id: Uint8Array; prevId: Uint8Array } {
  const blob = check.blob(height);
  if (blob === undefined) throw wrong(height, 'is missing');
  try {
    const { id, block } = parseBlock(blob);
    return { id, prevId: block.prevId };
  } catch (error) {
    throw wrong(height, `is no block: ${(error as Error).message}`);
  }
}

async function checkNewest(check: StoreCheck, options: SeedCheckOptions): Promise<void> {
  const yielder = new Yielder();
  const { totals } = emptyState('');
  for (let height = Math.max(0, check.height - NEWEST); height < check.height; height += 1) {
    const [finding] = checkBlock(check, height, { totals }, options);
    if (finding !== undefined)
      throw wrong(height, `has a wrong row: table ${finding.table} ${finding.problem}`);
    options.signal.throwIfAborted();
    await yielder.yieldIfDue();
  }
}

async function checkRows(check: StoreCheck, options: SeedCheckOptions): Promise<void> {
  const state = emptyState('');
  await verifyChain(check, state, {
    ...options,
    onSave: () => undefined,
    onFinding: ({ table, key, problem }) => {
      throw new SeedRefusedError(`row ${key} of table ${table} of the source ${problem}`);
    },
  });
}
