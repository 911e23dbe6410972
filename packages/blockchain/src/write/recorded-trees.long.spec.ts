import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isWhole } from '@monero-node/base/testing';
import { toHex } from '@monero-node/codec';
import { createBackend, createInlineVerificationPool } from '@monero-node/crypto';
import { readRecordedTrees } from '@monero-node/curve-tree/testing';
import { createFcmpVerifier } from '@monero-node/fcmp';
import { type ChainReader, openLmdbStore } from '@monero-node/storage';
import { recordedBlocks, recordedChain, recordedNetwork } from '../testing/recorded-blocks.ts';
import { openBlockchain } from '../open.ts';
import { FixedPow, NOW } from '../testing/test-chain.ts';

const trees = readRecordedTrees().chains;

function expectRecorded(store: ChainReader, name: keyof typeof trees): void {
  const { leaves, indexes } = trees[name];
  const count = store.tree.indexes();
  let edge: readonly string[] = [];
  for (const [index, [size, moved]] of indexes.slice(0, count).entries()) {
    edge = moved ?? edge;
    const state = store.tree.state(index);
    expect([index, state.leaves, state.edge.map(toHex)]).toEqual([index, size, edge]);
  }
  for (const [place, unifiedId, entersAt, type] of leaves) {
    if (entersAt >= count) continue;
    const [leaf] = store.tree.leaves(place, place + 1);
    const kind = type === 0 ? 'legacy' : 'carrot';
    expect([place, leaf?.unifiedId, leaf?.kind]).toEqual([place, unifiedId, kind]);
  }
}

const NAMES = ['odd-coinbases', 'long', 'short'] as const;

// Blocks of 27,000 outputs.
test.each(isWhole() ? ([...NAMES, 'wide-tree'] as const) : NAMES)(
  'the chain %s is taken over from its blocks to its end, with every leaf and edge',
  async (name) => {
    const recorded = recordedChain(name);
    const end = recorded.blocks.length;
    const path = mkdtempSync(join(tmpdir(), 'recorded-tree-'));
    const store = await openLmdbStore({ path, syncMode: 'fastest' });
    const backend = createBackend();
    const verifier = createInlineVerificationPool(backend, createFcmpVerifier());
    const chain = await openBlockchain(
      { network: recordedNetwork(recorded), now: () => NOW },
      { store, pow: new FixedPow(), backend, verifier },
    );
    const { results } = await chain.addSpan(recordedBlocks(recorded, 1, end));
    expect(results.filter(({ status }) => status !== 'added')).toEqual([]);
    expect([chain.height, store.tree.indexes()]).toEqual([end, end + 9]);
    expectRecorded(store, name);
    await store.close();
    rmSync(path, { recursive: true });
  },
  600_000,
);
