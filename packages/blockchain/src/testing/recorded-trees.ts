import { fromHex, toHex } from '@monero-node/codec';
import { readRecordedTrees, type RecordedTree } from '@monero-node/curve-tree/testing';
import { createBackend, createInlineVerificationPool } from '@monero-node/crypto';
import type { NextForkChain } from '@monero-node/codec/testing';
import type { ChainReader, ChainStore } from '@monero-node/storage';
import type { Blockchain } from '../blockchain.ts';
import { openBlockchain } from '../open.ts';
import type { IncomingBlock } from '../types.ts';
import { parseBundle } from '../verify/parse-bundle.ts';
import { recordedNetwork } from './recorded-blocks.ts';
import { FixedPow, NOW } from './test-chain.ts';

const { chains, side } = readRecordedTrees();

/** Opens a store for the blocks of a recorded chain, whose proofs are verified, those of FCMP++ too. */
export async function openRecordedChain(
  recorded: NextForkChain,
  store: ChainStore,
): Promise<Blockchain> {
  const { createFcmpVerifier } = await import('@monero-node/fcmp');
  const backend = createBackend();
  const verifier = createInlineVerificationPool(backend, createFcmpVerifier());
  const network = recordedNetwork(recorded);
  return openBlockchain(
    { network, now: () => NOW },
    { store, pow: new FixedPow(), backend, verifier },
  );
}

/** Expects every stored index and leaf to be as upstream's node had it. */
export function expectRecordedTree(store: ChainReader, name: keyof typeof chains): void {
  expectTree(store, chains[name], 0);
}

/** Expects the same of a store whose top is on the side chain of the chain `long`, from the lowest index that differs. */
export function expectSideTree(store: ChainReader): void {
  expectTree(store, side, side.fromHeight + 9);
}

function expectTree(store: ChainReader, { leaves, indexes }: RecordedTree, first: number): void {
  const count = store.tree.indexes();
  let edge: readonly string[] = [];
  for (const [i, [size, moved]] of indexes.slice(0, count - first).entries()) {
    edge = moved ?? edge;
    const state = store.tree.state(first + i);
    expect([first + i, state.leaves, state.edge.map(toHex)]).toEqual([first + i, size, edge]);
  }
  for (const [place, unifiedId, entersAt, type] of leaves) {
    if (entersAt >= count) continue;
    const [leaf] = store.tree.leaves(place, place + 1);
    const kind = type === 0 ? 'legacy' : 'carrot';
    expect([place, leaf?.unifiedId, leaf?.kind]).toEqual([place, unifiedId, kind]);
  }
}

/** Returns the 25 blocks of the side chain of the chain `long`, and the height of the first. */
export function recordedSide(): { fromHeight: number; blocks: IncomingBlock[] } {
  const { fromHeight } = side;
  const blocks = side.blocks.map((blob, i) => {
    const txs = side.transactions.filter(({ height }) => height === fromHeight + i);
    return parseBundle({ block: fromHex(blob), txs: txs.map((tx) => fromHex(tx.blob)) });
  });
  return { fromHeight, blocks };
}
