import { toHex, type ParsedTransaction } from '@monero-node/codec';
import { silentLogger } from '@monero-node/base';
import type { Network } from '@monero-node/consensus';
import {
  bundleOf,
  EASY,
  SpendableChain,
  startTestChain,
  type TestChain,
} from '@monero-node/blockchain/testing';
import { createMemoryStore, type ChainStore } from '@monero-node/storage';
import type { RemovalReason } from '../events.ts';
import type { RelayMethod } from '../store/relay-method.ts';
import { TxPool, type TxPoolOptions } from '../tx-pool.ts';

/** Blocks after which the first outputs of a chain may be spent, with full rings. */
export const LENGTH = 80;

export const made = new SpendableChain(EASY, 'pool tests');
made.mineMany(LENGTH);

export interface TestPool extends TestChain {
  readonly pool: TxPool;
  /** Unix seconds; tests may change it. */
  readonly clock: { now: number };
  readonly removed: [id: string, reason: RemovalReason][];
  readonly relayed: [ids: string[], method: RelayMethod, from: string | undefined][];
  readonly published: string[];
}

export const key = ({ id }: { id: Uint8Array }): string => toHex(id);

export interface TestPoolOptions extends TxPoolOptions {
  network?: Network;
  store?: ChainStore;
  chain?: SpendableChain;
}

/** Returns a started pool on a chain in memory. */
export async function startTestPool(options: TestPoolOptions = {}): Promise<TestPool> {
  const { network = EASY, store = createMemoryStore(), chain: spendable = made, ...rest } = options;
  const test = await startTestChain(network, store);
  if (test.chain.height === 1) await test.chain.addSpan(spendable.blocks.map(bundleOf));
  const clock = { now: 1_790_000_000 };
  const pool = new TxPool(
    { now: () => clock.now, random: () => 0.37, ...rest },
    { blockchain: test.chain, store, logger: silentLogger },
  );
  const watched = { removed: [], relayed: [], published: [] } as Pick<
    TestPool,
    'removed' | 'relayed' | 'published'
  >;
  pool.on('removed', ({ transaction, reason }) => {
    watched.removed.push([key(transaction), reason]);
  });
  pool.on('relay', ({ transactions, method, from }) => {
    watched.relayed.push([transactions.map(key), method, from]);
  });
  pool.on('published', (transactions) => watched.published.push(...transactions.map(key)));
  await pool.start();
  return { ...test, pool, clock, ...watched };
}

/** A memo of valid transactions, which take half a second each to make: by the block spent and the fee. */
const memo = new Map<string, ParsedTransaction>();

export function spend(height: number, fee = 3_000_000_000n): ParsedTransaction {
  const at = `${height} ${fee}`;
  const tx = memo.get(at) ?? made.spend([height], { fee });
  memo.set(at, tx);
  return tx;
}

/** Returns the ids in a pool, in hex and sorted. */
export const ids = ({ pool }: Pick<TestPool, 'pool'>): string[] =>
  pool.transactions().map(key).sort();

/** Returns the ids of transactions, in hex and sorted. */
export const keys = (...txs: { readonly id: Uint8Array }[]): string[] => txs.map(key).sort();
