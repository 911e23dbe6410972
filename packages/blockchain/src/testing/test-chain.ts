import {
  createInlineVerificationPool,
  createBackend,
  type VerificationPool,
} from '@monero-node/crypto';
import { NETWORKS, withOverrides, type Network } from '@monero-node/consensus';
import type { PowHasher } from '@monero-node/pow';
import { createMemoryStore, type ChainStore } from '@monero-node/storage';
import type { Blockchain } from '../blockchain.ts';
import { openBlockchain } from '../open.ts';
import type { BlockchainOptions } from '../options.ts';
import { silentLogger, type Logger } from '@monero-node/base';
import { mineBlock, type MineBlockOptions } from '../template/mine-block.ts';
import type { IncomingBlock } from '../types.ts';
import type { MadeBlock } from './block-factory.ts';

/** Regtest at difficulty 1, which every hash meets. */
export const EASY: Network = withOverrides(NETWORKS.regtest, { fixedDifficulty: 1n });

/** The clock of tests, Unix seconds: later than every block of the factory. */
export const NOW = 1_800_000_000;

/** A hasher that counts requests and returns the same hash for all. */
export class FixedPow implements PowHasher {
  readonly name = 'fixed';
  requests = 0;
  hashed: Uint8Array = new Uint8Array(32);

  hash(): Promise<Uint8Array> {
    this.requests++;
    return Promise.resolve(this.hashed);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

export interface TestChain {
  readonly verifier: VerificationPool;
  readonly chain: Blockchain;
  readonly store: ChainStore;
  readonly pow: FixedPow;
}

/** Opens a chain in memory. */
export async function startTestChain(
  network = EASY,
  store: ChainStore = createMemoryStore(),
  options: Partial<BlockchainOptions> = {},
  logger: Logger = silentLogger,
): Promise<TestChain> {
  const backend = createBackend();
  const pow = new FixedPow();
  const verifier = createInlineVerificationPool(backend);
  const chain = await openBlockchain(
    { network, now: () => NOW, ...options },
    { store, verifier, backend, pow, logger },
  );
  return { chain, store, pow, verifier };
}

/** Returns a block of the factory in the form that the chain takes. */
export function bundleOf({ parsed, txs }: MadeBlock): IncomingBlock {
  return { block: parsed, txs };
}

/** Mines blocks on top of a chain and returns them; they are in the chain then. */
export async function mineBlocks(
  chain: Blockchain,
  address: MineBlockOptions['address'],
  count: number,
): Promise<IncomingBlock[]> {
  const blocks: IncomingBlock[] = [];
  for (let i = 0; i < count; i++) {
    const { block } = await mineBlock(chain, { address, pow: new FixedPow(), now: () => NOW });
    blocks.push({ block, txs: [] });
  }
  return blocks;
}
