import type { Logger, SecondClock } from '@monero-node/base';
import { BlockTemplates, type AddBlockResult, type Blockchain } from '@monero-node/blockchain';
import { parseBlock } from '@monero-node/codec';
import type { TxPool } from '@monero-node/mempool';
import {
  Miner,
  type BackgroundSettings,
  type ExtraMessages,
  type Finder,
  type MinerStart,
  type MiningLedger,
} from '@monero-node/miner';
import type { P2pNode } from '@monero-node/p2p';
import { createNonceSearcher, type PowHasher } from '@monero-node/pow';
import type { Part } from './lifecycle.ts';

export interface MiningSettings {
  /** Mining that starts once the node is synchronized; undefined: mining starts only on request. */
  readonly start?: MinerStart | undefined;
  /** Applies whenever background mining is started. */
  readonly background?: Partial<BackgroundSettings>;
  /** Messages for the coinbase transactions of blocks found. */
  readonly extraMessages?: ExtraMessages | undefined;
}

export interface MiningDependencies {
  readonly blockchain: Blockchain;
  readonly pool: TxPool;
  readonly p2p: P2pNode;
  readonly pow: PowHasher;
  /** Where blocks are written down. */
  readonly ledger: MiningLedger;
  readonly logger: Logger;
  /** Unix seconds; the system clock when absent. */
  readonly now?: SecondClock | undefined;
}

/** Block templates, the built-in miner, and the part that starts it once the node is synchronized. */
export interface Mining {
  readonly templates: BlockTemplates;
  readonly miner: Miner;
  readonly part: Part;
}

/** Creates the template builder and the miner. Mining starts with the returned part. */
export function createMining(settings: MiningSettings, deps: MiningDependencies): Mining {
  const { blockchain, pool, p2p, pow, now } = deps;
  const logger = deps.logger.child('miner');
  const { extraMessages } = settings;
  if (extraMessages !== undefined) {
    const { count, index } = extraMessages;
    logger.info(`Loaded ${count} extra messages, current index ${index}`);
  }
  const templates = new BlockTemplates({ blockchain, transactions: pool, ...(now && { now }) });
  const miner = new Miner(
    { background: settings.background ?? {} },
    {
      templates,
      blockchain,
      searcher: createNonceSearcher(pow),
      submit: (block) => submit(block, deps, logger),
      logger,
      extraMessages,
    },
  );
  deps.ledger.countWork(() => miner.hashes);
  const begin = (): void => {
    const { start } = settings;
    if (start === undefined) return;
    miner.start(start).catch((error: unknown) => logger.error(`mining: ${String(error)}`));
  };
  const start = (): Promise<void> => {
    if (p2p.synchronized) begin();
    else p2p.events.once('synchronized', begin);
    return Promise.resolve();
  };
  const pauseOrResume = (isVerifying: boolean): void => {
    if (isVerifying) miner.pause();
    else miner.resume();
  };
  p2p.events.on('verifying', pauseOrResume);
  const stop = (): Promise<void> => {
    p2p.events.off('synchronized', begin);
    p2p.events.off('verifying', pauseOrResume);
    return miner.stop();
  };
  return { templates, miner, part: { name: 'miner', start, stop } };
}

/** Returns whether a block of the miner was accepted. */
async function submit(
  block: Uint8Array,
  deps: MiningDependencies,
  logger: Logger,
): Promise<boolean> {
  const result = await addMinedBlock(block, { kind: 'miner', rig: '' }, deps);
  if (result.status === 'invalid') logger.error(`mined block rejected: ${result.error.message}`);
  return result.status === 'added' || result.status === 'reorganized';
}

/**
 * Adds the blob (bytes) of a block of this node to the chain; its transactions are in the pool. Announces it when it is on the main chain,
 * and writes it down in the ledger.
 */
export async function addMinedBlock(
  block: Uint8Array,
  finder: Finder,
  {
    blockchain,
    pool,
    p2p,
    ledger,
  }: Pick<MiningDependencies, 'blockchain' | 'pool' | 'p2p' | 'ledger'>,
): Promise<AddBlockResult> {
  const parsed = parseBlock(block);
  const origin = finder.kind === 'rig' ? `rig ${finder.rig}` : 'the miner of this node';
  const result = await ledger.mined(parsed.id, finder, () =>
    blockchain.addBlock(
      { block: parsed, txs: [] },
      { origin, findTransaction: (id) => pool.transactionBlob(id) },
    ),
  );
  if (result.status === 'added' || result.status === 'reorganized') p2p.relayBlock(result.height);
  return result;
}
