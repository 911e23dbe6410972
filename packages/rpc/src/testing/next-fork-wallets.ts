import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { silentLogger } from '@monero-node/base';
import { type Blockchain, openBlockchain } from '@monero-node/blockchain';
import {
  recordedBlocks,
  recordedForkChain,
  recordedNetwork,
} from '@monero-node/blockchain/testing';
import type { NextForkChain } from '@monero-node/codec/testing';
import { createBackend, type VerificationPool } from '@monero-node/crypto';
import { createMemoryStore } from '@monero-node/storage';

/** A call to upstream's program with portable storage, and its answer; both in hex. */
export interface RecordedBinaryCall {
  readonly path: string;
  readonly note: string;
  readonly request: string;
  readonly response: string;
  /** Unix seconds; of answers that tell it. */
  readonly daemonTime?: number;
}

export interface RecordedWalletChain {
  readonly name: NextForkChain['name'];
  readonly answers: readonly RecordedBinaryCall[];
  /** Of `/get_transactions`. */
  readonly calls: readonly {
    readonly path: string;
    readonly request: { readonly txs_hashes: readonly string[] };
    readonly response: {
      /** Absent when none was found. */
      readonly txs?: readonly { readonly tx_hash: string; readonly in_pool: boolean }[];
    };
  }[];
}

/** What wallets ask for, as upstream's program answered above its recorded chains; see fixtures/README.md. */
export interface RecordedWalletCalls {
  readonly chains: readonly RecordedWalletChain[];
  /** Of a restricted listener, when the chain `long` had so many blocks. */
  readonly restricted: { readonly height: number; readonly answers: readonly RecordedBinaryCall[] };
}

export function readWalletCalls(): RecordedWalletCalls {
  const file = new URL('../../fixtures/next-fork-wallets.json.br', import.meta.url);
  return JSON.parse(brotliDecompressSync(readFileSync(file)).toString()) as RecordedWalletCalls;
}

/** Nothing is verified: what is tested is not verification. */
const UNUSED: VerificationPool = {
  threads: 1,
  backendName: 'none',
  check: () => Promise.reject(new Error('a trusted block is not verified')),
  close: () => Promise.resolve(),
};

/** Opens a recorded chain in memory, with so many of its blocks. */
export async function openForkChain(
  name: NextForkChain['name'],
  height = Infinity,
): Promise<Blockchain> {
  const recorded = recordedForkChain(name);
  const chain = await openBlockchain(
    { network: recordedNetwork(recorded) },
    {
      store: createMemoryStore(),
      verifier: UNUSED,
      backend: createBackend(),
      pow: {
        name: 'none',
        hash: () => Promise.resolve(new Uint8Array(32)),
        close: () => Promise.resolve(),
      },
      logger: silentLogger,
    },
  );
  const blocks = recordedBlocks(recorded, 1, height);
  const { results } = await chain.addSpan(blocks, { trust: true });
  if (results.at(-1)?.status !== 'added') throw new Error('the recorded chain was not taken');
  return chain;
}
