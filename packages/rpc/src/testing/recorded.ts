import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { silentLogger } from '@monero-node/base';
import {
  openBlockchain,
  type Blockchain,
  parseBundle,
  type IncomingBlock,
} from '@monero-node/blockchain';
import { fromHex, parseTransaction, toHex } from '@monero-node/codec';
import { NETWORKS, withOverrides } from '@monero-node/consensus';
import { countItems, createBackend, type VerificationPool } from '@monero-node/crypto';
import type { PoolTransaction } from '@monero-node/mempool';
import { createMemoryStore } from '@monero-node/storage';
import type { RpcPool } from '../pool.ts';

/** One call to a real monerod and what it answered. */
export interface RecordedCall {
  readonly port: 'rpc' | 'restricted';
  readonly verb: string;
  readonly path: string;
  /** Unix seconds. */
  readonly now: number;
  readonly request?: string;
  readonly request_b64?: string;
  readonly status: number;
  readonly type?: string;
  readonly answer?: string;
  readonly answer_b64?: string;
}

interface RecordedPoolTransaction {
  readonly id_hash: string;
  readonly tx_blob: string;
  readonly weight: number;
  readonly fee: number;
  readonly receive_time: number;
  /** A string, as it may be 2^64 - 1. */
  readonly last_relayed_time: string;
  readonly relayed: boolean;
  readonly do_not_relay: boolean;
  readonly kept_by_block: boolean;
  readonly double_spend_seen: boolean;
  readonly max_used_block_height: number;
  readonly max_used_block_id_hash: string;
  readonly last_failed_height: number;
  readonly last_failed_id_hash: string;
}

interface RecordedChain {
  readonly blocks: readonly { readonly blob: string; readonly txs: readonly string[] }[];
  readonly alternatives: readonly string[];
  readonly pool: readonly RecordedPoolTransaction[];
}

function fixture(name: string): unknown {
  const file = new URL(`../../fixtures/${name}.json.gz`, import.meta.url);
  return JSON.parse(gunzipSync(readFileSync(file)).toString('utf8'));
}

export const recordedCalls = (): readonly RecordedCall[] => fixture('calls') as RecordedCall[];

/** Accepts every proof: what is tested here is not verification. */
const YES: VerificationPool = {
  threads: 1,
  backendName: 'none',
  check: (check) => {
    const isBatch = check.kind === 'bulletproof' || check.kind === 'bulletproof-plus';
    return Promise.resolve(Array<boolean>(isBatch ? 1 : countItems(check)).fill(true));
  },
  close: () => Promise.resolve(),
};

/** The blocks of the recorded chain, from height 1. */
export function recordedBundles(): IncomingBlock[] {
  const { blocks } = fixture('chain') as RecordedChain;
  return blocks.map(({ blob, txs }) =>
    parseBundle({ block: fromHex(blob), txs: txs.map(fromHex) }),
  );
}

/** The recorded chain in memory: all of it with its alternative blocks, or only up to a height. */
export async function recordedChain(upTo?: number): Promise<Blockchain> {
  const chain = await openBlockchain(
    { network: withOverrides(NETWORKS.regtest, { fixedDifficulty: 1n }) },
    {
      store: createMemoryStore(),
      verifier: YES,
      backend: createBackend(),
      pow: {
        name: 'none',
        hash: () => Promise.resolve(new Uint8Array(32)),
        close: () => Promise.resolve(),
      },
      logger: silentLogger,
    },
  );
  const { results } = await chain.addSpan(recordedBundles().slice(0, upTo));
  if (results.at(-1)?.status !== 'added') throw new Error('the recorded chain was not taken');
  if (upTo !== undefined) return chain;
  const { alternatives } = fixture('chain') as RecordedChain;
  for (const blob of alternatives)
    await chain.addBlock(parseBundle({ block: fromHex(blob), txs: [] }));
  return chain;
}

/** The recorded pool. */
export function recordedPool(): RpcPool {
  const transactions = (fixture('chain') as RecordedChain).pool.map(poolTransaction);
  const same = (a: Uint8Array, b: Uint8Array): boolean => toHex(a) === toHex(b);
  return {
    transactions: () => transactions,
    count: (all) => transactions.filter(({ broadcast }) => all || broadcast).length,
    transaction: (id) => transactions.find((tx) => same(tx.id, id)),
    isSpent: (image) => transactions.some((tx) => tx.keyImages.some((own) => same(own, image))),
    templateBacklog: () => transactions,
    changesSince: () => ({ incremental: false, added: transactions, removed: [] }),
    idle: () => Promise.resolve(),
  };
}

function poolTransaction(recorded: RecordedPoolTransaction): PoolTransaction {
  const blob = fromHex(recorded.tx_blob);
  const { inputs } = parseTransaction(blob).tx;
  return {
    id: fromHex(recorded.id_hash),
    blob,
    weight: recorded.weight,
    fee: BigInt(recorded.fee),
    receiveTime: recorded.receive_time,
    lastRelayedTime: Number(recorded.last_relayed_time),
    relayed: recorded.relayed,
    doNotRelay: recorded.do_not_relay,
    keptByBlock: recorded.kept_by_block,
    doubleSpendSeen: recorded.double_spend_seen,
    maxUsedBlockHeight: recorded.max_used_block_height,
    maxUsedBlockId: fromHex(recorded.max_used_block_id_hash),
    lastFailedHeight: recorded.last_failed_height,
    lastFailedId: fromHex(recorded.last_failed_id_hash),
    broadcast: !recorded.do_not_relay,
    keyImages: inputs.flatMap((input) => (input.kind === 'key' ? [input.keyImage] : [])),
    relay: recorded.do_not_relay ? 'none' : 'fluff',
  };
}
